"""The scratch memory of the kernels: one record, made once per caller and used for every decision.

WORK
    code, targets      [G], [G, 2]   groups of decisions (code.py)
    met, entered       [W, 2]        waves (journey.py): all spaces of the zones that a stack can have
                                     met on its way, and where it meets the last of them
    cells, rim         [128, 2]      connected empty regions (reach.py): spaces, and their neighbours
    region             [128]         for an empty space: its region
    level, cost, sites [6], [6, 2]   what can be built where, and its cost (construct.py)
    meeting            [5, 2]        by height: stacks that an own one without the Emperor may join or attack
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np

from ekoes.games.eko.rules.record import LEVELS, TALLEST

__all__ = ["MAX_ZONES", "WORK", "make_workspace"]

MAX_ZONES = 24
"""Tempest zones that a board may have; the box holds tiles for 9."""

_STACKS = 16
_OTHER_GROUPS = 256
_WAVES = sum(comb(MAX_ZONES, size) for size in range(TALLEST + 1))
_GROUPS = _STACKS * (1 + MAX_ZONES) + 5 * _WAVES + _OTHER_GROUPS
_OFFERS = 2 * LEVELS

WORK = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("cells", np.uint64, (128, 2)),
                ("rim", np.uint64, (128, 2)),
                ("region", np.int16, (128,)),
                ("meeting", np.uint64, (TALLEST + 1, 2)),
                ("level", np.int64, (_OFFERS,)),
                ("cost", np.int64, (_OFFERS,)),
                ("sites", np.uint64, (_OFFERS, 2)),
                ("met", np.uint64, (_WAVES, 2)),
                ("entered", np.uint64, (_WAVES, 2)),
                ("code", np.int64, (_GROUPS,)),
                ("targets", np.uint64, (_GROUPS, 2)),
            ],
            align=True,
        ),
    )
)


def make_workspace() -> np.ndarray[Any, Any]:
    """Return WORK[1]; one thread may use it at a time. Memory is taken as far as it is used."""
    return np.zeros(1, WORK)
