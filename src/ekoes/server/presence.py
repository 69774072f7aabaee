"""Since when whom nobody has seen at a table: the server alone knows, and the table has to be told.

Nobody is absent for nobody: as long as no other player is there, nothing is noted.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from ekoes.match.orders import Away
from ekoes.match.state import Table
from ekoes.server.audience import Audience
from ekoes.server.clock import Clock

__all__ = ["Presence"]


class Presence:
    """Who of a table's players has a line open, and since when the others have none."""

    def __init__(self, audience: Audience, clock: Clock) -> None:
        """Begin with nobody, from now on."""
        self._audience = audience
        self._clock = clock
        self._since = clock.now()
        self._gone: dict[str, datetime] = {}

    def left(self, session: str) -> None:
        """Note that a line of a session has ended."""
        self._gone[session] = self._clock.now()

    def note(self, table: Table, at: datetime) -> Away | None:
        """Return what the table has to take note of at a moment."""
        return next((order for moment, order in self._notes(table) if moment <= at), None)

    def strikes_at(self, table: Table) -> datetime | None:
        """Return when the table has to take note of something, as things stand now."""
        return min((moment for moment, _ in self._notes(table)), default=None)

    def _notes(self, table: Table) -> Iterator[tuple[datetime, Away]]:
        """Yield what is to be noted, and from when on: who has come back, and who will be absent."""
        goes_on = table.consent.absence and table.is_started and table.outcome is None
        for seat, chair in enumerate(table.seats) if goes_on or table.consent.away else ():
            is_away, is_here = seat in table.consent.away, self._is_here(chair.session)
            if is_away and (is_here or not goes_on):
                yield self._since, _away(table, seat, away=False)
            elif not is_away and not is_here and self._is_missed(table, chair.session):
                gone = self._gone.get(chair.session or "", self._since)
                yield gone + timedelta(minutes=table.consent.absence), _away(table, seat, away=True)

    def _is_here(self, session: str | None) -> bool:
        return session is not None and self._audience.has(session)

    def _is_missed(self, table: Table, session: str | None) -> bool:
        """Tell whether somebody plays here, and others who play are here."""
        return session is not None and any(
            chair.session != session and self._is_here(chair.session) for chair in table.seats
        )


def _away(table: Table, seat: int, *, away: bool) -> Away:
    return Away(key=f"away-{table.version}-{seat}", seat=seat, away=away)
