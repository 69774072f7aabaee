"""Tables in Markdown, and the sections of docs/reference/performance.md that the benchmarks write."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "performance.md"


def machine() -> str:
    """Return the date and the machine of a measurement."""
    cores, python = len(os.sched_getaffinity(0)), platform.python_version()
    return f"{datetime.now(UTC).date()}, {platform.machine()}, {cores} cores, Python {python}"


def format_table(header: str, rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table, numbers to the right. header: names of columns, separated by ``|``."""
    columns = header.count("|")
    return "\n".join(
        [f"| {header} |", f"|---|{'---:|' * columns}", *(f"| {' | '.join(row)} |" for row in rows)]
    )


def format_figure(figure: float) -> str:
    """Return a number with three significant digits, or all of them before the point."""
    return f"{figure:,.0f}" if figure >= 100 else f"{figure:.3g}"


def write_section(name: str, text: str) -> None:
    """Replace the text between a section's two marker comments. Raises: LookupError without the markers."""
    page = PAGE.read_text(encoding="utf-8")
    section = re.compile(rf"(<!-- {name} begin\b[^>]*-->\n).*?(<!-- {name} end -->)", flags=re.DOTALL)
    if section.search(page) is None:
        raise LookupError(f"{PAGE} has no comments '{name} begin' and '{name} end'")
    PAGE.write_text(section.sub(lambda found: f"{found[1]}{text}\n{found[2]}", page), encoding="utf-8")
