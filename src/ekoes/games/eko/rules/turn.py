"""The course of a turn (E4, E12): the decisions of each phase, what they do, and the next phase."""

from __future__ import annotations

import numpy as np

from ekoes.games.eko.rules.build import (
    can_reinforce,
    can_use_moon,
    construct_building,
    gather_constructions,
    gather_moon,
    gather_reinforcements,
    has_building,
    holds_emperor,
    place_moon,
    reinforce_stack,
)
from ekoes.games.eko.rules.code import (
    ActionType,
    action_type_of,
    add_group,
    add_single,
    emperor_of,
    make_code,
    target_of,
)
from ekoes.games.eko.rules.ending import (
    captives_of,
    clear_turn,
    end_game,
    judge_end,
    pay_ransom,
    settle_ransoms,
)
from ekoes.games.eko.rules.move import can_move, gather_moves, move_stack
from ekoes.games.eko.rules.paths import empty_spaces, occupied
from ekoes.games.eko.rules.record import (
    MARCH_PRICE,
    MOST_PLAYERS,
    NO_SPACE,
    NOBODY,
    SANDTEMPLE_PRICE,
    Area,
    Phase,
    Whereabouts,
    drop_discs,
    owner_of,
    put_stack,
)
from ekoes.games.kernels.bits import bit, both, read, union, without
from ekoes.games.kernels.jit import helper


@helper
def gather(board: np.record, state: np.record, work: np.record) -> int:
    """Gather all legal decisions as groups. Returns their number; 0 when the game is over.

    Rule: E12.1-E12.7.
    """
    phase = state.phase
    if phase == Phase.ACTION:
        count = gather_moves(board, state, work, 0)
        count = gather_constructions(board, state, work, count)
        stuck = count == 0
        count = gather_sandtemple(board, state, work, count)
        return add_single(work, count, ActionType.END) if stuck and count else count
    if phase == Phase.SECOND:
        count = gather_moves(board, state, work, 0)
        return gather_constructions(board, state, work, count)
    if phase in (Phase.AFTER, Phase.REINFORCE):
        return gather_after(board, state, work)
    if phase == Phase.RANSOM:
        captives = captives_of(state, int(state.chooser))
        return add_group(work, 0, make_code(ActionType.RANSOM, 0, 0, 0), captives)
    if phase == Phase.SWAP:
        return gather_swaps(state, work)
    if phase == Phase.PLACE:
        return gather_placements(board, state, work)
    return 0


@helper
def gather_after(board: np.record, state: np.record, work: np.record) -> int:
    """Gather what may follow the actions: march, placements, moon, end. Rule: E12.3, E12.5, E12.6."""
    player = int(state.player)
    count = gather_reinforcements(board, state, work, 0)
    ordinary = count > 0
    if state.phase == Phase.AFTER and can_march(board, state, work, count):
        count = add_single(work, count, ActionType.MARCH)
    count = gather_moon(board, state, work, count)
    begun = state.n_placed > 0 or state.moon_used
    if count and (not ordinary or (begun and not holds_emperor(state, player))):
        count = add_single(work, count, ActionType.END)
    return count


@helper
def gather_sandtemple(board: np.record, state: np.record, work: np.record, count: int) -> int:
    """Append the group of the Temple of the Sand. Returns the number of groups. Rule: E10.5."""
    player = int(state.player)
    if (
        state.sandtemple_used
        or state.reserve[player] < SANDTEMPLE_PRICE
        or not has_building(board, state, player, Area.SANDTEMPLE)
    ):
        return count
    targets = without(occupied(state), read(state.own, player))
    for other in range(MOST_PLAYERS):
        emperor_space = int(state.emperor[other])
        if emperor_space != NO_SPACE and state.height[emperor_space] == 1:
            targets = without(targets, bit(emperor_space))
    return add_group(work, count, make_code(ActionType.SANDTEMPLE, 0, 0, 0), targets)


@helper
def gather_swaps(state: np.record, work: np.record) -> int:
    """Gather the swaps of the set-up, and declining. Rule: E3.3, E12.1."""
    player = int(state.player)
    discs = without(read(state.own, player), bit(int(state.emperor[player])))
    return add_group(work, 0, ActionType.SWAP, union(discs, bit(NO_SPACE)))


@helper
def gather_placements(board: np.record, state: np.record, work: np.record) -> int:
    """Gather the placements of the draft set-up. Rule: E3.4, E12.1."""
    player = int(state.player)
    spaces = both(empty_spaces(board, state), read(board.sets, Area.SAND))
    count = 0
    if state.unplaced[player] > 0:
        count = add_group(work, count, make_code(ActionType.PLACE, 0, 0, 0), spaces)
    if state.whereabouts[player] == Whereabouts.UNPLACED:
        count = add_group(work, count, make_code(ActionType.PLACE, 0, 0, 1), spaces)
    return count


@helper
def can_act(board: np.record, state: np.record, work: np.record, count: int) -> bool:
    """Whether the player in turn has a move or a construction. groups[:count] stay as they are."""
    if can_move(board, state):
        return True
    if gather_constructions(board, state, work, count) > count:
        return True
    return gather_moves(board, state, work, count) > count


@helper
def can_march(board: np.record, state: np.record, work: np.record, count: int) -> bool:
    """Whether a forced march is possible. groups[:count] stay as they are. Rule: E7.1."""
    return (
        state.marched == 0
        and state.reserve[int(state.player)] >= MARCH_PRICE
        and can_act(board, state, work, count)
    )


@helper
def perform(board: np.record, state: np.record, work: np.record, code: int) -> None:
    """Perform a legal decision and enter the phase of the next one."""
    action_type = action_type_of(code)
    player = int(state.player)
    if action_type in (ActionType.MOVE, ActionType.BUILD):
        if action_type == ActionType.MOVE:
            move_stack(board, state, code)
        else:
            construct_building(board, state, code)
        state.resume = Phase.AFTER if state.phase == Phase.ACTION else Phase.REINFORCE
        settle(board, state, work)
    elif action_type == ActionType.REINFORCE:
        reinforce_stack(state, code)
        reinforced(board, state, work)
    elif action_type == ActionType.MOON:
        place_moon(state, code)
        reinforced(board, state, work)
    elif action_type == ActionType.MARCH:
        state.reserve[player] -= MARCH_PRICE
        state.removed[player] += MARCH_PRICE
        state.marched = 1
        state.phase = Phase.SECOND
    elif action_type == ActionType.END:
        if state.phase == Phase.ACTION:
            enter_reinforcement(board, state, work, Phase.REINFORCE)
        else:
            begin_turn(board, state, work, player + 1)
    elif action_type == ActionType.SANDTEMPLE:
        use_sandtemple(state, code)
        if not judge_end(board, state) and not enter_action(board, state, work):
            begin_turn(board, state, work, player + 1)
    elif action_type == ActionType.RANSOM:
        pay_ransom(state, int(state.chooser), target_of(code))
        settle(board, state, work)
    elif action_type == ActionType.SWAP:
        if target_of(code) != NO_SPACE:
            state.emperor[player] = target_of(code)
        next_in_setup(board, state, work)
    elif action_type == ActionType.PLACE:
        place_disc(state, code)
        next_in_setup(board, state, work)


@helper
def settle(board: np.record, state: np.record, work: np.record) -> None:
    """After an action: ransoms, then victory, then what follows. Rule: E5.7, E11.2, E12.7."""
    chooser = settle_ransoms(board, state)
    state.chooser = chooser
    if chooser != NOBODY:
        state.phase = Phase.RANSOM
    elif not judge_end(board, state):
        enter_reinforcement(board, state, work, int(state.resume))


@helper
def enter_reinforcement(board: np.record, state: np.record, work: np.record, phase: int) -> None:
    """Enter the march and reinforcement phase, or end the turn if neither is possible. Rule: E12.3, E12.5."""
    player = int(state.player)
    state.phase = phase
    state.resume = 0
    if (
        can_reinforce(board, state, player)
        or can_use_moon(board, state, player)
        or (phase == Phase.AFTER and can_march(board, state, work, 0))
    ):
        return
    begin_turn(board, state, work, player + 1)


@helper
def reinforced(board: np.record, state: np.record, work: np.record) -> None:
    """After a placement: go on with the reinforcement if possible, else end the turn. Rule: E12.6."""
    if not judge_end(board, state):
        enter_reinforcement(board, state, work, Phase.REINFORCE)


@helper
def enter_action(board: np.record, state: np.record, work: np.record) -> bool:
    """Enter the action phase, else the reinforcement. Returns whether either allows a decision.

    Rule: E4.2, E12.2. If neither does, the phase stays as it is.
    """
    player = int(state.player)
    if can_act(board, state, work, 0) or gather_sandtemple(board, state, work, 0):
        state.phase = Phase.ACTION
        return True
    if can_reinforce(board, state, player) or can_use_moon(board, state, player):
        state.phase = Phase.REINFORCE
        return True
    return False


@helper
def begin_turn(board: np.record, state: np.record, work: np.record, candidate: int) -> None:
    """Begin the turn of the next player who can do something. Rule: E4.1-E4.3.

    candidate: the player to try first. If no player can do anything, the game ends without a winner.
    """
    mover = int(state.player)
    clear_turn(state)
    for step in range(board.players):
        state.player = (candidate + step) % board.players
        if enter_action(board, state, work):
            state.number += 1
            return
    state.player = mover
    end_game(state, 0)


@helper
def use_sandtemple(state: np.record, code: int) -> None:
    """Remove two own discs and send one enemy disc home. Rule: E10.5."""
    player = int(state.player)
    space = target_of(code)
    owner = owner_of(state, space)
    state.reserve[player] -= SANDTEMPLE_PRICE
    state.removed[player] += SANDTEMPLE_PRICE
    state.sandtemple_used = 1
    drop_discs(state, owner, space, 1, 0)


@helper
def place_disc(state: np.record, code: int) -> None:
    """Place an own disc in the draft set-up. Rule: E3.4."""
    player = int(state.player)
    put_stack(state, player, target_of(code), 1)
    if emperor_of(code):
        state.emperor[player] = target_of(code)
        state.whereabouts[player] = Whereabouts.BOARD
    else:
        state.unplaced[player] -= 1


@helper
def next_in_setup(board: np.record, state: np.record, work: np.record) -> None:
    """Go on to the next player of the set-up, or begin the first turn. Rule: E3.3, E3.4."""
    following = (int(state.player) + 1) % board.players
    first = int(state.first)
    more = following != first
    if state.phase == Phase.PLACE:
        more = state.unplaced[following] > 0 or state.whereabouts[following] == Whereabouts.UNPLACED
    if more:
        state.player = following
    else:
        begin_turn(board, state, work, first)
