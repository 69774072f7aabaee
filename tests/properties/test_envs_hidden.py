"""What an environment shows reveals no hidden card (K6.4): with other hidden cards it stays the same."""

from __future__ import annotations

from random import Random

from hypothesis import assume, given

from ekoes.envs.spaces_ekko import EkkoSpaces
from ekoes.games.ekko.position.position import EkkoPosition
from tests.kit.examples import property_settings
from tests.properties.ekko_positions import chances, mixed, positions, read_like


@property_settings(100, interpreted=40)
@given(positions(), chances)
def test_hidden_cards_change_nothing_in_the_arrays_of_a_seat(position: EkkoPosition, rng: Random) -> None:
    assume(not position.live)
    value, spaces = position.to_json(), EkkoSpaces({"players": position.players})
    plain = read_like(value, position)
    for eye in range(position.players):
        there = mixed(value, eye, rng)
        if there is None:
            continue
        other = read_like(there, position)
        one, two = spaces.observe(plain, eye), spaces.observe(other, eye)
        assert {name: array.tobytes() for name, array in one.items()} == {
            name: array.tobytes() for name, array in two.items()
        }
        if plain.actors() == other.actors() == (eye,):
            assert spaces.mask(plain).tobytes() == spaces.mask(other).tobytes()
