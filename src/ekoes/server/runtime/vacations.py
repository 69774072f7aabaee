"""Vacations of accounts: remaining days, and their start and end at the tables of a player."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from datetime import UTC, datetime, timedelta
from math import ceil

from ekoes.errors import AccountError, StorageError
from ekoes.games.api.contract import Json
from ekoes.server.ops.clock import Alarms, Clock
from ekoes.server.ops.logs import LOG
from ekoes.storage.schema import VacationRow
from ekoes.storage.store import Store

_DAY = timedelta(days=1)


def days_left(vacations: Iterable[VacationRow], allowed: int, at: datetime) -> int:
    """Return the days left in the year of a given time. allowed: days each year.

    A day counts as soon as it has begun, in the year in which it began. It lasts 24 hours, in which more
    vacations cost nothing.
    """
    taken, _ = _taken(vacations, at)
    return max(0, allowed - taken[at.year])


def lasts_until(vacations: Iterable[VacationRow], allowed: int, at: datetime) -> datetime:
    """Return the end of a vacation that begins at a time and takes all days left."""
    taken, paid = _taken(vacations, at)
    ends = max(at, paid)
    while taken[ends.year] < allowed:
        taken[ends.year] += 1
        ends += _DAY
    return ends


def _taken(vacations: Iterable[VacationRow], at: datetime) -> tuple[Counter[int], datetime]:
    """Count the days that have begun by a time, by year. vacations: oldest first.

    Returns: them, and the end of the last one.
    """
    taken: Counter[int] = Counter()
    paid = datetime.min.replace(tzinfo=UTC)
    for vacation in vacations:
        paid, end = max(vacation.began, paid), min(vacation.until, at)
        while paid < end or paid == vacation.began:
            taken[paid.year] += 1
            paid += _DAY
    return taken, paid


DAYS = 30
"""Default vacation days of an account each year."""
LONGEST_VACATION = 180
_MOST_BEGUN = 10
"""Vacations of an account that begin within 24 hours; each is stored, also at the tables."""
_LATELY = timedelta(days=30)
"""Vacations that ended so recently are applied again at the start, in case the last server did not."""

_STORE_RETRY = timedelta(seconds=5)
"""How long the end of a vacation waits after the store has failed."""


class Vacations:
    """The vacations of accounts; the current ones are in memory."""

    def __init__(
        self, store: Store, clock: Clock, days: int, update_table: Callable[[str], Awaitable[None]]
    ) -> None:
        """Create it; ``start`` reads the store. days: each year. update_table: must not fail."""
        self._store = store
        self._clock = clock
        self._days = days
        self._update_table = update_table
        self._until: dict[str, datetime] = {}
        self._beginning = asyncio.Lock()
        self._ends = Alarms(clock, self._end_by_itself)
        self.on_change: Callable[[str], None] = lambda _user: None
        """Called with the account whose vacation has begun or ended."""

    async def start(self) -> None:
        """Load the vacations and update the tables of their accounts."""
        since = self._clock.now() - _LATELY
        for vacation in await asyncio.to_thread(self._store.vacations.lately, since):
            self._note(vacation.user_id, vacation.until)
        for user in list(self._until):
            await self._update_tables(user)

    async def stop(self) -> None:
        """Stop the timers."""
        await self._ends.stop()

    def is_on_vacation(self, user: str) -> bool:
        """Return whether an account is on vacation."""
        until = self._until.get(user)
        return until is not None and until > self._clock.now()

    async def about(self, user: str) -> Json:
        """Return an account's days each year, those left, and the end of its current vacation."""
        past = await asyncio.to_thread(self._store.vacations.of, user)
        left = days_left(past, self._days, self._clock.now())
        until = self._until[user].isoformat() if self.is_on_vacation(user) else None
        return {"days": self._days, "left": left, "until": until}

    async def begin(self, user: str) -> None:
        """Begin a vacation, which ends on return or with the last day left. Raises AccountError."""
        async with self._beginning:  # what is counted stays true until the vacation is stored
            if self.is_on_vacation(user):
                return
            await self._begin(user)
        self.on_change(user)
        await self._update_tables(user)

    async def _begin(self, user: str) -> None:
        """Store a vacation from now on. Raises AccountError."""
        now = self._clock.now()
        past = await asyncio.to_thread(self._store.vacations.of, user)
        if len(past) >= _MOST_BEGUN and (free := past[-_MOST_BEGUN].began + _DAY) > now:
            wait = ceil((free - now).total_seconds())
            message = f"too many vacations today; try again in {wait} seconds"
            raise AccountError(message, code="account/too-many", wait=wait)
        until = lasts_until(past, self._days, now)
        if until == now:
            raise AccountError("no day of vacation is left this year", code="account/no-vacation")
        await asyncio.to_thread(self._store.vacations.add_row, VacationRow(user, now, until))
        self._note(user, until)

    async def end(self, user: str) -> None:
        """End a vacation."""
        if not self.is_on_vacation(user):
            return
        now = self._clock.now()
        await asyncio.to_thread(self._store.vacations.end, user, now)
        self._note(user, now)
        self.on_change(user)
        await self._update_tables(user)

    async def look(self, user: str) -> None:
        """Reload the vacations of an account after another process has changed them."""
        for vacation in await asyncio.to_thread(self._store.vacations.of, user):
            self._note(vacation.user_id, vacation.until)
        await self._update_tables(user)

    def _note(self, user: str, until: datetime) -> None:
        self._until[user] = until
        self._ends.set(user, until if until > self._clock.now() else None)

    async def _end_by_itself(self, user: str) -> None:
        """Update the tables of an account whose vacation is over; tries again later if the store fails."""
        try:
            await self._update_tables(user)
        except StorageError as error:
            LOG.error("ending a vacation failed", error=str(error))
            self._ends.set(user, self._clock.now() + _STORE_RETRY)

    async def _update_tables(self, user: str) -> None:
        for place in await asyncio.to_thread(self._store.people.places, user):
            if not place.is_over:
                await self._update_table(place.table_id)
        if not self.is_on_vacation(user):
            self._until.pop(user, None)
