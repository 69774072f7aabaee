"""The scratch memory of the kernels: one record, made once per caller and used for every decision.

WORK
    code, targets      [G], [G, 2]   groups of decisions (code.py)
    met, entered       [W, 2]        waves (journey.py): all spaces of the zones that a stack can have
                                     met on its way, and where it meets the last of them
    cells, rim         [S, 2]        connected empty regions (reach.py): spaces, and their neighbours
    region             [S]           for an empty space: its region
    level, cost, sites [O], [O, 2]   what can be built where, and its cost (construct.py)
    meeting            [T, 2]        by height: stacks that an own one without the Emperor may join or attack
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np

from ekoes.games.eko.rules.record import DISCS, LEVELS, SPACES, TALLEST
from ekoes.games.kernels.bits import WORDS

__all__ = ["MAX_ZONES", "WORK", "make_workspace"]

MAX_ZONES = 24
"""Tempest zones that a board may have; the box holds tiles for 9."""

_OTHER_GROUPS = 256
_WAVES = sum(comb(MAX_ZONES, size) for size in range(TALLEST + 1))
_TALLEST_STACKS = DISCS // TALLEST
_GROUPS = DISCS * (1 + MAX_ZONES) + (_TALLEST_STACKS + 1) * _WAVES + _OTHER_GROUPS
"""Each stack meets no zone or one; the tallest meet more, that of the Emperor with it or without."""
_OFFERS = 2 * LEVELS

WORK = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("cells", np.uint64, (SPACES, WORDS)),
                ("rim", np.uint64, (SPACES, WORDS)),
                ("region", np.int16, (SPACES,)),
                ("meeting", np.uint64, (TALLEST + 1, WORDS)),
                ("level", np.int64, (_OFFERS,)),
                ("cost", np.int64, (_OFFERS,)),
                ("sites", np.uint64, (_OFFERS, WORDS)),
                ("met", np.uint64, (_WAVES, WORDS)),
                ("entered", np.uint64, (_WAVES, WORDS)),
                ("code", np.int64, (_GROUPS,)),
                ("targets", np.uint64, (_GROUPS, WORDS)),
            ],
            align=True,
        ),
    )
)


def make_workspace() -> np.ndarray[Any, Any]:
    """Return WORK[1]; one thread may use it at a time. Memory is taken as far as it is used."""
    return np.zeros(1, WORK)
