"""The next automatic order or bot move of a table, with its bots answering in this process."""

from __future__ import annotations

from datetime import datetime

from ekoes.games.api.chance import Chance
from ekoes.tables.bot_request import Secret, answer_to
from ekoes.tables.table import Move, Table


def next_move(table: Table, now: datetime, secret: Secret) -> Move | None:
    """Return the earliest of what the program has to order and of what the bots will do; None for nothing.

    Blocks while the bots think. The same table with the same secret has the same next move.
    """
    if table.is_paused_at(now):
        return None if table.paused or (until := table.agreements.paused_until) is None else Move(until)
    if table.automatic_order(now, Chance(0)) is not None:
        return Move(now)
    strikes = table.deadline
    asked = table.bot_requests(secret)
    planned = (table.bot_move(question, answer_to(question), now) for question in asked)
    first = min((move for move in planned if move is not None), key=lambda move: move.at, default=None)
    if first is not None and (strikes is None or first.at < strikes):
        return first
    return None if strikes is None else Move(strikes)
