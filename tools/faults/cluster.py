"""Server processes that can be killed, stopped and started again: one alone, or several of one database."""

from __future__ import annotations

import asyncio
import itertools
import multiprocessing
import os
import signal
import socket
from collections.abc import Sequence
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from time import monotonic

import httpx

from ekoes.server.settings import Settings
from tools.faults.database import Database
from tools.faults.proxy import Address, Proxy
from tools.faults.server import serve
from tools.faults.times import Span

__all__ = ["Cluster", "Process"]

_PAUSE = 0.02

_COPIES = multiprocessing.get_context("forkserver")
_COPIES.set_forkserver_preload(["tools.faults.preloaded"])


class Process:
    """A server at a port of its own.

    way: what lies between it and its database, if anything does. spans: from when to when it was there.
    """

    def __init__(self, data: Path, database: Database, log: Path, redis: str = "", *, is_alone: bool) -> None:
        """Begin without a process. data: its folder; log: what it says besides; redis: a URL, or nothing."""
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.address: Address = free.getsockname()[:2]
        self._data, self._database, self._log = data, database, log
        self._redis, self._is_alone = redis, is_alone
        self._url = ""
        self._process: ForkServerProcess | None = None
        self._ear: Connection | None = None
        self._begun = 0.0
        self.way: Proxy | None = None
        self.is_up = asyncio.Event()
        self.ahead = 0.0
        self.spans: list[Span] = []

    @property
    def url(self) -> str:
        """Where it is."""
        return "http://{}:{}".format(*self.address)

    @property
    def pid(self) -> int:
        """Of the process."""
        return (self._process.pid if self._process is not None else None) or 0

    async def start(self) -> None:
        """Start it, and return when it answers."""
        if not self._url:
            self._url, self.way = await self._database.way()
        self._ear, told = _COPIES.Pipe()
        arguments = (self._settings(), self.address[1], self._log, self.ahead, told)
        self._process = _COPIES.Process(target=serve, args=arguments, daemon=True)
        await asyncio.to_thread(self._process.start)
        async with httpx.AsyncClient() as client:
            while self._process.is_alive():
                try:
                    await client.get(f"{self.url}/healthz", timeout=60)
                except httpx.TransportError:
                    await asyncio.sleep(_PAUSE)
                else:
                    self._begun = monotonic()
                    self.is_up.set()
                    return
        raise RuntimeError(f"the server does not start: {self._log.read_text()[-2000:]}")

    def _settings(self) -> Settings:
        cluster = "" if self._is_alone else "{}:{}".format(*self.address)
        return Settings(
            data=self._data, database=self._url, bot_workers=0, cluster=cluster, redis=self._redis
        )

    def say(self, word: str, number: float) -> None:
        """Tell the process something (``server.serve``)."""
        if self._ear is not None:
            self._ear.send((word, number))

    def jump(self, seconds: float) -> None:
        """Set its clock on the wall forward, or back; who is started again finds it so."""
        self.ahead += seconds
        self.say("jump", seconds)

    def send(self, sign: signal.Signals) -> None:
        """Send a signal."""
        if self._process is not None and self._process.is_alive():
            os.kill(self.pid, sign)

    async def end(self, sign: signal.Signals = signal.SIGKILL) -> None:
        """End it as a power cut would, or by another signal."""
        self.send(sign)
        await self.ended()

    async def ended(self) -> None:
        """Return when it is gone."""
        if self._process is not None:
            await asyncio.to_thread(self._process.join)
        if self.is_up.is_set():
            self.spans.append((self._begun, monotonic()))
        self.is_up.clear()

    async def close(self) -> None:
        """End it, and what lies between it and its database."""
        await self.end()
        if self.way is not None:
            await self.way.close()


class Cluster:
    """All servers of one database. A player's next line comes to any that is there."""

    def __init__(self, data: Path, database: Database, log: Path, number: int = 1, redis: str = "") -> None:
        """Begin without processes. data: their folder. number: how many. redis: a URL, or nothing."""
        self.processes: Sequence[Process] = [
            Process(data, database, log, redis, is_alone=number == 1) for _ in range(number)
        ]
        self._turn = itertools.cycle(self.processes)

    async def start(self) -> None:
        """Start them all."""
        for process in self.processes:  # the first one makes the keys
            await process.start()

    def others(self, process: Process) -> bool:
        """Tell whether another one than this is there."""
        return any(each.is_up.is_set() for each in self.processes if each is not process)

    @property
    def spans(self) -> list[Span]:
        """From when to when each of them was there."""
        return [span for process in self.processes for span in process.spans]

    def next(self) -> Address | None:
        """Return the address of a server that is there, of each in its turn; None: there is none."""
        turns = itertools.islice(self._turn, len(self.processes))
        return next((process.address for process in turns if process.is_up.is_set()), None)

    async def end(self) -> None:
        """End them all."""
        await asyncio.gather(*(process.close() for process in self.processes))
