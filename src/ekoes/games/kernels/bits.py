"""Sets of whole numbers 0 … 127: member ``m`` is bit ``m % 64`` of word ``m // 64`` of two 64-bit words.

A set is a pair ``(low, high)`` of uint64: the spaces of a board, the cards of a hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from ekoes.kernel import COMPILED, helper

__all__ = [
    "CAPACITY",
    "EMPTY",
    "WORDS",
    "Bits",
    "add_member",
    "bit",
    "both",
    "drop_lowest",
    "has",
    "is_empty",
    "lowest",
    "members",
    "read",
    "size",
    "union",
    "without",
    "words_of",
    "write",
]

WORDS = 2
_WORD_BITS = 64
CAPACITY = WORDS * _WORD_BITS
"""How many numbers there are: the members of a set are 0 … CAPACITY - 1."""

Bits = tuple[np.uint64, np.uint64]

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
def bit(member: int) -> Bits:
    """Return the set of one member."""
    if member < _WORD_BITS:
        return _ONE << np.uint64(member), _ZERO
    return _ZERO, _ONE << np.uint64(member - _WORD_BITS)


@helper
def has(members: Bits, member: int) -> bool:
    """Whether a number is in a set."""
    if member < _WORD_BITS:
        return (members[0] >> np.uint64(member)) & _ONE != _ZERO
    return (members[1] >> np.uint64(member - _WORD_BITS)) & _ONE != _ZERO


@helper
def is_empty(members: Bits) -> bool:
    """Whether nothing is in a set."""
    return (members[0] | members[1]) == _ZERO


@helper
def size(members: Bits) -> int:
    """Return the number of members."""
    return _ones(members[0]) + _ones(members[1])


@helper
def lowest(members: Bits) -> int:
    """Return the lowest member of a set that isn't empty."""
    if members[0] != _ZERO:
        return _zeros_below(members[0])
    return _zeros_below(members[1]) + _WORD_BITS


@helper
def drop_lowest(members: Bits) -> Bits:
    """Return a set that isn't empty without its lowest member."""
    if members[0] != _ZERO:
        return members[0] & (members[0] - _ONE), members[1]
    return _ZERO, members[1] & (members[1] - _ONE)


@helper
def union(left: Bits, right: Bits) -> Bits:
    """Return the members of either set."""
    return left[0] | right[0], left[1] | right[1]


@helper
def both(left: Bits, right: Bits) -> Bits:
    """Return the members of both sets."""
    return left[0] & right[0], left[1] & right[1]


@helper
def without(left: Bits, right: Bits) -> Bits:
    """Return the members of the left set that are not in the right one."""
    return left[0] & ~right[0], left[1] & ~right[1]


@helper
def read(rows: np.ndarray, row: int) -> Bits:
    """Return the set that stands in a row of an array uint64[:, 2]."""
    return rows[row, 0], rows[row, 1]


@helper
def write(rows: np.ndarray, row: int, members: Bits) -> None:
    """Put a set into a row of an array uint64[:, 2]."""
    rows[row, 0] = members[0]
    rows[row, 1] = members[1]


def members(words: Sequence[int]) -> Iterator[int]:
    """Yield the members of a set given by its two words, ascending; for plain Python."""
    number = words[0] | (words[1] << _WORD_BITS)
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low


def words_of(members: Iterable[int]) -> tuple[int, int]:
    """Return the two words of a set, the inverse of ``members``; for plain Python."""
    number = sum(1 << member for member in set(members))
    return number & ((1 << _WORD_BITS) - 1), number >> _WORD_BITS


def add_member(rows: np.ndarray, row: int, member: int) -> None:
    """Add a member to the set in a row of an array uint64[:, 2]; for plain Python."""
    word, place = divmod(member, _WORD_BITS)
    rows[row, word] |= np.uint64(1 << place)
