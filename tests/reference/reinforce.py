"""Reinforcement (E8), and the temples that touch it (E10.4, E10.7)."""

from __future__ import annotations

from typing import Any

from tests.reference.board import board_of
from tests.reference.moves import TALLEST, ignores_tempests

PRICE_OF_THE_MOON = 2

Position = dict[str, Any]
Action = dict[str, Any]


def has_temple(position: Position, player: int, temple: str) -> bool:
    """A building of the player stands on this temple."""
    terrain = board_of(position).terrain
    return any(
        terrain[space] == temple and building["owner"] == player
        for space, building in position["buildings"].items()
    )


def placements(position: Position) -> list[Action]:
    """The ordinary reinforcements still open in this phase (E12.5, E12.6)."""
    turn = position["turn"]
    player, placed = turn["player"], turn.get("placed", [])
    reserve = position["reserve"][player]
    if placed and not has_temple(position, player, "wind"):
        return []
    open_stacks = [space for space in _own_stacks_below_4(position) if space not in placed]
    good = [space for space in open_stacks if not _is_near_enemy(position, space)]
    found = []
    for space in good:
        room = TALLEST - position["stacks"][space]["height"]
        most = min(room, reserve["discs"] + reserve["emperor"])
        found += [_placement(space, n, emperor=reserve["emperor"]) for n in range(1, most + 1)]
    if not good and reserve["emperor"]:
        found = [_placement(space, 1, emperor=True) for space in open_stacks]
    return found


def _placement(space: str, count: int, *, emperor: bool) -> Action:
    action: Action = {"type": "reinforce", "space": space, "count": count}
    return {**action, "emperor": True} if emperor else action


def _own_stacks_below_4(position: Position) -> list[str]:
    """E8.2; without those on tempests (E10.2), unless the Beacon is held (E10.3)."""
    player, terrain = position["turn"]["player"], board_of(position).terrain
    ignores = ignores_tempests(position, player)
    return [
        space
        for space, stack in position["stacks"].items()
        if stack["owner"] == player and stack["height"] < TALLEST and (ignores or terrain[space] != "tempest")
    ]


def _is_near_enemy(position: Position, space: str) -> bool:
    """E8.3: next to an enemy building."""
    return any(
        position["buildings"].get(site, {}).get("owner", position["turn"]["player"])
        != position["turn"]["player"]
        for site in board_of(position).adjacent[space]
    )


def moon_options(position: Position) -> list[Action]:
    """E10.4."""
    turn, board = position["turn"], board_of(position)
    player = turn["player"]
    reserve = position["reserve"][player]
    if turn.get("moon_used") or not has_temple(position, player, "moon"):
        return []
    found: list[Action] = []
    for space in filter(board.is_walkable, board.spaces):
        stack = position["stacks"].get(space)
        if stack and (stack["owner"] != player or stack["height"] == TALLEST):
            continue
        if reserve["discs"] > PRICE_OF_THE_MOON:
            found.append({"type": "moon", "space": space})
        if reserve["discs"] >= PRICE_OF_THE_MOON and reserve["emperor"]:
            found.append({"type": "moon", "space": space, "emperor": True})
    return found


def reinforcements(position: Position) -> list[Action]:
    """E12.5, E12.6: placements, moon options, and `end` where the phase may stop."""
    turn = position["turn"]
    ordinary, moon = placements(position), moon_options(position)
    nothing_done = not turn.get("placed") and not turn.get("moon_used")
    emperor_waits = position["reserve"][turn["player"]]["emperor"]
    must_place = ordinary and (nothing_done or emperor_waits)
    end = [] if must_place or not (ordinary or moon) else [{"type": "end"}]
    return ordinary + moon + end


def do_reinforce(position: Position, action: Action) -> None:
    """Bring discs back, in place."""
    turn = position["turn"]
    _put(position, action["space"], action["count"], emperor=action.get("emperor", False))
    turn["placed"] = [*turn.get("placed", []), action["space"]]


def do_moon(position: Position, action: Action) -> None:
    """Use the Temple of the Moon, in place."""
    player = position["turn"]["player"]
    position["reserve"][player]["discs"] -= PRICE_OF_THE_MOON
    position["removed"][player] += PRICE_OF_THE_MOON
    _put(position, action["space"], 1, emperor=action.get("emperor", False))
    position["turn"]["moon_used"] = True


def _put(position: Position, space: str, count: int, *, emperor: bool) -> None:
    player = position["turn"]["player"]
    empty = {"owner": player, "height": 0, "emperor": False}
    stack = position["stacks"].setdefault(space, empty)
    stack["height"] += count
    stack["emperor"] |= emperor
    position["reserve"][player]["discs"] -= count - emperor
    position["reserve"][player]["emperor"] &= not emperor
