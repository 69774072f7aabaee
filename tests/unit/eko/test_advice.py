"""Hints for beginners: what threatens, one good decision, and what is said for it."""

from __future__ import annotations

from typing import Any

import pytest

from ekoes.errors import EkoesError
from ekoes.games.api.registry import game
from ekoes.games.eko.position.action import action_from_json
from ekoes.games.eko.position.position import EkoPosition
from ekoes.games.eko.teaching import ADVICE
from ekoes.tables.lessons import lesson_of


def position_of(lesson: str) -> EkoPosition:
    position = lesson_of("eko", lesson).position
    assert isinstance(position, EkoPosition)
    return position


def test_threats_tell_what_a_stack_could_take_and_where_it_could_go() -> None:
    shown = ADVICE.threats(position_of("attack"), "-2,3")
    assert (shown["place"], shown["seat"]) == ("-2,3", 1)
    assert shown["takes"] == ["-1,0", "-3,1"], "the Emperor stands with these three"
    assert not {"-1,0", "1,-1"} & set(shown["moves"])
    assert "-1,3" in shown["moves"]


def test_emperor_makes_equal_stacks_a_threat() -> None:
    position = position_of("emperor")
    assert ADVICE.threats(position, "-1,3")["takes"] == ["-1,1", "1,2"]
    assert ADVICE.threats(position, "2,-2")["takes"] == []


def test_threats_tell_where_a_stack_could_build() -> None:
    assert ADVICE.threats(position_of("upgrade"), "1,0")["sites"] == ["0,0"]


def test_threats_change_nothing() -> None:
    position = position_of("attack")
    before = position.to_json()
    ADVICE.threats(position, "-2,3")
    assert position.to_json() == before


@pytest.mark.parametrize("place", ["0,0", "9,9", "here"])
def test_where_nothing_stands_nothing_threatens(place: str) -> None:
    with pytest.raises(EkoesError):
        ADVICE.threats(position_of("attack"), place)


def test_nothing_threatens_before_the_first_turn() -> None:
    shown = ADVICE.threats(position_of("setup"), "1,-1")
    assert (shown["moves"], shown["takes"], shown["sites"]) == ([], [], [])


@pytest.mark.parametrize(
    ("lesson", "reasons"),
    [
        ("win", ["wins"]),
        ("emperor", ["captures", "emperor-safe", "points", "attack"]),
        ("ransom", ["emperor-back", "attack"]),
        ("setup", ["threatens"]),
        ("pyramids", ["points"]),
        ("sandtemple", ["sandtemple", "safer", "threatens-emperor"]),
    ],
)
def test_advice_says_what_it_brings_the_most_important_first(lesson: str, reasons: list[str]) -> None:
    position = position_of(lesson)
    shown = ADVICE.advise(position, 0)
    assert [each["reason"] for each in shown["reasons"]][: len(reasons)] == reasons
    assert position.why_not(0, action_from_json(shown["action"])) is None


def test_every_advice_in_a_game_can_be_done_and_has_a_reason() -> None:
    position: Any = game("eko").new({"players": 3, "variants": ["labyrinth", "moon", "wind"]}, seed=9)
    shown: list[str] = []
    while position.outcome() is None and len(shown) < 60:
        (seat,) = position.actors()
        advice = ADVICE.advise(position, seat)
        shown += [each["reason"] for each in advice["reasons"]]
        position = position.play(seat, action_from_json(advice["action"]))
    assert {"points", "reinforce", "sites"} <= set(shown)
    assert shown.count("position") < 5, "better reasons are known"
