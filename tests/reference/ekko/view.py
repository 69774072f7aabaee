"""What an eye may see (K6.4)."""

from __future__ import annotations

from typing import Any

Position = dict[str, Any]


def view(position: Position, eye: int | None, drew: list[list[Any]]) -> Position:
    """The view of a seat, or of a spectator (None). drew: [seat, cards in the zone then, why] …"""
    own = eye is not None
    seen = {key: position[key] for key in ("game", "version", "players", "target")}
    seen |= {"pile": len(position["pile"]), "zone": position["zone"]}
    seen["sizes"] = [len(hand) for hand in position["hands"]]
    if own:
        seen["hand"] = position["hands"][eye]
    seen["set_aside"] = [len(cards) for cards in position["aside"]]
    if own:
        seen["aside"] = position["aside"][eye]
    seen |= {"scores": position["scores"], "drew": drew, "turn": _turn(position, eye)}
    if "winners" in position:
        seen["winners"] = position["winners"]
    return seen


def _turn(position: Position, eye: int | None) -> Position:
    """K6.1: who is asked for a mirror knows it alone; all others see the turn of who is next."""
    turn = dict(position["turn"])
    if turn["phase"] == "mirror" and turn["asked"] != eye:
        turn["phase"] = "play"
        del turn["asked"]
    blocked = turn.pop("blocked", [[]] * position["players"])
    if eye is not None and blocked[eye]:
        turn["blocked"] = blocked[eye]
    return turn
