"""Whole games through the page, and the level of the bots, which follows the reader."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.kit import ekko_page as ekko
from tests.kit import eko_page as eko
from tests.kit.eko_page import VARIANTS, Player, next_of, set_up, set_up_by_form
from tests.kit.page import NewPage, give_up, table_of
from tests.kit.server import Server


def turn_number(page: Page) -> int:
    """The number of the turn in the moves list."""
    numbers = [text for text in page.locator(".moves .number").all_inner_texts() if text]
    return int(numbers[-1]) if numbers else 0


@pytest.mark.long
def test_a_game_against_greedy_to_its_end(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, preferences={"autoEnd": True}, reduced_motion="no-preference")
    set_up_by_form(page, "here", "bot greedy")
    player = Player(page)
    while player.until_asked() != "over":
        player.decide()
    expect(page.locator("[data-ending]")).to_contain_text(re.compile("win|lose", re.IGNORECASE))
    page.locator('[data-ending] [data-action="review"]').click()
    expect(page.locator("main[data-review]")).to_be_visible()
    page.locator('[data-history="back"]').first.click()
    page.keyboard.press("Escape")
    page.locator(".rule[title^=E11]").click()
    expect(page.locator("article.lit")).to_be_visible()
    assert page.locator(".moves [data-n]").count() > 20


def test_two_browsers_by_invitation_and_one_who_watches(server: Server, new_page: NewPage) -> None:
    first = new_page(server.address, reduced_motion="no-preference", visit=False)
    set_up(first, "here", "open")
    second, third = (new_page(first.url) for _ in range(2))
    second.locator('[data-field="name"]').fill("Noor")
    second.locator('[data-action="sit"]').click()
    expect(first.locator(".column")).to_contain_text("Noor")
    for page in (first, second):
        expect(page.locator('[data-action="sit"]')).to_have_count(0)
    while turn_number(third) < 1:
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


@pytest.mark.long
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


OPPONENTS = {"eko": 1, "ekko": 3}
SET_UP: dict[str, Callable[..., None]] = {"eko": eko.set_up_by_form, "ekko": ekko.set_up_by_form}


def bots_at(page: Page) -> list[str]:
    """The bots at the table that a page shows, as the server tells it."""
    return [seat["bot"] for seat in table_of(page)["seats"] if seat["kind"] == "bot"]


def door(page: Page) -> str:
    return page.locator('[data-door="play"]').inner_text()


@pytest.mark.parametrize("game", [pytest.param("eko", marks=pytest.mark.long), "ekko"])
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


def test_a_public_game_stands_in_a_page_of_another_site(
    server: Server, browser: Browser, tmp_path: Path
) -> None:
    host = server.browser()
    shown, hidden = (host.create("here", "here", public=public) for public in (True, False))
    frames = {"shown": f"embed/{shown}", "hidden": f"embed/{hidden}", "table": f"t/{shown}"}
    html = "".join(
        f'<iframe name="{it}" src="{server.address}/{path}"></iframe>' for it, path in frames.items()
    )
    (tmp_path / "index.html").write_text(html, encoding="utf-8")
    serve = partial(SimpleHTTPRequestHandler, directory=tmp_path)
    page = browser.new_page()
    with ThreadingHTTPServer(("127.0.0.1", 0), serve) as elsewhere:
        threading.Thread(target=elsewhere.serve_forever, daemon=True).start()
        page.goto(f"http://localhost:{elsewhere.server_port}/")
        game = page.frame_locator('[name="shown"]')
        expect(game.locator("main[data-embedded][data-version]")).to_be_visible()
        expect(game.locator("[data-space]")).to_have_count(0)
        expect(game.locator('[data-action="open"]')).to_have_attribute("href", f"{server.address}/t/{shown}")
        for name in ("hidden", "table"):
            expect(page.frame_locator(f'[name="{name}"]').locator("main")).to_have_count(0)
        elsewhere.shutdown()
    page.close()
