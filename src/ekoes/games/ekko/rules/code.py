"""Decisions as whole numbers.

A *code* is one decision in an int64:

    bits 0–3  action type    bits 4–10  card    bits 11–17  the card put aside
"""

from __future__ import annotations

from enum import IntEnum

from ekoes.kernel import helper

__all__ = [
    "ASIDE_SHIFT",
    "CARD_MASK",
    "CARD_SHIFT",
    "TYPE_MASK",
    "ActionType",
    "action_type_of",
    "aside_of",
    "card_of",
    "make_code",
]


class ActionType(IntEnum):
    """The kinds of decision (K6, K7)."""

    DEAL = 0
    PLAY = 1
    MIRROR_DISCARD = 2
    MIRROR_DRAW = 3
    PASS = 4
    DRAW = 5
    MISPLAY = 6
    CLOSE = 7


TYPE_MASK = 15
CARD_SHIFT, CARD_MASK = 4, 127
ASIDE_SHIFT = 11
"""The table above, for kernels here and plain Python in codec.py."""


@helper
def make_code(action_type: int, card: int, aside: int) -> int:
    """Return the code of a decision; a card that it does not name is 0."""
    return action_type | (card << CARD_SHIFT) | (aside << ASIDE_SHIFT)


@helper
def action_type_of(code: int) -> int:
    """Return the kind of a decision."""
    return code & TYPE_MASK


@helper
def card_of(code: int) -> int:
    """Return the card that is played."""
    return (code >> CARD_SHIFT) & CARD_MASK


@helper
def aside_of(code: int) -> int:
    """Return the card that is put aside."""
    return (code >> ASIDE_SHIFT) & CARD_MASK
