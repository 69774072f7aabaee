"""The server's clocks and alarms, and when it was up: table clocks run only during that time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from typing import Any, Protocol

from ekoes.errors import StorageError
from ekoes.server.ops.logs import LOG
from ekoes.server.ops.tasks import end
from ekoes.storage.store import Store

BEAT = 5.0
"""Seconds between two heartbeats in the store; after a crash, the time since the last one is not counted."""


class Clock(Protocol):
    """A source of time, replaced in tests."""

    def now(self) -> datetime:
        """Return the time with its zone; it never goes back."""

    async def sleep(self, seconds: float) -> None:
        """Wait for some seconds."""


class WallClock:
    """The system's time at the start, then a monotonic clock, in whole milliseconds.

    The server shows no finer time to clients.
    """

    def __init__(self, began: datetime | None = None) -> None:
        began = began or datetime.now(UTC)
        self._began = began.replace(microsecond=began.microsecond // 1000 * 1000)
        self._since = time.monotonic()

    def now(self) -> datetime:
        """Return the time in UTC."""
        return self._began + timedelta(milliseconds=int((time.monotonic() - self._since) * 1000))

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


def clock_after(store: Store) -> WallClock:
    """Return the system's clock; if it was set back, one that starts at the latest time in the store.

    Replaying a game needs orders in the order of their times. Raises StorageError.
    """
    clock, latest = WallClock(), store.latest()
    if latest is None or clock.now() >= latest:
        return clock
    LOG.warning("system clock was set back", goes_on_from=latest.isoformat())
    return WallClock(latest)


class Uptime:
    """When servers of this store were running, this one last."""

    def __init__(self, store: Store, clock: Clock, clocks_run: Callable[[], bool]) -> None:
        """Create it; ``begin`` reads the store. clocks_run: whether heartbeats are needed."""
        self._store = store
        self._clock = clock
        self._clocks_run = clocks_run
        self._began: datetime | None = None
        self._away: list[tuple[datetime, datetime]] = []
        self._task: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Store the start of this server. Raises StorageError."""
        self._began = self._clock.now()
        runs = await asyncio.to_thread(self._store.begin_uptime, self._began)
        there = accumulate((until for _, until in runs), max)  # servers may run at the same time
        self._away = [(until, began) for until, (began, _) in zip(there, runs[1:], strict=False)]

    def away_since(self, moment: datetime) -> int:
        """Return for how many milliseconds since a time no server was running."""
        gaps = (max(timedelta(), end - max(begin, moment)) for begin, end in self._away)
        return sum(gaps, timedelta()) // timedelta(milliseconds=1)

    def watch(self) -> None:
        """Store heartbeats for as long as clocks run."""
        if self._began is not None and self._task is None and self._clocks_run():
            self._task = asyncio.create_task(self._run(), name="uptime")

    async def close(self) -> None:
        """Store the end of this server, once."""
        now = self._clock.now()
        await end(self._task)
        await self._note(now)
        self._began = None

    async def _run(self) -> None:
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
            LOG.warning("storing the heartbeat failed", error=str(error))


class Alarms:
    """Wakes tables at given times, with one task that waits for the earliest."""

    def __init__(self, clock: Clock, wake: Callable[[str], Awaitable[None]]) -> None:
        """Create it without alarms. wake: must not fail."""
        self._clock = clock
        self._wake = wake
        self._set: dict[str, datetime] = {}
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def __bool__(self) -> bool:
        return bool(self._set)

    def set(self, table_id: str, at: datetime | None) -> None:
        """Set the alarm of a table; None: remove it."""
        self._set.pop(table_id, None)
        if at is None:
            return
        self._set[table_id] = at
        self._changed.set()
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="alarms")

    async def stop(self) -> None:
        """Cancel all alarms."""
        await end(self._task)

    async def _run(self) -> None:
        """Wake one table after the other until no alarm is left."""
        try:
            while self._set:
                self._changed.clear()
                table_id, at = min(self._set.items(), key=lambda alarm: alarm[1])
                pause = (at - self._clock.now()).total_seconds()
                if pause > 0:
                    await self._wait(pause)
                else:
                    del self._set[table_id]
                    await self._wake(table_id)
        finally:
            self._task = None

    async def _wait(self, seconds: float) -> None:
        """Wait for some time, or until another alarm is set."""
        both: list[asyncio.Task[Any]] = [
            asyncio.create_task(self._clock.sleep(seconds)),
            asyncio.create_task(self._changed.wait()),
        ]
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in both:
                task.cancel()
