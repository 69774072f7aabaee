"""Named layouts in the form of a new game, and the report of their fairness."""

from __future__ import annotations

from playwright.sync_api import expect

from ekoes.games.eko.fairness import named_layouts
from ekoes.records import read_record
from tests.e2e.screens import eko_fairness
from tests.kit.eko_page import MAIN
from tests.kit.page import NewPage
from tests.kit.server import Server


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
