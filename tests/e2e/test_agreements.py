"""What the people at a table agree on, on the page: a bot for who is absent, a turn taken back, a pause."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.kit import ekko_page as ekko
from tests.kit.ekko_page import EkkoPlayer
from tests.kit.eko_page import MAIN, Player, awaited, next_of, set_up, two
from tests.kit.page import PHONE, NewPage, box_of, open_leaf
from tests.kit.server import ControlledServer

AT_ONCE = {"preferences": {"autoEnd": True}}


def at_table(timed: ControlledServer, new_page: NewPage, players: int) -> list[Page]:
    """Begin a game of so many browsers, the second one a telephone."""
    first = new_page(timed.address, **AT_ONCE, visit=False)
    set_up(first, "here", *["open"] * (players - 1))
    pages = [first]
    for seat in range(1, players):
        page = new_page(first.url, **AT_ONCE, **(PHONE if seat == 1 else {}))
        page.locator('[data-action="sit"]').first.click()
        pages.append(page)
    for page in pages:
        expect(page.locator('[data-action="sit"]')).to_have_count(0)
    return pages


def bar(page: Page, kind: str) -> Locator:
    return page.locator(f'[data-agreement="{kind}"]')


def press(page: Page, action: str) -> None:
    page.locator(f'[data-action="{action}"]').click()


def ask(page: Page, what: str) -> None:
    """Ask the others for something."""
    press(page, "give-up")
    press(page, f"ask-{what}")


@pytest.mark.long
def test_others_choose_a_bot_and_who_was_away_comes_back(timed: ControlledServer, new_page: NewPage) -> None:
    ada, bo, eve = at_table(timed, new_page, 3)
    back, context = eve.url, eve.context
    open_leaf(eve, "game")
    eve.get_by_label("Name", exact=True).fill("Eve")
    eve.get_by_label("Name", exact=True).press("Enter")
    expect(ada.locator("main")).to_contain_text("Eve")
    eve.close()
    expect(ada.get_by_title("offline")).to_have_count(1)
    expect(bo.locator(".strip").get_by_title("offline")).to_be_visible()
    timed.forward(181)
    for page in (ada, bo):
        expect(bar(page, "missed")).to_contain_text("has been absent for a while")
    press(ada, "bot-absent")
    expect(bar(ada, "proposal")).to_contain_text("Still to answer")
    press(bo, "agree")
    for page in (ada, bo):
        expect(bar(page, "proposal")).to_have_count(0)
        expect(bar(page, "missed")).to_have_count(0)
        expect(page.locator('[data-who="bot"]', has_text="bot plays")).to_have_count(1)
    again = context.new_page()
    again.goto(back)
    expect(bar(again, "substituted")).to_contain_text("A bot is playing for you.")
    press(again, "seat-back")
    expect(bar(again, "substituted")).to_have_count(0)
    next_of(ada, bo, again).decide()


def test_a_turn_is_taken_back_when_the_other_agrees_and_the_game_rests(
    timed: ControlledServer, new_page: NewPage
) -> None:
    pages = at_table(timed, new_page, 2)
    player = next_of(*pages)
    mine = player.page
    other = pages[1] if mine is pages[0] else pages[0]
    player.decide()
    expect(other.locator(f"{MAIN}[data-phase]")).to_be_visible()
    press(mine, "take-back")
    expect(bar(other, "proposal")).to_contain_text("asks to take back the last turn")
    expect(bar(other, "proposal")).to_contain_text(re.compile(r"Would be taken back: \S"))
    press(other, "refuse")
    expect(bar(mine, "proposal")).to_have_count(0)
    expect(mine.locator(f"{MAIN}:not([data-phase])")).to_be_visible()
    press(mine, "take-back")
    press(other, "agree")
    expect(mine.locator(f"{MAIN}[data-phase]")).to_be_visible()
    board = pages[1].locator(".board")
    before = box_of(board)
    press(pages[0], "give-up")
    press(pages[0], "draw")
    expect(bar(pages[1], "draw")).to_be_visible()
    assert box_of(board) == before  # an offer takes its room from what is asked
    press(pages[1], "decline")
    ask(other, "pause")
    press(mine, "agree")
    for page in pages:
        expect(bar(page, "pause")).to_contain_text("The game is paused.")
        expect(page.locator(".sentence")).to_contain_text("The game is paused.")
    press(mine, "go-on")
    timed.forward(3)
    for page in pages:
        expect(bar(page, "pause")).to_have_count(0)
    player.decide()


@pytest.mark.long
def test_a_game_with_minutes_goes_on_by_correspondence_when_both_agree(
    timed: ControlledServer, new_page: NewPage
) -> None:
    pages = two(timed, new_page, base=300, increment=10, up="lose")
    late, other = awaited(*pages)
    press(other, "give-up")
    other.locator('[data-option="adjourn-days"]').select_option("3")
    press(other, "ask-adjourn")
    expect(bar(late, "proposal")).to_contain_text("continue by correspondence, 3 days per turn")
    press(late, "agree")
    for page in pages:
        expect(page.locator("[data-running=true]")).to_have_text(re.compile("^(3d 0h|2d 23h)$"))
    timed.forward(3600)  # more than anybody had before
    Player(late).decide()
    assert Player(other).until_asked() != "over"


@pytest.mark.long
def test_a_bot_plays_for_who_leaves_every_turn_to_the_clock_until_they_are_back(
    timed: ControlledServer, new_page: NewPage
) -> None:
    pages = [
        new_page(f"{timed.address}/ekko", clock=True, **(PHONE if seat == 1 else {})) for seat in range(3)
    ]
    ekko.set_up(pages[0], "here", "open", "open", hints=True)
    for page in pages[1:]:
        page.goto(pages[0].url)
        page.locator('[data-action="sit"]').first.click()
    ada, bo, eve = (EkkoPlayer(page) for page in pages)
    for player in (ada, bo, eve):
        player.until_stage("look")
        player.press(player.button("ready"))
    while not bar(ada.page, "missed").count():
        asked = next((player for player in (ada, bo) if player.is_asked), None)
        if asked is not None:
            asked.decide()
        elif eve.is_asked:
            timed.forward(31)
        ada.page.wait_for_timeout(50)
    for player in (ada, bo):
        expect(bar(player.page, "missed")).to_contain_text("keeps running out of time")
    press(ada.page, "bot-absent")
    press(bo.page, "agree")
    for player in (ada, bo):
        expect(bar(player.page, "missed")).to_have_count(0)
    expect(bar(eve.page, "substituted")).to_contain_text("A bot is playing for you.")
    press(eve.page, "seat-back")
    expect(bar(eve.page, "substituted")).to_have_count(0)
