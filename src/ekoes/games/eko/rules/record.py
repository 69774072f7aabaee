"""The two records of Ekö: the board (built once per layout, then read) and the state (one position).

Sets of spaces are rows ``uint64[2]`` (games/kernels/bits.py). Building levels are 1 camp, 2 tower, 3 castle.
Sizes: P ``MOST_PLAYERS``, S ``SPACES``, L ``LEVELS + 1``, D ``DISCS``.

Board
    step        [S, 2]    walkable neighbours of a walkable space, portal links included (E2.7, E10.1)
    near        [S, 2]    spaces of the layout next to a space, without portals (E6.1, E8.3)
    zone        [S, 2]    for a tempest space: all spaces of its zone (E10.2)
    carries     [L, 2]    by level: sites that can carry a building of that level (E1.5)
    pyramids    [S, 2]    one set per pyramid, n_pyramids of them; beacons likewise
    sets        [.., 2]   see ``Area``

State
    own         [P, 2]    spaces with a stack of the player
    tall        [.., 2]   by height 1 … TALLEST: spaces with a stack of that height, whoever owns it
    built       [P, L, 2] by owner and level: sites with such a building
    ward        [P, 2]    spaces next to a building of the player
    height      [S]       discs on a space, the Emperor included
    emperor     [P]       space of the player's Emperor, or NO_SPACE
    whereabouts [P]       see ``Whereabouts``;  captor [P]: who holds it, or NOBODY
    reserve, removed, unplaced, points, capitals [P]   ordinary discs (E1.7); points without pyramids
                          (E11.1); own buildings on capitals
    paid        [1, 2]    all spaces of the zones that have taken their disc this turn (E10.2)
    placed      [D]       spaces reinforced so far, in order, n_placed of them (E12.6): no more than discs
    number, player, first, phase, chooser (of a ransom), resume, winners (bit set of seats)
    marched, sandtemple_used, moon_used   0 or 1
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ekoes.games.kernels.bits import CAPACITY, WORDS

__all__ = [
    "BOARD",
    "CAPTIVE_POINTS",
    "DISCS",
    "FEWEST_PLAYERS",
    "LEVELS",
    "MARCH_PRICE",
    "MOON_PRICE",
    "MOST_PLAYERS",
    "NOBODY",
    "NO_SPACE",
    "ORDINARY_DISCS",
    "PYRAMID_POINTS",
    "SANDTEMPLE_PRICE",
    "SPACES",
    "STATE",
    "SUPPLY",
    "TALLEST",
    "WINNING_POINTS",
    "Area",
    "Phase",
    "Whereabouts",
]

FEWEST_PLAYERS, MOST_PLAYERS = 2, 4
"""E1.1."""
NOBODY = -1
ORDINARY_DISCS = 15
DISCS = ORDINARY_DISCS + 1
"""A player's, the Emperor among them (E1.2)."""
TALLEST = 4
"""Discs of the highest stack (E1.6)."""
LEVELS = 3
SUPPLY = (0, 5, 3, 1)
"""Buildings of each level that a player owns (E1.3)."""
SPACES = CAPACITY
"""Rows of what is kept space by space."""
NO_SPACE = SPACES - 1
"""Stands for "no space" where an index is wanted; no board has a space of that index."""

MARCH_PRICE = 3
"""E7.1."""
MOON_PRICE = SANDTEMPLE_PRICE = 2
"""E10.4, E10.5."""

WINNING_POINTS = 12
CAPTIVE_POINTS = 3
PYRAMID_POINTS = 2
"""E11.1, E11.2."""


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
                ("step", np.uint64, (SPACES, WORDS)),
                ("near", np.uint64, (SPACES, WORDS)),
                ("zone", np.uint64, (SPACES, WORDS)),
                ("carries", np.uint64, (LEVELS + 1, WORDS)),
                ("pyramids", np.uint64, (SPACES, WORDS)),
                ("beacons", np.uint64, (SPACES, WORDS)),
                ("sets", np.uint64, (len(Area), WORDS)),
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
                ("own", np.uint64, (MOST_PLAYERS, WORDS)),
                ("tall", np.uint64, (TALLEST + 1, WORDS)),
                ("built", np.uint64, (MOST_PLAYERS, LEVELS + 1, WORDS)),
                ("ward", np.uint64, (MOST_PLAYERS, WORDS)),
                ("paid", np.uint64, (1, WORDS)),
                ("number", np.int32),
                ("height", np.int8, (SPACES,)),
                ("emperor", np.int8, (MOST_PLAYERS,)),
                ("whereabouts", np.int8, (MOST_PLAYERS,)),
                ("captor", np.int8, (MOST_PLAYERS,)),
                ("reserve", np.int8, (MOST_PLAYERS,)),
                ("removed", np.int8, (MOST_PLAYERS,)),
                ("unplaced", np.int8, (MOST_PLAYERS,)),
                ("points", np.int8, (MOST_PLAYERS,)),
                ("capitals", np.int8, (MOST_PLAYERS,)),
                ("placed", np.int8, (DISCS,)),
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
                # to a multiple of 8 bytes: padding is not copied, so bytes would differ
                ("filler", np.int8, (2,)),
            ],
            align=True,
        ),
    )
)
