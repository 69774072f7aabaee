"""Ekö's notation: what it writes, what it reads, and what it says about text that it can't read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ekoes.errors import NotationError
from ekoes.games.eko.action import (
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
from ekoes.games.eko.notation import format_action, parse_action

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

EXAMPLES = [
    ("0,1>2,1", Move(Space(0, 1), Space(2, 1))),
    ("0,1>2,1~3,0~-5,2", Move(Space(0, 1), Space(2, 1), (Space(3, 0), Space(-5, 2)))),
    ("0,1>2,1~3,0-E", Move(Space(0, 1), Space(2, 1), (Space(3, 0),), emperor_lost=True)),
    ("0,1^0,0=camp", Build(Space(0, 1), Space(0, 0), Building.CAMP)),
    ("0,1^0,0=castle-E", Build(Space(0, 1), Space(0, 0), Building.CASTLE, emperor=True)),
    ("march", March()),
    ("-2,-3+2", Reinforce(Space(-2, -3), 2)),
    ("0,1+2E", Reinforce(Space(0, 1), 2, emperor=True)),
    ("moon:4,4", Moon(Space(4, 4))),
    ("moon:4,4+E", Moon(Space(4, 4), emperor=True)),
    ("sandtemple:1,0", SandTemple(Space(1, 0))),
    ("ransom:2", Ransom(2)),
    ("swap:1,0", Swap(Space(1, 0))),
    ("keep", Swap()),
    ("place:1,0", Place(Space(1, 0))),
    ("place:1,0+E", Place(Space(1, 0), emperor=True)),
    ("end", End()),
]


@pytest.mark.parametrize(("text", "action"), EXAMPLES)
def test_each_form_is_written_and_read(text: str, action: Action) -> None:
    assert format_action(action) == text
    assert parse_action(text) == action


@given(actions)
def test_reading_undoes_writing(action: Action) -> None:
    text = format_action(action)
    assert parse_action(text) == action
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
    assert parse_action(text) == action


@pytest.mark.parametrize(
    ("text", "character", "reason"),
    [
        ("", 1, "found nothing"),
        ("fly", 1, "found 'fly'"),
        ("0,1", 4, "'>' (move), '^' (construct) or '+' (reinforce)"),
        ("0,1>2;1", 5, "a space"),
        ("0,1>2,01", 5, "a space"),
        ("12345,0>1,0", 1, "a space"),
        ("0,1^0,0", 8, "'=' and a building kind"),
        ("0,1^0,0=cam", 9, "camp, tower, castle"),
        ("0,1+x", 5, "the number of discs"),
        ("0,1+100", 5, "the number of discs"),
        ("0,1+2E2", 7, "the end of the action"),
        ("0,1>2,1-", 9, "the mark of the Emperor"),
        ("0,1>2,1 then home", 9, "the end of the action"),
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
        parse_action(text)
    assert str(caught.value).startswith(f"character {character}: expected ")
    assert reason in str(caught.value)


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    refusal = ""
    try:
        action = parse_action(text)
    except NotationError as error:
        refusal = str(error)
    if refusal:
        assert len(refusal.splitlines()) == 1
    else:
        assert parse_action(format_action(action)) == action


def test_a_huge_text_is_refused_at_once() -> None:
    with pytest.raises(NotationError, match="at most 1000 characters"):
        parse_action("0,1>" + "1" * 1_000_000)
