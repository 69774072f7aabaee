"""What holds on every screen: for axe-core, in small windows, in forced colours, without movement."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.e2e.manners import (
    DESK,
    NARROW,
    TINY,
    faint_signs,
    movements,
    out_of_reach,
    resize,
    too_wide,
    violations,
    zooming,
)
from tests.e2e.screens import WALKS, Screen, Walk, ekko_looked_at, eko_turn
from tests.kit import ekko_page as ekko
from tests.kit.ekko_page import EkkoPlayer
from tests.kit.eko_page import Player
from tests.kit.page import PHONE, NewPage
from tests.kit.server import Server

TRAVELS = """() => {
  window.travels = 0
  const animate = Element.prototype.animate
  Element.prototype.animate = function (...given) {
    window.travels += 1
    return animate.apply(this, given)
  }
}"""
"""Counts what a script sets in motion."""


SHIFTS = """() => {
  window.shifted = 0
  const add = (entry) => { window.shifted += entry.hadRecentInput ? 0 : entry.value }
  new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({ type: 'layout-shift' })
}"""
"""Adds up what Chromium measures where something jumps that nobody has touched."""
LOADED = ("", "eko", "ekko", "eko/analysis", "ekko/analysis", "eko/rules", "eko/learn/attack", "lobby")


QUICK = {"eko-table", "ekko-one-device", "lobby"}
"""Walks that `make test` takes; it looks at their screens in one window."""
BY_NAME = attrgetter("name")


Looks = Iterator[tuple[str, list[str]]]


def looks_narrow(page: Page, screen: Screen) -> Looks:
    """Look at a screen in a narrow window."""
    resize(page, NARROW)
    yield "narrow", in_small(page, screen)


def looks(page: Page, screen: Screen) -> Looks:
    """Look at a screen on a desk in light, dark and forced colours, and in small windows of every size."""
    if not screen.folded:
        page.emulate_media(color_scheme="light")
        yield "light", violations(page)
        page.emulate_media(color_scheme="dark")
        yield "dark", violations(page)
        page.emulate_media(color_scheme="light", forced_colors="active")
        yield "forced colours", violations(page) + faint_signs(page)
        page.emulate_media(forced_colors="none")
    for size in (PHONE["viewport"], NARROW, TINY):
        resize(page, size)
        yield f"{size['width']} × {size['height']}", in_small(page, screen)


def in_small(page: Page, screen: Screen) -> list[str]:
    """What is wrong with a screen in a small window."""
    missing = [need for need in screen.needs if not page.locator(need).first.is_visible()]
    return [*missing, *too_wide(page), *out_of_reach(page), *zooming(page), *violations(page)]


def begin(server: Server, new_page: NewPage, walk: Walk, **wishes: Any) -> Page:
    address, visit = f"{server.address}{walk.path or ''}", walk.path is not None
    return new_page(address, clock=walk.has_clock, visit=visit, viewport=DESK, **wishes)


def faults(page: Page, screens: Iterable[Screen], look: Callable[[Page, Screen], Looks]) -> list[str]:
    """Go from screen to screen and return what is wrong with any, seen in some ways."""
    found = []
    for screen in screens:
        page.set_viewport_size(NARROW if screen.folded else DESK)
        page.evaluate("scrollTo(0, 0)")
        screen.reach(page)
        for seen, wrong in look(page, screen):
            found += [f"{screen.name}, {seen}: {fault}" for fault in wrong]
        found += [f"{screen.name}: {fault}" for fault in movements(page)]
    return found


@pytest.mark.parametrize("walk", [one for one in WALKS if one.name in QUICK], ids=BY_NAME)
def test_screens_keep_nobody_out_of_a_narrow_dark_window(
    server: Server, new_page: NewPage, walk: Walk
) -> None:
    screens = [screen for screen in walk.screens if not screen.has_twin]
    page = begin(server, new_page, walk, color_scheme="dark")
    assert faults(page, screens, looks_narrow) == []


@pytest.mark.long
@pytest.mark.parametrize("walk", WALKS, ids=BY_NAME)
def test_screens_keep_nobody_out(server: Server, new_page: NewPage, walk: Walk) -> None:
    page = begin(server, new_page, walk)
    assert faults(page, walk.screens, looks) == []


@pytest.mark.long
@pytest.mark.parametrize("language", ["cs", "de", "fr"])
def test_longer_words_fit_the_front_pages_of_a_small_phone(
    server: Server, new_page: NewPage, language: str
) -> None:
    page = new_page(f"{server.address}/ekko", locale=language, viewport=TINY)
    for game in ("ekko", "eko"):
        page.locator(f'header [data-game="{game}"]').click()
        page.locator('[data-door="watch"]').wait_for()
        assert too_wide(page) == []


@pytest.mark.long
@pytest.mark.parametrize("window", [DESK, PHONE["viewport"]], ids=["desk", "phone"])
def test_nothing_jumps_while_a_page_is_loaded(server: Server, new_page: NewPage, window: Any) -> None:
    page = new_page(server.address, visit=False, viewport=window)
    page.add_init_script(f"({SHIFTS})()")
    jumps = {}
    for path in LOADED:
        page.goto(f"{server.address}/{path}")
        page.wait_for_load_state("networkidle")
        if path.endswith("analysis"):
            page.locator("[data-engine=done], [data-engine=running]").wait_for()
        if (shifted := page.evaluate("shifted")) > 0.01:
            jumps[path] = shifted
    assert jumps == {}


@pytest.mark.parametrize("game", ["eko", "ekko"])
def test_nothing_travels_for_who_asked_for_less_motion(server: Server, new_page: NewPage, game: str) -> None:
    page = new_page(server.address, clock=game == "ekko", visit=False)
    player: Player | EkkoPlayer
    if game == "eko":
        player = eko_turn(page)
    else:
        ekko_looked_at(page)
        player = EkkoPlayer(page)
        player.until_turn()
    page.evaluate(TRAVELS)
    version, decide = player.version, player.decide
    decide()
    player.until_after(version)
    assert page.evaluate("window.travels") == 0
    assert movements(page) == []


@pytest.mark.long
@pytest.mark.parametrize("game", ["eko", "ekko"])
def test_little_is_drawn_while_a_player_thinks(
    server: Server, browser: Browser, new_page: NewPage, game: str
) -> None:
    page = new_page(server.address, visit=False, reduced_motion="no-preference")
    if game == "eko":
        eko_turn(page)
    else:
        ekko.set_up(page, "here", "bot beginner", turn_clock=60)
        EkkoPlayer(page).until_turn()
    page.wait_for_timeout(6000)  # until nothing calls attention any more
    browser.start_tracing(page=page, categories=["cc"])
    page.wait_for_timeout(3000)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    tiles = sum(event["name"] == "RasterTask" for event in events)
    assert tiles < 100
