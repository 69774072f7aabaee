"""Placed tiles as a board: all checks of E2.8, and the board record that the kernels read."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ekoes.errors import LayoutError
from ekoes.games.eko.position.action import Names, Space
from ekoes.games.eko.position.tiles import (
    TURNS,
    TileSet,
    connected_groups,
    default_tileset,
    turned,
)
from ekoes.games.eko.rules.board import DIRECTIONS, Cell, Terrain, lay_out
from ekoes.games.eko.rules.record import (
    BOARD,
    DISCS,
    FEWEST_PLAYERS,
    MAX_ZONES,
    MOST_PLAYERS,
    NO_SPACE,
    NOBODY,
    Area,
    make_workspace,
)
from ekoes.games.eko.rules.signs import Sign
from ekoes.games.kernels.bits import members

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ekoes.games.api.contract import Json
    from ekoes.games.eko.position.tiles import Offset


MAX_SPACES = NO_SPACE
"""Spaces are numbered 0 … MAX_SPACES - 1."""

_FURTHEST = 9999
_PORTALS = 2
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

    code: a stable word, such as ``overlap``. message: one line for people. tiles: the placed tiles concerned,
    by number. spaces: those concerned. values: the parts of the message, by name. key, rule: as of an error.
    """

    code: str
    message: str
    tiles: tuple[int, ...] = ()
    spaces: tuple[Space, ...] = ()
    values: Mapping[str, str | int] = MappingProxyType({})
    key: str | None = "tiles"
    rule: str | None = "E2.8"

    @property
    def error(self) -> LayoutError:
        """The refusal of a layout with this fault."""
        return LayoutError(self.message, rule=self.rule, key=self.key)


def refuse_first(faults: Iterable[Fault]) -> None:
    """Raise the LayoutError of the first fault, if there is one."""
    for fault in faults:
        raise fault.error


class _Scratch(threading.local):
    """Scratch memory of one thread; one for each board would take megabytes."""

    def __init__(self) -> None:
        self.work: np.ndarray[Any, Any] = make_workspace()


_SCRATCH = _Scratch()


class Layout:
    """A playable board; immutable.

    players: 2 to 4. tiles: PlacedTile or ``[tile, q, r, rot]``; their order is preserved.
    tileset: the box, by default the project's own.
    Raises: LayoutError naming the rule and the spaces concerned (E2.8).

    names: the names of the spaces in notation (E2.1).
    spaces: in the order of E2.6; all attributes below use their positions in it as numbers.
    stand_ins: for each temple tile the tile it replaces and its terrain.
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
    stand_ins: dict[str, tuple[str, str]]
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
        self._take(players, tiles, tileset)
        refuse_first(self._assemble())
        self.coordinates = tuple(map(str, self.spaces))
        box = {} if self.tileset.is_default else {"tileset": self.tileset.to_json()}
        self.json = {**box, "players": players, "tiles": [list(tile) for tile in self.tiles]}

    @classmethod
    def faults(cls, players: int, tiles: Sequence[object], tileset: TileSet | None = None) -> list[Fault]:
        """Return every broken check of E2.8; none: the layout is playable.

        Raises: LayoutError if the tiles can't be read, or are not those of the tile set.
        """
        layout = cls.__new__(cls)
        layout._take(players, tiles, tileset)  # noqa: SLF001 - an instance of this class
        return list(layout._assemble())  # noqa: SLF001

    def _take(self, players: int, tiles: Sequence[object], tileset: TileSet | None) -> None:
        check_players(players)
        self.players = players
        self.tileset = tileset or default_tileset()
        self.tiles = _read_tiles(tiles, self.tileset)

    def _assemble(self) -> Iterator[Fault]:
        """Lay the tiles out and yield every broken check of E2.8, in the order of the checks."""
        unplaced = list(_stand_in_faults(self))
        yield from unplaced
        yield from self._lay_out()
        too_large = list(size_faults(len(self.spaces)))
        yield from too_large
        yield from _parted(self, "apart", range(len(self.spaces)), self.neighbours, "tiles")
        if not unplaced:
            yield from _tile_faults(self)
        yield from count_faults(self.players, Counter(self.terrain))
        yield from self._link_portals()
        if too_large:
            return
        sets, steps, zones, signs = (
            self.record[name][0].tolist() for name in ("sets", "step", "zone", "signs")
        )
        self.steps = tuple(map(_members, steps[: len(self.spaces)]))
        self.zones = tuple(_members(zones[head]) for head in members(sets[Area.ZONE_HEADS]))
        self.signs = {sign: [] for sign in Sign if sign is not Sign.NONE}
        for sign, spaces in zip(self.record["sign"][0], signs[: self.record["n_signs"][0]], strict=False):
            self.signs[Sign(sign)].append(_members(spaces))
        walkable = [space for space, terrain in enumerate(self.terrain) if terrain.is_walkable]
        yield from _parted(self, "ways", walkable, self.steps, "sand and tempest spaces")
        if len(self.zones) > MAX_ZONES:
            message = f"the board has {len(self.zones)} tempest zones; at most {MAX_ZONES} are supported"
            yield Fault("zones", message, values={"count": len(self.zones), "most": MAX_ZONES}, rule="E10.2")

    @property
    def work(self) -> np.ndarray[Any, Any]:
        """Scratch memory of the calling thread, WORK[1], shared by all layouts."""
        return _SCRATCH.work

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

    def _lay_out(self) -> Iterator[Fault]:
        """Assign every cell to its space; of two that overlap the first one counts."""
        cells: dict[Space, tuple[Terrain, int]] = {}
        overlaps: set[tuple[int, int]] = set()
        for place, placed in enumerate(self.tiles):
            turn = self.tileset.tiles[placed.tile].turns[placed.rot]
            letters = self.tileset.letters(placed.tile, self.stand_ins)
            for (q, r), letter in zip(turn, letters, strict=True):
                space = Space(placed.q + q, placed.r + r)
                pair = (cells[space][1], place) if space in cells else None
                if pair is None:
                    cells[space] = Terrain.from_letter(letter), place
                elif pair not in overlaps:
                    overlaps.add(pair)
                    other = self.tiles[pair[0]]
                    yield Fault(
                        "overlap",
                        f"two cells overlap on {space}: of {_tile(other)} and of {_tile(placed)}",
                        pair,
                        (space,),
                        {"tile": other.tile, "other": placed.tile},
                        key=f"tiles[{place}]",
                    )
        self.spaces = tuple(sorted(cells, key=lambda space: (space.r, space.q)))
        self.names = Names.of(self.spaces)
        self.index = {space: place for place, space in enumerate(self.spaces)}
        self.terrain = tuple(cells[space][0] for space in self.spaces)
        self.tile_of = tuple(cells[space][1] for space in self.spaces)
        near = np.full((len(self.spaces), len(DIRECTIONS)), NOBODY, np.int16)
        self.record = np.zeros(1, BOARD)
        rows = np.array(list(self._cells()), np.int64)
        lay_out(self.record, near, rows, len(rows), self.players)
        self.neighbours = tuple(tuple([one for one in row if one != NOBODY]) for row in near.tolist())

    def _cells(self) -> Iterator[list[int]]:
        """Yield the columns (``Cell``) of each space."""
        for space, terrain, place in zip(self.spaces, self.terrain, self.tile_of, strict=True):
            values = {Cell.Q: space.q, Cell.R: space.r, Cell.TERRAIN: terrain, Cell.TILE: place}
            sign = self.tileset.tiles[self.tiles[place].tile].sign
            values[Cell.SIGN] = Sign.NONE if sign is None else Sign[sign.upper()]
            values[Cell.OPEN] = self._open_side(place)
            yield [values[column] for column in Cell]

    def _open_side(self, place: int) -> int:
        """Return the direction of the open side of a placed tile, if it is a portal (E10.1)."""
        placed = self.tiles[place]
        return (self.tileset.tiles[placed.tile].open + placed.rot) % len(DIRECTIONS)

    def _link_portals(self) -> Iterator[Fault]:
        """Find the space in front of each portal that can be entered."""
        portals = []
        for portal in (space for space, t in enumerate(self.terrain) if t is Terrain.PORTAL):
            placed = self.tiles[self.tile_of[portal]]
            direction = self._open_side(self.tile_of[portal])
            (q, r), (dq, dr) = self.spaces[portal], DIRECTIONS[direction]
            faced = Space(q + dq, r + dr)
            front = self.index.get(faced)
            if front is None or not self.terrain[front].is_walkable:
                what = "the outside" if front is None else f"a {self.terrain[front].word}"
                message = (
                    f"the open side of the portal on {self.spaces[portal]} faces {faced}, {what};"
                    " it must face a sand or tempest space"
                )
                yield Fault("portal", message, (self.tile_of[portal],), (faced,), {"tile": placed.tile})
                continue
            portals.append((portal, direction, front))
        self.portals = tuple(portals)
        self.portal_link = (portals[0][2], portals[1][2]) if len(portals) == _PORTALS else None


@lru_cache(_LAYOUTS_CACHED)
def known_layout(players: int, tiles: tuple[object, ...], box: str | None) -> Layout:
    """Return a layout from the cache.

    box: the tile set as JSON; None: the project's own.
    """
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


def _stand_in_faults(layout: Layout) -> Iterator[Fault]:
    """Check that every temple tile stands in for a tile of its own, and that this one is in play."""
    tileset = layout.tileset
    used = {placed.tile for placed in layout.tiles}
    temples = {name: tileset.tiles[name].replaces for name in used if tileset.tiles[name].replaces}
    try:
        layout.stand_ins = tileset.stand_ins(used)
        tileset.large_tiles(layout.players, layout.stand_ins)
    except LayoutError as error:
        places = tuple(place for place, placed in enumerate(layout.tiles) if placed.tile in temples)
        yield Fault("stand-in", error.message, places)
        layout.stand_ins = {name: pairs[0] for name, pairs in temples.items()}


def _members(words: Sequence[int]) -> tuple[int, ...]:
    return tuple(members(words))


def _parted(
    layout: Layout, code: str, spaces: Iterable[int], neighbours: Sequence[Sequence[int]], what: str
) -> Iterator[Fault]:
    groups = connected_groups(spaces, neighbours.__getitem__)
    if len(groups) > 1:
        lost = min(groups, key=len)
        names = tuple(layout.spaces[space] for space in lost)
        message = f"the {what} are not one connected group: {_listed(names)} lie apart"
        yield Fault(code, message, tuple(sorted({layout.tile_of[space] for space in lost})), names)


def _tile_faults(layout: Layout) -> Iterator[Fault]:
    """Check that the box has all tiles used, and that every large tile in play is used."""
    tileset = layout.tileset
    used = Counter(placed.tile for placed in layout.tiles)
    needed = tileset.large_tiles(layout.players, layout.stand_ins)
    for name, count in used.items():
        places = tuple(place for place, placed in enumerate(layout.tiles) if placed.tile == name)
        where = _listed(Space(layout.tiles[place].q, layout.tiles[place].r) for place in places)
        limit = tileset.tiles[name].copies
        if tileset.tiles[name].is_large and name not in needed:
            message = f"tile {name} at {where} is not in play"
            by = next((other for other, (replaced, _) in layout.stand_ins.items() if replaced == name), None)
            if by is None:
                reason = f"its group needs more than {layout.players} players"
                values: dict[str, str | int] = {"tile": name, "players": layout.players}
                yield Fault("out-of-play", f"{message} ({reason})", places, values=values)
            else:
                reason = f"tile {by} stands in for it"
                yield Fault("replaced", f"{message} ({reason})", places, values={"tile": name, "by": by})
        if count > limit:
            message = f"tile {name} lies {count} times, at {where}; the box holds {limit}"
            values = {"tile": name, "count": count, "most": limit}
            yield Fault("copies", message, places, values=values)
    missing = sorted(needed - used.keys())
    if missing:
        names = ", ".join(missing)
        message = f"{layout.players} players need each of their large tiles once; missing: {names}"
        yield Fault("missing", message, values={"tiles": names, "players": layout.players})


def check_players(players: int) -> None:
    """Check the number of players. Raises LayoutError (E1.1)."""
    if type(players) is not int or not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
        raise LayoutError(f"there are {FEWEST_PLAYERS} to {MOST_PLAYERS} players", rule="E1.1", key="players")


def size_faults(spaces: int) -> Iterator[Fault]:
    """Check the number of spaces of a board (E2.8)."""
    if spaces > MAX_SPACES:
        message = f"the board has {spaces} spaces; at most {MAX_SPACES} are supported"
        yield Fault("size", message, values={"count": spaces, "most": MAX_SPACES})


def count_faults(players: int, counts: Mapping[Terrain, int]) -> Iterator[Fault]:
    """Check the numbers of sand spaces, capitals and portals on a board (E2.8)."""
    wanted, there = DISCS * players, counts.get(Terrain.SAND, 0)
    if there != wanted:
        message = f"{players} players need {wanted} sand spaces; there are {there}"
        yield Fault("sand", message, values={"players": players, "wanted": wanted, "count": there})
    if not counts.get(Terrain.CAPITAL):
        yield Fault("capital", "there is no capital")
    portals = counts.get(Terrain.PORTAL, 0)
    if portals not in {0, _PORTALS}:
        yield Fault("portal-count", f"portals number 0 or 2, not {portals}", values={"count": portals})


def _tile(placed: PlacedTile) -> str:
    return f"tile {placed.tile} at {placed.q},{placed.r}"


def _listed(spaces: Iterable[Space]) -> str:
    """Format spaces for a message by coordinates, as tiles are placed; a long list is truncated."""
    names = [str(space) for space in spaces]
    more = len(names) - _NAMED_IN_MESSAGES
    return " ".join(names[:_NAMED_IN_MESSAGES]) + (f" and {more} more" if more > 0 else "")
