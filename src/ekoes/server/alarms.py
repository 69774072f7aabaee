"""Tables that sleep while a clock of theirs counts on: each is woken when it strikes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any

from ekoes.server.clock import Clock
from ekoes.server.tasks import end

__all__ = ["Alarms"]


class Alarms:
    """When to wake which table. One task waits for the earliest."""

    def __init__(self, clock: Clock, wake: Callable[[str], Awaitable[None]]) -> None:
        """Begin with none. wake: opens a table; never fails."""
        self._clock = clock
        self._wake = wake
        self._set: dict[str, datetime] = {}
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def __bool__(self) -> bool:
        """Whether any is set."""
        return bool(self._set)

    def set(self, table_id: str, at: datetime | None) -> None:
        """Wake a table at a moment; None: not at all."""
        self._set.pop(table_id, None)
        if at is None:
            return
        self._set[table_id] = at
        self._changed.set()
        if self._task is None:
            self._task = asyncio.create_task(self._keep(), name="alarms")

    async def stop(self) -> None:
        """Wake nobody any more."""
        await end(self._task)

    async def _keep(self) -> None:
        """Wake one table after the other until none is left to be woken."""
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
        """Wait so long, or until another alarm is set."""
        both: list[asyncio.Task[Any]] = [
            asyncio.create_task(self._clock.sleep(seconds)),
            asyncio.create_task(self._changed.wait()),
        ]
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in both:
                task.cancel()
