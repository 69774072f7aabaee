"""The level of the bots follows the reader: the first one, and after a game the one that was taken."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.kit import ekko_page as ekko
from tests.kit import eko_page as eko
from tests.kit.examples import one_quick
from tests.kit.page import NewPage, give_up
from tests.kit.server import Server

OPPONENTS = {"eko": 1, "ekko": 3}
SET_UP: dict[str, Callable[..., None]] = {"eko": eko.set_up_by_form, "ekko": ekko.set_up_by_form}


def bots_at(page: Page) -> list[str]:
    """The bots at the table that a page shows, as the server tells it."""
    address = page.url.replace("/t/", "/api/tables/")
    return [seat["bot"] for seat in page.request.get(address).json()["seats"] if seat["kind"] == "bot"]


def door(page: Page) -> str:
    return page.locator('[data-door="play"]').inner_text()


@pytest.mark.parametrize("game", one_quick("ekko", ["eko"]))
def test_a_loser_takes_one_level_down_and_meets_it_again(
    server: Server, new_page: NewPage, game: str
) -> None:
    home = f"{server.address}/{game}"
    page = new_page(home)
    page.locator('[data-door="play"]').wait_for()
    assert "beginner" in door(page)
    SET_UP[game](page, "here", "bot skilled")
    expect(page.locator('[data-who="bot"]').first).to_contain_text("skilled")
    first = page.url
    page.goto(home)
    page.locator('[data-door="play"]').wait_for()
    assert "skilled" in door(page), "what was chosen in the form is the reader's level"
    page.goto(first)
    give_up(page)
    page.locator('[data-action="level"]').click()
    page.wait_for_url(lambda url: url.startswith(f"{server.address}/t/") and url != first)
    assert bots_at(page) == ["casual"]
    page.goto(home)
    page.locator('[data-door="play"]').wait_for()
    assert "casual" in door(page)
    page.locator('[data-door="play"]').click()
    page.wait_for_url(lambda url: url.startswith(f"{server.address}/t/"))
    assert bots_at(page) == ["casual"] * OPPONENTS[game]


def test_a_line_tells_what_to_expect_of_a_level(server: Server, new_page: NewPage) -> None:
    page = new_page(f"{server.address}/eko/new")
    page.locator('[data-seat="1"] select').select_option("bot strong")
    expect(page.locator('[data-level="strong"]')).to_contain_text("looks ahead")
    page.locator('[data-seat="1"] select').select_option("bot greedy")
    expect(page.locator("[data-level]")).to_have_count(0)
