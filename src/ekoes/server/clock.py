"""Time, as the server has it."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime, timedelta
from typing import Protocol

__all__ = ["Clock", "Still", "WallClock"]


class Clock(Protocol):
    """What tells the time and waits for it."""

    def now(self) -> datetime:
        """Return the time, with its zone; it never goes back."""

    async def sleep(self, seconds: float) -> None:
        """Wait."""


class WallClock:
    """The clock on the wall as it was at the beginning; from then on it runs evenly, whoever sets it.

    It tells whole milliseconds: nothing that leaves the server can tell a time more finely.
    """

    def __init__(self, began: datetime | None = None) -> None:
        """Begin with the time on the wall, or with another one."""
        began = began or datetime.now(UTC)
        self._began = began.replace(microsecond=began.microsecond // 1000 * 1000)
        self._since = time.monotonic()

    def now(self) -> datetime:
        """Return the time in UTC."""
        return self._began + timedelta(milliseconds=int((time.monotonic() - self._since) * 1000))

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


class Still:
    """The clock of what is only shown: it stands, and nothing happens by itself."""

    def __init__(self, at: datetime) -> None:
        """Stand at a moment."""
        self._at = at

    def now(self) -> datetime:
        """Return that moment."""
        return self._at

    async def sleep(self, seconds: float) -> None:
        """Wait for nothing."""
