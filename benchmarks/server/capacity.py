"""How much each way to run the server carries: as the machine is, and with a fixed share of a core each.

On a machine of two cores, two server processes, their database and whoever drives the load share these two.
So the rows of one machine do not tell what a second process brings where it has cores of its own. That is
measured beside them: each server process gets the same share of one core, the database and the load another
core, and what two of them carry is compared with what one does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from httpx import HTTPStatusError

from benchmarks.server import series
from benchmarks.server.load import Figures
from benchmarks.server.setups import POSTGRES, SETUPS, SQLITE, TWO, Setup

__all__ = ["PARTS", "Measured", "ratios", "shares", "whole"]

PARTS = 3
TRIES = 3
ROUNDS = 3
"""Shares are compared so often, in turns; the median counts."""
_SHARED = (
    (replace(POSTGRES, name="one process", parts=PARTS), True),
    (replace(TWO, name="two processes, by any door", parts=PARTS), True),
    (replace(TWO, name="two processes, by the owner's door", parts=PARTS), False),
)


@dataclass(frozen=True)
class Measured:
    """A measurement. name: of the set-up."""

    name: str
    figures: Figures

    @property
    def used(self) -> float:
        """Return how many cores the server's processes used."""
        return self.figures.rate * self.figures.cpu / 1000


def whole(tables: Sequence[int], seconds: float) -> list[Measured]:
    """Measure all set-ups at growing numbers of tables, as the machine is."""
    return [_measured(each, count, seconds) for count in tables for each in SETUPS]


def shares(tables: int, seconds: float) -> list[Measured]:
    """Measure one and two processes that have a share of a core each."""
    rounds = [
        [_measured(each, tables, seconds, any_door=door) for each, door in _SHARED] for _ in range(ROUNDS)
    ]
    return [sorted(row, key=lambda one: one.figures.rate)[ROUNDS // 2] for row in zip(*rounds, strict=True)]


def ratios(rows: Sequence[Measured]) -> list[tuple[int, float]]:
    """Return at each number of tables what PostgreSQL carries of what SQLite does, one process each."""
    of = {(row.name, row.figures.tables): row.figures.rate for row in rows}
    counts = sorted({row.figures.tables for row in rows})
    return [(count, of[POSTGRES.name, count] / of[SQLITE.name, count]) for count in counts]


def _measured(wanted: Setup, tables: int, seconds: float, **how: Any) -> Measured:
    row = Measured(wanted.name, _figures(wanted, tables, seconds, **how))
    one = row.figures
    print(
        f"{row.name:36} {tables:5} tables {one.rate:6.0f}/s   p50 {one.p50:7.1f}  p99 {one.p99:7.1f} ms   "
        f"CPU {one.cpu:5.2f} + {one.database_cpu:4.2f} ms   {one.memory / 2**20:4.0f} MiB",
        flush=True,
    )
    return row


def _figures(wanted: Setup, tables: int, seconds: float, *, tries: int = TRIES, **how: Any) -> Figures:
    """Measure; anew where a process was so late that the others thought it was gone."""
    try:
        return series.run(series.eko_by(wanted, tables, seconds, **how))
    except HTTPStatusError as error:
        if tries == 1:
            raise
        print(f"{wanted.name}: {error}; once more", flush=True)
    return _figures(wanted, tables, seconds, tries=tries - 1, **how)
