"""The engine against the reference: first and random positions of every phase, boards, and perft."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

import pytest

from ekoes.errors import LayoutError
from ekoes.games.api.registry import game
from ekoes.games.eko.game import perft
from ekoes.games.eko.position.layout import Layout
from tests import reference
from tests.differential.compare import compare, engine_reads, text, times
from tests.kit.examples import one_quick
from tests.reference import Board, Refused, board_of
from tests.reference.generate import (
    PHASES,
    VARIANTS,
    Tiles,
    random_game,
    random_tiles,
    random_variants,
    set_up,
    synthetic,
)
from tests.rules.eko.board import drawn

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


@pytest.mark.parametrize("players", one_quick(2, [3, 4]))
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


OTHER_GAMES = [(2, "draft"), (3, "draft"), (4, "standard")]
GAMES = [(2, "standard"), (3, "standard"), *one_quick((4, "draft"), OTHER_GAMES)]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("players", "setup"), GAMES)
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


BOARDS = range(8)


def described(layout: Layout) -> dict[str, Any]:
    """What the reference knows of a board too, in its words."""
    names = [str(space) for space in layout.spaces]
    steps = {
        names[space]: {names[near] for near in layout.neighbours[space] if layout.terrain[near].is_walkable}
        for space in range(len(names))
    }
    if layout.portal_link is not None:
        one, other = (names[space] for space in layout.portal_link)
        steps[one].add(other)
        steps[other].add(one)
    return {
        "spaces": names,
        "terrain": {name: terrain.word for name, terrain in zip(names, layout.terrain, strict=True)},
        "adjacent": {names[s]: {names[n] for n in near} for s, near in enumerate(layout.neighbours)},
        "steps": {name: near - {name} for name, near in steps.items()},
        "zone": {names[space]: names[zone[0]] for zone in layout.zones for space in zone},
        **{
            sign.plural: sorted([names[space] for space in three] for three in found)
            for sign, found in layout.signs.items()
        },
    }


def expected(board: Board) -> dict[str, Any]:
    return {
        "spaces": board.spaces,
        "terrain": board.terrain,
        "adjacent": {space: set(near) for space, near in board.adjacent.items()},
        "steps": {space: set(near) - {space} for space, near in board.steps.items()},
        "zone": board.zone,
        "pyramids": sorted(board.pyramids),
        "beacons": sorted(board.beacons),
    }


@pytest.mark.parametrize("seed", BOARDS)
def test_boards_are_the_same(seed: int) -> None:
    rng = Random(f"boards {seed}")
    for _ in range(times(6)):
        players = rng.choice([2, 3, 4])
        tiles = random_tiles(rng, players, random_variants(rng))
        board = board_of({"players": players, "tiles": tiles})
        assert described(Layout(players, tiles)) == expected(board), tiles


def spoilt(rng: Random, tiles: Tiles) -> Tiles:
    """The layout with one tile moved, turned, added, removed or exchanged."""
    changed = [list(tile) for tile in tiles]
    tile = rng.choice(changed)
    match rng.randrange(5):
        case 0:
            tile[1] += rng.choice([-1, 1])
        case 1:
            tile[3] = rng.randrange(6)
        case 2:
            changed.append([rng.choice("ABEHKNOPQRSTU"), rng.randint(-9, 9), rng.randint(-9, 9), 0])
        case 3:
            changed.remove(tile)
        case _:
            tile[0] = rng.choice("ABCDEFGHIJKLMNOPQRSTU")
    return changed


@pytest.mark.parametrize("seed", BOARDS)
def test_spoilt_layouts_are_refused_alike(seed: int) -> None:
    rng = Random(f"spoilt {seed}")
    refusals = 0
    for _ in range(times(6)):
        players = rng.choice([2, 3, 4])
        tiles = random_tiles(rng, players, random_variants(rng))
        for _ in range(10):
            changed = spoilt(rng, tiles)
            try:
                wanted = expected(board_of({"players": players, "tiles": changed}))
            except Refused:
                refusals += 1
                with pytest.raises(LayoutError):
                    Layout(players, changed)
            else:
                assert described(Layout(players, changed)) == wanted, changed
    assert refusals


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
