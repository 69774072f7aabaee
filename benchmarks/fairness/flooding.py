"""What an opponent waits while somebody floods their table by a hundred sockets of one session."""

from __future__ import annotations

import asyncio
import itertools
import json
import multiprocessing
import statistics
import time
from contextlib import suppress
from multiprocessing.synchronize import Event
from pathlib import Path
from tempfile import TemporaryDirectory

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from benchmarks.bots_beside_people import server
from benchmarks.fairness.report import Figure
from tests.server.browser import Browser, Socket

SOCKETS = 100
ORDERS = 60
AHEAD = 10
"""Messages that each socket has on its way."""


def measured() -> list[Figure]:
    """Measure an opponent's orders before a flood and in the midst of it."""
    with TemporaryDirectory() as folder, server(Path(folder)) as address:
        flooder, opponent = Browser(address), Browser(address)
        table = flooder.create_race("here", "open", turn_clock=600)
        with opponent.open(table) as socket:
            socket.ask("sit", seat=1)
            calm = waits(socket)
            with_flood = flooded(address, table, flooder.cookie, socket)
    return [
        Figure("an opponent waits, median: nobody floods", calm, "ms", (0, 1000)),
        Figure("… 100 sockets of a session flood the table", with_flood, "ms", (0, max(25.0, 8 * calm))),
    ]


def flooded(address: str, table: str, cookie: str, socket: Socket) -> float:
    """Return what the opponent waits while a process floods the table."""
    start = multiprocessing.get_context("spawn")
    is_on = start.Event()
    process = start.Process(target=flood, args=(address, table, cookie, is_on), daemon=True)
    process.start()
    try:
        is_on.wait(60)
        waits(socket, 5)
        return waits(socket)
    finally:
        process.kill()
        process.join()


def waits(socket: Socket, number: int = ORDERS) -> float:
    """Return the median of what orders wait for their acknowledgement, in milliseconds."""
    times = []
    for count in range(number):
        began = time.perf_counter()
        assert socket.ask("rename", seat=1, name=f"Bob {count}")["type"] == "ack"
        times.append(1000 * (time.perf_counter() - began))
    return statistics.median(times)


def flood(address: str, table: str, cookie: str, is_on: Event) -> None:
    """Rename a seat by all sockets for as long as this process lives."""
    asyncio.run(_flood(address.replace("http", "ws").rstrip("/"), table, cookie, is_on))


async def _flood(address: str, table: str, cookie: str, is_on: Event) -> None:
    names = itertools.count()

    async def one() -> None:
        path = f"{address}/api/tables/{table}/socket"
        headers = {"Cookie": cookie}
        async with connect(path, additional_headers=headers, proxy=None, max_size=None) as line:
            for _ in range(AHEAD):
                await line.send(rename(next(names)))
            async for text in line:
                if json.loads(text)["type"] in {"ack", "error"}:
                    await line.send(rename(next(names)))

    async def whatever_comes() -> None:
        with suppress(ConnectionClosed, OSError):
            await one()

    tasks = [asyncio.create_task(whatever_comes()) for _ in range(SOCKETS)]
    await asyncio.sleep(3)
    is_on.set()
    await asyncio.gather(*tasks)


def rename(number: int) -> str:
    """Write an order that changes a name."""
    order = {"type": "rename", "key": f"f{number}", "seat": 0, "name": f"Ada {number}"}
    return json.dumps(order)
