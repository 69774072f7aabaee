"""The two records of Ekö: the board (built once per layout, then read) and the state (one position).

Sets of spaces are rows ``uint64[2]`` (games/kernels/bits.py). Building levels are 1 camp, 2 tower, 3 castle.

Board
    step        [128, 2]  walkable neighbours of a walkable space, portal links included (E2.7, E10.1)
    near        [128, 2]  spaces of the layout next to a space, without portals (E6.1, E8.3)
    zone        [128, 2]  for a tempest space: all spaces of its zone (E10.2)
    carries     [4, 2]    by level: sites that can carry a building of that level (E1.5)
    pyramids    [128, 2]  one set per pyramid, n_pyramids of them; beacons likewise
    sets        [9, 2]    see ``Area``

State
    own         [4, 2]    spaces with a stack of the player
    tall        [5, 2]    by height 1 … 4: spaces with a stack of that height, whoever owns it
    built       [16, 2]   4 * player + level: sites with such a building
    ward        [4, 2]    spaces next to a building of the player
    height      [128]     discs on a space, the Emperor included
    emperor     [4]       space of the player's Emperor, or NO_SPACE
    whereabouts [4]       see ``Whereabouts``;  captor [4]: who holds it, or NOBODY
    reserve, removed, unplaced, points, capitals [4]   ordinary discs (E1.7); points without pyramids
                          (E11.1); own buildings on capitals
    paid        [1, 2]    all spaces of the zones that have taken their disc this turn (E10.2)
    placed      [16]      spaces reinforced so far, in order, n_placed of them (E12.6)
    number, player, first, phase, chooser (of a ransom), resume, winners (bit set of seats)
    marched, sandtemple_used, moon_used   0 or 1
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

__all__ = [
    "BOARD",
    "CAPTIVE_POINTS",
    "LEVELS",
    "NOBODY",
    "NO_SPACE",
    "PLAYERS",
    "PYRAMID_POINTS",
    "STATE",
    "SUPPLY",
    "TALLEST",
    "WINNING_POINTS",
    "Area",
    "Phase",
    "Whereabouts",
]

PLAYERS = 4
LEVELS = 3
TALLEST = 4
NOBODY = -1
NO_SPACE = 127
"""Stands for "no space" where an index is wanted; no board has a space of that index."""
WINNING_POINTS = 12
CAPTIVE_POINTS = 3
PYRAMID_POINTS = 2
SUPPLY = (0, 5, 3, 1)
"""Buildings of each level that a player owns (E1.3)."""


class Area(IntEnum):
    """Rows of ``board.sets``: sets of spaces that belong together."""

    WALKABLE = 0
    SAND = 1
    TEMPEST = 2
    SITES = 3
    CAPITALS = 4
    MOON = 5
    SANDTEMPLE = 6
    WIND = 7
    ZONE_HEADS = 8


class Phase(IntEnum):
    """What is asked now (E12)."""

    PLACE = 0
    SWAP = 1
    ACTION = 2
    AFTER = 3
    SECOND = 4
    REINFORCE = 5
    RANSOM = 6
    OVER = 7


class Whereabouts(IntEnum):
    """Where an Emperor is."""

    BOARD = 0
    RESERVE = 1
    CAPTIVE = 2
    UNPLACED = 3


BOARD = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("step", np.uint64, (128, 2)),
                ("near", np.uint64, (128, 2)),
                ("zone", np.uint64, (128, 2)),
                ("carries", np.uint64, (4, 2)),
                ("pyramids", np.uint64, (128, 2)),
                ("beacons", np.uint64, (128, 2)),
                ("sets", np.uint64, (9, 2)),
                ("n_pyramids", np.int64),
                ("n_beacons", np.int64),
                ("players", np.int64),
            ],
            align=True,
        ),
    )
)

STATE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("own", np.uint64, (4, 2)),
                ("tall", np.uint64, (5, 2)),
                ("built", np.uint64, (16, 2)),
                ("ward", np.uint64, (4, 2)),
                ("paid", np.uint64, (1, 2)),
                ("number", np.int32),
                ("height", np.int8, (128,)),
                ("emperor", np.int8, (4,)),
                ("whereabouts", np.int8, (4,)),
                ("captor", np.int8, (4,)),
                ("reserve", np.int8, (4,)),
                ("removed", np.int8, (4,)),
                ("unplaced", np.int8, (4,)),
                ("points", np.int8, (4,)),
                ("capitals", np.int8, (4,)),
                ("placed", np.int8, (16,)),
                ("n_placed", np.int8),
                ("player", np.int8),
                ("first", np.int8),
                ("phase", np.int8),
                ("chooser", np.int8),
                ("resume", np.int8),
                ("winners", np.int8),
                ("marched", np.int8),
                ("sandtemple_used", np.int8),
                ("moon_used", np.int8),
                (
                    "filler",
                    np.int8,
                    (2,),
                ),  # to a multiple of 8 bytes: padding is not copied, so bytes would differ
            ],
            align=True,
        ),
    )
)
