"""Notation: what it writes, what it reads, and what it says about text that it can't read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ekoes.errors import NotationError
from ekoes.games.ekko.position import action as ekko_notation
from ekoes.games.ekko.position.action import Close, Deal, Draw, Effect, Mirror, Misplay, Pass, Play
from ekoes.games.eko.game import EKO
from ekoes.games.eko.position import action as eko_notation
from ekoes.games.eko.position.action import (
    Build,
    Building,
    End,
    March,
    Moon,
    Move,
    Names,
    Place,
    Ransom,
    Reinforce,
    SandTemple,
    Space,
    Swap,
)
from tests.rules.eko.board import standard_layout


class Notation(NamedTuple):
    """A game's notation. marks: those beside which there may be blanks; texts: some that may be wrong."""

    write: Callable[[Any], str]
    read: Callable[[str], Any]
    actions: st.SearchStrategy[Any]
    examples: list[tuple[str, Any]]
    bad: list[tuple[str, int, str]]
    marks: str
    texts: st.SearchStrategy[str]
    huge: str


_numbers = st.integers(-9999, 9999)
_spaces = st.builds(Space, _numbers, _numbers)
_counts = st.integers(0, 99)
_zones = st.lists(_spaces, max_size=4).map(tuple)

_eko_actions: st.SearchStrategy[Any] = st.one_of(
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

EKO_EXAMPLES = [
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
EKO_BAD = [
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
]
BY_COORDINATES = [
    ("0,1>2,1~3,0~-4,2", "f5>f7~e8~g1"),
    ("0,1 ^ 0 , 0 = castle - e", "f5^e5=castle-E"),
    ("-2,-3+2", "b3+2"),
    ("moon 4,4", "moon:i9"),
    ("place:e6+E", "place:1,0+E"),
]

CARDS = tuple(range(1, 99))
_cards = st.integers(1, 98)
_named = st.none() | _cards

_ekko_actions: st.SearchStrategy[Any] = st.one_of(
    st.builds(Play, _cards),
    st.builds(Mirror, _cards, st.just(Effect.DRAW), st.none(), _named),
    st.builds(Mirror, _cards, st.just(Effect.DISCARD), _cards, _named),
    st.builds(Misplay, _cards),
    st.builds(Deal, st.permutations(CARDS).map(tuple) | st.just(())),
    st.sampled_from([Pass(), Draw(), Close()]),
)

EKKO_EXAMPLES = [
    ("67", Play(67)),
    ("1", Play(1)),
    ("73/+", Mirror(73, Effect.DRAW)),
    ("73/-20", Mirror(73, Effect.DISCARD, 20)),
    ("73/37+", Mirror(73, Effect.DRAW, on=37)),
    ("73/37-20", Mirror(73, Effect.DISCARD, 20, on=37)),
    ("12?", Misplay(12)),
    ("draw", Draw()),
    ("pass", Pass()),
    ("close", Close()),
    ("deal", Deal()),
    ("deal:" + ",".join(map(str, CARDS)), Deal(CARDS)),
]
EKKO_BAD = [
    ("", 1, "found nothing"),
    ("fly", 1, "a card, as in 67, or one of draw, pass, close, deal, found 'fly'"),
    ("0", 1, "a card, 1 to 98"),
    ("99", 1, "a card, 1 to 98"),
    ("100", 1, "a card, 1 to 98"),
    ("-5", 1, "a card"),
    ("73/", 4, "'-' and the card put aside"),
    ("73/37", 6, "'-' and the card put aside"),
    ("73/37-", 7, "a card, 1 to 98, found nothing"),
    ("73/99+", 4, "a card, 1 to 98"),
    ("73+", 3, "the end of the action"),
    ("73/+20", 5, "the end of the action"),
    ("12??", 4, "the end of the action"),
    ("draw 2", 6, "the end of the action"),
    ("deal:1,2", 9, "98 cards, these are 2"),
    ("deal:1,2,1", 10, "a card that is not in the list yet"),
    ("deal:1,,2", 8, "a card, 1 to 98"),
]

GAMES = {
    "eko": Notation(
        lambda action: eko_notation.format_action(action, POSITION),
        lambda text: eko_notation.parse_action(text, POSITION),
        _eko_actions,
        EKO_EXAMPLES,
        EKO_BAD,
        ">~^=+",
        st.text(max_size=60),
        "0,1>" + "1" * 1_000_000,
    ),
    "ekko": Notation(
        ekko_notation.format_action,
        ekko_notation.parse_action,
        _ekko_actions,
        EKKO_EXAMPLES,
        EKKO_BAD,
        "/+-?,",
        st.text(max_size=60) | st.text("0123456789/+-?, dealrwpsco", max_size=20),
        "deal:" + "1," * 1_000_000,
    ),
}
NOTATIONS = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


@pytest.mark.parametrize(
    ("game", "text", "action"), [(game, *example) for game in GAMES.values() for example in game.examples]
)
def test_each_form_is_written_and_read(game: Notation, text: str, action: Any) -> None:
    assert game.write(action) == text
    assert game.read(text) == action


@pytest.mark.parametrize(("one", "other"), BY_COORDINATES)
def test_names_and_coordinates_are_the_same_spaces(one: str, other: str) -> None:
    assert GAMES["eko"].read(one) == GAMES["eko"].read(other)


@NOTATIONS
@given(st.data())
def test_reading_undoes_writing(game: Notation, data: st.DataObject) -> None:
    action = data.draw(game.actions)
    text = game.write(action)
    assert game.read(text) == action
    assert text.split() == [text]


@NOTATIONS
@given(st.data())
def test_blanks_and_capitals_do_not_matter(game: Notation, data: st.DataObject) -> None:
    text, action = data.draw(st.sampled_from(game.examples))
    for mark in game.marks:
        text = text.replace(mark, data.draw(st.sampled_from([f" {mark}", f"{mark} ", mark])))
    text = text.replace(":", data.draw(st.sampled_from([":", " : ", " "])))
    text = data.draw(st.sampled_from([text, text.upper(), text.lower(), f" {text} "]))
    assert game.read(text) == action


@pytest.mark.parametrize(
    ("game", "text", "character", "reason"), [(game, *bad) for game in GAMES.values() for bad in game.bad]
)
def test_an_error_names_the_character_and_the_reason(
    game: Notation, text: str, character: int, reason: str
) -> None:
    with pytest.raises(NotationError) as caught:
        game.read(text)
    assert str(caught.value).startswith(f"character {character}: expected ")
    assert reason in str(caught.value)


@NOTATIONS
@given(st.data())
def test_any_text_is_read_or_refused_in_one_line(game: Notation, data: st.DataObject) -> None:
    refusal = ""
    try:
        action = game.read(data.draw(game.texts))
    except NotationError as error:
        refusal = str(error)
    if refusal:
        assert len(refusal.splitlines()) == 1
    else:
        assert game.read(game.write(action)) == action


@NOTATIONS
def test_a_huge_text_is_refused_at_once(game: Notation) -> None:
    with pytest.raises(NotationError, match="at most 1000 characters"):
        game.read(game.huge)


NAMES = Names(left=-4, top=-7)


@pytest.mark.parametrize(
    ("name", "space"),
    [
        ("a1", Space(-4, -7)),
        ("c5", Space(0, -5)),
        ("z12", Space(7, 18)),
        ("aa1", Space(-4, 19)),
        ("ab2", Space(-3, 20)),
        ("ba1", Space(-4, 45)),
        ("zz1", Space(-4, 694)),
    ],
)
def test_rows_have_letters_and_diagonals_numbers(name: str, space: Space) -> None:
    assert NAMES.write(space) == name
    assert NAMES.read(name) == NAMES.read(name.upper()) == space


@given(st.builds(Space, st.integers(-9999, 9999), st.integers(-9999, 9999)))
def test_a_name_is_read_back_whatever_the_board(space: Space) -> None:
    assert NAMES.read(NAMES.write(space)) == space
    assert NAMES.read(str(space)) == space


def test_what_is_left_of_a_board_or_above_it_has_coordinates() -> None:
    assert [NAMES.write(Space(-5, 0)), NAMES.write(Space(0, -8))] == ["-5,0", "0,-8"]


@pytest.mark.parametrize("text", ["", "c", "5", "c0", "c05", "abc1", "c5 ", "ç5", "1,2,3"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match=r"a space is written"):
        NAMES.read(text)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_space_of_a_board_has_a_name_of_its_own(players: int) -> None:
    layout = standard_layout(players)
    names = [layout.names.write(space) for space in layout.spaces]
    assert len(set(names)) == len(names)
    assert min(names)[0] == "a"
    assert any(name[1:] == "1" for name in names)
