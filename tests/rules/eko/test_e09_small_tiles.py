"""E9: the small tiles, and the large ones of the variants."""

from __future__ import annotations

import pytest

from ekoes.errors import LayoutError
from ekoes.games.api.registry import game
from ekoes.games.eko.position.action import Space
from ekoes.games.eko.position.layout import Layout
from ekoes.games.eko.position.tiles import default_tileset
from tests.reference.tiles import COPIES, SMALL, SMALL_LETTER
from tests.rules.eko.board import HEXAGON, WONDERS


def letters(tiles: list[list[object]], tile: str) -> dict[Space, str]:
    """Space -> letter of the cells that a tile covers."""
    layout = Layout(2, tiles)
    at = [name for name, *_ in tiles].index(tile)
    return {
        s: t.letter
        for s, t, own in zip(layout.spaces, layout.terrain, layout.tile_of, strict=True)
        if own == at
    }


def test_e9_cells_and_copies_of_the_small_tiles() -> None:
    tiles = default_tileset().tiles
    assert {name: list(tiles[name].cells) for name in SMALL} == SMALL
    assert {name: tiles[name].copies for name in COPIES} == COPIES
    assert {name: set(tiles[name].terrain or "") for name in SMALL} == {
        n: {t} for n, t in SMALL_LETTER.items()
    }
    assert {name for name in tiles if tiles[name].sign == "pyramid"} == {"S"}
    assert {name for name in tiles if tiles[name].sign == "beacon"} == {"U"}


def test_e9_a_portal_opens_in_direction_0() -> None:
    """Unturned it opens to the east; -4,-1 lies west of the sand space -3,-1."""
    layout = Layout(2, [*HEXAGON, ["R", -4, -1, 0], ["R", 4, 0, 3]])
    fronts = {(str(layout.spaces[p]), direction, str(layout.spaces[f])) for p, direction, f in layout.portals}
    assert fronts == {("-4,-1", 0, "-3,-1"), ("4,0", 3, "3,0")}


def test_e9_one_temple_takes_the_place_of_e() -> None:
    for tile, letter in (("N", "S"), ("O", "M")):
        tiles = [[tile, *place] if name == "E" else [name, *place] for name, *place in HEXAGON]
        cells = letters(tiles, tile)
        assert cells[Space(-2, -1)] == letter
        assert "".join(sorted(cells.values())) == "".join(sorted(f"{letter}.....c"))
        assert cells[Space(-3, 0)] == "c"


def test_e9_both_temples_the_sand_takes_the_place_of_b() -> None:
    """Ruling."""
    moon, sand = letters(WONDERS, "O"), letters(WONDERS, "N")
    assert moon[Space(-2, -1)] == "M"
    assert {space: letter for space, letter in sand.items() if letter != "."} == {
        Space(3, 1): "S",
        Space(1, 1): "c",
    }
    swapped = [[{"O": "N", "N": "O"}.get(name, name), *place] for name, *place in WONDERS]
    cells = letters(swapped, "O")
    assert cells[Space(2, 1)] == "M"
    with pytest.raises(LayoutError):
        Layout(2, [*WONDERS, ["E", 6, 0, 0]])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_e9_the_labyrinth_uses_all_its_tiles(players: int) -> None:
    """Ruling; and two players are dealt one pyramid, more players two."""
    position = game("eko").new({"players": players, "variants": ["labyrinth", "pyramids"]}, 4)
    names = [tile for tile, *_ in position.to_json()["tiles"]]
    assert (names.count("P"), names.count("Q")) == (3, 3)
    assert names.count("S") == (1 if players == 2 else 2)
