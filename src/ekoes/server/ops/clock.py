"""The server's clocks."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime, timedelta
from typing import Protocol


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
