"""Why a decision is not legal: the first rule that it breaks."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ekoes.games.eko.rules.build import buildings_of, built_on, enemy_ward, has_building, holds_emperor
from ekoes.games.eko.rules.code import ActionType, action_type_of, source_of, target_of, zones_of
from ekoes.games.eko.rules.ending import Reason, reason_of
from ekoes.games.eko.rules.export import actor_of
from ekoes.games.eko.rules.paths import (
    costly_spaces,
    empty_spaces,
    ignores_tempests,
    occupied,
    zone_at,
)
from ekoes.games.eko.rules.record import (
    LEVELS,
    MARCH_PRICE,
    MOON_PRICE,
    NO_SPACE,
    SANDTEMPLE_PRICE,
    SUPPLY,
    TALLEST,
    Area,
    Phase,
    Whereabouts,
    owner_of,
)
from ekoes.games.kernels.bits import (
    EMPTY,
    Bits,
    bit,
    both,
    drop_lowest,
    has,
    is_empty,
    lowest,
    read,
    size,
    union,
    without,
)
from ekoes.games.kernels.jit import entry, helper


class Refused(IntEnum):
    """Why a decision is refused; a reason that several rules may give has a number for each of them."""

    NOT_YOUR_TURN = 0
    NOT_YOUR_SWAP = 1
    NOT_YOUR_PLACING = 2
    RANSOM_FIRST = 3
    GAME_OVER = 4
    OVER_LAST_ON_BOARD = 5
    OVER_BOTH = 6
    OVER_NOBODY = 7
    OVER_NO_MOVES = 8
    WRONG_PHASE = 9
    SET_UP_ASKS = 10
    AFTER_ASKS = 11
    SECOND_ASKS = 12
    REINFORCE_ASKS = 13
    PLACED_ASKS = 14
    RANSOM_ASKS = 15
    NO_SUCH_SPACE = 16
    NOT_YOUR_STACK = 17
    BUILD_NOT_YOUR_STACK = 18
    REINFORCE_NOT_YOUR_STACK = 19
    NOT_A_MOVEMENT_SPACE = 20
    NO_PATH = 21
    SAME_SPACE = 22
    TOO_HIGH = 23
    TOO_WEAK = 24
    OWN_ZONES = 25
    ZONES_ORDER = 26
    NO_DISCS_LEFT = 27
    NO_DISC_LOST = 28
    NO_EMPEROR_IN_STACK = 29
    MOVE_NO_EMPEROR = 30
    EMPEROR_MUST_BE_SPENT = 31
    EMPEROR_MUST_BE_LOST = 32
    NOT_ADJACENT = 33
    NOT_A_SITE = 34
    TERRAIN_TOO_WEAK = 35
    KIND_ORDER = 36
    TOO_FEW_DISCS = 37
    NO_SUPPLY = 38
    MARCH_USED = 39
    MARCH_RESERVE = 40
    MARCH_NO_ACTION = 41
    RESERVE_TOO_SMALL = 42
    REINFORCE_EMPTY_SPACE = 43
    REINFORCE_TOO_HIGH = 44
    ONE_STACK_ONLY = 45
    NEAR_ENEMY_BUILDING = 46
    ON_TEMPEST = 47
    EMPEROR_FIRST = 48
    EMPEROR_ALONE = 49
    ALREADY_REINFORCED = 50
    MOON_NO_BUILDING = 51
    MOON_USED = 52
    MOON_RESERVE = 53
    MOON_SPACE = 54
    SANDTEMPLE_NO_BUILDING = 55
    SANDTEMPLE_USED = 56
    SANDTEMPLE_RESERVE = 57
    SANDTEMPLE_TARGET = 58
    RANSOM_NOT_HELD = 59
    SWAP_NOT_OWN_DISC = 60
    PLACE_OCCUPIED = 61
    PLACE_NO_DISC = 62
    PLACE_EMPEROR_LAST = 63
    MUST_ACT = 64
    MUST_REINFORCE = 65
    MUST_BRING_EMPEROR = 66


class Asked(IntEnum):
    """A decision as numbers; it need not fit in a code.

    A space that isn't on the board is -1, a missing target is NO_SPACE. ZONES: from here on the zones, in the
    given order; ZONE_COUNT: how many.
    """

    TYPE = 0
    SOURCE = 1
    TARGET = 2
    AMOUNT = 3
    EMPEROR = 4
    ZONE_COUNT = 5
    ZONES = 6


_OVER = {
    Reason.POINTS: Refused.GAME_OVER,
    Reason.LAST_ON_BOARD: Refused.OVER_LAST_ON_BOARD,
    Reason.BOTH: Refused.OVER_BOTH,
    Reason.NOBODY: Refused.OVER_NOBODY,
    Reason.NO_MOVES: Refused.OVER_NO_MOVES,
}
_ASKS = {
    Phase.PLACE: Refused.SET_UP_ASKS,
    Phase.SWAP: Refused.SET_UP_ASKS,
    Phase.ACTION: Refused.WRONG_PHASE,
    Phase.AFTER: Refused.AFTER_ASKS,
    Phase.SECOND: Refused.SECOND_ASKS,
    Phase.REINFORCE: Refused.REINFORCE_ASKS,
    Phase.RANSOM: Refused.RANSOM_ASKS,
}
_ACTING, _RETURNING = {Phase.ACTION, Phase.SECOND}, {Phase.AFTER, Phase.REINFORCE}
_PHASES = {
    ActionType.SWAP: {Phase.SWAP},
    ActionType.PLACE: {Phase.PLACE},
    ActionType.SANDTEMPLE: {Phase.ACTION},
    ActionType.MOVE: _ACTING,
    ActionType.BUILD: _ACTING,
    ActionType.MARCH: {Phase.AFTER},
    ActionType.REINFORCE: _RETURNING,
    ActionType.MOON: _RETURNING,
    ActionType.RANSOM: {Phase.RANSOM},
    ActionType.END: _ACTING | _RETURNING,
}
_OVER_BY = tuple(int(_OVER[reason]) for reason in Reason)
_ASKED_IN = tuple(int(_ASKS.get(phase, Refused.GAME_OVER)) for phase in Phase)
_PHASES_OF = tuple(sum(1 << phase for phase in _PHASES[kind]) for kind in ActionType)
"""By type of action the set of the phases that ask for it."""


@entry
def find_refusal(
    boards: np.ndarray, states: np.ndarray, codes: np.ndarray, count: int, seat: int, asked: np.ndarray
) -> int:
    """Return why a decision of a seat is not legal, a ``Refused``.

    codes: all legal decisions, ``count`` of them. asked: int64[…], the decision (``Asked``).
    """
    board, state = boards[0], states[0]
    phase = int(state.phase)
    if phase == Phase.OVER:
        return _OVER_BY[reason_of(board, state)]
    if actor_of(state) != seat:
        if phase == Phase.RANSOM:
            return Refused.RANSOM_FIRST
        if phase == Phase.SWAP:
            return Refused.NOT_YOUR_SWAP
        return Refused.NOT_YOUR_PLACING if phase == Phase.PLACE else Refused.NOT_YOUR_TURN
    kind = int(asked[Asked.TYPE])
    if (_PHASES_OF[kind] >> phase) & 1 == 0:
        if kind == ActionType.MARCH and state.marched:
            return Refused.MARCH_USED
        begun = state.n_placed > 0 or state.moon_used > 0
        return Refused.PLACED_ASKS if phase == Phase.REINFORCE and begun else _ASKED_IN[phase]
    if asked[Asked.SOURCE] < 0 or asked[Asked.TARGET] < 0:
        return Refused.NO_SUCH_SPACE
    if kind == ActionType.MOVE:
        return refuse_move(board, state, codes[:count], seat, asked)
    if kind == ActionType.BUILD:
        return refuse_build(board, state, seat, asked)
    if kind == ActionType.REINFORCE:
        return refuse_reinforcement(board, state, codes[:count], seat, asked)
    if kind == ActionType.MOON:
        return refuse_moon(board, state, seat, int(asked[Asked.EMPEROR]))
    if kind == ActionType.SANDTEMPLE:
        return refuse_sandtemple(board, state, seat)
    if kind == ActionType.MARCH:
        return refuse_march(state, seat)
    if kind == ActionType.END:
        return refuse_end(state, seat)
    if kind == ActionType.PLACE:
        return refuse_place(board, state, seat, asked)
    return Refused.SWAP_NOT_OWN_DISC if kind == ActionType.SWAP else Refused.RANSOM_NOT_HELD


@helper
def refuse_move(board: np.record, state: np.record, codes: np.ndarray, seat: int, asked: np.ndarray) -> int:
    """Return why a move is refused. Rule: E5, E10.2."""
    source, target = int(asked[Asked.SOURCE]), int(asked[Asked.TARGET])
    if owner_of(state, source) != seat:
        return Refused.NOT_YOUR_STACK
    if not has(read(board.sets, Area.WALKABLE), target):
        return Refused.NOT_A_MOVEMENT_SPACE
    zone_count, zones = int(asked[Asked.ZONE_COUNT]), EMPTY
    for index in range(zone_count):
        zone = int(asked[Asked.ZONES + index])
        if index and zone <= asked[Asked.ZONES + index - 1]:
            return Refused.ZONES_ORDER
        zones = union(zones, bit(zone))
    fewest, is_path = find_prices(board, state, codes, source, target, zones)
    if fewest == NO_SPACE:
        if source == target:
            return Refused.SAME_SPACE
        return Refused.NO_DISCS_LEFT if leads_to(board, state, source, target) else Refused.NO_PATH
    if not is_path and (zone_count or is_end(codes, source, target)):
        return Refused.OWN_ZONES
    height = int(state.height[source])
    emperor = int(state.emperor[seat]) == source
    if asked[Asked.EMPEROR]:
        if not emperor:
            return Refused.MOVE_NO_EMPEROR
        if zone_count == 0:
            return Refused.NO_DISC_LOST
    elif emperor and zone_count == height:
        return Refused.EMPEROR_MUST_BE_LOST
    # no zones are named, and none would make it legal: the path with the fewest zones tells why
    if height == (zone_count or fewest):
        return Refused.NO_DISCS_LEFT
    return Refused.TOO_HIGH if owner_of(state, target) == seat else Refused.TOO_WEAK


@helper
def is_move(code: int, source: int) -> bool:
    """Whether a decision moves the stack on a space."""
    return action_type_of(code) == ActionType.MOVE and source_of(code) == source


@helper
def is_end(codes: np.ndarray, source: int, target: int) -> bool:
    """Whether a legal move of a stack ends on a space."""
    found = False
    for code in codes:
        found = found or (is_move(code, source) and target_of(code) == target)
    return found


@helper
def find_prices(
    board: np.record, state: np.record, codes: np.ndarray, source: int, target: int, zones: Bits
) -> tuple[int, bool]:
    """Return the fewest zones on a path to the target, or NO_SPACE, and whether a path meets just ``zones``.

    Whether the target is free doesn't matter: a stack there is attacked from an adjacent space where a path
    with discs left could have ended.
    """
    costly = costly_spaces(board, state, int(state.player))
    filled = occupied(state)
    height = int(state.height[source])
    is_met = target != source and has(filled, target)
    around = read(board.step, target)
    is_near = is_met and has(around, source)
    on_target = zone_on(board, costly, target) if is_met else EMPTY
    fewest = NO_SPACE
    is_path = False
    start = zone_on(board, costly, source)
    if is_near and size(start) < height:
        met = union(start, on_target)
        fewest = size(met)
        is_path = met == zones
    for code in codes:
        if not is_move(code, source):
            continue
        end = target_of(code)
        if is_met:
            # a path may come back to where it began
            is_beside = has(around, end) or (is_near and has(read(board.step, source), end))
            ends_here = is_beside and not has(filled, end) and size(zones_of(code)) < height
        else:
            ends_here = end == target
        if ends_here:
            met = union(zones_of(code), on_target)
            fewest = min(fewest, size(met))
            is_path = is_path or met == zones
    return fewest, is_path


@helper
def zone_on(board: np.record, costly: Bits, space: int) -> Bits:
    """Return the zone that takes a disc on a space, as a set of its first space; empty: none."""
    zone = zone_at(board, costly, space)
    return EMPTY if zone == NO_SPACE else bit(zone)


@helper
def leads_to(board: np.record, state: np.record, source: int, target: int) -> bool:
    """Whether a path would lead to the target if tempests took no discs."""
    empty = empty_spaces(board, state)
    cells = bit(source)
    frontier = cells
    while not is_empty(frontier):
        around = read(board.step, lowest(frontier))
        if has(around, target):
            return True
        fresh = without(both(around, empty), cells)
        cells = union(cells, fresh)
        frontier = union(drop_lowest(frontier), fresh)
    return False


@helper
def refuse_build(board: np.record, state: np.record, seat: int, asked: np.ndarray) -> int:
    """Return why a construction is refused. Rule: E6."""
    source, site, level = int(asked[Asked.SOURCE]), int(asked[Asked.TARGET]), int(asked[Asked.AMOUNT])
    if owner_of(state, source) != seat:
        return Refused.BUILD_NOT_YOUR_STACK
    if not has(read(board.sets, Area.SITES), site):
        return Refused.NOT_A_SITE
    if not has(read(board.near, source), site):
        return Refused.NOT_ADJACENT
    if not 1 <= level <= LEVELS or not has(read(board.carries, level), site):
        return Refused.TERRAIN_TOO_WEAK
    owner, old = built_on(state, site)
    is_own = old == 0 or owner == seat
    if level != old + 1 and (is_own or level != old):
        return Refused.KIND_ORDER
    if size(buildings_of(state, seat, level)) == SUPPLY[level]:
        return Refused.NO_SUPPLY
    if state.height[source] < level + (0 if is_own else 1):
        return Refused.TOO_FEW_DISCS
    return Refused.NO_EMPEROR_IN_STACK if asked[Asked.EMPEROR] else Refused.EMPEROR_MUST_BE_SPENT


@helper
def refuse_reinforcement(
    board: np.record, state: np.record, codes: np.ndarray, seat: int, asked: np.ndarray
) -> int:
    """Return why an ordinary reinforcement is refused. Rule: E8, E12.5, E12.6."""
    space, discs, emperor = int(asked[Asked.TARGET]), int(asked[Asked.AMOUNT]), int(asked[Asked.EMPEROR])
    if state.height[space] == 0:
        return Refused.REINFORCE_EMPTY_SPACE
    if owner_of(state, space) != seat:
        return Refused.REINFORCE_NOT_YOUR_STACK
    if state.n_placed and not has_building(board, state, seat, Area.WIND):
        return Refused.ONE_STACK_ONLY
    for index in range(state.n_placed):
        if state.placed[index] == space:
            return Refused.ALREADY_REINFORCED
    if state.height[space] + discs > TALLEST:
        return Refused.REINFORCE_TOO_HIGH
    if has(read(board.sets, Area.TEMPEST), space) and not ignores_tempests(board, state, seat):
        return Refused.ON_TEMPEST
    warded = enemy_ward(state, seat)
    if has(warded, space):
        for code in codes:
            if action_type_of(code) == ActionType.REINFORCE and has(warded, target_of(code)):
                return Refused.EMPEROR_ALONE
        return Refused.NEAR_ENEMY_BUILDING
    if emperor > holds_emperor(state, seat) or discs - emperor > state.reserve[seat]:
        return Refused.RESERVE_TOO_SMALL
    return Refused.MUST_REINFORCE if discs < 1 else Refused.EMPEROR_FIRST


@helper
def refuse_moon(board: np.record, state: np.record, seat: int, emperor: int) -> int:
    """Return why the Temple of the Moon can't be used so. Rule: E10.4."""
    if not has_building(board, state, seat, Area.MOON):
        return Refused.MOON_NO_BUILDING
    if state.moon_used:
        return Refused.MOON_USED
    if state.reserve[seat] < MOON_PRICE + 1 - emperor or emperor > holds_emperor(state, seat):
        return Refused.MOON_RESERVE
    return Refused.MOON_SPACE


@helper
def refuse_sandtemple(board: np.record, state: np.record, seat: int) -> int:
    """Return why the Temple of the Sand can't be used so. Rule: E10.5."""
    if not has_building(board, state, seat, Area.SANDTEMPLE):
        return Refused.SANDTEMPLE_NO_BUILDING
    if state.sandtemple_used:
        return Refused.SANDTEMPLE_USED
    return Refused.SANDTEMPLE_RESERVE if state.reserve[seat] < SANDTEMPLE_PRICE else Refused.SANDTEMPLE_TARGET


@helper
def refuse_march(state: np.record, seat: int) -> int:
    """Return why a forced march is refused. Rule: E7.1."""
    if state.marched:
        return Refused.MARCH_USED
    return Refused.MARCH_RESERVE if state.reserve[seat] < MARCH_PRICE else Refused.MARCH_NO_ACTION


@helper
def refuse_end(state: np.record, seat: int) -> int:
    """Return why a phase can't be ended. Rule: E4.2, E8.1, E8.4."""
    if state.phase in (Phase.ACTION, Phase.SECOND):
        return Refused.MUST_ACT
    begun = state.n_placed > 0 or state.moon_used > 0
    return Refused.MUST_BRING_EMPEROR if begun and holds_emperor(state, seat) > 0 else Refused.MUST_REINFORCE


@helper
def refuse_place(board: np.record, state: np.record, seat: int, asked: np.ndarray) -> int:
    """Return why a placement of the draft set-up is refused. Rule: E3.4."""
    space = int(asked[Asked.TARGET])
    if state.height[space] or not has(read(board.sets, Area.SAND), space):
        return Refused.PLACE_OCCUPIED
    if not asked[Asked.EMPEROR] and state.whereabouts[seat] == Whereabouts.UNPLACED:
        return Refused.PLACE_EMPEROR_LAST
    return Refused.PLACE_NO_DISC
