"""Ekö in arrays (kernels): what a seat sees, decisions as integers, and steps of many games.

The integers on a board of S spaces; a plane has one for each space (docs/reference/environment-eko.md):

    0  end     1  march     2  decline the swap     3 + k  ransom by the Emperor of the k-th seat clockwise
    7 + plane · S + space, where plane is
        0  swap      1, 2  place, the Emperor     3  sandtemple     4, 5  moon, the Emperor
        6 + 2 · (count - 1) + emperor                          reinforce
       12 + 12 · (level - 1) + 6 · emperor + direction         build from the space towards a direction
       48 + source                                             move to the space
    7 + (48 + S) · S + emperor · sets + set                    the discs that the chosen move loses

A move that can lose discs in several ways takes two integers: the second one names what is lost.
"""

from __future__ import annotations

import numpy as np

from ekoes.envs.kernels import BEGIN, NONE, left_of, mark, reward_winners, steps_to
from ekoes.games.eko.rules.code import (
    TARGET_SHIFT,
    ZONE_COUNT_MASK,
    ZONE_COUNT_SHIFT,
    ActionType,
    action_type_of,
    amount_of,
    emperor_of,
    make_code,
    source_of,
    target_of,
    zones_of,
)
from ekoes.games.eko.rules.ending import points_of
from ekoes.games.eko.rules.export import actor_of
from ekoes.games.eko.rules.record import LEVELS, NO_SPACE, NOBODY, TALLEST, Area, Phase, Whereabouts
from ekoes.games.eko.rules.signs import Sign
from ekoes.games.eko.rules.turn import gather, perform
from ekoes.games.kernels.bits import drop_lowest, has, is_empty, lowest, next_random, read
from ekoes.games.kernels.jit import entry, helper

END, MARCH, KEEP, RANSOM, FIRST_PLANE = 0, 1, 2, 3, 7
SWAP, PLACE, SANDTEMPLE, MOON, REINFORCE, BUILD, MOVE = 0, 1, 3, 4, 6, 12, 48
"""The first plane of each kind of decision."""
_DIRECTIONS = 6
_DIRECTION = np.array([[NONE, 3, 4], [2, NONE, 5], [1, 0, NONE]], np.int64)
"""The direction (E2.1) by the differences of q and r, each plus 1."""

FIRST_SIGN_PLANE = 10
STATIC_PLANES = FIRST_SIGN_PLANE + len(Sign) - 1
"""Planes of the board that never change: see ``spaces_eko.static_planes``."""
_Q, _R = 0, 1
PLAYER_PLANES = 3
MORE_PLANES = 3
PLAYER_SCALARS = 7
MORE_SCALARS = 16


@helper
def choose(number: int, most: int) -> int:
    """Return the binomial coefficient."""
    ways = 1
    for step in range(most):
        ways = ways * (number - step) // (step + 1)
    return ways


@helper
def sets_below(zones: int, size: int) -> int:
    """Return the number of sets of less than ``size`` zones."""
    count = 0
    for smaller in range(size):
        count += choose(zones, smaller)
    return count


@helper
def number_losses(board: np.record, code: int, zones: int) -> int:
    """Return which discs a move loses, 0 … 2 * sets - 1: sets of zones by size, then by their last zones."""
    heads = zones_of(code)
    number = sets_below(zones, (code >> ZONE_COUNT_SHIFT) & ZONE_COUNT_MASK)
    place = 0
    taken = 0
    rest = read(board.sets, Area.ZONE_HEADS)
    while not is_empty(rest):
        if has(heads, lowest(rest)):
            taken += 1
            number += choose(place, taken)
        place += 1
        rest = drop_lowest(rest)
    return number + emperor_of(code) * sets_below(zones, TALLEST + 1)


@helper
def number_of(code: int, seat: int, players: int, planes: np.ndarray) -> int:
    """Return the integer of a decision; that of a move leaves out what it loses.

    seat: the one that decides. planes: int8[STATIC_PLANES, S].
    """
    kind = action_type_of(code)
    spaces = planes.shape[1]
    space = target_of(code)
    if kind == ActionType.MOVE:
        plane = MOVE + source_of(code)
    elif kind == ActionType.BUILD:
        source = source_of(code)
        q = int(planes[_Q, space]) - int(planes[_Q, source])
        r = int(planes[_R, space]) - int(planes[_R, source])
        plane = BUILD + 2 * _DIRECTIONS * (amount_of(code) - 1) + _DIRECTIONS * emperor_of(code)
        plane += _DIRECTION[q + 1, r + 1]
        space = source
    elif kind == ActionType.REINFORCE:
        plane = REINFORCE + 2 * (amount_of(code) - 1) + emperor_of(code)
    elif kind == ActionType.MOON:
        plane = MOON + emperor_of(code)
    elif kind == ActionType.SANDTEMPLE:
        plane = SANDTEMPLE
    elif kind == ActionType.PLACE:
        plane = PLACE + emperor_of(code)
    elif kind == ActionType.SWAP:
        if space == NO_SPACE:
            return KEEP
        plane = SWAP
    elif kind == ActionType.RANSOM:
        return RANSOM + steps_to(space, seat, players)
    else:
        return MARCH if kind == ActionType.MARCH else END
    return FIRST_PLANE + plane * spaces + space


@helper
def code_of(board: np.record, integer: int, seat: int, planes: np.ndarray) -> int:
    """Return the code of an integer, without what a move loses; NONE if it can mean nothing here."""
    nowhere = NO_SPACE << TARGET_SHIFT
    if integer < RANSOM:
        if integer == KEEP:
            return ActionType.SWAP | nowhere
        return (ActionType.MARCH if integer == MARCH else ActionType.END) | nowhere
    if integer < FIRST_PLANE:
        return ActionType.RANSOM | ((integer - RANSOM + seat) % board.players) << TARGET_SHIFT
    spaces = planes.shape[1]
    plane = (integer - FIRST_PLANE) // spaces
    space = (integer - FIRST_PLANE) % spaces
    target = space << TARGET_SHIFT
    if plane >= MOVE:
        return make_code(ActionType.MOVE, plane - MOVE, 0, 0) | target if plane < MOVE + spaces else NONE
    if plane >= BUILD:
        way = plane - BUILD
        around = read(board.near, space)
        while not is_empty(around):
            site = lowest(around)
            around = drop_lowest(around)
            q = int(planes[_Q, site]) - int(planes[_Q, space])
            r = int(planes[_R, site]) - int(planes[_R, space])
            if _DIRECTION[q + 1, r + 1] == way % _DIRECTIONS:
                level = way // (2 * _DIRECTIONS) + 1
                emperor = way // _DIRECTIONS % 2
                return make_code(ActionType.BUILD, space, level, emperor) | site << TARGET_SHIFT
        return NONE
    if plane >= REINFORCE:
        way = plane - REINFORCE
        return make_code(ActionType.REINFORCE, 0, way // 2 + 1, way % 2) | target
    if plane >= MOON:
        return make_code(ActionType.MOON, 0, 0, plane - MOON) | target
    if plane == SANDTEMPLE:
        return ActionType.SANDTEMPLE | target
    if plane >= PLACE:
        return make_code(ActionType.PLACE, 0, 0, plane - PLACE) | target
    return ActionType.SWAP | target


@helper
def write_board(
    board: np.record, state: np.record, seat: int, planes: np.ndarray, chosen: int, out: np.ndarray
) -> None:
    """Write the planes of the board as a seat sees them, except those that never change.

    out: int8[planes, S], written.
    """
    players = board.players
    first = PLAYER_PLANES * players
    out[: first + MORE_PLANES] = 0
    player = seat
    for step in range(players):
        plane = PLAYER_PLANES * step
        rest = read(state.own, player)
        while not is_empty(rest):
            space = lowest(rest)
            rest = drop_lowest(rest)
            out[plane, space] = state.height[space]
        if state.whereabouts[player] == Whereabouts.BOARD:
            out[plane + 1, int(state.emperor[player])] = 1
        for level in range(1, LEVELS + 1):
            mark(read(state.built[player], level), level, out[plane + 2], 0)
        player = left_of(player, players)
    for index in range(state.n_placed):
        out[first, int(state.placed[index])] = 1
    mark(read(state.paid, 0), 1, out[first + 1], 0)
    if chosen != NONE:
        spaces = planes.shape[1]
        out[first + 2, (chosen - FIRST_PLANE) // spaces - MOVE] = 1
        out[first + 2, (chosen - FIRST_PLANE) % spaces] = 2


@helper
def write_static(planes: np.ndarray, out: np.ndarray) -> None:
    """Write the planes of the board that never change.

    Numba takes three seconds to compile an assignment to a slice, which checks shapes.

    planes: int8[STATIC_PLANES, S]. out: int8[planes, S], written.
    """
    first = len(out) - STATIC_PLANES
    for plane in range(STATIC_PLANES):
        for space in range(planes.shape[1]):
            out[first + plane, space] = planes[plane, space]


@helper
def write_scalars(board: np.record, state: np.record, seat: int, chosen: int, out: np.ndarray) -> None:
    """Write the numbers beside the board as a seat sees them. out: int32[…], written."""
    players = board.players
    player = seat
    for step in range(players):
        row = out[PLAYER_SCALARS * step :]
        row[0] = points_of(board, state, player)
        row[1] = state.reserve[player]
        row[2] = state.removed[player]
        row[3] = state.unplaced[player]
        row[4] = 1 if state.whereabouts[player] == Whereabouts.BOARD else 0
        row[5] = 1 if state.whereabouts[player] == Whereabouts.RESERVE else 0
        captor = int(state.captor[player])
        row[6] = 0 if captor == NOBODY else steps_to(captor, seat, players) + 1
        player = left_of(player, players)
    row = out[PLAYER_SCALARS * players :]
    row[:MORE_SCALARS] = 0
    row[int(state.phase)] = 1
    row[8] = state.number
    row[9] = steps_to(int(state.player), seat, players)
    row[10] = steps_to(int(state.first), seat, players) if state.number == 0 else 0
    row[11] = state.marched
    row[12] = state.sandtemple_used
    row[13] = state.moon_used
    row[14] = state.resume
    row[15] = 1 if chosen != NONE else 0


@helper
def write_mask(
    board: np.record,
    state: np.record,
    work: np.record,
    seat: int,
    planes: np.ndarray,
    zones: int,
    chosen: int,
    mask: np.ndarray,
) -> None:
    """Mark the integers of all legal decisions, or of what the chosen move can lose.

    mask: int8[…], written.
    """
    mask[:] = 0
    groups = gather(board, state, work)
    players = board.players
    losses = FIRST_PLANE + (MOVE + planes.shape[1]) * planes.shape[1]
    for index in range(groups):
        code = int(work.code[index])
        rest = read(work.targets, index)
        if chosen == NONE and action_type_of(code) == ActionType.MOVE:  # by far the most decisions
            mark(rest, 1, mask, number_of(code, seat, players, planes))
            continue
        while not is_empty(rest):
            decision = code | (lowest(rest) << TARGET_SHIFT)
            rest = drop_lowest(rest)
            integer = number_of(decision, seat, players, planes)
            if chosen == NONE:
                mask[integer] = 1
            elif integer == chosen:
                mask[losses + number_losses(board, decision, zones)] = 1


@helper
def find_move(
    board: np.record,
    state: np.record,
    work: np.record,
    planes: np.ndarray,
    zones: int,
    chosen: int,
    loss: int,
) -> tuple[int, int]:
    """Return the code of a move, and in how many ways it can lose discs.

    chosen: its integer. loss: what it loses; NONE: anything.
    """
    found = NONE
    ways = 0
    seat = int(state.player)
    for index in range(gather(board, state, work)):
        code = int(work.code[index])
        target = (chosen - FIRST_PLANE) % planes.shape[1]
        if action_type_of(code) != ActionType.MOVE or not has(read(work.targets, index), target):
            continue
        decision = code | (target << TARGET_SHIFT)
        if number_of(decision, seat, board.players, planes) != chosen:
            continue
        if loss == NONE or number_losses(board, decision, zones) == loss:
            ways += 1
            found = decision
    return found, ways


@helper
def decide(
    board: np.record,
    state: np.record,
    work: np.record,
    planes: np.ndarray,
    zones: int,
    chosen: int,
    integer: int,
) -> int:
    """Perform the legal decision of an integer; a move that can lose discs in several ways waits for another.

    Returns: the integer of the move that waits, or NONE.
    """
    if chosen != NONE:
        loss = integer - FIRST_PLANE - (MOVE + planes.shape[1]) * planes.shape[1]
        code, _ = find_move(board, state, work, planes, zones, chosen, loss)
    else:
        code = code_of(board, integer, actor_of(state), planes)
        if zones and action_type_of(code) == ActionType.MOVE:
            code, ways = find_move(board, state, work, planes, zones, integer, NONE)
            if ways > 1:
                return integer
    perform(board, state, work, code)
    return NONE


@entry
def number_codes(
    boards: np.ndarray,
    codes: np.ndarray,
    seat: int,
    planes: np.ndarray,
    zones: int,
    chosen: int,
    out: np.ndarray,
) -> None:
    """Write the integer of each decision; NONE: it is not the chosen move.

    boards: BOARD[1]. codes: int64[…], read; out: int64[…], written.
    """
    board = boards[0]
    losses = FIRST_PLANE + (MOVE + planes.shape[1]) * planes.shape[1]
    for index in range(len(codes)):
        code = codes[index]
        integer = number_of(code, seat, board.players, planes)
        if chosen != NONE:
            integer = losses + number_losses(board, code, zones) if integer == chosen else NONE
        out[index] = integer


@entry
def code_at(boards: np.ndarray, integer: int, seat: int, planes: np.ndarray) -> int:
    """Return the code of an integer, legal or not, as ``code_of`` does. boards: BOARD[1]."""
    return code_of(boards[0], integer, seat, planes)


@entry
def observe(
    boards: np.ndarray,
    states: np.ndarray,
    seat: int,
    planes: np.ndarray,
    chosen: int,
    out: np.ndarray,
    scalars: np.ndarray,
) -> None:
    """Write what a seat sees: int8[planes, S] and int32[…]. states: STATE[1], read."""
    write_static(planes, out)
    write_board(boards[0], states[0], seat, planes, chosen, out)
    write_scalars(boards[0], states[0], seat, chosen, scalars)


@entry
def step_games(
    boards: np.ndarray,
    planes: np.ndarray,
    roots: np.ndarray,
    starts: np.ndarray,
    states: np.ndarray,
    works: np.ndarray,
    streams: np.ndarray,
    chosen: np.ndarray,
    zones: int,
    turn_limit: int,
    begin: int,
    end: int,
    actions: np.ndarray,
    board_out: np.ndarray,
    scalars: np.ndarray,
    last_board: np.ndarray,
    last_scalars: np.ndarray,
    viewers: np.ndarray,
    mask: np.ndarray,
    seats: np.ndarray,
    rewards: np.ndarray,
    terminated: np.ndarray,
    truncated: np.ndarray,
) -> None:
    """Perform a legal integer in each of some games; a game that ends begins anew from a random start.

    The last observation of a game is that of the seat that decided, or of the seat to move if the game is cut
    off at the turn limit; or of its viewer if it has one.

    boards: BOARD[starts], planes: int8[starts, STATIC_PLANES, S], roots: STATE[starts], read. By game,
    written: starts: int32, states: STATE, streams: uint64, chosen: int64, and the arrays of ``BatchEnv``.
    begin, end: the games. actions: int64, or BEGIN, LOOK or NONE. works: WORK[1], scratch.
    """
    work = works[0]
    for game in range(begin, end):
        state = states[game]
        start = starts[game]
        players = boards[start].players
        rewards[game] = 0
        terminated[game] = False
        truncated[game] = False
        if actions[game] == NONE:
            continue
        if actions[game] >= 0:
            decider = actor_of(state)
            chosen[game] = decide(
                boards[start], state, work, planes[start], zones, chosen[game], actions[game]
            )
            terminated[game] = state.phase == Phase.OVER
            truncated[game] = not terminated[game] and state.number > turn_limit
            if terminated[game]:
                reward_winners(int(state.winners), players, rewards[game])
            if terminated[game] or truncated[game]:
                viewer = viewers[game]
                if viewer == NONE:
                    viewer = decider if terminated[game] else actor_of(state)
                write_static(planes[start], last_board[game])
                write_board(boards[start], state, viewer, planes[start], chosen[game], last_board[game])
                write_scalars(boards[start], state, viewer, chosen[game], last_scalars[game])
        if terminated[game] or truncated[game] or actions[game] == BEGIN:
            start = next_random(streams[game : game + 1], len(roots))
            starts[game] = start
            states[game] = roots[start]
            chosen[game] = NONE
        if terminated[game] or truncated[game] or actions[game] < 0:
            write_static(planes[start], board_out[game])
        board = boards[start]
        seat = actor_of(state)
        seats[game] = seat
        write_board(board, state, seat, planes[start], chosen[game], board_out[game])
        write_scalars(board, state, seat, chosen[game], scalars[game])
        write_mask(board, state, work, seat, planes[start], zones, chosen[game], mask[game])
