"""A table of turns as a game record."""

from __future__ import annotations

from ekoes.games.registry import game
from ekoes.match.turns.state import TurnTable
from ekoes.record import Decision, GameRecord, write_record

__all__ = ["record_text"]


def record_text(table: TurnTable) -> str:
    """Write the game so far as a record; each time is that since the decision before."""
    names = tuple(seat.name or seat.bot or "" for seat in table.seats)
    record = GameRecord(
        game=table.game,
        start=game(table.game).new(table.options, table.seed),
        decisions=tuple(_decisions(table)),
        outcome=table.outcome,
        names=names if any(names) else (),
        date=table.log[0].at.date().isoformat() if table.log else None,
        seed=table.seed,
        turn_limit=table.last_turn,
    )
    return write_record(record)


def _decisions(table: TurnTable) -> list[Decision]:
    decisions = []
    previous = None
    for entry in table.log:
        elapsed = None if previous is None else (entry.at - previous).total_seconds()
        milliseconds = None if elapsed is None else max(0, round(elapsed * 1000))
        decisions.append(Decision(entry.seat, entry.action, milliseconds))
        previous = entry.at
    return decisions
