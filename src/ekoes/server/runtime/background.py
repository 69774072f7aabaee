"""Background work on tables without viewers: throttling, wake-ups for clocks, abandoned tables."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from time import perf_counter
from typing import Any

from ekoes.errors import StorageError
from ekoes.server.ops.clock import Clock
from ekoes.server.ops.logs import log_of
from ekoes.server.ops.tasks import end
from ekoes.server.runtime.owner import ALONE, ElsewhereError, Owner
from ekoes.storage.tables import AbandonedTables

_PAUSE_FACTOR = 3
"""The pause after a turn while there are users, as a multiple of the turn."""
_LONGEST_PAUSE = 0.1
"""Seconds; a longer turn is waiting for the store, where it delays no one."""


class BackgroundThrottle:
    """Gives unused tables one turn at a time, with a pause after each while other tables have users.

    So orders of players rarely wait for background work, however many unused tables are active. A table that
    gets a user stops waiting.
    """

    def __init__(self) -> None:
        self._users = 0
        self._is_taken = False
        self._waiting: dict[asyncio.Future[bool], str] = {}

    def enter(self, table_id: str) -> None:
        """Count one more user; their table stops waiting for a turn."""
        self._users += 1
        for turn in [turn for turn, waiting in self._waiting.items() if waiting == table_id]:
            del self._waiting[turn]
            _end_wait(turn, has_turn=False)

    def exit(self) -> None:
        """Count one user less."""
        self._users -= 1

    @asynccontextmanager
    async def turn(self, table_id: str) -> AsyncIterator[None]:
        """Wait for a turn, or until the table has a user."""
        if not await self._has_turn(table_id):
            yield
            return
        begun = perf_counter()
        try:
            yield
        finally:
            pause = min(_LONGEST_PAUSE, _PAUSE_FACTOR * (perf_counter() - begun)) if self._users else 0.0
            asyncio.get_running_loop().call_later(pause, self._next)

    @asynccontextmanager
    async def hold(self) -> AsyncIterator[None]:
        """Hold all turns for the duration of a block."""
        await self._has_turn("")
        try:
            yield
        finally:
            self._next()

    async def _has_turn(self, table_id: str) -> bool:
        """Wait; return whether the table got a turn, which must be passed on."""
        if not self._is_taken:
            self._is_taken = True
            return True
        turn: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting[turn] = table_id
        try:
            return await turn
        except asyncio.CancelledError:
            self._waiting.pop(turn, None)
            if not turn.cancelled() and turn.result():
                self._next()
            raise

    def _next(self) -> None:
        """Pass the turn on."""
        while self._waiting:
            turn = next(iter(self._waiting))
            del self._waiting[turn]
            if _end_wait(turn, has_turn=True):
                return
        self._is_taken = False


def _end_wait(turn: asyncio.Future[bool], *, has_turn: bool) -> bool:
    """End the wait for a turn; return whether its table still waits."""
    if turn.done():
        return False
    turn.set_result(has_turn)
    return True


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


_LOG = log_of("ekoes.server")
DAYS = 90
"""Default number of days without a decision after which a table of guests is archived."""
_AT_ONCE = 200
"""Tables checked in one transaction."""
_BETWEEN, _ROUNDS = 2.0, 3600.0
"""Seconds between two such transactions, and between two rounds."""


class Sweeper:
    """Deletes abandoned tables of a store in the background."""

    def __init__(
        self,
        abandoned: AbandonedTables,
        clock: Clock,
        days: int,
        is_open: Callable[[str], bool],
        owner: Owner = ALONE,
    ) -> None:
        """Create a stopped sweeper.

        days: how long a table without decisions stays; 0: for ever. is_open: whether a table is in use.
        owner: claims a table first, where several processes share the store.
        """
        self._abandoned = abandoned
        self._clock = clock
        self._days = timedelta(days=days)
        self._is_open = is_open
        self._owner = owner
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start the task."""
        if self._days:
            self._task = asyncio.create_task(self._go_round(), name="sweeper")

    async def stop(self) -> None:
        """Stop the task."""
        await end(self._task)

    async def _go_round(self) -> None:
        after: str | None = ""
        while True:
            await self._clock.sleep(_ROUNDS if after is None else _BETWEEN)
            try:
                after = await self._sweep(after or "")
            except StorageError as error:
                _LOG.warning("deleting abandoned tables failed", error=str(error))
                after = None

    async def _sweep(self, after: str) -> str | None:
        """Delete the abandoned tables of the next page.

        Returns: the last id of the page, None at the end.
        """
        since = self._clock.now() - self._days
        found, last = await asyncio.to_thread(self._abandoned.find, since, after, _AT_ONCE)
        for table_id in found:
            await self._put_away(table_id, since)
        return last

    async def _put_away(self, table_id: str, since: datetime) -> None:
        if self._is_open(table_id):
            return
        try:
            lease = await self._owner.claim(table_id)
        except ElsewhereError:
            return
        if not self._is_open(table_id):
            await asyncio.to_thread(self._abandoned.remove, table_id, since, lease)
