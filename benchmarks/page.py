"""The page in a browser: what it weighs, and how soon it answers on a processor that is slowed down."""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.report import format_table
from tests.kit import ekko_page as ekko
from tests.kit import eko_page as eko
from tests.kit.eko_page import Player, play_until
from tests.kit.server import Server
from tests.services.programs import find, launch_arguments

SLOWED = 4
"""By how much the processor is slowed down."""
HOME, FONTS, TABLE, RULES, PICK, TASK = 70, 40, 110, 52, 100, 200
"""The most: kilobytes of the home page, of fonts, of a table and of the rules of Ekö, with which its tables
come; milliseconds of a pick and of any task."""
WATCH = Path(__file__).with_name("page.js").read_text("utf-8")
WEIGHT = """[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .filter(entry => entry.name.endsWith('.woff2') === %s)
    .reduce((sum, entry) => sum + entry.encodedBodySize, 0)"""
DECISIONS = 24
"""How far the game has gone when picks are measured."""
PICKS = 30
WORK = {1: 16, SLOWED: 50}
"""The most milliseconds of the page's thread from a tap to the end of the frame that shows its marks."""
CAPTURES = 8
FRAME = {"UpdateLayoutTree", "Layout", "PrePaint", "Paint", "Layerize", "Commit"}
"""What a browser does for a frame, as it traces it."""
TRACED = ["devtools.timeline", "disabled-by-default-devtools.timeline"]
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
    with _opened(browser, address) as page:
        yield "home page of a newcomer, compressed", _weight(page), "KB", HOME
        yield "fonts", _weight(page, fonts=True), "KB", FONTS
    games: tuple[tuple[str, Callable[[Page], None]], ...] = (("eko", _largest), ("ekko", _fullest))
    for game, begin in games:
        with _opened(browser, f"{address}/{game}") as page:
            yield f"home page of {game}, compressed", _weight(page), "KB", HOME
            begin(page)
            page.reload()
            rules = RULES if game == "eko" else 0
            yield f"table of {game}, compressed", _weight(page), "KB", TABLE + rules
    with _opened(browser, f"{address}/eko") as page:
        yield from _speed(page)
    for place, begin in (("a lesson", _lesson), ("an analysis board", _analysis), ("a table", _table)):
        with _opened(browser, f"{address}/eko", reduced_motion="no-preference") as page:
            begin(page)
            yield from _taps(page, place)
    with _opened(browser, f"{address}/eko/learn/attack", reduced_motion="no-preference") as page:
        yield "longest task while a capture is animated", _capture(page), "ms", 50


@contextmanager
def _opened(
    browser: Browser, address: str, reduced_motion: Literal["reduce", "no-preference"] = "reduce"
) -> Iterator[Page]:
    """Open an address as a new visitor, by default without animations."""
    context = browser.new_context(
        viewport={"width": 1280, "height": 800}, reduced_motion=reduced_motion, locale="en", base_url=address
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


def _weight(page: Page, *, fonts: bool = False) -> float:
    """Return the kilobytes that a page has loaded, without its fonts or of them alone."""
    page.wait_for_load_state("networkidle")
    return float(page.evaluate(WEIGHT % str(fonts).lower())) / 1024


def _speed(page: Page) -> Iterator[Figure]:
    """Play the slowest layout into the middle of a game, then pick one stack after the other."""
    _largest(page)
    player = Player(page)
    for _ in range(DECISIONS):
        player.decide()
    _slow_down(page, SLOWED)
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


def _longest_task(page: Page, since: float = 0) -> float:
    """Return the longest task since the last call; a browser reports none under 50 ms.

    since: by the page's clock.
    """
    tasks: list[tuple[float, float]] = page.evaluate("notes.tasks.splice(0)")
    return max((duration for begun, duration in tasks if begun >= since), default=50.0)


def _slow_down(page: Page, rate: int) -> None:
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": rate})


# ---------------------------------------------------------------- taps, at full speed and slowed down


def _lesson(page: Page) -> None:
    page.goto("/eko/learn/attack")


def _analysis(page: Page) -> None:
    page.goto("/eko/analysis")
    play_until(Player(page), "action")


def _table(page: Page) -> None:
    """Play a table of two into the middle of a game."""
    eko.set_up(page, "here", "here")
    for _ in range(DECISIONS // 2):
        Player(page).decide()
    play_until(Player(page), "action")


def _taps(page: Page, place: str) -> Iterator[Figure]:
    """Tap one stack after the other, at full speed and slowed down."""
    page.wait_for_selector('[data-mark="pick"]')
    page.wait_for_load_state("networkidle")
    for rate, goal in WORK.items():
        _slow_down(page, rate)
        work = sorted(_work(page))
        slowed = "" if rate == 1 else f", {rate} times slower"
        yield f"work of a tap in {place}{slowed}, median", statistics.median(work), "ms", goal
        yield f"work of a tap in {place}{slowed}, 95th percentile", work[len(work) * 95 // 100], "ms", goal


def _work(page: Page) -> list[float]:
    """Return the milliseconds of the page's thread from each tap on a stack to the end of its frame."""
    player, browser = Player(page), page.context.browser
    assert browser
    page.keyboard.press("Escape")
    page.wait_for_selector('[data-mark="pick"]')
    starts = player.marks("pick")
    page.evaluate("notes.picks.length = 0")
    browser.start_tracing(page=page, categories=TRACED)
    for count in range(PICKS):
        page.keyboard.press("Escape")
        player.space(starts[count % len(starts)]).hover()
        page.wait_for_timeout(100)
        page.mouse.down()
        page.mouse.up()
        page.wait_for_function("count => notes.picks.length === count", arg=count + 1)
    return list(_traced(json.loads(browser.stop_tracing())["traceEvents"]))


def _traced(events: list[Any]) -> Iterator[float]:
    """Yield the work after each click of a trace."""
    click = None
    spent = 0
    for event in sorted((one for one in events if "tdur" in one), key=lambda one: one["ts"]):
        if event["name"] == "EventDispatch" and event["args"]["data"]["type"] == "click":
            click, spent = event, event["tdur"]
        elif click and event["tid"] == click["tid"] and event["name"] in FRAME:
            spent += event["tdur"] if event["ts"] > click["ts"] + click["dur"] else 0
            if event["name"] == "Commit":
                yield spent / 1000
                click = None


def _capture(page: Page) -> float:
    """Return the longest task while a stack travels to what it captures, slowed down: the median of some."""
    player, longest = Player(page), list[float]()
    _slow_down(page, SLOWED)
    for _ in range(CAPTURES):
        player.tap("-1,0")
        page.evaluate("notes.tasks.length = 0")
        player.tap("1,-1")
        page.wait_for_selector(".traveller", state="attached")
        since = page.evaluate("performance.now()")
        page.wait_for_selector('main[data-result="reached"]:not(:has(.traveller))')
        page.wait_for_timeout(300)
        longest.append(_longest_task(page, since))
        page.locator('[data-action="again"]').click()
        page.wait_for_selector('[data-mark="pick"]')
    return statistics.median(longest)
