"""The report of the server under load: a page in Markdown and a picture."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.server.load import Figures

__all__ = ["Row", "write_report"]

FOLDER = Path(__file__).parents[2] / "docs" / "reference"
PICTURE = "server-speed.svg"


@dataclass(frozen=True)
class Row:
    """A measurement and its name."""

    name: str
    figures: Figures


def write_report(rows: Sequence[Row]) -> None:
    """Write docs/reference/server-speed.md and its picture."""
    (FOLDER / "server-speed.md").write_text(_page(rows), encoding="utf-8")
    _draw(rows, FOLDER / PICTURE)


def _page(rows: Sequence[Row]) -> str:
    cores, python = len(os.sched_getaffinity(0)), platform.python_version()
    return f"""# The server under load

Made by `make bench-server` on {datetime.now(UTC).date()}: {platform.machine()}, {cores} cores,
Python {python}, one server process with SQLite (every decision is committed to the disk before it is
acknowledged), the players in another process on loopback. Absolute times vary from machine to machine;
compare rows of one run.

Each table has two players (EKKO: four) with a connection each. *Closed loop*: a table's next decision
follows as soon as its sender has the acknowledgement and the others have seen the last one (EKKO: as soon as
a player is asked). *N/s*: decisions come at a pace. boardgame.io's server keeps its matches in memory and
plays a game of nine cells. Times are milliseconds from sending a decision to that moment.

| what | decisions/s | p50 | p90 | p99 | CPU a decision, ms | KB sent a decision | memory, MiB |
|---|---:|---:|---:|---:|---:|---:|---:|
{chr(10).join(map(_line, rows))}

![decisions a second and times over the number of tables]({PICTURE})
"""


def _line(row: Row) -> str:
    one = row.figures
    times = [f"{time:.1f}" for time in (one.p50, one.p90, one.p99)]
    costs = [f"{one.cpu:.2f}", f"{one.sent / 1000:.1f}", f"{one.memory / 2**20:.0f}"]
    return f"| {' | '.join([row.name, f'{one.rate:,.0f}', *times, *costs])} |"


def _draw(rows: Sequence[Row], path: Path) -> None:
    """Draw rate and p99 of the closed loops over the number of tables."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.6), layout="constrained")
    rate, late = figure.subplots(1, 2)
    for name, colour in (("Ekö", "#b3541e"), ("boardgame.io", "#5b6b7a")):
        found = [row.figures for row in rows if row.name.startswith(f"{name}, closed")]
        tables = [one.tables for one in found]
        rate.plot(tables, [one.rate for one in found], "o-", color=colour, label=name)
        late.plot(tables, [one.p99 for one in found], "o-", color=colour, label=f"{name}, p99")
        late.plot(tables, [one.p50 for one in found], "o:", color=colour, label=f"{name}, p50")
    for axes, title in ((rate, "decisions a second"), (late, "milliseconds")):
        axes.set(title=title, xlabel="tables", xscale="log", ylim=(0, None))
        axes.grid(alpha=0.3)
        axes.legend(frameon=False)
    late.set(yscale="log", ylim=(1, None))
    figure.savefig(path, metadata={"Date": None})
