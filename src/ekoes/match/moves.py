"""What happens next at a table by itself, where its bots are asked here and at once."""

from __future__ import annotations

from datetime import datetime

from ekoes.games.chance import Chance
from ekoes.match.kinds import kind_of
from ekoes.match.question import answer_to
from ekoes.match.secret import Secret
from ekoes.match.state import Move, Table

__all__ = ["next_move"]


def next_move(table: Table, now: datetime, secret: Secret) -> Move | None:
    """Return the earliest of what the program has to order and of what the bots will do; None for nothing.

    Blocks while the bots think. The same table with the same secret has the same next move.
    """
    if table.rests(now):
        return None if table.paused or (until := table.consent.rests_until) is None else Move(until)
    kind = kind_of(table.game)
    if kind.due(table, now, Chance(0)) is not None:
        return Move(now)
    strikes = kind.strikes_at(table)
    asked = kind.questions(table, secret)
    planned = (kind.move(table, question, answer_to(question), now) for question in asked)
    first = min((move for move in planned if move is not None), key=lambda move: move.at, default=None)
    if first is not None and (strikes is None or first.at < strikes):
        return first
    return None if strikes is None else Move(strikes)
