"""EKKO's calm mode, and its hints: a card and why for one person against bots, none where people play."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.manners import DESK, violations
from tests.kit.app import order_of
from tests.kit.ekko_page import ON_TOP, EkkoPlayer, set_up, sit_down
from tests.kit.page import PHONE, NewPage, box_of
from tests.kit.server import ControlledServer, Server

PASSED = 3000
"""Milliseconds within which whoever looks away has passed."""


@pytest.mark.long
def test_who_looks_away_passes_whatever_the_hand(dealt: Server, new_page: NewPage) -> None:
    table = sit_down(dealt, new_page, calm=True, window=None, turn_clock=None)
    left, dealer = table.left, table.dealer
    for player in (left, dealer):  # the dealer holds 04, the mirror of 40
        player.press(player.button("auto-pass"))
        expect(player.page.locator(".sentence")).to_have_text("You pass automatically")
        expect(player.page).not_to_have_title("●")
    assert (left.stage, dealer.stage) == ("window", "window")
    for player in (left, dealer):
        player.page.clock.fast_forward(PASSED)
    left.until_stage("race")
    assert left.top == 40
    left.play(37)
    for player in (left, dealer):
        player.until_stage("window")
        player.page.clock.fast_forward(PASSED)
    dealer.until_stage("race")
    assert set(dealer.hand) == {4, 5, 73, 81, 83, 85}
    dealer.play(81)
    dealer.until_stage("window")
    dealer.press(dealer.button("look-up"))
    expect(dealer.button("pass")).to_be_enabled()
    left.page.clock.fast_forward(PASSED)
    expect(dealer.page.locator(".seat .done")).to_have_count(1)
    assert dealer.stage == "window"
    dealer.page.keyboard.press("u")
    expect(dealer.button("look-up")).to_be_visible()
    dealer.page.clock.fast_forward(PASSED)
    left.until_stage("race")


@pytest.mark.long
def test_looking_at_one_device_tells_nothing(dealt: Server, new_page: NewPage) -> None:
    page = new_page(f"{dealt.address}/ekko", clock=True, visit=False)
    set_up(page, "here", "here", hints=True)
    player = EkkoPlayer(page)
    for _ in range(2):
        player.button("take").click()
        player.button("ready").click()
    looks = player.button("look")
    expect(looks).to_have_count(2)
    assert player.hand == []
    assert violations(page) == []
    looks.first.click()
    expect(page.get_by_role("group", name="Your hand").locator("button")).to_have_count(6)
    player.button("cover").click()  # has looked, and has not said anything
    expect(looks).to_have_count(2)
    looks.first.click()
    player.button("pass").click()
    expect(looks).to_have_count(1)
    player.button("pass-for-all").click()
    player.until_stage("race")
    player.button("take").click()
    player.play(player.playable[0])
    player.until_stage("window")
    player.button("go-round").click()
    for _ in range(2):
        player.button("take").click()
        player.button("pass").click()
    player.until_stage("race")


@pytest.mark.long
def test_a_second_seat_is_offered_in_calm_mode_alone(server: Server, new_page: NewPage) -> None:
    for calm in (False, True):
        page = new_page(f"{server.address}/ekko", clock=True, visit=False)
        set_up(page, "here", "open", calm=calm)
        expect(page.get_by_role("heading", name="Free seats")).to_be_visible()
        expect(page.locator('[data-action="sit"]')).to_have_count(int(calm))
        if calm:
            page.locator('[data-action="sit"]').click()
            EkkoPlayer(page).until_stage("look")


HIGH_AND_LOW = ((3, 5, 41, 58, 92, 96), (7, 9, 43, 56, 94, 98))
"""Whatever lies on top, something fits; nobody holds the mirror of the card that is turned over."""
TURNED = 40
SIZES = pytest.mark.parametrize(
    "size",
    [pytest.param({"viewport": DESK}, id="desk", marks=pytest.mark.long), pytest.param(PHONE, id="phone")],
)


@pytest.fixture(scope="module")
def evenly_dealt(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server at which two players of EKKO always have a card that fits."""
    folder, deal = tmp_path_factory.mktemp("even"), order_of(*HIGH_AND_LOW, TURNED)
    with ControlledServer(folder, deals=[deal]) as server:
        yield server


@SIZES
def test_hint_names_a_card_of_the_own_hand_and_why(
    evenly_dealt: Server, new_page: NewPage, size: dict[str, Any]
) -> None:
    page = new_page(f"{evenly_dealt.address}/ekko", clock=True, **size, visit=False)
    set_up(page, "here", "bot beginner", turn_clock=None)
    player = EkkoPlayer(page, touch="has_touch" in size)
    player.until_turn()
    hint = page.locator('[data-hint="advice"]')
    expect(hint).to_have_count(0)
    player.press(player.button("hint"))
    expect(hint).to_contain_text(re.compile(r"Why: [^.]+\w\."))
    advised = re.fullmatch(r"Play (?:the mirror )?(\d\d)\b.*", hint.locator("b").inner_text())
    assert advised, hint.inner_text()
    assert int(advised[1]) in player.hand
    assert hint.evaluate(ON_TOP)
    box, width = box_of(hint), page.evaluate("innerWidth")
    assert 0 <= box["x"] < box["x"] + box["width"] <= width
    version = player.version
    player.play(int(advised[1]))
    player.until_after(version)
    expect(hint).to_have_count(0)


@SIZES
def test_nobody_is_helped_where_people_play(dealt: Server, new_page: NewPage, size: dict[str, Any]) -> None:
    table = sit_down(dealt, new_page, size)
    for player in (table.left, table.dealer):
        expect(player.page.locator(".sentence")).to_be_visible()
        expect(player.button("hint")).to_have_count(0)
        player.page.keyboard.press("h")
    for player in (table.left, table.dealer):
        expect(player.page.locator('[data-hint="advice"]')).to_have_count(0)
