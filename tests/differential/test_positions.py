"""The engine against the reference: first positions, and random ones of every phase, with any variants."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from ekoes.games.api.registry import game
from tests import reference
from tests.differential.compare import compare, times
from tests.reference.generate import (
    PHASES,
    VARIANTS,
    random_game,
    random_tiles,
    random_variants,
    set_up,
    synthetic,
)

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


PLAYERS = (2, 3, 4)
SEEDS = [seed if seed < 2 else pytest.param(seed, marks=pytest.mark.long) for seed in range(times(4))]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("players", PLAYERS)
def test_synthetic_positions(players: int, phase: str, seed: int) -> None:
    if phase == "ransom":
        players = 4  # E5.7: with fewer nobody ever has a choice
    rng = Random(f"synthetic {players} {phase} {seed}")
    for _ in range(4):
        tiles = random_tiles(rng, players, random_variants(rng))
        for _ in range(5):
            compare(synthetic(rng, players, tiles, phase), rng)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("players", PLAYERS)
def test_each_variant_alone(players: int, variant: str) -> None:
    rng = Random(f"alone {players} {variant}")
    for _ in range(times(2)):
        tiles = random_tiles(rng, players, frozenset({variant}))
        for _ in range(10):
            compare(synthetic(rng, players, tiles), rng)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("setup", ["standard", "draft"])
@pytest.mark.parametrize("players", PLAYERS)
def test_games(players: int, setup: str, seed: int) -> None:
    """Random games of the reference; a third of the positions on the way is compared."""
    rng = Random(f"game {players} {setup} {seed}")
    tiles = random_tiles(rng, players, random_variants(rng))
    start = set_up(rng, players, tiles, setup)
    for position, _ in random_game(rng, start, 60 * players):
        if rng.random() < 1 / 3 or "winners" in position:
            compare(position, rng)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("players", PLAYERS)
def test_endgames(players: int, seed: int) -> None:
    """From synthetic positions on to the end, where few discs are left."""
    rng = Random(f"endgame {players} {seed}")
    for _ in range(2):
        tiles = random_tiles(rng, players, random_variants(rng))
        for position, _ in random_game(rng, synthetic(rng, players, tiles), 40):
            compare(position, rng)
