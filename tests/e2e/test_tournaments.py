"""A tournament on the page: made by one, joined by another, played by giving up, to its standings."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.manners import violations
from tests.kit.eko_page import MAIN
from tests.kit.page import PHONE, NewPage, give_up, sign_up
from tests.kit.server import Server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of this file's own: its list of tournaments is known."""
    with Server(tmp_path_factory.mktemp("tournaments")) as server:
        yield server


def points(page: Page, entrant: int) -> str:
    return page.locator(f'[data-entrant="{entrant}"] [data-points]').inner_text()


def test_a_tournament_from_its_making_to_its_standings(server: Server, new_page: NewPage) -> None:
    """Everybody against everybody, at a table and on a telephone; an onlooker sees it in the lobby."""
    ada, bo = new_page(server.address), new_page(server.address, **PHONE)
    for page, name in ((ada, "Ada"), (bo, "Bo")):
        sign_up(page, server.address, name)
    eve = new_page(f"{server.address}/lobby")
    ada.goto(f"{server.address}/lobby")
    ada.locator('[data-action="tournaments"]').click()
    ada.locator('[data-open="new-tournament"]').click()
    ada.locator('[data-field="tournament-name"]').fill("Spring cup")
    ada.locator('[data-variant="robin"]').check()
    ada.locator('[data-action="make-tournament"]').click()
    ada.locator('[data-action="join"]').click()
    expect(ada.locator('[data-entrant="1"]')).to_contain_text("Ada")
    expect(ada.locator('[data-action="begin"]')).to_be_disabled()

    expect(eve.locator('[data-list="tournaments"]')).to_contain_text("1 player")
    eve.get_by_role("link", name="Spring cup").click()
    expect(eve.locator('[data-entrant="1"]')).to_contain_text("Ada")
    bo.goto(ada.url)
    bo.locator('[data-action="join"]').tap()
    expect(bo.locator('[data-entrant="2"]')).to_contain_text("Bo")
    tournament = ada.url

    ada.locator('[data-action="begin"]').click()
    for page in (ada, bo):
        page.wait_for_url("**/t/*")
        page.wait_for_selector(f"{MAIN} [data-space]")
    assert ada.url == bo.url
    expect(eve.locator('[data-round="1"] [data-game]')).to_contain_text("Bo")
    assert violations(eve) == []
    give_up(bo)
    expect(eve.locator("[data-now]")).to_contain_text("Ada")
    for page in (ada, bo):
        page.locator('[data-action="tournament"]').click()
        page.wait_for_url(tournament)
        expect(page.locator("main")).to_have_attribute("data-status", "over")
        assert [points(page, entrant) for entrant in (1, 2)] == ["1", "0"]
        expect(page.locator("[data-now]")).to_contain_text("Winner: Ada")
        expect(page.locator("dl dt")).to_have_text(["SB", "Wins"])
        assert violations(page) == []
