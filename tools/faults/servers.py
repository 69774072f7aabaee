"""Server processes that faults can strike: how they are started, killed, stopped and made to misbehave."""

from __future__ import annotations

import asyncio
import itertools
import multiprocessing
import os
import signal
import socket
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Any

import httpx
import time_machine
from sqlalchemy import Engine, event

from ekoes.server.app import create_app
from ekoes.server.http.requests import services_of
from ekoes.server.realtime.sockets import Server
from ekoes.server.settings import Settings
from tests.services.redis import RedisServer
from tools.faults.player import Figures, Span
from tools.faults.services import Address, Database, Disk, Proxy, Service

_PAUSE = 0.02

# Servers are copies of a process that has loaded all modules and kernels once.
_COPIES = multiprocessing.get_context("forkserver")
_COPIES.set_forkserver_preload(["tests.kit.preload", "tools.faults.run"])


class Process:
    """A server at a port of its own.

    way: what lies between it and its database, if anything does. spans: from when to when it was there.
    """

    def __init__(self, data: Path, database: Database, log: Path, redis: str = "", *, is_alone: bool) -> None:
        """Begin without a process. data: its folder; log: of its output; redis: a URL, or nothing."""
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.address: Address = free.getsockname()[:2]
        self._data, self._database, self._log = data, database, log
        self._redis, self._is_alone = redis, is_alone
        self._url = ""
        self._process: ForkServerProcess | None = None
        self._orders: Connection | None = None
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
        self._orders, orders = _COPIES.Pipe()
        arguments = (self._settings(), self.address[1], self._log, self.ahead, orders)
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

    def order(self, name: str, number: float) -> None:
        """Send an order to the process (``serve``)."""
        if self._orders is not None:
            self._orders.send((name, number))

    def jump(self, seconds: float) -> None:
        """Set its wall clock forward, or back, also of the processes that follow."""
        self.ahead += seconds
        self.order("jump", seconds)

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


_WRITES = ("INSERT", "UPDATE", "DELETE", "WITH")


def cut(engine: Engine, statements: int) -> None:
    """Kill this process once it has changed a database so often, in whatever transaction that is.

    It ends before the statement after these, and so before the commit.
    """
    done = count(1)

    def counts(_connection: Any, _cursor: Any, statement: str, *_: object) -> None:  # noqa: ANN401
        if statement.startswith(_WRITES) and next(done) > statements:
            os.kill(os.getpid(), signal.SIGKILL)

    event.listen(engine, "before_cursor_execute", counts)


def serve(settings: Settings, port: int, log: Path, ahead: float, orders: Connection) -> None:
    """Serve until the process is ended, or ends itself.

    ahead: seconds by which the wall clock is wrong. orders: ``(name, number)`` from the harness.
    """
    for stream in (1, 2):
        os.dup2(os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT), stream)
    wall = time_machine.travel(datetime.now(UTC) + timedelta(seconds=ahead)).start()
    app = create_app(settings)
    services = services_of(app)
    handlers: dict[str, Callable[[float], None]] = {
        "cut": lambda statements: cut(services.store._engine, int(statements)),  # noqa: SLF001
        "jump": wall.shift,
    }
    Thread(target=_listen, args=(orders, handlers), daemon=True).start()
    server = Server(app, services.hub, services.register.connections)
    server.config.port = port
    server.run()


def _listen(orders: Connection, handlers: dict[str, Callable[[float], None]]) -> None:
    """Carry out the orders of the harness; end when it is gone."""
    try:
        while True:
            name, number = orders.recv()
            handlers[name](number)
    except EOFError:
        os.kill(os.getpid(), signal.SIGKILL)


_LOOK = 0.05


class Scene:
    """All that a fault can act on: the servers of one database, what they stand on, and the way to them."""

    def __init__(
        self, disk: Disk, database: Database, log: Path, number: int, redis: RedisServer | None
    ) -> None:
        """Begin without processes. number: how many. redis: of the servers, if they have one."""
        self.disk, self.database = disk, database
        url = redis.url if redis else ""
        self.processes = [
            Process(disk.folder, database, log, url, is_alone=number == 1) for _ in range(number)
        ]
        self.proxy, self.figures = Proxy(self._next), Figures(on_message=self._received)
        self._turn, self._redis = itertools.cycle(self.processes), redis
        self._left = 0
        self._enough = asyncio.Event()

    async def start(self) -> None:
        """Start all servers."""
        for process in self.processes:  # the first one makes the keys
            await process.start()
        await self.proxy.open()

    async def end(self) -> None:
        """End them all."""
        await self.proxy.close()
        await asyncio.gather(*(process.close() for process in self.processes))

    @property
    def address(self) -> str:
        """Where players come in, by any server that is there."""
        return "http://{}:{}".format(*self.proxy.address)

    def _next(self) -> Address | None:
        """Return the address of the next running server, None if none is running."""
        turns = itertools.islice(self._turn, len(self.processes))
        return next((process.address for process in turns if process.is_up.is_set()), None)

    @property
    def service(self) -> Service:
        """The database, where it is a server of its own. Raises TypeError."""
        if not isinstance(self.database, Service):
            raise TypeError("the database is a file")
        return self.database

    @property
    def redis(self) -> RedisServer:
        """The Redis of the servers. Raises TypeError."""
        if self._redis is None:
            raise TypeError("the servers have no Redis")
        return self._redis

    def process(self, number: int) -> Process:
        """Return the server that a fault strikes. number: any."""
        return self.processes[number % len(self.processes)]

    async def without(self, process: Process, messages: int) -> None:
        """Return when the others have gone on for so many messages; at once where there are no others."""
        if any(each.is_up.is_set() for each in self.processes if each is not process):
            await self.messages(messages)

    async def refused(self, *codes: str) -> None:
        """Return when an order or a connection has been refused for one of some reasons."""
        before = self._refusals(codes)
        while self._refusals(codes) == before:  # noqa: ASYNC110 - no event exists for it
            await asyncio.sleep(_LOOK)

    def _refusals(self, codes: Sequence[str]) -> int:
        return sum(self.figures.refused[code] for code in codes)

    async def messages(self, number: int) -> None:
        """Return when players have received so many more messages."""
        self._enough.clear()
        self._left = number
        await self._enough.wait()

    def _received(self) -> None:
        self._left -= 1
        if self._left <= 0:
            self._enough.set()
