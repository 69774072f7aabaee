"""How often people may say something: a bound for each of them, and one for each table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil
from time import time

from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter

from ekoes.errors import TalkError

__all__ = ["HERE", "Count", "Counter", "Tempo", "seconds_until"]

_LINES = (parse("6 per 10 seconds"), parse("60 per 10 minutes"))
_LINES_OF_A_TABLE = (parse("100 per minute"),)
_REPORTS = (parse("10 per hour"),)


class Counter:
    """Counts what is done, in memory: a server that starts anew has forgotten it.

    name: of what is counted.
    """

    def __init__(self, name: str) -> None:
        """Begin with nothing."""
        self.name = name
        self._limiter = SlidingWindowCounterRateLimiter(MemoryStorage())

    async def wait(self, limits: Sequence[RateLimitItem], whose: str) -> int | None:
        """Count once more. Returns: None if that may be, else the seconds until it may."""
        for limit in limits:
            if not self._limiter.hit(limit, whose):
                return seconds_until(self._limiter.get_window_stats(limit, whose).reset_time)
        return None


Count = Callable[[str], Counter]
"""Makes a counter of what has a name."""
HERE: Count = Counter
"""Makes one that counts what is done in this process."""


def seconds_until(moment: float) -> int:
    """Return the seconds until a moment, one at least. moment: seconds since 1970."""
    return max(1, ceil(moment - time()))


class Tempo:
    """Holds back who says too much. All of it raises TalkError that tells how long to wait."""

    def __init__(self, count: Count = HERE) -> None:
        """Begin with nothing said."""
        self._counter = count("talk")

    async def line(self, table_id: str, holder: str) -> None:
        """Count a line that somebody says at a table."""
        await self._count(_LINES, f"line {holder}")
        await self._count(_LINES_OF_A_TABLE, f"table {table_id}")

    async def report(self, holder: str) -> None:
        """Count a report."""
        await self._count(_REPORTS, f"report {holder}")

    async def _count(self, limits: Sequence[RateLimitItem], whose: str) -> None:
        if wait := await self._counter.wait(limits, whose):
            raise TalkError(f"too much at once; try again in {wait} seconds", code="talk/too-fast", wait=wait)
