"""A table where the quicker hand wins as a game record, with the time of everything that came."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ekoes.errors import TableError
from ekoes.games.registry import game
from ekoes.match.race.state import RaceTable
from ekoes.record import GameRecord, Place, rules_text, write_record

__all__ = ["open_record_text", "record_text"]


def record_text(table: RaceTable, made: RaceTable, log: Sequence[Any], rules: Sequence[str]) -> str:
    """Write a game as a record, as it stood, once it is over: it holds every hand.

    Times count from the first deal. Raises: TableError while the game goes on.
    """
    if table.outcome is None:
        message = "the record holds every hand; it can be had when the game is over"
        raise TableError(message, code="table/not-over", rule=table.presenter.secrecy)
    return open_record_text(table, made, log, rules)


def open_record_text(table: RaceTable, made: RaceTable, log: Sequence[Any], rules: Sequence[str]) -> str:
    """Write a game as a record, over or not; not for those who play it."""
    look = table.presenter
    names = tuple(seat.name or seat.bot or "" for seat in table.seats)
    said = look.said(table.play, log)
    record = GameRecord(
        game=table.game,
        start=made.position,
        decisions=tuple(decision for decision, _, _ in said),
        outcome=table.outcome,
        names=names if any(names) else (),
        date=log[0].at.date().isoformat() if log else None,
        table=look.options(table.play),
        rules=rules_text(rules) or game(table.game).rules_version,
    )
    return write_record(record, [Place(number, summary) for _, number, summary in said])
