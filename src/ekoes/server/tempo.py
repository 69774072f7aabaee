"""How often people may say something: a bound for each of them, and one for each table."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from time import time

from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter

from ekoes.errors import TalkError

__all__ = ["Counter", "Tempo"]

_LINES = (parse("6 per 10 seconds"), parse("60 per 10 minutes"))
_LINES_OF_A_TABLE = (parse("100 per minute"),)
_REPORTS = (parse("10 per hour"),)


class Counter:
    """Counts what is done, in memory: a server that starts anew has forgotten it."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._limiter = SlidingWindowCounterRateLimiter(MemoryStorage())

    def wait(self, limits: Sequence[RateLimitItem], whose: str) -> int | None:
        """Count once more. Returns: None if that may be, else the seconds until it may."""
        for limit in limits:
            if not self._limiter.hit(limit, whose):
                return max(1, ceil(self._limiter.get_window_stats(limit, whose).reset_time - time()))
        return None


class Tempo:
    """Holds back who says too much. All of it raises TalkError that tells how long to wait."""

    def __init__(self) -> None:
        """Begin with nothing said."""
        self._counter = Counter()

    def line(self, table_id: str, holder: str) -> None:
        """Count a line that somebody says at a table."""
        self._count(_LINES, f"line {holder}")
        self._count(_LINES_OF_A_TABLE, f"table {table_id}")

    def report(self, holder: str) -> None:
        """Count a report."""
        self._count(_REPORTS, f"report {holder}")

    def _count(self, limits: Sequence[RateLimitItem], whose: str) -> None:
        if wait := self._counter.wait(limits, whose):
            raise TalkError(f"too much at once; try again in {wait} seconds", code="talk/too-fast", wait=wait)
