"""What is done at any of several servers, counted in Redis."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

from limits import RateLimitItem
from limits.aio.storage import RedisStorage
from limits.aio.strategies import SlidingWindowCounterRateLimiter

from ekoes.server.tempo import Counter, seconds_until
from ekoes.server.together.link import Link, RedisAwayError

__all__ = ["CommonCounter", "Counting"]


class CommonCounter(Counter):
    """Counts for all servers. While Redis is away it counts what is done here, from nothing on."""

    def __init__(self, name: str, link: Link, limiter: SlidingWindowCounterRateLimiter, key: bytes) -> None:
        """Count under a name. key: so that nobody reads in Redis who it was that did something."""
        super().__init__(name)
        self._link = link
        self._common = limiter
        self._key = key

    async def wait(self, limits: Sequence[RateLimitItem], whose: str) -> int | None:
        """Count once more. Returns: None if that may be, else the seconds until it may."""
        who = blake2b(f"{self.name} {whose}".encode(), key=self._key[:64], digest_size=16).hexdigest()
        try:
            return await self._link.ask(lambda: self._wait_together(limits, who))
        except RedisAwayError:
            return await super().wait(limits, whose)

    async def _wait_together(self, limits: Sequence[RateLimitItem], who: str) -> int | None:
        for limit in limits:
            if not await self._common.hit(limit, who):
                return seconds_until((await self._common.get_window_stats(limit, who)).reset_time)
        return None


class Counting:
    """Makes counters that count together with those of the same name at other servers."""

    def __init__(self, link: Link, key: bytes) -> None:
        """Count by a line to Redis. key: a secret that all servers have."""
        self._link = link
        self._key = key
        lines: dict[str, Any] = {"connection_pool": link.redis.connection_pool}
        storage = RedisStorage(f"async+{link.url}", implementation="redispy", key_prefix="ekoes", **lines)
        self._limiter = SlidingWindowCounterRateLimiter(storage)

    def __call__(self, name: str) -> Counter:
        """Return a counter."""
        return CommonCounter(name, self._link, self._limiter, self._key)
