"""Sets of the whole numbers 0 … 127 as two 64-bit words, a stream of random numbers, and a lock (kernels)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from ekoes.games.kernels import COMPILED
from ekoes.games.kernels.jit import helper

WORDS = 2
_WORD_BITS = 64
CAPACITY = WORDS * _WORD_BITS
"""Members of a set are 0 … CAPACITY - 1."""

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

    def _pointer(context: Any, builder: Any, array_type: Any, array: Any) -> Any:
        return context.make_array(array_type)(context, builder, array).data

    @intrinsic
    def _try_acquire(_context: Any, words: Any) -> Any:
        """Change the first word from 0 to 1, as one step. Returns whether it was 0."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            zero, one = (ir.Constant(ir.IntType(64), value) for value in (0, 1))
            word = _pointer(context, builder, signature.args[0], args[0])
            pair = builder.cmpxchg(word, zero, one, "acquire", "monotonic")
            return builder.extract_value(pair, 1)

        return types.boolean(words), generate

    @intrinsic
    def _clear(_context: Any, words: Any) -> Any:
        """Write 0 to the first word, after all that was written before."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word = _pointer(context, builder, signature.args[0], args[0])
            builder.store_atomic(ir.Constant(ir.IntType(64), 0), word, "release", 8)
            return context.get_dummy_value()

        return types.void(words), generate

else:

    def _ones(word: np.uint64) -> int:
        return int(word).bit_count()

    def _zeros_below(word: np.uint64) -> int:
        number = int(word)
        return (number & -number).bit_length() - 1

    # interpreted kernels run in one thread
    def _try_acquire(words: np.ndarray) -> bool:
        words[0] = 1
        return True

    def _clear(words: np.ndarray) -> None:
        words[0] = 0


@helper
def bit(member: int) -> Bits:
    """Return the set of one member."""
    if member < _WORD_BITS:
        return _ONE << np.uint64(member), _ZERO
    return _ZERO, _ONE << np.uint64(member - _WORD_BITS)


@helper
def has(members: Bits, member: int) -> bool:
    """Return whether a number is in a set."""
    if member < _WORD_BITS:
        return (members[0] >> np.uint64(member)) & _ONE != _ZERO
    return (members[1] >> np.uint64(member - _WORD_BITS)) & _ONE != _ZERO


@helper
def is_empty(members: Bits) -> bool:
    """Return whether a set is empty."""
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
    """Yield the members of a set given by its two words, ascending; for Python."""
    number = words[0] | (words[1] << _WORD_BITS)
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low


def words_of(members: Iterable[int]) -> tuple[int, int]:
    """Return the two words of a set, the inverse of ``members``; for Python."""
    number = sum(1 << member for member in set(members))
    return number & ((1 << _WORD_BITS) - 1), number >> _WORD_BITS


def add_member(rows: np.ndarray, row: int, member: int) -> None:
    """Add a member to the set in a row of an array uint64[:, 2]; for Python."""
    word, place = divmod(member, _WORD_BITS)
    rows[row, word] |= np.uint64(1 << place)


_HALF = np.uint64(32)


@helper
def next_random(stream: np.ndarray, bound: int) -> Any:
    """Return a random whole number 0 … bound - 1. stream: uint64[1], written.

    Source: Marsaglia, Xorshift RNGs (2003), triple 13, 7, 17; the bound by multiplication
    (Lemire 2019) on the upper half, whose bias is below bound / 2**32.
    """
    word = stream[0]
    word ^= word << np.uint64(13)
    word ^= word >> np.uint64(7)
    word ^= word << np.uint64(17)
    stream[0] = word
    return np.int64(((word >> _HALF) * np.uint64(bound)) >> _HALF)


_LOW = np.uint64(0xFFFFFFFF)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_MOST = np.uint64(0xFFFFFFFFFFFFFFFF)


@helper
def _plus(one: Any, other: Any) -> Any:
    """Add two words without the carry, in halves: an overflow is a warning where kernels are not compiled."""
    low = (one & _LOW) + (other & _LOW)
    high = ((one >> _HALF) + (other >> _HALF) + (low >> _HALF)) & _LOW
    return (high << _HALF) | (low & _LOW)


@helper
def _times(one: Any, other: Any) -> Any:
    """Multiply two words and drop what is above 64 bits."""
    low = (one & _LOW) * (other & _LOW)
    cross = ((one & _LOW) * (other >> _HALF) & _LOW) + ((one >> _HALF) * (other & _LOW) & _LOW)
    return _plus(low, (cross & _LOW) << _HALF)


@helper
def draw_below(stream: np.ndarray, bound: int) -> Any:
    """Return a random whole number 0 … bound - 1, as ``Chance.below`` does. stream: uint64[1], written."""
    excess = (_MOST % np.uint64(bound) + _ONE) % np.uint64(bound)
    while True:
        stream[0] = _plus(stream[0], _GOLDEN)
        word = stream[0]
        word = _times(word ^ (word >> np.uint64(30)), _FIRST)
        word = _times(word ^ (word >> np.uint64(27)), _SECOND)
        word ^= word >> np.uint64(31)
        if excess == _ZERO or word <= _MOST - excess:
            return np.int64(word % np.uint64(bound))


@helper
def acquire(words: np.ndarray) -> None:
    """Wait in a loop until the lock is free, and take it. words: int64[1 or more]; the first is 0 if free."""
    while not _try_acquire(words):
        pass


@helper
def release(words: np.ndarray) -> None:
    """Give the lock back; other threads see all that was written while it was held."""
    _clear(words)
