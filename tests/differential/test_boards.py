"""The engine's boards against the reference's: terrain, adjacency, zones, signs, portals, refusals."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from ekoes.errors import LayoutError
from ekoes.games.eko.position.layout import Layout
from tests.differential.compare import times
from tests.reference import Board, Refused, board_of
from tests.reference.generate import Tiles, random_tiles, random_variants

SEEDS = range(8)


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
        "pyramids": sorted([names[space] for space in three] for three in layout.pyramids),
        "beacons": sorted([names[space] for space in three] for three in layout.beacons),
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


@pytest.mark.parametrize("seed", SEEDS)
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


@pytest.mark.parametrize("seed", SEEDS)
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
