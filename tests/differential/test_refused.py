"""Impossible positions: what the reference refuses, the engine refuses, and the other way round."""

from __future__ import annotations

import copy
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from tests import reference
from tests.differential import compare
from tests.differential.compare import times
from tests.reference.generate import random_tiles, random_variants, set_up, synthetic
from tests.rules.eko.board import WONDERS, drawn

if TYPE_CHECKING:
    from collections.abc import Callable

Position = dict[str, Any]


def one_of(rng: Random, things: dict[str, Any]) -> Any:
    return things[rng.choice(sorted(things))]


def move_a_stack(rng: Random, position: Position) -> None:
    """To any space, or off the board."""
    space = rng.choice([*reference.board_of(position).spaces, "0,77"])
    position["stacks"][space] = position["stacks"].pop(rng.choice(sorted(position["stacks"])))


def change_a_height(rng: Random, position: Position) -> None:
    one_of(rng, position["stacks"])["height"] += rng.choice([-1, 1])


def change_an_owner(rng: Random, position: Position) -> None:
    one_of(rng, position["stacks"])["owner"] = rng.randint(0, 4)


def change_an_emperor(rng: Random, position: Position) -> None:
    stack = one_of(rng, position["stacks"])
    stack["emperor"] = not stack["emperor"]


def add_a_building(rng: Random, position: Position) -> None:
    kind = rng.choice(["camp", "camp", "tower", "castle", "palace"])
    space = rng.choice(reference.board_of(position).spaces)
    position["buildings"][space] = {"owner": rng.randrange(position["players"]), "kind": kind}


def change_a_number(rng: Random, position: Position) -> None:
    seat = rng.randrange(position["players"])
    if rng.random() < 1 / 2:
        position["removed"][seat] += rng.choice([-1, 1])
    else:
        position["reserve"][seat]["discs"] += rng.choice([-1, 1])


def change_captives(rng: Random, position: Position) -> None:
    held = rng.choice(position["captives"])
    if held and rng.random() < 1 / 2:
        held.pop()
    else:
        held.append(rng.randrange(position["players"]))


def give_an_emperor_away(rng: Random, position: Position) -> None:
    """A complete change that is sometimes possible, and sometimes owes a ransom or is decided."""
    for stack in position["stacks"].values():
        if stack["emperor"]:
            stack["emperor"] = False
            position["removed"][stack["owner"]] -= 1
            other = (stack["owner"] + 1) % position["players"]
            position["captives"][other] = sorted([*position["captives"][other], stack["owner"]])
            break


def clear_the_board(rng: Random, position: Position) -> None:
    """All stacks of some players go home; sometimes only one player is left."""
    seats = rng.sample(range(position["players"]), rng.randint(1, position["players"] - 1))
    for space, stack in list(position["stacks"].items()):
        if stack["owner"] in seats:
            del position["stacks"][space]
            home = position["reserve"][stack["owner"]]
            home["discs"] += stack["height"] - stack["emperor"]
            home["emperor"] |= stack["emperor"]


def drop_a_key(rng: Random, position: Position) -> None:
    del position[rng.choice(sorted(set(position) - {"players", "tiles"}))]


def add_a_key(rng: Random, position: Position) -> None:
    part = rng.choice([position, position["turn"], one_of(rng, position["stacks"]), position["reserve"][0]])
    part[rng.choice(["colour", "winners", "unplaced"])] = []


def change_a_type(rng: Random, position: Position) -> None:
    key = rng.choice(["stacks", "buildings", "reserve", "removed", "captives", "turn"])
    position[key] = rng.choice([None, 7, "7", [], {}, [[]], True])


def change_the_turn(rng: Random, position: Position) -> None:
    key = rng.choice(["number", "player", "phase"])
    position["turn"][key] = rng.choice([None, -1, 0.5, 9, "9", True, "sleep", "over", "swap", "place"])


SPOILERS: list[Callable[[Random, Position], None]] = [
    move_a_stack,
    change_a_height,
    change_an_owner,
    change_an_emperor,
    add_a_building,
    change_a_number,
    change_captives,
    give_an_emperor_away,
    clear_the_board,
    drop_a_key,
    add_a_key,
    change_a_type,
    change_the_turn,
]


@pytest.mark.parametrize("spoil", SPOILERS, ids=lambda spoil: spoil.__name__)
def test_spoilt_positions_are_refused_alike(spoil: Callable[[Random, Position], None]) -> None:
    rng = Random(f"refused {spoil.__name__}")
    refusals = 0
    for _ in range(times(8)):
        players = rng.choice([2, 3, 4])
        tiles = random_tiles(rng, players, random_variants(rng))
        setup = rng.choice(["standard", "draft"])
        for _ in range(6):
            position = set_up(rng, players, tiles, setup) if rng.random() < 1 / 5 else None
            position = copy.deepcopy(position or synthetic(rng, players, tiles))
            if position["stacks"]:
                spoil(rng, position)
                refusals += are_refused_alike(position)
    assert refusals


def are_refused_alike(value: dict[str, Any]) -> bool:
    return compare.are_refused_alike(value, "eko", reference)


@pytest.mark.parametrize(
    "change", [{"version": 1.0}, {"version": True}, {"players": 2.0}, {"": 1}, {"removed": [0.0, 0]}], ids=str
)
def test_one_key_is_wrong(change: Position) -> None:
    sound = drawn("4E@0,2", "1E@-1,-1")
    assert not are_refused_alike(sound)
    assert are_refused_alike(sound | change)


@pytest.mark.parametrize("winners", [[False], [0.0], ["0"], [0, 0], 0, True])
def test_winners_are_seats(winners: object) -> None:
    sound = drawn("2E@0,2", "+2E", phase="over") | {"winners": [0]}
    assert not are_refused_alike(sound)
    assert are_refused_alike(sound | {"winners": winners})


FLAGS: list[tuple[str, dict[str, Any]]] = [
    ("action", {"first": 1}),
    ("action", {"placed": ["0,2"]}),
    ("after", {"ransom": 0}),
    ("after", {"resume": "after"}),
    ("after", {"paid": ["1,4"]}),
    ("after", {"paid": ["0,2"]}),
    ("after", {"paid": ["1,3", "5,-4"]}),
    ("after", {"paid": ["1,3", "1,3"]}),
    ("reinforce", {"placed": ["1,2"]}),
    ("reinforce", {"placed": ["-1,-1"]}),
    ("reinforce", {"placed": ["0,2", "0,2"]}),
    ("reinforce", {"moon_used": 1}),
    ("over", {}),
    ("ransom", {"ransom": 0, "resume": "after"}),
    ("action", {"phase": "Action"}),
    ("action", {"number": 0}),
    ("action", {"player": 2}),
]


@pytest.mark.parametrize(("phase", "more"), FLAGS)
def test_keys_of_the_turn_out_of_place(phase: str, more: dict[str, Any]) -> None:
    sound = drawn("2E@0,2 +3", "1E@-1,-1", tiles=WONDERS, phase=phase)
    if phase not in ("over", "ransom"):
        assert not are_refused_alike(sound)
    spoilt = drawn("2E@0,2 +3", "1E@-1,-1", tiles=WONDERS, **({"phase": phase} | more))
    assert are_refused_alike(spoilt)
