"""What happens by itself where the quicker hand wins: the clock, the deal, and what bots are asked.

A bot sees its own view and nothing else. Its chance comes from the table's seed, its seat and the
moment that it answers, so that a question stays the same while nothing changes. Whether and when it
passes never depends on its hand (K7.6).
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import datetime, timedelta

from ekoes.errors import EkoesError
from ekoes.games.chance import Chance
from ekoes.games.contract import Answer, Json
from ekoes.games.ekko.action import action_to_json
from ekoes.games.ekko.live import clock_action
from ekoes.games.registry import game
from ekoes.match.orders import AnyOrder, Deal, Intent, Tick
from ekoes.match.question import Question
from ekoes.match.race import clock, decide
from ekoes.match.race.entry import Moment, Stage
from ekoes.match.race.state import RaceTable
from ekoes.match.state import DEFAULT_PACE, Move

__all__ = ["due", "is_busy", "move", "questions", "strikes_at"]

_LOG = logging.getLogger("ekoes.match")

TURN, MIRROR, WINDOW, LEAVING, EFFECT = "turn", "mirror", "window", "leaving", "effect"
"""What a bot is asked for."""
_WORDS = (TURN, MIRROR, WINDOW, LEAVING, EFFECT)


def is_busy(table: RaceTable) -> bool:
    """Tell whether a deal is due, a clock runs, or a bot plays along."""
    if not table.is_started or table.outcome is not None:
        return False
    has_bots = any(seat.kind == "bot" for seat in table.seats)
    return table.needs_deal or has_bots or clock.ends_at(table) is not None


def due(table: RaceTable, at: datetime, chance: Chance) -> tuple[AnyOrder, datetime] | None:
    """Return the deal or the tick that comes before anything else at a moment."""
    if table.needs_deal:
        action = game(table.game).action_to_json(table.position.chance_action(chance))
        return Deal(key=f"deal-{table.version}", action=action), at
    ends = clock.ends_at(table)
    if ends is not None and ends <= at:
        return Tick(key=f"tick-{table.version}"), ends
    return None


def strikes_at(table: RaceTable) -> datetime | None:
    """Return when the running clock runs out."""
    return clock.ends_at(table)


def questions(table: RaceTable) -> tuple[Question, ...]:
    """Return what each bot is asked: what it would do if nobody else did anything before."""
    if table.since is None or table.outcome is not None:
        return ()
    return tuple(
        question
        for seat, chair in enumerate(table.seats)
        if chair.kind == "bot" and chair.bot is not None
        for question in _questions_to(table, seat, chair.bot, table.since)
    )


def _questions_to(table: RaceTable, seat: int, bot: str, since: Moment) -> Iterator[Question]:
    match table.stage:
        case Stage.EFFECT if table.claim is not None and table.claim.seat == seat:
            yield _question(table, seat, bot, EFFECT, since)  # of somebody who left in the midst of a mirror
        case Stage.RACE:
            if seat == table.position.player:
                yield _question(table, seat, bot, TURN, since)
            if not table.rules.calm:
                yield _question(table, seat, bot, MIRROR, _mirror_since(table, seat))
        case Stage.WINDOW | Stage.LEAVING if seat not in table.decided and seat != table.position.leaving:
            yield _question(table, seat, bot, WINDOW if table.has_window else LEAVING, since)


def _mirror_since(table: RaceTable, seat: int) -> Moment:
    """Return when the top card came, or the latest card of the seat if it was drawn later."""
    moments = [moment for moment in (table.top_since, table.drew_since[seat]) if moment is not None]
    return max(moments, key=lambda moment: moment.number)


def _question(table: RaceTable, seat: int, bot: str, asks: str, since: Moment) -> Question:
    number = (since.number * len(table.seats) + seat) * len(_WORDS) + _WORDS.index(asks)
    return Question(
        key=f"{asks}-{seat}-{since.number}",
        version=table.version,
        game=table.game,
        bot=bot,
        seat=seat,
        asks=asks,
        sight=table.position.sight(seat),
        chance=table.seed ^ Chance(number).bits(),
    )


def move(table: RaceTable, question: Question, answer: Answer, now: datetime) -> Move | None:  # noqa: ARG001
    """Return what an answer comes to, in the time that its bot takes.

    A bot's mistake must not stop the game: in its turn the clock's choice stands in for it, in a
    window, which may have no clock, a pass.
    """
    if answer.action is None or table.since is None:
        return None
    since = _mirror_since(table, question.seat) if question.asks == MIRROR else table.since
    at = since.at + timedelta(milliseconds=answer.delay * _pace(table) // DEFAULT_PACE)
    for action in (answer.action, _instead(table, question)):
        if action is not None:
            intent = Intent(key=f"bot-{question.seat}-{table.version}", seat=question.seat, action=action)
            try:
                decide.decided(table, intent, at)
            except EkoesError as error:
                _LOG.warning("a bot's plan is refused: %s", error)
            else:
                return Move(at, intent)
    return None


def _instead(table: RaceTable, question: Question) -> Json | None:
    """Return what stands in for a bot's mistake."""
    position = table.position
    if table.has_window:
        return {"type": "pass", "on": position.top}
    if question.asks != TURN:
        return None
    return action_to_json(clock_action(position)) | {"on": position.top}


def _pace(table: RaceTable) -> int:
    """Return the table's pace, which stretches or shortens every bot's delays.

    Where no person plays, bots take their time: nobody waits, and other tables want the machine too.
    """
    return table.pace if table.people else max(table.pace, DEFAULT_PACE)
