"""The form of a position, and what makes one impossible."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.reference.board import Board, board_of, coordinates, name
from tests.reference.common import Refused
from tests.reference.ending import holder, owed, winners
from tests.reference.tiles import CARRIES

Position = dict[str, Any]

KEYS = [
    *("game", "version", "players", "tiles", "stacks", "buildings", "reserve", "removed"),
    *("captives", "unplaced", "turn", "winners"),
]
TURN_KEYS = [
    *("number", "player", "first", "phase", "marched", "sandtemple_used", "moon_used"),
    *("paid", "placed", "ransom", "resume"),
]
FLAGS = {"marched", "sandtemple_used", "moon_used", "paid"}

OPTIONAL = {
    "place": {"first"},
    "swap": {"first"},
    "action": FLAGS,
    "after": FLAGS,
    "second": FLAGS,
    "reinforce": FLAGS | {"placed"},
    "ransom": FLAGS | {"ransom", "resume"},
    "over": set(),
}
"""Phase -> the optional keys of `turn` that have a place in it."""

ORDINARY = 15
SUPPLY = {"camp": 5, "tower": 3, "castle": 1}
TALLEST = 4


def canonical(position: Position) -> Position:
    """The same position: keys in order, spaces ascending, empty optional keys left out."""
    board = board_of(position)
    ordered = {key: position[key] for key in KEYS if key in position}
    for key, inner in (("stacks", ("owner", "height", "emperor")), ("buildings", ("owner", "kind"))):
        ordered[key] = {
            space: {k: position[key][space][k] for k in inner} for space in board.sorted(position[key])
        }
    for key in ("reserve", "unplaced"):
        if key in ordered:
            ordered[key] = [{k: h[k] for k in ("discs", "emperor")} for h in position[key]]
    turn = position["turn"]
    always = ("number", "player", "phase", "ransom")
    ordered["turn"] = {k: turn[k] for k in TURN_KEYS if k in turn and (k in always or turn[k])}
    return ordered


def check(position: Position) -> None:
    """Raise Refused when the position has not the form, or can't be."""
    _check_form(position)
    board = board_of(position)
    _check_stacks(position, board)
    _check_buildings(position, board)
    _check_captives(position)
    _check_discs(position)
    _check_turn(position, board)
    if position["turn"]["phase"] in ("place", "swap"):
        _check_set_up(position, board)
    elif position["turn"]["phase"] == "ransom":
        _check_ransom(position)
    elif position["turn"]["phase"] == "over":
        _need(position["winners"] == (winners(position) or []), "E11", "the winners are others")
    else:
        _need(owed(position) is None, "E5.7", "a ransom is owed")
        _need(winners(position) is None, "E11.2", "the position is already decided")


def _need(condition: bool, rule: str, message: str) -> None:
    if not condition:
        raise Refused(rule, message)


def _is_number(value: object, least: int = 0, most: int = 1_000_000) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _is_object(value: object, keys: set[str]) -> bool:
    return isinstance(value, dict) and set(value) == keys


def _is_list(value: object, length: int) -> bool:
    return isinstance(value, list) and len(value) == length


def _check_form(position: Position) -> None:
    """Keys and types; and numbers in their plain bounds."""
    _need(isinstance(position, dict), "form", "a position is an object")
    _need(
        position.get("game") == "eko" and _is_number(position.get("version"), 1, 1), "form", "game, version"
    )
    _need(_is_number(position.get("players"), 2, 4), "E1.1", "2 to 4 players")
    turn: dict[str, Any] = position.get("turn", {})
    _need(isinstance(turn, dict), "form", "turn is an object")
    _need(turn.get("phase") in OPTIONAL, "E12", "turn.phase")
    extra = {"place": {"unplaced"}, "over": {"winners"}}.get(turn["phase"], set())
    _need(set(position) == set(KEYS) - {"unplaced", "winners"} | extra, "form", "keys")
    wanted = {"number", "player", "phase"}
    _need(wanted <= set(turn) <= wanted | OPTIONAL[turn["phase"]], "form", "keys of turn")
    _check_tiles_form(position["tiles"])
    last = position["players"] - 1
    for key, inner in (("stacks", {"owner", "height", "emperor"}), ("buildings", {"owner", "kind"})):
        _need(isinstance(position[key], dict), "form", key)
        for value in position[key].values():
            _need(_is_object(value, inner) and _is_number(value["owner"], 0, last), "form", key)
    for stack in position["stacks"].values():
        _need(_is_number(stack["height"], 1, TALLEST), "E1.6", "height of a stack")
        _need(isinstance(stack["emperor"], bool), "form", "emperor of a stack")
    for key in ("reserve", "removed", "captives", *extra - {"winners"}):
        _need(_is_list(position[key], position["players"]), "form", key)
    for key in ("reserve", "unplaced"):
        for hand in position.get(key, []):
            _need(_is_object(hand, {"discs", "emperor"}), "form", key)
            _need(_is_number(hand["discs"]) and isinstance(hand["emperor"], bool), "form", key)
    _need(all(_is_number(discs) for discs in position["removed"]), "E1.7", "removed")
    for seats in (*position["captives"], position.get("winners", [])):
        _need(isinstance(seats, list) and all(_is_number(s, 0, last) for s in seats), "form", "seats")
        _need(sorted(set(seats)) == seats, "form", "seats ascend")


def _check_tiles_form(tiles: Any) -> None:
    _need(isinstance(tiles, list), "form", "tiles")
    for tile in tiles:
        _need(_is_list(tile, 4) and isinstance(tile[0], str), "E2.2", "a placed tile")
        far = 1000
        _need(all(_is_number(value, -far, far) for value in tile[1:3]), "E2.2", "a placed tile")
        _need(_is_number(tile[3], 0, 5), "E2.2", "rot")


def _check_space(board: Board, space: str) -> None:
    _need(space in board.index and name(*coordinates(space)) == space, "E2.1", f"space {space}")


def _check_stacks(position: Position, board: Board) -> None:
    for space in position["stacks"]:
        _check_space(board, space)
        _need(board.is_walkable(space), "E1.5", f"no disc can stand on {space}")


def _check_buildings(position: Position, board: Board) -> None:
    for space, building in position["buildings"].items():
        _check_space(board, space)
        carried = CARRIES.get(board.terrain[space], [])
        _need(building["kind"] in SUPPLY, "E1.3", "kind of a building")
        _need(building["kind"] in carried, "E1.5", f"no {building['kind']} on {space}")
    used = Counter((b["owner"], b["kind"]) for b in position["buildings"].values())
    for (_, kind), count in used.items():
        _need(count <= SUPPLY[kind], "E1.3", f"{count} x {kind}")


def _check_captives(position: Position) -> None:
    for player, captives in enumerate(position["captives"]):
        _need(player not in captives, "E5.6", "an own Emperor is no captive")


def _check_discs(position: Position) -> None:
    """E1.2: 15 ordinary discs and one Emperor are accounted for."""
    for player in range(position["players"]):
        hands = [position[key][player] for key in ("reserve", "unplaced") if key in position]
        own = [s for s in position["stacks"].values() if s["owner"] == player]
        emperors = sum(s["emperor"] for s in own) + sum(hand["emperor"] for hand in hands)
        emperors += sum(player in captives for captives in position["captives"])
        ordinary = sum(s["height"] - s["emperor"] for s in own) + position["removed"][player]
        ordinary += sum(hand["discs"] for hand in hands)
        _need(emperors == 1, "E1.2", f"{emperors} Emperors of player {player}")
        _need(ordinary == ORDINARY, "E1.2", f"{ordinary} ordinary discs of player {player}")


def _check_turn(position: Position, board: Board) -> None:
    turn, phase = position["turn"], position["turn"]["phase"]
    last = position["players"] - 1
    if phase in ("place", "swap"):
        _need(_is_number(turn["number"], 0, 0), "E3", "turn.number is 0 in the set-up")
    else:
        _need(_is_number(turn["number"], 1), "E4.1", "turn.number")
    _need(_is_number(turn["player"], 0, last), "E4.1", "turn.player")
    _need(_is_number(turn.get("first", 0), 0, last), "E3.2", "turn.first")
    for key in ("marched", "sandtemple_used", "moon_used"):
        _need(isinstance(turn.get(key, False), bool), "form", f"turn.{key}")
    for key in ("paid", "placed"):
        named = turn.get(key, [])
        _need(isinstance(named, list) and len(set(named)) == len(named), "form", f"turn.{key}")
        for space in named:
            _check_space(board, space)
    paid = turn.get("paid", [])
    _need(all(board.zone.get(zone) == zone for zone in paid), "E10.2", "turn.paid names zones")
    _need(board.sorted(paid) == paid, "E10.2", "turn.paid ascends")
    for space in turn.get("placed", []):
        own = position["stacks"].get(space, {}).get("owner") == turn["player"]
        _need(own, "E8.2", "turn.placed names own stacks")


def _check_set_up(position: Position, board: Board) -> None:
    """E3: nothing but single discs on sand."""
    _need(not position["buildings"], "E3", "no building in the set-up")
    _need(not any(position["captives"]), "E3", "no captive in the set-up")
    _need(not any(position["removed"]), "E3", "no disc removed in the set-up")
    _need(not any(h["discs"] or h["emperor"] for h in position["reserve"]), "E3", "no reserve yet")
    for space, stack in position["stacks"].items():
        _need(stack["height"] == 1, "E3.1", "single discs in the set-up")
        _need(board.terrain[space] == "sand", "E3.1", "set up on sand")
    if position["turn"]["phase"] == "place":
        _check_placing(position)


def _check_placing(position: Position) -> None:
    """E3.4: they place in turns, so the numbers follow from whose turn it is."""
    players, turn = position["players"], position["turn"]
    left = [hand["discs"] + hand["emperor"] for hand in position["unplaced"]]
    steps = (turn["player"] - turn.get("first", 0)) % players
    placed_already = [(turn.get("first", 0) + step) % players for step in range(steps)]
    most = left[turn["player"]]
    _need(most > 0, "E3.4", "nothing is left to place")
    for player in range(players):
        _need(left[player] == most - (player in placed_already), "E3.4", "turns of placing")


def _check_ransom(position: Position) -> None:
    """E5.7: the player who is asked is the first who owes, and has a choice."""
    turn = position["turn"]
    asked = turn.get("ransom")
    _need(_is_number(asked, 0, position["players"] - 1), "E5.7", "turn.ransom")
    _need(asked == owed(position), "E5.7", "another player chooses the ransom")
    _need(len(position["captives"][asked]) > 1, "E5.7", "there is no choice")
    _need(turn.get("resume") in ("after", "reinforce"), "E12.7", "turn.resume")
    _need(holder(position, asked) is not None, "E5.7", "no ransom is owed")
