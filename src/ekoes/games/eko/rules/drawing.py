"""Random boards (kernels): an outline of tiles grows, then terrains are dealt to it. Rule: E2.5, E9.

Tiles have numbers: the large ones come first, then the small ones, then the portals. While a board grows, a
grid has the spaces around its middle. What a good board is: docs/decisions/0005.

Python allocates their arrays (``boards_work``): numba takes seconds to compile an allocation.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from ekoes.games.eko.rules.board import DIRECTIONS, Terrain
from ekoes.games.eko.rules.record import MAX_ZONES, NO_SPACE
from ekoes.games.kernels.bits import draw_below
from ekoes.games.kernels.jit import entry, helper

MOST_CELLS = 19
"""Cells of a tile."""
_ROW, _HALF = 128, 64
PLACES = _ROW * _ROW
"""Places in a grid."""
_FURTHEST = 40
"""The furthest q and r of an origin, so that all places that are looked at lie in the grid."""
_MIDDLE = PLACES // 2 + _HALF
"""The place of the space 0,0 in a grid; a space lies at ``_ROW * q + r`` from it."""
_TURNS = len(DIRECTIONS)
_STEPS = tuple(_ROW * q + r for q, r in DIRECTIONS)
LONGEST = _TURNS * NO_SPACE
"""Numbers in a list."""

_NOWHERE, _TAKEN = 0, -1
"""In the grid of an outline; above 0: an empty space that touches so many spaces of the board."""
_NOTHING = -1

_OUTLINES, _MANY_TILES = 6, 150
_STANDARD_BOARDS, _DEALS = 200, 60
_ALL_BUT_ENCLOSED = 5
_WIDE_APART = 5
_ROUND = 726  # scales the second moment of a disc to 100

# Weights in the score of a placement; a tile that touches the board on all sides scores 1000.
_FIT = 1000
_WHIM = 120
_FAR_OUT = 11
_CROWDING = 110
_PIT = 150
_LOOKED_AT = 24
# Weights in the badness of an outline, and in the score of a pair of portals.
_LONG_BORDER, _PITS, _CROWDED, _LONG = 10, 25, 6, 4
_PORTALS_APART, _PORTALS_WHIM = 10, 30
_NO_SCORE = -(1 << 60)


class Made(IntEnum):
    """Columns of a tile to draw. COUNT: its cells. OPEN: the open side of a portal."""

    COUNT = 0
    OPEN = 1


class Drawn(IntEnum):
    """Columns of a placed tile."""

    TILE = 0
    Q = 1
    R = 2
    ROT = 3


class Grid(IntEnum):
    """Grids, of zeros at first. TERRAIN: a terrain and 1. SEEN: the number of a search that has been here."""

    OUTLINE = 0
    TERRAIN = 1
    SEEN = 2


class List(IntEnum):
    """Lists.

    BORDER: the places next to an outline, in the order they were added; some are taken by now. SPACES: its
    spaces. LAID: the spaces with a terrain. SIZES: the lengths of these three, and the number of the latest
    search. STEPS, OTHER: from the origin of a tile to its cells. SCORES, ORIGINS, ROTS: of the best
    placements. ORDER: of the tiles. HANDS: the large tiles, shape by shape. SHAPES: by tile the first one
    with equal cells. LEFT: by shape the end of its tiles in HANDS. QUEUE: of a search.
    """

    BORDER = 0
    SPACES = 1
    LAID = 2
    SIZES = 3
    STEPS = 4
    OTHER = 5
    SCORES = 6
    ORIGINS = 7
    ROTS = 8
    ORDER = 9
    HANDS = 10
    SHAPES = 11
    LEFT = 12
    QUEUE = 13


_LATEST = 3
"""The number of the latest search in SIZES."""


def boards_work(tiles: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return scratch memory of the kernels: grids, lists, and an outline of so many tiles."""
    grids, lists = np.zeros((len(Grid), PLACES), np.int32), np.zeros((len(List), LONGEST), np.int64)
    return grids, lists, np.zeros((tiles, len(Drawn)), np.int64)


@helper
def _place(q: int, r: int) -> int:
    """Return the place of a space in a grid."""
    return _MIDDLE + _ROW * q + r


@helper
def _q(place: int) -> int:
    return (place - _MIDDLE + _HALF) // _ROW


@helper
def _r(place: int) -> int:
    return place - _MIDDLE - _ROW * _q(place)


@helper
def _apart(one: int, other: int) -> int:
    """Return the distance in steps of two places."""
    q, r = _q(one) - _q(other), _r(one) - _r(other)
    return max(abs(q), abs(r), abs(q + r))


@helper
def _clear(grid: np.ndarray, lists: np.ndarray, row: int) -> None:
    """Clear the spaces of a list in a grid, and the list."""
    for index in range(lists[List.SIZES, row]):
        grid[lists[row, index]] = 0
    lists[List.SIZES, row] = 0


@helper
def _append(lists: np.ndarray, row: int, space: int) -> None:
    lists[row, lists[List.SIZES, row]] = space
    lists[List.SIZES, row] += 1


@helper
def _new_search(lists: np.ndarray) -> int:
    """Return the number of a search that has seen nothing."""
    lists[List.SIZES, _LATEST] += 1
    return int(lists[List.SIZES, _LATEST])


@helper
def _count_up(items: np.ndarray, count: int) -> None:
    for index in range(count):
        items[index] = index


@helper
def _shuffle(items: np.ndarray, first: int, count: int, stream: np.ndarray) -> None:
    """Put some items in a random order (Fisher-Yates)."""
    for last in range(count - 1, 0, -1):
        other = first + draw_below(stream, last + 1)
        items[first + last], items[other] = items[other], items[first + last]


@helper
def _has(values: np.ndarray, count: int, value: int) -> bool:
    for index in range(count):  # noqa: SIM110 - numba compiles no generators here
        if values[index] == value:
            return True
    return False


@helper
def _turn(cells: np.ndarray, made: np.ndarray, tile: int, rot: int, out: np.ndarray) -> int:
    """Write the steps from the origin of a tile to its turned cells. Returns: their number. Rule: E2.2."""
    count = int(made[tile, Made.COUNT])
    for cell in range(count):
        q, r = int(cells[tile, cell, 0]), int(cells[tile, cell, 1])
        for _ in range(rot):
            q, r = q + r, -q
        out[cell] = _ROW * q + r
    return count


@helper
def _is_same(one: np.ndarray, other: np.ndarray, count: int, by: int) -> bool:
    """Return whether the cells of one turn, moved, are those of another."""
    for index in range(count):  # noqa: SIM110 - as above
        if not _has(other, count, int(one[index]) + by):
            return False
    return True


@helper
def _least(values: np.ndarray, count: int) -> int:
    least = int(values[0])
    for index in range(1, count):
        least = min(least, int(values[index]))
    return least


@helper
def _is_new(cells: np.ndarray, made: np.ndarray, tile: int, rot: int, lists: np.ndarray) -> bool:
    """Return whether no turn before this one has the same shape."""
    one, other = lists[List.STEPS], lists[List.OTHER]
    count = _turn(cells, made, tile, rot, one)
    for before in range(rot):
        _turn(cells, made, tile, before, other)
        if _is_same(one, other, count, _least(other, count) - _least(one, count)):
            return False
    return True


@helper
def _is_round(cells: np.ndarray, made: np.ndarray, tile: int, lists: np.ndarray) -> bool:
    """Return whether every turn covers the same spaces, as of large tiles."""
    one, other = lists[List.STEPS], lists[List.OTHER]
    count = _turn(cells, made, tile, 0, one)
    for rot in range(1, _TURNS):
        _turn(cells, made, tile, rot, other)
        if not _is_same(one, other, count, 0):
            return False
    return True


@helper
def _put(grids: np.ndarray, lists: np.ndarray, origin: int, count: int) -> None:
    """Take the spaces of a turned tile."""
    grid, steps = grids[Grid.OUTLINE], lists[List.STEPS]
    for cell in range(count):
        grid[origin + steps[cell]] = _TAKEN
        _append(lists, List.SPACES, origin + steps[cell])
    for cell in range(count):
        for step in _STEPS:
            beside = origin + steps[cell] + step
            if grid[beside] != _TAKEN:
                if grid[beside] == _NOWHERE:
                    _append(lists, List.BORDER, beside)
                grid[beside] += 1


@helper
def _pits(grids: np.ndarray, lists: np.ndarray, origin: int, count: int) -> int:
    """Count the empty spaces next to a placement that it would leave almost enclosed."""
    grid, steps, beside = grids[Grid.OUTLINE], lists[List.STEPS], lists[List.QUEUE]
    pits = known = 0
    for cell in range(count):
        for step in _STEPS:
            space = origin + steps[cell] + step
            if grid[space] == _TAKEN or _has(steps, count, space - origin) or _has(beside, known, space):
                continue
            beside[known] = space
            known += 1
            touching = int(grid[space])
            for other in _STEPS:
                touching += 1 if _has(steps, count, space + other - origin) else 0
            pits += 1 if touching >= _ALL_BUT_ENCLOSED else 0
    return pits


@helper
def _score(
    grid: np.ndarray, steps: np.ndarray, count: int, edges: int, origin: int, stream: np.ndarray
) -> int:
    """Return how well a turned tile fits beside the board; ``_NO_SCORE`` where spaces are taken."""
    q, r = _q(origin), _r(origin)
    touching = 0
    for cell in range(count):
        here = int(grid[origin + steps[cell]])
        if here == _TAKEN:
            return _NO_SCORE
        touching += here
    whim = int(draw_below(stream, _WHIM))
    return _FIT * touching // edges + whim - _FAR_OUT * (q * q + q * r + r * r)


@helper
def _crowding(placed: np.ndarray, laid: int, large: int, origin: int) -> int:
    """Return how many steps a small tile at a place is closer than it should be to the nearest other one."""
    nearest = _WIDE_APART
    for before in range(laid):
        if placed[before, Drawn.TILE] >= large:
            there = _place(int(placed[before, Drawn.Q]), int(placed[before, Drawn.R]))
            nearest = min(nearest, _apart(origin, there))
    return _WIDE_APART - nearest


@helper
def _keep(lists: np.ndarray, kept: int, score: int, origin: int, rot: int) -> int:
    """Insert a placement into the best ones, which are in order. Returns: how many there are."""
    scores, origins, rots = lists[List.SCORES], lists[List.ORIGINS], lists[List.ROTS]
    place = kept
    while place > 0 and (
        score > scores[place - 1]
        or (
            score == scores[place - 1]
            and (origin < origins[place - 1] or (origin == origins[place - 1] and rot < rots[place - 1]))
        )
    ):
        place -= 1
    if place == _LOOKED_AT:
        return kept
    kept = min(kept + 1, _LOOKED_AT)
    for later in range(kept - 1, place, -1):
        scores[later], origins[later], rots[later] = scores[later - 1], origins[later - 1], rots[later - 1]
    scores[place], origins[place], rots[place] = score, origin, rot
    return kept


@helper
def _best_placements(
    cells: np.ndarray,
    made: np.ndarray,
    large: int,
    tile: int,
    grids: np.ndarray,
    lists: np.ndarray,
    placed: np.ndarray,
    laid: int,
    stream: np.ndarray,
) -> int:
    """Write the best placements of a tile beside the board. Returns: their number."""
    grid, seen = grids[Grid.OUTLINE], grids[Grid.SEEN]
    border, steps = lists[List.BORDER], lists[List.STEPS]
    count = _turn(cells, made, tile, 0, steps)
    edges = _TURNS * count
    for cell in range(count):
        for step in _STEPS:
            edges -= 1 if _has(steps, count, int(steps[cell]) + step) else 0
    kept = 0
    for rot in range(_TURNS):
        if not _is_new(cells, made, tile, rot, lists):
            continue
        search = _new_search(lists)
        for number in range(lists[List.SIZES, List.BORDER]):
            if grid[border[number]] == _TAKEN:
                continue
            for cell in range(count):
                origin = int(border[number] - steps[cell])
                # checked first: places further out may lie outside the grid
                if abs(_q(origin)) > _FURTHEST or abs(_r(origin)) > _FURTHEST or seen[origin] == search:
                    continue
                seen[origin] = search
                score = _score(grid, steps, count, edges, origin, stream)
                if score != _NO_SCORE:
                    if tile >= large:
                        score -= _CROWDING * _crowding(placed, laid, large, origin)
                    kept = _keep(lists, kept, score, origin, rot)
    return kept


@helper
def _add_tile(
    cells: np.ndarray,
    made: np.ndarray,
    large: int,
    tile: int,
    grids: np.ndarray,
    lists: np.ndarray,
    placed: np.ndarray,
    laid: int,
    stream: np.ndarray,
) -> None:
    """Place a tile where it fits best: much contact, few pits, small tiles far from each other.

    large: the number of large tiles. placed: written at ``laid``; the tiles before lie on the board.
    """
    steps = lists[List.STEPS]
    origin, rot = _MIDDLE, 0  # of the first tile, and of one that fits nowhere, which is refused later
    highest = _NO_SCORE
    kept = 0 if laid == 0 else _best_placements(cells, made, large, tile, grids, lists, placed, laid, stream)
    for index in range(kept):
        there, turn = int(lists[List.ORIGINS, index]), int(lists[List.ROTS, index])
        count = _turn(cells, made, tile, turn, steps)
        value = lists[List.SCORES, index] - _PIT * _pits(grids, lists, there, count)
        if value > highest:
            highest, origin, rot = value, there, turn
    placed[laid, Drawn.TILE] = tile
    placed[laid, Drawn.Q], placed[laid, Drawn.R] = _q(origin), _r(origin)
    placed[laid, Drawn.ROT] = rot
    _put(grids, lists, origin, _turn(cells, made, tile, rot, steps))


@helper
def _grow(
    cells: np.ndarray,
    made: np.ndarray,
    large: int,
    small: int,
    grids: np.ndarray,
    lists: np.ndarray,
    placed: np.ndarray,
    stream: np.ndarray,
) -> None:
    """Place all tiles, with the small ones spread evenly between and around the large ones."""
    _clear(grids[Grid.OUTLINE], lists, List.BORDER)
    _clear(grids[Grid.OUTLINE], lists, List.SPACES)
    order = lists[List.ORDER]
    _count_up(order, large + small)
    _shuffle(order, 0, large, stream)
    _shuffle(order, large, small, stream)
    gaps = max(1, large - 1)
    turn = added = 0
    for laid in range(large + small):
        # how many small tiles are due after the large ones so far
        due = small if large == 1 else (2 * small * (turn - 1) + gaps) // (2 * gaps)
        if turn == large or (turn > 0 and added < due):
            tile = int(order[large + added])
            added += 1
        else:
            tile = int(order[turn])
            turn += 1
        _add_tile(cells, made, large, tile, grids, lists, placed, laid, stream)


@helper
def _badness(grid: np.ndarray, lists: np.ndarray, placed: np.ndarray, count: int, large: int) -> int:
    """Return how ragged a board is: long border, pits, elongation, small tiles close together."""
    length = pits = crowding = 0
    for number in range(lists[List.SIZES, List.BORDER]):
        touching = grid[lists[List.BORDER, number]]
        length += 1 if touching != _TAKEN else 0
        pits += 1 if touching >= _ALL_BUT_ENCLOSED else 0
    for one in range(count):
        for other in range(one):
            if placed[one, Drawn.TILE] >= large and placed[other, Drawn.TILE] >= large:
                here = _place(int(placed[one, Drawn.Q]), int(placed[one, Drawn.R]))
                there = _place(int(placed[other, Drawn.Q]), int(placed[other, Drawn.R]))
                closer = max(0, _WIDE_APART - _apart(here, there))
                crowding += closer * closer
    long = _length(lists)
    return _LONG_BORDER * length + _PITS * pits + _CROWDED * crowding + _LONG * long


@helper
def _length(lists: np.ndarray) -> int:
    """Return how elongated a board is: 100 for a round one, 200 for a long one."""
    all_q = all_r = squares = 0
    count = int(lists[List.SIZES, List.SPACES])
    for index in range(count):
        q, r = _q(int(lists[List.SPACES, index])), _r(int(lists[List.SPACES, index]))
        all_q += q
        all_r += r
        squares += q * q + q * r + r * r
    about_middle = count * squares - (all_q * all_q + all_q * all_r + all_r * all_r)
    return _ROUND * about_middle // (count * count * count)


@helper
def _has_equal_cells(cells: np.ndarray, made: np.ndarray, one: int, other: int) -> bool:
    if made[one, Made.COUNT] != made[other, Made.COUNT]:
        return False
    for cell in range(made[one, Made.COUNT]):
        if cells[one, cell, 0] != cells[other, cell, 0] or cells[one, cell, 1] != cells[other, cell, 1]:
            return False
    return True


@helper
def _deal(
    cells: np.ndarray,
    made: np.ndarray,
    large: int,
    outline: np.ndarray,
    count: int,
    lists: np.ndarray,
    placed: np.ndarray,
    stream: np.ndarray,
) -> None:
    """Shuffle the large tiles among places of equal shape, with a new rotation for symmetric tiles."""
    hands, shapes, left = lists[List.HANDS], lists[List.SHAPES], lists[List.LEFT]
    for tile in range(large):
        first = 0
        while not _has_equal_cells(cells, made, first, tile):
            first += 1
        shapes[tile] = first
    end = 0
    for first in range(large):  # the tiles of a shape one after the other
        begin = end
        for tile in range(large):
            if shapes[tile] == first:
                hands[end] = tile
                end += 1
        _shuffle(hands, begin, end - begin, stream)
        left[first] = end
    for number in range(count):
        tile = int(outline[number, Drawn.TILE])
        for column in range(len(outline[number])):
            placed[number, column] = outline[number, column]
        if tile < large:
            left[shapes[tile]] -= 1
            placed[number, Drawn.TILE] = hands[left[shapes[tile]]]
        if _is_round(cells, made, tile, lists):
            placed[number, Drawn.ROT] = draw_below(stream, _TURNS)


@helper
def _lay(
    cells: np.ndarray, made: np.ndarray, placed: np.ndarray, count: int, grids: np.ndarray, lists: np.ndarray
) -> None:
    """Write the terrain of each space."""
    grid, steps = grids[Grid.TERRAIN], lists[List.STEPS]
    _clear(grid, lists, List.LAID)
    for number in range(count):
        tile = int(placed[number, Drawn.TILE])
        origin = _place(int(placed[number, Drawn.Q]), int(placed[number, Drawn.R]))
        for cell in range(_turn(cells, made, tile, int(placed[number, Drawn.ROT]), steps)):
            grid[origin + steps[cell]] = cells[tile, cell, 2] + 1
            _append(lists, List.LAID, origin + steps[cell])


@helper
def _groups(grids: np.ndarray, lists: np.ndarray, lowest: int) -> int:
    """Return how many connected groups the walkable spaces make, from a terrain on."""
    grid, seen, queue = grids[Grid.TERRAIN], grids[Grid.SEEN], lists[List.QUEUE]
    search = _new_search(lists)
    groups = 0
    for index in range(lists[List.SIZES, List.LAID]):
        start = lists[List.LAID, index]
        if seen[start] == search or not lowest < grid[start] <= Terrain.TEMPEST + 1:
            continue
        groups += 1
        seen[start] = search
        queue[0] = start
        first, end = 0, 1
        while first < end:
            for step in _STEPS:
                beside = queue[first] + step
                if lowest < grid[beside] <= Terrain.TEMPEST + 1 and seen[beside] != search:
                    seen[beside] = search
                    queue[end] = beside
                    end += 1
            first += 1
    return groups


@helper
def _is_playable(
    cells: np.ndarray, made: np.ndarray, placed: np.ndarray, count: int, grids: np.ndarray, lists: np.ndarray
) -> bool:
    """Return whether the walkable spaces are connected, and the zones few enough. Rule: E2.8, E10.2."""
    _lay(cells, made, placed, count, grids, lists)
    return _groups(grids, lists, Terrain.SAND) == 1 and _groups(grids, lists, Terrain.TEMPEST) <= MAX_ZONES


@helper
def _side(grid: np.ndarray, place: int, fitting: np.ndarray, stream: np.ndarray) -> int:
    """Return a random direction that faces sand, else one that faces a tempest, else NOTHING."""
    for terrain in range(Terrain.SAND, Terrain.TEMPEST + 1):
        count = 0
        for direction in range(_TURNS):
            if grid[place + _STEPS[direction]] == terrain + 1:
                fitting[count] = direction
                count += 1
        if count:
            return int(fitting[draw_below(stream, count)])
    return _NOTHING


@helper
def _sort(items: np.ndarray, count: int) -> None:
    """Sort the first items, ascending: by insertion, as there are few."""
    for end in range(1, count):
        item, place = items[end], end
        while place > 0 and items[place - 1] > item:
            items[place] = items[place - 1]
            place -= 1
        items[place] = item


@helper
def _add_portals(
    made: np.ndarray,
    first: int,
    grids: np.ndarray,
    lists: np.ndarray,
    placed: np.ndarray,
    stream: np.ndarray,
) -> int:
    """Place the two portals far from each other, each opening to a walkable space. Rule: E10.1.

    first: the number of the first portal, and of the tiles placed before. Returns: how many are placed now.
    """
    outline, places, sides = grids[Grid.OUTLINE], lists[List.ORIGINS], lists[List.ROTS]
    count = 0
    border = lists[List.BORDER]
    _sort(border, int(lists[List.SIZES, List.BORDER]))
    for number in range(lists[List.SIZES, List.BORDER]):
        place = int(border[number])
        if outline[place] > 1:
            side = _side(grids[Grid.TERRAIN], place, lists[List.STEPS], stream)
            if side != _NOTHING:
                places[count], sides[count] = place, side
                count += 1
    highest = -1
    one = other = 0
    for here in range(count):
        for there in range(here + 1, count):
            apart = _apart(int(places[here]), int(places[there]))
            score = int(draw_below(stream, _PORTALS_WHIM)) + _PORTALS_APART * apart
            if score > highest:
                highest, one, other = score, here, there
    if highest < 0:
        return first
    for number in range(2):
        portal, place = first + number, one if number == 0 else other
        placed[portal, Drawn.TILE] = portal
        placed[portal, Drawn.Q], placed[portal, Drawn.R] = _q(int(places[place])), _r(int(places[place]))
        placed[portal, Drawn.ROT] = (sides[place] - made[portal, Made.OPEN]) % _TURNS
    return first + 2


@entry
def draw_standard(
    cells: np.ndarray,
    made: np.ndarray,
    centres: np.ndarray,
    grids: np.ndarray,
    lists: np.ndarray,
    stream: np.ndarray,
    placed: np.ndarray,
) -> int:
    """Shuffle the large tiles over the standard centres, each with a random rotation. Rule: E2.4, E2.5.

    centres: int64[large, 2]. The other arguments and the result are those of ``draw_free``.
    """
    large, order = len(centres), lists[List.ORDER]
    for _ in range(_STANDARD_BOARDS):
        _count_up(order, large)
        _shuffle(order, 0, large, stream)
        for number in range(large):
            placed[number, Drawn.TILE] = order[number]
            placed[number, Drawn.Q], placed[number, Drawn.R] = centres[number, 0], centres[number, 1]
            placed[number, Drawn.ROT] = draw_below(stream, _TURNS)
        if _is_playable(cells, made, placed, large, grids, lists):
            return large
    return -large


@entry
def draw_free(
    cells: np.ndarray,
    made: np.ndarray,
    large: int,
    small: int,
    grids: np.ndarray,
    lists: np.ndarray,
    outline: np.ndarray,
    stream: np.ndarray,
    placed: np.ndarray,
) -> int:
    """Draw a board with small tiles. Rule: E9.

    cells: int64[tiles, MOST_CELLS, 3]: q, r and terrain of each cell. made: int64[tiles, len(Made)].
    large, small: the numbers of large tiles and of small ones; two more tiles are portals. grids, lists,
    outline: of ``boards_work``, written. stream: uint64[1], written: the state of a ``Chance``. placed:
    int64[tiles, len(Drawn)], written.

    Returns: the number of placed tiles; the portals are not among them where no place is left for them. After
    too many tries the number is negative, and ``placed`` has the tiles of the last try.
    """
    count = large + small
    lowest = 0
    for number in range(min(_OUTLINES, 1 + _MANY_TILES // count)):
        _grow(cells, made, large, small, grids, lists, placed, stream)
        badness = _badness(grids[Grid.OUTLINE], lists, placed, count, large)
        if number == 0 or badness < lowest:
            lowest = badness
            for tile in range(count):
                for column in range(len(placed[tile])):
                    outline[tile, column] = placed[tile, column]
    is_playable = False
    deals = 0
    while deals < _DEALS and not is_playable:
        _deal(cells, made, large, outline, count, lists, placed, stream)
        is_playable = _is_playable(cells, made, placed, count, grids, lists)
        deals += 1
    if not is_playable:
        return -count
    if len(cells) == count:
        return count
    _clear(grids[Grid.OUTLINE], lists, List.BORDER)
    _clear(grids[Grid.OUTLINE], lists, List.SPACES)
    for number in range(count):
        origin = _place(int(outline[number, Drawn.Q]), int(outline[number, Drawn.R]))
        tile, rot = int(outline[number, Drawn.TILE]), int(outline[number, Drawn.ROT])
        _put(grids, lists, origin, _turn(cells, made, tile, rot, lists[List.STEPS]))
    return _add_portals(made, count, grids, lists, placed, stream)
