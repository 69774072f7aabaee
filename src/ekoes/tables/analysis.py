"""Read-only questions about a table: status, hints, analysis; and playing decisions one after the other."""

from __future__ import annotations

from typing import Any, TypeVar

from ekoes.errors import TableError
from ekoes.games.api.contract import Json, Position
from ekoes.games.api.parts import Advice
from ekoes.games.api.registry import check_part, part_of
from ekoes.tables.table import Table

T = TypeVar("T", bound=Table)
D = TypeVar("D")


def check_review(table: Table) -> None:
    """Raise TableError unless a table has a finished game, with a result, of which reviews are made."""
    check_part(table.game, "review")
    if table.outcome is None or table.is_aborted:
        raise TableError("the game is not over", code="table/not-over")


def check_open(position: Position) -> None:
    """Raise TableError if there is nothing to search in a position."""
    if not position.actors():
        message = "no player has to decide in this position: there is nothing to search"
        raise TableError(message, code="table/not-now")


def advice(table: Table, session: str) -> Json:
    """Return a good action for the session's seat to move, and the reason.

    Raises: TableError if other people play or the game gives none.
    """
    given: Advice[Any] = part_of(table.game, "advice")
    if table.has_others(session):
        raise TableError("hints are for games against bots", code="table/people")
    seat = next((seat for seat in sorted(table.seats_of(session)) if table.can_act(seat)), None)
    if seat is None:
        raise TableError("you are not asked now", code="table/not-now")
    return {"seat": seat, **given.advise(table.hint_state, seat)}
