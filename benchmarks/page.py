"""The page in a browser: what it weighs, and how soon it answers on a processor that is slowed down."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.report import format_table
from tests.kit import ekko_page as ekko
from tests.kit import eko_page as eko
from tests.kit.eko_page import Player
from tests.kit.server import Server
from tests.services.programs import find, launch_arguments

SLOWED = 4
"""By how much the processor is slowed down."""
HOME, TABLE, PICK, TASK = 70, 110, 100, 200
"""The most: kilobytes of the home page and of a table, milliseconds of a pick and of any task."""
WATCH = Path(__file__).with_name("page.js").read_text("utf-8")
WEIGHT = """[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .reduce((sum, entry) => sum + entry.encodedBodySize, 0)"""
DECISIONS = 24
"""How far the game has gone when picks are measured."""
PICKS = 40
PATIENCE = 120_000

Figure = tuple[str, float, str, float]
"""What was measured, its value, its unit, and the most that it may be."""


def measure_page() -> tuple[str, str, bool]:
    """Measure all of it. Returns: the table, the browser's version, and whether all goals are met."""
    rows, is_met = [], True
    with _browser_and_server() as (browser, address):
        for what, value, unit, goal in _figures(browser, address):
            rows.append((what, f"{value:.0f} {unit}", f"{goal} {unit}", "" if value <= goal else "missed"))
            print(*rows[-1], sep="  ", flush=True)
            is_met = is_met and value <= goal
        return format_table("what | measured | at most | ", rows), browser.version, is_met


@contextmanager
def _browser_and_server() -> Iterator[tuple[Browser, str]]:
    path = find("chromium")
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder)).start()
        browser = playwright.chromium.launch(executable_path=path, args=launch_arguments())
        yield browser, server.address
        browser.close()
        server.stop()


def _figures(browser: Browser, address: str) -> Iterator[Figure]:
    games: tuple[tuple[str, Callable[[Page], None]], ...] = (("eko", _largest), ("ekko", _fullest))
    for game, begin in games:
        with _opened(browser, f"{address}/{game}") as page:
            yield f"home page of {game}, compressed", _weight(page), "KB", HOME
            begin(page)
            page.reload()
            yield f"table of {game}, compressed", _weight(page), "KB", TABLE
    with _opened(browser, f"{address}/eko") as page:
        yield from _speed(page)


@contextmanager
def _opened(browser: Browser, address: str) -> Iterator[Page]:
    """Open an address as a new visitor, without animations."""
    context = browser.new_context(
        viewport={"width": 1280, "height": 800}, reduced_motion="reduce", locale="en", base_url=address
    )
    context.set_default_timeout(PATIENCE)
    context.add_init_script(WATCH)
    page = context.new_page()
    page.goto(address)
    yield page
    context.close()


def _largest(page: Page) -> None:
    """Set up the slowest layout of Ekö: four players, every variant."""
    eko.set_up(page, *["here"] * 4, variants=eko.VARIANTS)


def _fullest(page: Page) -> None:
    """Set up the fullest table of EKKO."""
    ekko.set_up(page, "here", *["bot beginner"] * 7)


def _weight(page: Page) -> float:
    """Return the kilobytes that a page has loaded."""
    page.wait_for_load_state("networkidle")
    return float(page.evaluate(WEIGHT)) / 1024


def _speed(page: Page) -> Iterator[Figure]:
    """Play the slowest layout into the middle of a game, then pick one stack after the other."""
    _largest(page)
    player = Player(page)
    for _ in range(DECISIONS):
        player.decide()
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    page.reload()
    player.until_asked()
    page.wait_for_load_state("networkidle")
    loading = _longest_task(page)
    picks = _picks(player)
    yield "from pick to drawn, median", statistics.median(picks), "ms", PICK
    yield f"from pick to drawn, slowest of {len(picks)}", max(picks), "ms", PICK
    yield "longest task while picking", _longest_task(page), "ms", TASK
    version = player.version
    player.decide()
    player.until_after(version)
    player.until_asked()
    yield "longest task of a decision", _longest_task(page), "ms", TASK
    yield "longest task while the table is loaded", loading, "ms", TASK


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


def _longest_task(page: Page) -> float:
    """Return the longest task since the last call; a browser reports none under 50 ms."""
    tasks: list[float] = page.evaluate("notes.tasks.splice(0)")
    return max(tasks, default=50.0)
