"""What a level decides where its seat is asked."""

from __future__ import annotations

from ekoes.games.chance import Chance
from ekoes.games.contract import Json
from ekoes.games.ekko.action import Action
from ekoes.games.ekko.bots.levels import PLAYERS
from ekoes.games.ekko.bots.seen import seen_by
from ekoes.games.ekko.codec import decode

__all__ = ["decide"]


def decide(name: str, view: Json, seat: int, chance: Chance) -> Action:
    """Return what a bot does where its seat is asked. name: in ``PLAYERS``; view: ``position.view(seat)``."""
    return decode(PLAYERS[name].weigh(seen_by(seat, view), chance))
