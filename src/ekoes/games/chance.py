"""Chance from a seed: the same game on every machine and in every version.

The libraries' generators promise a stable stream of floats at most; a seed in a game record must
mean the same shuffle for ever, so these few lines are our own. Source: SplitMix64 (Steele, Lea,
Flood: Fast splittable pseudorandom number generators, OOPSLA 2014).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import MutableSequence, Sequence

__all__ = ["Chance"]

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15

T = TypeVar("T")


class Chance:
    """A stream of random choices. seed: any whole number; equal seeds give equal streams."""

    def __init__(self, seed: int) -> None:
        """Start the stream."""
        self._state = seed & _MASK

    def bits(self) -> int:
        """Return the next 64 random bits as a whole number 0 … 2**64 - 1."""
        self._state = (self._state + _GOLDEN) & _MASK
        word = self._state
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _MASK
        return word ^ (word >> 31)

    def below(self, bound: int) -> int:
        """Return a whole number 0 … bound - 1, each as likely as the others (1 ≤ bound ≤ 2**64)."""
        limit = (1 << 64) - (1 << 64) % bound
        word = self.bits()
        while word >= limit:
            word = self.bits()
        return word % bound

    def choice(self, items: Sequence[T]) -> T:
        """Return one of the items (at least one), each as likely as the others."""
        return items[self.below(len(items))]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Put the items in a random order, in place (Fisher-Yates)."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]

    def split(self) -> Chance:
        """Return a new stream that is independent of what this one yields later."""
        return Chance(self.bits())
