"""Which rules an action breaks: all of them, each looked at by itself."""

from __future__ import annotations

from typing import Any

from tests.reference.board import board_of
from tests.reference.common import copied
from tests.reference.construct import COST, NEXT
from tests.reference.ending import has_capital, points, winners
from tests.reference.moves import TALLEST, ignores_tempests, routes
from tests.reference.position import SUPPLY
from tests.reference.reinforce import has_temple, placements
from tests.reference.tiles import CARRIES
from tests.reference.turn import legal

POINTS_TO_WIN = 12
ASKED = {
    "swap": ("E12.1", {"swap"}),
    "place": ("E12.1", {"place"}),
    "action": ("E12.2", {"sandtemple", "move", "build", "end"}),
    "after": ("E12.3", {"march", "reinforce", "moon", "end"}),
    "second": ("E12.4", {"move", "build", "end"}),
    "reinforce": ("E12.5", {"reinforce", "moon", "end"}),
    "ransom": ("E12.7", {"ransom"}),
}

Position = dict[str, Any]
Action = dict[str, Any]


def broken(position: Position, seat: int, action: Action) -> set[str]:
    """The rules that an illegal action of a seat breaks; none for a legal one."""
    turn = position["turn"]
    phase = turn["phase"]
    if phase == "over":
        return {ended_by(position)}
    if seat != turn.get("ransom", turn["player"]):
        return {{"swap": "E3.3", "place": "E3.4", "ransom": "E5.7"}.get(phase, "E4.1")}
    rule, asked = ASKED[phase]
    if action["type"] not in asked:
        is_used = action["type"] == "march" and turn.get("marched")
        goes_on = phase == "reinforce" and (turn.get("placed") or turn.get("moon_used"))
        return {"E7.1"} if is_used else {"E12.6" if goes_on else rule}
    given = {key: value for key, value in action.items() if value is not False and value != []}
    if given in legal(position):
        return set()
    spaces = [action[key] for key in ("space", "from", "to", "site") if key in action]
    if any(space not in board_of(position).index for space in spaces):
        return {"E2.1"}
    judges = {"move": _by_move, "build": _by_build, "reinforce": _by_reinforce, "end": _by_end}
    fixed = {
        "swap": "E3.3",
        "place": "E3.4",
        "march": "E7.1",
        "sandtemple": "E10.5",
        "moon": "E10.4",
        "ransom": "E5.7",
    }
    kind = action["type"]
    return {fixed[kind]} if kind in fixed else judges[kind](position, action)


def ended_by(position: Position) -> str:
    """E4.2, E11.2 - E11.4: why the game is over."""
    won = winners(position)
    if not won:
        return "E4.2" if position["stacks"] else "E11.4"
    by_points = [p for p in won if points(position, p) >= POINTS_TO_WIN and has_capital(position, p)]
    if by_points == won:
        return "E11.2"
    return "E11.4" if by_points else "E11.3"


def _is_own(position: Position, space: str) -> bool:
    return bool(position["stacks"].get(space, {}).get("owner") == position["turn"]["player"])


def _by_move(position: Position, action: Action) -> set[str]:
    board, start, target = board_of(position), action["from"], action["to"]
    if not _is_own(position, start) or not board.is_walkable(target):
        return {"E5.1"}
    stack, zones = position["stacks"][start], action.get("zones", [])
    found = set()
    if any(zone not in board.index for zone in zones) or board.sorted(set(zones)) != zones:
        found.add("E10.2")
    prices = [price for end, price in routes(position, start) if end == target]
    if not prices:
        is_blocked = target == start or not _leads_to(position, start, target)
        return found | {"E5.1" if is_blocked else "E10.2"}
    is_lost = action.get("emperor_lost", False)
    if not zones and not is_lost and set() not in prices:
        return found | _by_every_price(position, stack, target, prices)
    if set(zones) not in prices or (is_lost and not (stack["emperor"] and zones)):
        return found | {"E10.2"}
    left = stack["height"] - len(zones)
    if left == 0:
        return found | {"E10.2"}
    return found | _by_meeting(position, target, left, emperor=stack["emperor"] and not is_lost)


def _by_every_price(
    position: Position, stack: dict[str, Any], target: str, prices: list[frozenset[str]]
) -> set[str]:
    """Zones that are not named are the reason, unless no zones would do: then so is what they run into."""
    met: set[str] = set()
    for price in prices:
        left = stack["height"] - len(price)
        reasons = _by_meeting(position, target, left, emperor=stack["emperor"]) if left else {"E10.2"}
        if not reasons:
            return {"E10.2"}
        met |= reasons
    return met | {"E10.2"}


def _leads_to(position: Position, start: str, target: str) -> bool:
    """Whether a stack that the tempests can't use up comes there."""
    endless = copied(position)
    endless["stacks"][start]["height"] = 99
    return target in {end for end, _ in routes(endless, start)}


def _by_meeting(position: Position, target: str, left: int, *, emperor: bool) -> set[str]:
    other = position["stacks"].get(target)
    if other is None:
        return set()
    height = other["height"]
    if other["owner"] == position["turn"]["player"]:
        return {"E5.2"} if left + height > TALLEST else set()
    wins = left > height or (left == height and emperor) or (left == 1 and height == TALLEST)
    return set() if wins else {"E5.3"}


def _by_build(position: Position, action: Action) -> set[str]:
    board, player, kind = board_of(position), position["turn"]["player"], action["kind"]
    stack, site = position["stacks"].get(action["from"]), action["site"]
    if not _is_own(position, action["from"]):
        return {"E6.1"}
    found = set() if site in board.adjacent[action["from"]] else {"E6.1"}
    carried = CARRIES.get(board.terrain[site], [])
    old = position["buildings"].get(site)
    is_enemy = old is not None and old["owner"] != player
    fitting = {"camp"} if old is None else {NEXT[old["kind"]]} | ({old["kind"]} if is_enemy else set())
    cost = COST[kind] + is_enemy
    own = [building["kind"] for building in position["buildings"].values() if building["owner"] == player]
    spends = action.get("emperor", False)
    faults = {
        "E1.5": not carried,
        "E6.2": kind not in carried or kind not in fitting,
        "E6.5": own.count(kind) >= SUPPLY[kind],
        "E6.3": cost > stack["height"],
        "E6.4": (spends and not stack["emperor"])
        or (not spends and cost == stack["height"] and stack["emperor"]),
    }
    return found | {rule for rule, is_broken in faults.items() if is_broken}


def _by_reinforce(position: Position, action: Action) -> set[str]:
    turn, space, count = position["turn"], action["space"], action["count"]
    player, reserve = turn["player"], position["reserve"][turn["player"]]
    if not _is_own(position, space):
        return {"E8.2"}
    board, placed = board_of(position), turn.get("placed", [])
    open_to = placements(position)
    near = [
        site
        for site in board.adjacent[space]
        if position["buildings"].get(site, {}).get("owner", player) != player
    ]
    is_exception = bool(near) and any(option["space"] == space for option in open_to)
    emperor = action.get("emperor", False)
    faults = {
        "E8.1": count < 1 or emperor > reserve["emperor"] or count - emperor > reserve["discs"],
        "E8.2": position["stacks"][space]["height"] + count > TALLEST
        or (bool(placed) and not has_temple(position, player, "wind")),
        "E12.6": space in placed,
        "E8.3": (bool(near) and not is_exception)
        or (board.terrain[space] == "tempest" and not ignores_tempests(position, player)),
        "E8.4": bool(reserve["emperor"] and not emperor and open_to),
        "E8.5": is_exception and (count, emperor) != (1, True),
    }
    return {rule for rule, is_broken in faults.items() if is_broken}


def _by_end(position: Position, _: Action) -> set[str]:
    turn = position["turn"]
    if turn["phase"] in ("action", "second"):
        return {"E4.2"}
    has_begun = turn.get("placed") or turn.get("moon_used")
    return {"E8.4"} if has_begun and position["reserve"][turn["player"]]["emperor"] else {"E8.1"}
