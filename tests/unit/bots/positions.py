"""Positions of Ekö that a few stacks make."""

from __future__ import annotations

from typing import Any

from ekoes.games.eko.game import EKO
from ekoes.games.eko.position.position import EkoPosition

_TILES = [
    ["F", 0, 0, 3],
    ["G", 2, 1, 3],
    ["E", 3, -2, 0],
    ["D", 1, -3, 4],
    ["A", -2, -1, 3],
    ["B", -3, 2, 4],
    ["C", -1, 3, 2],
]


def position(stacks: dict[str, tuple[int, int, bool]], **more: Any) -> EkoPosition:
    """Return a position for two with seat 0 to act; discs not on the board are out of the game."""
    value = EKO.new({"players": 2, "layout": _TILES}, 1).to_json()
    value["stacks"] = {
        space: {"owner": owner, "height": height, "emperor": emperor}
        for space, (owner, height, emperor) in stacks.items()
    }
    for seat in (0, 1):
        mine = [(height, emperor) for owner, height, emperor in stacks.values() if owner == seat]
        has_emperor = any(emperor for _, emperor in mine)
        captive = any(seat in held for held in more.get("captives", [[], []]))
        on_board = sum(height for height, _ in mine) - has_emperor
        value["reserve"][seat] = {"discs": 0, "emperor": not has_emperor and not captive}
        value["removed"][seat] = 15 - on_board
    value["turn"] = {"number": 9, "player": 0, "phase": "action"}
    return EKO.from_json(value | more)
