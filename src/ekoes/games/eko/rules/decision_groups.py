"""Groups of the possible decisions, one for each effect that a player can tell apart."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from ekoes.games.eko.rules.build import all_buildings, all_buildings_of
from ekoes.games.eko.rules.code import (
    ZONE_COUNT_MASK,
    ZONE_COUNT_SHIFT,
    ActionType,
    action_type_of,
    amount_of,
    emperor_of,
    source_of,
)
from ekoes.games.eko.rules.paths import occupied
from ekoes.games.eko.rules.record import (
    MARCH_PRICE,
    MOON_PRICE,
    NO_SPACE,
    SANDTEMPLE_PRICE,
    TALLEST,
)
from ekoes.games.kernels.bits import EMPTY, Bits, bit, both, is_empty, read, without
from ekoes.games.kernels.jit import helper

COLUMNS = 8


class Effect(IntEnum):
    """What a decision does, as the page names it."""

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


@helper
def write_rows(state: Any, work: Any, groups: int, source: int, rows: np.ndarray) -> int:
    """Write the first groups of ``work`` as rows, those that lose the fewest discs first.

    source: the stack whose groups that lose discs are written; NO_SPACE: all groups.
    rows: uint64[…, COLUMNS], written. Returns: their number; rows without room are left out.
    """
    count = 0
    for lost in range(0 if source == NO_SPACE else 1, TALLEST + 1):
        for index in range(groups):
            code = int(work.code[index])
            if source not in (NO_SPACE, source_of(code)):
                continue
            if (code >> ZONE_COUNT_SHIFT) & ZONE_COUNT_MASK == lost:
                count = write_group(state, code, read(work.targets, index), rows, count)
    return count


@helper
def write_group(state: Any, code: int, targets: Bits, rows: np.ndarray, count: int) -> int:
    """Append the rows of a group. Returns the new number of rows."""
    kind = action_type_of(code)
    if kind == ActionType.MOVE:
        return write_moves(state, code, targets, rows, count)
    if kind == ActionType.BUILD:
        return write_constructions(state, code, targets, rows, count)
    if kind == ActionType.SWAP:
        count = add_row(rows, count, Effect.SWAP, code, 0, without(targets, bit(NO_SPACE)))
        return add_row(rows, count, Effect.KEEP, code, 0, both(targets, bit(NO_SPACE)))
    if kind == ActionType.REINFORCE:
        return add_row(rows, count, Effect.REINFORCE, code, 0, targets)
    if kind == ActionType.MOON:
        return add_row(rows, count, Effect.MOON, code, MOON_PRICE, targets)
    if kind == ActionType.SANDTEMPLE:
        return add_row(rows, count, Effect.SANDTEMPLE, code, SANDTEMPLE_PRICE, targets)
    if kind == ActionType.PLACE:
        return add_row(rows, count, Effect.PLACE, code, 0, targets)
    if kind == ActionType.MARCH:
        return add_row(rows, count, Effect.MARCH, code, MARCH_PRICE, targets)
    if kind == ActionType.RANSOM:
        return add_row(rows, count, Effect.RANSOM, code, 0, targets)
    return add_row(rows, count, Effect.END, code, 0, targets)


@helper
def write_moves(state: Any, code: int, targets: Bits, rows: np.ndarray, count: int) -> int:
    """Append moves, by what stands where they lead. Rule: E5, E10.2."""
    source = source_of(code)
    left = int(state.height[source]) - ((code >> ZONE_COUNT_SHIFT) & ZONE_COUNT_MASK)
    if left == 0:
        return add_row(rows, count, Effect.PERISH, code, 0, targets)
    own = read(state.own, int(state.player))
    met = both(targets, without(occupied(state), bit(source)))
    attacked = without(met, own)
    beaten = both(attacked, read(state.tall, TALLEST)) if left == 1 else EMPTY
    count = add_row(rows, count, Effect.MOVE, code, 0, without(targets, met))
    count = add_row(rows, count, Effect.REGROUP, code, 0, both(met, own))
    count = add_row(rows, count, Effect.ATTACK, code, 0, without(attacked, beaten))
    return add_row(rows, count, Effect.KAMIKAZE, code, 0, beaten)


@helper
def write_constructions(state: Any, code: int, sites: Bits, rows: np.ndarray, count: int) -> int:
    """Append constructions, by what stands on their sites. Rule: E6.3."""
    level = amount_of(code)
    built = both(sites, all_buildings(state))
    own = both(built, all_buildings_of(state, int(state.player)))
    count = add_row(rows, count, Effect.BUILD, code, level, without(sites, built))
    count = add_row(rows, count, Effect.UPGRADE, code, level, own)
    return add_row(rows, count, Effect.REPLACE, code, level + 1, without(built, own))


@helper
def add_row(rows: np.ndarray, count: int, effect: int, code: int, cost: int, targets: Bits) -> int:
    """Append a row unless it has no targets or there is no room. Returns the new number of rows."""
    if is_empty(targets) or count == len(rows):
        return count
    row = rows[count]
    row[0] = effect
    row[1] = source_of(code)
    row[2] = amount_of(code)
    row[3] = emperor_of(code)
    row[4] = cost
    row[5] = code >> ZONE_COUNT_SHIFT
    row[6] = targets[0]
    row[7] = targets[1]
    return count + 1
