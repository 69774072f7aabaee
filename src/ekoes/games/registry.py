"""The games by name."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

from ekoes.errors import NotationError

if TYPE_CHECKING:
    from ekoes.games.contract import Game

__all__ = ["GAMES", "game"]

GAMES = {"eko": "ekoes.games.eko.game:EKO", "ekko": "ekoes.games.ekko.game:EKKO"}
"""Name -> module and attribute; a game is imported when it is first asked for."""


def game(name: str) -> Game:
    """Return the game of a name. Raises NotationError naming the known ones."""
    if name not in GAMES:
        message = f"no game is called {name!r:.40}; there are: {', '.join(GAMES)}"
        raise NotationError(message, key="game")
    module, attribute = GAMES[name].split(":")
    return cast("Game", getattr(import_module(module), attribute))
