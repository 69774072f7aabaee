"""The numpy records of Ekö: the board of a layout, the state of a position, and scratch memory.

Also the kernels that put discs on spaces and take them away, and update the sets of the state.
"""

from __future__ import annotations

from enum import IntEnum
from math import comb
from typing import Any

import numpy as np

from ekoes.games.kernels.bits import CAPACITY, WORDS, bit, has, read, union, without, write
from ekoes.games.kernels.jit import helper

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
"""Rows of arrays that are indexed by space."""
NO_SPACE = SPACES - 1
"""The index that means "no space"; no board has a space of that index."""

MARCH_PRICE = 3
"""E7.1."""
MOON_PRICE = SANDTEMPLE_PRICE = 2
"""E10.4, E10.5."""

WINNING_POINTS = 12
CAPTIVE_POINTS = 3
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
    """The phases of the set-up and of a turn (E12)."""

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
                ("signs", np.uint64, (SPACES, WORDS)),
                ("sets", np.uint64, (len(Area), WORDS)),
                ("sign", np.int8, (SPACES,)),
                ("n_signs", np.int64),
                ("players", np.int64),
            ],
            align=True,
        ),
    )
)
"""A board; sets of spaces are two words.

By space, step: where a disc can step from it, also through portals; near: the spaces that touch it; zone: the
tempest zone that it lies in. carries: by level, the sites that can have it. signs, sign: by sign, the spaces
around it and the ``Sign``. sets: by ``Area``; a zone's head is its first space.
"""

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
"""The state of a game. Sets of spaces are two words; most arrays have an entry for each player.

own: the spaces of stacks. tall: by height, the spaces of all stacks of it. built: by player and level, the
sites. ward: the spaces next to a building. paid: the tempest zones that have taken a disc in this turn.
number: of the turn, 0 in the set-up. height: by space. emperor: its space, or NO_SPACE. captor: who holds it,
or NOBODY. reserve, removed, unplaced: discs, the Emperor not counted. points: without those of signs.
capitals: buildings on capitals. placed: the spaces that were reinforced in this turn. player: in turn. first:
who began the set-up, 0 after it. chooser: who chooses a ransom, or NOBODY. resume: the phase after that, or
0. winners: a bit set.
"""


MAX_ZONES = 24
"""Tempest zones that a board may have; the box holds tiles for 9."""

_OTHER_GROUPS = 256
_WAVES = sum(comb(MAX_ZONES, size) for size in range(TALLEST + 1))
_TALLEST_STACKS = DISCS // TALLEST
_GROUPS = DISCS * (1 + MAX_ZONES) + (_TALLEST_STACKS + 1) * _WAVES + _OTHER_GROUPS
"""A stack meets one zone or none; the tallest ones meet more, and the Emperor's may lose it or keep it."""
OFFERS = 2 * LEVELS

WORK = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("cells", np.uint64, (SPACES, WORDS)),
                ("rim", np.uint64, (SPACES, WORDS)),
                ("region", np.int16, (SPACES,)),
                ("meeting", np.uint64, (TALLEST + 1, WORDS)),
                ("offers", np.uint64, (OFFERS, WORDS)),
                ("met", np.uint64, (_WAVES, WORDS)),
                ("entered", np.uint64, (_WAVES, WORDS)),
                ("code", np.int64, (_GROUPS,)),
                ("targets", np.uint64, (_GROUPS, WORDS)),
            ],
            align=True,
        ),
    )
)
"""Scratch memory. cells, rim, region: of ``paths.find_regions``. meeting: of ``paths.find_meetings``. offers:
of ``build.find_offers``. met, entered: waves, of ``move.gather_paths``. code, targets: groups of decisions.
"""


def make_workspace() -> np.ndarray[Any, Any]:
    """Return WORK[1]; one thread may use it at a time. Pages that are not used take no memory."""
    return np.zeros(1, WORK)


@helper
def owner_of(state: np.record, space: int) -> int:
    """Return the player whose stack stands on a space, or NOBODY."""
    for player in range(MOST_PLAYERS):
        if has(read(state.own, player), space):
            return player
    return NOBODY


@helper
def put_stack(state: np.record, player: int, space: int, height: int) -> None:
    """Put a stack on an empty space; the caller updates its Emperor."""
    here = bit(space)
    write(state.own, player, union(read(state.own, player), here))
    write(state.tall, height, union(read(state.tall, height), here))
    state.height[space] = height


@helper
def lift_stack(state: np.record, player: int, space: int) -> int:
    """Take a stack off its space. Returns its height."""
    here = bit(space)
    height = int(state.height[space])
    write(state.own, player, without(read(state.own, player), here))
    write(state.tall, height, without(read(state.tall, height), here))
    state.height[space] = 0
    return height


@helper
def send_home(state: np.record, player: int) -> None:
    """Put a player's Emperor into the reserve."""
    state.emperor[player] = NO_SPACE
    state.whereabouts[player] = Whereabouts.RESERVE


@helper
def capture_emperor(state: np.record, captor: int, player: int) -> None:
    """Let a player hold another one's Emperor. Rule: E5.6."""
    state.emperor[player] = NO_SPACE
    state.whereabouts[player] = Whereabouts.CAPTIVE
    state.captor[player] = captor
    state.points[captor] += CAPTIVE_POINTS


@helper
def free_emperor(state: np.record, player: int) -> None:
    """Put a captive Emperor into its owner's reserve. Rule: E5.7."""
    state.points[int(state.captor[player])] -= CAPTIVE_POINTS
    state.captor[player] = NOBODY
    send_home(state, player)


@helper
def drop_discs(state: np.record, player: int, space: int, count: int, emperor: int) -> None:
    """Take discs off a stack into the reserve. emperor: 1 if the Emperor is among them, else 0."""
    height = lift_stack(state, player, space)
    if height > count:
        put_stack(state, player, space, height - count)
    if emperor:
        send_home(state, player)
    state.reserve[player] += count - emperor
