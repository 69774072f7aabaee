"""EKKO studied: the analysis board with the value of every card, and the exercises."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Page, expect

from tests.e2e.manners import violations
from tests.kit.page import PHONE, NewPage
from tests.kit.server import Server
from tests.server.test_ekko_analysis import ASKED

BOARD = 'main[data-analysis][aria-busy="false"]'


def at(page: Page, number: int) -> None:
    """Wait until so many decisions are shown."""
    page.locator(f'main[data-analysis="{number}"][aria-busy="false"]').wait_for()


def test_a_position_is_analysed_with_variations_that_a_reload_keeps(
    server: Server, new_page: NewPage
) -> None:
    page = new_page(f"{server.address}/ekko/analysis", **PHONE)
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
    with page.expect_response("**/exercises/reflex") as sent:
        page.locator('[data-action="start"]').click()
    first = sent.value.json()["rounds"][0]
    page.locator("[data-zone]").wait_for()
    page.clock.pause_at(page.evaluate("Date.now() / 1000") + 1)
    shown = page.locator(f'[data-zone][data-top="{first["shown"][-1]}"]')
    for _ in range(200):
        if shown.count():
            break
        page.clock.run_for(100)
    page.clock.run_for(500)
    page.keyboard.type(f"{first['answer']:02d}")
    latest = page.locator("[data-latest]")
    expect(latest).to_have_attribute("data-latest", re.compile(r"^\d+$"))
    assert 450 <= int(latest.get_attribute("data-latest") or 0) <= 600
