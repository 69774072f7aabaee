"""How much somebody may send."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from ekoes.server.clock import Clock

__all__ = ["BURST", "LARGEST_MESSAGE", "MOST_SOCKETS", "RATE", "Bucket", "Lane", "Lanes"]

LARGEST_MESSAGE = 64 * 1024
"""Bytes of a message on the socket, and of the body of a request."""
RATE, BURST = 50, 200
"""Messages of one session to one table: each second in the long run, and at once."""
MOST_SOCKETS = 16
"""Sockets of one session at one table: each is told all that happens there."""


class Bucket:
    """A token bucket: ``burst`` messages at once, ``rate`` each second in the long run."""

    def __init__(self, rate: float, burst: int, clock: Callable[[], float]) -> None:
        """Begin full. clock: seconds, never going back."""
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._tokens = float(burst)
        self._filled_at = clock()

    def wait(self) -> float:
        """Take a token and return the seconds to wait before using it, 0 while there are some."""
        now = self._clock()
        self._tokens = min(self._burst, self._tokens + (now - self._filled_at) * self._rate) - 1
        self._filled_at = now
        return max(0.0, -self._tokens / self._rate)

    def take(self, tokens: int) -> None:
        """Take so many tokens without waiting."""
        self._tokens -= tokens

    @property
    def is_full(self) -> bool:
        """Whether it is as it began."""
        return self._tokens + (self._clock() - self._filled_at) * self._rate >= self._burst


class Lane:
    """The way of one session's messages to a table: one after the other, whichever socket they come by.

    So at most one of them is before anybody else's, however many there are. ``async with`` waits for
    those before it, and as long as the rate asks for.
    """

    def __init__(self, clock: Clock) -> None:
        """Begin empty."""
        self.sockets = 0
        self._clock = clock
        self._bucket = Bucket(RATE, BURST, lambda: clock.now().timestamp())
        self._lock = asyncio.Lock()

    @property
    def is_idle(self) -> bool:
        """Whether nobody would notice if it were gone."""
        return not self.sockets and self._bucket.is_full

    def weigh(self, messages: int) -> None:
        """Count the message that was just taken for so many: the next one waits for it."""
        self._bucket.take(messages - 1)

    async def __aenter__(self) -> None:
        await self._lock.acquire()
        if pause := self._bucket.wait():
            try:
                await self._clock.sleep(pause)
            except BaseException:
                self._lock.release()
                raise

    async def __aexit__(self, *_: object) -> None:
        self._lock.release()


class Lanes:
    """The lanes to one table, one for each session."""

    def __init__(self, clock: Clock) -> None:
        """Begin with none."""
        self._lanes: defaultdict[str, Lane] = defaultdict(lambda: Lane(clock))

    @property
    def number(self) -> int:
        """How many sessions have one."""
        return len(self._lanes)

    @asynccontextmanager
    async def of(self, session: str) -> AsyncIterator[Lane | None]:
        """Give a socket the lane of its session; None: the session has sockets enough."""
        lane = self._lanes[session]
        if lane.sockets >= MOST_SOCKETS:
            yield None
            return
        lane.sockets += 1
        try:
            yield lane
        finally:
            lane.sockets -= 1
            self._forget_idle()

    def _forget_idle(self) -> None:
        for session in [session for session, lane in self._lanes.items() if lane.is_idle]:
            del self._lanes[session]
