"""People on the page: accounts and devices, bot accounts, and talk at a table."""

from __future__ import annotations

import zipfile

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.e2e.manners import violations
from tests.kit.client import PASSWORD, new_name
from tests.kit.ekko_page import set_up as set_up_ekko
from tests.kit.eko_page import MAIN, Player, set_up
from tests.kit.page import PHONE, NewPage, account_of, fill_in, members, open_leaf, sign_up
from tests.kit.server import Server, ekoes


def test_an_account_from_its_making_to_its_end(server: Server, new_page: NewPage) -> None:
    name = new_name()
    page = new_page(server.address, visit=False)
    set_up(page, "here", "bot beginner")
    table = page.url
    account_of(page, server.address, name)
    page.locator('[data-action="saved"]').click()
    page.route("**/api/account", lambda route: route.abort(), times=1)
    page.goto(f"{server.address}/lobby")
    expect(page.locator("a.account")).to_have_text(name)

    phone = new_page(server.address, **PHONE)
    phone.get_by_role("link", name="Sign in").click()
    fill_in(phone, name.upper(), "a wrong one", "current-password", "sign-in")
    expect(phone.get_by_role("alert")).to_have_text("Wrong name or password.")
    fill_in(phone, name.upper(), PASSWORD, "current-password", "sign-in")
    phone.locator('a[href^="/t/"]').click()
    player = Player(phone)
    assert phone.url == table
    assert player.until_asked() != "over"
    version = player.version
    player.decide()
    assert player.version > version

    page.goto(f"{server.address}/account")
    expect(page.locator('[data-device="this"], [data-device="other"]')).to_have_count(2)
    with page.expect_download() as download:
        page.locator('[data-action="export"]').click()
    with zipfile.ZipFile(download.value.path()) as archive:
        assert name.encode() in archive.read("account.json")
    page.locator('[data-action="end-device"]').click()
    expect(page.locator('[data-device="other"]')).to_have_count(0)
    phone.goto(f"{server.address}/account")
    expect(phone.locator('[data-mode="sign-up"]')).to_be_visible()

    page.locator('[data-open="delete"]').click()
    page.locator('details[open] [data-field="current-password"]').fill("a wrong one")
    page.locator('button[data-action="delete"]').click()
    expect(page.get_by_role("alert")).to_have_text("Wrong password.")
    page.locator('details[open] [data-field="current-password"]').fill(PASSWORD)
    page.locator('button[data-action="delete"]').click()
    expect(page.locator('[data-mode="sign-up"]')).to_be_visible()
    page.goto(table)
    expect(page.locator(f'{MAIN}[data-phase="over"]')).to_be_visible()
    expect(page.locator("main")).not_to_contain_text(name)


@pytest.mark.long
def test_who_forgot_the_password_comes_back_by_a_code(server: Server, new_page: NewPage) -> None:
    name = new_name()
    page = new_page(server.address)
    codes = account_of(page, server.address, name)
    other = new_page(f"{server.address}/account")
    other.locator('[data-mode="recover"]').click()
    other.locator('[data-field="one-time-code"]').fill("of-my-own-make")
    fill_in(other, name, "another tower", "new-password", "recover")
    expect(other.get_by_role("alert")).to_have_text("Wrong name or code.")
    other.locator('[data-field="one-time-code"]').fill(codes[3])
    fill_in(other, name, "another tower", "new-password", "recover")
    expect(other.locator(".who")).to_contain_text(name)
    page.reload()
    expect(page.locator('[data-mode="sign-in"]')).to_be_visible()


@pytest.mark.long
def test_a_seat_moves_to_a_telephone_by_a_link(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, visit=False)
    set_up(page, "here", "here")
    open_leaf(page, "game")
    page.locator('[data-action="move-seat"]').nth(1).click()
    expect(page.locator('.move [data-part="code"]')).to_be_visible()
    link = page.locator('.move [data-field="link"]').input_value()
    moved = f"{server.address}/seat#{link.partition('#')[2]}"
    phone = new_page(moved, **PHONE)
    phone.wait_for_selector(f"{MAIN} [data-space]")
    assert phone.url == page.url
    expect(page.locator(".move")).to_have_count(1)
    page.locator(".drawer .close").click()
    here, there = Player(page), Player(phone, touch=True)
    here.until_asked()
    while here.phase is not None:
        here.decide()
    there.until_asked()
    there.decide()

    late = new_page(moved)
    expect(late.get_by_role("alert")).to_contain_text("This seat is not yours.")


@pytest.mark.long
def test_links_to_a_seat_and_to_a_table_say_which_is_which_and_the_old_device_gets_the_seat_back(
    server: Server, new_page: NewPage
) -> None:
    page = new_page(server.address, visit=False)
    set_up(page, "here", "bot random")
    open_leaf(page, "game")
    page.locator('[data-action="move-seat"]').click()
    expect(page.get_by_role("group", name="Invitation for others")).to_contain_text("Copy invitation")
    own = page.get_by_role("group", name="Your own seat")
    expect(own).to_contain_text("Copy link to my seat")
    expect(page.locator(".move")).to_contain_text("Only for your own device")
    phone = new_page(own.get_by_role("textbox").input_value(), **PHONE)
    phone.wait_for_selector(f"{MAIN} [data-space]")
    expect(page.locator("[data-passed]")).to_contain_text("“Continue on another device” there")
    open_leaf(phone, "game")
    phone.locator('[data-action="move-seat"]').click()
    page.goto(phone.locator('[data-link="self"] [data-field="link"]').input_value())
    Player(page).until_asked()
    expect(page.locator("[data-passed]")).to_have_count(0)


@pytest.mark.long
def test_an_account_continues_on_another_device_by_signing_in(server: Server, new_page: NewPage) -> None:
    name = new_name()
    page = new_page(server.address)
    sign_up(page, server.address, name)
    set_up(page, "here", "open", rated=True, seed=None)
    open_leaf(page, "game")
    page.locator('[data-action="move-seat"]').click()
    expect(page.locator(".move [role=status]")).to_contain_text(f"Sign in as {name} on the other device")
    phone = new_page(page.url, **PHONE)
    expect(phone.locator("[data-needs]")).to_contain_text("A rated game needs an account.")
    expect(phone.locator('[data-field="name"], [data-action="sit"]')).to_have_count(0)
    phone.locator('[data-action="sign-in"]').click()
    fill_in(phone, name, PASSWORD, "current-password", "sign-in")
    phone.wait_for_selector(f"{MAIN} [data-space]")
    assert phone.url == page.url
    expect(phone.locator('[data-link="others"]')).to_be_visible()


@pytest.mark.long
def test_only_accounts_are_offered_to_follow_and_only_by_accounts(server: Server, new_page: NewPage) -> None:
    guest, member = new_page(server.address), new_page(server.address)
    sign_up(member, server.address, new_name())
    set_up(guest, "here", "open")
    member.goto(guest.url)
    member.locator('[data-action="sit"]').click()
    for page in (guest, member):
        open_leaf(page, "game")
        page.locator(".drawer [data-person]").click()
        expect(page.locator('[data-action="report"]')).to_be_visible()
    expect(guest.locator('[data-action="follow"], [data-action="block"]')).to_have_count(0)
    expect(guest.locator('.drawer [data-action="sign-in"]')).to_have_text("Sign in to follow or block.")
    expect(member.locator('[data-action="follow"]')).to_have_count(0)
    expect(member.locator('[data-action="block"]')).to_be_visible()


@pytest.mark.long
def test_who_is_blocked_at_a_table_can_be_unblocked_there_later(server: Server, new_page: NewPage) -> None:
    host, member = new_page(server.address), new_page(server.address)
    for page in (host, member):
        sign_up(page, server.address, new_name())
    set_up_ekko(host, "here", "open")
    member.goto(host.url)
    member.locator('[data-action="sit"]').click()
    for action in ("block", "unblock"):
        member.locator(".felt [data-person]").click()
        member.locator(f'[data-action="{action}"]').click()
        expect(member.locator('[data-action="block"]')).to_have_count(int(action == "unblock"))
        member.reload()


def enters_and_leaves_the_league(author: Page, bot: str, token: str) -> None:
    """Let Ada enter a bot by the link in the lobby, and remove it."""
    author.locator('[data-league="eko"]').click()
    standing = author.locator(f'[data-player="{bot}"]')
    for text, shown in (("none", "No account has this token."), (token, "")):
        author.locator('[data-field="off"]').fill(text)
        author.locator('button[data-action="enter"]').click()
        expect(author.locator("form")).to_contain_text(shown)
    expect(standing).to_contain_text("by Ada")
    assert violations(author) == []
    author.locator('[data-action="leave"]').click()
    expect(standing).to_have_count(0)


@pytest.mark.long
def test_a_bot_gets_a_token_sits_down_among_people_and_is_ended(
    own_server: Server, new_page: NewPage
) -> None:
    owner = new_page(own_server.address)
    account_of(owner, own_server.address, "Deep Sand")
    owner.locator('[data-action="saved"]').click()
    owner.locator('[data-open="tokens"]').click()
    owner.locator('button[data-action="mark-bot"]').click()
    expect(owner.locator("[data-bot]")).to_be_visible()
    owner.locator('[data-field="off"]').fill("my engine")
    for scope in ("table:read", "table:play", "challenge"):
        owner.get_by_role("checkbox", name=scope).check()
    owner.locator('button[data-action="make-token"]').click()
    token = owner.locator("[data-token]").inner_text()
    owner.locator('[data-action="saved-token"]').click()
    expect(owner.locator("[data-token]")).to_have_count(0)
    expect(owner.locator("[data-token-id]")).to_contain_text("my engine")
    expect(owner.locator("[data-token-id]")).to_contain_text("challenge · table:play · table:read")

    person = new_page(own_server.address, visit=False)
    sign_up(person, own_server.address, "Ada")
    set_up(person, "here", "open")
    table = person.url.rpartition("/")[2]
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(base_url=own_server.address, headers=headers, timeout=60) as bot:
        order = {"type": "sit", "key": "sit", "seat": 1}
        assert bot.post(f"/api/tables/{table}/orders", json=order).status_code == 200
        open_leaf(person, "game")
        expect(person.locator('.drawer [data-badge="bot"]')).to_be_visible()
        expect(person.locator(".drawer")).to_contain_text("Deep Sand")
        person.goto(f"{own_server.address}/lobby")
        with bot.stream("GET", "/api/bot/stream"):
            listed = person.locator('[data-bot="Deep Sand"]')
            expect(listed).to_contain_text("No rated games yet.")
            listed.get_by_role("link", name="Deep Sand").click()
        expect(person.locator('[data-badge="bot"]')).to_be_visible()
        for action, done in (("follow", "Following."), ("block", "Blocked.")):
            person.locator(f'[data-action="{action}"]').click()
            expect(person.get_by_role("status")).to_contain_text(done)
        person.reload()
        for action in ("follow", "block"):
            person.locator(f'[data-action="un{action}"]').click()
            expect(person.locator(f'[data-action="{action}"]')).to_be_visible()
        person.locator('[data-action="report"]').click()
        person.locator('[data-action="send-report"]').click()
        expect(person.get_by_role("status")).to_contain_text("Thank you.")

        person.goto(f"{own_server.address}/lobby")
        enters_and_leaves_the_league(person, "Deep Sand", token)

        owner.locator('[data-action="end-token"]').click()
        expect(owner.locator("[data-token-id]")).to_have_count(0)
        assert bot.get(f"/api/tables/{table}").status_code == 401


def admin(server: Server, *words: str) -> None:
    """Do a command beside the running server."""
    ekoes("admin", *words, "--data", server.data)


def say(page: Page, words: str) -> None:
    page.locator('[data-field="say"]').fill(words)
    page.locator('[data-action="say"]').click()


def lines(page: Page) -> list[str]:
    return page.locator("[data-said] p").all_inner_texts()


def moderated(server: Server, new_page: NewPage) -> None:
    """Let a moderator silence who was reported."""
    eve = new_page(server.address)
    account_of(eve, server.address, "Eve")
    admin(server, "moderator", "Eve")
    eve.goto(f"{server.address}/account")
    eve.locator('[data-action="moderation"]').click()
    card = eve.locator("[data-report]")
    expect(card).to_contain_text("not nice")
    expect(card.locator("li.about")).to_contain_text("you fool")
    assert violations(eve) == []
    card.locator('[data-field="verdict"]').fill("told to be kind")
    card.locator('[data-field="hours"]').select_option("24")
    card.locator('[data-action="resolve"]').click()
    expect(eve.locator("[data-none]")).to_be_visible()


@pytest.mark.long
def test_two_talk_one_is_muted_and_reported_and_a_moderator_sees_it(
    own_server: Server, new_page: NewPage
) -> None:
    ada = new_page(own_server.address)
    account_of(ada, own_server.address, "Ada")
    ada.goto(f"{own_server.address}/eko")
    ada.locator('[data-door="invite"]').click()
    ada.wait_for_selector(f"{MAIN} [data-space]")
    bo = new_page(ada.url, locale="de-DE", **PHONE)
    bo.locator('[data-field="name"]').fill("Bo")
    bo.locator('[data-action="sit"]').click()

    ada.locator('[data-action="chat"]').wait_for()
    ada.keyboard.press("c")
    ada.locator('[data-phrase="luck"]').click()
    expect(ada.locator("[data-said] p")).to_have_text("Good luck!")
    expect(bo.locator('[data-action="chat"]')).to_have_attribute("data-unread", "1")
    expect(bo.locator("[data-news]")).to_contain_text("Viel Glück!")
    bo.locator('[data-action="chat"]').click()
    expect(bo.locator("[data-said] p")).to_have_text("Viel Glück!")
    expect(bo.locator('[data-action="chat"]')).to_have_attribute("data-unread", "0")
    say(bo, "<b>you fool</b> http://rude.example")
    insult = ada.locator("[data-said]", has_text="you fool")
    expect(insult.locator("p")).to_have_text("<b>you fool</b> http://rude.example")
    assert insult.locator("a").count() == 0
    expect(insult.locator("[data-who]")).to_have_text("guest")

    insult.locator("[data-person]").click()
    insult.locator('[data-action="report"]').click()
    insult.locator('[data-field="words"]').fill("not nice")
    assert violations(ada) == []
    insult.locator('[data-action="send-report"]').click()
    expect(insult.get_by_role("status")).to_contain_text("Thank you")
    insult.locator('[data-action="mute-person"]').click()
    expect(insult).to_have_count(0)
    say(bo, "are you there?")
    expect(bo.locator("[data-said]")).to_have_count(3)
    assert lines(ada) == ["Good luck!"]
    ada.locator('[data-action="unmute"]').click()
    expect(ada.locator("[data-said]")).to_have_count(3)

    moderated(own_server, new_page)
    say(bo, "and now?")
    expect(bo.locator("[data-silenced]")).to_contain_text("Du kannst bis")

    ada.locator('[data-tab="settings"]').click()
    ada.locator('[data-setting="chat"]').uncheck()
    expect(ada.locator('[data-action="chat"]')).to_have_count(0)


def test_two_meet_in_a_club_by_its_link_and_a_stranger_gets_no_seat(
    server: Server, new_page: NewPage
) -> None:
    ada_name, bo_name, eve_name = (new_name() for _ in range(3))
    ada, bo, eve = members(new_page, server.address, ada_name, bo_name, eve_name)
    ada.goto(f"{server.address}/clubs")
    ada.locator('[data-open="new-club"]').click()
    ada.locator('[data-field="club-name"]').fill(f"Club of {ada_name}")
    ada.locator('[data-variant="closed"]').check()
    ada.locator('[data-action="save-club"]').click()
    link = ada.locator('[data-field="link"]').input_value()

    eve.goto(link.partition("#")[0])
    expect(eve.locator('main[data-status="stranger"]')).to_contain_text("Ask a member for the link")
    bo.goto(link)
    bo.locator('[data-action="join"]').click()
    bo.locator('[data-field="say"]').fill("Who plays?")
    bo.locator('[data-action="say"]').click()
    expect(ada.locator("[data-said] p")).to_have_text("Who plays?")

    ada.locator('[data-action="new"][data-game="eko"]').click()
    expect(ada.locator("[data-club]")).to_be_visible()
    ada.locator('[data-action="start"]').click()
    ada.wait_for_selector(f"{MAIN} [data-space]")
    eve.goto(ada.url)
    eve.locator('[data-action="sit"]').first.click()
    expect(eve.locator("main")).to_contain_text("Only members of the club can do this.")
    bo.locator('[data-list="open"] [data-action="join"]').click()
    expect(ada.locator("main")).to_contain_text(bo_name)

    ada.goto(link)
    ada.locator(f'[data-member="{bo_name}"] select').select_option("banned")
    ada.locator('[data-action="appoint"]').click()
    expect(ada.locator(f'[data-member="{bo_name}"]')).to_have_count(0)
    bo.goto(link)
    bo.locator('[data-action="join"]').click()
    expect(bo.get_by_role("alert")).to_have_text("You are banned from this club.")
