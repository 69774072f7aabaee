"""The players of EKKO as bots: they get what their seat sees, and nothing else (K6.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ekoes.bots.ekko.levels import LEVELS
from ekoes.bots.ekko.seen import seen_by
from ekoes.games.ekko.codec import decode

if TYPE_CHECKING:
    from ekoes.games.chance import Chance
    from ekoes.games.contract import Json, Position
    from ekoes.games.ekko.action import Action

__all__ = ["EXPERT", "MASTER", "NOVICE", "RANDOM", "REGULAR", "EkkoBot", "decide"]


def decide(name: str, view: Json, seat: int, chance: Chance) -> Action:
    """Return what a bot does where its seat is asked. name: in ``LEVELS``; view: ``position.view(seat)``."""
    return decode(LEVELS[name].weigh(seen_by(seat, view), chance))


@dataclass(frozen=True, slots=True)
class EkkoBot:
    """A level that sits at tables where nobody is in a hurry (K6)."""

    name: str

    def choose(self, position: Position, seat: int, chance: Chance) -> Action:
        """Return a legal action for a seat that is asked, from the seat's view of the position alone."""
        return decide(self.name, position.view(seat), seat, chance)


RANDOM, NOVICE, REGULAR, EXPERT, MASTER = (EkkoBot(name) for name in LEVELS)
