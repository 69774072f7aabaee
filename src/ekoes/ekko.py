"""EKKO as a library: ``ekoes.ekko.Game``, in the manner of python-chess."""

from __future__ import annotations

from ekoes import library
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.position.action import Action
from ekoes.games.ekko.position.position import EkkoPosition

__all__ = ["Action", "EkkoPosition", "Game"]


class Game(library.Game[EkkoPosition, Action]):
    """A game of EKKO as decisions one after the other; each round begins with ``push_chance``.

    A player with the mirror of the top card is asked before the next one plays. Rules: docs/rules/ekko.en.md.
    """

    name = EKKO.name

    def __init__(self, players: int = 2, *, target: int = 25, seed: int = 0) -> None:
        """Begin a game before its first deal. target: the total that ends it (K5.6).

        Raises: PositionError naming the option.
        """
        super().__init__(EKKO.new({"players": players, "target": target}, seed), seed=seed)

    def hand(self, seat: int) -> tuple[int, ...]:
        """Return the cards of a seat, which only its player may see (K6)."""
        return self.position.hands[seat]
