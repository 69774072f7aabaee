"""How a table of turns stood before: where the turns of its players began, and what is taken back."""

from __future__ import annotations

from collections.abc import Callable

from ekoes.games.changing import changed
from ekoes.match.turns.state import Start, TurnTable, Undoable
from ekoes.match.turns.times import Times

__all__ = ["begun_by", "retimed", "stood_at"]


def begun_by(table: TurnTable, seat: int, before: Undoable) -> tuple[Start, ...]:
    """Return where each player's last turn began, once a seat has decided. before: how the table stood."""
    turn, starts = table.turn, table.starts
    if not table.consent.take_back or seat != turn.player or any(start.turn == turn for start in starts):
        return starts
    # The own one before stays until another turn begins: this one's first decision may be undone.
    latest = {start.turn.player: start for start in starts}
    return (*latest.values(), Start(turn, table.length, before))


def retimed(table: TurnTable, change: Callable[[Times], Times]) -> TurnTable:
    """Return the table with all its times changed, also those that an undo brings back."""

    def again(one: Undoable) -> Undoable:
        return one if one.times is None else changed(one, times=change(one.times))

    return changed(
        table,
        times=table.times and change(table.times),
        undoable=tuple(map(again, table.undoable)),
        starts=tuple(changed(start, before=again(start.before)) for start in table.starts),
    )


def stood_at(table: TurnTable, before: Undoable, length: int) -> TurnTable:
    """Return the table as it stood when its log had a length, which it still had."""
    return changed(
        table,
        position=before.position,
        begun=table.begun[: before.begun],
        undoable=(),
        log=table.log[: max(0, length - table.log_start)],
        log_start=min(length, table.log_start),
        held=None,
        times=before.times,
        starts=tuple(start for start in table.starts if start.length < length),
    )
