"""What people call the spaces of a board (E2.1): ``c5`` is the third row from the top and its fifth diagonal.

The letter is the row, from the top: a, b, … z, aa, ab, … The number is the diagonal: ``q`` counted from
the board's leftmost, from 1. Who lays no board out writes the coordinates ``q,r``; both are read
everywhere people write.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ekoes.games.eko.action import Space

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["NAME", "Names"]

NAME = r"[A-Za-z]{1,2}[1-9][0-9]{0,3}"
"""A name, as a regular expression."""

_NAME = re.compile(r"([a-z]{1,2})([1-9][0-9]{0,3})", re.ASCII)
_LETTERS = 26
_ROWS = _LETTERS * (_LETTERS + 1)
_DIAGONALS = 9999


class Names(NamedTuple):
    """The names of the spaces of one board. left: its least q; top: its least r."""

    left: int
    top: int

    @classmethod
    def of(cls, spaces: Iterable[Space]) -> Names:
        """Return the names of a board with these spaces."""
        known = tuple(spaces)
        return cls(min(space.q for space in known), min(space.r for space in known))

    def write(self, space: Space) -> str:
        """Name a space, ``c5``; one that no letter or number is left for is ``q,r``."""
        row, diagonal = space.r - self.top, space.q - self.left + 1
        if not (0 <= row < _ROWS and 1 <= diagonal <= _DIAGONALS):
            return str(space)
        return f"{_letters(row)}{diagonal}"

    def read(self, text: str, key: str = "space") -> Space:
        """Read ``c5`` or ``q,r``, the inverse of ``write``. Raises NotationError naming the key (E2.1)."""
        match = _NAME.fullmatch(text.lower())
        if match is None:
            return Space.parse(text, key)
        return Space(self.left + int(match[2]) - 1, self.top + _row(match[1]))


def _letters(row: int) -> str:
    before, last = divmod(row, _LETTERS)
    return (chr(ord("a") + before - 1) if before else "") + chr(ord("a") + last)


def _row(letters: str) -> int:
    row = 0
    for letter in letters:
        row = _LETTERS * row + ord(letter) - ord("a") + 1
    return row - 1
