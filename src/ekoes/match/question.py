"""A bot is asked and answers: what a table wants to know of a player that is a program, and the reply.

A table that waits for a bot poses a question. Whoever answers it, here or elsewhere, gets what the
seat may see and nothing else; the answer becomes an order that is judged like anybody's.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from ekoes.bots import Thought, bot, bots, decide
from ekoes.bots.random_bot import RANDOM
from ekoes.games.chance import Chance
from ekoes.games.contract import Answer
from ekoes.games.registry import game as game_of
from ekoes.games.registry import load

__all__ = ["DECISION", "Limit", "Planner", "Question", "answer_to", "makeshift"]

DECISION = "decision"
"""What is asked where one decides after the other; where the quicker hand wins, each game has its words."""

_LOG = logging.getLogger("ekoes.match")

_UNHURRIED = 1000
"""Milliseconds that a bot takes which knows no haste, at a table where the quicker hand wins."""


@dataclass(frozen=True, slots=True)
class Limit:
    """How much an answer may cost: milliseconds of thought, steps of a search; None: as the bot likes."""

    milliseconds: int | None = None
    iterations: int | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """What a table asks of a bot; picklable.

    key: the same as long as the same is asked, so that no answer is sought twice. asks: what for.
    sight: ``Position.sight(seat)``. seen: the positions that began a turn so far, as the rule of
    repetition compares them, the latest last. chance: the seed of the bot's chance, which tells
    nothing of any other question's. version: the table's.
    """

    key: str
    version: int
    game: str
    bot: str
    seat: int
    asks: str
    sight: Any
    chance: int = field(repr=False)
    seen: tuple[bytes, ...] = ()
    limit: Limit = field(default_factory=Limit)


class Planner(Protocol):
    """A bot that knows haste: it says what it will do and how soon."""

    def plan(self, sight: Any, seat: int, asks: str, chance: Chance) -> Answer:  # noqa: ANN401
        """Return what it will do about what is asked, and when."""


def answer_to(question: Question) -> Answer:
    """Let the bot think; blocks. Equal questions have equal answers. Raises EkoesError."""
    player, game = bot(question.game, question.bot), game_of(question.game)
    chance = Chance(question.chance)
    if question.asks == DECISION:
        action = decide(player, question.sight, question.seat, chance, _thought(question))
        return Answer(game.action_to_json(action), _UNHURRIED)
    plan = getattr(player, "plan", None)
    if plan is not None:
        planned: Answer = plan(question.sight, question.seat, question.asks, chance)
        return planned
    wish = load(game.parts.presenter).answer(player, question.sight, question.seat, question.asks, chance)
    return Answer(wish, _UNHURRIED)


def _thought(question: Question) -> Thought:
    """Return how much a decision may cost, and what came before it."""
    limit = question.limit
    seconds = None if limit.milliseconds is None else limit.milliseconds / 1000
    return Thought(seconds, limit.iterations, question.seen)


def makeshift(question: Question) -> Answer:
    """Return what stands in for an answer that does not come: a bot's failure must not stop the game.

    Where nothing is hidden that is any legal action, else what the weakest bot would do. An action
    that is none leaves it to the table, which may know what stands in for a mistake.
    """
    try:
        if hasattr(question.sight, "legal"):
            action = RANDOM.choose(question.sight, question.seat, Chance(question.chance))
            return Answer(game_of(question.game).action_to_json(action), _UNHURRIED)
        weakest = bots(question.game)[0]
        if question.bot != weakest:
            return answer_to(replace(question, bot=weakest))
    except Exception:  # noqa: BLE001 - a bot may fail in any way
        _LOG.exception("%s: nothing stands in for the bot %s", question.game, question.bot)
    return Answer({}, _UNHURRIED)
