"""The pace of a table's bots: it takes all people at the table, as a draw or a rematch does.

Where bots play alone, it is for whoever watches to say, and so is a pause.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from ekoes.games.contract import Json
from ekoes.match.seats import session_seats
from ekoes.match.state import DEFAULT_PACE, Table

__all__ = ["agreed", "at_usual_pace", "wished", "wishes_json"]

T = TypeVar("T", bound=Table)


def wished(table: T, session: str | None, milliseconds: int) -> T:
    """Return the table with what a session wishes at its seats; who wishes what there is wishes nothing.

    Nobody's wish stands against that of who watches bots.
    """
    if not table.people:
        return replace(table, pace=milliseconds)
    seats = frozenset() if session is None else session_seats(table.seats, session)
    others = {(seat, pace) for seat, pace in table.wishes if seat not in seats}
    return replace(table, wishes=frozenset(others | {(seat, milliseconds) for seat in seats}))


def agreed(table: T) -> T:
    """Return the table at the pace that all people wish; a wish ends with its seat, and once it is met."""
    if not table.wishes:
        return table
    held = {seat for seat in table.people if table.seats[seat].is_taken}
    wishes = {seat: pace for seat, pace in table.wishes if seat in held}
    if wishes.keys() == table.people and len(set(wishes.values())) == 1:
        return replace(table, pace=next(iter(wishes.values())), wishes=frozenset())
    open_wishes = frozenset((seat, pace) for seat, pace in wishes.items() if pace != table.pace)
    return table if open_wishes == table.wishes else replace(table, wishes=open_wishes)


def at_usual_pace(table: T) -> T:
    """Return the table at the usual pace: whoever sits down next has agreed to no other."""
    return replace(table, pace=DEFAULT_PACE)


def wishes_json(table: Table) -> list[Json]:
    """Tell who wishes another pace."""
    return [{"seat": seat, "milliseconds": pace} for seat, pace in sorted(table.wishes)]
