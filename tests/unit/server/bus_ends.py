"""Processes that say something to each other, by one bus or another."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import count
from typing import Any

import uvicorn

from ekoes.server.cluster.bus import Bus, Either, Word
from ekoes.server.cluster.by_http import HttpBus
from ekoes.server.cluster.by_redis import CHANNELS, RedisBus
from ekoes.server.cluster.seal import Seal
from ekoes.server.guard import Guard
from ekoes.server.together.link import Link

__all__ = ["SEAL", "End", "ends"]

SEAL = Seal(b"k" * 32)


class End:
    """A process. heard: what it was told, in order. does: whether it does what it is told."""

    def __init__(self, name: str, bus: Bus, address: str) -> None:
        self.name, self.bus, self.address = name, bus, address
        self.heard: list[str] = []
        self.does = True
        self._numbers = count()

    def word(self, to: str, text: str) -> Word:
        """Return a word that nobody has said yet."""
        return Word(to, self.name, self.address, next(self._numbers), "news", text)

    async def say(self, to: End, text: str) -> bool:
        """Say something to another one."""
        return await self.bus.say(self.word(to.name, text), to.address)

    async def hear(self, word: Word) -> bool:
        """Take something in."""
        self.heard.append(f"{word.by} {word.topic} {word.text}")
        return self.does and word.to == self.name


@asynccontextmanager
async def ends(kind: str, url: str, names: str = "ab") -> AsyncIterator[list[End]]:
    """Let processes be there. kind: ``http``, ``redis``, or ``either``. url: of a Redis."""
    async with AsyncExitStack() as open_now:
        yield [await open_now.enter_async_context(_end(name, kind, url)) for name in names]


@asynccontextmanager
async def _end(name: str, kind: str, url: str) -> AsyncIterator[End]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"127.0.0.1:{listener.getsockname()[1]}"
        link, by_http = Link(url), HttpBus(SEAL)
        by_redis = RedisBus(link, address, SEAL)
        buses: dict[str, Bus] = {"http": by_http, "redis": by_redis, "either": Either(by_redis, by_http)}
        bus = buses[kind]
        end = End(name, bus, address)
        await link.start()
        async with _served(by_http, listener), _stopped(bus, link):
            await bus.start(end.hear)
            await _listens(link, address, kind)
            yield end


@asynccontextmanager
async def _stopped(*parts: Bus | Link) -> AsyncIterator[None]:
    try:
        yield
    finally:
        for part in parts:
            await part.stop()


@asynccontextmanager
async def _served(by_http: HttpBus, listener: socket.socket) -> AsyncIterator[None]:
    async def application(scope: Any, receive: Any, send: Any) -> None:
        await by_http.answer(scope, receive, send)

    config = uvicorn.Config(
        Guard(application), lifespan="off", log_level="error", timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve([listener]))
    try:
        yield
    finally:
        server.should_exit = True
        await serving


async def _listens(link: Link, address: str, kind: str) -> None:
    """Return when a process hears what comes by Redis, if it ever does."""
    while kind != "http" and not (await link.redis.pubsub_numsub(CHANNELS + address))[0][1]:  # noqa: ASYNC110 - Redis tells nobody
        await asyncio.sleep(0.01)
