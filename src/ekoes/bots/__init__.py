"""Players that are programs: each looks at a position and chooses one of its legal actions."""

from __future__ import annotations

from typing import Any, Protocol, cast

from ekoes.errors import NotationError
from ekoes.games.chance import Chance
from ekoes.games.registry import game as game_of
from ekoes.games.registry import load

__all__ = ["Bot", "bot", "bots", "stand_in"]


class Bot(Protocol):
    """A player that keeps nothing in mind between two decisions, so one can sit at many tables."""

    @property
    def name(self) -> str:
        """One of ``bots(game)``."""

    def choose(self, position: Any, seat: int, chance: Chance) -> Any:  # noqa: ANN401
        """Return a legal action for a seat that is asked; equal chance gives the same one.

        position: ``Position.sight(seat)``, or the position itself.
        """


def bots(game: str) -> tuple[str, ...]:
    """Return the names of a game's bots, weakest first. Raises NotationError naming the known games."""
    return tuple(game_of(game).parts.bots)


def stand_in(game: str) -> str:
    """Return the bot of a seat that names none, and of one whose player left the game."""
    return game_of(game).parts.stand_in


def bot(game: str, name: str) -> Bot:
    """Return a game's bot of a name. Raises NotationError naming the known ones."""
    homes = game_of(game).parts.bots
    if name not in homes:
        raise NotationError(f"no bot is called {name!r:.40}; there are: {', '.join(homes)}", key="bot")
    return cast("Bot", load(homes[name]))
