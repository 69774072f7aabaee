"""Games that the page plays without the server, and keeps in the browser."""

from __future__ import annotations

from urllib.parse import unquote

import pytest
from playwright.sync_api import Page, expect

from ekoes.ekko import Game as EkkoGame
from ekoes.eko import Game
from tests.kit import ekko_page
from tests.kit.ekko_page import EkkoPlayer
from tests.kit.eko_page import Player, set_up_by_form, started
from tests.kit.page import KEPT, NewPage, give_up, open_leaf
from tests.kit.server import Server


def keep_page(page: Page) -> None:
    """Have the browser keep the page at once, as it does after some seconds."""
    page.evaluate("dispatchEvent(new Event('appinstalled'))")
    page.evaluate(
        """async () => {
            await navigator.serviceWorker.ready;
            if (!navigator.serviceWorker.controller)
                await new Promise((done) => (navigator.serviceWorker.oncontrollerchange = done));
        }"""
    )


def decide_until(player: Player, number: int) -> None:
    """Play on until the log has so many decisions; the result is not waited for."""
    while player.page.locator(".moves li").count() < number:
        player.decide()


def test_a_game_against_a_bot_is_played_to_its_end_without_a_server(
    server: Server, new_page: NewPage
) -> None:
    page = new_page(f"{server.address}/eko", preferences={"pace": 0, "autoEnd": True}, **KEPT)
    keep_page(page)
    page.context.set_offline(True)
    page.reload()
    page.locator('[data-action="quick"]').click()
    player = Player(page)
    player.until_asked()
    assert "/t/device-eko-" in page.url
    expect(page.locator("[data-plan]")).to_contain_text("On this device")
    decide_until(player, 8)
    player.until_asked()
    notation = page.locator(".moves").inner_text()

    page.reload()
    player.until_asked()
    expect(page.locator(".moves")).to_have_text(notation, use_inner_text=True)
    page.locator('[data-action="hint"]').click()
    expect(page.locator('[data-hint="advice"]')).to_be_visible()

    give_up(page)
    expect(page.locator("[data-ending]")).to_contain_text("wins by resignation")
    record = page.locator('[data-ending] [data-action="record"]').get_attribute("href") or ""
    text = unquote(record.partition(",")[2])
    assert '[Seat1 "beginner"]' in text
    assert text.endswith("result: 1 by resignation (E11.5)\n")
    outcome = Game.from_record(text).outcome()
    assert outcome is not None
    assert outcome.winners == (1,)

    page.locator('[data-ending] [data-action="review"]').click()
    expect(page.locator('[data-engine="running"], [data-engine="done"]')).to_be_visible()
    page.goto(f"{server.address}/eko")
    expect(page.locator('[data-status="device"]')).to_have_text("On this device")
    game = (
        page.locator('[data-status="device"]')
        .locator("xpath=ancestor::li")
        .locator("a")
        .get_attribute("href")
    )
    page.goto(f"{server.address}/eko/learn")
    page.locator("main a[href*='/learn/']").first.click()
    page.wait_for_selector("main [data-space]")

    page.goto(f"{server.address}{game}")
    page.locator('[data-action="ending"]').click()
    page.locator('[data-action="import"]').click()
    expect(page.locator('[data-ending] [role="alert"]')).to_be_visible()
    page.context.set_offline(False)
    page.locator('[data-action="import"]').click()
    page.wait_for_url(lambda address: "/t/" in address and "device" not in address)
    expect(page.locator(".moves")).to_have_text(notation, use_inner_text=True)
    page.goto(f"{server.address}/eko")
    expect(page.locator('[data-status="lost"]')).to_be_visible()
    expect(page.locator('[data-status="device"]')).to_have_count(0)


@pytest.mark.long
def test_three_players_of_whom_one_gives_up_without_a_server(server: Server, new_page: NewPage) -> None:
    page = new_page(f"{server.address}/eko/new", preferences={"autoEnd": True}, **KEPT)
    page.locator("form.newgame").wait_for()
    keep_page(page)
    page.context.set_offline(True)
    set_up_by_form(page, "here", "here", "bot random", variants=("portals", "moon"))
    player = Player(page)
    while player.until_asked() == "swap":
        player.decide()
    for _ in range(4):
        player.decide()
    expect(page.locator(".moves")).not_to_be_empty()
    page.locator('[data-action="give-up"]').click()
    page.locator('[data-action="resign"]').first.click()
    page.locator('[data-action="resign-sure"]').click()
    open_leaf(page, "game")
    expect(page.locator(".game")).to_contain_text("Bot: easy")
    page.keyboard.press("Escape")
    player.decide()


@pytest.mark.long
def test_a_game_against_a_bot_goes_on_when_the_server_is_lost(own_server: Server, new_page: NewPage) -> None:
    page = new_page(f"{own_server.address}/eko", **KEPT)
    page.locator('[data-action="quick"]').wait_for()
    keep_page(page)
    player = started(page, "here", "bot random")
    stacks = page.locator("[data-space] .stack").count()
    own_server.stop()
    page.locator('[data-action="on-device"]').click()
    page.wait_for_url("**/t/device-eko-*")
    player.until_asked()
    assert page.locator("[data-space] .stack").count() == stacks
    player.decide()


def without_a_server(server: Server, new_page: NewPage, *kinds: str, **options: str | bool) -> EkkoPlayer:
    """Begin a game of EKKO by the form when the server can't be reached."""
    page = new_page(f"{server.address}/ekko/new", clock=True, **KEPT)
    page.locator("form.newgame").wait_for()
    keep_page(page)
    page.context.set_offline(True)
    ekko_page.set_up_by_form(page, *kinds, **options)
    player = EkkoPlayer(page)
    player.until_asked()
    assert "/t/device-ekko-" in page.url
    return player


@pytest.mark.long
def test_a_round_of_ekko_is_played_in_calm_turns_without_a_server(server: Server, new_page: NewPage) -> None:
    player = without_a_server(server, new_page, "here", "bot beginner", hints=True, target="1")
    page = player.page
    player.until_turn()
    before = (player.top, player.hand)
    page.reload()
    player.until_asked()
    assert (player.top, player.hand) == before
    player.press(player.button("hint"))
    expect(page.locator('[data-hint="advice"]')).to_contain_text("Why:")
    player.until_over()
    record = page.locator('[data-ending] [data-action="record"]').get_attribute("href") or ""
    text = unquote(record.partition(",")[2])
    assert '[Seat1 "beginner"]' in text
    assert EkkoGame.from_record(text).outcome() is not None

    page.context.set_offline(False)
    page.locator('[data-action="import"]').click()
    page.wait_for_url(lambda address: "/t/" in address and "device" not in address)
    player.until_stage("over")
    assert page.locator("main").get_attribute("data-game") == "ekko"


@pytest.mark.long
def test_a_game_of_ekko_at_one_device_is_played_to_its_end_without_a_server(
    server: Server, new_page: NewPage
) -> None:
    player = without_a_server(server, new_page, "here", "here", "bot casual", "bot random", hints=True)
    player.until_over()
    page = player.page
    page.locator('[data-ending] [data-action="review"]').click()
    page.wait_for_url("**/ekko/analysis**")
    page.go_back()
    page.locator('[data-action="rematch"]').first.click()
    player.until_stage("look")


@pytest.mark.long
def test_a_game_of_ekko_goes_on_with_its_points_when_the_server_is_lost(
    own_server: Server, new_page: NewPage
) -> None:
    page = new_page(f"{own_server.address}/ekko", clock=True, **KEPT)
    page.locator('[data-action="quick"]').wait_for()
    keep_page(page)
    ekko_page.set_up(page, "here", "bot random", turn_clock=None)
    EkkoPlayer(page).until_asked()
    own_server.stop()
    page.locator('[data-action="on-device"]').click()
    page.wait_for_url("**/t/device-ekko-*")
    EkkoPlayer(page).until_stage("look")
