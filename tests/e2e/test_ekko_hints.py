"""EKKO's hints: one person against bots is told a card and why; nobody is where people play."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.manners import DESK
from tests.kit.app import order_of
from tests.kit.ekko_page import ON_TOP, EkkoPlayer, set_up, sit_down
from tests.kit.page import PHONE, NewPage
from tests.kit.server import ControlledServer, Server

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
    while not player.button("draw").count() or player.button("draw").is_disabled():
        player.decide()
        player.until_asked()
    hint = page.locator('[data-hint="advice"]')
    expect(hint).to_have_count(0)
    player.press(player.button("hint"))
    expect(hint).to_contain_text(re.compile(r"Why: [^.]+\w\."))
    advised = re.fullmatch(r"Play (?:the mirror )?(\d\d)\b.*", hint.locator("b").inner_text())
    assert advised, hint.inner_text()
    assert int(advised[1]) in player.hand
    assert hint.evaluate(ON_TOP)
    box, width = hint.bounding_box(), page.evaluate("innerWidth")
    assert box
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
    refused = table.left.page.evaluate(
        "fetch(location.pathname.replace('/t/', '/api/tables/') + '/advice').then((answer) => answer.json())"
    )
    assert refused["code"] == "table/people"
    for player in (table.left, table.dealer):
        expect(player.page.locator('[data-hint="advice"]')).to_have_count(0)
