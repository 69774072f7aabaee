"""Ekö's notation: what it writes, what it reads, and what it says about text that it can't read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ekoes.errors import NotationError
from ekoes.games.eko.game import EKO
from ekoes.games.eko.notation import format_action, parse_action
from ekoes.games.eko.position.action import (
    Action,
    Build,
    Building,
    End,
    March,
    Moon,
    Move,
    Place,
    Ransom,
    Reinforce,
    SandTemple,
    Space,
    Swap,
)

_numbers = st.integers(-9999, 9999)
_spaces = st.builds(Space, _numbers, _numbers)
_counts = st.integers(0, 99)
_zones = st.lists(_spaces, max_size=4).map(tuple)

actions: st.SearchStrategy[Action] = st.one_of(
    st.builds(Swap, st.none() | _spaces),
    st.builds(Place, _spaces, st.booleans()),
    st.builds(SandTemple, _spaces),
    st.builds(Move, _spaces, _spaces, _zones, st.booleans()),
    st.builds(Build, _spaces, _spaces, st.sampled_from(Building), st.booleans()),
    st.builds(March),
    st.builds(Reinforce, _spaces, _counts, st.booleans()),
    st.builds(Moon, _spaces, st.booleans()),
    st.builds(Ransom, _counts),
    st.builds(End),
)

POSITION = EKO.new({"players": 2}, 1)
"""On a board whose least q and r are -4: 0,0 is e5."""

EXAMPLES = [
    ("f5>f7", Move(Space(0, 1), Space(2, 1))),
    ("f5>f7~e8~g1", Move(Space(0, 1), Space(2, 1), (Space(3, 0), Space(-4, 2)))),
    ("f5>f7~e8-E", Move(Space(0, 1), Space(2, 1), (Space(3, 0),), emperor_lost=True)),
    ("f5^e5=camp", Build(Space(0, 1), Space(0, 0), Building.CAMP)),
    ("f5^e5=castle-E", Build(Space(0, 1), Space(0, 0), Building.CASTLE, emperor=True)),
    ("march", March()),
    ("b3+2", Reinforce(Space(-2, -3), 2)),
    ("f5+2E", Reinforce(Space(0, 1), 2, emperor=True)),
    ("moon:i9", Moon(Space(4, 4))),
    ("moon:i9+E", Moon(Space(4, 4), emperor=True)),
    ("sandtemple:e6", SandTemple(Space(1, 0))),
    ("ransom:2", Ransom(2)),
    ("swap:e6", Swap(Space(1, 0))),
    ("keep", Swap()),
    ("place:e6", Place(Space(1, 0))),
    ("place:e6+E", Place(Space(1, 0), emperor=True)),
    ("end", End()),
]
BY_COORDINATES = [
    ("0,1>2,1~3,0~-4,2", "f5>f7~e8~g1"),
    ("0,1 ^ 0 , 0 = castle - e", "f5^e5=castle-E"),
    ("-2,-3+2", "b3+2"),
    ("moon 4,4", "moon:i9"),
    ("place:e6+E", "place:1,0+E"),
]


@pytest.mark.parametrize(("text", "action"), EXAMPLES)
def test_each_form_is_written_and_read(text: str, action: Action) -> None:
    assert format_action(action, POSITION) == text
    assert parse_action(text, POSITION) == action


@pytest.mark.parametrize(("one", "other"), BY_COORDINATES)
def test_names_and_coordinates_are_the_same_spaces(one: str, other: str) -> None:
    assert parse_action(one, POSITION) == parse_action(other, POSITION)


@given(actions)
def test_reading_undoes_writing(action: Action) -> None:
    text = format_action(action, POSITION)
    assert parse_action(text, POSITION) == action
    assert text.split() == [text]


@given(st.sampled_from(EXAMPLES), st.data())
def test_blanks_and_capitals_do_not_matter(
    example: tuple[str, Action],
    data: st.DataObject,
) -> None:
    text, action = example
    for mark in ">~^=+":
        text = text.replace(mark, data.draw(st.sampled_from([f" {mark}", f"{mark} ", mark])))
    text = text.replace(":", data.draw(st.sampled_from([":", " : ", " "])))
    text = data.draw(st.sampled_from([text, text.upper(), text.lower(), f" {text} "]))
    assert parse_action(text, POSITION) == action


@pytest.mark.parametrize(
    ("text", "character", "reason"),
    [
        ("", 1, "found nothing"),
        ("fly", 1, "found 'fly'"),
        ("b4", 3, "'>' (move), '^' (construct) or '+' (reinforce)"),
        ("0,1", 4, "'>' (move), '^' (construct) or '+' (reinforce)"),
        ("b4>d", 4, "a space"),
        ("b4>d06", 4, "a space"),
        ("b4>abc6", 4, "a space"),
        ("0,1>2;1", 5, "a space"),
        ("0,1>2,01", 5, "a space"),
        ("12345,0>1,0", 1, "a space"),
        ("b4^c5", 6, "'=' and a building kind"),
        ("b4^c5=cam", 7, "camp, tower, castle"),
        ("b4+x", 4, "the number of discs"),
        ("b4+100", 4, "the number of discs"),
        ("b4+2E2", 6, "the end of the action"),
        ("b4>d6-", 7, "the mark of the Emperor"),
        ("b4>d6 then home", 7, "the end of the action"),
        ("moon", 5, "a space"),
        ("ransom:you", 8, "the seat of a captive"),
    ],
)
def test_an_error_names_the_character_and_the_reason(
    text: str,
    character: int,
    reason: str,
) -> None:
    with pytest.raises(NotationError) as caught:
        parse_action(text, POSITION)
    assert str(caught.value).startswith(f"character {character}: expected ")
    assert reason in str(caught.value)


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    refusal = ""
    try:
        action = parse_action(text, POSITION)
    except NotationError as error:
        refusal = str(error)
    if refusal:
        assert len(refusal.splitlines()) == 1
    else:
        assert parse_action(format_action(action, POSITION), POSITION) == action


def test_a_huge_text_is_refused_at_once() -> None:
    with pytest.raises(NotationError, match="at most 1000 characters"):
        parse_action("0,1>" + "1" * 1_000_000, POSITION)
