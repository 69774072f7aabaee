"""Signs: what lies at the corner that three spaces share, who holds it, and its points (E10.3, E10.6)."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ekoes.games.kernels.bits import bit, both, has, read, size, union, write
from ekoes.games.kernels.jit import helper


class Sign(IntEnum):
    """A sign at the corner that the three spaces of a tile share."""

    NONE = 0
    PYRAMID = 1
    BEACON = 2

    @property
    def word(self) -> str:
        """The machine name, such as ``pyramid``."""
        return self.name.lower()

    @property
    def plural(self) -> str:
        """The machine name of several, such as ``pyramids``."""
        return f"{self.word}s"

    @property
    def letter(self) -> str:
        """The letter in the names of boards that openings are stored under."""
        return _LETTERS[self]


_LETTERS = " pb"
WORTH = np.array([0, 2, 0], np.int8)
"""By sign the points that one gives; 0: none (E11.1)."""
SCORING = tuple(int(sign) for sign in Sign if WORTH[sign])
"""The signs that give points."""


@helper
def add_sign(board: np.record, cells: np.ndarray, first: int, end: int, tile: int, sign: int) -> None:
    """Add the sign of a tile, unless it has been added.

    cells: of ``layout.lay_tiles``. first: the first space of the tile; end: the number of spaces. tile, sign:
    the columns of ``cells`` with a space's tile and sign.
    """
    number = int(board.n_signs)
    for index in range(number):
        if has(read(board.signs, index), first):
            return
    board.sign[number] = cells[first, sign]
    board.n_signs = number + 1
    for space in range(first, end):
        if cells[space, tile] == cells[first, tile]:
            write(board.signs, number, union(read(board.signs, number), bit(space)))


@helper
def holds(board: np.record, state: np.record, index: int, player: int) -> bool:
    """Whether a player occupies strictly more of the three spaces of a sign than any other. Rule: E10.3."""
    spaces = read(board.signs, index)
    mine = size(both(read(state.own, player), spaces))
    if mine == 0:
        return False
    for other in range(board.players):
        if other != player and size(both(read(state.own, other), spaces)) >= mine:
            return False
    return True


@helper
def holds_one(board: np.record, state: np.record, sign: int, player: int) -> bool:
    """Whether a player holds a sign of a kind."""
    for index in range(board.n_signs):
        if board.sign[index] == sign and holds(board, state, index, player):
            return True
    return False


@helper
def points_at(board: np.record, state: np.record, index: int, player: int) -> int:
    """Return a player's points by a sign. Rule: E10.6."""
    worth = WORTH[board.sign[index]]
    return worth if worth and holds(board, state, index, player) else 0
