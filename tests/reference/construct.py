"""Construct (E6)."""

from __future__ import annotations

from typing import Any

from tests.reference.board import board_of
from tests.reference.position import SUPPLY
from tests.reference.tiles import CARRIES

COST = {"camp": 1, "tower": 2, "castle": 3}
NEXT = {"camp": "tower", "tower": "castle", "castle": "none"}

Position = dict[str, Any]
Action = dict[str, Any]


def constructions(position: Position) -> list[Action]:
    """All constructions of the player whose turn it is."""
    player, board = position["turn"]["player"], board_of(position)
    found = []
    for start, stack in position["stacks"].items():
        if stack["owner"] == player:
            for site in board.adjacent[start]:
                for kind in _kinds(position, player, site):
                    found += _spendings(position, start, site, kind)
    return found


def _kinds(position: Position, player: int, site: str) -> list[str]:
    """E6.2, E6.5: the kinds that may stand here next."""
    old = position["buildings"].get(site)
    if old is None:
        wanted = ["camp"]
    elif old["owner"] == player:
        wanted = [NEXT[old["kind"]]]
    else:
        wanted = [old["kind"], NEXT[old["kind"]]]
    own = [b["kind"] for b in position["buildings"].values() if b["owner"] == player]
    carried = CARRIES.get(board_of(position).terrain[site], [])
    return [kind for kind in wanted if kind in carried and own.count(kind) < SUPPLY[kind]]


def _cost(position: Position, site: str, kind: str) -> int:
    """E6.3: one more when it replaces an enemy building."""
    old = position["buildings"].get(site)
    is_enemy = old is not None and old["owner"] != position["turn"]["player"]
    return COST[kind] + is_enemy


def _spendings(position: Position, start: str, site: str, kind: str) -> list[Action]:
    """E6.3, E6.4: with the Emperor kept, and with the Emperor spent."""
    stack, cost = position["stacks"][start], _cost(position, site, kind)
    action: Action = {"type": "build", "from": start, "site": site, "kind": kind}
    found = []
    if cost <= stack["height"] - stack["emperor"]:
        found.append(action)
    if stack["emperor"] and cost <= stack["height"]:
        found.append({**action, "emperor": True})
    return found


def do_build(position: Position, action: Action) -> None:
    """Carry a legal construction out, in place."""
    player = position["turn"]["player"]
    cost = _cost(position, action["site"], action["kind"])
    emperor = action.get("emperor", False)
    stack = position["stacks"][action["from"]]
    stack["height"] -= cost
    stack["emperor"] = stack["emperor"] and not emperor
    if stack["height"] == 0:
        del position["stacks"][action["from"]]
    position["reserve"][player]["discs"] += cost - emperor
    position["reserve"][player]["emperor"] |= emperor
    position["buildings"][action["site"]] = {"owner": player, "kind": action["kind"]}
