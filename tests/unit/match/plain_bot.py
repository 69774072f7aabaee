"""A bot of EKKO that has nothing but ``choose``: it knows no levels and no haste."""

from __future__ import annotations

from ekoes.games.chance import Chance
from ekoes.games.ekko.action import Action
from ekoes.games.ekko.bots.player import NOVICE
from ekoes.games.ekko.sight import Sight

__all__ = ["PLAIN", "PlainBot"]


class PlainBot:
    """Chooses like a novice, and only where its seat is asked."""

    name = "plain"

    def choose(self, position: Sight, seat: int, chance: Chance) -> Action:
        turn = position.view(seat)["turn"]
        assert turn.get("asked", turn["player"]) == seat
        return NOVICE.choose(position, seat, chance)


PLAIN = PlainBot()
