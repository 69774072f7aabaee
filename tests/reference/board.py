"""The board that a list of placed tiles makes (E2), and the checks of E2.8."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tests.reference.common import Refused
from tests.reference.tiles import (
    COPIES,
    DIRECTIONS,
    GROUPS,
    LARGE,
    SMALL,
    WORDS,
    cells_of,
    replaced_by_temples,
    turned,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

PORTALS_IN_PAIRS = (0, 2)
MOST_SPACES = 127


@dataclass
class Board:
    """Spaces are written "q,r" everywhere; lists of them ascend by space index (E2.6)."""

    players: int
    spaces: list[str] = field(default_factory=list)
    terrain: dict[str, str] = field(default_factory=dict)
    adjacent: dict[str, list[str]] = field(default_factory=dict)
    """E2.7, by coordinates alone."""
    steps: dict[str, list[str]] = field(default_factory=dict)
    """Where a stack can step from a movement space: adjacent ones and the portal link."""
    zone: dict[str, str] = field(default_factory=dict)
    """E10.2: tempest space -> the name of its zone, its space of lowest index."""
    pyramids: list[list[str]] = field(default_factory=list)
    beacons: list[list[str]] = field(default_factory=list)
    index: dict[str, int] = field(default_factory=dict)

    def is_walkable(self, space: str) -> bool:
        """Discs may stand here: sand or tempest (E1.5)."""
        return self.terrain.get(space) in ("sand", "tempest")

    def sorted(self, spaces: Iterable[str]) -> list[str]:
        """These spaces, ascending by space index."""
        return sorted(spaces, key=self.index.__getitem__)


def name(q: int, r: int) -> str:
    """Write a space."""
    return f"{q},{r}"


def coordinates(space: str) -> tuple[int, int]:
    """Read a space."""
    q, r = space.split(",")
    return int(q), int(r)


def groups_of(spaces: list[str], neighbours: Callable[[str], list[str]]) -> list[list[str]]:
    """The connected groups among these spaces."""
    left, groups = list(spaces), []
    while left:
        group, queue = [], [left.pop(0)]
        while queue:
            space = queue.pop()
            group.append(space)
            for other in neighbours(space):
                if other in left:
                    left.remove(other)
                    queue.append(other)
        groups.append([space for space in spaces if space in group])
    return groups


def board_of(position: dict[str, Any]) -> Board:
    """The board of a position. Raises Refused when its layout breaks E2.8."""
    return _board(position["players"], tuple(map(tuple, position["tiles"])))


@lru_cache(maxsize=512)
def _board(players: int, tiles: tuple[tuple[str, int, int, int], ...]) -> Board:
    _check_counts(players, [tile for tile, *_ in tiles])
    board = Board(players)
    portals = _lay(board, tiles)
    for space in board.spaces:
        q, r = coordinates(space)
        around = [name(q + dq, r + dr) for dq, dr in DIRECTIONS]
        board.adjacent[space] = [other for other in around if other in board.terrain]
        board.steps[space] = [other for other in board.adjacent[space] if board.is_walkable(other)]
    _link_portals(board, portals)
    tempests = [space for space in board.spaces if board.terrain[space] == "tempest"]
    for group in groups_of(tempests, board.adjacent.__getitem__):
        board.zone.update(dict.fromkeys(group, group[0]))
    _check_shape(board)
    return board


def _check_counts(players: int, tiles: list[str]) -> None:
    """E2.8: which tiles, and how many of each."""
    used = Counter(tiles)
    for tile in used:
        if tile not in LARGE and tile not in SMALL and tile not in ("N", "O"):
            raise Refused("E2.8", f"there is no tile {tile}")
    replaced = replaced_by_temples(set(used))
    wanted = {tile for tile in GROUPS[players] if tile not in replaced.values()} | set(replaced)
    for tile, count in used.items():
        if tile in SMALL and count > COPIES[tile]:
            raise Refused("E2.8", f"{count} tiles {tile}, the box holds {COPIES[tile]}")
        if tile not in SMALL and (count != 1 or tile not in wanted):
            raise Refused("E2.8", f"large tile {tile} is not to be used so")
    if not wanted <= set(used):
        raise Refused("E2.8", f"large tiles are missing: {sorted(wanted - set(used))}")
    if used["R"] not in PORTALS_IN_PAIRS:
        raise Refused("E2.8", "portals number 0 or 2")


def _lay(board: Board, tiles: Sequence[tuple[str, int, int, int]]) -> list[tuple[str, str]]:
    """Lay the tiles; returns each portal with the space that its open side faces."""
    laid: dict[tuple[int, int], str] = {}
    portals, pyramids, beacons = [], [], []
    used = {tile for tile, *_ in tiles}
    for tile, q, r, rot in tiles:
        cells = []
        for offset, letter in cells_of(tile, used):
            dq, dr = turned(offset, rot)
            if (q + dq, r + dr) in laid:
                raise Refused("E2.8", f"tiles overlap on {name(q + dq, r + dr)}")
            laid[q + dq, r + dr] = WORDS[letter]
            cells.append(name(q + dq, r + dr))
        if tile == "R":
            dq, dr = DIRECTIONS[rot]
            portals.append((name(q, r), name(q + dq, r + dr)))
        if tile == "S":
            pyramids.append(cells)
        if tile == "U":
            beacons.append(cells)
    ordered = sorted(laid, key=lambda space: (space[1], space[0]))
    board.spaces = [name(*space) for space in ordered]
    board.terrain = {name(*space): laid[space] for space in ordered}
    board.index = {space: index for index, space in enumerate(board.spaces)}
    board.pyramids = [board.sorted(cells) for cells in pyramids]
    board.beacons = [board.sorted(cells) for cells in beacons]
    return portals


def _link_portals(board: Board, portals: list[tuple[str, str]]) -> None:
    """E10.1: two portals make the spaces in front of them neighbours for movement."""
    for portal, front in portals:
        if not board.is_walkable(front):
            raise Refused("E2.8", f"the portal {portal} does not open on a movement space")
    if portals:
        (_, one), (_, other) = portals
        for here, there in ((one, other), (other, one)):
            if here != there and there not in board.steps[here]:
                board.steps[here].append(there)


def _check_shape(board: Board) -> None:
    """E2.8: connection and numbers of spaces."""
    walkable = [space for space in board.spaces if board.is_walkable(space)]
    if len(board.spaces) > MOST_SPACES:
        raise Refused("E2.8", "too many spaces")
    if len(groups_of(board.spaces, board.adjacent.__getitem__)) != 1:
        raise Refused("E2.8", "the tiles are not connected")
    if Counter(board.terrain.values())["sand"] != 16 * board.players:
        raise Refused("E2.8", "not 16 sand spaces for every player")
    if "capital" not in board.terrain.values():
        raise Refused("E2.8", "no capital")
    if len(groups_of(walkable, board.steps.__getitem__)) != 1:
        raise Refused("E2.8", "movement spaces are cut off")
