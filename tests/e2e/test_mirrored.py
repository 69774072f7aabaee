"""The page in a language from right to left, made of English: mirrored, and nothing hangs out of it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from hatch_build import page_sources
from tests.e2e.manners import DESK, too_wide, violations
from tests.kit.ekko_page import EkkoPlayer
from tests.kit.eko_page import Player
from tests.kit.page import PHONE, NewPage, box_of, open_form
from tests.kit.server import ROOT, ControlledServer, Server
from tests.languages import LIST, MIRRORED, OVERRIDE, add_language

WIDE: dict[str, Any] = {"viewport": DESK}
SIZES = pytest.mark.parametrize(
    "size",
    [pytest.param(size, id=name, marks=pytest.mark.long) for name, size in (("1280", WIDE), ("390", PHONE))],
)
"""For the long run, as a page has to be built; that styles say start and end, its own tests check."""


@pytest.fixture(scope="session")
def mirrored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose page speaks one language more, built from a copy of its sources."""
    copy = tmp_path_factory.mktemp("mirrored")
    shutil.copytree(ROOT / "docs", copy / "docs")
    for path in (*page_sources(ROOT), ROOT / "hatch_build.py"):
        name = path.relative_to(ROOT)
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy / name)
    (copy / "web/node_modules").symlink_to((ROOT / "web/node_modules").resolve())
    add_language(copy, MIRRORED)
    subprocess.run([sys.executable, "hatch_build.py", "run", "build"], cwd=copy, check=True)
    folder, page = tmp_path_factory.mktemp("games"), copy / "src/ekoes/server/static"
    with ControlledServer(folder, page=page) as server:
        yield server


@pytest.fixture
def open_mirrored(mirrored: Server, new_page: NewPage, size: dict[str, Any]) -> Any:
    """Open an address of the page as a reader of the language gets it."""

    def open_page(path: str, **wishes: Any) -> Page:
        page = new_page(f"{mirrored.address}{path}", locale=MIRRORED, **size, **wishes)
        expect(page.locator("html")).to_have_attribute("dir", "rtl")
        expect(page.locator("html")).to_have_attribute("lang", MIRRORED)
        return page

    return open_page


def middle(target: Locator) -> float:
    """Where an element lies: 0 at the left edge of the window, 1 at its right edge."""
    box, size = box_of(target), target.page.viewport_size
    assert size
    return (box["x"] + box["width"] / 2) / size["width"]


def check_words_and_width(page: Page) -> None:
    """Words of the language, and nothing wider than the window."""
    assert OVERRIDE in page.inner_text("body")
    assert too_wide(page) == []


def check_manners(page: Page) -> None:
    """The same, and nothing that keeps people out."""
    check_words_and_width(page)
    assert violations(page) == []


@SIZES
@pytest.mark.parametrize("game", ["eko", "ekko"])
def test_home(open_mirrored: Any, game: str) -> None:
    page = open_mirrored(f"/{game}")
    page.locator('[data-door="play"]').wait_for()
    check_manners(page)
    first, second = page.locator("nav a.game").all()
    assert middle(first) > middle(second)
    open_form(page, game)
    check_manners(page)
    swatch, kind = page.locator('[data-seat="0"] button'), page.locator('[data-seat="0"] select')
    assert middle(swatch) > middle(kind)


@SIZES
def test_a_table_of_eko(open_mirrored: Any) -> None:
    page = open_mirrored("/eko/new")
    page.locator('[data-action="start"]').click()
    player = Player(page, touch=page.viewport_size["width"] < 1000)
    while player.until_asked() != "action":
        player.decide()
    player.pick(player.marks("pick")[0])
    check_manners(page)
    assert middle(page.locator('[data-action="take-back"]')) > middle(page.locator('[data-action="end"]'))
    if page.viewport_size["width"] >= 1000:
        assert middle(page.locator(".column")) < middle(page.locator("main .board"))


@SIZES
def test_a_table_of_ekko(open_mirrored: Any) -> None:
    page = open_mirrored("/ekko", clock=True)
    page.locator('[data-action="quick"]').click()
    player = EkkoPlayer(page, touch=page.viewport_size["width"] < 1000)
    player.until_asked()
    check_manners(page)
    cards = player.hand
    assert cards == sorted(cards)
    places = [middle(player.card(card)) for card in cards]
    assert places == sorted(places), "cards lie as they lie, the lowest at the left"
    if page.viewport_size["width"] >= 1000:
        assert middle(page.locator(".column")) < middle(page.locator(".felt"))


@SIZES
def test_the_drawer(open_mirrored: Any) -> None:
    page = open_mirrored("/ekko", clock=True)
    page.locator('[data-action="quick"]').click()
    page.wait_for_selector("main[data-stage]")
    page.locator('.menu button:not([data-action="mute"], [data-action="give-up"])').last.click()
    page.locator("[data-tab]").first.wait_for()
    for leaf in page.locator("[data-tab]").all():
        leaf.click()
        check_words_and_width(page)
    if page.viewport_size["width"] >= 1000:
        assert middle(page.get_by_role("dialog")) < 1 / 2


def test_nobody_is_offered_it(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, locale=MIRRORED)
    expect(page.locator("html")).to_have_attribute("dir", "ltr")
    assert MIRRORED not in (ROOT / LIST).read_text("utf-8")
