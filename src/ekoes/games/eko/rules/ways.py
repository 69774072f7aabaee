"""The ways of a stack: a broad search over empty spaces that notes which zones take a disc (E5.1, E10.2).

A *node* is a space that is reached with a set of zones met on the way:

    space | node before, -1 at the start | zone that took a disc on entering, NO_SPACE: none
      0                 1                                       2
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ekoes.games.eko.rules.reach import costly_spaces, occupied
from ekoes.games.eko.rules.record import NO_SPACE, SPACES, Area
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
from ekoes.kernel import helper

__all__ = ["MOST_NODES", "find_ways"]

MOST_NODES = 2048
"""Where a search ends: only boards with more tempests than the box holds lead so far."""

_NONE = -1


@helper
def find_ways(board: Any, state: Any, start: int, target: int, zones: Bits) -> np.ndarray:
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
def zone_at(board: Any, costly: Bits, space: int) -> int:
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
