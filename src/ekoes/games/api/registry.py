"""The games by name: our own, and those of other packages.

A game of another package is an entry point of the group ``ekoes.games``::

    [project.entry-points."ekoes.games"]
    nim = "nim.game:NIM"
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, cast

from ekoes.errors import NotationError, TableError
from ekoes.games.api.contract import Game

GROUP = "ekoes.games"

_OWN = {"eko": "ekoes.games.eko.game:EKO", "ekko": "ekoes.games.ekko.game:EKKO"}
"""Name -> module and attribute; a game is imported on first use."""


def games() -> tuple[str, ...]:
    """Return the names of all games, our own first."""
    return (*own_games(), *_others())


def own_games() -> tuple[str, ...]:
    """Return the names of our own games."""
    return tuple(_OWN)


@cache
def game(name: str) -> Game:
    """Return the game of a name. Raises NotationError naming the known ones."""
    # Our own first: searching the entry points takes as long as a whole command.
    where = _OWN.get(name) or _others().get(name)
    if where is None:
        raise NotationError(f"no game is called {name!r:.40}; there are: {', '.join(games())}", key="game")
    return cast("Game", load(where))


@cache
def load(part: str) -> Any:  # noqa: ANN401 - a part may be anything
    """Import a part of a game: ``module:ATTRIBUTE``, or a module."""
    module, _, attribute = part.partition(":")
    return getattr(import_module(module), attribute) if attribute else import_module(module)


def part_of(name: str, kind: str) -> Any:  # noqa: ANN401 - a part may be anything
    """Import a part of a game by its name in ``Parts``. Raises TableError if the game has none."""
    return load(check_part(name, kind))


def check_part(name: str, kind: str) -> str:
    """Return where a part of a game is, without importing it. Raises TableError if the game has none."""
    part: str | None = getattr(game(name).parts, kind)
    if part is None:
        raise TableError(f"{name} has no {kind}", code="table/wrong-order")
    return part


@cache
def _others() -> dict[str, str]:
    """Return the games of other packages."""
    return {found.name: found.value for found in entry_points(group=GROUP) if found.name not in _OWN}
