"""What holds on every screen: for axe-core, in small windows, in forced colours, without movement."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

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
)
from tests.e2e.screens import SCREENS, Screen, ekko_turn, eko_turn
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


def looks(page: Page, screen: Screen, *, all_of_them: bool) -> Iterator[tuple[str, list[str]]]:
    """Show a screen in a narrow dark window; yield what is wrong with it.

    all_of_them: also on a desk in light, dark and forced colours, and in small light windows of every size.
    """
    if all_of_them and not screen.folded:
        page.emulate_media(color_scheme="light")
        yield "light", violations(page)
        page.emulate_media(color_scheme="dark")
        yield "dark", violations(page)
        page.emulate_media(color_scheme="light", forced_colors="active")
        yield "forced colours", violations(page) + faint_signs(page)
        page.emulate_media(forced_colors="none")
    if not all_of_them:
        page.emulate_media(color_scheme="dark")
    for size in (PHONE["viewport"], NARROW, TINY) if all_of_them else (NARROW,):
        resize(page, size)
        missing = [need for need in screen.needs if not page.locator(need).first.is_visible()]
        yield (
            f"{size['width']} × {size['height']}",
            [*missing, *too_wide(page), *out_of_reach(page), *violations(page)],
        )


@pytest.mark.parametrize(
    "all_of_them", [pytest.param(True, id="all", marks=pytest.mark.long), pytest.param(False, id="some")]
)
@pytest.mark.parametrize(
    "screen",
    [pytest.param(one, id=one.name, marks=[pytest.mark.long] if one.has_twin else []) for one in SCREENS],
)
def test_screen_keeps_nobody_out(
    server: Server, new_page: NewPage, screen: Screen, *, all_of_them: bool
) -> None:
    size = NARROW if screen.folded else DESK
    page = new_page(f"{server.address}{screen.path}", clock=screen.has_clock, viewport=size)
    screen.reach(page)
    found = [
        f"{look}: {fault}"
        for look, faults in looks(page, screen, all_of_them=all_of_them)
        for fault in faults
    ]
    assert found + movements(page) == []


@pytest.mark.parametrize("game", ["eko", "ekko"])
def test_nothing_travels_for_who_asked_for_less_motion(server: Server, new_page: NewPage, game: str) -> None:
    page = new_page(f"{server.address}/{game}", clock=game == "ekko")
    player: Player | EkkoPlayer = ekko_turn(page) if game == "ekko" else eko_turn(page)
    page.evaluate(TRAVELS)
    version, decide = player.version, player.decide
    decide()
    player.until_after(version)
    assert page.evaluate("window.travels") == 0
    assert movements(page) == []
