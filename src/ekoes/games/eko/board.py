"""A layout as the kernels read it: one record, built once by plain Python, with scratch memory."""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ekoes.errors import LayoutError
from ekoes.games.eko.rules.entry_points import list_decisions
from ekoes.games.eko.rules.record import BOARD, LEVELS, Area
from ekoes.games.eko.rules.workspace import MAX_ZONES, make_workspace
from ekoes.games.eko.tiles import Terrain
from ekoes.games.kernels.bits import words_of
from ekoes.games.numbers import rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ekoes.games.eko.layout import Layout

__all__ = ["HIGHEST_LEVEL", "Board", "build_board", "known_board"]

_FEW_CODES = 4096
_BOARDS_KNOWN = 256

HIGHEST_LEVEL: dict[Terrain, int] = {
    Terrain.REG: 1,
    Terrain.MOON: 1,
    Terrain.SANDTEMPLE: 1,
    Terrain.WIND: 1,
    Terrain.CANYON: 2,
    Terrain.CAPITAL: 2,
    Terrain.MOUNTAIN: 3,
}
"""The highest level of building that a terrain carries (E1.5)."""

_AREA_TERRAINS: dict[Area, frozenset[Terrain]] = {
    Area.WALKABLE: frozenset({Terrain.SAND, Terrain.TEMPEST}),
    Area.SAND: frozenset({Terrain.SAND}),
    Area.TEMPEST: frozenset({Terrain.TEMPEST}),
    Area.SITES: frozenset(HIGHEST_LEVEL),
    Area.CAPITALS: frozenset({Terrain.CAPITAL}),
    Area.MOON: frozenset({Terrain.MOON}),
    Area.SANDTEMPLE: frozenset({Terrain.SANDTEMPLE}),
    Area.WIND: frozenset({Terrain.WIND}),
}


class _Scratch(threading.local):
    """Memory of one thread: of each board it would be megabytes."""

    def __init__(self) -> None:
        self.work: np.ndarray[Any, Any] = make_workspace()
        self.codes: np.ndarray[Any, Any] = np.zeros(_FEW_CODES, np.int64)


_SCRATCH = _Scratch()


class Board:
    """A layout with what the kernels need; shared by all positions on it.

    spaces, tiles: as JSON writes them; nobody changes these.
    """

    def __init__(self, layout: Layout) -> None:
        """Build the kernels' record of a layout."""
        self.layout = layout
        self.spaces = tuple(map(str, layout.spaces))
        self.tiles = layout.to_json()
        self.record = build_board(layout)

    @property
    def work(self) -> np.ndarray[Any, Any]:
        """Scratch memory of the thread that asks, WORK[1]; its boards share it."""
        return _SCRATCH.work

    def __reduce__(self) -> tuple[Callable[..., Board], tuple[Layout]]:
        """Pickle as the layout alone; who reads it builds each board once."""
        return known_board, (self.layout,)

    def list_codes(self, states: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Return the codes of all legal decisions in a state. states: STATE[1]. Returns: int64[…]."""
        work, out = _SCRATCH.work, _SCRATCH.codes
        count = list_decisions(self.record, states, work, out)
        if count > len(out):
            out = _SCRATCH.codes = np.zeros(2 * count, np.int64)
            count = list_decisions(self.record, states, work, out)
        return out[:count].copy()


@lru_cache(_BOARDS_KNOWN)
def known_board(layout: Layout) -> Board:
    """Return the board of a layout, built once; for what is read again and again."""
    return Board(layout)


def build_board(layout: Layout) -> np.ndarray[Any, Any]:
    """Return the board of a layout as BOARD[1], to be read only.

    Raises: LayoutError for more tempest zones than the kernels have room for.
    """
    if len(layout.zones) > MAX_ZONES:
        message = f"the board has {len(layout.zones)} tempest zones; at most {MAX_ZONES} are supported"
        raise LayoutError(message, rule="E10.2", key="tiles")
    boards = np.zeros(1, BOARD)
    board = rows(boards)
    board.near[: len(layout.spaces)] = list(map(words_of, layout.neighbours))
    board.step[: len(layout.spaces)] = list(map(words_of, layout.steps))
    for zone in layout.zones:
        board.zone[list(zone)] = words_of(zone)
    for area, terrains in _AREA_TERRAINS.items():
        board.sets[area] = words_of(_spaces_of(layout, terrains))
    board.sets[Area.ZONE_HEADS] = words_of(zone[0] for zone in layout.zones)
    for level in range(1, LEVELS + 1):
        strong = {terrain for terrain, highest in HIGHEST_LEVEL.items() if highest >= level}
        board.carries[level] = words_of(_spaces_of(layout, strong))
    for name, signs in (("pyramids", layout.pyramids), ("beacons", layout.beacons)):
        boards[f"n_{name}"] = len(signs)
        for row, spaces in enumerate(signs):
            boards[name][0, row] = words_of(spaces)
    boards["players"] = layout.players
    return boards


def _spaces_of(layout: Layout, terrains: Iterable[Terrain]) -> Iterable[int]:
    wanted = frozenset(terrains)
    return (space for space, terrain in enumerate(layout.terrain) if terrain in wanted)
