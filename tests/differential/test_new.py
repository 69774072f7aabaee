"""First positions of the engine, as the reference sees them: any variants, both set-ups."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from ekoes.games.api.registry import game
from tests import reference
from tests.differential.compare import compare, times
from tests.reference.generate import VARIANTS, random_game

COMBINATIONS = [chosen for count in range(len(VARIANTS) + 1) for chosen in combinations(VARIANTS, count)]


@pytest.mark.parametrize("setup", ["standard", "draft"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_new_positions_are_sound(players: int, setup: str) -> None:
    """Some of the 128 combinations of variants, each with a seed of its own."""
    rng = Random(f"new {players} {setup}")
    for seed, variants in enumerate(rng.sample(COMBINATIONS, min(len(COMBINATIONS), times(24)))):
        options = {"players": players, "variants": list(variants), "setup": setup}
        value = game("eko").new(options, seed).to_json()
        reference.check(value)
        assert reference.canonical(value) == value
        compare(value, rng)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_on_the_engine_s_own_boards(players: int) -> None:
    rng = Random(f"own boards {players}")
    for seed in range(times(2)):
        start = game("eko").new({"players": players, "variants": list(VARIANTS)}, seed).to_json()
        for position, _ in random_game(rng, start, 50 * players):
            if rng.random() < 1 / 5:
                compare(position, rng)
