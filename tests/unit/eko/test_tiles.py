"""The box as data: the figures of E2.3 and E9, and custom sets from foreign hands."""

from __future__ import annotations

import copy
import json
from collections import Counter
from typing import Any

import pytest

from ekoes.errors import LayoutError
from ekoes.games.eko.position.layout import large_tiles
from ekoes.games.eko.position.tiles import VARIANTS, TileSet, default_tileset
from ekoes.games.eko.rules.board import Terrain


def content(**changes: Any) -> dict[str, Any]:
    """The box as JSON with some tiles changed, or taken out (None)."""
    value = copy.deepcopy(default_tileset().to_json())
    for name, tile in changes.items():
        if tile is None:
            del value["tiles"][name]
        else:
            value["tiles"][name] = tile
    return value


def test_terrains_are_read_from_their_letters() -> None:
    assert all(Terrain.from_letter(terrain.letter) is terrain for terrain in Terrain)
    assert [terrain for terrain in Terrain if terrain.is_walkable] == [Terrain.SAND, Terrain.TEMPEST]


@pytest.mark.parametrize("temples", [["N"], ["O"], ["N", "O"]])
def test_e2_3_check_sums_hold_with_temples(temples: list[str]) -> None:
    letters = Counter("".join(large_tiles(2, default_tileset(), temples).values()))
    assert (letters["."], letters["C"], letters["S"], letters["M"]) == (
        32,
        1,
        "N" in temples,
        "O" in temples,
    )


def test_e9_the_box_holds_fourteen_tiles_for_the_variants() -> None:
    added = [tile for tile in default_tileset().tiles.values() if tile.variant]
    assert sum(tile.copies for tile in added) == 14
    # The Beacon's tile is a large one in the box; our reconstruction of it has three spaces (E9).
    assert sum(tile.is_large or tile.sign == "beacon" for tile in added) == 3


def test_e9_what_each_variant_adds() -> None:
    box = default_tileset()
    assert {variant: "".join(box.variant_tiles(variant, 4)) for variant in VARIANTS} == {
        "portals": "RR",
        "labyrinth": "PPPQQQ",
        "beacon": "U",
        "moon": "O",
        "sandtemple": "N",
        "pyramids": "SS",
        "wind": "T",
    }
    assert [len(box.variant_tiles("pyramids", players)) for players in (2, 3, 4)] == [1, 2, 2]


def test_json_round_trip_of_the_box() -> None:
    box = default_tileset()
    again = TileSet.from_json(json.loads(json.dumps(box.to_json())))
    assert again == box
    assert again.is_default
    assert again.to_json() == box.to_json()


def test_json_does_not_depend_on_the_order_it_was_written_in() -> None:
    value = content()
    value["tiles"] = dict(reversed(value["tiles"].items()))
    value["groups"] = dict(reversed(value["groups"].items()))
    again = TileSet.from_json(value)
    assert json.dumps(again.to_json()) == json.dumps(default_tileset().to_json())


def test_a_custom_tile_makes_another_set() -> None:
    custom = TileSet.from_json(content(T={"terrain": "W", "cells": [[0, 0]], "copies": 2, "variant": "wind"}))
    assert not custom.is_default
    assert custom.variant_tiles("wind", 2) == ("T", "T")


def test_unknown_and_absent_variants_are_refused() -> None:
    with pytest.raises(LayoutError, match=r"E10.*unknown variant 'volcano'"):
        default_tileset().variant_tiles("volcano", 2)
    with pytest.raises(LayoutError, match=r"E10.*no tile for the variant wind"):
        TileSet.from_json(content(T=None)).variant_tiles("wind", 2)


SMALL = {"terrain": "tt", "cells": [[0, 0], [1, 0]]}

HOSTILE: list[tuple[object, str]] = [
    (None, "tileset"),
    ([], "tileset"),
    ("A", "tileset"),
    ({}, "tileset.groups"),
    ({"groups": {}, "tiles": {}}, "tileset.groups"),
    (content() | {"name": "mine"}, "tileset.name"),
    (content() | {"groups": [2]}, "tileset.groups"),
    (content() | {"groups": {"grey": True, "blue": 3, "red": 4}}, "tileset.groups.grey"),
    (content() | {"groups": {"grey": 5, "blue": 3, "red": 4}}, "tileset.groups.grey"),
    (content() | {"groups": {"grey": 2.0, "blue": 3, "red": 4}}, "tileset.groups.grey"),
    (content() | {"groups": {"grey": 2, "blue": 3}}, "tileset"),
    (content() | {"tiles": 3}, "tileset.tiles"),
    (content(X=3), "tileset.tiles.X"),
    (content(X=SMALL | {"colour": "grey"}), "tileset.tiles.X.colour"),
    (content(X=SMALL | {"terrain": "t?"}), "tileset.tiles.X.terrain"),
    (content(X=SMALL | {"terrain": "tt\n"}), "tileset.tiles.X.terrain"),
    (content(X=SMALL | {"terrain": 11}), "tileset.tiles.X.terrain"),
    (content(X=SMALL | {"terrain": "ttt"}), "tileset.tiles.X"),
    (content(X=SMALL | {"cells": [[0, 0], [0, 0]]}), "tileset.tiles.X"),
    (content(X=SMALL | {"cells": [[0, 0], [1]]}), "tileset.tiles.X.cells.1.1"),
    (content(X=SMALL | {"cells": [[0, 0], [10**30, 0]]}), "tileset.tiles.X.cells.1.0"),
    (content(X=SMALL | {"cells": [[0, 0], [1.5, 0]]}), "tileset.tiles.X.cells.1.0"),
    (content(X=SMALL | {"cells": []}), "tileset.tiles.X.cells"),
    (content(X=SMALL | {"copies": 0}), "tileset.tiles.X.copies"),
    (content(X=SMALL | {"copies": True}), "tileset.tiles.X.copies"),
    (content(X=SMALL | {"variant": "volcano"}), "tileset.tiles.X.variant"),
    (content(X=SMALL | {"dealt": [1, 1]}), "tileset.tiles.X.dealt"),
    (content(X=SMALL | {"dealt": [1, 1, 2]}), "tileset.tiles.X"),
    (content(X=SMALL | {"sign": "pyramid"}), "tileset.tiles.X"),
    (content(X=SMALL | {"sign": "tree"}), "tileset.tiles.X.sign"),
    (content(X=SMALL | {"open": 6}), "tileset.tiles.X.open"),
    (content(X=SMALL | {"group": "green"}), "tileset"),
    (content(X=SMALL | {"group": "grey", "copies": 2}), "tileset.tiles.X"),
    (content(X=SMALL | {"replaces": [["E", "tt"]]}), "tileset.tiles.X"),
    (content(X={"replaces": [["P", "S....c."]]}), "tileset"),
    (content(X={"replaces": [["E", "S....c"]]}), "tileset.tiles.X"),
    (content(X={"replaces": [["E"]]}), "tileset.tiles.X.replaces.0.1"),
    (content(X={"cells": [[0, 0]]}), "tileset.tiles.X"),
    ({"groups": {"grey": 2}, "tiles": {"a tile": SMALL}}, "tileset.tiles.a tile.[key]"),
    ({"groups": {"grey": 2}, "tiles": {f"T{i}": SMALL for i in range(500)}}, "tileset.tiles"),
]


@pytest.mark.parametrize(("value", "key"), HOSTILE, ids=[key for _, key in HOSTILE])
def test_hostile_tile_sets_are_refused_by_key(value: object, key: str) -> None:
    with pytest.raises(LayoutError) as refused:
        TileSet.from_json(value)
    assert refused.value.key == key
    assert refused.value.rule == "E2.3"
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 500


def test_three_cells_of_a_sign_must_touch_each_other() -> None:
    with pytest.raises(LayoutError, match="touch each other"):
        TileSet.from_json(content(X={"terrain": "ttt", "cells": [[-1, 0], [0, 0], [1, 0]], "sign": "beacon"}))
