"""What was wanted and what was seen, as a page in Markdown."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

__all__ = ["Seen", "line", "write_report"]

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "carrying.md"


@dataclass(frozen=True, slots=True)
class Seen:
    """Something measured. wanted: the most that it may be; None: it is only told."""

    what: str
    figure: float
    unit: str
    wanted: float | None = None

    @property
    def is_met(self) -> bool:
        """Whether it is as wanted."""
        return self.wanted is None or self.figure <= self.wanted


def line(seen: Seen) -> str:
    """Write a row."""
    wanted = "" if seen.wanted is None else f"≤ {seen.wanted:,g}"
    figure = f"{seen.figure:,.0f}" if seen.figure >= 100 else f"{seen.figure:.3g}"
    return f"| {seen.what} | {wanted} | {figure} | {seen.unit} | {'' if seen.is_met else '**no**'} |"


def write_report(found: Sequence[Seen]) -> None:
    """Write docs/reference/carrying.md."""
    cores, python = len(os.sched_getaffinity(0)), platform.python_version()
    rows = "\n".join(map(line, found))
    PAGE.write_text(
        f"""# What the server carries

Made by `python -m benchmarks.carrying --write` on {datetime.now(UTC).date()}: {platform.machine()},
{cores} cores, Python {python}, SQLite. How many decisions a second there are, and how long people wait for
them, tells [the server under load](server-speed.md). Bytes and memory are counted. *Work* is processor
time. *Later* is a difference of the same load with and without the burden, measured in turns, the least of
each. Why it is so: [decision 169](../decisions/0169-what-only-a-start-needs-goes.md).

| what | wanted | seen | | |
|---|---:|---:|---|---|
{rows}
""",
        encoding="utf-8",
    )
