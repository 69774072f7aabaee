"""What so many visitors need: reckoned, not measured."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from benchmarks.growth.costs import Costs

__all__ = [
    "AT_ONCE",
    "BUSY",
    "CHANGES",
    "CROWDS",
    "EACH",
    "GAME",
    "HOURS",
    "PLAYING",
    "TURN",
    "Needs",
    "needs",
]

CROWDS = (20, 1_000, 100_000, 1_000_000)
"""Visitors of a day."""
HOURS = 0.75
"""Each visitor stays so long."""
AT_ONCE = 0.1
"""Of a day's visitors so many are there at the same time, at the busiest; of a club all are."""
_CLUB = 50
PLAYING = 0.7
"""Of those who are there so many play, at tables of two; the others are in the lobby."""
EACH = 5.0
"""Seconds from one decision of a table to the next."""
BUSY = 0.6
"""A process has to do no more than this share of what it could."""
TURN = 3.0
"""Decisions of a turn: as often the meeting reads a table that another process owns."""
CHANGES = 2.0
"""A public table opens, and closes when its game begins: so often the lobby is told for each game."""
GAME = 30 * 60.0
"""Seconds of a game."""
_DAYS = 365
_MILLISECONDS = 1000.0


@dataclass(frozen=True)
class Needs:
    """What a crowd needs at the busiest. cores: of servers and of PostgreSQL. memory: bytes of all servers.

    wire: bytes a second. meeting: share of a core that the one process with the meeting gives to it. year:
    bytes that a year adds to the database.
    """

    visitors: int
    there: int
    tables: int
    decisions: float
    cores: float
    database: float
    processes: int
    memory: float
    wire: float
    meeting: float
    year: float


def needs(costs: Costs, visitors: int) -> Needs:
    """Reckon what so many visitors of a day need."""
    there = visitors if visitors <= _CLUB else ceil(visitors * AT_ONCE)
    tables = ceil(there * PLAYING / 2)
    decisions = tables / EACH
    alone = decisions * costs.decision / _MILLISECONDS
    is_one = alone + _lobby(costs, there, tables) <= BUSY
    cores = alone if is_one else decisions * costs.passed_on / _MILLISECONDS
    meeting = _lobby(costs, there, tables)
    if not is_one:
        meeting += decisions / TURN * costs.read / _MILLISECONDS
    processes = 1 if is_one else max(2, ceil((cores + meeting) / BUSY))
    watching = there - 2 * tables
    return Needs(
        visitors=visitors,
        there=there,
        tables=tables,
        decisions=decisions,
        cores=cores + meeting,
        database=decisions * costs.database / _MILLISECONDS,
        processes=processes,
        memory=processes * costs.process + tables * costs.table + max(0, watching) * costs.visitor,
        wire=decisions * costs.wire,
        meeting=meeting,
        year=visitors * PLAYING / 2 * HOURS * 3600 / EACH * _DAYS * costs.kept,
    )


def _lobby(costs: Costs, there: int, tables: int) -> float:
    """Return the share of a core that telling the lobby takes: two changes for each game, to each visitor."""
    return CHANGES * tables / GAME * max(0.0, there * (1 - PLAYING)) * costs.told / _MILLISECONDS
