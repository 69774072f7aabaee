"""A board that is turned or mirrored is the same board to openings."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ekoes.games.eko.game import EKO
from ekoes.games.eko.openings import gists, moments
from ekoes.games.eko.position.action import action_to_json
from tests.kit.examples import property_settings
from tests.properties.positions import Json, position_values
from tests.properties.test_symmetry import turn_action, turn_position


@property_settings(50, interpreted=15)
@given(position_values(), st.integers(1, 5), st.tuples(st.integers(-9, 9), st.integers(-9, 9)))
def test_a_turned_board_has_the_same_openings(value: Json, rot: int, shift: tuple[int, int]) -> None:
    here, there = EKO.from_json(value), EKO.from_json(turn_position(value, rot, shift))
    assert moments(here) == moments(there)
    for action in list(here.legal())[::7]:
        turned = EKO.parse_action(turn_action(value, action_to_json(action), rot, shift))
        assert gists(here, action) == gists(there, turned)
