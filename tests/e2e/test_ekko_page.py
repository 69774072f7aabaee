"""EKKO's page itself: lost lines, telephones, the keyboard, languages, and what axe-core finds."""

from __future__ import annotations

import json
import re
from urllib.request import urlopen

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.manners import THUMB
from tests.kit.ekko_page import MAIN, EkkoPlayer, set_up
from tests.kit.examples import one_quick
from tests.kit.page import PHONE, NewPage, box_of
from tests.kit.server import Server
from tests.languages import TAGS

LIGHTEST_HOME, LIGHTEST_TABLE = 70 * 1024, 110 * 1024
"""Bytes that a page may bring, compressed."""
RULES = {"eko": 52 * 1024, "ekko": 0}
"""Bytes more that the rules of a game may have, which a table of Ekö needs."""
FONTS = 40 * 1024
"""Bytes that the fonts may have."""
WEIGHT = """[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .filter(entry => !entry.name.includes('/api/') && entry.name.endsWith('.woff2') === %s)
    .reduce((sum, entry) => sum + entry.encodedBodySize, 0)"""
"""The bytes, compressed, of a page's fonts (true), or of all else but what the API answers (false)."""
KEY = re.compile(r"\b(?:ekko|home|option|seat|settings)\.[a-z]")
"""A key of the catalogues that was left without words."""


def straight_in(page: Page) -> EkkoPlayer:
    """Play with one click, and wait until the first card lies there and it is this browser's turn."""
    page.locator('[data-action="quick"]').click()
    player = EkkoPlayer(page)
    player.until_turn()
    return player


def until_playable(player: EkkoPlayer) -> None:
    """Play on until a card is lifted, at a table with hints."""
    player.until_turn()
    while not player.playable:
        player.take_turn()
        player.until_turn()


@pytest.mark.long
def test_a_restart_in_the_middle_of_a_round(own_server: Server, new_page: NewPage) -> None:
    page = new_page(f"{own_server.address}/ekko", clock=True, visit=False)
    set_up(page, "here", "bot beginner", "bot beginner", hints=True, turn_clock=None)
    player = EkkoPlayer(page)
    player.until_turn()
    hand, top = player.hand, player.top
    own_server.kill()
    expect(page.locator("p.bubble")).to_be_visible()
    own_server.start()
    page.clock.fast_forward(5000)  # the page tries again after a while
    expect(page.locator("p.bubble")).to_have_count(0)
    assert (player.hand, player.top) == (hand, top)
    page.reload()
    player.until_asked()
    assert (player.hand, player.top) == (hand, top)
    player.take_turn()


@pytest.mark.long
def test_what_was_played_without_a_line_is_sent_when_it_is_back(
    own_server: Server, new_page: NewPage
) -> None:
    page = new_page(f"{own_server.address}/ekko", clock=True, visit=False)
    set_up(page, "here", "bot beginner", hints=True, turn_clock=None)
    player = EkkoPlayer(page)
    until_playable(player)
    version, (card, *_), _ = player.offer()
    own_server.kill()
    expect(page.locator("p.bubble")).to_be_visible()
    player.play(card)
    own_server.start()
    page.clock.fast_forward(5000)
    player.until_after(version)
    assert card not in player.hand


def test_on_a_telephone(server: Server, new_page: NewPage) -> None:
    page = new_page(f"{server.address}/ekko", clock=True, **PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    set_up(page, "here", *["bot beginner"] * 7, hints=True)  # the fullest table there is
    player = EkkoPlayer(page, touch=True)
    felts = {box_of(page.locator(".felt"))["height"]}
    for _ in range(4):
        player.until_turn()
        if len(player.hand) <= 6:  # one row
            felts.add(box_of(page.locator(".felt"))["height"])
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        assert page.evaluate("document.documentElement.scrollHeight") == 844
        for card in page.locator("button[data-card]").all():
            assert box_of(card)["width"] >= 56
        for button in page.locator(".ask button, .menu button").all():
            assert min(box_of(button)["width"], box_of(button)["height"]) >= THUMB
        player.take_turn()
    assert len(felts) == 1  # a card more or less moves nothing
    player.until_turn()
    page.locator(".menu button").first.tap()
    expect(page.get_by_role("dialog")).to_be_visible()


def test_a_card_can_be_dragged(server: Server, new_page: NewPage) -> None:
    page = new_page(f"{server.address}/ekko", clock=True, visit=False)
    set_up(page, "here", "bot beginner", hints=True)
    player = EkkoPlayer(page)
    until_playable(player)
    version, (card, *_), _ = player.offer()
    player.look()
    player.card(card).drag_to(page.locator("[data-zone]"))
    player.until_after(version)
    assert card not in player.hand


def test_with_the_keyboard_alone(server: Server, new_page: NewPage) -> None:
    page = new_page(f"{server.address}/ekko", clock=True)
    page.locator('[data-action="quick"]').wait_for()
    for _ in range(20):
        if page.locator('[data-action="quick"]:focus').count():
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    player = EkkoPlayer(page)
    player.until_stage("look")
    page.keyboard.press("r")
    has_played = False
    while not has_played:
        player.until_asked()
        if page.locator("[data-sheet]").count():
            page.keyboard.press("Escape")
            page.locator("[data-sheet]").wait_for(state="detached")
        elif player.stage == "look":
            page.keyboard.press("r")
            player.button("ready").wait_for(state="detached")
        elif player.stage in {"window", "leaving"}:
            page.keyboard.press("p")
            player.button("pass").wait_for(state="detached")
        elif player.stage == "effect":
            page.keyboard.press("d")
            player.button("effect-draw").wait_for(state="detached")
        else:
            turn_by_keys(player)
            has_played = True
    page.keyboard.press("ArrowRight")
    assert page.locator("button[data-card]:focus").count() == 1


def turn_by_keys(player: EkkoPlayer) -> None:
    """Play by its number a card that fits the top card (K2.1), any if nobody followed (K2.4); else draw."""
    version, _, draws = player.offer()
    top = player.top
    player.look()
    fits = [card for card in player.hand if not draws or (card > top if top % 2 else card < top)]
    if fits:
        player.page.keyboard.type(f"{fits[0]:02d}")
        player.page.keyboard.press("Enter")
    else:
        player.page.keyboard.press("d")
    player.until_after(version)


@pytest.mark.parametrize("language", one_quick("de", sorted({*TAGS} - {"de"})))
def test_every_word_is_in_the_readers_language(server: Server, new_page: NewPage, language: str) -> None:
    page = new_page(f"{server.address}/ekko", clock=True, locale=language)
    expect(page.locator("html")).to_have_attribute("lang", language)
    assert not KEY.search(page.inner_text("body"))
    straight_in(page)
    assert not KEY.search(page.inner_text("body"))
    page.locator(".menu button").last.click()
    for leaf in page.locator("[data-tab]").all():
        leaf.click()
        assert not KEY.search(page.inner_text("body"))


@pytest.mark.long
def test_who_plays_one_game_does_not_load_the_other(server: Server, new_page: NewPage) -> None:
    loaded: dict[str, set[str]] = {}
    for game, path, start in (("ekko", "/ekko", "quick"), ("eko", "/eko/new", "start")):
        page = new_page(f"{server.address}{path}")
        page.locator(f'[data-action="{start}"]').click()
        page.wait_for_selector("main[data-version]")
        names = page.evaluate("performance.getEntriesByType('resource').map(one => one.name)")
        loaded[game] = {name.rpartition("/")[2].partition("-")[0] for name in names if "/assets/" in name}
    assert {"EkkoPage", "ekkoHome"} <= loaded["ekko"]
    assert not {"EkoPage", "ekoHome"} & loaded["ekko"]
    assert not {"EkkoPage", "ekkoHome"} & loaded["eko"]


def test_a_newcomer_finds_a_door_to_each_game(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address)
    doors = page.locator('[data-door="play"]')
    expect(doors).to_have_count(2)
    page.wait_for_load_state("networkidle")
    assert page.evaluate(WEIGHT % "false") < LIGHTEST_HOME
    page.locator("section h2 a[href='/ekko']").click()
    expect(page.locator("h1")).to_have_text("EKKO")
    page.goto(server.address)
    expect(doors).to_have_count(1)
    expect(page.locator("h1")).to_have_text("EKKO")


def test_pages_are_light(server: Server, new_page: NewPage) -> None:
    for game in ("eko", "ekko"):
        page = new_page(f"{server.address}/{game}")
        page.locator('[data-door="play"]').wait_for()
        page.wait_for_load_state("networkidle")
        assert page.evaluate(WEIGHT % "false") < LIGHTEST_HOME
        assert 0 < page.evaluate(WEIGHT % "true") < FONTS
        page.locator('[data-door="invite"]').click()
        page.wait_for_url("**/t/*")
        page.reload()
        expect(page.locator("main[data-version]")).to_be_visible()
        assert page.evaluate(WEIGHT % "false") < LIGHTEST_TABLE + RULES[game]


def test_the_form_offers_every_bot_of_the_server(server: Server, new_page: NewPage) -> None:
    with urlopen(f"{server.address}/api/meta") as answer:  # noqa: S310 - our own server
        games = {game["name"]: game for game in json.load(answer)["games"]}
    for name, game in games.items():
        page = new_page(f"{server.address}/{name}/new")
        options = page.locator('form [data-seat="0"] select option')
        expect(options).to_have_count(len(game["bots"]) + 2)
        values = options.evaluate_all("all => all.map(one => one.value)")
        assert sorted(values) == sorted(["here", "open", *(f"bot {bot}" for bot in game["bots"])])
        least, most = game["players"]
        expect(page.locator('[name="players"]')).to_have_count(most - least + 1)


def test_each_game_has_its_settings(server: Server, new_page: NewPage) -> None:
    page = new_page(f"{server.address}/ekko")
    page.locator("footer summary").click()
    page.locator('[data-setting="two-taps"]').check()
    page.locator('[data-setting="theme"]').select_option("dark")
    page.locator('nav [data-game="eko"]').click()
    expect(page.locator('[data-setting="auto-end"]')).to_be_visible()
    expect(page.locator('[data-setting="two-taps"]')).to_have_count(0)
    page.go_back()
    expect(page.locator('[data-setting="two-taps"]')).to_be_checked()
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_a_watcher_sees_no_hand(server: Server, new_page: NewPage) -> None:
    page = new_page(f"{server.address}/ekko", clock=True)
    player = straight_in(page)
    watcher = new_page(page.url, clock=True)
    watcher.wait_for_selector(f"{MAIN}[data-stage]")
    expect(watcher.locator(".watch")).to_be_visible()
    assert EkkoPlayer(watcher).hand == []
    assert watcher.locator(".ask button").count() == 0
    assert EkkoPlayer(watcher).top == player.top


def test_a_page_of_an_older_server_is_loaded_anew(server: Server, new_page: NewPage) -> None:
    page = new_page(f"{server.address}/eko")
    page.locator('[data-door="play"]').wait_for()
    gone = re.compile("/assets/ekko")
    page.route(gone, lambda route: route.fulfill(status=404))
    page.evaluate("window.old = true")
    page.on("domcontentloaded", lambda _page: page.unroute(gone))
    page.locator('nav [data-game="ekko"]').click()
    expect(page.locator('[data-action="quick"]')).to_contain_text("three")
    assert page.evaluate("window.old") is None
