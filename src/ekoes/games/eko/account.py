"""What a decision has done, for those who read of it later: the log of a table tells it in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ekoes.games.contract import Json
from ekoes.games.eko.action import BUILDINGS, Action, Build, March, Moon, Move, Reinforce, SandTemple
from ekoes.games.eko.choices import describe
from ekoes.games.eko.rules.record import Whereabouts
from ekoes.games.eko.state import Stack

if TYPE_CHECKING:
    from ekoes.games.eko.position import EkoPosition

__all__ = ["account"]


def account(before: EkoPosition, action: Action, after: EkoPosition) -> Json:
    """Tell what a legal action has done. after: the position that it led to.

    Returns: what ``describe`` does; besides, where there is any, ``height`` (discs afterwards on the space
    that it was about), ``lost`` (discs lost to tempests), ``cost`` (discs spent or removed), ``met`` (the
    enemy stack as it stood), ``razed`` (the enemy building that was replaced), ``freed`` (the owners of the
    Emperors that an exchange brought back, E5.7) and ``points`` (what each seat has won or lost by it, the
    exchange included; E11.1).
    """
    told = describe(before, action)
    value: Json = {**told, **_discs(before, action, after)}
    met = _met(before, action)
    if met is not None:
        value["met"] = {"owner": met.owner, "height": met.height, "emperor": met.emperor}
    if isinstance(action, Build) and told["effect"] == "replace":
        owner, level = before.buildings()[action.site]
        value["razed"] = {"owner": owner, "kind": BUILDINGS[level - 1].value}
    if freed := _freed(before, met, after):
        value["freed"] = freed
    points = [after.total(seat) - before.total(seat) for seat in range(before.players)]
    if any(points):
        value["points"] = points
    return value


def _discs(before: EkoPosition, action: Action, after: EkoPosition) -> Json:
    """Tell how many discs there are now, and what became of others."""
    match action:
        case Move(target=space, zones=zones):
            return {"height": after.height(space)} | ({"lost": len(zones)} if zones else {})
        case Build(source=space):
            left = after.height(space)
            return {"height": left, "cost": before.height(space) - left}
        case Reinforce(space=space):
            return {"height": after.height(space)}
        case March() | Moon() | SandTemple():
            seat = before.player
            return {"cost": after.plain.removed[seat] - before.plain.removed[seat]}
        case _:
            return {}


def _met(before: EkoPosition, action: Action) -> Stack | None:
    """Return the enemy stack that an action touches."""
    space = action.target if isinstance(action, Move) else None
    if isinstance(action, SandTemple):
        space = action.space
    place = None if space is None else before.layout.index[space]
    owner = None if place is None else before.plain.owner_at(place)
    if place is None or owner is None or owner == before.actors()[0]:
        return None
    return Stack(owner, before.plain.height[place], before.plain.emperor[owner] == place)


def _freed(before: EkoPosition, met: Stack | None, after: EkoPosition) -> list[int]:
    """Return whose Emperors were captive, or became it, and are in the reserve now. Rule: E5.7."""
    captive = {seat for seat, where in enumerate(before.plain.whereabouts) if where == Whereabouts.CAPTIVE}
    if met is not None and met.emperor:
        captive.add(met.owner)
    return sorted(seat for seat in captive if after.plain.whereabouts[seat] == Whereabouts.RESERVE)
