"""Layouts (kernels): placed tiles become spaces and a board, and every broken check of E2.8 is reported.

Tiles of a box have numbers, by their names in ascending order. A page and Python put the reports into words.
The caller allocates the arrays (``laying_work``): numba takes seconds to compile an allocation.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from ekoes.games.eko.rules.board import (
    DIRECTIONS,
    Cell,
    Terrain,
    find_neighbours,
    first_from,
    flood,
    is_on,
    write_board,
)
from ekoes.games.eko.rules.drawing import MOST_CELLS, Drawn
from ekoes.games.eko.rules.record import BOARD, DISCS, MAX_ZONES, NO_SPACE, NOBODY, Area
from ekoes.games.kernels.bits import (
    EMPTY,
    Bits,
    bit,
    drop_lowest,
    is_empty,
    lowest,
    read,
    size,
    union,
    without,
)
from ekoes.games.kernels.jit import entry, helper

MOST_TILES = 199
"""Tiles of a box."""
MOST_CHOICES = 19
"""Tiles that one temple tile may stand in for."""
MOST_LAID = NO_SPACE * MOST_CELLS
"""Cells of all placed tiles, which may be too many for a board."""
LONGEST_REPORT = 1 << 15
"""Upper bound of the numbers in a report: up to eleven for each cell, and less than 3000 others."""
_PORTALS = 2


class Kind(IntEnum):
    """Columns of a tile of a box.

    CELLS: their number. OPEN: the open side of a portal. COPIES: how many there are. PLAYERS: the fewest for
    the group that it belongs to; 0: to none. SIGN: a ``Sign``. FIRST, CHOICES: of a temple tile its rows in
    ``choices``.
    """

    CELLS = 0
    OPEN = 1
    COPIES = 2
    PLAYERS = 3
    SIGN = 4
    FIRST = 5
    CHOICES = 6


class List(IntEnum):
    """Lists, of zeros at first.

    By tile of the box, USED: how often it is used. STANDING: the choice of a temple tile in use. BY: the
    temple tile that stands in for it, and 1. NEEDED: whether it is one of the large tiles in play.
    MET: by placed tile the last one that overlaps it.
    """

    USED = 0
    STANDING = 1
    BY = 2
    NEEDED = 3
    MET = 4


class Broken(IntEnum):
    """The checks of E2.8 (ZONES: of E10.2) and the values of a report. A tile is a number of the box.

    NO_STAND_IN: tile. STAND_IN: tile, what it stands in for. OVERLAP: both tiles. SIZE: count, most.
    OUT_OF_PLAY: tile, players. REPLACED: tile, by what. COPIES: tile, count, most. MISSING: players, tiles.
    SAND: players, wanted, count. PORTAL_COUNT: count. PORTAL: tile, q, r, the terrain in front or NOBODY.
    ZONES: count, most.
    """

    NO_STAND_IN = 0
    STAND_IN = 1
    OVERLAP = 2
    SIZE = 3
    APART = 4
    OUT_OF_PLAY = 5
    REPLACED = 6
    COPIES = 7
    MISSING = 8
    SAND = 9
    CAPITAL = 10
    PORTAL_COUNT = 11
    PORTAL = 12
    UNREACHABLE = 13
    ZONES = 14


class Report(IntEnum):
    """Places in a report. END: where it ends. LAST: where its last entry begins. FIRST: the first entry."""

    END = 0
    LAST = 1
    FIRST = 2


class Entry(IntEnum):
    """An entry of a report. Its values, placed tiles and spaces follow; SPACES counts the q and r of each."""

    BROKEN = 0
    VALUES = 1
    TILES = 2
    SPACES = 3


_HEAD, _COLUMNS = len(Entry), len(Cell)


def laying_work() -> tuple[np.ndarray[Any, Any], ...]:
    """Return the arrays that ``lay_tiles`` writes: board, neighbours, cells, lists and report."""
    return (
        np.zeros(1, BOARD),
        np.zeros((MOST_LAID, len(DIRECTIONS)), np.int16),
        np.zeros((MOST_LAID, len(Cell)), np.int64),
        np.zeros((len(List), MOST_TILES), np.int64),
        np.zeros(LONGEST_REPORT, np.int64),
    )


@entry
def lay_tiles(
    players: int,
    kinds: np.ndarray,
    shapes: np.ndarray,
    choices: np.ndarray,
    placed: np.ndarray,
    boards: np.ndarray,
    near: np.ndarray,
    cells: np.ndarray,
    lists: np.ndarray,
    report: np.ndarray,
) -> int:
    """Write which tiles are in play, the spaces and the board of a layout, and what is broken.

    kinds: int64[tiles, len(Kind)]. shapes: int64[tiles, MOST_CELLS, 3], by cell q, r and terrain. choices:
    int64[…, 1 + MOST_CELLS], a tile that a temple tile may stand in for and the terrains that it has then.
    placed: int64[…, len(Drawn)], NO_SPACE at most; none: only what is in play with the tiles in ``USED``.
    near: for each space the neighbour in each direction, or NOBODY. cells: in the order of E2.6; where two
    overlap, the first one counts. A board of too many spaces is not written, and its groups are not checked.
    Returns: the number of spaces.
    """
    report[Report.END] = Report.FIRST
    for place in range(len(placed)):
        lists[List.USED, placed[place, Drawn.TILE]] += 1
    stand = _choose(players, kinds, choices, placed, lists, report)
    count = _lay_cells(kinds, shapes, choices, placed, cells, lists, report)
    if count == 0:
        return 0
    find_neighbours(near, cells, count)
    board = boards[0]
    if count <= NO_SPACE:
        write_board(board, near, cells, count, players)
        spaces = EMPTY
        for space in range(count):
            spaces = union(spaces, bit(space))
        _check_group(board.near, spaces, Broken.APART, cells, placed, report)
    else:
        _report(report, Broken.SIZE, count, NO_SPACE)
    if stand:
        _check_tiles(players, kinds, placed, lists, report)
    _check_counts(players, cells, count, report)
    _check_portals(near, cells, count, placed, report)
    if count <= NO_SPACE:
        _check_group(board.step, read(board.sets, Area.WALKABLE), Broken.UNREACHABLE, cells, placed, report)
        zones = size(read(board.sets, Area.ZONE_HEADS))
        if zones > MAX_ZONES:
            _report(report, Broken.ZONES, zones, MAX_ZONES)
    return count


@helper
def _begin(report: np.ndarray, broken: int) -> None:
    """Begin an entry."""
    end = int(report[Report.END])
    report[Report.LAST] = end
    report[end + Entry.BROKEN] = broken
    report[Report.END] = end + _HEAD


@helper
def _add(report: np.ndarray, part: int, number: int) -> None:
    """Add a number to the last entry: values first, then tiles, then spaces."""
    report[report[Report.LAST] + part] += 1
    report[report[Report.END]] = number
    report[Report.END] += 1


@helper
def _report(report: np.ndarray, broken: int, one: int, other: int) -> None:
    """Begin an entry with two values."""
    _begin(report, broken)
    _add(report, Entry.VALUES, one)
    _add(report, Entry.VALUES, other)


@helper
def _add_space(report: np.ndarray, q: int, r: int) -> None:
    _add(report, Entry.SPACES, q)
    _add(report, Entry.SPACES, r)


@helper
def _add_places(report: np.ndarray, placed: np.ndarray, tile: int) -> None:
    """Add where a tile lies."""
    for place in range(len(placed)):
        if placed[place, Drawn.TILE] == tile:
            _add(report, Entry.TILES, place)


@helper
def _choose(
    players: int,
    kinds: np.ndarray,
    choices: np.ndarray,
    placed: np.ndarray,
    lists: np.ndarray,
    report: np.ndarray,
) -> bool:
    """Write which large tiles are in play. Returns: whether every temple tile stands in for one of them.

    The temple tile with fewer choices chooses first: the Sand replaces B if the Moon replaces E.
    """
    used, standing, by, needed = lists[List.USED], lists[List.STANDING], lists[List.BY], lists[List.NEEDED]
    for tile in range(len(kinds)):
        needed[tile] = 1 if 0 < kinds[tile, Kind.PLAYERS] <= players else 0
    lost = without_play = NOBODY
    for fewest in range(1, MOST_CHOICES + 1):
        for tile in range(len(kinds)):
            if used[tile] == 0 or kinds[tile, Kind.CHOICES] != fewest or lost != NOBODY:
                continue
            row = int(kinds[tile, Kind.FIRST])
            end = row + fewest
            while row < end and by[choices[row, 0]]:
                row += 1
            if row == end:
                lost = tile
                continue
            replaced = int(choices[row, 0])
            standing[tile] = row
            by[replaced] = tile + 1
            if needed[replaced] == 0 and without_play == NOBODY:
                without_play = tile
            needed[replaced], needed[tile] = 0, 1
    if lost != NOBODY:
        _begin(report, Broken.NO_STAND_IN)
        _add(report, Entry.VALUES, lost)
    elif without_play != NOBODY:
        _report(report, Broken.STAND_IN, without_play, int(choices[standing[without_play], 0]))
    else:
        return True
    for tile in range(len(kinds)):
        needed[tile], standing[tile] = 0, kinds[tile, Kind.FIRST]
    for place in range(len(placed)):
        if kinds[placed[place, Drawn.TILE], Kind.CHOICES]:
            _add(report, Entry.TILES, place)
    return False


@helper
def _lay_cells(
    kinds: np.ndarray,
    shapes: np.ndarray,
    choices: np.ndarray,
    placed: np.ndarray,
    cells: np.ndarray,
    lists: np.ndarray,
    report: np.ndarray,
) -> int:
    """Write the cells of all tiles in order. Returns: their number. Rule: E2.2, E2.6."""
    count = 0
    for place in range(len(placed)):
        tile, turns = int(placed[place, Drawn.TILE]), int(placed[place, Drawn.ROT])
        for number in range(kinds[tile, Kind.CELLS]):
            q, r = int(shapes[tile, number, 0]), int(shapes[tile, number, 1])
            for _ in range(turns):
                q, r = q + r, -q
            q, r = q + placed[place, Drawn.Q], r + placed[place, Drawn.R]
            at = first_from(cells, count, q, r)
            if is_on(cells, count, at, q, r):
                other = int(cells[at, Cell.TILE])
                if lists[List.MET, other] != place:
                    lists[List.MET, other] = place
                    _report(report, Broken.OVERLAP, placed[other, Drawn.TILE], tile)
                    _add(report, Entry.TILES, other)
                    _add(report, Entry.TILES, place)
                    _add_space(report, q, r)
                continue
            for later in range(count, at, -1):
                for column in range(_COLUMNS):
                    cells[later, column] = cells[later - 1, column]
            count += 1
            terrain = shapes[tile, number, 2]
            if kinds[tile, Kind.CHOICES]:
                terrain = choices[lists[List.STANDING, tile], 1 + number]
            cells[at, Cell.Q], cells[at, Cell.R], cells[at, Cell.TERRAIN] = q, r, terrain
            cells[at, Cell.TILE], cells[at, Cell.SIGN] = place, kinds[tile, Kind.SIGN]
            cells[at, Cell.OPEN] = (kinds[tile, Kind.OPEN] + turns) % len(DIRECTIONS)
    return count


@helper
def _check_group(
    rows: np.ndarray,
    spaces: Bits,
    broken: int,
    cells: np.ndarray,
    placed: np.ndarray,
    report: np.ndarray,
) -> None:
    """Check that spaces are connected; if not, report the smallest group, the first one of equal size.

    rows: by space those next to it.
    """
    rest = spaces
    lost = EMPTY
    while not is_empty(rest):
        group = flood(rows, lowest(rest), spaces)
        if is_empty(lost) or size(group) < size(lost):
            lost = group
        rest = without(rest, group)
    if lost == spaces:
        return
    _begin(report, broken)
    for place in range(len(placed)):
        rest = lost
        while not is_empty(rest) and cells[lowest(rest), Cell.TILE] != place:
            rest = drop_lowest(rest)
        if not is_empty(rest):
            _add(report, Entry.TILES, place)
    while not is_empty(lost):
        _add_space(report, cells[lowest(lost), Cell.Q], cells[lowest(lost), Cell.R])
        lost = drop_lowest(lost)


@helper
def _check_tiles(
    players: int, kinds: np.ndarray, placed: np.ndarray, lists: np.ndarray, report: np.ndarray
) -> None:
    """Check that the box has all tiles used, and that every large tile in play is used. Rule: E1.4."""
    used, by, needed = lists[List.USED], lists[List.BY], lists[List.NEEDED]
    for place in range(len(placed)):
        tile = int(placed[place, Drawn.TILE])
        is_first = True
        for before in range(place):
            is_first = is_first and placed[before, Drawn.TILE] != tile
        if not is_first:
            continue
        is_large = kinds[tile, Kind.PLAYERS] > 0 or kinds[tile, Kind.CHOICES] > 0
        if is_large and needed[tile] == 0:
            if by[tile]:
                _report(report, Broken.REPLACED, tile, by[tile] - 1)
            else:
                _report(report, Broken.OUT_OF_PLAY, tile, players)
            _add_places(report, placed, tile)
        if used[tile] > kinds[tile, Kind.COPIES]:
            _report(report, Broken.COPIES, tile, used[tile])
            _add(report, Entry.VALUES, kinds[tile, Kind.COPIES])
            _add_places(report, placed, tile)
    missing = False
    for tile in range(len(kinds)):
        if needed[tile] and used[tile] == 0:
            if not missing:
                _begin(report, Broken.MISSING)
                _add(report, Entry.VALUES, players)
            missing = True
            _add(report, Entry.VALUES, tile)


@helper
def _check_counts(players: int, cells: np.ndarray, count: int, report: np.ndarray) -> None:
    """Check the numbers of sand spaces, capitals and portals."""
    sand = capitals = portals = 0
    for space in range(count):
        terrain = cells[space, Cell.TERRAIN]
        sand += 1 if terrain == Terrain.SAND else 0
        capitals += 1 if terrain == Terrain.CAPITAL else 0
        portals += 1 if terrain == Terrain.PORTAL else 0
    if sand != DISCS * players:
        _report(report, Broken.SAND, players, DISCS * players)
        _add(report, Entry.VALUES, sand)
    if capitals == 0:
        _begin(report, Broken.CAPITAL)
    if portals > 0 and portals != _PORTALS:
        _begin(report, Broken.PORTAL_COUNT)
        _add(report, Entry.VALUES, portals)


@helper
def _check_portals(
    near: np.ndarray, cells: np.ndarray, count: int, placed: np.ndarray, report: np.ndarray
) -> None:
    """Check that discs can stand in front of each portal. Rule: E10.1."""
    for space in range(count):
        if cells[space, Cell.TERRAIN] != Terrain.PORTAL:
            continue
        place, direction = int(cells[space, Cell.TILE]), int(cells[space, Cell.OPEN])
        front = int(near[space, direction])
        terrain = NOBODY if front == NOBODY else int(cells[front, Cell.TERRAIN])
        if terrain == NOBODY or terrain > Terrain.TEMPEST:
            q, r = cells[space, Cell.Q], cells[space, Cell.R]
            dq, dr = DIRECTIONS[direction]
            _report(report, Broken.PORTAL, placed[place, Drawn.TILE], q)
            _add(report, Entry.VALUES, r)
            _add(report, Entry.VALUES, terrain)
            _add(report, Entry.TILES, place)
            _add_space(report, q + dq, r + dr)
