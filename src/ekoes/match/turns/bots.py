"""What bots are asked at a table of turns, and what comes of their answers."""

from __future__ import annotations

from datetime import datetime, timedelta

from ekoes.games.contract import CHANCE, Answer
from ekoes.match.orders import Act
from ekoes.match.question import DECISION, Question
from ekoes.match.secret import Secret
from ekoes.match.state import Move
from ekoes.match.turns.clock import strikes_at
from ekoes.match.turns.state import TurnTable

__all__ = ["is_busy", "move", "questions", "rested"]


def is_busy(table: TurnTable) -> bool:
    """Tell whether a bot or chance is to decide, or a clock runs."""
    return bool(table.asked_bots) or CHANCE in table.asked or strikes_at(table) is not None


def rested(table: TurnTable, at: datetime) -> TurnTable:  # noqa: ARG001
    """Return the table as it is: a clock goes on, and what it must not count is ordered (``StandStill``)."""
    return table


def questions(table: TurnTable, secret: Secret) -> tuple[Question, ...]:
    """Return the decision that is asked of a bot; the others are asked when it has decided.

    The same table asks the same: a bot's chance comes from the table's secret, its version and the seat.
    """
    return tuple(_question(table, secret, seat) for seat in table.asked_bots[:1])


def _question(table: TurnTable, secret: Secret, seat: int) -> Question:
    key = f"{table.version}-{seat}"
    return Question(
        key=key,
        version=table.version,
        game=table.game,
        bot=table.seats[seat].bot or "",
        seat=seat,
        asks=DECISION,
        sight=table.position.sight(seat),
        chance=secret.seed(key),
        seen=table.begun,
    )


def move(table: TurnTable, question: Question, answer: Answer, now: datetime) -> Move | None:
    """Return the bot's decision, after the table's pace. now: when it was asked."""
    if answer.action is None:
        return None
    order = Act(
        key=f"bot-{question.version}",
        version=question.version,
        seat=question.seat,
        action=answer.action,
    )
    return Move(now + timedelta(milliseconds=table.pace), order)
