"""Of what people are told while their page is closed: their turn at a table of days, and a rematch."""

from __future__ import annotations

from collections.abc import Callable

from ekoes.games.contract import Json
from ekoes.match.standing import standing
from ekoes.match.state import Table
from ekoes.storage.remembered import Remembered

__all__ = ["Notices"]

_TABLES = 50_000
"""Tables of which it is known for whom they wait."""

Awaited = frozenset[tuple[str, str]]
"""Holders, and for what each of them is awaited: ``turn`` or ``rematch``."""


class Notices:
    """Compares how tables stand with how they stood, and tells those for whom one has begun to wait.

    They say which table it is, and nothing of what happened there.
    """

    def __init__(self, send: Callable[[str, str, Json], None], is_away: Callable[[str], bool]) -> None:
        """Begin with no table. send: takes a notice to a holder; is_away: whom not to disturb."""
        self._send = send
        self._is_away = is_away
        self._awaited: Remembered[Awaited] = Remembered(_TABLES)

    def notice(self, table_id: str, table: Table, _shown: Table) -> None:
        """Take in how a table stands; what is seen for the first time is nobody's news."""
        now = awaited(table)
        before = self._awaited.get(table_id)
        self._awaited.put(table_id, now)
        for holder, why in sorted(now - (now if before is None else before)):
            if not self._is_away(holder):
                self._send(holder, table_id, {"kind": why, "table": table_id, "game": table.game})


def awaited(table: Table) -> Awaited:
    """Return for whom a table waits who need not be there: at a table of days, or after a game."""
    if table.outcome is not None:
        return _asked_again(table)
    holders = {seat.session for seat in table.seats if seat.session is not None}
    if table.clock is None or table.clock.days is None:
        return frozenset()
    return frozenset((holder, "turn") for holder in holders if standing(table, holder) == "yours")


def _asked_again(table: Table) -> Awaited:
    """Return who has not answered yet where somebody wants a rematch."""
    if not table.agreed or table.rematch is not None:
        return frozenset()
    silent = table.people - table.agreed - dict(table.absent).keys()
    holders = (table.seats[seat].session for seat in silent)
    agreed = {table.seats[seat].session for seat in table.agreed}
    return frozenset((holder, "rematch") for holder in holders if holder is not None and holder not in agreed)
