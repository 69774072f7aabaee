"""Thinking ahead at a table: it is played on from where it stands, on a copy that nobody else sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from ekoes.errors import EkoesError, TableError
from ekoes.match.kinds import kind_of
from ekoes.match.orders import Foreseen
from ekoes.match.seats import session_seats
from ekoes.match.state import Table
from ekoes.match.submit import submit

__all__ = ["Ahead", "think_ahead"]


@dataclass(frozen=True, slots=True)
class Ahead:
    """Where a table would stand. refusal: why the latest decision can't be made, which was not made."""

    table: Table
    refusal: EkoesError | None = None


def think_ahead(table: Table, session: str, decisions: Sequence[Foreseen], at: datetime) -> Ahead:
    """Play a table on by decisions of any seats, all of which the session holds on this copy.

    The latest may be one that can't be made. Raises: EkoesError if an earlier one can't
    be, or nobody may do so here.
    """
    if not session_seats(table.seats, session):
        raise TableError("who has no seat here can't think ahead", code="table/not-your-seat")
    kind = kind_of(table.game)
    there: Table = kind.copied_ahead(table, session)
    for number, one in enumerate(decisions, 1):
        try:
            there = submit(there, kind.order_of(there, one.seat, one.action), session, at)
        except EkoesError as refusal:
            if number < len(decisions):
                raise
            return Ahead(there, refusal)
    return Ahead(there)
