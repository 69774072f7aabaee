"""How a table stands for somebody who was there, in a word."""

from __future__ import annotations

from typing import Literal

from ekoes.match.kinds import kind_of
from ekoes.match.seats import session_seats
from ekoes.match.state import Table

__all__ = ["Standing", "asked", "standing"]

Standing = Literal["yours", "others", "waiting", "over"]


def standing(table: Table, session: str) -> Standing:
    """Tell whether a session is to decide, others are, a seat is still free, or the game is over.

    Where seats stayed free and the game goes on without them, at another table, it is over at this one.
    """
    if table.outcome is not None or table.rematch is not None:
        return "over"
    if not table.is_started:
        return "waiting"
    return "yours" if session_seats(table.seats, session).intersection(asked(table)) else "others"


def asked(table: Table) -> tuple[int, ...]:
    """Return the seats that are to decide, where a game goes on."""
    held = getattr(table, "held", None)
    return tuple(kind_of(table.game).position_of(table).actors()) if held is None else (held,)
