"""Ekö has no up and no first seat: turned boards and other seats play alike."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ekoes.games.eko.game import EKO, perft
from ekoes.games.eko.openings import gists, moments
from ekoes.games.eko.position.action import action_to_json
from ekoes.games.kernels import COMPILED
from tests.kit.examples import property_settings
from tests.properties.positions import Json, position_values
from tests.reference import board_of
from tests.reference.tiles import turned

examples = property_settings(100, interpreted=30)

TWO_LEVELS = 30_000
"""Perft goes one level deeper if that has no more leaves than this, estimated from the first."""


def turn_space(text: str, rot: int, shift: tuple[int, int]) -> str:
    """A space after the board was turned about 0,0 and then moved."""
    q, r = turned((int(text.split(",", maxsplit=1)[0]), int(text.split(",")[1])), rot)
    return f"{q + shift[0]},{r + shift[1]}"


def turn_position(value: Json, rot: int, shift: tuple[int, int]) -> Json:
    """The same position on the turned board; zones are named anew (their first space is another)."""
    there: Json = json.loads(json.dumps(value))
    there["tiles"] = []
    for tile, q, r, own in value["tiles"]:
        turned_q, turned_r = turned((q, r), rot)
        there["tiles"].append([tile, turned_q + shift[0], turned_r + shift[1], (own + rot) % 6])
    for key in ("stacks", "buildings"):
        there[key] = {turn_space(space, rot, shift): content for space, content in value[key].items()}
    board = board_of(there)
    if "paid" in value["turn"]:
        zones = {board.zone[turn_space(zone, rot, shift)] for zone in value["turn"]["paid"]}
        there["turn"]["paid"] = board.sorted(zones)
    if "placed" in value["turn"]:
        there["turn"]["placed"] = [turn_space(space, rot, shift) for space in value["turn"]["placed"]]
    return there


def turn_action(value: Json, action: Json, rot: int, shift: tuple[int, int]) -> Json:
    board = board_of(turn_position(value, rot, shift))
    there: Json = {}
    for key, content in action.items():
        there[key] = turn_space(content, rot, shift) if key in ("space", "from", "to", "site") else content
    if "zones" in action:
        there["zones"] = board.sorted({board.zone[turn_space(zone, rot, shift)] for zone in action["zones"]})
    return there


def texts(actions: list[Json]) -> list[str]:
    return sorted(json.dumps(action, sort_keys=True) for action in actions)


def legal(value: Json) -> list[Json]:
    return [action_to_json(action) for action in EKO.from_json(value).legal()]


def assert_same_perft(one: Json, other: Json) -> None:
    here, there = EKO.from_json(one), EKO.from_json(other)
    if not COMPILED:
        assert perft(here, 1) == perft(there, 1)
        return
    assert perft(here, 2) == perft(there, 2)
    if perft(here, 1) ** 3 < TWO_LEVELS:
        assert perft(here, 3) == perft(there, 3)


@examples
@given(position_values(), st.integers(1, 5), st.tuples(st.integers(-9, 9), st.integers(-9, 9)))
def test_a_turned_board_plays_alike(value: Json, rot: int, shift: tuple[int, int]) -> None:
    there = turn_position(value, rot, shift)
    assert texts(legal(there)) == texts([turn_action(value, action, rot, shift) for action in legal(value)])
    assert_same_perft(value, there)


def other_seats(value: Json, step: int) -> Json:
    """Every player sits `step` seats further."""
    players: int = value["players"]

    def seat(number: int) -> int:
        return (number + step) % players

    def around(items: list[Any]) -> list[Any]:
        return [items[(place - step) % players] for place in range(players)]

    there: Json = json.loads(json.dumps(value))
    for key in ("stacks", "buildings"):
        for content in there[key].values():
            content["owner"] = seat(content["owner"])
    for key in ("reserve", "removed", "unplaced"):
        if key in value:
            there[key] = around(there[key])
    there["captives"] = around([sorted(map(seat, held)) for held in value["captives"]])
    there["turn"]["player"] = seat(value["turn"]["player"])
    if value["turn"]["phase"] in ("place", "swap"):
        there["turn"]["first"] = seat(value["turn"].get("first", 0))
    if "ransom" in value["turn"]:
        there["turn"]["ransom"] = seat(value["turn"]["ransom"])
    return there


@examples
@given(position_values(), st.integers(1, 3))
def test_no_seat_is_special(value: Json, step: int) -> None:
    there = other_seats(value, step)
    moved = [
        {**action, "captive": (action["captive"] + step) % value["players"]}
        if "captive" in action
        else action
        for action in legal(value)
    ]
    assert texts(legal(there)) == texts(moved)
    assert_same_perft(value, there)


@examples
@given(position_values(), st.randoms(use_true_random=False))
def test_the_order_of_tiles_means_nothing_to_the_game(value: Json, rng: Any) -> None:
    there: Json = json.loads(json.dumps(value))
    rng.shuffle(there["tiles"])
    assert texts(legal(there)) == texts(legal(value))
    assert_same_perft(value, there)


@property_settings(50, interpreted=15)
@given(position_values(), st.integers(1, 5), st.tuples(st.integers(-9, 9), st.integers(-9, 9)))
def test_a_turned_board_has_the_same_openings(value: Json, rot: int, shift: tuple[int, int]) -> None:
    here, there = EKO.from_json(value), EKO.from_json(turn_position(value, rot, shift))
    assert moments(here) == moments(there)
    for action in list(here.legal())[::7]:
        turned = EKO.parse_action(turn_action(value, action_to_json(action), rot, shift))
        assert gists(here, action) == gists(there, turned)
