"""Several ways through the labyrinth to one target: they are shown on the board, the cheapest first."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.manners import violations
from tests.e2e.recorded import play_record
from tests.kit.eko_page import Player, set_up
from tests.kit.examples import one_quick
from tests.kit.page import PHONE, NewPage
from tests.kit.server import Server

START, TARGET = "-2,3", "0,-1"
"""An Emperor's stack has six ways to this attack: through one tempest or another, or through two."""


def aim(page: Page, player: Player) -> Locator:
    """Open the palette of the attack. Returns its variants."""
    set_up(page, "here", "here", variants=["labyrinth"], seed=35)
    play_record(page, "labyrinth")
    assert player.until_asked() == "action"
    player.pick(START)
    player.tap(TARGET)
    return page.locator('.palette [data-action="variant"]')


def prices(page: Page) -> list[int]:
    return [int(text.replace("\u2212", "-")) for text in page.locator(".palette .price").all_inner_texts()]


def numbers(found: Locator) -> list[str]:
    return sorted({text.strip() for text in found.all_text_contents()})


@pytest.mark.parametrize("device", one_quick(PHONE, [{}]), ids=["390", "1280"])
def test_ways_are_drawn_and_the_cheapest_come_first(
    server: Server, new_page: NewPage, device: dict[str, object]
) -> None:
    page = new_page(server.address, visit=False, **device)
    variants = aim(page, Player(page, touch=bool(device)))
    expect(variants).to_have_count(4)
    assert prices(page) == [-1, -1, -1, -1]
    drawn = page.locator(".frame .number text")
    assert numbers(drawn) == numbers(page.locator(".palette .way")) == ["1", "2"]
    assert len(set(variants.all_inner_texts())) == 4  # nothing is offered twice in the same words
    assert violations(page) == []
    variants.nth(0).focus()
    expect(page.locator(".frame .faint .number text")).to_have_text(["2"])


@pytest.mark.long
def test_dearer_ways_are_behind_more(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, visit=False)
    player = Player(page)
    variants = aim(page, player)
    more = page.locator('.palette [data-action="more"]')
    expect(more).to_have_text("2 more expensive routes")
    more.click()
    expect(variants).to_have_count(6)
    assert prices(page) == [-1, -1, -1, -1, -2, -2]
    expect(more).to_have_count(0)
    version = player.version
    variants.nth(5).click()
    player.until_after(version)
    way = rf"^{player.name(START)}>{player.name(TARGET)}(~[a-z]+\d+){{2}}"
    expect(page.locator(".moves [data-n]").last).to_have_attribute("data-notation", re.compile(way))
