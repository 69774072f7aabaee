"""The server under load: decisions a second, how long each takes, and what it costs.

A closed loop: a table's next decision follows when both players have seen the last one. Servers and players
are processes on loopback; each measurement has a fresh server with an empty database.
"""

from __future__ import annotations

import asyncio
import gc
import itertools
import time
from collections.abc import Coroutine, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import uvloop

from benchmarks.processes import (
    POSTGRES,
    SQLITE,
    TWO,
    WITH_BOTS,
    Servers,
    Setup,
    running,
)
from benchmarks.report import format_table
from benchmarks.tables import EKKO_PLAYERS, EkkoTable, EkoTable, Session, Table, scripts, sessions

SESSIONS = 40
GAMES = 24
AT_ONCE = 20
"""Tables that are opened at the same time."""
WARM_UP = 2.0
"""Seconds before anything counts."""
HEADER = (
    "what | decisions/s | p50, ms | p90 | p99 | CPU a decision, ms | PostgreSQL's, ms "
    "| KB sent a decision | memory, MiB"
)


@dataclass(frozen=True)
class Load:
    """What is measured. pace: decisions a second over all tables; None: as fast as answers come.

    bots: tables at which bots play alone, without a pause.
    """

    name: str
    setup: Setup
    tables: int
    game: str = "eko"
    pace: float | None = None
    bots: int = 0


@dataclass(frozen=True)
class Figures:
    """What was measured. waits: p50, p90, p99 in milliseconds. cpu: milliseconds a decision.

    sent: bytes a decision. memory: bytes of all server processes.
    """

    rate: float
    waits: tuple[float, float, float]
    cpu: float
    database_cpu: float
    sent: float
    memory: int

    def row(self, name: str) -> list[str]:
        """Return a row of the table."""
        database = f"{self.database_cpu:.2f}" if self.database_cpu else "–"
        waits = [f"{wait:,.1f}" for wait in self.waits]
        costs = [f"{self.cpu:.2f}", database, f"{self.sent / 1000:.1f}", f"{self.memory / 2**20:,.0f}"]
        return [name, f"{self.rate:,.0f}", *waits, *costs]


def measure_server(tables: Sequence[int], seconds: float, only: str) -> str:
    """Measure one process on SQLite in several ways; return the table."""
    loads = [Load(f"Ekö, closed loop, {n} tables", SQLITE, n) for n in tables or (10, 100, 500, 1000)]
    loads += [
        Load("Ekö, 10/s over 10 tables", SQLITE, 10, pace=10),
        Load("Ekö, 100/s over 100 tables", SQLITE, 100, pace=100),
        Load("Ekö, 250/s over 500 tables", SQLITE, 500, pace=250),
        Load("Ekö, 10/s over 10 tables beside 300 of bots", WITH_BOTS, 10, pace=10, bots=300),
        Load("EKKO, closed loop, 1 table", SQLITE, 1, "ekko"),
        Load("EKKO, closed loop, 50 tables", SQLITE, 50, "ekko"),
    ]
    return format_table(HEADER, _rows(loads, seconds, only))


def measure_capacity(tables: Sequence[int], seconds: float, only: str) -> str:
    """Measure each set-up at growing numbers of tables; return the table."""
    loads = [
        Load(f"{setup.name}, {number} tables", setup, number)
        for number in tables or (100, 1000)
        for setup in (SQLITE, POSTGRES, TWO)
    ]
    return format_table(HEADER, _rows(loads, seconds, only))


def _rows(loads: Iterable[Load], seconds: float, only: str) -> list[list[str]]:
    return [_figures(load, seconds).row(load.name) for load in loads if only in load.name]


def _figures(load: Load, seconds: float) -> Figures:
    return run_and_show(load.name, measure(load, seconds))


def run_and_show(name: str, measurement: Coroutine[Any, Any, Figures]) -> Figures:
    """Run a measurement, and print its row."""
    gc.collect()
    figures = uvloop.run(measurement)
    print(*figures.row(name), sep="  ", flush=True)
    return figures


async def measure(load: Load, seconds: float) -> Figures:
    """Start a server, open tables, let them play for some seconds, and return what that took."""
    players = EKKO_PLAYERS if load.game == "ekko" else 2
    with running(load.setup) as servers:
        async with sessions(servers.addresses, min(SESSIONS, players * load.tables)) as opened:
            for seed in range(load.bots):
                await opened[0].create_table(_bots_alone(seed))
            tables = await open_tables(opened, load.tables, load.game)
            return await play_tables(servers, tables, load.pace, seconds)


async def open_tables(opened: Sequence[Session], count: int, game: str = "eko") -> list[Table]:
    """Open tables of a game, with the sessions sharing their seats."""
    players = EKKO_PLAYERS if game == "ekko" else 2
    groups = itertools.cycle(zip(*[iter(opened)] * players, strict=False))
    games = itertools.cycle(scripts(GAMES))
    tables: list[Table] = [
        EkkoTable(next(groups)) if game == "ekko" else EkoTable(next(groups), next(games))
        for _ in range(count)
    ]
    await open_all(tables)
    return tables


async def open_all(tables: Sequence[Table]) -> None:
    """Open tables, some of them at the same time."""
    for start in range(0, len(tables), AT_ONCE):
        await asyncio.gather(*(table.open() for table in tables[start : start + AT_ONCE]))


async def play_tables(
    servers: Servers, tables: Sequence[Table], pace: float | None, seconds: float
) -> Figures:
    """Let tables play for some seconds, and return what that took."""
    clock = _Clock(len(tables) / pace if pace else 0.0)
    playing = [
        asyncio.create_task(clock.start(table, number / len(tables))) for number, table in enumerate(tables)
    ]
    await _sleep(WARM_UP, playing)
    begun, before, database_before = time.perf_counter(), servers.cost(), servers.database()
    received = sum(table.received for table in tables)
    clock.waits.clear()
    await _sleep(seconds, playing)
    passed, after, database = time.perf_counter() - begun, servers.cost(), servers.database()
    sent = sum(table.received for table in tables) - received
    waits = list(clock.waits)
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    count = len(waits)
    p50, p90, p99 = (float(wait) * 1000 for wait in np.percentile(waits, [50, 90, 99]))
    return Figures(
        rate=count / passed,
        waits=(p50, p90, p99),
        cpu=1000 * (after.cpu - before.cpu) / count,
        database_cpu=1000 * (database.cpu - database_before.cpu) / count,
        sent=sent / count,
        memory=after.memory,
    )


class _Clock:
    """Keeps the pace, and how many seconds each decision took. every: seconds between a table's decisions."""

    def __init__(self, every: float) -> None:
        self.waits: list[float] = []
        self._every = every

    async def start(self, table: Table, part: float) -> None:
        """Play at a table. part: of the interval after which it begins, so that tables don't act together."""
        await asyncio.sleep(self._every * part)
        await table.play(self)

    def record(self, sent_at: float) -> None:
        self.waits.append(time.perf_counter() - sent_at)

    async def wait(self, sent_at: float) -> None:
        if self._every:
            await asyncio.sleep(max(0.0, sent_at + self._every - time.perf_counter()))


async def _sleep(seconds: float, playing: Sequence[asyncio.Task[None]]) -> None:
    """Sleep while tables play. Raises what one of them raises."""
    ended, _ = await asyncio.wait(playing, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
    for task in ended:
        task.result()


def _bots_alone(seed: int) -> dict[str, object]:
    seats = [{"kind": "bot", "bot": "random"}] * 4
    return {"game": "eko", "options": {"players": 4, "seed": seed}, "seats": seats}
