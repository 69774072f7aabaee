"""Work beside the rest that has to end with its owner."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

__all__ = ["Errands", "end"]

T = TypeVar("T")


async def end(*tasks: asyncio.Task[Any] | None) -> None:
    """Cancel tasks, and return when they are over; None: there is none."""
    there = [task for task in tasks if task is not None]
    for task in there:
        task.cancel()
    await asyncio.gather(*there, return_exceptions=True)


class Errands:
    """Tasks that nobody waits for, each known until it is over."""

    def __init__(self, name: str) -> None:
        """Begin with none. name: of each task."""
        self._name = name
        self._under_way: set[asyncio.Task[Any]] = set()

    def run(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Begin one."""
        task = asyncio.create_task(work, name=self._name)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return task

    async def end(self) -> None:
        """Cancel them all, and return when they are over."""
        await end(*self._under_way)
