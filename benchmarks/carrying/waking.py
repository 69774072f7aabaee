"""How soon tables that were left wake at a start, and how long people wait for an order meanwhile."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.carrying.games import eko_table
from benchmarks.carrying.report import Seen
from benchmarks.server.opening import wake_many
from ekoes.match.new import new_table
from ekoes.match.orders import Rename
from ekoes.match.seats import Seat
from ekoes.server.clock import WallClock
from ekoes.server.hub import Hub
from ekoes.server.live import LiveTable
from ekoes.server.thinking.workers import Workers
from ekoes.storage.store import Store
from ekoes.storage.store import new_table as kept_table

__all__ = ["measured"]

TABLES = 1500
TIMES = 2
IDLE = 300
MOST_SECONDS = 5
MOST_LATER = 20
_BETWEEN = 0.005
"""Seconds from an answer to the next order."""


def measured() -> Iterator[Seen]:
    """Measure starts at which tables of bots wake while somebody gives one order after the other."""
    alone = min(asyncio.run(wake_many(TABLES)).cpu for _ in range(TIMES))
    work = alone * TABLES / 1000
    yield Seen(f"until {TABLES:,} tables go on after a start", work, "s of work", MOST_SECONDS)
    runs = [asyncio.run(_woken()) for _ in range(TIMES)]
    clock = min(took for took, _, _ in runs)
    yield Seen("… by the clock, other programs beside it, and somebody who plays", clock, "s")
    idle, beside = (1000 * min(np.percentile(run[of], 99) for run in runs) for of in (1, 2))
    yield Seen("a person's order meanwhile, 99 %, later", beside - idle, "ms", MOST_LATER)


async def _woken() -> tuple[float, list[float], list[float]]:
    """Return the seconds that all tables took to wake, those of orders before, and of orders meanwhile."""
    with TemporaryDirectory() as folder:
        store = Store(f"sqlite:///{Path(folder) / 'tables.sqlite'}")
        async with _hub(store) as hub, _person(hub) as live:
            await hub.woken()
            idle = [await _order(live) for _ in range(IDLE)]
        _store_many(store)
        meanwhile: list[float] = []
        async with _hub(store) as hub, _person(hub) as live:
            begun = time.perf_counter()
            woken = asyncio.create_task(hub.woken())
            while not woken.done():
                meanwhile.append(await _order(live))
            took = time.perf_counter() - begun
        store.close()
        return took, idle, meanwhile


def _store_many(store: Store) -> None:
    """Keep tables of bots, which go on by themselves."""
    bots = tuple(Seat("bot", f"Bot {seat}", seat, "random") for seat in range(2))
    now = WallClock().now()
    tables = (new_table("eko", {"players": 2}, number, bots) for number in range(TABLES))
    store.write([kept_table(f"t{number}", table, now)[1] for number, table in enumerate(tables)])


@asynccontextmanager
async def _hub(store: Store) -> AsyncIterator[Hub]:
    hub = Hub(store, WallClock(), thinkers=Workers(0))
    await hub.start()
    yield hub
    await hub.stop()


@asynccontextmanager
async def _person(hub: Hub) -> AsyncIterator[LiveTable]:
    """Open a table of people."""
    table_id = await hub.create(eko_table(1, 2))
    async with hub.table(table_id) as live:
        yield live


async def _order(live: LiveTable) -> float:
    """Give an order, and return how many seconds it took."""
    begun = time.perf_counter()
    version = live.table.version
    await live.take(Rename(key=f"n{version}", seat=0, name=f"Ada {version}"), "p0")
    took = time.perf_counter() - begun
    await asyncio.sleep(_BETWEEN)
    return took
