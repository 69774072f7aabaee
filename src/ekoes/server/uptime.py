"""When the server was there: clocks that count on while nobody looks do so only then.

Each run of a server is noted in the store, and while clocks run how long it has lasted. What lies between
two runs is nobody's time. A clock on the wall may be set back between them: the time of a store goes on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import accumulate

from ekoes.errors import StorageError
from ekoes.server.clock import Clock, WallClock
from ekoes.server.logs import log_of
from ekoes.server.tasks import end
from ekoes.storage.store import Store

__all__ = ["BEAT", "Uptime", "clock_after"]

_LOG = log_of("ekoes.server")
BEAT = 5.0
"""Seconds between two notes: of a server that is killed, what came behind the latest counts for nobody."""


def clock_after(store: Store) -> WallClock:
    """Return the clock on the wall; where it was set back, one that goes on from the latest that is known.

    An order that came before the one before it could not be judged again, and whatever waits would wait for
    as long as the clock was set back. Raises StorageError.
    """
    clock, latest = WallClock(), store.latest()
    if latest is None or clock.now() >= latest:
        return clock
    _LOG.warning("the clock on the wall was set back", goes_on_from=latest.isoformat())
    return WallClock(latest)


class Uptime:
    """The runs of the servers of a store, this one the last."""

    def __init__(self, store: Store, clock: Clock, clocks_run: Callable[[], bool]) -> None:
        """Begin without a look into the store. clocks_run: whether there is anything to be noted for."""
        self._store = store
        self._clock = clock
        self._clocks_run = clocks_run
        self._began: datetime | None = None
        self._away: list[tuple[datetime, datetime]] = []
        self._task: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Note that the server is there from now on. Raises StorageError."""
        self._began = self._clock.now()
        runs = await asyncio.to_thread(self._store.begin_uptime, self._began)
        there = accumulate((until for _, until in runs), max)  # servers may be there at the same time
        self._away = [(until, began) for until, (began, _) in zip(there, runs[1:], strict=False)]

    def away_since(self, moment: datetime) -> int:
        """Return for how many milliseconds since a moment no server was there."""
        gaps = (max(timedelta(), end - max(begin, moment)) for begin, end in self._away)
        return sum(gaps, timedelta()) // timedelta(milliseconds=1)

    def watch(self) -> None:
        """Note now and then that the server is there, for as long as clocks run."""
        if self._began is not None and self._task is None and self._clocks_run():
            self._task = asyncio.create_task(self._keep(), name="uptime")

    async def close(self) -> None:
        """Note that the server goes, once: what it still does from now on is nobody's time."""
        now = self._clock.now()
        await end(self._task)
        await self._note(now)
        self._began = None

    async def _keep(self) -> None:
        try:
            while self._clocks_run():
                await self._note(self._clock.now())
                await self._clock.sleep(BEAT)
        finally:
            self._task = None

    async def _note(self, now: datetime) -> None:
        if self._began is None:
            return
        try:
            await asyncio.to_thread(self._store.note_uptime, self._began, now)
        except StorageError as error:
            _LOG.warning("that the server is there can't be noted", error=str(error))
