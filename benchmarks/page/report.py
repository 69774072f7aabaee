"""The report of the page's weight and speed: a page in Markdown."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.page.measure import DECISIONS, SLOWED, Figure

__all__ = ["line", "write_report"]

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "page-speed.md"


def line(figure: Figure) -> str:
    """Write a figure as a row: what, how much, the most that it may be, and whether that is held."""
    goal = "" if figure.goal is None else f"{figure.goal:g} {figure.unit}"
    held = "" if figure.is_held else "missed"
    return f"| {figure.what} | {figure.value:.0f} {figure.unit} | {goal} | {held} |"


def write_report(measured: Sequence[Figure], version: str) -> None:
    """Write docs/reference/page-speed.md. version: of the browser."""
    cores = len(os.sched_getaffinity(0))
    PAGE.write_text(
        f"""# The page's weight and speed

Made by `python -m benchmarks.page --write` on {datetime.now(UTC).date()}: {platform.machine()},
{cores} cores, Chromium {version}, server and browser on one machine, the browser's processor slowed
down {SLOWED} times. Absolute times vary from machine to machine.

Weights are what the server sends, compressed, to somebody who was never here. Times are those of the
slowest layout: Ekö with four players and all variants, after {DECISIONS} decisions, in a window of
1280 × 800. *From pick to drawn*: from the moment at which a stack is pressed to the first frame that shows
where it can go, which the server tells. A *task* is whatever keeps the page from answering; browsers tell
of those over 50 ms.

| what | measured | at most | |
|---|---:|---:|---|
{chr(10).join(map(line, measured))}
""",
        encoding="utf-8",
    )
