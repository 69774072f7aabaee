"""Moves where tempest zones take discs: one action for each set of zones on the way (E10.2).

A *wave* is a set of zones that a stack can have met. Waves are worked off in order of their size:
each yields its targets and leads to the waves with one zone more. Within a wave a stack walks
freely over what is free and over the zones it has paid, so only the regions at the rim matter.
"""

from __future__ import annotations

from typing import Any

from ekoes.games.eko.rules.code import ActionType, add_group, make_code, source_of, with_emperor, zone_code
from ekoes.games.eko.rules.reach import meets, occupied, roam
from ekoes.games.eko.rules.record import Area
from ekoes.games.kernels.bits import (
    EMPTY,
    Bits,
    bit,
    both,
    has,
    is_empty,
    lowest,
    read,
    union,
    without,
    write,
)
from ekoes.kernel import helper

__all__ = ["gather_journeys"]


@helper
def gather_journeys(
    board: Any,
    state: Any,
    work: Any,
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
    state: Any,
    work: Any,
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
    board: Any,
    work: Any,
    begin: int,
    top: int,
    met: Bits,
    entered: Bits,
) -> int:
    """Add the waves with one zone more; equal ones are made one. Returns the number of waves.

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
