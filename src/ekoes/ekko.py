"""EKKO as a library: ``ekoes.ekko.Game``, in the manner of python-chess."""

from __future__ import annotations

from typing import get_args

from ekoes import library
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.position.action import Action
from ekoes.games.ekko.position.position import EkkoPosition

__all__ = ["Action", "EkkoPosition", "Game"]


class Game(library.Game[EkkoPosition, Action]):
    """A game of EKKO as decisions one after the other; each round begins with ``push_chance``.

    A player with the mirror of the top card is asked before the next one plays. Rules: docs/rules/ekko.en.md.

    Examples:
        >>> import ekoes
        >>> game = ekoes.ekko.Game(players=3, seed=7)
        >>> deal = game.push_chance()
        >>> print(game)
        Round 1, pile of 79, zone: 45
         seat 0: 15 16 39 61 76 89, 0 points
        >seat 1: 21 64 71 73 88 94, 0 points
         seat 2: 24 46 57 74 90 98, 0 points
    """

    name = EKKO.name
    _actions = get_args(Action)

    def __init__(self, players: int = 2, *, target: int = 25, seed: int = 0) -> None:
        """Begin a game before its first deal. target: the total that ends it (K5.6).

        Raises: PositionError naming the option.
        """
        super().__init__(EKKO.new({"players": players, "target": target}, seed), seed=seed)

    def __str__(self) -> str:
        """Return the cards of everybody as text, the top card first."""
        position = self.position
        zone = " ".join(map(str, position.zone[::-1])) or "empty"
        lines = [f"Round {position.round}, pile of {position.pile_size}, zone: {zone}"]
        for seat in range(position.players):
            aside = " ".join(map(str, position.aside[seat]))
            hand = " ".join(map(str, position.hands[seat])) or "no cards"
            mark = ">" if seat == self.turn else " "
            more = f", aside {aside}" if aside else ""
            lines.append(f"{mark}seat {seat}: {hand}{more}, {position.scores[seat]} points")
        return "\n".join(lines)

    def hand(self, seat: int) -> tuple[int, ...]:
        """Return the cards of a seat, which only its player may see (K6). Raises ValueError without one."""
        self._check_seat(seat)
        return self.position.hands[seat]
