"""The line to Redis: never waited for long, and done without while it is away."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import TYPE_CHECKING, TypeVar

from ekoes.errors import EkoesError
from ekoes.server.logs import log_of
from ekoes.server.tasks import end

if TYPE_CHECKING:
    from redis.asyncio import Redis

__all__ = ["Link", "RedisAwayError"]

T = TypeVar("T")

_LOG = log_of("ekoes.server")
_PATIENCE = 0.5
"""Seconds in which Redis has to answer."""
_LOOK_AGAIN = 1.0
_LINES = 8
"""So many ask at the same time, each by a line of its own: more would only wait there."""
_SCHEMES = ("redis://", "rediss://")
_PROBE = "ekoes:probe"


class RedisAwayError(Exception):
    """Redis does not answer, or can't do what was asked."""


class Link:
    """Asks Redis. Once it is away nobody asks it any more but a task, which looks whether it is back.

    redis: for whoever waits for it anyway. url: where it is. is_there: whether it answered when it was last
    asked. failures: what asking it raises where it is not; a timeout is an ``OSError``.
    """

    def __init__(self, url: str) -> None:
        """Begin without a line. url: such as ``redis://:password@10.0.0.7:6379/0``. Raises EkoesError."""
        self.redis = _client(url)
        self.failures: tuple[type[Exception], ...] = (import_module("redis").RedisError, OSError)
        self.url = url
        self.is_there = True
        self._lines = asyncio.Semaphore(_LINES)
        self._watching: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Find out whether it is there, from now on."""
        await self._look()
        self._watching = asyncio.create_task(self._watch(), name="redis")

    async def stop(self) -> None:
        """Close all lines."""
        await end(self._watching)
        await self.redis.aclose()

    async def ask(self, work: Callable[[], Awaitable[T]]) -> T:
        """Return what it answers. work: asks it, and raises whatever it does. Raises RedisAwayError."""
        async with self._lines:
            if not self.is_there:
                raise RedisAwayError
            return await self._try(work)

    async def _try(self, work: Callable[[], Awaitable[T]]) -> T:
        try:
            async with asyncio.timeout(_PATIENCE):
                return await work()
        except self.failures as error:
            if self.is_there:
                self.is_there = False
                reason = str(error) or type(error).__name__
                _LOG.warning("Redis is away: this server goes on without it", error=reason)
            raise RedisAwayError from error

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_AGAIN)
            await self._look()

    async def _look(self) -> None:
        """Look whether it takes anything: one that is full, or a copy, answers and is of no use."""
        try:
            await self._try(lambda: self.redis.set(_PROBE, 1, ex=60))
        except RedisAwayError:
            return
        if not self.is_there:
            self.is_there = True
            _LOG.warning("Redis is back")


def _client(url: str) -> Redis:
    """Return a client that neither waits nor tries again by itself. Raises EkoesError."""
    if not url.startswith(_SCHEMES):
        raise EkoesError("--redis needs an address such as redis://127.0.0.1:6379/0", code="redis/address")
    try:
        library = import_module("redis.asyncio")
        retry = import_module("redis.backoff").NoBackoff()
    except ImportError as error:
        message = "Redis needs a library that is not installed: pip install 'ekoes[redis]'"
        raise EkoesError(message, code="redis/address") from error
    try:
        client: Redis = library.Redis.from_url(
            url, retry=library.retry.Retry(retry, 0), socket_connect_timeout=_PATIENCE
        )
    except ValueError as error:  # it does not repeat the address, which may hold a password
        raise EkoesError("--redis: this is no address of a Redis", code="redis/address") from error
    return client
