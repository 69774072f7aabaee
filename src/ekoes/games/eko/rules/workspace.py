"""The scratch memory of the kernels, made once per caller and used again for every decision."""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np

from ekoes.games.eko.rules.code import GROUP

__all__ = ["REGIONS", "WAVE", "Workspace", "make_workspace"]

REGIONS = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("cells", np.uint64, (128, 2)),
                ("rim", np.uint64, (128, 2)),
                ("of", np.int16, (128,)),
                ("count", np.int64),
            ],
            align=True,
        ),
    )
)
"""Connected empty spaces: of each region its spaces and their neighbours; of each space its region."""

WAVE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("met_low", np.uint64),
                ("met_high", np.uint64),
                ("entered_low", np.uint64),
                ("entered_high", np.uint64),
            ],
            align=True,
        ),
    )
)
"""One set of zones that a stack can have met on its way (all their spaces), and the spaces on
which it meets the last one of them."""

_STACKS = 16
_MOST_ZONES = 4
_OTHER_GROUPS = 256


class Workspace(NamedTuple):
    """Scratch arrays. groups: GROUP[…]; waves: WAVE[…]; regions: REGIONS[1]."""

    groups: np.ndarray
    waves: np.ndarray
    regions: np.ndarray


def make_workspace(zones: int) -> Workspace:
    """Make scratch memory that is large enough for a board with this number of tempest zones."""
    sets = sum(comb(zones, size) for size in range(_MOST_ZONES + 1))
    groups = _STACKS * (1 + zones) + 5 * sets + _OTHER_GROUPS
    return Workspace(np.zeros(groups, GROUP), np.zeros(sets + 8, WAVE), np.zeros(1, REGIONS))
