"""What it costs to open what lies in the store: a very long table, and a house with very many of them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import text

from benchmarks.carrying.games import eko_table
from benchmarks.carrying.report import Seen
from benchmarks.server.opening import open_long
from ekoes.server.clock import WallClock
from ekoes.server.hub import Hub
from ekoes.server.thinking.workers import Workers
from ekoes.storage.database import open_database
from ekoes.storage.store import Store

__all__ = ["measured"]

STORED = 100_000
TIMES = 5
MOST_LATER = 50
"""Milliseconds of work: less than a start takes anyway."""
_COUNT = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :stored) "


def measured() -> Iterator[Seen]:
    """Measure opening a long table, and starts with and without many stored ones in turns."""
    long = asyncio.run(open_long())
    yield Seen("opening a table of 2,000 decisions and writing all of it", long.cpu, "ms of work", 20)
    with TemporaryDirectory() as empty, TemporaryDirectory() as full:
        _store_many(_url(full))
        starts = [(asyncio.run(_start(_url(empty))), asyncio.run(_start(_url(full)))) for _ in range(TIMES)]
    without, beside = (1000 * min(some) for some in zip(*starts, strict=True))
    yield Seen(f"start with {STORED:,} stored tables, later", beside - without, "ms of work", MOST_LATER)


def _url(folder: str) -> str:
    return f"sqlite:///{Path(folder) / 'tables.sqlite'}"


async def _start(url: str) -> float:
    """Start where nothing goes on, and return the seconds of processor time until all of it does."""
    begun = time.process_time()
    store = Store(url)
    hub = Hub(store, WallClock(), thinkers=Workers(0))
    await hub.start()
    await hub.woken()
    took = time.process_time() - begun
    await hub.stop()
    store.close()
    return took


def _store_many(url: str) -> None:
    """Keep a table, and many more like it: each with its seats and its state."""
    store = Store(url)
    store.create("first", eko_table(1, 2), WallClock().now())
    store.close()
    engine = open_database(url)
    with engine.begin() as connection:
        for table, key in (("tables", "id"), ("seats", "table_id"), ("states", "table_id")):
            columns = [row.name for row in connection.execute(text(f"PRAGMA table_info({table})"))]
            values = ["'t' || n.i" if name == key else f"one.{name}" for name in columns]
            copied = f"INSERT INTO {table} {_COUNT} SELECT {', '.join(values)} FROM n, {table} one"  # noqa: S608
            connection.execute(text(copied), {"stored": STORED})
    engine.dispose()
