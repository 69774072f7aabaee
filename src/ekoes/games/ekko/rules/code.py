"""Decisions as whole numbers: ``act | card << 4 | aside << 11``."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["ASIDE_SHIFT", "CARD_MASK", "CARD_SHIFT", "Act"]

CARD_SHIFT = 4
ASIDE_SHIFT = 11
CARD_MASK = 127


class Act(IntEnum):
    """The kinds of decision (K6, K7)."""

    DEAL = 0
    PLAY = 1
    MIRROR_DISCARD = 2
    MIRROR_DRAW = 3
    PASS = 4
    DRAW = 5
    MISPLAY = 6
    CLOSE = 7
