"""EKKO's page where room is short: long names, many rounds, eight players on a telephone laid down."""

from __future__ import annotations

from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.kit.ekko_page import ON_TOP, EkkoPlayer, set_up, sit_down
from tests.kit.page import PHONE, NewPage, box_of, give_up, open_leaf
from tests.kit.server import Server

LAID_DOWN = PHONE | {"viewport": {"width": 844, "height": 390}}
LONG = "W" * 40
OVERFLOWING = """selector => [...document.querySelectorAll(selector)]
  .filter(it => it.scrollWidth > it.clientWidth + 1 && getComputedStyle(it).overflowX === 'visible')
  .map(it => it.outerHTML.slice(0, 120))"""
"""The elements whose words hang out of them."""


def overflowing(page: Page, selector: str) -> list[str]:
    return page.evaluate(OVERFLOWING, selector)  # type: ignore[no-any-return]


@pytest.mark.long
@pytest.mark.parametrize("device", [{}, PHONE, LAID_DOWN])
def test_long_names_stay_within_labels_log_and_receipt(
    dealt: Server, new_page: NewPage, device: dict[str, object]
) -> None:
    table = sit_down(dealt, new_page, device)
    left, dealer = table.left, table.dealer
    for player in (left, dealer):
        open_leaf(player.page, "game")
        name = player.page.get_by_label("Name", exact=True).first
        name.fill(LONG)
        name.press("Tab")
        player.page.keyboard.press("Escape")
    expect(dealer.page.locator(".seat .name").first).to_have_text(LONG)
    expect(dealer.page.locator(".seat .name").last).to_have_text(LONG)
    table.connections[left].hold()
    dealer.play(4)
    dealer.press(dealer.button("effect-draw"))
    left.play(37)
    page = dealer.page
    expect(page.locator("[data-receipt]")).to_be_visible()
    width = page.evaluate("innerWidth")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert overflowing(page, ".ask, .ask p, .plate > .row, .log li, .log li span, .returned span, .who") == []
    for plate in page.locator(".plate, .ribbon").all():
        box = box_of(plate)
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
    card, ribbon = (box_of(page.locator(one)) for one in ("[data-zone]", ".ribbon"))
    assert ribbon["y"] >= card["y"] + card["height"]  # the mirror number stays in sight


@pytest.mark.long
def test_eight_players_on_a_telephone_laid_down(server: Server, new_page: NewPage) -> None:
    page = new_page(f"{server.address}/ekko", clock=True, **LAID_DOWN, visit=False)
    set_up(page, "here", *["bot beginner"] * 7, hints=True, turn_clock=None)
    player = EkkoPlayer(page, touch=True)
    for _ in range(3):
        player.decide()
        player.until_asked()
        boxes = [box_of(plate) for plate in page.locator(".plate").all()]
        assert len(boxes) == 8
        for one, other in pairwise(boxes):
            assert one["x"] + one["width"] <= other["x"]
        assert boxes[-1]["x"] + boxes[-1]["width"] <= 844
        for part in (".score", ".count", ".dealer"):
            for shown in page.locator(part).all():
                assert shown.evaluate("it => it.scrollWidth <= it.closest('.plate').clientWidth")


def test_a_telephone_shows_the_level_of_every_bot(server: Server, new_page: NewPage) -> None:
    page = new_page(f"{server.address}/ekko", clock=True, **PHONE, visit=False)
    set_up(page, "here", *["bot beginner"] * 3, turn_clock=None)
    EkkoPlayer(page).until_stage("look")
    levels = page.locator('.felt [data-who="bot"] > .ellipsis')
    assert [level.is_visible() for level in levels.all()] == [True] * 3
    assert levels.evaluate_all("all => all.every(it => it.scrollWidth <= it.clientWidth)")


@pytest.mark.long
def test_rounds_go_on_with_one_click_and_the_end_sheet_holds_them_all(
    server: Server, new_page: NewPage
) -> None:
    page = new_page(f"{server.address}/ekko", clock=True, **PHONE, visit=False)
    set_up(page, "here", "bot beginner", hints=True, target=500, turn_clock=None)
    player = EkkoPlayer(page, touch=True)
    for _ in range(6):
        while not page.locator("[data-sheet]").count():
            player.decide()
            player.until_asked()
        assert all(
            page.locator("button[data-card]").nth(at).evaluate(ON_TOP) for at in range(len(player.hand))
        )
        assert player.button("ready").evaluate(ON_TOP)
        assert page.locator(".sheet").evaluate("it => it.scrollWidth <= it.clientWidth")
        player.press(player.button("ready"))
        expect(page.locator("[data-sheet]")).to_have_count(0)
        player.until_asked()
    page.locator(".menu button").first.tap()
    expect(page.locator("[data-earlier]")).to_be_visible()  # six rounds do not fit beside each other
    assert page.locator(".sheet").evaluate("it => it.scrollWidth <= it.clientWidth")
    names = page.get_by_role("navigation").evaluate_all("all => all.map(one => one.ariaLabel)")
    assert len(names) == len(set(names)) == 2
    page.keyboard.press("Escape")
    give_up(page)
    check_end_sheet(page.locator("[data-ending]"), rounds=6)


def check_end_sheet(sheet: Locator, rounds: int) -> None:
    """Every round is on the sheet, none is clipped, they add up, and so does the graph."""
    expect(sheet).to_have_attribute("data-verdict", "lost")
    expect(sheet.locator("figure svg[role=img]")).to_be_visible()
    assert sheet.locator(".sheet").evaluate("it => it.scrollWidth <= it.clientWidth")
    earlier = int(sheet.locator("[data-earlier]").get_attribute("data-earlier") or 0)
    assert earlier + sheet.locator("thead .number:not([data-earlier])").count() - 1 == rounds
    totals = []
    for row in sheet.locator("tbody tr").all():
        *points, total = row.locator("td").all_inner_texts()
        totals.append(total)
        assert sum(int(text.replace("–", "0")) for text in points) == int(total)
        assert all(
            cell.evaluate("it => it.scrollWidth <= it.clientWidth") for cell in row.locator("td").all()
        )
    assert sorted(sheet.locator("figcaption b").all_inner_texts()) == sorted(totals)
