"""Games that are over as everybody finds them, and a table in the middle."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, expect

from tests.e2e.screens import archived
from tests.kit.ekko_page import GLANCE, EkkoPlayer
from tests.kit.eko_page import MAIN
from tests.kit.page import PHONE, NewPage
from tests.kit.server import Server

RUNS = re.compile("race|window")


def test_a_game_is_found_looked_at_and_watched_again(server: Server, new_page: NewPage) -> None:
    table = archived(server.address, "Archibald")
    page = new_page(f"{server.address}/archive")
    page.locator('[data-field="player"]').fill("archibald")
    page.locator('[data-field="game"]').select_option("eko")
    page.locator('[data-option="variants:moon"]').check()
    page.locator('[data-action="search"]').click()
    expect(page.locator(f'[data-game="{table}"]')).to_be_visible()
    assert "player=archibald" in page.url
    assert "option=variants%3Amoon" in page.url

    other = new_page(page.url, **PHONE)
    expect(other.locator('[data-option="variants:moon"]')).to_be_checked()
    other.locator(f'[data-game="{table}"] a[href^="/games/"]').click()
    expect(other.locator("[data-seat]")).to_have_count(2)
    expect(other.locator("main img")).to_have_js_property("naturalWidth", 1200)
    with other.expect_download() as film:
        other.locator('[data-action="animation"]').click()
    assert film.value.path().read_bytes().startswith(b"GIF89a")
    with other.expect_download() as record:
        other.locator('[data-action="record"]').click()
    assert "Archibald" in record.value.path().read_text("utf-8")
    other.locator('[data-action="review"]').click()
    expect(other.locator(MAIN)).to_be_visible()

    page.locator('[data-option="variants:moon"]').uncheck()
    page.locator('[data-option="variants:wind"]').check()
    page.locator('[data-action="search"]').click()
    expect(page.get_by_role("status")).to_be_visible()
    page.go_back()
    expect(page.locator(f'[data-game="{table}"]')).to_be_visible()
    with page.expect_download() as file:
        page.locator('[data-action="file"]').click()
    assert file.value.path().stat().st_size > 0


def test_nothing_is_searched_where_no_game_has_ended(own_server: Server, new_page: NewPage) -> None:
    page = new_page(f"{own_server.address}/archive")
    expect(page.get_by_role("status")).to_be_visible()
    expect(page.locator('[data-action="search"]')).to_have_count(0)


@pytest.mark.long
def test_two_taps_on_earlier_games_load_them_once(server: Server, new_page: NewPage) -> None:
    games = 52
    for _ in range(games):
        archived(server.address, "Manifold")
    page = new_page(f"{server.address}/archive?player=manifold")
    rows = page.locator("main [data-game]")
    expect(rows).to_have_count(50)
    held: list[Route] = []
    page.route("**/api/archive?*after=*", lambda route: held.append(route))  # noqa: PLW0108 (playwright marks a handler)
    with page.expect_request("**/api/archive?*after=*"):
        page.locator('[data-action="more"]').dblclick()
    for route in held:
        route.continue_()
    expect(rows).to_have_count(games)


@pytest.mark.long
def test_a_table_in_the_middle_and_two_telephones(server: Server, new_page: NewPage) -> None:
    screen = new_page(f"{server.address}/ekko/new")
    screen.locator('[data-option="screen"]').check()
    screen.locator('[data-option="calm"]').check()
    screen.locator('[data-option="window"]').select_option("")
    screen.locator('[name="players"][value="2"]').check(force=True)
    screen.locator('[data-action="start"]').click()
    join = screen.locator("[data-free]")
    expect(join).to_have_attribute("data-free", "2")
    expect(join.locator('[data-part="code"]')).to_be_visible()
    link = join.locator(".link").inner_text().replace("localhost", "127.0.0.1")
    path = link.partition("/t/")[2]

    phones = [new_page(f"{server.address}/t/{path}", clock=True, **PHONE) for _ in range(2)]
    for phone, name in zip(phones, ("Ann", "Bea"), strict=True):
        phone.locator('[data-field="name"]').fill(name)
        phone.locator('[data-action="join"]').click()
        expect(phone.locator('[data-action="join"]')).to_have_count(0)
    expect(join).to_have_count(0)
    players = [EkkoPlayer(phone, touch=True) for phone in phones]
    for phone in phones:
        phone.locator('[data-action="ready"]').click()
    expect(screen.locator("main[data-screen]")).to_have_attribute("data-stage", RUNS)
    for phone, player in zip(phones, players, strict=True):
        assert len(player.hand) > 0
        expect(phone.locator("main")).to_have_attribute("data-hand", "true")
    expect(screen.locator("button[data-card]")).to_have_count(0)
    top = players[0].top
    expect(screen.locator("[data-zone]")).to_have_attribute("data-top", str(top))
    before = screen.locator("main").get_attribute("data-version") or ""
    for phone in phones:
        pass_by = phone.locator('[data-action="pass"]')
        if pass_by.count():
            pass_by.click()
            expect(pass_by).to_have_count(0)
    turn = phones[int(phones[0].locator("main").get_attribute("data-turn") or 0)]
    draw = turn.locator('[data-action="draw"]')
    expect(draw).to_be_enabled()
    turn.clock.run_for(GLANCE)
    draw.click()
    expect(screen.locator("main")).not_to_have_attribute("data-version", before)

    phones[0].goto(f"{server.address}/t/{path.partition('/')[0]}/screen")
    expect(phones[0].locator('[data-action="hand"]')).to_be_visible()
    expect(phones[0].locator("button[data-card]")).to_have_count(0)
