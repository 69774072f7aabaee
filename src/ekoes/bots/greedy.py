"""The bot ``greedy``: plays the whole turn that leaves it best off, without looking at the answer."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Protocol, cast

from ekoes.games.chance import Chance
from ekoes.games.contract import Position

__all__ = ["GREEDY", "Greedy"]

_GAMES = {"eko": "ekoes.bots.eko.greedy"}
"""Game -> the module that knows how to look one turn ahead in it."""


class _Foresight(Protocol):
    """What such a module offers."""

    def best_action(self, position: Position, chance: Chance) -> Any:  # noqa: ANN401
        """Return the action that begins the best rest of the turn for whoever is asked."""


class Greedy:
    """Looks one whole turn ahead."""

    name = "greedy"

    def choose(self, position: Position, seat: int, chance: Chance) -> Any:  # noqa: ANN401, ARG002
        """Return the action that begins the best rest of the turn; equally good ones by chance."""
        foresight = cast("_Foresight", import_module(_GAMES[position.game.name]))
        return foresight.best_action(position, chance)


GREEDY = Greedy()
