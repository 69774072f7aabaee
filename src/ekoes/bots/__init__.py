"""Players that are programs: each looks at a position and chooses one of its legal actions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol, cast

from ekoes.errors import NotationError
from ekoes.games.chance import Chance
from ekoes.games.registry import game as game_of
from ekoes.games.registry import load

__all__ = ["Bot", "Thinker", "Thought", "bot", "bots", "decide", "is_bot", "stand_in"]


class Bot(Protocol):
    """A player that keeps nothing in mind between two decisions, so one can sit at many tables."""

    @property
    def name(self) -> str:
        """One of ``bots(game)``."""

    def choose(self, position: Any, seat: int, chance: Chance) -> Any:  # noqa: ANN401
        """Return a legal action for a seat that is asked; equal chance gives the same one.

        position: ``Position.sight(seat)``, or the position itself.
        """


class Thinker(Bot, Protocol):
    """A bot that can be given limits, and wants to know what came before."""

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
        """Choose as ``choose`` does, by limits: None and None are its own."""


@dataclass(frozen=True, slots=True)
class Thought:
    """How much a decision may cost, and what came before it.

    seconds, iterations: the first that is reached counts; None and None: as the bot likes. seen: the
    positions that began a turn so far, as the rule of repetition compares them.
    """

    seconds: float | None = None
    iterations: int | None = None
    seen: Iterable[bytes] = ()


def decide(player: Bot, sight: Any, seat: int, chance: Chance, thought: Thought) -> Any:  # noqa: ANN401
    """Return what a bot chooses, within limits if it knows any."""
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
    """Return the names of the bots that a game offers, weakest first.

    Raises: NotationError naming the known games.
    """
    return tuple(game_of(game).parts.bots)


def is_bot(game: str, name: str) -> bool:
    """Whether a game has a bot of a name, be it one that is offered no more."""
    return name in _homes(game)


def stand_in(game: str) -> str:
    """Return the bot of a seat that names none, and of one whose player left the game."""
    return game_of(game).parts.stand_in


def bot(game: str, name: str) -> Bot:
    """Return a game's bot of a name. Raises NotationError naming the known ones."""
    homes = _homes(game)
    if name not in homes:
        raise NotationError(f"no bot is called {name!r:.40}; there are: {', '.join(bots(game))}", key="bot")
    return cast("Bot", load(homes[name]))


def _homes(game: str) -> dict[str, str]:
    parts = game_of(game).parts
    return {**parts.former_bots, **parts.bots}
