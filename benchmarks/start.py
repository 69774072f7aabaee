"""How long `ekoes play` takes to start, and the memory of all its processes together."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from contextlib import suppress
from tempfile import TemporaryDirectory

import httpx

from benchmarks.processes import memory_of_all, started
from benchmarks.report import format_table
from benchmarks.server import SESSIONS, open_tables
from benchmarks.tables import sessions

RUNS = 5
TABLES = 1_000
_PATIENCE = 120
_MIB = 1 << 20


def measure_start() -> str:
    """Measure first and later starts, and memory; return the table."""
    with TemporaryDirectory() as cache:
        _, first, ready = _start({"EKOES_CACHE_DIR": cache})
    later = [sorted(times)[RUNS // 2] for times in zip(*(_start({}) for _ in range(RUNS)), strict=True)]
    imports = sorted(_import() for _ in range(RUNS))[RUNS // 2]
    idle, asked, full = asyncio.run(_memory())
    rows = [
        ("first start, until a game can be played", f"{first:.1f} s", ""),
        ("first start, until all bots are ready", f"{ready:.1f} s", ""),
        ("later start, until the page is answered", f"{later[0]:.2f} s", "1.2 s"),
        ("later start, until a game can be played", f"{later[1]:.2f} s", ""),
        ("`import ekoes`, the whole process", f"{imports:.2f} s", "0.15 s"),
        ("memory, idle", f"{idle / _MIB:.0f} MiB", "220 MiB"),
        ("memory, after a bot has played", f"{asked / _MIB:.0f} MiB", ""),
        (f"memory, {TABLES:,} tables with both players connected", f"{full / _MIB:.0f} MiB", "320 MiB"),
    ]
    return format_table("what | measured | at most", rows)


def _start(environment: dict[str, str]) -> tuple[float, float, float]:
    """Return the seconds until a server sends the page, knows its games, and has all its bots ready."""
    begun = time.perf_counter()
    with TemporaryDirectory() as data, started(data, environment) as (_, address):
        answered = until_answered(address, begun)
        knows_games = until_answered(f"{address}api/meta", begun)
        while httpx.get(f"{address}api/meta").json()["preparing"]:
            time.sleep(0.1)
        return answered, knows_games, time.perf_counter() - begun


def until_answered(address: str, begun: float) -> float:
    """Return the seconds since a moment when an address answers with success. Raises TimeoutError."""
    over = time.perf_counter() + _PATIENCE
    while time.perf_counter() < over:
        with suppress(httpx.TransportError):
            if httpx.get(address, timeout=60).status_code == httpx.codes.OK:
                return time.perf_counter() - begun
        time.sleep(0.01)
    raise TimeoutError(f"{address} does not answer")


def _import() -> float:
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import ekoes"], check=True)
    return time.perf_counter() - begun


async def _memory() -> tuple[int, int, int]:
    """Return the bytes of an idle server, of one whose bot has played, and of one with many tables."""
    with TemporaryDirectory() as data, started(data) as (pid, address):
        until_answered(address, 0.0)
        await asyncio.sleep(3)  # the kernels load after the first answer
        idle = memory_of_all(pid)
        async with sessions([address], SESSIONS) as opened:
            await open_tables(opened, TABLES)
            full = memory_of_all(pid)
    with TemporaryDirectory() as data, started(data) as (pid, address):
        until_answered(address, 0.0)
        async with sessions([address], 1) as (session,):
            bots = [{"kind": "bot", "bot": "greedy"}, {"kind": "bot", "bot": "greedy"}]
            await session.create_table({"game": "eko", "options": {"players": 2}, "seats": bots})
        await asyncio.sleep(10)
        asked = memory_of_all(pid)
    return idle, asked, full
