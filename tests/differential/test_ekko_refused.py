"""Impossible positions of EKKO: what the reference refuses, the engine refuses, and the other way round."""

from __future__ import annotations

import copy
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from tests.differential import compare
from tests.differential.compare import times
from tests.reference import ekko as reference
from tests.reference.ekko.generate import random_game, synthetic, undealt

if TYPE_CHECKING:
    from collections.abc import Callable

Value = dict[str, Any]


def places(value: Value) -> list[list[int]]:
    """Everywhere a card may lie."""
    return [value["pile"], value["zone"], *value["hands"], *value["aside"]]


def move_a_card(rng: Random, value: Value) -> None:
    taken = rng.choice([place for place in places(value) if place] or [[7]])
    card = taken.pop(rng.randrange(len(taken)))
    given = rng.choice(places(value))
    given.insert(rng.randint(0, len(given)), card)


def copy_a_card(rng: Random, value: Value) -> None:
    card = rng.choice([card for place in places(value) for card in place] or [7])
    given = rng.choice(places(value))
    given.append(card)


def add_a_card(rng: Random, value: Value) -> None:
    lying: list[Any] = rng.choice(places(value))
    lying.append(rng.choice([0, -1, 99, 256, 10**30, 1.0, "7", None, True]))


def drop_a_place(rng: Random, value: Value) -> None:
    rng.choice(places(value)).clear()


def turn_a_hand_round(rng: Random, value: Value) -> None:
    rng.choice([value["hands"], value["aside"]])[rng.randrange(value["players"])].reverse()


def change_the_scores(rng: Random, value: Value) -> None:
    seat = rng.randrange(value["players"])
    value["scores"][seat] = rng.choice([value["target"], value["target"] - 1, -1, 0, 1.5, None, "3"])


def change_the_target(rng: Random, value: Value) -> None:
    value["target"] = rng.choice([0, 1, -1, min(value["scores"]), max(value["scores"]) + 1, None, "25", True])


def change_the_players(rng: Random, value: Value) -> None:
    value["players"] = rng.choice([value["players"] + 1, value["players"] - 1, 1, 9, 0, None, "2", 2.0])


def add_a_seat(rng: Random, value: Value) -> None:
    value[rng.choice(["hands", "aside"])].append([])


def change_the_turn(rng: Random, value: Value) -> None:
    key = rng.choice(["round", "dealer", "player", "last"])
    value["turn"][key] = rng.choice([None, -1, 0, 1, 0.5, 8, "1", True, value["players"]])


def change_the_phase(rng: Random, value: Value) -> None:
    value["turn"]["phase"] = rng.choice(["deal", "mirror", "play", "over", "Play", "close", None, 1, []])


def change_an_optional_key(rng: Random, value: Value) -> None:
    seat = rng.randrange(-1, value["players"] + 1)
    changes: list[tuple[str, Any]] = [
        ("asked", seat),
        ("asked", None),
        ("leaving", seat),
        ("leaving", "0"),
        ("again", True),
        ("again", False),
        ("again", 1),
        ("blocked", [[] for _ in value["hands"]]),
        ("blocked", [hand[:1] for hand in value["hands"]]),
        ("blocked", [hand[::-1] for hand in value["hands"]]),
        ("blocked", [hand[:1] * 2 for hand in value["hands"]]),
        ("blocked", [[97] for _ in value["hands"]]),
        ("blocked", []),
        ("winners", [0]),
    ]
    key, content = rng.choice(changes)
    value["turn"][key] = content


def drop_a_key(rng: Random, value: Value) -> None:
    part = rng.choice([value, value["turn"]])
    del part[rng.choice(sorted(part))]


def add_a_key(rng: Random, value: Value) -> None:
    part = rng.choice([value, value["turn"]])
    part[rng.choice(["winners", "drew", "live", "order", ""])] = rng.choice([[], [0], 1, None])


def change_a_type(rng: Random, value: Value) -> None:
    value[rng.choice(sorted(value))] = rng.choice([None, 7, "7", [], {}, [[]], True, [None], [[], 3]])


SPOILERS: list[Callable[[Random, Value], None]] = [
    move_a_card,
    copy_a_card,
    add_a_card,
    drop_a_place,
    turn_a_hand_round,
    change_the_scores,
    change_the_target,
    change_the_players,
    add_a_seat,
    change_the_turn,
    change_the_phase,
    change_an_optional_key,
    drop_a_key,
    add_a_key,
    change_a_type,
]


@pytest.mark.parametrize("spoil", SPOILERS, ids=lambda spoil: spoil.__name__)
def test_spoilt_positions_are_refused_alike(spoil: Callable[[Random, Value], None]) -> None:
    rng = Random(f"refused {spoil.__name__}")
    refusals = 0
    for _ in range(times(300)):
        value = copy.deepcopy(some_position(rng))
        spoil(rng, value)
        refusals += are_refused_alike(value)
    assert refusals


def some_position(rng: Random) -> Value:
    """Of a game in sequence or at a live table; at times before a deal, or at the end."""
    players = rng.randint(2, 8)
    value = synthetic(rng, players, live=rng.random() < 1 / 2)
    kind = rng.random()
    if kind < 1 / 10:
        return undealt(players, dealer=rng.randrange(players))
    if kind < 2 / 10 and value["turn"]["phase"] == "mirror":
        value["target"] = max(value["scores"]) + 1
        return [position for position, _ in random_game(rng, value, 100)][-1]
    return value


def are_refused_alike(value: dict[str, Any]) -> bool:
    return compare.are_refused_alike(value, "ekko", reference)


SOUND: Value = {
    "game": "ekko",
    "version": 1,
    "players": 3,
    "target": 25,
    "pile": [12, 55, 3],
    "zone": [38, 33, 67],
    "hands": [[1, 20], [8], [44, 90]],
    "aside": [[], [17], []],
    "scores": [0, 4, 11],
    "turn": {"round": 1, "dealer": 2, "player": 0, "last": 2, "phase": "play"},
}
"""The example of the interchange format."""


def test_the_example_is_sound() -> None:
    assert not are_refused_alike(SOUND)


@pytest.mark.parametrize(
    "change",
    [
        {"game": "eko"},
        {"version": 2},
        {"version": True},
        {"version": 1.0},
        {"": 1},
        {"pile": [12, 55, 3, 12]},
        {"zone": []},
        {"hands": [[20, 1], [8], [44, 90]]},
        {"hands": [[], [8], [44, 90]]},
        {"scores": [0, 4, 25]},
        {"winners": [0]},
    ],
    ids=str,
)
def test_one_key_is_wrong(change: Value) -> None:
    assert are_refused_alike(SOUND | change)


@pytest.mark.parametrize(
    "change",
    [
        {"phase": "mirror"},
        {"phase": "mirror", "asked": 0},
        {"phase": "over"},
        {"phase": "deal"},
        {"asked": 0},
        {"again": True},
        {"leaving": 2},
        {"blocked": [[20], [], [20]]},
        {"player": 3},
        {"round": 0},
    ],
    ids=str,
)
def test_one_key_of_the_turn_is_wrong(change: Value) -> None:
    assert are_refused_alike(SOUND | {"turn": SOUND["turn"] | change})


@pytest.mark.parametrize(
    ("zone", "change", "is_sound"),
    [
        ([38, 33], {"again": True, "player": 2}, True),
        ([38, 33], {"again": True, "player": 0}, False),
        ([38, 35], {"again": True, "player": 2}, False),
        ([38, 80], {"phase": "mirror", "asked": 1}, True),
        ([38, 80], {"phase": "mirror", "asked": 1, "blocked": [[20], [], []]}, True),
        ([38, 80], {"phase": "mirror", "asked": 1, "blocked": [[], [8], []]}, False),
        ([38, 80], {"phase": "mirror", "asked": 0}, False),
        ([38, 81], {"phase": "mirror", "asked": 1}, False),
    ],
)
def test_who_goes_on_and_who_is_asked(zone: list[int], change: Value, *, is_sound: bool) -> None:
    """K2.3: who has just put a multiple of 11; K6.1: who holds the mirror and could play it."""
    value = SOUND | {"zone": zone, "turn": SOUND["turn"] | change}
    assert are_refused_alike(reference.canonical(value)) is not is_sound


@pytest.mark.parametrize("winners", [[True], [1.0], ["1"], [1, 1], 1])
def test_winners_are_seats(winners: object) -> None:
    """True is 1 to Python alone."""
    sound = SOUND | {"scores": [30, 4, 11], "winners": [1], "turn": SOUND["turn"] | {"phase": "over"}}
    assert not are_refused_alike(reference.canonical(sound))
    assert are_refused_alike(reference.canonical(sound | {"winners": winners}))
