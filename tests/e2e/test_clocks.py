"""Clocks on the page, and games by correspondence: conditional moves are decided over days."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.kit.eko_page import DAY, MAIN, Player, awaited, next_of, set_up, set_up_by_form, two
from tests.kit.page import PHONE, NewPage, account_of, box_of, open_form
from tests.kit.server import ControlledServer


def clock(page: Page, seat: int) -> str:
    return page.locator(f'[data-clock="{seat}"]').inner_text()


@pytest.mark.long
def test_who_has_no_time_left_loses(timed: ControlledServer, new_page: NewPage) -> None:
    pages = two(timed, new_page, base=300, increment=10, up="lose")
    late, other = awaited(*pages)
    expect(pages[0].locator("[data-plan]")).to_contain_text("Whoever runs out of time loses.")
    for page in pages:
        expect(page.locator("[data-running=true]")).to_have_text(re.compile(r"^(5:00|4:5\d)$"))
        expect(page.locator("[data-running=false]")).to_have_text(re.compile(r"^5:[01]\d$"))
    timed.forward(292)
    late.reload()
    expect(late.locator("[data-running=true]")).to_have_text(re.compile(r"^\d\.\d$"))
    timed.forward(9)
    for page in (late, other):
        expect(page.locator(f'{MAIN}[data-phase="over"]')).to_be_visible()
        expect(page.locator("[data-running=true]")).to_have_count(0)
        expect(page.locator("[data-ending] .sentence")).to_contain_text("on time")


@pytest.mark.long
def test_a_clock_that_gets_shorter_moves_no_board(timed: ControlledServer, new_page: NewPage) -> None:
    phone = new_page(timed.address, **PHONE)
    account_of(phone, timed.address, "Ada")
    set_up(phone, "here", "bot beginner", clock={"base": 600, "increment": 5, "up": "lose"})
    strip = phone.locator(".strip")
    expect(strip.locator("[data-clock]")).to_have_text("10:00")
    before = box_of(strip)
    Player(phone).decide()
    expect(strip.locator("[data-clock]")).to_have_text(re.compile(r"^9:5\d$"))
    assert box_of(strip) == before


@pytest.mark.long
def test_a_bot_plays_on_for_who_has_no_time_left(timed: ControlledServer, new_page: NewPage) -> None:
    pages = two(timed, new_page, base=300, increment=10, up="bot")
    late, other = awaited(*pages)
    timed.forward(301)
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
    page.locator('[data-option="clock"]').select_option(label="Other minutes and seconds…")
    page.locator('.up [data-variant="lose"]').check()
    page.locator('[data-clock="minutes"]').fill("0")
    page.locator('[data-clock="seconds"]').fill("25")
    page.locator('[data-clock="seconds"]').press("Tab")
    set_up_by_form(page, "here", "bot random")
    Player(page).decide()
    Player(page).until_asked()
    called = page.locator("[data-news] p").last
    expect(called).not_to_have_text("Ten seconds left.")
    for _ in range(60):  # by seconds, as they pass: a line that is silent for many at once is opened anew
        page.clock.run_for(1_000)
        if called.inner_text() == "Ten seconds left.":
            break
    expect(called).to_have_text("Ten seconds left.")
    expect(page.locator("[data-running=true]")).to_have_text(re.compile(r"^\d\.\d$"))


def seat(page: Page) -> str | None:
    return page.locator(MAIN).get_attribute("data-seat")


def play_turn(page: Page) -> None:
    """Decide for the seat that is asked until another one is, or nobody here."""
    player = Player(page)
    player.until_asked()
    mine = seat(page)
    while seat(page) == mine:
        player.decide()


def moves(page: Page) -> list[str]:
    return list(page.eval_on_selector_all("[data-notation]", "all => all.map(one => one.dataset.notation)"))


@pytest.mark.long
def test_conditional_moves_are_played_at_once_and_suspended_where_it_comes_otherwise(
    timed: ControlledServer, new_page: NewPage
) -> None:
    pages = two(timed, new_page, days=3, up="lose")
    next_of(*pages).decide()
    theirs, mine = awaited(*pages)
    address = mine.url
    # what I prepare: their turn, and mine
    mine.locator('[data-action="conditional-moves"]').click()
    play_turn(mine)
    expect(mine.locator('[data-action="save-variation"]')).to_be_disabled()
    play_turn(mine)
    mine.locator('[data-action="save-variation"]').click()
    expect(mine.locator("[data-variation]")).to_have_count(1)
    mine.locator('[data-action="leave-conditional-moves"]').click()
    expect(mine.locator('[data-action="conditional-moves"]')).to_have_attribute("data-variations", "1")
    mine.goto(timed.address)
    # days later they play just so, and are to decide again: my turn is over
    timed.forward(2 * DAY)
    theirs.reload()
    Player(theirs).until_asked()
    before = seat(theirs)
    play_turn_once(theirs)
    assert (Player(theirs).until_asked(), seat(theirs)) == ("action", before)
    mine.goto(address)
    expect(mine.locator(f"{MAIN} [data-running=true]")).to_have_text(re.compile("^(3d 0h|2d 23h)$"))
    expect(mine.locator('[data-action="conditional-moves"]')).to_have_attribute("data-variations", "0")
    # what comes otherwise is told, and nothing is decided for me
    mine.locator('[data-action="conditional-moves"]').click()
    play_turn(mine)
    play_turn(mine)
    mine.locator('[data-action="save-variation"]').click()
    expect(mine.locator("[data-variation]")).to_have_count(1)
    player = Player(theirs)
    player.pick_for("regroup", "move")
    player.tap((player.marks("regroup") or player.marks("move"))[0])
    player.first_variant()
    while Player(theirs).phase is not None:
        player.decide()
    expect(mine.locator("[data-stale]")).to_be_visible()
    mine.locator('[data-action="leave-conditional-moves"]').click()
    expect(mine.locator('[data-suspended="other"]')).to_be_visible()
    play_turn(mine)
    expect(mine.locator("[data-suspended]")).to_have_count(0)


def play_turn_once(page: Page) -> None:
    """Decide until the turn is over: its number stands in the list of moves."""
    player, count = Player(page), len(moves(page))
    player.until_asked()
    number = page.locator(".moves .number").last.inner_text()
    while page.locator(".moves .number").last.inner_text() == number or len(moves(page)) < count + 2:
        player.decide()


@pytest.mark.long
def test_on_vacation_no_clock_runs_and_everybody_sees_it(timed: ControlledServer, new_page: NewPage) -> None:
    at_once = {"preferences": {"autoEnd": True}}
    ada = new_page(timed.address, **at_once)
    account_of(ada, timed.address, "Ada")
    set_up(ada, "here", "open", clock={"days": 3, "up": "lose"})
    bo = new_page(ada.url, **at_once, **PHONE)
    bo.locator('[data-action="sit"]').click()
    for page in (ada, bo):
        expect(page.locator('[data-action="sit"]')).to_have_count(0)
    table = ada.url
    for _ in range(2):
        next_of(ada, bo).decide()
    asked, _ = awaited(ada, bo)
    if asked is bo:
        play_turn(bo)
    Player(ada).until_asked()
    ada.goto(f"{timed.address}/account")
    expect(ada.locator("[data-vacation]")).to_have_attribute("data-left", "30")
    ada.locator('[data-action="begin-vacation"]').click()
    expect(ada.locator('[data-vacation="true"]')).to_have_attribute("data-left", "29")
    expect(bo.locator("[data-vacation]")).to_have_text("on vacation")
    timed.forward(9 * DAY)
    bo.reload()
    expect(bo.locator("[data-vacation]")).to_be_visible()
    expect(bo.locator("[data-running=true]")).to_have_count(0)
    ada.reload()
    expect(ada.locator("[data-vacation]")).to_have_attribute("data-left", "20")
    ada.locator('[data-action="come-back"]').click()
    expect(ada.locator('[data-vacation="false"]')).to_be_visible()
    expect(bo.locator("[data-vacation]")).to_have_count(0)
    expect(bo.locator("[data-running=true]")).to_have_text(re.compile("^(3d 0h|2d 23h)$"))
    # what is due stands in the lobby, with the time that is left
    ada.goto(f"{timed.address}/lobby")
    expect(ada.locator("[data-due]")).to_be_visible()
    expect(ada).to_have_title(re.compile(r"Lobby \(1\)"))
    ada.goto(table)
    play_turn(ada)
    expect(bo.locator(f"{MAIN}[data-phase=action]")).to_be_visible()
