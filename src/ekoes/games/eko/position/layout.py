"""Placed tiles as a board: all checks of E2.8, and the board record that the kernels read."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ekoes.errors import LayoutError
from ekoes.games.eko.position.action import Names, Space
from ekoes.games.eko.position.tiles import TURNS, TileSet, default_tileset, turned
from ekoes.games.eko.rules.board import Cell, Terrain
from ekoes.games.eko.rules.drawing import Drawn
from ekoes.games.eko.rules.layout import Broken, Entry, List, Report, lay_tiles, laying_work
from ekoes.games.eko.rules.record import (
    FEWEST_PLAYERS,
    MOST_PLAYERS,
    NO_SPACE,
    NOBODY,
    Area,
    make_workspace,
)
from ekoes.games.eko.rules.signs import Sign
from ekoes.games.kernels.bits import members

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ekoes.games.api.contract import Json
    from ekoes.games.eko.position.tiles import Offset


MAX_SPACES = NO_SPACE
"""Spaces are numbered 0 … MAX_SPACES - 1."""

_FURTHEST = 9999
_NAMED_IN_MESSAGES = 8
_LAYOUTS_CACHED = 256


class PlacedTile(NamedTuple):
    """A tile of the box whose origin lies at ``(q, r)``, turned ``rot`` times (E2.2)."""

    tile: str
    q: int
    r: int
    rot: int

    @classmethod
    def from_json(cls, value: object, key: str = "tiles") -> PlacedTile:
        """Read ``[tile, q, r, rot]``. Raises LayoutError naming the key (E2.2)."""
        if not isinstance(value, list | tuple) or len(value) != len(cls._fields):
            raise LayoutError('a placed tile is written ["A", q, r, rot]', rule="E2.2", key=key)
        tile, *numbers = value
        if not isinstance(tile, str):
            raise LayoutError("the name of a tile is a text", rule="E2.2", key=key)
        if any(not isinstance(number, int) or isinstance(number, bool) for number in numbers):
            raise LayoutError("q, r and rot are whole numbers", rule="E2.2", key=key)
        q, r, rot = numbers
        if not 0 <= rot < TURNS:
            raise LayoutError(f"rot is 0 to {TURNS - 1}", rule="E2.2", key=key)
        if max(abs(q), abs(r)) > _FURTHEST:
            raise LayoutError(f"q and r lie between -{_FURTHEST} and {_FURTHEST}", rule="E2.1", key=key)
        return cls(tile, q, r, rot)


class Fault(NamedTuple):
    """A broken check of a layout.

    broken: which one. values: its numbers, see ``Broken``. tiles: the placed tiles concerned, by number.
    spaces: those concerned. message: one line for people. key, rule: as of an error.
    """

    broken: Broken
    values: tuple[int, ...]
    tiles: tuple[int, ...]
    spaces: tuple[Space, ...]
    message: str
    key: str
    rule: str

    @property
    def error(self) -> LayoutError:
        """The refusal of a layout with this fault."""
        return LayoutError(self.message, rule=self.rule, key=self.key)


MESSAGES = {
    Broken.NO_STAND_IN: "no tile is left that tile {tile} could stand in for",
    Broken.STAND_IN: "tile {tile} stands in for tile {other}, which is not in play",
    Broken.OVERLAP: "two cells overlap on {spaces}: of tile {tile} at {at[0]} and of tile {other} at {at[1]}",
    Broken.SIZE: "the board has {values[0]} spaces; at most {values[1]} are supported",
    Broken.APART: "the tiles are not one connected group: {spaces} lie apart",
    Broken.OUT_OF_PLAY: (
        "tile {tile} at {places} is not in play (its group needs more than {values[1]} players)"
    ),
    Broken.REPLACED: "tile {tile} at {places} is not in play (tile {other} stands in for it)",
    Broken.COPIES: "tile {tile} lies {values[1]} times, at {places}; the box holds {values[2]}",
    Broken.MISSING: "{values[0]} players need each of their large tiles once; missing: {missing}",
    Broken.SAND: "{values[0]} players need {values[1]} sand spaces; there are {values[2]}",
    Broken.CAPITAL: "there is no capital",
    Broken.PORTAL_COUNT: "portals number 0 or 2, not {values[0]}",
    Broken.PORTAL: (
        "the open side of the portal on {values[1]},{values[2]} faces {spaces}, {front};"
        " it must face a sand or tempest space"
    ),
    Broken.UNREACHABLE: "the sand and tempest spaces are not one connected group: {spaces} lie apart",
    Broken.ZONES: "the board has {values[0]} tempest zones; at most {values[1]} are supported",
}


class _Laid:
    """Tiles as the kernel lays them out. used: tiles that are in play without being placed."""

    def __init__(
        self, players: int, tileset: TileSet, placed: Sequence[PlacedTile], used: Iterable[str] = ()
    ) -> None:
        self.tileset, self.placed = tileset, placed
        self.record, near, cells, self.lists, self.report = laying_work()
        for name in used:
            self.lists[List.USED, tileset.numbers[name]] += 1
        tiles = [[tileset.numbers[tile], q, r, rot] for tile, q, r, rot in placed]
        rows = np.array(tiles, np.int64).reshape(-1, len(Drawn))
        count = lay_tiles(players, *tileset.rows, rows, self.record, near, cells, self.lists, self.report)
        self.near, self.cells = near[:count].tolist(), cells[:count].tolist()

    def faults(self) -> Iterator[Fault]:
        """Yield what is broken, in the order of the checks."""
        numbers = self.report[: self.report[Report.END]].tolist()
        at = int(Report.FIRST)
        while at < len(numbers):
            broken, *counts = numbers[at : at + len(Entry)]
            at += len(Entry)
            parts = list[tuple[int, ...]]()
            for count in counts:
                parts.append(tuple(numbers[at : at + count]))
                at += count
            values, tiles, spaces = parts
            yield self._fault(Broken(broken), values, tiles, tuple(map(Space, spaces[::2], spaces[1::2])))

    def _fault(
        self, broken: Broken, values: tuple[int, ...], tiles: tuple[int, ...], spaces: tuple[Space, ...]
    ) -> Fault:
        names = dict(enumerate(self.tileset.numbers))
        tile, other = (names.get(value) for value in (*values, NOBODY, NOBODY)[:2])
        at = [Space(self.placed[tile].q, self.placed[tile].r) for tile in tiles]
        front = values[-1] if broken == Broken.PORTAL else NOBODY
        message = MESSAGES[broken].format(
            values=values,
            tile=tile,
            other=other,
            missing=", ".join(names[tile] for tile in values[1:]) if broken == Broken.MISSING else "",
            at=at,
            places=_listed(at),
            spaces=_listed(spaces),
            front="the outside" if front == NOBODY else f"a {Terrain(front).word}",
        )
        key = f"tiles[{tiles[1]}]" if broken == Broken.OVERLAP else "tiles"
        rule = "E10.2" if broken == Broken.ZONES else "E2.8"
        return Fault(broken, values, tiles, spaces, message, key, rule)


def large_tiles(players: int, tileset: TileSet, used: Iterable[str] = ()) -> dict[str, str]:
    """Return the large tiles that a layout needs, each exactly once, ascending, with their letters.

    used: the tiles of its variants. Raises: LayoutError if one can't stand in for a tile in play. Rule: E2.8.
    """
    laid = _Laid(players, tileset, (), used)
    for fault in laid.faults():
        raise fault.error
    _, _, choices = tileset.rows
    found = {}
    for name, number in tileset.numbers.items():
        if laid.lists[List.NEEDED, number]:
            tile = tileset.tiles[name]
            row = choices[laid.lists[List.STANDING, number], 1 : 1 + len(tile.cells)] if tile.replaces else ()
            found[name] = tile.terrain or "".join(Terrain(terrain).letter for terrain in row)
    return found


class _Scratch(threading.local):
    """Scratch memory of one thread, WORK[1]; one for each board would take megabytes."""

    def __init__(self) -> None:
        self.work: np.ndarray[Any, Any] = make_workspace()


THREAD = _Scratch()
"""The scratch memory of the calling thread."""


class Layout:
    """A playable board; immutable.

    players: 2 to 4. tiles: PlacedTile or ``[tile, q, r, rot]``; their order is preserved.
    tileset: the box, by default the project's own.
    Raises: LayoutError naming the rule and the spaces concerned (E2.8).

    names: the names of the spaces in notation (E2.1).
    spaces: in the order of E2.6; all attributes below use their positions in it as numbers.
    terrain: of each space. tile_of: for each space its tile, as an index into ``tiles``.
    index: the number of each Space. neighbours: of each space, in the order of the directions.
    portals: (portal, direction of its open side, the space in front of it), none or two.
    portal_link: the spaces in front of the two portals (possibly the same space), or None.
    steps: for each sand or tempest space, the spaces in reach of one step, also by portal (E2.7, E10.1).
    zones: the connected groups of tempest spaces (E10.2), each ascending, ordered by their first.
    signs: by kind the three spaces around each, ascending, ordered by their first (E10.3, E10.6).
    coordinates: of each space, as text. record: the board for the kernels, BOARD[1].
    json: the part of the JSON of positions about the board; shared, not to be changed.
    """

    players: int
    tileset: TileSet
    tiles: tuple[PlacedTile, ...]
    spaces: tuple[Space, ...]
    names: Names
    index: dict[Space, int]
    terrain: tuple[Terrain, ...]
    tile_of: tuple[int, ...]
    neighbours: tuple[tuple[int, ...], ...]
    portals: tuple[tuple[int, int, int], ...]
    portal_link: tuple[int, int] | None
    steps: tuple[tuple[int, ...], ...]
    zones: tuple[tuple[int, ...], ...]
    signs: dict[Sign, list[tuple[int, ...]]]
    coordinates: tuple[str, ...]
    record: np.ndarray[Any, Any]
    json: Json

    def __init__(self, players: int, tiles: Sequence[object], tileset: TileSet | None = None) -> None:
        check_players(players)
        self.players = players
        self.tileset = tileset or default_tileset()
        self.tiles = _read_tiles(tiles, self.tileset)
        laid = _Laid(players, self.tileset, self.tiles)
        for fault in laid.faults():
            raise fault.error
        self._take(laid)
        self.coordinates = tuple(map(str, self.spaces))
        box = {} if self.tileset.is_default else {"tileset": self.tileset.to_json()}
        self.json = {**box, "players": players, "tiles": [list(tile) for tile in self.tiles]}

    @staticmethod
    def faults(players: int, tiles: Sequence[object], tileset: TileSet | None = None) -> list[Fault]:
        """Return every broken check of E2.8; none: the layout is playable.

        Raises: LayoutError if the tiles can't be read, or are not those of the tile set.
        """
        check_players(players)
        box = tileset or default_tileset()
        return list(_Laid(players, box, _read_tiles(tiles, box)).faults())

    def _take(self, laid: _Laid) -> None:
        cells = laid.cells
        self.record = laid.record
        self.spaces = tuple(Space(cell[Cell.Q], cell[Cell.R]) for cell in cells)
        self.names = Names.of(self.spaces)
        self.index = {space: place for place, space in enumerate(self.spaces)}
        self.terrain = tuple(Terrain(cell[Cell.TERRAIN]) for cell in cells)
        self.tile_of = tuple(cell[Cell.TILE] for cell in cells)
        self.neighbours = tuple(tuple([one for one in row if one != NOBODY]) for row in laid.near)
        self.portals = tuple(
            (portal, cell[Cell.OPEN], laid.near[portal][cell[Cell.OPEN]])
            for portal, cell in enumerate(cells)
            if cell[Cell.TERRAIN] == Terrain.PORTAL
        )
        self.portal_link = (self.portals[0][2], self.portals[1][2]) if self.portals else None
        sets, steps, zones, signs = (
            self.record[name][0].tolist() for name in ("sets", "step", "zone", "signs")
        )
        self.steps = tuple(map(_members, steps[: len(cells)]))
        self.zones = tuple(_members(zones[head]) for head in members(sets[Area.ZONE_HEADS]))
        self.signs = {sign: [] for sign in Sign if sign is not Sign.NONE}
        for sign, spaces in zip(self.record["sign"][0], signs[: self.record["n_signs"][0]], strict=False):
            self.signs[Sign(sign)].append(_members(spaces))

    def to_json(self) -> list[list[str | int]]:
        """Return the placed tiles as JSON, in their given order; callers share it and must not change it."""
        tiles: list[list[str | int]] = self.json["tiles"]
        return tiles

    def images(self) -> list[list[Offset]]:
        """Return the spaces of the board, its rotations and reflections; the lowest q and r are 0."""
        found = []
        for mirrored in (False, True):
            for rot in range(TURNS):
                image = [turned((r, q) if mirrored else (q, r), rot) for q, r in self.spaces]
                left, top = min(q for q, _ in image), min(r for _, r in image)
                found.append([(q - left, r - top) for q, r in image])
        return found

    def __reduce__(self) -> tuple[Callable[..., Layout], tuple[object, ...]]:
        """Pickle as players, tiles and tile set; unpickling uses the cache of layouts."""
        box = None if self.tileset.is_default else json.dumps(self.tileset.to_json(), sort_keys=True)
        return known_layout, (self.players, tuple(map(tuple, self.tiles)), box)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Layout):
            return NotImplemented
        return (self.players, self.tiles, self.tileset) == (other.players, other.tiles, other.tileset)

    def __hash__(self) -> int:
        return hash((self.players, self.tiles))

    def __repr__(self) -> str:
        box = "" if self.tileset.is_default else ", tileset=…"
        return f"Layout({self.players}, {self.to_json()}{box})"


@lru_cache(_LAYOUTS_CACHED)
def known_layout(players: int, tiles: tuple[object, ...], box: str | None) -> Layout:
    """Return a layout from the cache. box: the tile set as JSON; None: the project's own."""
    return Layout(players, tiles, None if box is None else TileSet.from_json(json.loads(box)))


def standard_centres(players: int) -> tuple[Space, ...]:
    """Return the centres of the large tiles on the standard board (7, 10 or 13). Rule: E2.4."""
    ring = [turned((2, 1), rot) for rot in range(TURNS)]
    pairs = [(0, 1), (2, 3), (4, 5), (1, 2), (3, 4), (5, 0)][: 3 * (players - FEWEST_PLAYERS)]
    outer = [(ring[i][0] + ring[j][0], ring[i][1] + ring[j][1]) for i, j in pairs]
    return tuple(Space(q, r) for q, r in ((0, 0), *ring, *outer))


def _read_tiles(tiles: Sequence[object], tileset: TileSet) -> tuple[PlacedTile, ...]:
    if not isinstance(tiles, list | tuple) or not tiles:
        raise LayoutError("tiles is a list of placed tiles", rule="E2.2", key="tiles")
    if len(tiles) > MAX_SPACES:
        raise LayoutError(f"more than {MAX_SPACES} tiles", rule="E2.8", key="tiles")
    placed = tuple(PlacedTile.from_json(tile, f"tiles[{place}]") for place, tile in enumerate(tiles))
    for place, (name, *_) in enumerate(placed):
        if name not in tileset.tiles:
            shown = json.dumps(name[:20])
            raise LayoutError(f"the tile set has no tile {shown}", rule="E2.3", key=f"tiles[{place}]")
    return placed


def _members(words: Sequence[int]) -> tuple[int, ...]:
    return tuple(members(words))


def check_players(players: int) -> None:
    """Check the number of players. Raises LayoutError (E1.1)."""
    if type(players) is not int or not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
        raise LayoutError(f"there are {FEWEST_PLAYERS} to {MOST_PLAYERS} players", rule="E1.1", key="players")


def _listed(spaces: Iterable[Space]) -> str:
    """Format spaces for a message by coordinates, as tiles are placed; a long list is truncated."""
    names = [str(space) for space in spaces]
    more = len(names) - _NAMED_IN_MESSAGES
    return " ".join(names[:_NAMED_IN_MESSAGES]) + (f" and {more} more" if more > 0 else "")
