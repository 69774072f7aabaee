"""Clocks on the page: chosen, shown at every seat, and what comes of it when one has run out."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.kit.eko_page import DAY, MAIN, Player, awaited, set_up_by_form, two
from tests.kit.page import NewPage, open_form
from tests.kit.server import ControlledServer


def clock(page: Page, seat: int) -> str:
    return page.locator(f'[data-clock="{seat}"]').inner_text()


def test_who_has_no_time_left_loses(timed: ControlledServer, new_page: NewPage) -> None:
    pages = two(timed, new_page, base=300, increment=10, up="lose")
    late, other = awaited(*pages)
    expect(pages[0].locator("[data-plan]")).to_contain_text("Out of time: you lose.")
    for page in pages:
        expect(page.locator("[data-running=true]")).to_have_text(re.compile(r"^5:(10|0\d)$"))
        expect(page.locator("[data-running=false]")).to_have_text(re.compile(r"^5:\d\d$"))
    timed.forward(302)
    late.reload()
    expect(late.locator("[data-running=true]")).to_have_text(re.compile(r"^\d\.\d$"))
    timed.forward(9)
    for page in (late, other):
        expect(page.locator(f'{MAIN}[data-phase="over"]')).to_be_visible()
        expect(page.locator("[data-running=true]")).to_have_count(0)
        expect(page.locator("[data-ending] .sentence")).to_contain_text("on time")


def test_a_bot_plays_on_for_who_has_no_time_left(timed: ControlledServer, new_page: NewPage) -> None:
    pages = two(timed, new_page, base=300, increment=10, up="bot")
    late, other = awaited(*pages)
    timed.forward(311)
    assert Player(other).until_asked() != "over"
    expect(late.locator("[data-clock]")).to_have_count(1)
    expect(other.locator("[data-running=true]")).to_have_count(1)
    assert Player(late).phase is None


@pytest.mark.long
def test_a_turn_is_passed_by_days_while_nobody_is_there(timed: ControlledServer, new_page: NewPage) -> None:
    pages = two(timed, new_page, days=3, up="pass")
    late, other = awaited(*pages)
    address = late.url
    Player(late).decide()
    late, other = other, late
    expect(late.locator("[data-running=true]")).to_have_text(re.compile("^(3d 0h|2d 23h)$"))
    for page in pages:
        page.goto(timed.address)
    timed.forward(2 * DAY)
    other.goto(address)
    expect(other.locator("[data-running=true]")).to_have_text(re.compile(r"^(1d 0h|23:\d\d:\d\d)$"))
    other.goto(timed.address)
    timed.forward(DAY + 60)
    other.goto(address)
    assert Player(other).until_asked() != "over"
    late.goto(address)
    expect(late.locator(MAIN)).to_have_attribute("data-connection", "open")
    assert Player(late).phase is None


@pytest.mark.long
def test_ten_seconds_before_the_end_a_player_is_told(timed: ControlledServer, new_page: NewPage) -> None:
    page = new_page(timed.address, clock=True, preferences={"autoEnd": True})
    open_form(page, "eko")
    page.locator('[data-option="clock"]').select_option(label="Other minutes and seconds …")
    page.locator('.up [data-variant="lose"]').check()
    page.locator('[data-clock="minutes"]').fill("0")
    page.locator('[data-clock="seconds"]').fill("25")
    page.locator('[data-clock="seconds"]').press("Tab")
    set_up_by_form(page, "here", "bot random")
    Player(page).decide()
    Player(page).until_asked()
    called = page.locator("[data-clock-call]")
    expect(called).to_have_text("")
    for _ in range(60):  # by seconds, as they pass: a line that is silent for many at once is opened anew
        page.clock.run_for(1_000)
        if called.inner_text() == "Ten seconds left.":
            break
    expect(called).to_have_text("Ten seconds left.")
    expect(page.locator("[data-running=true]")).to_have_text(re.compile(r"^\d\.\d$"))
