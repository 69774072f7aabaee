"""The lobby on the page: tables joined and watched, people brought together, rematches without who left."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.kit.eko_page import MAIN
from tests.kit.page import PHONE, NewPage, give_up, members, table_of
from tests.kit.server import Server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of this file's own: it tells who is there."""
    with Server(tmp_path_factory.mktemp("lobby")) as server:
        yield server


def lobby(new_page: NewPage, server: Server, name: str, **wishes: object) -> Page:
    page = new_page(f"{server.address}/lobby", **wishes)
    page.locator('[data-field="name"]').fill(name)
    page.locator('[data-field="name"]').press("Tab")
    expect(page.locator("[data-people]")).to_contain_text(name)
    return page


def open_table(page: Page, *kinds: str) -> str:
    """Open a public table of Ekö by the form to which the lobby leads."""
    page.locator('[data-action="new"][data-game="eko"]').click()
    page.locator(f'[name="players"][value="{len(kinds)}"]').check(force=True)
    for seat, kind in enumerate(kinds):
        page.locator(f'[data-seat="{seat}"] select').select_option(kind)
    page.locator('[data-option="public"]').check()
    page.locator('[data-action="start"]').click()
    page.wait_for_selector(f"{MAIN} [data-space]")
    return page.url


def until_at_another(*pages: Page, than: str = "") -> str:
    """Wait until pages are at the same table, other than one, and return its address."""
    for page in pages:
        page.wait_for_url(lambda url: "/t/" in url and url != than)
    (address,) = {page.url for page in pages}
    return address


@pytest.mark.long
def test_a_public_table_from_the_lobby_to_rematches(server: Server, new_page: NewPage) -> None:
    """One opens it, one sits down by a telephone, one watches; then again, and again with a bot."""
    eve = lobby(new_page, server, "Eve")
    bo = lobby(new_page, server, "Bo", **PHONE)
    ada = lobby(new_page, server, "Ada")
    expect(eve.locator("[data-people] li")).to_have_text(["Ada", "Bo", "Eve"])
    expect(eve.locator('[data-list="open"]')).to_have_count(0)
    table = open_table(ada, "here", "open")
    expect(eve.locator('[data-list="open"] > li')).to_contain_text("free")
    bo.locator('[data-action="join"]').click()
    assert until_at_another(bo) == table
    expect(eve.locator('[data-list="running"] > li')).to_contain_text("Bo")
    expect(eve.locator('[data-list="open"]')).to_have_count(0)
    eve.locator('main [data-action="watch"]').click()
    assert until_at_another(eve) == table
    eve.wait_for_selector(f"{MAIN} [data-space]")

    give_up(ada)
    for page in (ada, bo):
        page.locator('[data-action="rematch"]').click()
    again = until_at_another(ada, bo, than=table)
    expect(eve.locator('[data-action="rematch-go"]')).to_be_visible()

    give_up(ada)
    bo.goto(f"{server.address}/lobby")
    ada.locator('[data-action="rematch-bot"]').click()
    until_at_another(ada, than=again)
    expect(bo.locator('[data-list="running"] > li')).to_contain_text("Bot")


def test_those_who_look_for_the_same_game_are_brought_together(server: Server, new_page: NewPage) -> None:
    ada = lobby(new_page, server, "Ada")
    bo = lobby(new_page, server, "Bo", **PHONE)
    eve = lobby(new_page, server, "Eve")
    two = '[data-action="seek"][data-game="ekko"][data-pace="0"]'
    ada.locator(two).click()
    expect(ada.locator("[data-seeking] [role=status]")).to_contain_text("looking for one more")
    expect(bo.locator(two)).to_contain_text("1 waiting")
    ada.goto(f"{server.address}/lobby")
    expect(bo.locator(two)).to_have_attribute("data-waiting", "0")
    ada.locator(two).click()
    bo.locator(two).click()
    table = until_at_another(ada, bo)
    expect(eve.locator('[data-list="running"]')).to_contain_text("Ada")

    eve.locator('[data-action="players"][data-number="5"]').click()
    eve.locator(two).click()
    eve.locator('[data-action="bots-now"]').click()
    until_at_another(eve, than=table)
    eve.locator("button[data-card]").first.wait_for()
    bo.goto(f"{server.address}/lobby")
    own = bo.locator('[data-list="own"] > li')
    expect(own).to_contain_text("Ada")
    own.locator("a").click()
    assert until_at_another(bo) == table
    give_up(ada)
    for page in (ada, bo):
        page.locator('[data-deal="fair"] summary').click()
        expect(page.locator("[data-deal]")).to_contain_text("its part is among them")


@pytest.mark.long
def test_two_in_one_network_learn_at_once_that_a_rated_game_needs_two(
    server: Server, new_page: NewPage
) -> None:
    """One of them offers an unrated game, which the other sees waiting."""
    ada, bo = members(new_page, server.address, "Ada of one network", "Bo of one network")
    for page in (ada, bo):
        page.goto(f"{server.address}/lobby")
        page.locator('[data-option="rated"]').check()
        page.locator('[data-action="seek"][data-game="ekko"][data-pace="0"]').click()
    for page in (ada, bo):
        expect(page.locator("[data-same-network]")).to_contain_text("different networks")
    ada.locator('[data-action="unrated"]').click()
    expect(bo.locator('[data-action="unrated"]')).to_contain_text("1 waiting")
    bo.locator('[data-action="unrated"]').click()
    until_at_another(ada, bo)


@pytest.mark.long
def test_a_table_begins_without_who_has_not_come(server: Server, new_page: NewPage) -> None:
    ada = lobby(new_page, server, "Ada")
    bo = lobby(new_page, server, "Bo")
    table = open_table(ada, "here", "open", "open")
    expect(ada.locator('[data-action="fill-out"]')).to_have_count(0)
    bo.locator('[data-action="join"]').click()
    assert until_at_another(bo) == table
    expect(bo.locator('[data-action="fill-bot"]')).to_have_count(0)
    ada.locator('[data-action="fill-out"]').click()
    until_at_another(ada, bo, than=table)
    assert [seat["taken"] for seat in table_of(ada)["seats"]] == [True, True]


@pytest.mark.long
def test_an_invitation_by_name_to_the_table(server: Server, new_page: NewPage) -> None:
    """One declines at first; then both go to the table. The other, by a telephone, is on other pages."""
    ada, bo = members(new_page, server.address, "Ada the inviting", "Bo the invited")
    ada.goto(f"{server.address}/lobby")
    for answer, other in (("decline", "/eko/new"), ("accept", "/account")):
        bo.goto(f"{server.address}/lobby")
        ada.get_by_role("button", name="Invite Bo the invited").click()
        bo.goto(f"{server.address}{other}")
        ada.locator('[data-option="clock"]').first.select_option(index=1)
        ada.locator('[data-inviting] [data-action="invite"][data-game="eko"]').click()
        expect(ada.locator('[data-invitation="own"]')).to_contain_text("Bo the invited")
        expect(bo).to_have_title(re.compile(r"^\(1\) "))
        if other != "/account":
            expect(bo.locator('[data-seat="0"] input')).to_have_attribute("placeholder", "Bo the invited")
            expect(bo.locator("[data-inbox] [role=status]")).to_contain_text("Ada the inviting invites you")
            bo.locator('[data-inbox] [data-action="fold"]').click()
            bo.get_by_role("button", name="1 invitation").click()
        expect(bo.locator('[data-invitation="other"]')).to_contain_text("Ada the inviting")
        bo.locator(f'[data-action="{answer}"]').click()
        expect(bo.locator("[data-invitation]")).to_have_count(0)
        expect(bo).not_to_have_title(re.compile(r"^\("))
    until_at_another(ada, bo)
    expect(ada.locator("main")).to_contain_text("Bo the invited")
    expect(bo.locator("main")).to_contain_text("Ada the inviting")
    expect(ada.locator('[data-who="account"]')).to_have_text(["account", "account"])


def test_watching_goes_from_a_game_of_bots_to_the_next_game(server: Server, new_page: NewPage) -> None:
    page = new_page(f"{server.address}/lobby", clock=True)
    page.locator('[data-action="watch-best"][data-game="eko"]').click()
    expect(page.locator(f"{MAIN} [data-space]").first).to_be_visible()
    expect(page.locator("[data-chance]").first).to_have_text(re.compile(r"^Chance of winning \d+%$"))
    expect(page.locator('[data-action="pause"]')).to_have_count(0)
    following = server.browser().create({"kind": "here", "name": "Ada"}, "beginner")
    page.route("**/status", lambda route: route.fulfill(json={"status": "over"}))
    page.route("**/api/eko/watch", lambda route: route.fulfill(json={"table": following, "game": "eko"}))
    for _ in range(4):
        expect(page.locator("main")).not_to_contain_text("Ada")
        with page.expect_response("**/status"):
            page.clock.fast_forward(5000)
    expect(page.locator("main")).to_contain_text("Ada")
    assert page.url == f"{server.address}/eko/watch"
