"""What happens by itself where the quicker hand wins: the clock, the deal, and what bots are asked.

A bot sees its own view and nothing else. Its chance comes from the table's secret and the key of what
it is asked, so that a question stays the same while nothing changes, and tells nothing of the next.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from ekoes.games.chance import Chance
from ekoes.games.contract import Answer
from ekoes.games.racing import Ask
from ekoes.games.registry import game
from ekoes.match.orders import AnyOrder, Deal, Intent, Tick
from ekoes.match.question import Question
from ekoes.match.race.state import RaceTable
from ekoes.match.secret import Secret
from ekoes.match.state import DEFAULT_PACE, Move

__all__ = [
    "LONGEST_DELAY",
    "counts_since",
    "due",
    "is_busy",
    "lag_noted",
    "move",
    "questions",
    "strikes_at",
    "vacation_noted",
]

LONGEST_DELAY = 60_000
"""Milliseconds, at the usual pace: no bot keeps others waiting for longer, however much time it wants."""


def is_busy(table: RaceTable) -> bool:
    """Tell whether a deal is due, a clock runs, or a bot plays along."""
    if not table.is_started or table.outcome is not None:
        return False
    has_bots = any(seat.kind == "bot" for seat in table.seats)
    return table.needs_deal or has_bots or strikes_at(table) is not None


def due(table: RaceTable, at: datetime, chance: Chance) -> tuple[AnyOrder, datetime] | None:
    """Return the deal or the tick that comes before anything else at a moment."""
    if table.needs_deal:
        action = game(table.game).action_to_json(table.position.chance_action(chance))
        return Deal(key=f"deal-{table.version}", action=action), at
    ends = strikes_at(table)
    if ends is not None and ends <= at:
        return Tick(key=f"tick-{table.version}"), ends
    return None


def strikes_at(table: RaceTable) -> datetime | None:
    """Return when the running clock runs out."""
    time = table.presenter.strikes_at(table.play)
    return None if time is None else table.consent.moment(time)


def counts_since(table: RaceTable) -> None:
    """Return None: where nobody is, clocks rest with the table."""


def lag_noted(table: RaceTable, seat: int, milliseconds: int) -> None:
    """Return None: who is quicker is told by when messages come, and by nothing else."""


def vacation_noted(table: RaceTable, seat: int, *, is_away: bool) -> None:
    """Return None: no game of these lasts for days."""


def questions(table: RaceTable, secret: Secret) -> tuple[Question, ...]:
    """Return what each bot is asked: what it would do if nobody else did anything before."""
    if not table.is_started or table.outcome is not None:
        return ()
    return tuple(
        _question(table, secret, seat, chair.bot, ask)
        for seat, chair in enumerate(table.seats)
        if chair.kind == "bot" and chair.bot is not None
        for ask in table.presenter.asked(table.play, seat)
    )


def _question(table: RaceTable, secret: Secret, seat: int, bot: str, ask: Ask) -> Question:
    key = _key(seat, ask)
    return Question(
        key=key,
        version=table.version,
        game=table.game,
        bot=bot,
        seat=seat,
        asks=ask.asks,
        sight=table.position.sight(seat),
        chance=secret.seed(key),
    )


def _key(seat: int, ask: Ask) -> str:
    return f"{ask.asks}-{seat}-{ask.number}"


def move(table: RaceTable, question: Question, answer: Answer, now: datetime) -> Move | None:  # noqa: ARG001
    """Return what an answer comes to, in the time that its bot takes; nothing if it is no longer asked.

    A bot's mistake must not stop the game: where it has to answer, something stands in for what is refused,
    and for what it leaves out. Nothing is judged before its time; to want nothing makes as much work.
    """
    look, seat = table.presenter, question.seat
    still = (ask for ask in look.asked(table.play, seat) if _key(seat, ask) == question.key)
    ask = next(still, None)
    if ask is None:
        return None
    delay = min(max(0, answer.delay), LONGEST_DELAY) * _pace(table) // DEFAULT_PACE
    wishes = (answer.action, look.instead(table.play, ask.asks))
    key = f"bot-{seat}-{table.version}"
    intents = [Intent(key=key, seat=seat, action=wish or {}) for wish in wishes]
    orders = [intent for intent in intents if intent.action]
    begins = table.consent.moment(ask.at)
    return Move(begins + timedelta(milliseconds=delay), *orders) if orders and begins else None


def _pace(table: RaceTable) -> int:
    """Return the table's pace, which stretches or shortens every bot's delays.

    Where no person plays, bots take their time: nobody waits, and other tables want the machine too.
    """
    return table.pace if table.people else max(table.pace, DEFAULT_PACE)
