"""The page and the picture of what each way to run the server carries."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.server.capacity import PARTS, ROUNDS, Measured, ratios
from benchmarks.server.setups import SETUPS

__all__ = ["write_capacity"]

FOLDER = Path(__file__).parents[2] / "docs" / "operations"
PICTURE = "capacity.svg"
_COLOURS = ("#b3541e", "#5b6b7a", "#2f7d5b")
_COLUMNS = "decisions/s | p50 | p90 | p99 | CPU a decision, ms | PostgreSQL's, ms | cores used | memory, MiB"


def write_capacity(rows: Sequence[Measured], shared: Sequence[Measured]) -> None:
    """Write docs/operations/capacity.md and its picture. shared: one process, and two in two ways."""
    (FOLDER / "capacity.md").write_text(_page(rows, shared), encoding="utf-8")
    _draw(rows, FOLDER / PICTURE)


def _page(rows: Sequence[Measured], shared: Sequence[Measured]) -> str:
    cores, python = len(os.sched_getaffinity(0)), platform.python_version()
    compared = ", ".join(f"{ratio:.2f} at {count:,}" for count, ratio in ratios(rows))
    alone, any_door, own_door = shared
    return f"""# What a server carries

Made by `make bench-capacity` on {datetime.now(UTC).date()}: {platform.machine()}, {cores} cores,
Python {python}. Absolute figures vary from machine to machine; compare rows of one run.

Each table is one of Ekö for two, who have a line each. A table's next decision follows as soon as its sender
has the acknowledgement and the other player has seen the last one, so a server always has as much to do as
it can. Times are milliseconds from sending a decision to that moment: with so many tables they tell how long
the queue is, not how long one decision takes. Each decision is on the disk before it is acknowledged, in
SQLite's file or by PostgreSQL as it comes (`fsync` on), on the same machine. Memory is that of the server's
processes. Two processes have a Redis beside them, and of two people at a table one comes in by each: every
second line is passed on.

## As the machine is

Server, PostgreSQL and whoever drives the load share {cores} cores. *Cores used* are those of the server's
processes.

| set-up | tables | {_COLUMNS} |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|
{chr(10).join(map(_line, rows))}

![decisions a second and times over the number of tables]({PICTURE})

**Measured**: PostgreSQL carries of what SQLite does {compared} tables (wanted: 0.6).

## What a second process brings

Two processes and whoever drives them want more than {cores} cores, so the rows above do not show it. Here
each server process has one {_PART} of the first core: what is left of it is taken by processes that do
nothing but count. PostgreSQL and the load have the other cores. Medians of {ROUNDS} rounds, in turns.
Where *cores used* is not about a {_PART} for each process, something else had the core: the row says
little.

| set-up | tables | {_COLUMNS} |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|
{chr(10).join(map(_line, shared))}

**Measured**: two processes carry {_times(any_door, alone)} of what one does, if people come in by any door,
and {_times(own_door, alone)} if each line goes to the table's owner at once (wanted: 1.6).

**Derived**: with a core each, a process carries 1,000 ms / *CPU a decision*: one alone {_alone(alone)}
decisions a second, two by any door {_alone(any_door, 2)} together, two by the owner's door
{_alone(own_door, 2)}. PostgreSQL needs {any_door.figures.database_cpu:.2f} ms of a core for each of them.
How far that goes stands in [scaling](scaling.md).
"""


_PART = {2: "half", 3: "third", 4: "quarter"}[PARTS]


def _line(row: Measured) -> str:
    one = row.figures
    times = [f"{time:,.0f}" for time in (one.p50, one.p90, one.p99)]
    database = f"{one.database_cpu:.2f}" if one.database_cpu else "–"
    costs = [f"{one.cpu:.2f}", database, f"{row.used:.2f}", f"{one.memory / 2**20:,.0f}"]
    return f"| {' | '.join([row.name, f'{one.tables:,}', f'{one.rate:,.0f}', *times, *costs])} |"


def _times(row: Measured, alone: Measured) -> str:
    return f"{row.figures.rate / alone.figures.rate:.2f} times"


def _alone(row: Measured, processes: int = 1) -> str:
    return f"{processes * 1000 / row.figures.cpu:,.0f}"


def _draw(rows: Sequence[Measured], path: Path) -> None:
    """Draw rate and times over the number of tables."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.6), layout="constrained")
    rate, late = figure.subplots(1, 2)
    for each, colour in zip(SETUPS, _COLOURS, strict=True):
        found = [row.figures for row in rows if row.name == each.name]
        tables = [one.tables for one in found]
        rate.plot(tables, [one.rate for one in found], "o-", color=colour, label=each.name)
        late.plot(tables, [one.p99 for one in found], "o-", color=colour, label=f"{each.name}, p99")
        late.plot(tables, [one.p50 for one in found], "o:", color=colour)
    for axes, title in ((rate, "decisions a second"), (late, "milliseconds (dotted: p50)")):
        axes.set(title=title, xlabel="tables", xscale="log", ylim=(0, None))
        axes.set_xticks(tables, [f"{count:,}" for count in tables])
        axes.minorticks_off()
        axes.grid(alpha=0.3)
        axes.legend(frameon=False)
    figure.savefig(path, metadata={"Date": None})
