"""Whole games of EKKO through the page, and the moments that they are about."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from time import sleep

import pytest
from playwright.sync_api import Locator, expect

from ekoes.games.ekko.live.machine import AFTER_MISPLAY
from tests.kit.app import DEALER, DRAWN, LEFT, TURNED
from tests.kit.client import Browser
from tests.kit.ekko_page import ON_TOP, EkkoPlayer, set_up, set_up_by_form, sit_down
from tests.kit.page import PHONE, NewPage, box_of
from tests.kit.server import Server

BOTS = ("beginner", "skilled", "strong")


def test_one_browser_mirrors_the_other(dealt: Server, new_page: NewPage) -> None:
    table = sit_down(dealt, new_page)
    left, dealer = table.left, table.dealer
    left.play(37)
    dealer.page.wait_for_selector('[data-zone][data-top="37"]')
    dealer.play(73)
    dealer.button("effect-discard").wait_for()
    left.page.wait_for_selector('[data-zone][data-top="73"]')
    expect(left.page.locator(".sentence")).to_contain_text("mirror")
    dealer.press(dealer.button("effect-draw"))
    expect(left.card(DRAWN)).to_be_visible()
    assert set(left.hand) == {*LEFT, DRAWN} - {37}
    assert set(dealer.hand) == {*DEALER} - {73}
    for player in (left, dealer):
        expect(player.page.get_by_role("list", name="Log")).to_contain_text("73")
    left.until_asked()  # the turn goes to the left of the mirror's player (K3.3)
    left.play(91)


def test_the_mirror_out_of_turn_is_quicker_than_a_play(dealt: Server, new_page: NewPage) -> None:
    table = sit_down(dealt, new_page)
    left, dealer = table.left, table.dealer
    table.connections[left].hold()
    dealer.play(4)
    dealer.press(dealer.button("effect-discard"))
    dealer.press(dealer.card(85))
    dealer.button("effect-discard").wait_for(state="detached")
    assert left.top == TURNED  # has not heard of the mirror yet
    left.play(37)
    receipt = dealer.page.locator("[data-receipt]")
    expect(receipt).to_contain_text(re.compile(r"\d ms"))
    table.connections[left].release()
    expect(left.page.locator("[data-receipt]")).to_contain_text(re.compile(r"\d ms"))
    assert set(left.hand) == set(LEFT)  # no penalty (K7.2)
    assert set(dealer.hand) == {*DEALER} - {4, 85}
    expect(dealer.page.locator(".foot")).to_contain_text("85")
    expect(left.page.locator(".foot")).to_have_count(0)


@pytest.mark.long
def test_a_misplay_is_told_to_everybody(dealt: Server, new_page: NewPage) -> None:
    table = sit_down(dealt, new_page)
    left, dealer = table.left, table.dealer
    left.play(91)
    expect(left.page.locator(".notice")).to_contain_text("did not fit")
    expect(left.card(DRAWN)).to_have_class(re.compile("blocked"))
    assert set(left.hand) == {*LEFT, DRAWN}
    expect(dealer.page.locator(".seat .misplay")).to_be_visible()
    left.page.locator(".notice .rule").click()
    expect(left.page.locator("article.lit")).to_contain_text("K4.1")
    left.page.keyboard.press("Escape")
    insist(left, 37, dealer.page.locator('[data-zone][data-top="37"]'), 1)  # the turn is still theirs


def insist(player: EkkoPlayer, card: int, wanted: Locator, count: int) -> None:
    """Play a card again until so many are there: for a moment after a misplay no hand is free (K4.1)."""
    for _ in range(40):
        if wanted.count() == count:
            return
        player.play(card)
        with contextlib.suppress(AssertionError):
            expect(wanted).to_have_count(count, timeout=700)
    expect(wanted).to_have_count(count)


@pytest.mark.long
def test_a_hand_of_thirty_covers_nothing(dealt: Server, new_page: NewPage) -> None:
    """At a desk, and then by a telephone with the same seat; misplays on a third line bring the cards."""
    table = sit_down(dealt, new_page)
    left = table.left
    seat = left.page.context.storage_state()
    browser = Browser(dealt.address)
    browser.http.cookies = {cookie["name"]: cookie["value"] for cookie in seat["cookies"]}
    with browser.open(left.page.url.rpartition("/")[2]) as socket:
        [(number, hand)] = socket.state["hands"].items()
        for _ in range(len(hand["hand"]), 30):
            assert socket.intend(int(number), "play", card=95, on=TURNED)["type"] == "ack"
            sleep(AFTER_MISPLAY / 1000)
    telephone = EkkoPlayer(new_page(left.page.url, clock=True, storage_state=seat, **PHONE))
    for player in (left, telephone):
        expect(player.page.locator("button[data-card]")).to_have_count(30)
        for name in ("draw", "pile"):
            assert player.button(name).evaluate(ON_TOP)
        assert player.page.locator("[data-zone]").evaluate(ON_TOP)
        height = player.page.evaluate("innerHeight")
        hand = box_of(player.page.get_by_role("group", name="Your hand"))
        assert hand["height"] <= 0.45 * height
        assert hand["y"] + hand["height"] <= height
    insist(telephone, 95, telephone.page.locator("button[data-card]"), 31)
    insist(left, 37, table.dealer.page.locator('[data-zone][data-top="37"]'), 1)


@pytest.mark.long
def test_without_misplays_a_wrong_card_is_refused(dealt: Server, new_page: NewPage) -> None:
    table = sit_down(dealt, new_page, misplays=False)
    table.left.play(91)
    expect(table.left.page.locator(".notice")).to_be_visible()
    assert tuple(table.left.hand) == LEFT


@pytest.mark.long
def test_in_calm_mode_a_mirror_waits_for_the_end_of_the_window(dealt: Server, new_page: NewPage) -> None:
    table = sit_down(dealt, new_page, calm=True, window=None)
    left, dealer = table.left, table.dealer
    assert left.stage == "window"
    dealer.play(4)
    expect(left.page.locator('[data-zone][data-top="40"]')).to_be_visible()
    left.press(left.button("pass"))
    expect(left.page.locator('[data-zone][data-top="4"]')).to_be_visible()
    dealer.press(dealer.button("effect-draw"))
    expect(left.card(DRAWN)).to_be_visible()


@pytest.mark.long
def test_a_game_against_three_bots_to_its_end_and_a_rematch(server: Server, new_page: NewPage) -> None:
    page = new_page(f"{server.address}/ekko", clock=True)
    set_up_by_form(page, "here", *(f"bot {bot}" for bot in BOTS), hints=True, target="12")
    player = EkkoPlayer(page)
    player.until_over()
    expect(page.locator("[data-ending]")).to_contain_text(re.compile("win|tie", re.IGNORECASE))
    assert player.round >= 2
    address = page.url
    page.locator('[data-action="rematch"]').click()
    page.wait_for_url(lambda url: url != address)
    player.until_stage("look")
    assert player.round == 1


@pytest.mark.long
def test_a_rematch_needs_both(dealt: Server, new_page: NewPage) -> None:
    table = sit_down(dealt, new_page, hints=True, target=1)
    players = [table.left, table.dealer]
    while not all(player.is_over for player in players):
        waiting = [player for player in players if player.is_asked]
        for player in waiting[:1]:
            player.decide()
    first, second = players
    first.press(first.button("rematch"))
    expect(first.button("rematch")).to_be_disabled()
    expect(second.page.locator("[data-rematch]")).to_be_visible()
    address = first.page.url
    second.press(second.button("rematch"))
    for player in players:
        player.page.wait_for_url(lambda url: url != address)
        player.until_stage("look")
    assert first.page.url == second.page.url
    assert first.hand != second.hand


@pytest.mark.long
def test_who_resigns_lets_the_other_win(dealt: Server, new_page: NewPage) -> None:
    table = sit_down(dealt, new_page)
    left, dealer = table.left.page, table.dealer.page
    left.get_by_role("button", name="Resign").click()
    expect(left.locator('[data-action="resign"]')).to_be_in_viewport(ratio=1)
    left.locator('[data-action="resign"]').click()
    left.locator('[data-action="resign-sure"]').click()
    expect(dealer.locator("[data-ending]")).to_contain_text("by resignation")
    expect(left.locator("[data-ending] h2")).to_have_text("You lost.")
    expect(dealer.locator("[data-ending] h2")).to_have_text("You won!")
    with dealer.expect_download() as record:
        dealer.locator('[data-ending] [data-action="record"]').click()
    assert "ekko" in Path(record.value.path()).read_text("utf-8")


@pytest.mark.long
def test_the_window_tells_that_somebody_is_awaited(dealt: Server, new_page: NewPage) -> None:
    table = sit_down(dealt, new_page)
    sign = 'link[rel="icon"][href="/icon-turn.svg"]'
    expect(table.left.page).to_have_title(re.compile("^● "))
    expect(table.left.page.locator(sign)).to_have_count(1)
    expect(table.dealer.page).not_to_have_title(re.compile("^● "))
    expect(table.dealer.page.locator(sign)).to_have_count(0)


@pytest.mark.long
def test_a_calm_game_at_one_device(server: Server, new_page: NewPage) -> None:
    page = new_page(f"{server.address}/ekko/new", clock=True)
    for seat in (0, 1):
        page.locator(f'form [data-seat="{seat}"] select').select_option("here")
    calm = page.locator('[data-option="calm"]')
    expect(calm).to_be_checked()
    expect(calm).to_be_disabled()
    expect(page.locator("form")).to_contain_text("share this browser")
    set_up(page, "here", "here", "bot beginner", hints=True)
    player = EkkoPlayer(page)
    player.button("take").wait_for()
    assert player.hand == []  # nobody's hand before somebody says who they are
    while player.round < 2 and player.stage != "over":
        player.decide()
    assert player.button("take").count() or player.page.locator("[data-sheet]").count()


def test_straight_in(server: Server, new_page: NewPage) -> None:
    page = new_page(f"{server.address}/ekko", clock=True)
    page.locator('[data-action="quick"]').click()
    player = EkkoPlayer(page)
    player.until_stage("look")
    assert len(player.hand) == 5  # four players (K1.2)
    page.goto(server.address)
    expect(page.locator("section[aria-labelledby=recent] li a").first).to_be_visible()
    expect(page.locator('nav [data-game="ekko"]')).to_have_attribute("aria-current", "page")
