"""Placed tiles as a board: geometry, what a layout tells, and every check of E2.8."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

from ekoes.errors import LayoutError
from ekoes.games.api.chance import Chance
from ekoes.games.eko.position.action import Space
from ekoes.games.eko.position.layout import MAX_SPACES, Layout, PlacedTile
from ekoes.games.eko.position.setup import random_layout
from ekoes.games.eko.position.tiles import VARIANTS, TileSet, default_tileset, distance, turned
from ekoes.games.eko.rules.board import DIRECTIONS, Terrain
from ekoes.games.eko.rules.layout import Broken
from ekoes.games.eko.rules.signs import Sign
from tests.rules.eko.board import standard_layout

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


def test_e10_1_an_open_side_of_a_custom_portal() -> None:
    tileset = box(R={"terrain": "P", "cells": [[0, 0]], "copies": 2, "open": 2, "variant": "portals"})
    ours, theirs = (random_layout(2, {"portals"}, Chance(3), box) for box in (None, tileset))
    assert ours.portals == theirs.portals
    assert [tile.rot for tile in theirs.tiles[-2:]] == [(tile.rot - 2) % 6 for tile in ours.tiles[-2:]]


@pytest.mark.parametrize("variants", [(), VARIANTS])
def test_turning_the_whole_board_turns_everything_on_it(variants: tuple[str, ...]) -> None:
    layout = random_layout(3, variants, Chance(6))
    turned_tiles = [(t.tile, *turned((t.q, t.r), 1), (t.rot + 1) % 6) for t in layout.tiles]
    other = Layout(3, turned_tiles)
    new = {place: other.index[Space(*turned(space, 1))] for place, space in enumerate(layout.spaces)}

    def moved(groups: Iterable[tuple[int, ...]]) -> set[frozenset[int]]:
        return {frozenset(new[place] for place in group) for group in groups}

    assert all(layout.terrain[place] is other.terrain[new[place]] for place in new)
    assert all({new[n] for n in layout.neighbours[p]} == set(other.neighbours[new[p]]) for p in new)
    assert moved(layout.zones) == set(map(frozenset, other.zones))
    assert moved(layout.signs[Sign.PYRAMID]) == set(map(frozenset, other.signs[Sign.PYRAMID]))
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


E, B = BASE[4][1:], BASE[1][1:]
ONE: dict[str, Any] = {"cells": [[0, 0]]}
X = ["X", 5, -1, 0]
FAULTS: list[tuple[Broken, list[list[Any]], TileSet | None, list[int], str]] = [
    (Broken.OVERLAP, base(["T", 1, 0, 0]), None, [0, 7],
     "overlap on 1,0: of tile A at 0,0 and of tile T at 1,0"),
    (Broken.APART, base(["T", 9, 9, 0]), None, [7], "not one connected group: 9,9"),
    (Broken.MISSING, base(without="G"), None, [], "missing: G"),
    (Broken.COPIES, base(["B", *BASE[6][1:]], without="G"), None, [1, 6], "tile B lies 2 times, at 2,1 -1,3"),
    (Broken.COPIES, base(["T", *EDGE[0], 0], ["T", *EDGE[5], 0]), None, [7, 8],
     f"tile T lies 2 times, at {EDGE[0]} {EDGE[5]}; the box holds 1"),
    (Broken.OUT_OF_PLAY, base(["H", 5, -1, 0]), None, [7],
     "tile H at 5,-1 is not in play (its group needs more than 2 players)"),
    (Broken.REPLACED, base(["N", 5, -1, 0]), None, [4],
     "tile E at -2,-1 is not in play (tile N stands in for it)"),
    (Broken.REPLACED, base(["N", *B], without="B"), None, [3],
     "tile E at -2,-1 is not in play (tile N stands in for it)"),
    (Broken.REPLACED, base(["N", *E], ["O", 5, -1, 0], without="E"), None, [1], "tile N stands in for it"),
    (Broken.NO_STAND_IN, base(["X", *E], ["O", 5, -1, 0], without="E"),
     box(X={"replaces": [["E", "W....c."]]}), [6, 7],
     "no tile is left that tile X could stand in for"),
    (Broken.STAND_IN, base(X), box(X={"replaces": [["K", ".C...W."]]}), [7],
     "tile X stands in for tile K, which is not in play"),
    (Broken.SAND, base(["X", *EDGE[0], 0]), box(X=ONE | {"terrain": "."}), [],
     "need 32 sand spaces; there are 33"),
    (Broken.CAPITAL, BASE, box(A={"terrain": "c..x..r", "group": "grey"}), [], "there is no capital"),
    (Broken.PORTAL_COUNT, base(["R", *EDGE[0], 5]), None, [], "portals number 0 or 2, not 1"),
    (Broken.PORTAL_COUNT, base(*(["R", *EDGE[place], 5] for place in (0, 3, 6))),
     box(R=ONE | {"terrain": "P", "copies": 3, "variant": "portals"}), [], "portals number 0 or 2, not 3"),
    (Broken.PORTAL, base(["R", 4, 0, 0], ["R", 4, -1, 4]), None, [7],
     "the open side of the portal on 4,0 faces"),
    (Broken.UNREACHABLE, base(["P", 4, 1, 0]), None, [7],
     "are not one connected group: 4,1 5,1 4,2 lie apart"),
    (Broken.SIZE, base(*(["X", 4 + step, 0, 0] for step in range(MAX_SPACES - 48))),
     box(X=ONE | {"terrain": "x", "copies": 99}), [], f"the board has {MAX_SPACES + 1} spaces"),
    (Broken.ZONES, base(*(["X", 6 + 2 * step, 0, 0] for step in range(25))),
     box(X=ONE | {"terrain": "t", "copies": 99}), [], "the board has 25 tempest zones; at most 24"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "tiles", "tileset", "marked", "message"), FAULTS)
def test_e2_8_each_broken_check_names_its_tiles_and_the_first_one_refuses_the_layout(
    code: Broken, tiles: list[list[Any]], tileset: TileSet | None, marked: list[int], message: str
) -> None:
    first, *others = Layout.faults(2, tiles, tileset)
    fault = next(fault for fault in (first, *others) if fault.broken == code)
    assert message in fault.message
    assert list(fault.tiles) == marked
    assert fault.rule == ("E10.2" if code == Broken.ZONES else "E2.8")
    error = refusal(tiles, tileset=tileset)
    key = "tiles[7]" if code == Broken.OVERLAP else "tiles"
    assert (error.message, error.rule, error.key) == (first.message, first.rule, key)


def test_e2_8_what_is_just_allowed() -> None:
    assert Layout(2, base(["N", *E], without="E")).terrain.count(Terrain.SANDTEMPLE) == 1
    assert Layout(2, base(["N", *B], ["O", *E], without="BE"))
    assert Layout(2, base(["T", *EDGE[0], 0]))
    row = [["X", 4 + step, 0, 0] for step in range(MAX_SPACES - 49)]
    tileset = box(X=ONE | {"terrain": "x", "copies": 99})
    assert len(Layout(2, base(*row), tileset).spaces) == MAX_SPACES


def test_e2_8_large_tiles_of_all_groups_in_play_are_needed() -> None:
    assert "missing" in refusal(BASE, players=3).message


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
