"""What is measured: which tables, how many, how fast."""

from __future__ import annotations

import asyncio
import gc
import itertools
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, TypeVar

import uvloop

from benchmarks.server.ekko import PLAYERS, EkkoTable
from benchmarks.server.eko import EkoTable, scripts
from benchmarks.server.guest import guests_of
from benchmarks.server.load import WARM_UP, Figures, Load, Table, figures
from benchmarks.server.peer import PeerTable
from benchmarks.server.reading import play_through, read
from benchmarks.server.setups import Setup, setup
from benchmarks.server.subject import Subject, ekoes, peer

__all__ = ["ekko", "eko", "eko_beside_bots", "eko_by", "matches", "reading", "run"]

T = TypeVar("T")

GUESTS = 40
GAMES = 24
READERS = 16
AT_ONCE = 20
"""Tables that are opened at the same time."""


def run(work: Coroutine[Any, Any, T]) -> T:
    """Make one measurement on a loop of its own."""
    gc.collect()

    async def measured() -> T:
        return await work

    return uvloop.run(measured())


async def eko(tables: int, seconds: float, pace: float | None = None) -> Figures:
    """Measure our server with tables of Ekö for two."""
    with ekoes() as subject:
        return await _eko(subject, tables, seconds, pace)


async def eko_beside_bots(tables: int, bots: int, seconds: float, pace: float) -> Figures:
    """Measure our server with people at some tables, and others where bots play alone without a pause."""
    with ekoes() as subject:
        async with guests_of(subject.addresses, 1) as (guest,):
            for seed in range(bots):
                await guest.make(bots_alone(seed))
        return await _eko(subject, tables, seconds, pace)


def bots_alone(seed: int) -> dict[str, object]:
    """Return the plan of a table of four bots."""
    seats = [{"kind": "bot", "bot": "random"}] * 4
    return {"game": "eko", "options": {"players": 4, "seed": seed}, "seats": seats}


async def eko_by(wanted: Setup, tables: int, seconds: float, *, any_door: bool = True) -> Figures:
    """Measure one of the ways to run our server with tables of Ekö for two.

    any_door: of two who play at a table one comes in by each process; else both come to the table's owner.
    """
    with setup(wanted) as subject:
        return await _eko(subject, tables, seconds, None, any_door=any_door)


async def _eko(
    subject: Subject, tables: int, seconds: float, pace: float | None, *, any_door: bool = True
) -> Figures:
    async with guests_of(subject.addresses, min(GUESTS, 2 * tables), any_door=any_door) as guests:
        load = Load(subject, pace)
        pairs = itertools.cycle(zip(guests[::2], guests[1::2], strict=True))
        games = itertools.cycle(scripts(GAMES))
        opened = [EkoTable(load, next(pairs), next(games)) for _ in range(tables)]
        return await _measured(load, opened, [table.open for table in opened], seconds)


async def ekko(tables: int, seconds: float) -> Figures:
    """Measure our server with tables of EKKO for four."""
    with ekoes() as subject:
        async with guests_of(subject.addresses, GUESTS) as guests:
            load = Load(subject)
            four = itertools.cycle(zip(*(guests[seat::PLAYERS] for seat in range(PLAYERS)), strict=True))
            opened = [EkkoTable(load, next(four)) for _ in range(tables)]
            return await _measured(load, opened, [table.open for table in opened], seconds)


async def reading(path: str, seconds: float) -> Figures:
    """Measure our server with readers of one long table, which nobody plays at. path: below the table's."""
    with ekoes() as subject:
        async with guests_of(subject.addresses, 2) as guests:
            table = await play_through(subject, (guests[0], guests[1]), scripts(1)[0])
        await read(subject.address, f"{table}{path}", WARM_UP, READERS)
        cpu, begun = subject.cpu(), time.perf_counter()
        took = await read(subject.address, f"{table}{path}", seconds, READERS)
        return figures(1, took, time.perf_counter() - begun, subject.cpu() - cpu, 0, subject.memory())


async def matches(tables: int, seconds: float) -> Figures:
    """Measure boardgame.io's server. Raises: FileNotFoundError without node."""
    with peer() as subject:
        load = Load(subject)
        opened = [PeerTable(load, subject.address, str(number)) for number in range(tables)]
        return await _measured(load, opened, [table.open for table in opened], seconds)


async def _measured(
    load: Load, tables: Sequence[Table], opens: Sequence[Callable[[], Awaitable[None]]], seconds: float
) -> Figures:
    """Open all tables, a few at a time, and measure."""
    for start in range(0, len(opens), AT_ONCE):
        await asyncio.gather(*(open_table() for open_table in opens[start : start + AT_ONCE]))
    return await load.run(tables, seconds)
