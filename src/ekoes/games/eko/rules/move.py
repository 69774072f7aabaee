"""Moves, regroupings and attacks (E5), also where tempest zones take discs on the way (E10.2)."""

from __future__ import annotations

import numpy as np

from ekoes.games.eko.rules.code import (
    ActionType,
    add_group,
    emperor_of,
    make_code,
    source_of,
    target_of,
    with_emperor,
    zone_code,
    zones_of,
)
from ekoes.games.eko.rules.paths import (
    costly_spaces,
    empty_spaces,
    find_meetings,
    find_regions,
    meets,
    occupied,
    roam,
)
from ekoes.games.eko.rules.record import (
    NOBODY,
    TALLEST,
    Area,
    capture_emperor,
    lift_stack,
    owner_of,
    put_stack,
    send_home,
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
    write,
)
from ekoes.games.kernels.jit import helper


@helper
def gather_paths(
    board: np.record,
    state: np.record,
    work: np.record,
    count: int,
    start: int,
    emperor: int,
    free: Bits,
    costly: Bits,
) -> int:
    """Append the moves of the stack on ``start``. Returns the number of groups.

    emperor: 1 if the stack has it. free: empty spaces that cost nothing. costly: spaces of the
    zones that would take a disc, empty or not.
    """
    height = int(state.height[start])
    lost = 1 if has(costly, start) else 0
    met = read(board.zone, start) if lost else EMPTY
    write(work.met, 0, met)
    write(work.entered, 0, bit(start))
    begin = 0
    end = 1
    while begin < end:
        top = end
        for index in range(begin, end):
            met = read(work.met, index)
            entered = read(work.entered, index)
            entries = without(entered, without(occupied(state), bit(start)))
            code = make_code(ActionType.MOVE, start, 0, 0)
            code |= zone_code(both(met, read(board.sets, Area.ZONE_HEADS)))
            if lost == height:
                count = add_group(work, count, with_emperor(code, emperor), entries)
                continue
            cells = EMPTY
            reached = entered
            if not is_empty(entries):
                open_spaces = without(union(free, both(costly, met)), occupied(state))
                cells, rim = roam(board, work, start, open_spaces)
                unmet = without(costly, met)
                reached = union(entered, without(rim, unmet))
                top = add_waves(board, work, end, top, met, both(rim, unmet))
            count = add_targets(state, work, count, code, emperor, lost, cells, reached)
        begin = end
        end = top
        lost += 1
    return count


@helper
def add_targets(
    state: np.record,
    work: np.record,
    count: int,
    code: int,
    emperor: int,
    lost: int,
    cells: Bits,
    reached: Bits,
) -> int:
    """Append the targets of one wave for a stack that keeps a disc. Returns the number of groups.

    cells: empty spaces it can end on; reached: spaces it gets to, for the stacks that stand there.
    An Emperor is kept or, if a zone takes a disc, lost: two groups.
    """
    player = int(state.player)
    start = source_of(code)
    height = int(state.height[start]) - lost
    here = bit(start)
    if emperor and lost:
        met = both(reached, meets(state, player, height, 0))
        targets = without(union(cells, met), here)
        count = add_group(work, count, with_emperor(code, 1), targets)
    met = both(reached, meets(state, player, height, emperor))
    return add_group(work, count, code, without(union(cells, met), here))


@helper
def add_waves(
    board: np.record,
    work: np.record,
    begin: int,
    top: int,
    met: Bits,
    entered: Bits,
) -> int:
    """Add the waves with one zone more; equal ones are merged. Returns the number of waves.

    work.met[begin:top] are those of this size so far. entered: the spaces of zones not yet met that
    the stack can enter next.
    """
    rest = entered
    while not is_empty(rest):
        zone = read(board.zone, lowest(rest))
        here = both(rest, zone)
        rest = without(rest, zone)
        zones = union(met, zone)
        index = begin
        while index < top:
            if work.met[index, 0] == zones[0] and work.met[index, 1] == zones[1]:
                break
            index += 1
        if index == top:
            top += 1
        else:
            here = union(here, read(work.entered, index))
        write(work.met, index, zones)
        write(work.entered, index, here)
    return top


@helper
def can_move(board: np.record, state: np.record) -> bool:
    """Whether some stack of the player in turn stands next to an empty space.

    If so, it has a move (a tempest may take its last disc, E10.2); if not, only gathering the moves tells.
    """
    empty = empty_spaces(board, state)
    rest = read(state.own, int(state.player))
    while not is_empty(rest):
        space = lowest(rest)
        rest = drop_lowest(rest)
        if not is_empty(both(read(board.step, space), empty)):
            return True
    return False


@helper
def gather_moves(board: np.record, state: np.record, work: np.record, count: int) -> int:
    """Append the groups of all moves of the player in turn. Returns the number of groups."""
    player = int(state.player)
    empty = empty_spaces(board, state)
    costly = costly_spaces(board, state, player)
    free = without(empty, costly)
    find_regions(board, free, both(empty, costly), work)
    find_meetings(state, player, work.meeting)
    rest = read(state.own, player)
    while not is_empty(rest):
        space = lowest(rest)
        rest = drop_lowest(rest)
        emperor = 1 if int(state.emperor[player]) == space else 0
        if is_empty(costly):
            height = int(state.height[space])
            fit = meets(state, player, height, 1) if emperor else read(work.meeting, height)
            cells, rim = roam(board, work, space, free)
            targets = without(union(cells, both(rim, fit)), bit(space))
            code = make_code(ActionType.MOVE, space, 0, 0)
            count = add_group(work, count, code, targets)
        else:
            count = gather_paths(board, state, work, count, space, emperor, free, costly)
    return count


@helper
def move_stack(board: np.record, state: np.record, code: int) -> None:
    """Move a stack: pay the tempests, then stand, regroup or attack. Rule: E5.2-E5.6, E10.2."""
    player = int(state.player)
    source = source_of(code)
    target = target_of(code)
    emperor = 1 if int(state.emperor[player]) == source else 0
    height = lift_stack(state, player, source)
    heads = zones_of(code)
    lost = size(heads)
    if lost:
        pay_zones(board, state, heads)
        emperor_lost = emperor_of(code)
        state.reserve[player] += lost - emperor_lost
        height -= lost
        if emperor_lost:
            send_home(state, player)
            emperor = 0
    if height == 0:
        return
    owner = owner_of(state, target)
    if owner == player:
        height += lift_stack(state, player, target)
    elif owner != NOBODY:
        beaten = take_stack(state, player, owner, target)
        if beaten == TALLEST and height == 1:
            if emperor:
                send_home(state, player)
            else:
                state.reserve[player] += 1
            return
    put_stack(state, player, target, height)
    if emperor:
        state.emperor[player] = target


@helper
def pay_zones(board: np.record, state: np.record, heads: Bits) -> None:
    """Mark zones, given by their first spaces, as paid for this turn. Rule: E10.2."""
    paid = read(state.paid, 0)
    rest = heads
    while not is_empty(rest):
        head = lowest(rest)
        rest = drop_lowest(rest)
        paid = union(paid, read(board.zone, head))
    write(state.paid, 0, paid)


@helper
def take_stack(state: np.record, player: int, owner: int, space: int) -> int:
    """Beat an enemy stack: discs go home, its Emperor is captured. Returns its height.

    Rule: E5.4, E5.6.
    """
    height = lift_stack(state, owner, space)
    if int(state.emperor[owner]) == space:
        capture_emperor(state, player, owner)
        state.reserve[owner] += height - 1
    else:
        state.reserve[owner] += height
    return height
