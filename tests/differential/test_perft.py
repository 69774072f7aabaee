"""Numbers of decision sequences: engine against reference."""

from __future__ import annotations

from random import Random

import pytest

from ekoes.games.eko.engine import perft
from tests import reference
from tests.differential.compare import engine_reads, text, times
from tests.reference.generate import PHASES, random_tiles, random_variants, synthetic

MOST_LEAVES_TO_WALK = 300


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_perft(players: int, phase: str) -> None:
    if phase == "ransom":
        players = 4
    rng = Random(f"perft {players} {phase}")
    for _ in range(times(3)):
        tiles = random_tiles(rng, players, random_variants(rng))
        position = synthetic(rng, players, tiles, phase)
        depth, nodes = 1, reference.perft(position, 1)
        while nodes < MOST_LEAVES_TO_WALK and depth < 4:
            depth += 1
            nodes = reference.perft(position, depth)
        assert perft(engine_reads(position), depth) == nodes, f"{depth} {text(position)}"
