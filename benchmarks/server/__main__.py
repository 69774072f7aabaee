"""Measure the server under load: ``python -m benchmarks.server [--seconds S] [--tables 10,100] [--write]``.

A closed loop (each table's next decision follows when both players have seen the last one) at growing
numbers of tables, ours and boardgame.io's in turns; then paces that people keep, tables of bots beside
them, and EKKO. Server and players are processes on loopback; each measurement has a fresh server with
an empty SQLite database. ``--write`` keeps the report and its picture in docs/reference.

``--setups`` measures instead what one process carries on SQLite and on PostgreSQL, and what two do; that
report is kept in docs/operations.
"""

from __future__ import annotations

import argparse
from typing import Any

from benchmarks.server import series
from benchmarks.server.capacity import shares, whole
from benchmarks.server.capacity_report import write_capacity
from benchmarks.server.opening import open_long, wake_many
from benchmarks.server.reading import PATHS
from benchmarks.server.report import Row, write_report

TABLES = "10,100,500,1000"
TABLES_OF_SETUPS = "100,500,1000,2000"
TABLES_OF_SHARES = 200


def main() -> None:
    """Measure, print, and write the report if asked to."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.server", description=__doc__)
    parser.add_argument("--seconds", type=float, default=8.0, help="how long each measurement counts")
    parser.add_argument("--setups", action="store_true", help="compare ways to run the server")
    parser.add_argument("--tables", help="numbers of tables of the closed loop")
    parser.add_argument("--only", default="", help="measure only what has this in its name")
    parser.add_argument("--write", action="store_true", help="keep the report in docs")
    asked = parser.parse_args()
    tables = asked.tables or (TABLES_OF_SETUPS if asked.setups else TABLES)
    counts = [int(number) for number in tables.split(",")]
    if asked.setups:
        rows, shared = whole(counts, asked.seconds), shares(min(*counts, TABLES_OF_SHARES), asked.seconds)
        if asked.write:
            write_capacity(rows, shared)
    else:
        _measure_all(asked.seconds, counts, asked.only, keep=asked.write)


def _measure_all(seconds: float, tables: list[int], only: str, *, keep: bool) -> None:
    """Measure what has some words in its name. keep: the report."""
    measured = [measure(name, work) for name, work in plan(seconds, tables) if only in name]
    if keep:
        write_report(measured)


def plan(seconds: float, tables: list[int]) -> list[tuple[str, Any]]:
    """Return what is measured, in this order: a name, and what makes the measurement."""
    closed = [
        (
            f"{name}, closed loop, {count} tables",
            lambda count=count, measured=measured: measured(count, seconds),
        )
        for count in tables
        for name, measured in (("Ekö", series.eko), ("boardgame.io", series.matches))
    ]
    return [
        *closed,
        ("Ekö, 100/s over 100 tables", lambda: series.eko(100, seconds, 100)),
        ("Ekö, 250/s over 500 tables", lambda: series.eko(500, seconds, 250)),
        ("Ekö, 10/s over 10 tables", lambda: series.eko(10, 2 * seconds, 10)),
        (
            "Ekö, 10/s over 10 tables beside 300 of bots",
            lambda: series.eko_beside_bots(10, 300, 2 * seconds, 10),
        ),
        ("EKKO, closed loop, 1 tables", lambda: series.ekko(1, seconds)),
        ("EKKO, closed loop, 50 tables", lambda: series.ekko(50, seconds)),
        *(
            (f"16 readers: {what}", lambda path=path: series.reading(path, seconds))
            for what, path in PATHS.items()
        ),
        ("opening a table of 2,000 decisions", open_long),
        ("waking 1,500 tables of bots at a start", lambda: wake_many(1500)),
    ]


def measure(name: str, work: Any) -> Row:
    """Make one measurement and print it."""
    print(f"{name:48}", end=" ", flush=True)
    figures = series.run(work())
    print(
        f"{figures.rate:7.0f}/s   p50 {figures.p50:8.1f}  p99 {figures.p99:8.1f} ms   "
        f"CPU {figures.cpu:5.2f} ms   {figures.sent / 1000:5.1f} KB   {figures.memory / 2**20:5.0f} MiB",
        flush=True,
    )
    return Row(name, figures)


if __name__ == "__main__":
    main()
