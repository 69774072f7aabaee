"""Accounts on the page: made, another device added, exported, deleted; a seat that moves to a telephone."""

from __future__ import annotations

import zipfile

from playwright.sync_api import expect

from tests.kit.client import PASSWORD
from tests.kit.eko_page import MAIN, Player, set_up
from tests.kit.page import PHONE, NewPage, account_of, fill_in, open_leaf
from tests.kit.server import Server


def test_an_account_from_its_making_to_its_end(own_server: Server, new_page: NewPage) -> None:
    page = new_page(own_server.address, visit=False)
    set_up(page, "here", "bot beginner")
    table = page.url
    account_of(page, own_server.address, "Ada")
    page.locator('[data-action="saved"]').click()
    page.route("**/api/account", lambda route: route.abort(), times=1)
    page.goto(f"{own_server.address}/lobby")
    expect(page.locator("a.account")).to_have_text("Ada")

    phone = new_page(own_server.address, **PHONE)
    phone.get_by_role("link", name="Sign in").click()
    fill_in(phone, "ada", "a wrong one", "current-password", "sign-in")
    expect(phone.get_by_role("alert")).to_have_text("Wrong name or password.")
    fill_in(phone, "ada", PASSWORD, "current-password", "sign-in")
    phone.locator('a[href^="/t/"]').click()
    player = Player(phone)
    assert phone.url == table
    assert player.until_asked() != "over"
    version = player.version
    player.decide()
    assert player.version > version

    page.goto(f"{own_server.address}/account")
    expect(page.locator('[data-device="this"], [data-device="other"]')).to_have_count(2)
    with page.expect_download() as download:
        page.locator('[data-action="export"]').click()
    with zipfile.ZipFile(download.value.path()) as archive:
        assert b"Ada" in archive.read("account.json")
    page.locator('[data-action="end-device"]').click()
    expect(page.locator('[data-device="other"]')).to_have_count(0)
    phone.goto(f"{own_server.address}/account")
    expect(phone.locator('[data-way="sign-up"]')).to_be_visible()

    page.locator('[data-open="delete"]').click()
    page.locator('details[open] [data-field="current-password"]').fill(PASSWORD)
    page.locator('button[data-action="delete"]').click()
    expect(page.locator('[data-way="sign-up"]')).to_be_visible()
    page.goto(table)
    expect(page.locator(f'{MAIN}[data-phase="over"]')).to_be_visible()
    expect(page.locator("main")).not_to_contain_text("Ada")


def test_who_forgot_the_password_comes_back_by_a_code(own_server: Server, new_page: NewPage) -> None:
    page = new_page(own_server.address)
    codes = account_of(page, own_server.address, "Ada")
    other = new_page(f"{own_server.address}/account")
    other.locator('[data-way="recover"]').click()
    other.locator('[data-field="one-time-code"]').fill(codes[3])
    fill_in(other, "Ada", "another tower", "new-password", "recover")
    expect(other.locator(".who")).to_contain_text("Ada")
    page.reload()
    expect(page.locator('[data-way="sign-in"]')).to_be_visible()


def test_a_seat_moves_to_a_telephone_by_a_link(own_server: Server, new_page: NewPage) -> None:
    page = new_page(own_server.address, visit=False)
    set_up(page, "here", "here")
    open_leaf(page, "game")
    page.locator('[data-action="move-seat"]').nth(1).click()
    expect(page.locator('.move [data-part="code"]')).to_be_visible()
    link = page.locator('.move [data-field="link"]').input_value()
    moved = f"{own_server.address}/seat#{link.partition('#')[2]}"
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
