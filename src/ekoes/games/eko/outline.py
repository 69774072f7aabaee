"""Grow the outline of a random board: where large and small tiles lie, whatever their terrain.

A space is one number here, ``q * 256 + r``: adding the number of an offset is one step on the
board, which makes trying some thousand placements cheap. All scores are whole numbers, so that
one seed gives the same board on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ekoes.games.eko.geometry import DIRECTIONS, distance

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ekoes.games.chance import Chance
    from ekoes.games.eko.tiles import Tile

__all__ = ["Outline", "grow"]

_ROW = 256
_STEPS = tuple(q * _ROW + r for q, r in DIRECTIONS)
_LONE_CELL = 5


def _number(offset: tuple[int, int]) -> int:
    return offset[0] * _ROW + offset[1]


def _offset(number: int) -> tuple[int, int]:
    q = (number + _ROW // 2) // _ROW
    return q, number - q * _ROW


@dataclass(frozen=True)
class _Placement:
    """A way to lay one tile: the number of its origin, its turn, the numbers of its cells."""

    origin: int
    rot: int
    cells: tuple[int, ...]


class Outline:
    """A board while it grows: which spaces are taken, and by which tile.

    placed: (tile, q, r, rot) in the order of laying.
    """

    def __init__(self) -> None:
        self.placed: list[tuple[str, int, int, int]] = []
        self._taken: set[int] = set()
        self._border: dict[int, int] = {}
        self._small: list[tuple[int, int]] = []

    def add(self, name: str, tile: Tile, chance: Chance) -> None:
        """Lay a tile where it fits best: much contact, few pits, small ones far from each other."""
        if not self._taken:
            self._lay(name, tile, _Placement(0, 0, tuple(map(_number, tile.turns[0]))))
            return
        small = not tile.is_large
        ways = self._placements(tile)
        contacts = [sum(self._border.get(cell, 0) for cell in way.cells) for way in ways]
        edges = 6 * len(tile.cells) - sum(
            distance(cell, other) == 1 for cell in tile.cells for other in tile.cells
        )
        scored = []
        for way, touching in zip(ways, contacts, strict=True):
            score = 1000 * touching // edges + chance.below(120)
            score -= 60 * distance(_offset(way.origin), (0, 0))
            if small:
                score += 90 * min(self._apart(way), 5)
            scored.append((score, way))
        scored.sort(key=lambda pair: (-pair[0], pair[1].origin, pair[1].rot))
        best = max(scored[:24], key=lambda pair: pair[0] - 150 * self._pits(pair[1]))
        self._lay(name, tile, best[1])

    def notches(self) -> list[tuple[int, int]]:
        """Return the empty spaces that touch at least two spaces of the board."""
        return [_offset(space) for space, touching in sorted(self._border.items()) if touching > 1]

    def badness(self) -> int:
        """Return how ragged the board is: its border, pits counted more; small tiles in a heap."""
        pits = sum(count >= _LONE_CELL for count in self._border.values())
        close = sum(
            max(0, 4 - distance(one, other)) ** 2
            for place, one in enumerate(self._small)
            for other in self._small[:place]
        )
        return 10 * len(self._border) + 25 * pits + 15 * close

    def _placements(self, tile: Tile) -> list[_Placement]:
        """Return every way to lay the tile on free spaces so that it touches the board."""
        ways: dict[tuple[int, ...], _Placement] = {}
        for rot, turn in enumerate(tile.turns):
            offsets = tuple(map(_number, turn))
            origins = dict.fromkeys(space - offset for space in self._border for offset in offsets)
            for origin in origins:
                cells = tuple([origin + offset for offset in offsets])
                if self._taken.isdisjoint(cells):
                    ways.setdefault(tuple(sorted(cells)), _Placement(origin, rot, cells))
        return list(ways.values())

    def _apart(self, way: _Placement) -> int:
        here = _offset(way.origin)
        return min((distance(here, other) for other in self._small), default=9)

    def _pits(self, way: _Placement) -> int:
        """Count the empty spaces beside a placement that it would leave all but enclosed."""
        cells = set(way.cells)
        beside = {cell + step for cell in cells for step in _STEPS} - cells - self._taken
        return sum(
            self._border.get(space, 0) + sum(space + step in cells for step in _STEPS) >= _LONE_CELL
            for space in beside
        )

    def _lay(self, name: str, tile: Tile, way: _Placement) -> None:
        self._taken.update(way.cells)
        for cell in way.cells:
            self._border.pop(cell, None)
        for cell in way.cells:
            for step in _STEPS:
                if cell + step not in self._taken:
                    self._border[cell + step] = self._border.get(cell + step, 0) + 1
        q, r = _offset(way.origin)
        self.placed.append((name, q, r, way.rot))
        if not tile.is_large:
            self._small.append((q, r))


def grow(large: Sequence[tuple[str, Tile]], small: Sequence[tuple[str, Tile]], chance: Chance) -> Outline:
    """Lay all tiles, the small ones spread evenly over the growth: between large ones and around.

    large: at least one.
    """
    large, small = list(large), list(small)
    chance.shuffle(large)
    chance.shuffle(small)
    outline = Outline()
    for turn in range(len(large)):
        outline.add(*large[turn], chance)
        due = len(small) * turn // (len(large) - 1) if len(large) > 1 else len(small)
        already = len(outline.placed) - turn - 1
        for name, tile in small[already:due]:
            outline.add(name, tile, chance)
    return outline
