"""E2: coordinates, tiles, layouts."""

from __future__ import annotations

from typing import Any

import pytest

from ekoes.errors import LayoutError, NotationError
from ekoes.games.api.registry import game
from ekoes.games.eko.position.action import Space
from ekoes.games.eko.position.layout import Layout, standard_centres
from ekoes.games.eko.position.tiles import default_tileset
from tests.reference.board import groups_of
from tests.reference.tiles import LARGE
from tests.rules.eko.board import (
    HEXAGON,
    STAR,
    TRIANGLE,
    WONDERS,
    allowed,
    build,
    draw,
    drawn,
    move,
    of_type,
    read,
    refused,
)

RING = [(2, 1), (3, -2), (1, -3), (-2, -1), (-3, 2), (-1, 3)]
OUTER = {3: [(5, -1), (-1, -4), (-4, 5)], 4: [(5, -1), (-1, -4), (-4, 5), (4, -5), (-5, 1), (1, 4)]}


def terrain(layout: Layout, q: int, r: int) -> str:
    return layout.terrain[layout.index[Space(q, r)]].letter


def neighbours(layout: Layout, q: int, r: int) -> set[Space]:
    return {layout.spaces[near] for near in layout.neighbours[layout.index[Space(q, r)]]}


def changed(tiles: list[list[Any]], tile: str, *place: Any) -> list[list[Any]]:
    """The layout with the first tile of a name put elsewhere, or taken away."""
    at = [name for name, *_ in tiles].index(tile)
    return [*tiles[:at], *([list(place)] if place else []), *tiles[at + 1 :]]


def refused_layout(players: int, tiles: list[list[Any]]) -> str:
    with pytest.raises(LayoutError) as error:
        Layout(players, tiles)
    assert error.value.rule == "E2.8"
    return str(error.value)


def test_e2_1_a_space_is_written_q_r() -> None:
    assert str(Space(-2, 1)) == "-2,1"
    assert Space.parse("-2,1") == Space(-2, 1)
    for text in ("-2;1", "-2, 1", "02,1", "-0,1", "", None):
        with pytest.raises(NotationError) as error:
            Space.parse(text)
        assert error.value.rule == "E2.1"


def test_e2_1_six_directions_in_their_order() -> None:
    layout = Layout(2, HEXAGON)
    around = layout.neighbours[layout.index[Space(0, 0)]]
    assert [tuple(layout.spaces[near]) for near in around] == [
        (1, 0),
        (1, -1),
        (0, -1),
        (-1, 0),
        (-1, 1),
        (0, 1),
    ]


def test_e2_2_a_turn_is_60_degrees_counter_clockwise() -> None:
    places = [(3, 1), (3, 0), (2, 0), (1, 1), (1, 2), (2, 2)]
    for rot in range(6):
        layout = Layout(2, changed(HEXAGON, "B", "B", 2, 1, rot))
        letters = "".join(terrain(layout, *place) for place in places)
        assert letters == "r..c.."[-rot:] + "r..c.."[:-rot] if rot else "r..c.."


def test_e2_3_large_tiles() -> None:
    box = default_tileset()
    assert {name: box.tiles[name].terrain for name in LARGE} == LARGE


@pytest.mark.parametrize(("players", "tiles"), [(2, HEXAGON), (3, TRIANGLE), (4, STAR)])
def test_e2_3_check_sums(players: int, tiles: list[list[Any]]) -> None:
    words = [terrain.word for terrain in Layout(players, tiles).terrain]
    assert words.count("sand") == 16 * players
    assert words.count("capital") == players - 1


@pytest.mark.parametrize("players", [2, 3, 4])
def test_e2_4_centres_of_the_standard_layout(players: int) -> None:
    assert list(standard_centres(players)) == [(0, 0), *RING, *OUTER.get(players, [])]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_e2_5_standard_boards_are_shuffled_turned_and_connected(players: int) -> None:
    """Ruling: connected is one group over the whole board."""
    boards = set()
    for seed in range(12):
        layout = game("eko").new({"players": players}, seed).layout  # type: ignore[attr-defined]
        assert {(q, r) for _, q, r, _ in layout.tiles} == set(map(tuple, standard_centres(players)))
        sand = [
            str(space) for space, t in zip(layout.spaces, layout.terrain, strict=True) if t.word == "sand"
        ]
        near = {str(s): [str(n) for n in neighbours(layout, *s)] for s in layout.spaces}
        assert len(groups_of(sand, near.__getitem__)) == 1
        boards.add(tuple(sorted(layout.tiles)))
    assert len(boards) == 12
    assert {rot for board in boards for *_, rot in board} == set(range(6))


def test_e2_6_spaces_are_numbered_by_row_then_column() -> None:
    layout = Layout(2, WONDERS)
    assert list(layout.spaces) == sorted(layout.spaces, key=lambda space: (space.r, space.q))
    assert [str(space) for space in layout.spaces[:4]] == ["1,-4", "2,-4", "5,-4", "6,-4"]
    assert str(layout.spaces[-1]) == "-4,5"


def test_e2_7_adjacent_spaces_differ_by_one_direction() -> None:
    layout = Layout(2, HEXAGON)
    for space in layout.spaces:
        steps = {(near.q - space.q, near.r - space.r) for near in neighbours(layout, *space)}
        assert steps <= {(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)}
    assert neighbours(layout, -4, 2) == {Space(-3, 2), Space(-3, 1), Space(-4, 3)}


def test_e2_7_portals_join_for_movement_alone() -> None:
    """The portals open on -2,-2 and 3,0; next to 3,0 is the Temple of the Sand on 3,1."""
    position = draw("1E@-2,-2 1@3,0", "1E@0,2 4@-1,-2 4@-3,-1", tiles=WONDERS)
    allowed(position, move("-2,-2", "3,0"))
    assert build("3,0", "3,1", "camp") in of_type(position, "build")
    refused(position, build("-2,-2", "3,1", "camp"), "E6.1", "not-adjacent")


def test_e2_8_movement_spaces_are_connected() -> None:
    """A tempest that touches nothing but construction spaces is cut off."""
    Layout(2, [*HEXAGON, ["P", 1, 3, 0]])
    message = refused_layout(2, [*HEXAGON, ["P", 4, 1, 0]])
    assert "the sand and tempest spaces are not one connected group: 4,1 5,1 4,2 lie apart" in message


def test_e2_8_portal_links_connect() -> None:
    """Three tempests in the far east, reached through the portals alone."""
    island = [*HEXAGON, ["T", 4, 1, 0], ["P", 5, 1, 0]]
    refused_layout(2, island)
    Layout(2, [*island, ["R", 7, 1, 3], ["R", -2, -3, 5]])


def test_e2_8_both_portals_may_open_on_one_space() -> None:
    """Ruling: they then lead from it to itself."""
    tiles = [*HEXAGON, ["R", 4, 0, 3], ["R", 4, -1, 4]]
    layout = Layout(2, tiles)
    assert layout.portal_link == (layout.index[Space(3, 0)],) * 2
    players = ("1E@3,0 2@2,0 2@3,-1 1@-4,2", "1E@0,2")
    assert of_type(draw(*players, tiles=tiles), "move") == of_type(draw(*players), "move")


def test_e2_8_a_custom_tile_set_changes_the_figures() -> None:
    """Tile E with a canyon in the place of its reg: other terrain, and the box travels with the position."""
    box = default_tileset().to_json()
    box["tiles"]["E"]["terrain"] = "c....c."
    value = drawn("2E@-2,0 camp@-2,-1", "1E@0,2")
    refused(read(value), build("-2,0", "-2,-1", "tower"), "E6.2", "terrain-too-weak")
    custom = {"game": "eko", "version": 1, "tileset": box, **value}
    after = allowed(read(custom), build("-2,0", "-2,-1", "tower", emperor=True))
    assert list(after.to_json())[:4] == ["game", "version", "tileset", "players"]
    assert read(after.to_json()) == after


def test_e2_8_the_project_s_own_box_need_not_be_carried() -> None:
    value = drawn("2E@-2,0", "1E@0,2")
    carried = {**value, "tileset": default_tileset().to_json()}
    assert read(carried).to_json() == read(value).to_json()
    assert "tileset" not in read(carried).to_json()
