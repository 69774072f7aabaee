"""Players that are programs: each looks at a position and chooses one of its legal actions."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Protocol, cast

from ekoes.errors import NotationError
from ekoes.games.chance import Chance
from ekoes.games.contract import Position

__all__ = ["BOTS", "STAND_INS", "Bot", "bot"]

_HOMES = {
    "eko": {"random": "ekoes.bots.random_bot:RANDOM", "greedy": "ekoes.bots.greedy:GREEDY"},
    "ekko": {
        "random": "ekoes.bots.ekko.player:RANDOM",
        "novice": "ekoes.bots.ekko.player:NOVICE",
        "regular": "ekoes.bots.ekko.player:REGULAR",
        "expert": "ekoes.bots.ekko.player:EXPERT",
        "master": "ekoes.bots.ekko.player:MASTER",
    },
}
"""Game -> name, weakest first -> module and attribute; imported when first asked for."""

BOTS: dict[str, tuple[str, ...]] = {game: tuple(homes) for game, homes in _HOMES.items()}
"""Game -> the names of its bots, weakest first."""

STAND_INS: dict[str, str] = {"eko": "greedy", "ekko": "regular"}
"""Game -> the bot of a seat that names none, and of one whose player left the game."""


class Bot(Protocol):
    """A player that keeps nothing in mind between two decisions, so one can sit at many tables."""

    @property
    def name(self) -> str:
        """One of ``BOTS[game]``."""

    def choose(self, position: Position, seat: int, chance: Chance) -> Any:  # noqa: ANN401
        """Return a legal action for a seat that is asked; equal chance gives the same one."""


def bot(game: str, name: str) -> Bot:
    """Return a game's bot of a name. game: a key of ``BOTS``. Raises NotationError naming the known ones."""
    homes = _HOMES[game]
    if name not in homes:
        raise NotationError(f"no bot is called {name!r:.40}; there are: {', '.join(homes)}", key="bot")
    module, attribute = homes[name].split(":")
    return cast("Bot", getattr(import_module(module), attribute))
