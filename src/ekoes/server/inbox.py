"""What waits for one reader. asyncio's queues hold four deques each: three kibibytes, twice a line."""

from __future__ import annotations

import asyncio
from typing import Generic, TypeVar

__all__ = ["Inbox"]

T = TypeVar("T")


class Inbox(Generic[T]):
    """A queue without bounds from which one task reads, with the methods of asyncio's that it needs."""

    __slots__ = ("_items", "_reader")

    def __init__(self) -> None:
        """Begin empty."""
        self._items: list[T] = []
        self._reader: asyncio.Future[None] | None = None

    def qsize(self) -> int:
        """Return how many items wait."""
        return len(self._items)

    def empty(self) -> bool:
        """Tell whether none waits."""
        return not self._items

    def put_nowait(self, item: T) -> None:
        """Add an item behind the others."""
        self._items.append(item)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def get(self) -> T:
        """Return the first item, once there is one."""
        while not self._items:
            self._reader = asyncio.get_running_loop().create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        return self._items.pop(0)
