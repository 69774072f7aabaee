"""Numbers of decision sequences: engine against reference."""

from __future__ import annotations

from random import Random

import pytest

from ekoes.games.eko.game import perft
from tests import reference
from tests.differential.compare import engine_reads, text, times
from tests.reference.generate import PHASES, random_tiles, random_variants, synthetic
from tests.rules.eko.board import drawn

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


def test_perft_is_zero_without_a_legal_action_and_one_after_the_end() -> None:
    # no decision leads from a phase that asks nothing (E12.8); a game that has ended counts as one leaf
    stuck = drawn("2E@0,2 camp@3,1", "2E@-1,1", phase="reinforce")
    over = drawn("2E@0,2", "+", phase="over") | {"winners": [0]}
    over["captives"] = [[1], []]
    for position, leaves in ((stuck, 0), (over, 1)):
        for depth in (1, 2, 3):
            assert perft(engine_reads(position), depth) == reference.perft(position, depth) == leaves
