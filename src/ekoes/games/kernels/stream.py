"""Chance at kernel speed: a stream of random numbers that is an array of one word."""

from __future__ import annotations

from typing import Any

import numpy as np

from ekoes.kernel import helper

__all__ = ["next_random"]

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
