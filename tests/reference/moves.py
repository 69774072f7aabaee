"""Move (E5) with the price of the tempests (E10.2): every route, step by step."""

from __future__ import annotations

from typing import Any

from tests.reference.board import board_of
from tests.reference.ending import majority

TALLEST = 4

Position = dict[str, Any]
Action = dict[str, Any]


def ignores_tempests(position: Position, player: int) -> bool:
    """E10.3: the player holds the Beacon."""
    return any(majority(position, three) == player for three in board_of(position).beacons)


def moves(position: Position) -> list[Action]:
    """All moves of the player whose turn it is."""
    player = position["turn"]["player"]
    found = []
    for start, stack in position["stacks"].items():
        if stack["owner"] == player:
            for target, price in routes(position, start):
                found += _moves_to(position, start, target, price)
    return found


def routes(position: Position, start: str) -> list[tuple[str, frozenset[str]]]:
    """Where the stack can come, and which zones newly take a disc on the way.

    A walk over all (space, zones paid on this move). A stack that has lost its last disc goes
    no further; an occupied space is never left; the start is empty once the stack is lifted.
    """
    board = board_of(position)
    height = position["stacks"][start]["height"]
    occupied = set(position["stacks"]) - {start}
    taking = _taking_zones(position)
    nothing: frozenset[str] = frozenset()
    first = (start, nothing | (taking & {board.zone.get(start, "")}))
    if len(first[1]) == height:
        return [first]
    seen, queue = {first: True}, [first]
    while queue:
        space, price = queue.pop()
        for target in board.steps[space]:
            then = (target, price | (taking & {board.zone.get(target, "")}))
            is_lost = len(then[1]) == height
            if then in seen or (is_lost and target in occupied):
                continue
            seen[then] = True
            if not is_lost and target not in occupied:
                queue.append(then)
    return [end for end in seen if end[0] != start]


def _taking_zones(position: Position) -> set[str]:
    """E10.2: the zones that would still take a disc of this player in this turn."""
    turn = position["turn"]
    if ignores_tempests(position, turn["player"]):
        return set()
    return set(board_of(position).zone.values()) - set(turn.get("paid", []))


def _moves_to(position: Position, start: str, target: str, price: frozenset[str]) -> list[Action]:
    """The moves by one route: none, one, or two where the Emperor may be lost or kept."""
    stack = position["stacks"][start]
    found = []
    for emperor_lost in (False, True):
        ordinary_lost = len(price) - emperor_lost
        if emperor_lost and not (stack["emperor"] and price):
            continue
        if ordinary_lost > stack["height"] - stack["emperor"]:
            continue
        left = stack["height"] - len(price)
        emperor = stack["emperor"] and not emperor_lost
        if left == 0 or _can_end(position, left, target, start, emperor=emperor):
            action: Action = {"type": "move", "from": start, "to": target}
            if price:
                action["zones"] = board_of(position).sorted(price)
            if emperor_lost:
                action["emperor_lost"] = True
            found.append(action)
    return found


def _can_end(position: Position, left: int, target: str, start: str, *, emperor: bool) -> bool:
    """E5.2, E5.3: a plain move, a regroup that fits, or an attack that is allowed."""
    other = position["stacks"].get(target)
    if other is None or target == start:
        return True
    if other["owner"] == position["turn"]["player"]:
        return bool(left + other["height"] <= TALLEST)
    return bool(
        left > other["height"]
        or (left == other["height"] and emperor)
        or (left == 1 and other["height"] == TALLEST)
    )


def do_move(position: Position, action: Action) -> None:
    """Carry a legal move out, in place."""
    player = position["turn"]["player"]
    reserve = position["reserve"]
    stack = position["stacks"].pop(action["from"])
    zones = action.get("zones", [])
    emperor_lost = action.get("emperor_lost", False)
    reserve[player]["discs"] += len(zones) - emperor_lost
    reserve[player]["emperor"] |= emperor_lost
    paid = {*position["turn"].get("paid", []), *zones}
    position["turn"]["paid"] = board_of(position).sorted(paid)
    left = stack["height"] - len(zones)
    emperor = stack["emperor"] and not emperor_lost
    if left == 0:
        return
    other = position["stacks"].get(action["to"])
    if other is not None and other["owner"] == player:
        left += other["height"]
        emperor = emperor or other["emperor"]
    elif other is not None:
        _beat(position, player, position["stacks"].pop(action["to"]))
        if left == 1 and other["height"] == TALLEST:
            reserve[player]["discs"] += not emperor
            reserve[player]["emperor"] |= emperor
            return
    position["stacks"][action["to"]] = {"owner": player, "height": left, "emperor": emperor}


def _beat(position: Position, player: int, other: dict[str, Any]) -> None:
    """E5.4: ordinary discs to their owner's reserve, the Emperor to the attacker."""
    position["reserve"][other["owner"]]["discs"] += other["height"] - other["emperor"]
    if other["emperor"]:
        captives = position["captives"][player]
        position["captives"][player] = sorted([*captives, other["owner"]])
