"""Where stacks can go: connected empty regions, and paths through tempest zones (E5.1, E10.2)."""

from __future__ import annotations

import numpy as np

from ekoes.games.eko.rules.record import MOST_PLAYERS, NO_SPACE, SPACES, TALLEST, Area
from ekoes.games.eko.rules.signs import Sign, holds_one
from ekoes.games.kernels.bits import (
    EMPTY,
    WORDS,
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
from ekoes.games.kernels.jit import helper


@helper
def occupied(state: np.record) -> Bits:
    """Return the spaces with a stack."""
    spaces = EMPTY
    for player in range(MOST_PLAYERS):
        spaces = union(spaces, read(state.own, player))
    return spaces


@helper
def empty_spaces(board: np.record, state: np.record) -> Bits:
    """Return the sand and tempest spaces without a stack."""
    return without(read(board.sets, Area.WALKABLE), occupied(state))


@helper
def ignores_tempests(board: np.record, state: np.record, player: int) -> bool:
    """Whether a player holds the Beacon of Eon. Rule: E10.3."""
    return holds_one(board, state, Sign.BEACON, player)


@helper
def costly_spaces(board: np.record, state: np.record, player: int) -> Bits:
    """Return the tempest spaces, with or without stacks, that would take a disc. Rule: E10.2."""
    tempests = read(board.sets, Area.TEMPEST)
    if is_empty(tempests) or ignores_tempests(board, state, player):
        return EMPTY
    return without(tempests, read(state.paid, 0))


@helper
def find_regions(board: np.record, free: Bits, costly: Bits, work: np.record) -> None:
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
def roam(board: np.record, work: np.record, start: int, allowed: Bits) -> tuple[Bits, Bits]:
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
def meets(state: np.record, player: int, height: int, emperor: int) -> Bits:
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
def find_meetings(state: np.record, player: int, meeting: np.ndarray) -> None:
    """Write ``meets`` for each height, without the Emperor. meeting: uint64[TALLEST + 1, 2], written."""
    for height in range(1, TALLEST + 1):
        write(meeting, height, meets(state, player, height, 0))


MOST_NODES = 2048
"""Most nodes of a search; a board reaches it only with more tempests than the box holds."""

_NONE = -1


@helper
def find_paths(board: np.record, state: np.record, start: int, target: int, zones: Bits) -> np.ndarray:
    """Return the nodes that the stack on ``start`` can reach, the nearest first: int16[…, 3].

    target: where the search ends, having met just ``zones``; NO_SPACE: it finds all there is.
    """
    nodes = np.empty((MOST_NODES, 3), np.int16)
    met = np.empty((MOST_NODES, WORDS), np.uint64)
    older = np.empty(MOST_NODES, np.int16)
    latest = np.full(SPACES, _NONE, np.int16)
    costly = costly_spaces(board, state, int(state.player))
    filled = without(occupied(state), bit(start))
    height = int(state.height[start])
    zone = zone_at(board, costly, start)
    write(met, 0, bit(zone) if zone != NO_SPACE else EMPTY)
    count = put_node(nodes, older, latest, 0, start, _NONE, zone)
    here = 0
    while here < count < MOST_NODES:
        space = int(nodes[here, 0])
        paid = read(met, here)
        if space == target and paid == zones:
            return nodes[: here + 1]
        around = read(board.step, space)
        if has(filled, space) or size(paid) == height:
            here += 1
            continue
        while not is_empty(around) and count < MOST_NODES:
            near = lowest(around)
            around = drop_lowest(around)
            zone = zone_at(board, costly, near)
            then = paid if zone == NO_SPACE else union(paid, bit(zone))
            astray = target != NO_SPACE and not is_empty(without(then, zones))
            if astray or is_known(met, older, int(latest[near]), then):
                continue
            write(met, count, then)
            entered = zone if then != paid else NO_SPACE
            count = put_node(nodes, older, latest, count, near, here, entered)
        here += 1
    return nodes[:count]


@helper
def zone_at(board: np.record, costly: Bits, space: int) -> int:
    """Return the zone that takes a disc on a space, by its first space; NO_SPACE: none."""
    if not has(costly, space):
        return NO_SPACE
    return lowest(both(read(board.zone, space), read(board.sets, Area.ZONE_HEADS)))


@helper
def is_known(met: np.ndarray, older: np.ndarray, latest: int, zones: Bits) -> bool:
    """Whether a space was reached before with the same zones. latest: the node that reached it last."""
    node = latest
    while node != _NONE:
        if read(met, node) == zones:
            return True
        node = int(older[node])
    return False


@helper
def put_node(
    nodes: np.ndarray, older: np.ndarray, latest: np.ndarray, count: int, space: int, before: int, zone: int
) -> int:
    """Append a node. Returns the new number of nodes."""
    nodes[count, 0] = space
    nodes[count, 1] = before
    nodes[count, 2] = zone
    older[count] = latest[space]
    latest[space] = count
    return count + 1
