"""What an eye may see (K6.4)."""

from __future__ import annotations

from typing import Any

from tests.reference.ekko.cards import others_clockwise

Position = dict[str, Any]


def view(position: Position, eye: int | None, drew: list[list[Any]]) -> Position:
    """The view of a seat, or of a spectator (None). drew: who_drew of the round so far."""
    own = eye is not None
    seen = {key: position[key] for key in ("game", "version", "players", "target")}
    seen |= {"pile": len(position["pile"]), "zone": position["zone"]}
    seen["sizes"] = [len(hand) for hand in position["hands"]]
    if own:
        seen["hand"] = position["hands"][eye]
    seen["set_aside"] = [len(cards) for cards in position["aside"]]
    if own:
        seen["aside"] = position["aside"][eye]
    if position["turn"]["phase"] == "deal":
        drew = []  # a new round
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


def who_drew(position: Position, action: Position, before: list[list[Any]]) -> list[list[Any]]:
    """Who has drawn in the round (K6.4), an action later: [seat, cards in the zone then, why] …"""
    if action["type"] == "deal":
        return []
    kind, turn, room = action["type"], position["turn"], len(position["pile"])
    lying = len(position["zone"])
    drawing: list[list[Any]] = []
    if kind == "draw":
        drawing = [[turn["player"], lying, "turn"]]
    elif kind == "misplay":
        drawing = [[_holder(position, action["card"]), lying, "misplay"]]
    elif kind == "mirror":
        seats = others_clockwise(position, _holder(position, action["card"]))
        if action["effect"] == "draw":
            drawing = [[seat, lying + 1, "effect"] for seat in seats]
        elif "leaving" in turn:
            drawing = [[turn["leaving"], lying + 1, "leaving"]]
    return before + drawing[:room]


def _holder(position: Position, card: int) -> int:
    return next(seat for seat, hand in enumerate(position["hands"]) if card in hand)
