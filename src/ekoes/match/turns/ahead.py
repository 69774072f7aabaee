"""A copy of a table of turns on which one person plays all seats, to see what comes of it."""

from __future__ import annotations

from ekoes.games.changing import changed
from ekoes.match.turns.notes import check_foresees
from ekoes.match.turns.state import TurnTable

__all__ = ["copied_ahead"]


def copied_ahead(table: TurnTable, session: str) -> TurnTable:
    """Return a table as it stands, held turns ended, without clocks and notes: nothing happens by itself.

    Raises TableError where nobody may think ahead.
    """
    check_foresees(table)
    seats = tuple(changed(seat, kind="here", bot=None, session=session) for seat in table.seats)
    return changed(
        table,
        seats=seats,
        rated=False,
        clock=None,
        times=None,
        lines=(),
        held=None,
        undoable=(),
        offers=frozenset(),
        log_start=table.length,
        log=(),
    )
