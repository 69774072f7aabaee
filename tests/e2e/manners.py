"""What every page keeps to: a telephone's size, a thumb's, what axe-core looks for, what systems ask for."""

from __future__ import annotations

import base64
import contextlib
from pathlib import Path
from typing import Any

from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from tests.kit.server import ROOT

__all__ = [
    "DESK",
    "NARROW",
    "THUMB",
    "TINY",
    "faint_signs",
    "movements",
    "out_of_reach",
    "resize",
    "too_wide",
    "violations",
    "zooming",
]

AXE = ROOT / "web/node_modules/axe-core/axe.min.js"
LOOK = Path(__file__).with_name("manners.js")
GRAVE = ("moderate", "serious", "critical")
THUMB = 44
"""Pixels that a target measures at least."""
DESK: Any = {"width": 1280, "height": 800}
NARROW: Any = {"width": 320, "height": 640}
TINY: Any = {"width": 320, "height": 256}
"""What a window of 1280 × 1024 leaves at a zoom of 400 %."""
MOMENT = 10_000
"""The most milliseconds that a page may take to lie out anew in another window, on a busy machine."""
READABLE = 3
"""The least contrast of a sign with what lies under it."""


def violations(page: Page) -> list[str]:
    """What axe-core finds that keeps people out or holds them up, told with the places."""
    page.locator("main").first.wait_for()
    _let_rest(page)
    if page.evaluate("typeof axe === 'undefined'"):
        page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations'], selectors: false})")["violations"]
    return [
        f"{one['impact']} {one['id']}: {[node['html'][:160] for node in one['nodes']][:3]}"
        for one in found
        if one["impact"] in GRAVE
    ]


def resize(page: Page, size: Any) -> None:
    """Change a window, and let the page in it lie out anew."""
    page.set_viewport_size(size)
    _let_rest(page)


def too_wide(page: Page) -> list[str]:
    """By how much a page is wider than its window, if it is."""
    wide = int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))
    return [f"{wide} pixels too wide"] if wide > 0 else []


def out_of_reach(page: Page) -> list[str]:
    """Which controls nobody gets to: they can't be brought into the window, or lie under something else."""
    return _look(page, "outOfReachAtLast(given)", MOMENT)


def zooming(page: Page) -> list[str]:
    """At which controls two quick taps zoom the page of a telephone instead of counting as two."""
    return _look(page, "zooming()")


def movements(page: Page) -> list[str]:
    """What moves, or would, for who asked that nothing does."""
    return _look(page, "movements()")


def faint_signs(page: Page) -> list[str]:
    """Which signs in pictures are hard to see: axe-core does not look at them."""
    whole = _photograph(page)
    _look(page, "leaveOut(true)")
    bare = _photograph(page)
    _look(page, "leaveOut(false)")
    return _look(page, "faintSigns(given)", {"whole": whole, "bare": bare, "readable": READABLE})


def _let_rest(page: Page) -> None:
    """Let a page lie out anew, which it does some frames after its window has changed."""
    page.evaluate(LOOK.read_text("utf-8"))
    with contextlib.suppress(PlaywrightTimeoutError):
        page.wait_for_function("() => window.manners.isAtRest()", timeout=MOMENT)


def _look(page: Page, call: str, given: object = None) -> list[str]:
    page.evaluate(LOOK.read_text("utf-8"))
    found: list[str] = page.evaluate(f"given => window.manners.{call}", given)
    return found


def _photograph(page: Page) -> str:
    return base64.b64encode(page.screenshot(scale="css")).decode()
