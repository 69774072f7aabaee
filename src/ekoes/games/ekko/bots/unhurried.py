"""A bot that knows no haste, at a live table all the same: it is asked as in a sequence of decisions (K6)."""

from __future__ import annotations

from typing import Any

from ekoes.games.chance import Chance
from ekoes.games.contract import Json
from ekoes.games.ekko.action import Action, Pass
from ekoes.games.ekko.bots.live import as_if_held, asked_for_mirror, intent_of, may_be_held
from ekoes.games.ekko.live.asks import EFFECT, MIRROR, TURN
from ekoes.games.ekko.sight import Sight

__all__ = ["unhurried"]


def unhurried(player: Any, sight: Sight, seat: int, asks: str, chance: Chance) -> Json | None:  # noqa: ANN401
    """Return what a bot wants that has nothing but ``choose``; None: nothing.

    Without the mirror it passes where everybody has to decide. It is asked all the same, as if it held the
    mirror: how long it thinks tells nobody anything (K7.6).
    """
    if asks == EFFECT:
        return {"type": "effect", "effect": "draw"}
    view = sight.view(seat)
    if asks == TURN:
        return intent_of(player.choose(sight, seat, chance), view)
    action = _mirror(player, view, seat, chance)
    return None if asks == MIRROR and isinstance(action, Pass) else intent_of(action, view)


def _mirror(player: Any, view: Json, seat: int, chance: Chance) -> Action:  # noqa: ANN401
    if not may_be_held(view):
        return Pass()
    asked = asked_for_mirror(view, seat)
    action: Action = player.choose(Sight(seat, asked or as_if_held(view, seat)), seat, chance)
    return Pass() if asked is None else action
