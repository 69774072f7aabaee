"""A player that knows no haste, at a table where the quicker hand wins: what it is asked there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol, cast

from ekoes.games.chance import Chance
from ekoes.games.contract import Json
from ekoes.games.registry import game as game_of
from ekoes.games.registry import load

__all__ = ["Afar", "afar_of"]


class Afar(Protocol):
    """What a game brings (``Parts.afar``) so that programs play it at tables where the quicker hand wins."""

    def greeting(self, state: Json, seat: int) -> Json | None:
        """Return what a seat does without being asked, None: nothing."""

    def asked(self, state: Json, options: Json, seat: int) -> Iterator[tuple[str, str]]:
        """Yield what a seat is asked, and a key that stays the same as long as the same is asked."""

    def sight(self, state: Json, seat: int) -> Any:  # noqa: ANN401 - each game has its own
        """Return what a seat sees, as ``Position.sight(seat)`` does."""

    def answer(self, player: Any, sight: Any, seat: int, asks: str, chance: Chance) -> Json | None:  # noqa: ANN401
        """Return what a player wants to do about what is asked, None: nothing."""


def afar_of(game: str) -> Afar | None:
    """Return how a game is played so; None: there one decides after the other."""
    part = game_of(game).parts.afar
    return None if part is None else cast("Afar", load(part))
