"""The small foundations: errors, chance, the registry, and what a position promises."""

from __future__ import annotations

import json

import pytest

import ekoes.errors
from ekoes.errors import EkoesError, IllegalActionError, NotationError, PositionError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Refusal
from ekoes.games.api.registry import game, games
from ekoes.games.eko.game import EKO
from ekoes.games.eko.position.action import End, Space
from ekoes.games.eko.position.position import EkoPosition
from tests.unit.games import random_game


def test_the_public_errors_are_complete_sorted_and_drawn_in_the_docstring() -> None:
    classes = {
        name
        for name, item in vars(ekoes.errors).items()
        if isinstance(item, type) and issubclass(item, EkoesError)
    }
    assert ekoes.errors.__all__ == sorted(classes)
    for name in classes:
        assert name in (ekoes.errors.__doc__ or "")


def test_an_error_says_rule_and_key_before_its_message() -> None:
    error = NotationError("must be a list", rule="E10.2", key="zones")
    assert str(error) == "E10.2, 'zones': must be a list"
    assert (error.code, error.rule, error.key) == ("notation", "E10.2", "zones")
    assert str(EkoesError("no")) == "no"


def test_one_seed_means_the_same_choices_for_ever() -> None:
    # the published first outputs of SplitMix64 for the seed 1234567
    chance = Chance(1234567)
    assert [chance.bits() for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]
    items = list(range(10))
    Chance(1).shuffle(items)
    assert sorted(items) == list(range(10))
    again = list(range(10))
    Chance(1).shuffle(again)
    assert items == again


def test_choices_below_a_bound_are_even() -> None:
    chance = Chance(5)
    counts = [0] * 6
    for _ in range(6000):
        counts[chance.below(6)] += 1
    assert min(counts) > 880
    assert max(counts) < 1120


def test_games_are_found_by_name() -> None:
    assert [game(name).name for name in games()] == list(games())
    with pytest.raises(NotationError, match="eko"):
        game("chess")


def test_everybody_sees_everything_of_an_open_game() -> None:
    position = EKO.new({"players": 2}, seed=1)
    assert position.view(None) == position.view(0) == position.view(1) == position.to_json()


def test_legal_is_a_lazy_sequence_with_all_that_lists_offer() -> None:
    position = EKO.new({"players": 2}, seed=1)
    (seat,) = position.actors()
    legal = position.legal(seat)
    everything = list(legal)
    assert len(legal) == len(everything) == 16
    assert legal[0] == everything[0]
    assert list(legal[2:4]) == everything[2:4]
    assert everything[5] in legal
    assert End() not in legal
    assert position.legal(1 - seat) == ()


def test_an_illegal_action_raises_with_its_rule_and_a_stable_code() -> None:
    position = EKO.new({"players": 2}, seed=1)
    (seat,) = position.actors()
    with pytest.raises(IllegalActionError) as error:
        position.play(seat, End())
    assert (error.value.code, error.value.rule) == ("action/wrong-phase", "E12.1")
    assert position.why_not(seat, End()) == Refusal("wrong-phase", "E12.1", error.value.message)


def test_a_position_stays_within_a_kibibyte() -> None:
    position = EKO.new({"players": 4}, seed=1)
    assert isinstance(position, EkoPosition)
    assert position.states.nbytes <= 1024


def test_spaces_are_written_as_the_specification_says() -> None:
    assert str(Space(-2, 1)) == "-2,1"
    assert Space.parse("-2,1") == Space(-2, 1)
    for text in ("2, 1", "02,1", "-0,1", "1", "1,2,3", "", "٣,1", 5, None):
        with pytest.raises(NotationError, match=r"E2\.1"):
            Space.parse(text)


@pytest.mark.parametrize("setup", ["standard", "draft"])
def test_winners_stand_in_a_finished_game_alone(setup: str) -> None:
    position = EKO.new({"players": 2, "setup": setup}, seed=1).to_json() | {"winners": []}
    with pytest.raises(PositionError, match=r"E11\.2, 'winners'"):
        EKO.from_json(position)


def test_what_is_written_of_a_position_may_be_changed() -> None:
    *_, (position, _, _) = random_game(3, 30)
    value, stored = position.to_json(), json.dumps(position.to_json())

    def spoil(content: object) -> None:
        for inner in content.values() if isinstance(content, dict) else content:  # type: ignore[attr-defined]
            if isinstance(inner, dict | list):
                spoil(inner)
        content.clear()  # type: ignore[attr-defined]

    heights = [stack["height"] for stack in value["stacks"].values()]
    next(iter(value["stacks"].values()))["height"] += 1
    assert [stack["height"] for stack in value["stacks"].values()] == [heights[0] + 1, *heights[1:]]
    spoil(value)
    assert value == {}
    assert json.dumps(position.to_json()) == json.dumps(position.view(None)) == stored
