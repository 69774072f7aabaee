"""What the number of a card says: its mirror, what fits on it, whether it is a multiple of 11."""

from __future__ import annotations

import numpy as np

from ekoes.games.ekko.rules.record import CARDS
from ekoes.games.kernels.bits import WORDS, add_member
from ekoes.kernel import shared

__all__ = ["FITTING", "MIRROR", "is_multiple", "mirror_of"]

_MULTIPLE = 11


@shared
def is_multiple(card: int) -> bool:
    """Whether a card is a multiple of 11: 11, 22, … 88. Rule: K2.3."""
    return card % _MULTIPLE == 0


def mirror_of(card: int) -> int:
    """Return the card with the two digits reversed, 0 if the card has no mirror. Rule: K3.1."""
    return 0 if is_multiple(card) else card % 10 * 10 + card // 10


def _fitting() -> np.ndarray:
    """Return for each top card the set of cards that are valid on it. Rule: K2.1."""
    rows = np.zeros((CARDS + 1, WORDS), np.uint64)
    for top in range(1, CARDS + 1):
        cards = range(top + 1, CARDS + 1) if top % 2 else range(1, top)
        for card in cards:
            add_member(rows, top, card)
    return rows


FITTING = _fitting()
"""uint64[CARDS + 1, 2], by top card."""
MIRROR = np.array([0, *(mirror_of(card) for card in range(1, CARDS + 1))], np.uint8)
"""uint8[CARDS + 1], by card; 0: none."""
