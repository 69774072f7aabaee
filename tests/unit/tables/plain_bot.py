"""A bot of EKKO that has nothing but ``choose``: it knows no levels and no haste."""

from __future__ import annotations

from ekoes.games.api.chance import Chance
from ekoes.games.ekko.bots.player import BEGINNER
from ekoes.games.ekko.position.action import Action
from ekoes.games.ekko.position.position import Sight

__all__ = ["PLAIN", "PlainBot"]


class PlainBot:
    """Chooses like a beginner, and only where its seat is asked."""

    name = "plain"

    def choose(self, position: Sight, seat: int, chance: Chance) -> Action:
        turn = position.view(seat)["turn"]
        assert turn.get("asked", turn["player"]) == seat
        return BEGINNER.choose(position, seat, chance)


PLAIN = PlainBot()
