"""The exported numbers of a state are those of its record."""

from __future__ import annotations

import pytest

from ekoes.games.eko.position.state import STACKS, Stack
from ekoes.games.eko.rules.record import LEVELS
from ekoes.games.kernels.bits import members
from tests.unit.games import ALL_VARIANTS, random_game

SINGLE = (
    "number",
    "player",
    "phase",
    "chooser",
    "resume",
    "first",
    "marched",
    "sandtemple_used",
    "moon_used",
)
OF_SEATS = ("capitals", "reserve", "removed", "unplaced", "whereabouts", "emperor", "captor")


@pytest.mark.parametrize("seed", range(6))
def test_the_view_holds_the_numbers_of_the_record(seed: int) -> None:
    players = 2 + seed % 3
    for position, _, _ in random_game(seed, 100, players=players, variants=ALL_VARIANTS):
        view, state = position.plain, position.states[0]
        assert [getattr(view, name) for name in SINGLE] == [state[name] for name in SINGLE]
        for name in OF_SEATS:
            assert getattr(view, name) == tuple(state[name][:players])
        assert view.placed == state["placed"][: state["n_placed"]].tolist()
        stacks = {
            space: Stack(seat, state["height"][space], state["emperor"][seat] == space)
            for seat in range(players)
            for space in members(state["own"][seat].tolist())
        }
        assert list(view.stacks) == sorted(stacks)
        assert {space: STACKS[code] for space, code in view.stacks.items()} == stacks
        buildings = {
            site: (seat, level)
            for seat in range(players)
            for level in range(1, LEVELS + 1)
            for site in members(state["built"][seat, level].tolist())
        }
        assert list(view.buildings) == sorted(buildings)
        assert {site: divmod(code, LEVELS + 1) for site, code in view.buildings.items()} == buildings
