"""Requests to bots: what a seat sees, a time limit and a random seed derived from the table's secret."""

from __future__ import annotations

import logging
import secrets
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any

from ekoes.bots import Bot, Thought, bot, bots, decide
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Answer
from ekoes.games.api.parts import RANDOM
from ekoes.games.api.registry import game as game_of
from ekoes.games.api.registry import load

_BYTES = 32


@dataclass(frozen=True, slots=True)
class Secret:
    """The key from which the random seed of each request to a bot is derived.

    It is not part of the table, so no view can leak it. Seeds of earlier requests reveal nothing about later
    ones (BLAKE2b as a keyed hash).
    """

    key: bytes = field(repr=False)

    @classmethod
    def read(cls, text: str) -> Secret:
        """Read what ``text`` returned."""
        return cls(bytes.fromhex(text))

    @property
    def text(self) -> str:
        """The secret as it is stored."""
        return self.key.hex()

    def seed(self, about: str) -> int:
        """Return a seed of 64 bits; equal requests have equal seeds."""
        return int.from_bytes(blake2b(about.encode(), key=self.key, digest_size=8).digest())


def fresh_secret() -> Secret:
    """Return a random secret of 256 bits."""
    return Secret(secrets.token_bytes(_BYTES))


DECISION = "decision"
"""The request of turn tables; real-time games define their own."""

_LOG = logging.getLogger("ekoes.tables")

_UNHURRIED = 1000
"""The default delay of a bot at a race table, in milliseconds."""


@dataclass(frozen=True, slots=True)
class BotRequest:
    """A request to a bot; picklable.

    key: equal for equal requests, so that none is answered twice. asks: the kind of request. sight:
    ``Position.sight(seat)``. seen: the positions at the start of each turn, as the rule of repetition
    compares them. chance: the bot's random seed. version: the table's.
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


def answer_to(question: BotRequest, player: Bot | None = None, threads: int = 1) -> Answer:
    """Return the bot's answer; blocks. Raises EkoesError.

    player: the bot, ``seated`` there; by default one that has kept nothing, whose answers to equal requests
    are equal. threads: how many may think at once.
    """
    player, game = player or bot(question.game, question.bot), game_of(question.game)
    chance = Chance(question.chance)
    if question.asks == DECISION:
        thought = Thought(seen=question.seen, threads=threads)
        action = decide(player, question.sight, question.seat, chance, thought)
        return Answer(game.action_to_json(action), _UNHURRIED)
    plan = getattr(player, "plan", None)
    if plan is not None:
        planned: Answer = plan(question.sight, question.seat, question.asks, chance)
        return planned
    wish = load(game.parts.presenter).answer(player, question.sight, question.seat, question.asks, chance)
    return Answer(wish, _UNHURRIED)


def makeshift(question: BotRequest) -> Answer:
    """Return an answer in place of a bot that failed, so that the game continues.

    It is any legal action if nothing is hidden, else the weakest bot's answer. An empty action leaves the
    choice to the table.
    """
    try:
        if hasattr(question.sight, "legal"):
            action = RANDOM.choose(question.sight, question.seat, Chance(question.chance))
            return Answer(game_of(question.game).action_to_json(action), _UNHURRIED)
        weakest = bots(question.game)[0]
        if question.bot != weakest:
            return answer_to(replace(question, bot=weakest))
    except Exception:  # noqa: BLE001 - a bot may fail in any way
        _LOG.exception("%s: no default answer for the bot %s", question.game, question.bot)
    return Answer({}, _UNHURRIED)
