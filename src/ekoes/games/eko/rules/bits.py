"""Sets of spaces: space ``s`` is bit ``s % 64`` of word ``s // 64`` of a pair of 64-bit words.

A set is a pair ``(low, high)`` of uint64. Space 127 is never on a board, so that it can stand for
"no space" wherever an index is wanted.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from ekoes.kernel import COMPILED, helper

__all__ = [
    "EMPTY",
    "NO_SPACE",
    "Bits",
    "bit",
    "both",
    "drop_lowest",
    "has",
    "is_empty",
    "lowest",
    "read",
    "size",
    "union",
    "without",
    "write",
]

Bits = tuple[np.uint64, np.uint64]

NO_SPACE = 127
EMPTY: Bits = (np.uint64(0), np.uint64(0))

_ONE = np.uint64(1)
_ZERO = np.uint64(0)

if COMPILED:
    from llvmlite import ir

    @intrinsic
    def _ones(_context: Any, _word: Any) -> Any:
        """Count the ones of a word: one machine instruction."""

        def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.int64(types.uint64), generate

    @intrinsic
    def _zeros_below(_context: Any, _word: Any) -> Any:
        """Count the zeros below the lowest one of a word that isn't zero."""

        def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.uint64), generate

else:

    def _ones(word: np.uint64) -> int:
        return int(word).bit_count()

    def _zeros_below(word: np.uint64) -> int:
        number = int(word)
        return (number & -number).bit_length() - 1


@helper
def bit(space: int) -> Bits:
    """Return the set of one space, 0 … 127."""
    if space < 64:
        return _ONE << np.uint64(space), _ZERO
    return _ZERO, _ONE << np.uint64(space - 64)


@helper
def has(spaces: Bits, space: int) -> bool:
    """Whether a space is in a set."""
    if space < 64:
        return (spaces[0] >> np.uint64(space)) & _ONE != _ZERO
    return (spaces[1] >> np.uint64(space - 64)) & _ONE != _ZERO


@helper
def is_empty(spaces: Bits) -> bool:
    """Whether no space is in a set."""
    return (spaces[0] | spaces[1]) == _ZERO


@helper
def size(spaces: Bits) -> int:
    """Return the number of spaces in a set."""
    return _ones(spaces[0]) + _ones(spaces[1])


@helper
def lowest(spaces: Bits) -> int:
    """Return the lowest space of a set that isn't empty."""
    if spaces[0] != _ZERO:
        return _zeros_below(spaces[0])
    return _zeros_below(spaces[1]) + 64


@helper
def drop_lowest(spaces: Bits) -> Bits:
    """Return a set that isn't empty without its lowest space."""
    if spaces[0] != _ZERO:
        return spaces[0] & (spaces[0] - _ONE), spaces[1]
    return _ZERO, spaces[1] & (spaces[1] - _ONE)


@helper
def union(left: Bits, right: Bits) -> Bits:
    """Return the spaces in either set."""
    return left[0] | right[0], left[1] | right[1]


@helper
def both(left: Bits, right: Bits) -> Bits:
    """Return the spaces in both sets."""
    return left[0] & right[0], left[1] & right[1]


@helper
def without(left: Bits, right: Bits) -> Bits:
    """Return the spaces of the left set that are not in the right one."""
    return left[0] & ~right[0], left[1] & ~right[1]


@helper
def read(rows: np.ndarray, row: int) -> Bits:
    """Return the set that stands in a row of an array uint64[:, 2]."""
    return rows[row, 0], rows[row, 1]


@helper
def write(rows: np.ndarray, row: int, spaces: Bits) -> None:
    """Put a set into a row of an array uint64[:, 2]."""
    rows[row, 0] = spaces[0]
    rows[row, 1] = spaces[1]
