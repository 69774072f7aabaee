"""Bots: each chooses a legal action from what its seat sees."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol, cast

from ekoes.errors import NotationError
from ekoes.games.api.chance import Chance
from ekoes.games.api.registry import game as game_of
from ekoes.games.api.registry import load

__all__ = ["Bot", "Thinker", "Thought", "bot", "bots", "decide", "is_bot", "stand_in"]


class Bot(Protocol):
    """A stateless player: one instance can play at many tables."""

    @property
    def name(self) -> str:
        """One of ``bots(game)``."""

    def choose(self, position: Any, seat: int, chance: Chance) -> Any:  # noqa: ANN401
        """Return a legal action for a seat to move; the same chance gives the same one.

        position: ``Position.sight(seat)``, or the position itself.
        """


class Thinker(Bot, Protocol):
    """A bot that respects limits and considers earlier positions."""

    def think(
        self,
        position: Any,  # noqa: ANN401
        seat: int,
        chance: Chance,
        *,
        seconds: float | None,
        iterations: int | None,
        seen: Iterable[bytes],
    ) -> Any:  # noqa: ANN401
        """Choose as ``choose`` does, within limits; None and None: the bot's own limits."""


@dataclass(frozen=True, slots=True)
class Thought:
    """The limits of a decision, and earlier positions.

    seconds, iterations: the first limit reached counts; None and None: the bot's own. seen: the positions at
    the start of each turn so far, as the repetition rule compares them.
    """

    seconds: float | None = None
    iterations: int | None = None
    seen: Iterable[bytes] = ()


def decide(player: Bot, sight: Any, seat: int, chance: Chance, thought: Thought) -> Any:  # noqa: ANN401
    """Return the choice of a bot, within limits if it supports them."""
    if not hasattr(player, "think"):
        return player.choose(sight, seat, chance)
    return cast("Thinker", player).think(
        sight,
        seat,
        chance,
        seconds=thought.seconds,
        iterations=thought.iterations,
        seen=thought.seen,
    )


def bots(game: str) -> tuple[str, ...]:
    """Return the names of the bots of a game, weakest first.

    Raises: NotationError naming the known games.
    """
    return tuple(game_of(game).parts.bots)


def is_bot(game: str, name: str) -> bool:
    """Return whether a game has a bot of a name."""
    return name in game_of(game).parts.bots


def stand_in(game: str) -> str:
    """Return the default bot of a game, which also replaces a player who has left."""
    return game_of(game).parts.stand_in


def bot(game: str, name: str) -> Bot:
    """Return a game's bot of a name. Raises NotationError naming the known ones."""
    homes = game_of(game).parts.bots
    if name not in homes:
        raise NotationError(f"no bot is called {name!r:.40}; there are: {', '.join(bots(game))}", key="bot")
    return cast("Bot", load(homes[name]))
