"""A table of turns as a game record."""

from __future__ import annotations

from collections.abc import Sequence

from ekoes.games.registry import game
from ekoes.match.clock_plan import clock_text
from ekoes.match.turns.state import Entry, TurnTable
from ekoes.record import Decision, GameRecord, Place, rules_text, write_record

__all__ = ["record_text"]


def record_text(table: TurnTable, made: TurnTable, log: Sequence[Entry], rules: Sequence[str]) -> str:
    """Write the game so far as a record, as it stood; each time is that since the decision before."""
    names = tuple(seat.name or seat.bot or "" for seat in table.seats)
    record = GameRecord(
        game=table.game,
        start=made.position,
        decisions=tuple(_decisions(log)),
        outcome=table.outcome,
        names=names if any(names) else (),
        date=log[0].at.date().isoformat() if log else None,
        seed=table.seed,
        turn_limit=_turn_limit(table, log),
        tags={} if table.clock is None else {"Clock": clock_text(table.clock)},
        rules=rules_text(rules) or game(table.game).rules_version,
    )
    return write_record(record, [Place(entry.turn.number) for entry in log])


def _turn_limit(table: TurnTable, log: Sequence[Entry]) -> int | None:
    """Return the limit that the game kept; one that bots left alone brought may come behind turns played."""
    limit = table.last_turn
    return None if limit is None else max([limit, *(entry.turn.number for entry in log[-1:])])


def _decisions(log: Sequence[Entry]) -> list[Decision]:
    decisions = []
    previous = None
    for entry in log:
        elapsed = None if previous is None else (entry.at - previous).total_seconds()
        milliseconds = None if elapsed is None else max(0, round(elapsed * 1000))
        decisions.append(Decision(entry.seat, entry.action, milliseconds))
        previous = entry.at
    return decisions
