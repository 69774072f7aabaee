"""What the number of a card says: its mirror, what fits on it, what it counts. Tables, built once."""

from __future__ import annotations

import numpy as np

from ekoes.games.ekko.rules.record import CARDS

__all__ = ["FITTING", "MIRROR", "MULTIPLE", "card_points", "is_multiple", "mirror_of"]

MULTIPLE = 11


def is_multiple(card: int) -> bool:
    """Whether a card is a multiple of 11: 11, 22, … 88. Rule: K2.3."""
    return card % MULTIPLE == 0


def mirror_of(card: int) -> int:
    """Return the card with the two digits reversed, 0 if the card has no mirror. Rule: K3.1."""
    return 0 if is_multiple(card) else card % 10 * 10 + card // 10


def card_points(card: int) -> int:
    """Return what a card left in hand counts. Rule: K5.4."""
    return 2 if is_multiple(card) else 1


def _fitting() -> np.ndarray:
    """Return for each top card the set of cards that are valid on it. Rule: K2.1."""
    rows = np.zeros((CARDS + 1, 2), np.uint64)
    for top in range(1, CARDS + 1):
        cards = range(top + 1, CARDS + 1) if top % 2 else range(1, top)
        for card in cards:
            rows[top, card >> 6] |= np.uint64(1 << (card & 63))
    return rows


FITTING = _fitting()
"""uint64[99, 2], by top card."""
MIRROR = np.array([0, *(mirror_of(card) for card in range(1, CARDS + 1))], np.uint8)
"""uint8[99], by card; 0: none."""
