"""Grow the outline of a random board: where large and small tiles lie, whatever their terrain.

A space is one number here, ``q * 256 + r``: adding the number of an offset is one step on the
board, which makes trying some thousand placements cheap. All scores are whole numbers, so that
one seed gives the same board on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from ekoes.games.eko.geometry import DIRECTIONS, distance

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ekoes.games.chance import Chance
    from ekoes.games.eko.tiles import Tile

__all__ = ["Outline", "grow"]

_ROW = 256
_STEPS = tuple(q * _ROW + r for q, r in DIRECTIONS)
_ALL_BUT_ENCLOSED = 5
_WIDE_APART = 5
_ROUND = 726  # makes the second moment of a disc 100

# What the scores of a placement weigh against 1000 for a tile that touches the board all around.
_WHIM = 120
_CROWDING = 110
_PIT = 150
_LOOKED_AT = 24


def _number(offset: tuple[int, int]) -> int:
    return offset[0] * _ROW + offset[1]


def _offset(number: int) -> tuple[int, int]:
    q = (number + _ROW // 2) // _ROW
    return q, number - q * _ROW


def _far_out(offset: tuple[int, int]) -> int:
    q, r = offset
    return 11 * (q * q + q * r + r * r)


@dataclass(frozen=True)
class _Laid:
    """A way to lay one tile: the number of its origin, its turn, the numbers of its cells."""

    name: str
    tile: Tile
    origin: int
    rot: int
    cells: tuple[int, ...]

    @property
    def place(self) -> tuple[int, int]:
        """The origin as an offset."""
        return _offset(self.origin)


class Outline:
    """A board while it grows: which spaces are taken, and by which tile."""

    def __init__(self) -> None:
        self._laid: list[_Laid] = []
        self._taken: set[int] = set()
        self._border: dict[int, int] = {}
        """How many spaces of the board each empty space beside it touches."""

    @property
    def placed(self) -> list[tuple[str, int, int, int]]:
        """The tiles as (tile, q, r, rot)."""
        return [(laid.name, *laid.place, laid.rot) for laid in self._laid]

    def add(self, name: str, tile: Tile, chance: Chance) -> None:
        """Lay a tile where it fits best: much contact, few pits, small ones far from each other."""
        if not self._laid:
            self._put(_Laid(name, tile, 0, 0, tuple(map(_number, tile.turns[0]))))
            return
        edges = 6 * len(tile.cells) - 2 * sum(distance(*pair) == 1 for pair in combinations(tile.cells, 2))
        small = [laid.place for laid in self._laid if not laid.tile.is_large]
        scored = []
        for way in self._ways(name, tile):
            touching = sum([self._border.get(cell, 0) for cell in way.cells])
            score = 1000 * touching // edges + chance.below(_WHIM) - _far_out(way.place)
            if small and not tile.is_large:
                apart = min(distance(way.place, other) for other in small)
                score -= _CROWDING * max(0, _WIDE_APART - apart)
            scored.append((score, way))
        scored.sort(key=lambda pair: (-pair[0], pair[1].origin, pair[1].rot))
        best = max(scored[:_LOOKED_AT], key=lambda pair: pair[0] - _PIT * self._pits(pair[1]))
        self._put(best[1])

    def notches(self) -> list[tuple[int, int]]:
        """Return the empty spaces that touch at least two spaces of the board."""
        return [_offset(space) for space, touching in sorted(self._border.items()) if touching > 1]

    def badness(self) -> int:
        """Return how ragged the board is: long border, pits, length, small tiles beside each other."""
        pits = sum(count >= _ALL_BUT_ENCLOSED for count in self._border.values())
        small = [laid.place for laid in self._laid if not laid.tile.is_large]
        crowding = sum(max(0, _WIDE_APART - distance(*pair)) ** 2 for pair in combinations(small, 2))
        return 10 * len(self._border) + 25 * pits + 6 * crowding + 4 * self._length()

    def _length(self) -> int:
        """Return how much longer than wide the board is: 100 for a round one, 200 for a long one."""
        cells = [_offset(space) for space in self._taken]
        count, all_q, all_r = len(cells), sum(q for q, _ in cells), sum(r for _, r in cells)
        squares = count * sum(q * q + q * r + r * r for q, r in cells)
        about_middle = squares - (all_q * all_q + all_q * all_r + all_r * all_r)
        return _ROUND * about_middle // count**3

    def _ways(self, name: str, tile: Tile) -> Iterator[_Laid]:
        """Yield every way to lay the tile on free spaces so that it touches the board."""
        for rot in tile.distinct_turns:
            offsets = tuple(map(_number, tile.turns[rot]))
            for origin in dict.fromkeys(space - offset for space in self._border for offset in offsets):
                cells = tuple([origin + offset for offset in offsets])
                if self._taken.isdisjoint(cells):
                    yield _Laid(name, tile, origin, rot, cells)

    def _pits(self, way: _Laid) -> int:
        """Count the empty spaces beside a placement that it would leave all but enclosed."""
        cells = set(way.cells)
        beside = {cell + step for cell in cells for step in _STEPS} - cells - self._taken
        return sum(
            self._border.get(space, 0) + sum([space + step in cells for step in _STEPS]) >= _ALL_BUT_ENCLOSED
            for space in beside
        )

    def _put(self, way: _Laid) -> None:
        self._laid.append(way)
        self._taken.update(way.cells)
        for cell in way.cells:
            self._border.pop(cell, None)
        for space in (cell + step for cell in way.cells for step in _STEPS):
            if space not in self._taken:
                self._border[space] = self._border.get(space, 0) + 1


def grow(large: Sequence[tuple[str, Tile]], small: Sequence[tuple[str, Tile]], chance: Chance) -> Outline:
    """Lay all tiles, the small ones spread evenly over the growth: between large ones and around.

    large: at least one.
    """
    large, small = list(large), list(small)
    chance.shuffle(large)
    chance.shuffle(small)
    outline = Outline()
    gaps = max(1, len(large) - 1)
    laid = 0
    for turn, tile in enumerate(large):
        outline.add(*tile, chance)
        due = len(small) if len(large) == 1 else (2 * len(small) * turn + gaps) // (2 * gaps)
        for name, added in small[laid:due]:
            outline.add(name, added, chance)
        laid = due
    return outline
