"""The tree of a search: one row of an array for each decision that was looked at.

NODE
    code            the decision that led here (rules/code.py)
    first, count    its rows of what may be decided next; count 0: not looked at yet
    visits          how often the search came through
    seat            who is asked here, or NOBODY
    proven          1: the value is certain
    prior           how likely it is looked at first, of its siblings 1 in all
    value [P]       chance of each player to win
    total [P]       sum of what all visits found
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ekoes.games.eko.rules.record import MOST_PLAYERS

__all__ = ["DEEPEST", "NODE", "ROOT", "Control"]

ROOT = 0
DEEPEST = 128
"""Decisions from the root to the end of the longest line that is looked at."""

NODE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("code", np.int64),
                ("value", np.float64, (MOST_PLAYERS,)),
                ("total", np.float64, (MOST_PLAYERS,)),
                ("prior", np.float64),
                ("first", np.int32),
                ("count", np.int32),
                ("visits", np.int32),
                ("seat", np.int8),
                ("proven", np.int8),
                ("filler", np.int8, (2,)),
            ],
            align=True,
        ),
    )
)


class Control(IntEnum):
    """Columns of the array by which a search is told, and tells, while it runs."""

    STOP = 0  # 1: it ends after the step at work
    LIMIT = 1  # how many steps it may do in all
    DONE = 2  # how many it has done
    USED = 3  # rows of the tree
    DEPTH = 4  # of the longest line, in decisions
    FULL = 5  # 1: the tree has no more room
