"""Random boards: always playable, the same for the same seed, small tiles between and around."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import chain, combinations
from typing import TYPE_CHECKING

import pytest

from ekoes.errors import LayoutError
from ekoes.games.api.chance import Chance
from ekoes.games.eko.position.action import Space
from ekoes.games.eko.position.layout import Layout, standard_centres
from ekoes.games.eko.position.setup import random_layout
from ekoes.games.eko.position.tiles import VARIANTS, TileSet, connected_groups, default_tileset, distance
from ekoes.games.eko.rules.board import DIRECTIONS, Terrain
from tests.kit.examples import IS_LONG
from tests.unit.eko.test_layout import box

if TYPE_CHECKING:
    from collections.abc import Sequence

EVERY_CHOICE = tuple(chain.from_iterable(combinations(VARIANTS, count) for count in range(len(VARIANTS) + 1)))
SMALL = "PQSTU"
SEEDS = 20 if IS_LONG else 6


@cache
def drawn(players: int, variants: tuple[str, ...], seed: int) -> Layout:
    return random_layout(players, variants, Chance(seed))


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_choice_of_variants_gives_a_playable_board(players: int) -> None:
    """Layout refuses what E2.8 does not allow; here, that the tiles are those asked for."""
    for seed, variants in enumerate(EVERY_CHOICE):
        layout = drawn(players, variants, seed)
        expected = Counter(
            tile for variant in variants for tile in default_tileset().variant_tiles(variant, players)
        )
        used = Counter(tile.tile for tile in layout.tiles)
        assert {name: used[name] for name in "NOPQRSTU" if used[name]} == expected
        assert layout == Layout(players, layout.to_json())


@pytest.mark.parametrize("players", [2, 3, 4])
def test_many_seeds_with_all_variants(players: int) -> None:
    boards = {drawn(players, VARIANTS, seed).tiles for seed in range(SEEDS)}
    assert len(boards) == SEEDS


@pytest.mark.parametrize("variants", [(), ("moon",), ("sandtemple",), ("moon", "sandtemple")])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_e2_5_without_small_tiles_it_is_the_standard_board(players: int, variants: tuple[str, ...]) -> None:
    for seed in range(30):
        layout = drawn(players, variants, seed)
        assert {(tile.q, tile.r) for tile in layout.tiles} == set(standard_centres(players))
        sand = [i for i, terrain in enumerate(layout.terrain) if terrain is Terrain.SAND]
        assert len(connected_groups(sand, layout.neighbours.__getitem__)) == 1


def test_e2_5_tiles_are_shuffled_and_turned_fairly() -> None:
    """Over 600 boards each tile lies in the middle, and is turned each way, about equally often."""
    middle, turns = Counter[str](), Counter[int]()
    for seed in range(600):
        layout = drawn(2, (), seed)
        middle[next(tile.tile for tile in layout.tiles if (tile.q, tile.r) == (0, 0))] += 1
        turns.update(tile.rot for tile in layout.tiles)
    assert sorted(middle) == list("ABCDEFG")
    assert all(35 < count < 160 for count in middle.values())
    assert all(550 < turns[rot] < 850 for rot in range(6))


def test_one_seed_is_one_board() -> None:
    for variants in ((), ("wind",), VARIANTS):
        assert random_layout(3, variants, Chance(7)) == random_layout(3, variants, Chance(7))
        assert drawn(3, variants, 7) != drawn(3, variants, 8)


def test_the_order_of_the_variants_does_not_matter() -> None:
    assert drawn(2, VARIANTS, 5) == drawn(2, tuple(reversed(VARIANTS)), 5)


# ------------------------------------------------------------------ a pleasant board


def small_places(layout: Layout) -> list[Space]:
    return [Space(tile.q, tile.r) for tile in layout.tiles if tile.tile in SMALL]


def sides_open(layout: Layout, place: int) -> float:
    """The share of the empty spaces among those beside a tile."""
    cells = [layout.spaces[space] for space, owner in enumerate(layout.tile_of) if owner == place]
    beside = {Space(q + dq, r + dr) for q, r in cells for dq, dr in DIRECTIONS} - set(cells)
    return sum(space not in layout.index for space in beside) / len(beside)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_small_tiles_lie_between_the_large_ones_and_around_them(players: int) -> None:
    inside = outside = 0
    for seed in range(SEEDS):
        layout = drawn(players, ("labyrinth", "beacon", "wind"), seed)
        shares = [sides_open(layout, place) for place, tile in enumerate(layout.tiles) if tile.tile in SMALL]
        inside += sum(share <= 0.25 for share in shares)
        outside += sum(share > 0.25 for share in shares)
    assert inside > SEEDS * 8 * 0.15
    assert outside > SEEDS * 8 * 0.15


@pytest.mark.parametrize("players", [2, 3, 4])
def test_small_tiles_are_no_heap_in_a_corner(players: int) -> None:
    """They are about as far from each other as any spaces of the board, and seldom side by side."""
    for seed in range(SEEDS):
        layout = drawn(players, VARIANTS, seed)
        small = small_places(layout)
        assert mean_distance(small) > 0.9 * mean_distance(layout.spaces)
        nearest = [min(distance(one, other) for other in small if other != one) for one in small]
        assert sum(nearest) / len(nearest) >= 2


def mean_distance(spaces: Sequence[Space]) -> float:
    pairs = list(combinations(spaces, 2))
    return sum(distance(one, other) for one, other in pairs) / len(pairs)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_boards_are_compact(players: int) -> None:
    widths = []
    for seed in range(SEEDS):
        layout = drawn(players, VARIANTS, seed)
        columns = [2 * space.q + space.r for space in layout.spaces]
        widths.append(max(columns) - min(columns) + 2)
        rows = [space.r for space in layout.spaces]
        assert max(rows) - min(rows) < 20
    assert max(widths) <= 33, "wider boards do not fit a terminal of 100 columns"
    assert sum(widths) / len(widths) < 29


@pytest.mark.parametrize("players", [2, 3, 4])
def test_portals_are_far_apart(players: int) -> None:
    for seed in range(SEEDS):
        layout = drawn(players, ("portals", "wind"), seed)
        one, other = (layout.spaces[portal] for portal, _, _ in layout.portals)
        widest = max(distance(a, b) for a, b in combinations(layout.spaces, 2))
        assert distance(one, other) >= 0.7 * widest


# ------------------------------------------------------------------ custom sets


def test_a_custom_set_with_tiles_of_other_sizes() -> None:
    sand = {
        f"G{place}": {"terrain": "........", "group": "grey", "cells": cells}
        for place, cells in enumerate([[[q, r] for q in range(4) for r in range(2)]] * 4)
    }
    tileset = TileSet.from_json(
        {
            "groups": {"grey": 2},
            "tiles": sand | {"T": {"terrain": "CW", "cells": [[0, 0], [1, 0]], "group": "grey"}},
        }
    )
    for seed in range(10):
        layout = random_layout(2, (), Chance(seed), tileset)
        assert layout.terrain.count(Terrain.SAND) == 32
        assert layout.tileset == tileset


def test_a_custom_set_with_more_small_tiles() -> None:
    tileset = box(T={"terrain": "W", "cells": [[0, 0]], "copies": 6, "variant": "wind"})
    assert random_layout(3, {"wind"}, Chance(1), tileset).terrain.count(Terrain.WIND) == 6


def test_a_custom_set_may_have_a_portal_in_a_larger_tile_or_no_large_tiles() -> None:
    portal, larger = {"terrain": "P", "cells": [[0, 0]]}, {"terrain": "xP", "cells": [[0, 0], [1, 0]]}
    tileset = box(R=portal | {"variant": "portals"}, T=larger | {"variant": "portals"})
    assert len(random_layout(2, {"portals"}, Chance(1), tileset).portals) == 2
    sand = {"terrain": "." * 7, "variant": "moon", "copies": 4}
    tiles = {
        "A": {"terrain": "xx....C", "variant": "moon"},
        "B": sand,
        "C": {"terrain": "x" * 7, "group": "big"},
    }
    tileset = TileSet.from_json({"groups": {"big": 4}, "tiles": tiles})
    assert len(random_layout(2, {"moon"}, Chance(1), tileset).tiles) == 5


def test_a_custom_set_whose_tiles_reach_far_is_refused() -> None:
    """Growing the board looks at places that lie as far away as tiles can reach."""
    far = [[q, r] for q in (-9, 0, 9) for r in (-9, 0, 9)]
    tiles = {f"A{number}": {"terrain": "....xxxxx", "cells": far, "group": "big"} for number in range(8)}
    tiles["B"] = {"terrain": "C", "cells": [[0, 0]], "group": "big"}
    tileset = TileSet.from_json({"groups": {"big": 2}, "tiles": tiles})
    with pytest.raises(LayoutError, match="not one connected group"):
        random_layout(2, (), Chance(1), tileset)


@pytest.mark.parametrize(
    ("tileset", "message"),
    [
        (box(A={"terrain": "c..x..r", "group": "grey"}), "there is no capital"),
        (box(G={"terrain": ".......", "group": "grey"}), "need 32 sand spaces; there are 35"),
        (box(R={"terrain": "P", "cells": [[0, 0]], "variant": "portals"}), "portals number 0 or 2, not 1"),
        (
            box(
                T={
                    "terrain": "x" * 19,
                    "cells": [[q, 0] for q in range(-9, 10)],
                    "copies": 9,
                    "variant": "portals",
                }
            ),
            "spaces",
        ),
        (box(O={"terrain": "M", "cells": [[0, 0]]}), "no tile for the variant moon"),
    ],
)
def test_a_custom_set_that_gives_no_board_is_refused(tileset: TileSet, message: str) -> None:
    with pytest.raises(LayoutError, match=message):
        random_layout(2, {"portals", "moon"} if "moon" in message else {"portals"}, Chance(1), tileset)


def test_unknown_variants_and_numbers_of_players_are_refused() -> None:
    with pytest.raises(LayoutError, match="unknown variant 'rain'"):
        random_layout(2, {"rain"}, Chance(1))
    for players in (1, 5):
        with pytest.raises(LayoutError, match="2 to 4 players"):
            random_layout(players, (), Chance(1))
