"""What tables cost in memory: of a server process, with every line to it open."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator, Sequence

import uvloop

from benchmarks.carrying.report import Seen
from benchmarks.server.eko import EkoTable, scripts
from benchmarks.server.guest import guests_of
from benchmarks.server.load import Load, Table
from benchmarks.server.subject import Subject, ekoes

__all__ = ["measured"]

FIRST, MANY = 100, 1000
"""Tables: by then the server has loaded and reserved what it needs; and all of them."""
DECISIONS = 6
"""At each table."""
AT_ONCE = 20
GUESTS = 40
GAMES = 8
KIB, MIB = 2**10, 2**20
ENGINE = 26
"""KiB of a table that are its board and positions (decision 105)."""


def measured() -> Iterator[Seen]:
    """Measure many tables of two people, and the same tables once everybody has gone."""
    with ekoes() as subject:
        empty, first, many, left = uvloop.run(_measured(subject))
    each = (many - first) / (MANY - FIRST) / KIB - ENGINE
    yield Seen("server without tables", empty / MIB, "MiB")
    yield Seen(f"live table of two people after {DECISIONS} decisions, beyond the engine's", each, "KiB", 64)
    yield Seen(f"server with {MANY:,} live tables", many / MIB, "MiB", 260)
    yield Seen("… once everybody has left: what is free is kept for the next", left / MIB, "MiB")


async def _measured(subject: Subject) -> tuple[int, int, int, int]:
    """Return the bytes of the server without tables, with some, with all of them, and when all are left."""
    async with guests_of(subject.addresses, GUESTS) as guests:
        empty = subject.memory()
        pairs = itertools.cycle(zip(guests[::2], guests[1::2], strict=True))
        games = itertools.cycle(scripts(GAMES))
        load = _Rounds(subject)
        tables = [EkoTable(load, next(pairs), next(games)) for _ in range(MANY)]
        await load.play(tables[:FIRST])
        first = subject.memory()
        await load.play(tables[FIRST:])
        many = subject.memory()
        for table in tables:
            table.leave()
        await asyncio.sleep(2)
        return empty, first, many, subject.memory()


class _Rounds(Load):
    """Has some tables opened, and some decisions taken at each of them."""

    def __init__(self, subject: Subject) -> None:
        super().__init__(subject)
        self._left = 0
        self._is_over = asyncio.Event()

    async def play(self, tables: Sequence[EkoTable]) -> None:
        """Open tables, a few at a time, and play a little at each."""
        for start in range(0, len(tables), AT_ONCE):
            some = tables[start : start + AT_ONCE]
            await asyncio.gather(*(table.open() for table in some))
            for _ in range(DECISIONS):
                self._left = len(some)
                self._is_over.clear()
                for table in some:
                    table.decide()
                await self._is_over.wait()

    def done(self, _table: Table, _sent_at: float) -> None:
        self._left -= 1
        if not self._left:
            self._is_over.set()
