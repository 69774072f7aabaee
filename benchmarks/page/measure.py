"""The page in a browser: what it weighs, and how soon it answers with a processor that is slowed down."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page

from tests.e2e import test_ekko_games as ekko
from tests.e2e import test_games as eko
from tests.e2e.player import Player

__all__ = ["SLOWED", "Figure", "figures"]

SLOWED = 4
"""By how much the processor is slowed down."""
HOME, TABLE, PICK, TASK = 90, 150, 100, 200
"""The most: kilobytes of the home page and of a table, milliseconds of a pick and of any task."""
WATCH = Path(__file__).with_name("watch.js").read_text("utf-8")
WEIGHT = """[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .reduce((sum, entry) => sum + entry.encodedBodySize, 0)"""
DECISIONS = 24
"""How far the game has gone when picks are measured."""
PICKS = 40
PATIENCE = 120_000


@dataclass(frozen=True)
class Figure:
    """What was measured. goal: the most that it may be; None: it is told beside others."""

    what: str
    value: float
    unit: str
    goal: float | None = None

    @property
    def is_held(self) -> bool:
        """Whether it is no more than it may be."""
        return self.goal is None or self.value <= self.goal


def figures(browser: Browser, address: str) -> Iterator[Figure]:
    """Measure all of it, one thing after the other."""
    for game, begin in (("eko", _largest), ("ekko", _fullest)):
        with _opened(browser, f"{address}/{game}") as page:
            yield Figure(f"home page of {game}, compressed", _weight(page), "KB", HOME)
            begin(page)
            page.reload()
            yield Figure(f"table of {game}, compressed", _weight(page), "KB", TABLE)
    with _opened(browser, f"{address}/eko") as page:
        yield from _speed(page)


@contextmanager
def _opened(browser: Browser, address: str) -> Iterator[Page]:
    """Open an address as somebody who was never here; nothing moves by itself."""
    context = browser.new_context(
        viewport={"width": 1280, "height": 800}, reduced_motion="reduce", locale="en"
    )
    context.set_default_timeout(PATIENCE)
    context.add_init_script(WATCH)
    page = context.new_page()
    page.goto(address)
    yield page
    context.close()


def _largest(page: Page) -> None:
    """The slowest layout of Ekö: four players, every variant."""
    eko.set_up(page, *["here"] * 4, variants=eko.VARIANTS)


def _fullest(page: Page) -> None:
    """The fullest table of EKKO."""
    ekko.set_up(page, "here", *["bot beginner"] * 7)


def _weight(page: Page) -> float:
    """Return the kilobytes that a page has brought."""
    page.wait_for_load_state("networkidle")
    return float(page.evaluate(WEIGHT)) / 1024


def _speed(page: Page) -> Iterator[Figure]:
    """Play the slowest layout into the middle of a game, then look at one stack after the other."""
    _largest(page)
    player = Player(page)
    for _ in range(DECISIONS):
        player.decide()
    line = page.context.new_cdp_session(page)
    line.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    page.reload()
    player.until_asked()
    page.wait_for_load_state("networkidle")
    loading = _tasks(page)
    picks = _picks(player)
    yield Figure("from pick to drawn, median", statistics.median(picks), "ms", PICK)
    yield Figure(f"from pick to drawn, slowest of {len(picks)}", max(picks), "ms", PICK)
    yield Figure("longest task while picking", _longest(_tasks(page)), "ms", TASK)
    version = player.version
    player.decide()
    player.until_after(version)
    player.until_asked()
    yield Figure("longest task of a decision", _longest(_tasks(page)), "ms", TASK)
    yield Figure("longest task while the table is loaded", _longest(loading), "ms", TASK)


def _picks(player: Player) -> list[float]:
    """Return how long each pick took until its targets were drawn, in milliseconds."""
    while player.until_asked() not in {"action", "second"}:
        player.decide()
    player.page.evaluate("notes.tasks.length = 0")
    starts = player.marks("pick")
    for count in range(PICKS):
        player.pick(starts[count % len(starts)])
        player.page.wait_for_function("count => notes.picks.length === count", arg=count + 1)
    found: list[float] = player.page.evaluate("notes.picks")
    return found


def _tasks(page: Page) -> list[float]:
    """Return how long the long tasks took since this was asked last, in milliseconds."""
    found: list[float] = page.evaluate("notes.tasks.splice(0)")
    return found


def _longest(tasks: list[float]) -> float:
    """Return the longest; a browser tells of none under 50 ms."""
    return max(tasks, default=50.0)
