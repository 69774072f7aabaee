"""Where stacks can go: connected empty regions, and journeys through tempest zones (E5.1, E10.2).

One flood fill finds all regions; a stack then reaches the regions that it touches, and what stands
at their rims. A region never mixes sand with a zone that would take a disc, so that a journey with
tempests is a walk from region to region.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ekoes.games.eko.rules.record import MOST_PLAYERS, TALLEST, Area
from ekoes.games.kernels.bits import (
    EMPTY,
    Bits,
    bit,
    both,
    drop_lowest,
    has,
    is_empty,
    lowest,
    read,
    size,
    union,
    without,
    write,
)
from ekoes.kernel import helper

__all__ = [
    "costly_spaces",
    "empty_spaces",
    "find_meetings",
    "find_regions",
    "holds_most",
    "ignores_tempests",
    "meets",
    "occupied",
    "roam",
]


@helper
def occupied(state: Any) -> Bits:
    """Return the spaces with a stack."""
    spaces = EMPTY
    for player in range(MOST_PLAYERS):
        spaces = union(spaces, read(state.own, player))
    return spaces


@helper
def empty_spaces(board: Any, state: Any) -> Bits:
    """Return the sand and tempest spaces without a stack."""
    return without(read(board.sets, Area.WALKABLE), occupied(state))


@helper
def holds_most(state: Any, spaces: Bits, player: int, players: int) -> bool:
    """Whether a player occupies strictly more of the spaces than any other. Rule: E10.3, E10.6."""
    mine = size(both(read(state.own, player), spaces))
    if mine == 0:
        return False
    for other in range(players):
        if other != player and size(both(read(state.own, other), spaces)) >= mine:
            return False
    return True


@helper
def ignores_tempests(board: Any, state: Any, player: int) -> bool:
    """Whether a player holds the Beacon of Eon. Rule: E10.3."""
    for index in range(board.n_beacons):
        if holds_most(state, read(board.beacons, index), player, board.players):
            return True
    return False


@helper
def costly_spaces(board: Any, state: Any, player: int) -> Bits:
    """Return the tempest spaces, with or without stacks, that would take a disc. Rule: E10.2."""
    tempests = read(board.sets, Area.TEMPEST)
    if is_empty(tempests) or ignores_tempests(board, state, player):
        return EMPTY
    return without(tempests, read(state.paid, 0))


@helper
def find_regions(board: Any, free: Bits, costly: Bits, work: Any) -> None:
    """Split the empty spaces into regions: free ones, and for each zone those of the zone.

    free: empty spaces that cost nothing; costly: empty spaces that take a disc.
    work: WORK, cells, rim and region written.
    """
    count = 0
    rest = union(free, costly)
    while not is_empty(rest):
        first = lowest(rest)
        within = free
        if has(costly, first):
            within = both(costly, read(board.zone, first))
        cells = bit(first)
        frontier = cells
        rim = EMPTY
        while not is_empty(frontier):
            space = lowest(frontier)
            frontier = drop_lowest(frontier)
            work.region[space] = count
            around = read(board.step, space)
            rim = union(rim, around)
            fresh = without(both(around, within), cells)
            cells = union(cells, fresh)
            frontier = union(frontier, fresh)
        write(work.cells, count, cells)
        write(work.rim, count, without(rim, cells))
        rest = without(rest, cells)
        count += 1


@helper
def roam(board: Any, work: Any, start: int, allowed: Bits) -> tuple[Bits, Bits]:
    """Return where a stack lifted from ``start`` can walk within the allowed empty spaces.

    Returns: the spaces it can reach (without the start), and all neighbours of those and of the
    start, whatever is there. Rule: E5.1 (the path may cross its own start again).
    """
    cells = EMPTY
    rim = read(board.step, start)
    frontier = both(rim, allowed)
    while not is_empty(frontier):
        region = work.region[lowest(frontier)]
        cells = union(cells, read(work.cells, region))
        rim = union(rim, read(work.rim, region))
        frontier = without(both(rim, allowed), cells)
    return cells, rim


@helper
def meets(state: Any, player: int, height: int, emperor: int) -> Bits:
    """Return the stacks that a stack of this height may join or attack. Rule: E5.2, E5.3, E5.5."""
    fitting = EMPTY
    for other in range(1, TALLEST - height + 1):
        fitting = union(fitting, read(state.tall, other))
    beaten = EMPTY
    for other in range(1, height + emperor):
        beaten = union(beaten, read(state.tall, other))
    if height == 1:
        beaten = union(beaten, read(state.tall, TALLEST))
    own = read(state.own, player)
    return union(both(fitting, own), without(beaten, own))


@helper
def find_meetings(state: Any, player: int, meeting: np.ndarray) -> None:
    """Write ``meets`` for each height, without the Emperor. meeting: uint64[TALLEST + 1, 2], written."""
    for height in range(1, TALLEST + 1):
        write(meeting, height, meets(state, player, height, 0))
