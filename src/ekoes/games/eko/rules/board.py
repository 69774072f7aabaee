"""The board of a layout (E1.5, E2): which spaces touch, where discs can step, and which form areas."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ekoes.games.eko.rules.record import LEVELS, NOBODY, Area
from ekoes.games.eko.rules.signs import Sign, add_sign
from ekoes.games.kernels.bits import (
    Bits,
    bit,
    both,
    drop_lowest,
    has,
    is_empty,
    lowest,
    read,
    union,
    without,
    write,
)
from ekoes.games.kernels.jit import helper


class Terrain(IntEnum):
    """A terrain (E1.5)."""

    SAND = 0
    TEMPEST = 1
    CHASM = 2
    REG = 3
    CANYON = 4
    CAPITAL = 5
    MOUNTAIN = 6
    MOON = 7
    SANDTEMPLE = 8
    WIND = 9
    PORTAL = 10

    @property
    def word(self) -> str:
        """The machine name, such as ``sand``."""
        return self.name.lower()

    @property
    def letter(self) -> str:
        """The letter in the tile tables."""
        return LETTERS[self]

    @property
    def is_walkable(self) -> bool:
        """Return whether discs may stand on it: sand and tempest."""
        return self <= Terrain.TEMPEST

    @classmethod
    def from_letter(cls, letter: str) -> Terrain:
        """Return the terrain of a letter of the tile tables. Raises ValueError."""
        return cls(LETTERS.index(letter))


LETTERS = ".txrcCmMSWP"
HIGHEST_LEVEL = (0, 0, 0, 1, 2, 2, 3, 1, 1, 1, 0)
"""By terrain the highest level of building that it allows (E1.5); 0: none."""
DIRECTIONS: tuple[tuple[int, int], ...] = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
_AREAS = {
    Terrain.SAND: Area.SAND,
    Terrain.TEMPEST: Area.TEMPEST,
    Terrain.CAPITAL: Area.CAPITALS,
    Terrain.MOON: Area.MOON,
    Terrain.SANDTEMPLE: Area.SANDTEMPLE,
    Terrain.WIND: Area.WIND,
}
_AREA_OF = tuple(int(_AREAS.get(terrain, NOBODY)) for terrain in Terrain)
_PORTALS = 2


class Cell(IntEnum):
    """Columns of the cells of a layout. TILE: a number of the placed tile. OPEN: a portal's open side."""

    Q = 0
    R = 1
    TERRAIN = 2
    TILE = 3
    SIGN = 4
    OPEN = 5


@helper
def find_neighbours(near: np.ndarray, cells: np.ndarray, count: int) -> None:
    """Write the neighbours of all spaces.

    near: int16[…, 6]: for each space the neighbour in each direction, or NOBODY. cells: int64[…, len(Cell)],
    in the order of E2.6. count: the number of cells.
    """
    for space in range(count):
        for direction in range(len(DIRECTIONS)):
            dq, dr = DIRECTIONS[direction]
            q, r = cells[space, Cell.Q] + dq, cells[space, Cell.R] + dr
            at = first_from(cells, count, q, r)
            near[space, direction] = at if is_on(cells, count, at, q, r) else NOBODY


@helper
def write_board(board: np.record, near: np.ndarray, cells: np.ndarray, count: int, players: int) -> None:
    """Write a board of zeros from the neighbours of its spaces and their cells, NO_SPACE at most."""
    board.players = players
    write_areas(board, cells, count)
    write_steps(board, near, cells, count)
    write_zones(board)
    write_signs(board, cells, count)


@helper
def first_from(cells: np.ndarray, count: int, q: int, r: int) -> int:
    """Return the place of the first cell that does not come before a space."""
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        row = cells[middle, Cell.R]
        if row < r or (row == r and cells[middle, Cell.Q] < q):
            low = middle + 1
        else:
            high = middle
    return low


@helper
def is_on(cells: np.ndarray, count: int, at: int, q: int, r: int) -> bool:
    """Return whether there is a cell at a place, and it is this space."""
    return at < count and cells[at, Cell.Q] == q and cells[at, Cell.R] == r


@helper
def add(rows: np.ndarray, row: int, space: int) -> None:
    """Add a space to the set in a row."""
    write(rows, row, union(read(rows, row), bit(space)))


@helper
def write_areas(board: np.record, cells: np.ndarray, count: int) -> None:
    """Write the areas by terrain, and what each level of building can stand on. Rule: E1.5."""
    for space in range(count):
        terrain = int(cells[space, Cell.TERRAIN])
        if terrain <= Terrain.TEMPEST:
            add(board.sets, Area.WALKABLE, space)
        if _AREA_OF[terrain] != NOBODY:
            add(board.sets, _AREA_OF[terrain], space)
        highest = HIGHEST_LEVEL[terrain]
        if highest:
            add(board.sets, Area.SITES, space)
        for level in range(1, min(highest, LEVELS) + 1):
            add(board.carries, level, space)


@helper
def write_steps(board: np.record, near: np.ndarray, cells: np.ndarray, count: int) -> None:
    """Write which spaces touch, and the steps of discs, also from portal to portal. Rule: E2.7, E10.1."""
    walkable = read(board.sets, Area.WALKABLE)
    portals = one = other = 0
    for space in range(count):
        for direction in range(len(DIRECTIONS)):
            if near[space, direction] != NOBODY:
                add(board.near, space, int(near[space, direction]))
        if has(walkable, space):
            write(board.step, space, both(read(board.near, space), walkable))
        if cells[space, Cell.TERRAIN] == Terrain.PORTAL:
            front = int(near[space, cells[space, Cell.OPEN]])
            if front != NOBODY and has(walkable, front):
                portals += 1
                one, other = other, front
    if portals == _PORTALS and one != other:
        add(board.step, one, other)
        add(board.step, other, one)


@helper
def flood(rows: np.ndarray, start: int, within: Bits) -> Bits:
    """Return the spaces of a set that are connected with one of them. rows: by space those next to it."""
    found = bit(start)
    frontier = found
    while not is_empty(frontier):
        fresh = without(both(read(rows, lowest(frontier)), within), found)
        found = union(found, fresh)
        frontier = union(drop_lowest(frontier), fresh)
    return found


@helper
def write_zones(board: np.record) -> None:
    """Write the connected groups of tempest spaces. Rule: E10.2."""
    tempests = read(board.sets, Area.TEMPEST)
    rest = tempests
    while not is_empty(rest):
        head = lowest(rest)
        zone = flood(board.near, head, tempests)
        add(board.sets, Area.ZONE_HEADS, head)
        rest = without(rest, zone)
        members = zone
        while not is_empty(members):
            write(board.zone, lowest(members), zone)
            members = drop_lowest(members)


@helper
def write_signs(board: np.record, cells: np.ndarray, count: int) -> None:
    """Write the signs, each with the spaces around it. Rule: E10.3, E10.6."""
    for space in range(count):
        if cells[space, Cell.SIGN] != Sign.NONE:
            add_sign(board, cells, space, count, Cell.TILE, Cell.SIGN)
