"""Whole games through the page: everything is chosen on the board."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.kit.eko_page import VARIANTS, Player, next_of, set_up, set_up_by_form
from tests.kit.page import NewPage
from tests.kit.server import Server


def turn_number(page: Page) -> int:
    """The number of the turn in the moves list."""
    numbers = [text for text in page.locator(".moves .number").all_inner_texts() if text]
    return int(numbers[-1]) if numbers else 0


def test_a_game_against_greedy_to_its_end(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, preferences={"autoEnd": True})
    set_up_by_form(page, "here", "bot greedy")
    player = Player(page)
    while player.until_asked() != "over":
        player.decide()
    expect(page.locator("[data-ending]")).to_contain_text(re.compile("win|lose", re.IGNORECASE))
    page.keyboard.press("Escape")
    page.locator(".rule[title^=E11]").click()
    expect(page.locator("article.lit")).to_be_visible()
    assert page.locator(".moves [data-n]").count() > 20


def test_two_browsers_by_invitation_and_one_who_watches(server: Server, new_page: NewPage) -> None:
    first = new_page(server.address, reduced_motion="no-preference", visit=False)
    set_up(first, "here", "open")
    second, third = (new_page(first.url, reduced_motion="no-preference") for _ in range(2))
    second.locator('[data-field="name"]').fill("Noor")
    second.locator('[data-action="sit"]').click()
    expect(first.locator(".column")).to_contain_text("Noor")
    for page in (first, second):
        expect(page.locator('[data-action="sit"]')).to_have_count(0)
    while turn_number(third) < 3:
        awaited = next_of(first, second)
        awaited.decide()
        for page in (first, second, third):
            Player(page).until_after(awaited.version - 1)
    expect(third.locator(".column")).to_contain_text("You are watching")
    assert third.locator("[data-mark]").count() == 0
    moves = first.locator(".moves ol").inner_text()
    for page in (second, third):
        expect(page.locator(".moves ol")).to_have_text(moves, use_inner_text=True)
    waiting = next(page for page in (first, second) if Player(page).phase is None)
    waiting.locator("[data-space]").first.click()
    expect(waiting.locator(".notice")).to_contain_text("It is not your turn")


@pytest.mark.long
def test_four_players_at_one_browser_with_all_variants(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, preferences={"autoEnd": True}, visit=False)
    set_up(page, *["here"] * 4, variants=VARIANTS, seed=5)
    player = Player(page)
    while turn_number(page) <= 20 and player.until_asked() != "over":
        player.decide()
    assert turn_number(page) > 20


def test_the_draft_with_the_emperor_on_the_board(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, preferences={"autoEnd": True}, visit=False)
    set_up(page, "here", "bot random", setup="draft")
    player = Player(page)
    player.until_asked()
    page.locator('[data-action="emperor"]').click()
    player.decide()
    player.until_asked()
    expect(page.locator('[data-action="emperor"]')).to_be_disabled()
    while player.until_asked() == "place":
        player.decide()
    assert player.phase == "action"
