"""Players that are programs: each looks at a position and chooses one of its legal actions."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Protocol, cast

from ekoes.errors import NotationError
from ekoes.games.chance import Chance
from ekoes.games.contract import Position

__all__ = ["BOTS", "Bot", "bot"]

BOTS = ("random", "greedy")
"""The names of the bots, weakest first."""

_HOMES = {"random": "ekoes.bots.random_bot:RANDOM", "greedy": "ekoes.bots.greedy:GREEDY"}
"""Name -> module and attribute; imported when first asked for."""


class Bot(Protocol):
    """A player that keeps nothing in mind between two decisions, so one can sit at many tables."""

    @property
    def name(self) -> str:
        """One of ``BOTS``."""

    def choose(self, position: Position, seat: int, chance: Chance) -> Any:  # noqa: ANN401
        """Return a legal action for a seat that is asked; equal chance gives the same one."""


def bot(name: str) -> Bot:
    """Return the bot of a name. Raises NotationError naming the known ones."""
    if name not in _HOMES:
        raise NotationError(f"no bot is called {name!r:.40}; there are: {', '.join(BOTS)}", key="bot")
    module, attribute = _HOMES[name].split(":")
    return cast("Bot", getattr(import_module(module), attribute))
