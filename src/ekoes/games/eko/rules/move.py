"""Moves, regroupings and attacks (E5), on boards or in turns without a price of tempests."""

from __future__ import annotations

from typing import Any

from ekoes.games.eko.rules.code import (
    ActionType,
    add_group,
    emperor_of,
    make_code,
    source_of,
    target_of,
    zones_of,
)
from ekoes.games.eko.rules.journey import gather_journeys
from ekoes.games.eko.rules.reach import (
    costly_spaces,
    empty_spaces,
    find_meetings,
    find_regions,
    meets,
    roam,
)
from ekoes.games.eko.rules.record import NOBODY, TALLEST
from ekoes.games.eko.rules.stack import (
    capture_emperor,
    lift_stack,
    owner_of,
    put_stack,
    send_home,
)
from ekoes.games.kernels.bits import (
    Bits,
    bit,
    both,
    drop_lowest,
    is_empty,
    lowest,
    read,
    size,
    union,
    without,
    write,
)
from ekoes.kernel import helper

__all__ = ["can_move", "gather_moves", "move_stack"]


@helper
def can_move(board: Any, state: Any) -> bool:
    """Whether some stack of the player in turn stands next to an empty space.

    True is certain (a tempest may take the last disc, E10.2); False means: gather and see.
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
def gather_moves(board: Any, state: Any, work: Any, count: int) -> int:
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
            count = gather_journeys(board, state, work, count, space, emperor, free, costly)
    return count


@helper
def move_stack(board: Any, state: Any, code: int) -> None:
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
def pay_zones(board: Any, state: Any, heads: Bits) -> None:
    """Note that zones, given by their first spaces, have taken their disc this turn. Rule: E10.2."""
    paid = read(state.paid, 0)
    rest = heads
    while not is_empty(rest):
        head = lowest(rest)
        rest = drop_lowest(rest)
        paid = union(paid, read(board.zone, head))
    write(state.paid, 0, paid)


@helper
def take_stack(state: Any, player: int, owner: int, space: int) -> int:
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
