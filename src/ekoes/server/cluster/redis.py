"""The connection to Redis, and rate limits that several processes count together in it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from hashlib import blake2b
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from limits import RateLimitItem
from limits.aio.storage import RedisStorage
from limits.aio.strategies import SlidingWindowCounterRateLimiter

from ekoes.errors import EkoesError
from ekoes.server.ops.limits import Counter, seconds_until
from ekoes.server.ops.logs import log_of
from ekoes.server.ops.tasks import end

if TYPE_CHECKING:
    from redis.asyncio import Redis

T = TypeVar("T")

_LOG = log_of("ekoes.server")
_TIMEOUT = 0.5
_PROBE_INTERVAL = 1.0
_CONCURRENCY = 8
"""Commands at the same time, each on a connection of its own: more would only wait in Redis."""
_SCHEMES = ("redis://", "rediss://")
_PROBE_KEY = "ekoes:probe"


class RedisAwayError(Exception):
    """Redis does not answer, or can't do what was asked."""


class RedisLink:
    """A connection that gives up quickly. While Redis is down only a probe queries it, once a second.

    client: for callers that may wait for Redis. is_connected: whether it answered the last command.
    failures: the exceptions of a client whose Redis is down; a timeout is an ``OSError``.
    """

    def __init__(self, url: str) -> None:
        """Does not connect yet. url: such as ``redis://:password@10.0.0.7:6379/0``. Raises EkoesError."""
        self.client = _client(url)
        self.failures: tuple[type[Exception], ...] = (import_module("redis").RedisError, OSError)
        self.url = url
        self.is_connected = True
        self._slots = asyncio.Semaphore(_CONCURRENCY)
        self._probing: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to probe."""
        await self._probe()
        self._probing = asyncio.create_task(self._keep_probing(), name="redis")

    async def stop(self) -> None:
        """Close all connections."""
        await end(self._probing)
        await self.client.aclose()

    async def run(self, command: Callable[[], Awaitable[T]]) -> T:
        """Return the result of a command. Raises RedisAwayError."""
        async with self._slots:
            if not self.is_connected:
                raise RedisAwayError
            return await self._try(command)

    async def _try(self, command: Callable[[], Awaitable[T]]) -> T:
        try:
            async with asyncio.timeout(_TIMEOUT):
                return await command()
        except self.failures as error:
            if self.is_connected:
                self.is_connected = False
                reason = str(error) or type(error).__name__
                _LOG.warning("Redis is away: this server goes on without it", error=reason)
            raise RedisAwayError from error

    async def _keep_probing(self) -> None:
        while True:
            await asyncio.sleep(_PROBE_INTERVAL)
            await self._probe()

    async def _probe(self) -> None:
        """Write a value: a full Redis or a replica answers, but can't be used."""
        try:
            await self._try(lambda: self.client.set(_PROBE_KEY, 1, ex=60))
        except RedisAwayError:
            return
        if not self.is_connected:
            self.is_connected = True
            _LOG.warning("Redis is back")


def _client(url: str) -> Redis:
    """Return a client that neither waits nor retries by itself. Raises EkoesError."""
    if not url.startswith(_SCHEMES):
        raise EkoesError("--redis needs an address such as redis://127.0.0.1:6379/0", code="redis/address")
    try:
        library = import_module("redis.asyncio")
        no_backoff = import_module("redis.backoff").NoBackoff()
    except ImportError as error:
        message = "--redis needs a library that is not installed: pip install 'ekoes[redis]'"
        raise EkoesError(message, code="redis/address") from error
    try:
        client: Redis = library.Redis.from_url(
            url, retry=library.retry.Retry(no_backoff, 0), socket_connect_timeout=_TIMEOUT
        )
    except ValueError as error:  # the address may hold a password and is not repeated
        raise EkoesError("--redis is not the address of a Redis server", code="redis/address") from error
    return client


class SharedCounters:
    """Makes counters that processes share by name."""

    def __init__(self, link: RedisLink, key: bytes) -> None:
        """Count in Redis. key: a secret of all processes; no user can be recognised in Redis without it."""
        self._link = link
        self._key = key
        pool: dict[str, Any] = {"connection_pool": link.client.connection_pool}
        storage = RedisStorage(f"async+{link.url}", implementation="redispy", key_prefix="ekoes", **pool)
        self._limiter = SlidingWindowCounterRateLimiter(storage)

    def __call__(self, name: str) -> Counter:
        """Return the counter of a name."""
        return _SharedCounter(name, self._link, self._limiter, self._key)


class _SharedCounter(Counter):
    """While Redis is down it counts only this process's requests, from zero."""

    def __init__(
        self, name: str, link: RedisLink, limiter: SlidingWindowCounterRateLimiter, key: bytes
    ) -> None:
        super().__init__(name)
        self._link = link
        self._shared = limiter
        self._key = key

    async def wait(self, limits: Sequence[RateLimitItem], whose: str) -> int | None:
        digest = blake2b(f"{self.name} {whose}".encode(), key=self._key[:64], digest_size=16).hexdigest()
        try:
            return await self._link.run(lambda: self._wait_shared(limits, digest))
        except RedisAwayError:
            return await super().wait(limits, whose)

    async def _wait_shared(self, limits: Sequence[RateLimitItem], whose: str) -> int | None:
        for limit in limits:
            if not await self._shared.hit(limit, whose):
                return seconds_until((await self._shared.get_window_stats(limit, whose)).reset_time)
        return None
