"""Who is on vacation. Tables ask before each order, and look again when somebody goes or comes back."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from ekoes.errors import AccountError
from ekoes.games.contract import Json
from ekoes.server.alarms import Alarms
from ekoes.server.clock import Clock
from ekoes.server.days_off import days_left, lasts_until
from ekoes.storage.store import Store
from ekoes.storage.vacations import Vacation

__all__ = ["DAYS", "LONGEST_VACATION", "Vacations"]

DAYS = 30
"""Days of vacation that an account has each year, unless the server is set otherwise."""
LONGEST_VACATION = 180
_LATELY = timedelta(days=30)
"""Tables of who came back so long ago, or less, are looked at when a server starts: one before it may have
ended in between."""


class Vacations:
    """The vacations of accounts, of which those that last are in memory."""

    def __init__(
        self, store: Store, clock: Clock, days: int, look_again: Callable[[str], Awaitable[None]]
    ) -> None:
        """Begin without a look into the store. days: each year. look_again: at a table; never fails."""
        self._store = store
        self._clock = clock
        self._days = days
        self._look_again = look_again
        self._until: dict[str, datetime] = {}
        self._ends = Alarms(clock, self._tell)
        self.told: Callable[[str], None] = lambda _holder: None
        """Hears who has gone or come back."""

    async def start(self) -> None:
        """Know who is on vacation, and have their tables know it."""
        since = self._clock.now() - _LATELY
        for vacation in await asyncio.to_thread(self._store.vacations.lately, since):
            self._note(vacation.holder, vacation.until)
        for holder in list(self._until):
            await self._tell(holder)

    async def stop(self) -> None:
        """Let nobody come back any more."""
        await self._ends.stop()

    def is_away(self, holder: str) -> bool:
        """Tell whether somebody is on vacation."""
        until = self._until.get(holder)
        return until is not None and until > self._clock.now()

    async def about(self, holder: str) -> Json:
        """Tell how many days somebody has each year, how many are left, and whether they are away.

        until: when their vacation ends at the latest.
        """
        past = await asyncio.to_thread(self._store.vacations.of, holder)
        left = days_left(past, self._days, self._clock.now())
        until = self._until[holder].isoformat() if self.is_away(holder) else None
        return {"days": self._days, "left": left, "until": until}

    async def begin(self, holder: str) -> None:
        """Let somebody go on vacation until they come back, or have no day left. Raises AccountError."""
        if self.is_away(holder):
            return
        now = self._clock.now()
        past = await asyncio.to_thread(self._store.vacations.of, holder)
        until = lasts_until(past, self._days, now)
        if until == now:
            raise AccountError("no day of vacation is left this year", code="account/no-vacation")
        await asyncio.to_thread(self._store.vacations.begin, Vacation(holder, now, until))
        self._note(holder, until)
        self.told(holder)
        await self._tell(holder)

    async def end(self, holder: str) -> None:
        """Let somebody come back."""
        if not self.is_away(holder):
            return
        now = self._clock.now()
        await asyncio.to_thread(self._store.vacations.end, holder, now)
        self._note(holder, now)
        self.told(holder)
        await self._tell(holder)

    async def look(self, holder: str) -> None:
        """Know of somebody who has gone or come back as another process has told."""
        for vacation in await asyncio.to_thread(self._store.vacations.of, holder):
            self._note(vacation.holder, vacation.until)
        await self._tell(holder)

    def _note(self, holder: str, until: datetime) -> None:
        self._until[holder] = until
        self._ends.set(holder, until if until > self._clock.now() else None)

    async def _tell(self, holder: str) -> None:
        """Have the tables of somebody look again."""
        for place in await asyncio.to_thread(self._store.people.places, holder):
            if not place.is_over:
                await self._look_again(place.table_id)
        if not self.is_away(holder):
            self._until.pop(holder, None)
