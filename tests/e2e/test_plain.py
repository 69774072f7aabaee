"""A game that the page has no board for: it is not offered; its tables can be looked at and played."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.manners import too_wide, violations
from tests.kit.page import PHONE, NewPage
from tests.kit.server import FreshProcess, Server
from tests.third.conftest import install

PLAN = {
    "game": "nim",
    "options": {"players": 2},
    "seats": [{"kind": "here"}, {"kind": "bot", "bot": "random"}],
}
MAKE = """plan => fetch('/api/tables', {
  method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify(plan),
}).then(answer => answer.json()).then(table => table.url)"""


@pytest.fixture
def third_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    install(monkeypatch)
    with Server(tmp_path, process=FreshProcess) as server:
        yield server


def until_asked(page: Page) -> bool:
    """Wait until there is something to choose, or the game is over. Returns whether it goes on."""
    page.wait_for_selector("main:has([data-choice], [data-action=rematch])")
    return page.locator("[data-choice]").count() > 0


@pytest.mark.long
@pytest.mark.parametrize("size", [{}, PHONE], ids=["1280", "390"])
def test_a_game_without_a_board(third_server: Server, new_page: NewPage, size: dict[str, Any]) -> None:
    page = new_page(third_server.address, **size)
    page.locator('[data-door="play"]').first.wait_for()
    assert {link.get_attribute("data-game") for link in page.locator("nav a[data-game]").all()} == {
        "eko",
        "ekko",
    }
    page.goto(third_server.address + page.evaluate(MAKE, PLAN))
    expect(page.locator("main")).to_have_attribute("data-plain", "")
    expect(page.locator("main")).to_contain_text("no board for nim")
    decided = 0
    while until_asked(page):
        if decided == 0:
            assert violations(page) == []
            assert too_wide(page) == []
        version = page.locator("main").get_attribute("data-version")
        page.locator("[data-choice]").last.click()
        page.wait_for_selector(f'main:not([data-version="{version}"])')
        decided += 1
    assert decided > 0
    expect(page.get_by_role("status").first).to_contain_text("Winner")
    assert page.locator("ol li").count() > decided
    page.get_by_role("link", name="Ekoes").click()
    expect(page.locator("section[aria-labelledby=recent]")).to_contain_text("nim")
