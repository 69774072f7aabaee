"""A state as one row of whole numbers, for views, stored states and JSON, and the effects of decisions."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ekoes.games.eko.rules.build import all_buildings, all_buildings_of, built_on
from ekoes.games.eko.rules.code import (
    ZONE_COUNT_MASK,
    ZONE_COUNT_SHIFT,
    ActionType,
    action_type_of,
    source_of,
    target_of,
)
from ekoes.games.eko.rules.ending import captives_of, points_of, reason_of
from ekoes.games.eko.rules.paths import occupied
from ekoes.games.eko.rules.record import (
    DISCS,
    LEVELS,
    MAX_ZONES,
    MOST_PLAYERS,
    NO_SPACE,
    NOBODY,
    SPACES,
    TALLEST,
    Area,
    Phase,
    owner_of,
)
from ekoes.games.eko.rules.signs import SCORING, Sign, points_at
from ekoes.games.kernels.bits import (
    both,
    drop_lowest,
    has,
    is_empty,
    lowest,
    read,
    size,
)
from ekoes.games.kernels.jit import helper

SINGLE_NUMBERS = 16
SEAT_FIELDS = 13 + len(SCORING)
_ROWS = np.array([SCORING.index(sign) if sign in SCORING else 0 for sign in Sign], np.int8)
"""By sign its row among those of SCORING; a sign without points has the first one, and adds 0 to it."""
_MOST_NUMBERS = SINGLE_NUMBERS + SEAT_FIELDS * MOST_PLAYERS + DISCS + MAX_ZONES + 4 * SPACES


@helper
def export_numbers(board: np.record, state: np.record) -> np.ndarray:
    """Return the numbers of a state, int64[…].

    They begin with SINGLE_NUMBERS:

     0  number                5  resume               10  moon_used
     1  player                6  winners (bit set)    11  n_placed
     2  phase                 7  first                12  n_paid
     3  actor, or NOBODY      8  marched              13  n_stacks
     4  chooser               9  sandtemple_used      14  n_buildings
                                                      15  Reason of the end, or NOBODY

    Then SEAT_FIELDS rows follow, each with one number for each seat:

     0  points in all (E11.1)       5  buildings on capitals    10  its space, or NO_SPACE
     1  camps                       6  reserve                  11  its captor, or NOBODY
     2  towers                      7  removed                  12  discs on the board
     3  castles                     8  unplaced                 13  points by signs, a row for each of SCORING
     4  captives (bit set)          9  whereabouts of the Emperor

    Then the spaces of the discs placed, in their order; the first spaces of the zones paid; the spaces of all
    stacks, and as many stack codes; the sites of all buildings, and as many building codes. Spaces ascend.
    A stack code is owner << 4 | height << 1 | Emperor; a building code is owner << 2 | level.
    """
    numbers = np.zeros(_MOST_NUMBERS, np.int64)
    numbers[0] = state.number
    numbers[1] = state.player
    numbers[2] = state.phase
    numbers[3] = actor_of(state)
    numbers[4] = state.chooser
    numbers[5] = state.resume
    numbers[6] = state.winners
    numbers[7] = state.first
    numbers[8] = state.marched
    numbers[9] = state.sandtemple_used
    numbers[10] = state.moon_used
    players = int(board.players)
    end = SINGLE_NUMBERS + SEAT_FIELDS * players
    export_seats(board, state, numbers[SINGLE_NUMBERS:end])
    placed = int(state.n_placed)
    numbers[11] = placed
    for index in range(placed):
        numbers[end + index] = state.placed[index]
    end += placed
    paid = both(read(state.paid, 0), read(board.sets, Area.ZONE_HEADS))
    numbers[12] = size(paid)
    while not is_empty(paid):
        numbers[end] = lowest(paid)
        paid = drop_lowest(paid)
        end += 1
    discs = SINGLE_NUMBERS + 12 * players
    stacks = export_stacks(state, numbers[discs : discs + players], numbers[end:])
    numbers[13] = stacks
    end += 2 * stacks
    buildings = export_buildings(state, numbers[end:])
    numbers[14] = buildings
    numbers[15] = reason_of(board, state)
    return numbers[: end + 2 * buildings]


@helper
def actor_of(state: np.record) -> int:
    """Return the seat that decides, or NOBODY when the game is over. Rule: E5.7, E12."""
    if state.phase == Phase.OVER:
        return NOBODY
    return int(state.chooser) if state.phase == Phase.RANSOM else int(state.player)


@helper
def export_seats(board: np.record, state: np.record, seats: np.ndarray) -> None:
    """Write what the players have, except the discs on the board.

    seats: int64[SEAT_FIELDS * players], the rows one after the other, written.
    """
    players = int(board.players)
    for seat in range(players):
        seats[seat] = points_of(board, state, seat)
        for level in range(1, LEVELS + 1):
            seats[level * players + seat] = size(read(state.built[seat], level))
        seats[4 * players + seat] = captives_of(state, seat)[0]
        seats[5 * players + seat] = state.capitals[seat]
        seats[6 * players + seat] = state.reserve[seat]
        seats[7 * players + seat] = state.removed[seat]
        seats[8 * players + seat] = state.unplaced[seat]
        seats[9 * players + seat] = state.whereabouts[seat]
        seats[10 * players + seat] = state.emperor[seat]
        seats[11 * players + seat] = state.captor[seat]
        for index in range(board.n_signs):
            row = 13 + _ROWS[board.sign[index]]
            seats[row * players + seat] += points_at(board, state, index, seat)


@helper
def export_stacks(state: np.record, discs: np.ndarray, rows: np.ndarray) -> int:
    """Write the spaces of all stacks, then their codes. Returns how many stacks there are.

    discs: int64[players], where each player's discs on the board are added up.
    """
    spaces = occupied(state)
    count = size(spaces)
    for index in range(count):
        space = lowest(spaces)
        spaces = drop_lowest(spaces)
        owner = owner_of(state, space)
        height = int(state.height[space])
        emperor = 1 if state.emperor[owner] == space else 0
        discs[owner] += height
        rows[index] = space
        rows[count + index] = owner << 4 | height << 1 | emperor
    return count


@helper
def export_buildings(state: np.record, rows: np.ndarray) -> int:
    """Write the sites of all buildings, then their codes. Returns how many buildings there are."""
    sites = all_buildings(state)
    count = size(sites)
    for index in range(count):
        site = lowest(sites)
        sites = drop_lowest(sites)
        owner, level = built_on(state, site)
        rows[index] = site
        rows[count + index] = owner << 2 | level
    return count


class Effect(IntEnum):
    """The effect of a decision, as the page names it."""

    MOVE = 0
    REGROUP = 1
    ATTACK = 2
    KAMIKAZE = 3
    PERISH = 4
    BUILD = 5
    UPGRADE = 6
    REPLACE = 7
    REINFORCE = 8
    MOON = 9
    SANDTEMPLE = 10
    PLACE = 11
    SWAP = 12
    KEEP = 13
    MARCH = 14
    RANSOM = 15
    END = 16


_PLAIN = tuple(int(Effect[kind.name]) for kind in ActionType)
"""By action type the effect, for the types that have one."""


@helper
def effect_of(state: np.record, code: int) -> int:
    """Return the ``Effect`` of a legal decision."""
    kind = action_type_of(code)
    if kind == ActionType.MOVE:
        return effect_of_move(state, code)
    if kind == ActionType.BUILD:
        return effect_of_construction(state, code)
    if kind == ActionType.SWAP and target_of(code) == NO_SPACE:
        return Effect.KEEP
    return _PLAIN[kind]


@helper
def effect_of_move(state: np.record, code: int) -> int:
    """Return what a move does, by what stands where it leads. Rule: E5, E10.2."""
    source, target = source_of(code), target_of(code)
    left = int(state.height[source]) - ((code >> ZONE_COUNT_SHIFT) & ZONE_COUNT_MASK)
    if left == 0:
        return Effect.PERISH
    if target == source or not has(occupied(state), target):
        return Effect.MOVE
    if has(read(state.own, int(state.player)), target):
        return Effect.REGROUP
    is_lost = left == 1 and has(read(state.tall, TALLEST), target)
    return Effect.KAMIKAZE if is_lost else Effect.ATTACK


@helper
def effect_of_construction(state: np.record, code: int) -> int:
    """Return what a construction does, by what stands on its site. Rule: E6.3."""
    site = target_of(code)
    if not has(all_buildings(state), site):
        return Effect.BUILD
    is_own = has(all_buildings_of(state, int(state.player)), site)
    return Effect.UPGRADE if is_own else Effect.REPLACE
