"""Names of spaces: c5 is the third row from the top, and the fifth diagonal from the left (E2.1)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ekoes.errors import NotationError
from ekoes.games.eko.position.action import Names, Space
from ekoes.games.eko.position.layout import standard_layout

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
