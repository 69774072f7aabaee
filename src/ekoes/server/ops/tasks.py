"""Background tasks that end with their owner."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def end(*tasks: asyncio.Task[Any] | None) -> None:
    """Cancel tasks and wait until they have ended; None is skipped."""
    there = [task for task in tasks if task is not None]
    for task in there:
        task.cancel()
    await asyncio.gather(*there, return_exceptions=True)


class Errands:
    """A set of background tasks that are not awaited."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._under_way: set[asyncio.Task[Any]] = set()

    def run(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Start a task."""
        task = asyncio.create_task(work, name=self._name)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return task

    async def end(self) -> None:
        """Cancel all tasks and wait for their end."""
        await end(*self._under_way)
