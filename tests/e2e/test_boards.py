"""Boards of Ekö: named layouts and how fair they are, and the board editor."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from ekoes.games.eko.fairness import named_layouts
from ekoes.records import read_record
from tests.e2e.screens import eko_fairness
from tests.kit.eko_page import MAIN
from tests.kit.page import NewPage, box_of
from tests.kit.server import Server


@pytest.mark.long
def test_game_is_played_on_a_named_layout_whose_fairness_can_be_judged(
    server: Server, new_page: NewPage
) -> None:
    page = new_page(f"{server.address}/eko/new")
    eko_fairness(page)
    expect(page.locator("[data-verdict]")).to_have_attribute("data-verdict", "fair")
    page.locator('[data-action="judge"]').click()
    expect(page.locator('[data-action="stop"]')).to_be_visible()
    page.locator('[data-action="stop"]').click()
    expect(page.locator('[data-action="judge"]')).to_be_visible()
    page.locator('[data-action="start"]').click()
    page.wait_for_selector(f"{MAIN} [data-space]")
    record = page.request.get(f"{server.address}/api/tables/{page.url.rsplit('/', 1)[1]}/record").text()
    (well,) = (layout for layout in named_layouts() if layout.name == "well")
    assert read_record(record).start.to_json()["tiles"] == well.tiles


def drag(page: Page, start: Locator, x: float, y: float) -> None:
    """Drag something to a point of the canvas, given as a share of its width and height."""
    box, frame = box_of(start), box_of(page.locator(".board"))
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(frame["x"] + frame["width"] * x, frame["y"] + frame["height"] * y, steps=4)
    page.mouse.up()


def test_a_board_and_a_position_by_hand_are_explained_analysed_and_played(
    server: Server, new_page: NewPage
) -> None:
    page = new_page(f"{server.address}/eko/editor")
    editor = page.locator("main[data-editor]")
    drag(page, page.locator('[data-take="T"]'), 0.03, 0.05)
    expect(page.locator('[data-fault="apart"]')).to_be_visible()
    expect(page.locator('[data-name="T"]')).to_have_class(re.compile("faulty"))
    page.locator('[data-fault="apart"] button').click()
    expect(page.locator("#rule-E2\\.8")).to_be_visible()
    page.keyboard.press("Escape")
    page.locator('[data-name="T"]').focus()
    page.keyboard.press("Delete")
    expect(editor).to_have_attribute("data-tiles", "7")
    page.locator('[data-take="T"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator('[data-name="T"]')).to_be_focused()
    expect(editor).to_have_attribute("data-faults", "0")
    drag(page, page.locator('[data-name="T"]'), 0.5, 0.5)
    expect(page.locator('[data-fault="overlap"]')).to_be_visible()
    page.keyboard.press("Control+z")
    expect(editor).to_have_attribute("data-faults", "0")

    page.locator('[data-mode="position"]').click()
    spaces = page.locator('[data-space][data-terrain="sand"]')
    page.locator('[data-tool="emperor"]').click()
    spaces.nth(0).click()
    expect(page.locator("[data-fault]")).to_be_visible()
    page.locator('[data-action="player-1"]').click()
    spaces.nth(9).focus()
    page.keyboard.press("3")
    before = page.url
    page.locator('[data-emperor="1"]').select_option("0")
    expect(page.locator('[data-player="1"] [data-discs="3"]')).to_be_visible()
    expect(editor).to_have_attribute("data-faults", "0")
    page.wait_for_url(lambda url: url != before)
    page.reload()
    expect(editor).to_have_attribute("data-editor", "position")
    expect(page.locator('[data-player="1"] [data-discs="3"]')).to_be_visible()
    page.locator('[data-action="analyse"]').click()
    expect(page.locator('main[data-analysis="0"] [data-mark="pick"]')).to_have_count(1)
    page.wait_for_load_state("networkidle")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/api/" in request.url else None)
    page.locator('[data-mark="pick"]').click()
    page.locator('[data-mark="move"]').first.click()
    expect(page.locator('main[data-analysis="1"]')).to_be_visible()
    page.locator("[data-chance]").first.wait_for()
    assert asked == []  # nobody's analysis costs the server anything

    page.go_back()
    page.locator('[data-action="new-game"]').click()
    expect(page.locator("[data-own]")).to_be_visible()
    page.locator('[data-action="start"]').click()
    expect(page.locator('main[data-phase] [data-terrain="wind"]')).to_have_count(1)
