"""Clocks on the page: chosen, shown at every seat, and what comes of it when one has run out."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import NewPage
from tests.e2e.manners import PHONE
from tests.e2e.player import MAIN, Player, next_of
from tests.e2e.server import Server
from tests.e2e.test_games import set_up

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("browser")]

DAY = 86_400


def choose(page: Page, clock: str, up: str) -> None:
    page.locator('[data-option="clock"]').select_option(label=clock)
    page.locator(f'.up [data-variant="{up}"]').check()


def two(timed: Server, new_page: NewPage, clock: str, up: str) -> tuple[Page, Page]:
    """Begin a game of two browsers, the second a telephone; the first player has decided."""
    at_once = {"preferences": {"autoEnd": True}}
    first = new_page(timed.address, **at_once)
    choose(first, clock, up)
    set_up(first, "here", "open")
    second = new_page(first.url, **at_once, **PHONE)
    second.locator('[data-action="sit"]').click()
    for page in (first, second):
        expect(page.locator('[data-action="sit"]')).to_have_count(0)
    next_of(first, second).decide()
    return first, second


def clock(page: Page, seat: int) -> str:
    return page.locator(f'[data-clock="{seat}"]').inner_text()


def awaited(first: Page, second: Page) -> tuple[Page, Page]:
    """The page that is to decide, and the other one."""
    first.wait_for_selector(f"{MAIN} [data-running=true]")
    late = next_of(first, second).page
    return (first, second) if late is first else (second, first)


def test_who_has_no_time_left_loses(timed: Server, new_page: NewPage) -> None:
    pages = two(timed, new_page, "5 min + 10 s per turn", "lose")
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
        expect(page.locator(".sentence")).to_contain_text("on time")


def test_a_bot_plays_on_for_who_has_no_time_left(timed: Server, new_page: NewPage) -> None:
    pages = two(timed, new_page, "5 min + 10 s per turn", "bot")
    late, other = awaited(*pages)
    timed.forward(311)
    assert Player(other).until_asked() != "over"
    expect(late.locator("[data-clock]")).to_have_count(1)
    expect(other.locator("[data-running=true]")).to_have_count(1)
    assert Player(late).phase is None


def test_a_turn_is_passed_by_days_while_nobody_is_there(timed: Server, new_page: NewPage) -> None:
    pages = two(timed, new_page, "3 days per turn", "pass")
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


def test_ten_seconds_before_the_end_a_player_is_told(timed: Server, new_page: NewPage) -> None:
    page = new_page(timed.address, clock=True, preferences={"autoEnd": True})
    choose(page, "Other minutes and seconds …", "lose")
    page.locator('[data-clock="minutes"]').fill("0")
    page.locator('[data-clock="seconds"]').fill("25")
    page.locator('[data-clock="seconds"]').press("Tab")
    set_up(page, "here", "bot random")
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
