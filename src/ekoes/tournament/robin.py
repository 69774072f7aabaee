"""Everybody against everybody, by the tables of Berger."""

from __future__ import annotations

__all__ = ["berger"]


def berger(number: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return the rounds in which each of 1 … number meets each other one once: pairs, who begins first.

    Where their number is odd one is alone in each round. These are the tables that FIDE publishes
    (Handbook C.05, annex 1): the last one stays, all others go round by half of the circle.
    """
    even = number + number % 2
    return tuple(_round(number, even, played) for played in range(even - 1))


def _round(number: int, even: int, played: int) -> tuple[tuple[int, ...], ...]:
    ring, half = even - 1, even // 2
    first = (played * half) % ring
    pairs = [(first + 1, even) if played % 2 == 0 else (even, first + 1)]
    for step in range(1, half):
        one, other = (first + step) % ring + 1, (first - step) % ring + 1
        pairs.append((one, other))
    return tuple(tuple(one for one in pair if one <= number) for pair in pairs)
