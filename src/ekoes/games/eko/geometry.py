"""Hexagonal geometry: directions, turning and connected groups (E2.1, E2.2, E2.7).

Axial coordinates, pointy-top hexagons, ``r`` growing downwards; directions count counter-clockwise::

       2 NW   1 NE
     3 W    ·    0 E
       4 SW   5 SE
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

__all__ = ["DIRECTIONS", "TURNS", "connected_groups", "distance", "turned"]

Offset = tuple[int, int]

DIRECTIONS: tuple[Offset, ...] = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
TURNS = len(DIRECTIONS)
"""Of 60° each: as many bring a tile back to how it lay."""

Node = TypeVar("Node", bound="Hashable")


def turned(offset: Offset, rot: int) -> Offset:
    """Turn an offset counter-clockwise by ``rot`` steps of 60°. Rule: E2.2."""
    q, r = offset
    for _ in range(rot % TURNS):
        q, r = q + r, -q
    return q, r


def distance(one: Offset, other: Offset) -> int:
    """Return the number of steps between two spaces of an endless board."""
    q, r = one[0] - other[0], one[1] - other[1]
    return max(abs(q), abs(r), abs(q + r))


def connected_groups(nodes: Iterable[Node], neighbours: Callable[[Node], Iterable[Node]]) -> list[list[Node]]:
    """Split nodes into their connected groups, each in the order of ``nodes``.

    neighbours: what a node touches; anything that is not among the nodes is ignored.
    """
    order = {node: place for place, node in enumerate(nodes)}
    groups: list[list[Node]] = []
    seen: set[Node] = set()
    for start in order:
        if start in seen:
            continue
        seen.add(start)
        group = [start]
        for node in group:
            fresh = [other for other in neighbours(node) if other in order and other not in seen]
            seen.update(fresh)
            group.extend(dict.fromkeys(fresh))
        groups.append(sorted(group, key=order.__getitem__))
    return groups
