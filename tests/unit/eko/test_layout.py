"""Placed tiles as a board: geometry, what a layout tells, and every check of E2.8."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from typing import Any

import pytest

from ekoes.errors import LayoutError
from ekoes.games.api.chance import Chance
from ekoes.games.eko.position.action import Space
from ekoes.games.eko.position.layout import MAX_SPACES, Layout, PlacedTile, standard_layout
from ekoes.games.eko.position.setup import random_layout
from ekoes.games.eko.position.tiles import (
    DIRECTIONS,
    VARIANTS,
    Terrain,
    TileSet,
    connected_groups,
    default_tileset,
    distance,
    turned,
)

BASE: list[list[Any]] = [list(tile) for tile in standard_layout(2).tiles]


def base(*added: list[Any], without: str = "") -> list[list[Any]]:
    """The standard board for two, some tiles taken out and others added."""
    return [tile for tile in BASE if tile[0] not in without] + list(added)


def around(tiles: list[list[Any]]) -> list[Space]:
    """The empty spaces beside a board of large tiles, in the order of E2.6."""
    cells = {(q + dq, r + dr) for _, q, r, _ in tiles for dq, dr in ((0, 0), *DIRECTIONS)}
    beside = {(q + dq, r + dr) for q, r in cells for dq, dr in DIRECTIONS} - cells
    return sorted((Space(q, r) for q, r in beside), key=lambda space: (space.r, space.q))


EDGE = around(BASE)


def box(**changes: dict[str, Any]) -> TileSet:
    """The box with other tiles in it."""
    value = copy.deepcopy(default_tileset().to_json())
    value["tiles"] |= changes
    return TileSet.from_json(value)


def refusal(tiles: object, players: int = 2, tileset: TileSet | None = None) -> LayoutError:
    """Return how a layout is refused."""
    with pytest.raises(LayoutError) as refused:
        Layout(players, tiles, tileset)  # type: ignore[arg-type]
    assert "\n" not in str(refused.value)
    return refused.value


# ------------------------------------------------------------------ geometry


def test_e2_1_distance_counts_steps() -> None:
    assert distance((0, 0), (2, -1)) == 2
    assert distance((1, 1), (-1, 3)) == 2
    assert distance((-2, -2), (2, 2)) == 8


# ------------------------------------------------------------------ what a layout tells


def test_tiles_keep_their_order_and_own_their_spaces() -> None:
    tiles = list(reversed(BASE))
    layout = Layout(2, tiles)
    assert layout.to_json() == tiles
    assert Counter(layout.tile_of) == dict.fromkeys(range(7), 7)
    centre = layout.tile_of[layout.index[Space(0, 0)]]
    assert layout.tiles[centre] == PlacedTile("A", 0, 0, 0)


def test_e10_1_portals_face_their_fronts() -> None:
    layout = random_layout(3, {"portals"}, Chance(2))
    assert len(layout.portals) == 2
    for portal, direction, front in layout.portals:
        q, r = layout.spaces[portal]
        dq, dr = DIRECTIONS[direction]
        assert layout.terrain[portal] is Terrain.PORTAL
        assert layout.spaces[front] == (q + dq, r + dr)
        placed = layout.tiles[layout.tile_of[portal]]
        assert placed == PlacedTile("R", q, r, direction)
    assert layout.portal_link == (layout.portals[0][2], layout.portals[1][2])


def test_e10_1_an_open_side_of_a_custom_portal() -> None:
    tileset = box(R={"terrain": "P", "cells": [[0, 0]], "copies": 2, "open": 2, "variant": "portals"})
    ours, theirs = (random_layout(2, {"portals"}, Chance(3), box) for box in (None, tileset))
    assert ours.portals == theirs.portals
    assert [tile.rot for tile in theirs.tiles[-2:]] == [(tile.rot - 2) % 6 for tile in ours.tiles[-2:]]


def test_e10_2_zones_are_the_connected_tempests() -> None:
    layout = random_layout(2, {"labyrinth", "beacon"}, Chance(4))
    tempests = [i for i, terrain in enumerate(layout.terrain) if terrain is Terrain.TEMPEST]
    assert len(tempests) == 21
    assert sorted(space for zone in layout.zones for space in zone) == tempests
    assert [zone[0] for zone in layout.zones] == sorted(zone[0] for zone in layout.zones)
    for zone in layout.zones:
        assert list(zone) == sorted(zone)
        assert len(connected_groups(zone, layout.neighbours.__getitem__)) == 1
        outside = {near for space in zone for near in layout.neighbours[space]} - set(zone)
        assert not outside & set(tempests)
    assert standard_layout(2).zones == ()


def test_e9_pyramids_and_beacons_are_the_three_spaces_of_their_tiles() -> None:
    layout = random_layout(4, {"pyramids", "beacon"}, Chance(5))
    assert (len(layout.pyramids), len(layout.beacons)) == (2, 1)
    for name, signs in (("S", layout.pyramids), ("U", layout.beacons)):
        for spaces in signs:
            assert {layout.tiles[layout.tile_of[space]].tile for space in spaces} == {name}
            assert len({layout.tile_of[space] for space in spaces}) == 1
            assert len(spaces) == 3
            assert all(layout.terrain[space] is Terrain.TEMPEST for space in spaces)


@pytest.mark.parametrize("variants", [(), VARIANTS])
def test_turning_the_whole_board_turns_everything_on_it(variants: tuple[str, ...]) -> None:
    layout = random_layout(3, variants, Chance(6))
    turned_tiles = [(t.tile, *turned((t.q, t.r), 1), (t.rot + 1) % 6) for t in layout.tiles]
    other = Layout(3, turned_tiles)
    new = {place: other.index[Space(*turned(space, 1))] for place, space in enumerate(layout.spaces)}

    def moved(groups: tuple[tuple[int, ...], ...]) -> set[frozenset[int]]:
        return {frozenset(new[place] for place in group) for group in groups}

    assert all(layout.terrain[place] is other.terrain[new[place]] for place in new)
    assert all({new[n] for n in layout.neighbours[p]} == set(other.neighbours[new[p]]) for p in new)
    assert moved(layout.zones) == set(map(frozenset, other.zones))
    assert moved(layout.pyramids) == set(map(frozenset, other.pyramids))
    assert [(new[p], (d + 1) % 6, new[f]) for p, d, f in sorted(layout.portals)] == [
        next(portal for portal in other.portals if portal[0] == new[p]) for p, _, _ in sorted(layout.portals)
    ]


def test_layouts_compare_by_content_and_survive_pickling() -> None:
    layout = standard_layout(2)
    assert layout == Layout(2, BASE)
    assert hash(layout) == hash(Layout(2, BASE))
    assert layout != Layout(2, list(reversed(BASE)))
    assert layout != "layout"
    assert pickle.loads(pickle.dumps(layout)).terrain == layout.terrain
    assert eval(repr(layout), {"Layout": Layout}) == layout  # noqa: S307


# ------------------------------------------------------------------ every check of E2.8


def test_e2_8_overlapping_cells() -> None:
    error = refusal(base(["T", 1, 0, 0]))
    assert (error.rule, error.key) == ("E2.8", "tiles[7]")
    assert "overlap on 1,0" in error.message


def test_e2_8_tiles_apart() -> None:
    error = refusal(base(["T", 9, 9, 0]))
    assert error.rule == "E2.8"
    assert "not one connected group: 9,9" in error.message


def test_e2_8_a_large_tile_missing() -> None:
    assert "missing: G" in refusal(base(without="G")).message


def test_e2_8_a_large_tile_twice() -> None:
    error = refusal(base(["B", *BASE[6][1:]], without="G"))
    assert "tile B lies 2 times" in error.message
    assert "2,1 -1,3" in error.message


def test_e2_8_a_large_tile_of_a_group_out_of_play() -> None:
    error = refusal(base(["H", 5, -1, 0]))
    assert "tile H at 5,-1 is not in play (its group needs more than 2 players)" in error.message
    assert "missing" in refusal(BASE, players=3).message


def test_e2_8_a_temple_tile_takes_the_place_of_its_tile() -> None:
    at_e, at_b = BASE[4][1:], BASE[1][1:]
    assert Layout(2, base(["N", *at_e], without="E")).terrain.count(Terrain.SANDTEMPLE) == 1
    assert Layout(2, base(["N", *at_b], ["O", *at_e], without="BE"))
    beside = refusal(base(["N", 5, -1, 0]))
    assert "tile E at -2,-1 is not in play (tile N stands in for it)" in beside.message
    instead_of_b = refusal(base(["N", *at_b], without="B"))
    assert "tile E at -2,-1 is not in play (tile N stands in for it)" in instead_of_b.message
    both = refusal(base(["N", *at_e], ["O", 5, -1, 0], without="E"))
    assert "tile N stands in for it" in both.message


def test_e2_8_two_tiles_for_one_place() -> None:
    tileset = box(X={"replaces": [["E", "W....c."]]})
    error = refusal(base(["X", *BASE[4][1:]], ["O", 5, -1, 0], without="E"), tileset=tileset)
    assert "no tile is left that tile X could stand in for" in error.message


def test_e2_8_a_temple_tile_for_a_tile_out_of_play() -> None:
    tileset = box(X={"replaces": [["K", ".C...W."]]})
    error = refusal(base(["X", 5, -1, 0]), tileset=tileset)
    assert "tile X stands in for tile K, which is not in play" in error.message


def test_e2_8_small_tiles_at_most_as_often_as_the_box_holds_them() -> None:
    assert Layout(2, base(["T", *EDGE[0], 0]))
    error = refusal(base(["T", *EDGE[0], 0], ["T", *EDGE[5], 0]))
    assert f"tile T lies 2 times, at {EDGE[0]} {EDGE[5]}; the box holds 1" in error.message


def test_e2_8_sixteen_sand_spaces_for_each_player() -> None:
    tileset = box(X={"terrain": ".", "cells": [[0, 0]]})
    assert "need 32 sand spaces; there are 33" in refusal(base(["X", *EDGE[0], 0]), tileset=tileset).message


def test_e2_8_at_least_one_capital() -> None:
    tileset = box(A={"terrain": "c..x..r", "group": "grey"})
    assert refusal(BASE, tileset=tileset).message == "there is no capital"


def test_e2_8_portals_number_none_or_two() -> None:
    assert "portals number 0 or 2, not 1" in refusal(base(["R", *EDGE[0], 5])).message
    tileset = box(R={"terrain": "P", "cells": [[0, 0]], "copies": 3, "variant": "portals"})
    three = base(*(["R", *EDGE[place], 5] for place in (0, 3, 6)))
    assert "portals number 0 or 2, not 3" in refusal(three, tileset=tileset).message


def test_e2_8_the_open_side_of_a_portal_faces_a_way() -> None:
    layout = random_layout(2, {"portals"}, Chance(8))
    *others, last = layout.to_json()
    for rot in range(6):
        q, r = Space(int(last[1]), int(last[2]))
        front = layout.index.get(Space(q + DIRECTIONS[rot][0], r + DIRECTIONS[rot][1]))
        tiles = [*others, ["R", q, r, rot]]
        if front is not None and layout.terrain[front].is_walkable:
            assert Layout(2, tiles)
        else:
            error = refusal(tiles)
            assert f"the open side of the portal on {q},{r} faces" in error.message


def test_too_many_spaces() -> None:
    tileset = box(X={"terrain": "x", "cells": [[0, 0]], "copies": 99})
    most = MAX_SPACES - 49
    end = max(EDGE)
    row = [["X", end.q + step, end.r, 0] for step in range(most + 1)]
    assert len(Layout(2, base(*row[:most]), tileset).spaces) == MAX_SPACES
    assert f"the board has {MAX_SPACES + 1} spaces" in refusal(base(*row), tileset=tileset).message


# ------------------------------------------------------------------ foreign hands

HOSTILE: list[tuple[object, str, str]] = [
    (None, "E2.2", "tiles"),
    ({}, "E2.2", "tiles"),
    ([], "E2.2", "tiles"),
    ("ABC", "E2.2", "tiles"),
    ([["A", 0, 0, 0]] * 200, "E2.8", "tiles"),
    ([["A", 0, 0, 0], None], "E2.2", "tiles[1]"),
    ([["A", 0, 0]], "E2.2", "tiles[0]"),
    ([["A", 0, 0, 0, 0]], "E2.2", "tiles[0]"),
    (["A000"], "E2.2", "tiles[0]"),
    ([[1, 0, 0, 0]], "E2.2", "tiles[0]"),
    ([["A", "0", 0, 0]], "E2.2", "tiles[0]"),
    ([["A", 0.0, 0, 0]], "E2.2", "tiles[0]"),
    ([["A", 0, True, 0]], "E2.2", "tiles[0]"),
    ([["A", 0, 0, None]], "E2.2", "tiles[0]"),
    ([["A", 0, 0, 6]], "E2.2", "tiles[0]"),
    ([["A", 0, 0, -1]], "E2.2", "tiles[0]"),
    ([["A", 10**40, 0, 0]], "E2.1", "tiles[0]"),
    ([["Z", 0, 0, 0]], "E2.3", "tiles[0]"),
    ([["A\n" * 1000, 0, 0, 0]], "E2.3", "tiles[0]"),
]


@pytest.mark.parametrize(("tiles", "rule", "key"), HOSTILE)
def test_hostile_tiles_are_refused_by_key(tiles: object, rule: str, key: str) -> None:
    error = refusal(tiles)
    assert (error.rule, error.key) == (rule, key)
    assert len(str(error)) < 200


@pytest.mark.parametrize("players", [0, 1, 5, True, 2.0, "2", None])
def test_e1_1_two_to_four_players(players: Any) -> None:
    error = refusal(BASE, players=players)
    assert (error.rule, error.key) == ("E1.1", "players")


def test_every_refusal_of_a_damaged_board_is_a_layout_error() -> None:
    """Shift, turn, drop, double and rename tiles at random: a board or a clear refusal, never a crash."""
    chance = Chance(11)
    letters = "ABCDEFGHIJKLMNOPQRSTUZ"
    for seed in range(20):
        tiles: list[list[Any]] = [list(t) for t in random_layout(2 + seed % 3, VARIANTS, Chance(seed)).tiles]
        for _ in range(25):
            damaged = copy.deepcopy(tiles)
            for _ in range(1 + chance.below(3)):
                tile = chance.choice(damaged)
                change = chance.below(4)
                if change == 0:
                    damaged.remove(tile)
                elif change == 1:
                    damaged.append(list(tile))
                else:
                    tile[chance.below(4)] = chance.choice([chance.choice(letters), chance.below(9) - 2])
            try:
                Layout(2 + seed % 3, damaged)
            except LayoutError as error:
                assert error.rule in {"E2.1", "E2.2", "E2.3", "E2.8"}  # noqa: PT017
