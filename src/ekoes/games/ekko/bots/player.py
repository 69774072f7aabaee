"""The players of EKKO as bots: they get what their seat sees, and nothing else (K6.4)."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass

from ekoes.games.chance import Chance
from ekoes.games.contract import Answer
from ekoes.games.ekko.action import Action
from ekoes.games.ekko.bots.decide import decide
from ekoes.games.ekko.bots.levels import FORMER, LEVELS
from ekoes.games.ekko.bots.live import plan_mirror, plan_pass, plan_turn
from ekoes.games.ekko.live.asks import EFFECT, MIRROR, TURN, WINDOW
from ekoes.games.ekko.position import EkkoPosition
from ekoes.games.ekko.sight import Sight

__all__ = [
    "BEGINNER",
    "CASUAL",
    "EXPERT",
    "MASTER",
    "NOVICE",
    "RANDOM",
    "REGULAR",
    "SKILLED",
    "STRONG",
    "EkkoBot",
]

_NOTHING = Answer(None)


@dataclass(frozen=True, slots=True)
class EkkoBot:
    """A level that sits at a table, whether anybody is in a hurry there or not."""

    name: str

    def choose(self, position: EkkoPosition | Sight, seat: int, chance: Chance) -> Action:
        """Return a legal action for a seat that is asked, from the seat's view of the position alone."""
        return decide(self.name, position.view(seat), seat, chance)

    def plan(self, sight: Sight, seat: int, asks: str, chance: Chance) -> Answer:
        """Return what it does at a live table, and how long it takes (K7).

        asks: ``turn``, ``mirror``, ``window`` (both are decided together), ``leaving`` (K5.1), or
        ``effect`` of a mirror that another player claimed at this seat.
        """
        view = sight.view(seat)
        if asks == EFFECT:
            return Answer({"type": "effect", "effect": "draw"})
        if asks == TURN:
            return plan_turn(self.name, view, seat, chance)
        passes = plan_pass(self.name, view, copy(chance))
        mirror = plan_mirror(self.name, view, seat, chance)
        if asks == MIRROR:
            return mirror or _NOTHING
        if mirror is None:
            return passes
        # In a window a claim comes when a pass would have come; a last card is mirrored when it is noticed.
        return Answer(mirror.action, passes.delay) if asks == WINDOW else mirror


RANDOM, BEGINNER, CASUAL, SKILLED, STRONG, MASTER = (EkkoBot(name) for name in LEVELS)
NOVICE, REGULAR, EXPERT = (EkkoBot(name) for name in FORMER)
