"""EKKO looked at again, step by step, and studied: the value of every card, and the exercises."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

from ekoes.games.ekko.rules.record import mirror_of
from tests.e2e.manners import resize, violations
from tests.kit.app import DEALER, LEFT
from tests.kit.ekko_page import Two, sit_down
from tests.kit.page import PHONE, NewPage, box_of, give_up
from tests.kit.server import Server
from tests.server.test_ekko_analysis import ASKED


def race_and_resign(table: Two) -> None:
    """Let the dealer mirror 40 while a card of the other is on its way, too late; then the other gives up."""
    left, dealer = table.left, table.dealer
    table.connections[left].hold()
    dealer.play(4)
    dealer.press(dealer.button("effect-draw"))
    dealer.button("effect-draw").wait_for(state="detached")
    left.play(37)
    expect(dealer.page.locator("[data-receipt]")).to_contain_text(re.compile(r"\d ms"))
    table.connections[left].release()
    left.page.wait_for_selector('[data-zone][data-top="4"]')
    give_up(left.page)


def watch(page: Page) -> None:
    """Review the game from its beginning."""
    page.locator('[data-action="review"]').click()
    page.locator("[data-replay]").wait_for()
    page.keyboard.press("Home")
    page.wait_for_selector('[data-replay="0"][data-playing="false"]')
    expect(page.locator("[data-open-hand]").first).not_to_contain_text("No cards")


def step(page: Page, way: str, to: int) -> None:
    page.locator(f'[data-history="{way}"]').click()
    page.wait_for_selector(f'[data-replay="{to}"]')


def open_hand(page: Page, holding: int) -> list[int]:
    """The open hand that has a card in it."""
    hand = page.locator("[data-open-hand]").filter(has=page.locator(f'[data-open="{holding}"]'))
    return [
        int(card)
        for card in hand.locator("[data-open]").evaluate_all("all => all.map(one => one.dataset.open)")
    ]


@pytest.mark.long
def test_a_game_that_is_over_is_stepped_through(dealt: Server, new_page: NewPage) -> None:
    table = sit_down(dealt, new_page)
    race_and_resign(table)
    page = table.dealer.page
    watch(page)
    step(page, "next", 1)
    expect(page.locator("[data-zone]")).to_have_attribute("data-top", "40")
    expect(page.get_by_role("status").first).to_contain_text("Round 1: 40 is turned over")
    assert open_hand(page, 37) == list(LEFT)
    assert open_hand(page, 73) == list(DEALER)
    expect(page.locator(".card.mirror")).to_have_attribute("data-open", "4")
    step(page, "next", 2)
    runners = page.locator("[data-race='40'] li")
    expect(runners).to_have_count(2)
    expect(runners.nth(0)).to_contain_text("04")
    expect(runners.nth(1)).to_contain_text(re.compile(r"37.*\d ms later"))
    assert int(runners.nth(1).get_attribute("data-behind") or 0) > 0
    expect(page.locator("[data-race] .quiet")).to_contain_text("slow motion")
    page.locator('[data-review="done"]').wait_for()
    expect(page.locator("[data-total]")).to_have_count(2)
    race = page.locator('[data-fact="review/race"]')
    expect(race).to_contain_text(re.compile(r"\d ms quicker than .*: 04 on 40"))
    step(page, "next", 3)
    race.click()
    page.wait_for_selector('[data-replay="2"]')
    expect(race).to_have_attribute("aria-current", "true")
    page.locator("[data-luck] summary").press(" ")
    expect(page.locator("[data-luck][open]")).to_have_count(1)
    expect(page.locator("[data-replay]")).to_have_attribute("data-playing", "false")
    expect(page.locator("[data-luck] li")).to_have_count(2)
    assert violations(page) == []
    page.locator('[data-action="analyse"]').click()
    page.locator('main[data-analysis][aria-busy="false"]').wait_for()
    expect(page.locator("[data-zone]")).to_have_attribute("data-top", "40")
    assert open_hand(page, 73) == list(DEALER)


@pytest.mark.long
def test_the_replay_goes_by_keys_log_and_slider_and_back_to_the_table(
    dealt: Server, new_page: NewPage
) -> None:
    table = sit_down(dealt, new_page)
    race_and_resign(table)
    page = table.left.page
    page.keyboard.press("Escape")
    page.locator('[data-action="ending"]:focus').click()
    watch(page)
    page.locator("h1").first.evaluate("it => document.activeElement.blur()")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector('[data-replay="1"]')
    page.keyboard.press("End")
    page.wait_for_selector('[data-replay]:not([data-replay="1"])')
    page.keyboard.press("ArrowLeft")
    page.get_by_role("slider").fill("2")
    page.wait_for_selector('[data-replay="2"]')
    page.locator('[data-history="back"]').click()
    expect(page.locator('[data-action="ending"]')).to_be_visible()
    expect(page.locator("[data-replay]")).to_have_count(0)
    page.locator('[data-entry="1"]').click()
    page.wait_for_selector('[data-replay="1"]')
    expect(page.locator("li.at")).to_contain_text("40")
    entry = page.locator('[data-entry][tabindex="0"]')
    expect(entry).to_have_attribute("data-entry", "1")
    entry.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(entry).not_to_have_attribute("data-entry", "1")
    expect(entry).to_be_focused()
    expect(page.locator("[data-replay]")).not_to_have_attribute("data-replay", "1")


@pytest.mark.long
def test_the_replay_plays_by_itself_and_fits_a_telephone(dealt: Server, new_page: NewPage) -> None:
    table = sit_down(dealt, new_page, PHONE)
    race_and_resign(table)
    page = table.dealer.page
    page.locator('[data-action="review"]').tap()
    page.locator('[data-history="play"]').tap()
    last = int(page.get_by_role("slider").get_attribute("max") or 0)
    for n in range(last):
        page.wait_for_selector(f'[data-replay="{n}"]')
        page.clock.fast_forward(5000)
    page.wait_for_selector(f'[data-replay="{last}"][data-playing="false"]')
    for height, width in ((844, 390), (390, 844)):
        resize(page, {"width": width, "height": height})
        size = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
        assert size == [width, height]
        box = box_of(page.locator(".history"))
        assert box["y"] + box["height"] <= height


BOARD = 'main[data-analysis][aria-busy="false"]'


def at(page: Page, number: int) -> None:
    """Wait until so many decisions are shown."""
    page.locator(f'main[data-analysis="{number}"][aria-busy="false"]').wait_for()


@pytest.mark.long
def test_a_position_is_analysed_with_variations_that_a_reload_keeps(
    server: Server, new_page: NewPage
) -> None:
    page = new_page(f"{server.address}/ekko/analysis?new", **PHONE)
    page.locator("textarea").fill(json.dumps(ASKED))
    page.locator('[data-action="paste"]').tap()
    at(page, 0)
    page.locator('[data-engine="done"]').wait_for()
    expect(page.locator("[data-choice]")).to_have_count(4)
    expect(page.locator("button.best")).not_to_have_count(0)
    expect(page.locator("[data-value]").first).to_contain_text(re.compile(r"[+−]?\d\.\d ±\d\.\d"))
    expect(page.locator("[data-chance]")).to_have_count(6)
    page.locator('[data-choice="pass"]').tap()
    at(page, 1)
    page.keyboard.press("ArrowLeft")
    at(page, 0)
    page.locator('[data-choice="76/+"]').tap()
    at(page, 1)
    expect(page.locator('[data-depth="1"]')).to_be_attached()
    page.keyboard.press("l")
    expect(page.locator('[data-engine="off"]')).to_be_visible()
    expect(page.locator("[data-value]")).to_have_count(0)
    page.keyboard.press("!")
    page.wait_for_url(re.compile(r"record=.*&at=2"))
    page.reload()
    at(page, 1)
    expect(page.locator('[data-notation="76/+"]')).to_have_attribute("aria-current", "step")
    expect(page.locator('[data-sign="!"]')).to_have_attribute("aria-pressed", "true")
    page.locator('[data-action="export"]').tap()
    expect(page.locator('[data-action="save-record"]')).to_be_visible()
    expect(page.locator('[data-action="save-gif"]')).to_have_count(0)
    assert violations(page) == []


def test_an_exercise_values_the_cards_after_the_choice(server: Server, new_page: NewPage) -> None:
    page = new_page(f"{server.address}/ekko/train")
    page.locator('[data-exercise="cards"]').click()
    page.locator('[data-number="1"] [data-choice]').first.wait_for()
    expect(page.locator("[data-value]")).to_have_count(0)
    page.locator("[data-choice]").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-verdict]")).to_be_visible()
    expect(page.locator("[data-value]").first).not_to_be_empty()
    expect(page.locator("button.best")).to_have_count(1)
    page.keyboard.press("n")
    page.locator('[data-number="2"] [data-choice]').first.wait_for()
    page.reload()
    page.locator('[data-number="2"] [data-choice]').first.wait_for()


def test_a_mirror_is_played_in_time(server: Server, new_page: NewPage) -> None:
    page = new_page(f"{server.address}/ekko/train?exercise=mirrors", clock=True)
    page.locator('[data-action="start"]').click()
    page.locator("[data-zone]").wait_for()
    page.clock.pause_at(page.evaluate("Date.now() / 1000") + 1)
    hand = {
        int(card) for card in page.locator("[data-card]").evaluate_all("of => of.map(e => e.dataset.card)")
    }
    for _ in range(200):
        mirror = mirror_of(int(page.locator("[data-zone]").get_attribute("data-top") or 0))
        if mirror in hand:
            break
        page.clock.run_for(100)
    page.clock.run_for(500)
    page.keyboard.type(f"{mirror:02d}")
    latest = page.locator("[data-latest]")
    expect(latest).to_have_attribute("data-latest", re.compile(r"^\d+$"))
    assert 450 <= int(latest.get_attribute("data-latest") or 0) <= 600
