"""A bot that knows no haste, at a live table all the same: it is asked as in a sequence of decisions (K6)."""

from __future__ import annotations

from typing import Any

from ekoes.games.chance import Chance
from ekoes.games.contract import Json
from ekoes.games.ekko.action import Pass
from ekoes.games.ekko.bots.live import asked_for_mirror, intent_of
from ekoes.games.ekko.live.asks import EFFECT, MIRROR, TURN
from ekoes.games.ekko.sight import Sight

__all__ = ["unhurried"]


def unhurried(player: Any, sight: Sight, seat: int, asks: str, chance: Chance) -> Json | None:  # noqa: ANN401
    """Return what a bot wants that has nothing but ``choose``; None: nothing.

    Without the mirror it is not asked for one, and passes where everybody has to decide.
    """
    if asks == EFFECT:
        return {"type": "effect", "effect": "draw"}
    view = sight.view(seat)
    asked = view if asks == TURN else asked_for_mirror(view, seat)
    action = Pass() if asked is None else player.choose(Sight(seat, asked), seat, chance)
    return None if asks == MIRROR and isinstance(action, Pass) else intent_of(action, view)
