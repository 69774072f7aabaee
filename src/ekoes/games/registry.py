"""The games by name: those of this house, and those that other packages bring.

A game of another package is one entry point of the group ``ekoes.games``::

    [project.entry-points."ekoes.games"]
    nim = "nim.game:NIM"
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, cast

from ekoes.errors import NotationError
from ekoes.games.contract import Game

__all__ = ["GROUP", "game", "games", "load", "own_games"]

GROUP = "ekoes.games"

_OWN = {"eko": "ekoes.games.eko.game:EKO", "ekko": "ekoes.games.ekko.game:EKKO"}
"""Name -> module and attribute; a game is imported when it is first asked for."""


def games() -> tuple[str, ...]:
    """Return the names of all games, our own first."""
    return (*own_games(), *_others())


def own_games() -> tuple[str, ...]:
    """Return the names of the games of this house."""
    return tuple(_OWN)


@cache
def game(name: str) -> Game:
    """Return the game of a name. Raises NotationError naming the known ones."""
    # Our own are found without a look at what else is installed: that takes as long as a command.
    where = _OWN.get(name) or _others().get(name)
    if where is None:
        message = f"no game is called {name!r:.40}; there are: {', '.join(games())}"
        raise NotationError(message, key="game")
    return cast("Game", load(where))


@cache
def load(part: str) -> Any:  # noqa: ANN401 - a part may be anything
    """Import a part of a game. part: ``module:ATTRIBUTE``, or a module."""
    module, _, attribute = part.partition(":")
    return getattr(import_module(module), attribute) if attribute else import_module(module)


@cache
def _others() -> dict[str, str]:
    """Return the games of other packages."""
    return {found.name: found.value for found in entry_points(group=GROUP) if found.name not in _OWN}
