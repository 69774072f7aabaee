"""Positions that others wrote (kernels): their state, or the first reason why they are impossible.

A page and Python read the interchange form into numbers, and put the reasons into words.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ekoes.games.eko.rules.build import buildings_of, update_ward, write_buildings
from ekoes.games.eko.rules.ending import settle_ransoms, winners_of
from ekoes.games.eko.rules.record import (
    CAPTIVE_POINTS,
    LEVELS,
    MOST_PLAYERS,
    NO_SPACE,
    NOBODY,
    ORDINARY_DISCS,
    SUPPLY,
    TALLEST,
    Area,
    Phase,
    Whereabouts,
    put_stack,
)
from ekoes.games.kernels.bits import bit, has, is_empty, read, size, union, without, write
from ekoes.games.kernels.jit import entry, helper

LAST_TURN = 999_999_999
"""The highest turn number that can be written and read."""


class Stood(IntEnum):
    """Columns of a stack."""

    SPACE = 0
    OWNER = 1
    HEIGHT = 2
    EMPEROR = 3


class Built(IntEnum):
    """Columns of a building."""

    SPACE = 0
    OWNER = 1
    LEVEL = 2


class Held(IntEnum):
    """Columns of what a player has elsewhere. KING_…: whether the Emperor is there. CAPTIVES: a set of seats.

    ALL, KINGS: written, from 0 on: how many ordinary discs and Emperors were found anywhere.
    """

    RESERVE = 0
    KING_RESERVE = 1
    REMOVED = 2
    CAPTIVES = 3
    UNPLACED = 4
    KING_UNPLACED = 5
    ALL = 6
    KINGS = 7


class Turn(IntEnum):
    """Numbers of the turn. CHOOSER: NOBODY except in a ransom. WINNERS: a set of seats."""

    PHASE = 0
    NUMBER = 1
    PLAYER = 2
    FIRST = 3
    MARCHED = 4
    SANDTEMPLE_USED = 5
    MOON_USED = 6
    CHOOSER = 7
    RESUME = 8
    WINNERS = 9


class Wrong(IntEnum):
    """Why a position is impossible. By the number of a stack, building or seat, where one is concerned."""

    NOTHING = 0
    STACK_TERRAIN = 1
    STACK_HEIGHT = 2
    BUILDING_TERRAIN = 3
    SUPPLY = 4
    RESERVE = 5
    REMOVED = 6
    CAPTIVES = 7
    UNPLACED = 8
    DISCS = 9
    EMPEROR = 10
    NUMBER = 11
    MISPLACED = 12
    PAID = 13
    PLACED = 14
    SET_UP = 15
    SET_UP_STACK = 16
    SWAP = 17
    DRAFT_RESERVE = 18
    DRAFT_TURNS = 19
    DRAFT_OVER = 20
    RANSOM = 21
    DECIDED = 22
    WINNERS = 23


WRONG_RULES = {
    Wrong.STACK_TERRAIN: "E1.5",
    Wrong.STACK_HEIGHT: "E1.6",
    Wrong.BUILDING_TERRAIN: "E1.5",
    Wrong.SUPPLY: "E1.3",
    Wrong.RESERVE: "E1.2",
    Wrong.REMOVED: "E1.2",
    Wrong.CAPTIVES: "E5.6",
    Wrong.UNPLACED: "E1.2",
    Wrong.DISCS: "E1.2",
    Wrong.EMPEROR: "E1.2",
    Wrong.NUMBER: "E12.9",
    Wrong.MISPLACED: "E12",
    Wrong.PAID: "E10.2",
    Wrong.PLACED: "E12.6",
    Wrong.SET_UP: "E3",
    Wrong.SET_UP_STACK: "E3.1",
    Wrong.SWAP: "E3.3",
    Wrong.DRAFT_RESERVE: "E3.4",
    Wrong.DRAFT_TURNS: "E3.4",
    Wrong.DRAFT_OVER: "E3.4",
    Wrong.RANSOM: "E5.7",
    Wrong.DECIDED: "E11",
    Wrong.WINNERS: "E11",
}


@entry
def read_position(
    boards: np.ndarray,
    stacks: np.ndarray,
    buildings: np.ndarray,
    held: np.ndarray,
    turn: np.ndarray,
    paid: np.ndarray,
    placed: np.ndarray,
    states: np.ndarray,
    settled: np.ndarray,
    place: np.ndarray,
) -> int:
    """Write the state of a position. Returns: ``Wrong``; if something is wrong, the state is incomplete.

    boards: BOARD[1], read. stacks: int64[…, len(Stood)] and buildings: int64[…, len(Built)], on different
    spaces of the board, of its seats. held: int64[players, len(Held)]. turn: int64[len(Turn)]. paid, placed:
    int64[…], spaces of the board. states: STATE[1] of zeros. settled: STATE[1], scratch. place: int64[1],
    written: the number of what is wrong, or of the winners.
    """
    board, state = boards[0], states[0]
    _begin(board, state, turn)
    wrong = _put_stacks(board, state, stacks, held, place)
    if wrong == Wrong.NOTHING:
        wrong = _put_buildings(board, state, buildings, place)
    if wrong == Wrong.NOTHING:
        wrong = _put_held(board, state, held, place)
    if wrong == Wrong.NOTHING:
        wrong = _put_turn(board, state, turn, paid, placed)
    if wrong != Wrong.NOTHING:
        return wrong
    for player in range(MOST_PLAYERS):
        update_ward(board, state, player)
    settled[0] = state
    after = settled[0]
    after.chooser = settle_ransoms(board, after)
    winners = int(winners_of(board, state))
    if state.phase <= Phase.SWAP:
        return _check_set_up(board, state, stacks, held, place)
    if state.phase == Phase.OVER:
        state.winners = place[0] = max(winners, 0)
        return Wrong.NOTHING if turn[Turn.WINNERS] == state.winners else Wrong.WINNERS
    for player in range(MOST_PLAYERS):
        if after.captor[player] != state.captor[player]:
            return Wrong.RANSOM
    if after.chooser != state.chooser:
        return Wrong.RANSOM
    return Wrong.DECIDED if state.phase != Phase.RANSOM and winners != NOBODY else Wrong.NOTHING


@helper
def _begin(board: np.record, state: np.record, turn: np.ndarray) -> None:
    for player in range(MOST_PLAYERS):
        state.emperor[player] = NO_SPACE
        state.captor[player] = NOBODY
        state.whereabouts[player] = Whereabouts.RESERVE if player < board.players else Whereabouts.UNPLACED
    state.phase, state.player = turn[Turn.PHASE], turn[Turn.PLAYER]
    state.first, state.chooser, state.resume = turn[Turn.FIRST], turn[Turn.CHOOSER], turn[Turn.RESUME]
    state.marched, state.moon_used = turn[Turn.MARCHED], turn[Turn.MOON_USED]
    state.sandtemple_used = turn[Turn.SANDTEMPLE_USED]


@helper
def _put_stacks(
    board: np.record, state: np.record, stacks: np.ndarray, held: np.ndarray, place: np.ndarray
) -> int:
    walkable = read(board.sets, Area.WALKABLE)
    for number in range(len(stacks)):
        place[0] = number
        space, owner = int(stacks[number, Stood.SPACE]), int(stacks[number, Stood.OWNER])
        height, emperor = int(stacks[number, Stood.HEIGHT]), int(stacks[number, Stood.EMPEROR])
        if not has(walkable, space):
            return Wrong.STACK_TERRAIN
        if height < 1 or height > TALLEST:
            return Wrong.STACK_HEIGHT
        put_stack(state, owner, space, height)
        held[owner, Held.ALL] += height - emperor
        held[owner, Held.KINGS] += emperor
        if emperor:
            state.emperor[owner] = space
            state.whereabouts[owner] = Whereabouts.BOARD
    return Wrong.NOTHING


@helper
def _put_buildings(board: np.record, state: np.record, buildings: np.ndarray, place: np.ndarray) -> int:
    for number in range(len(buildings)):
        place[0] = number
        space, owner = int(buildings[number, Built.SPACE]), int(buildings[number, Built.OWNER])
        level = int(buildings[number, Built.LEVEL])
        if not has(read(board.carries, level), space):
            return Wrong.BUILDING_TERRAIN
        write_buildings(state, owner, level, union(buildings_of(state, owner, level), bit(space)))
        state.points[owner] += level
        state.capitals[owner] += 1 if has(read(board.sets, Area.CAPITALS), space) else 0
    for owner in range(MOST_PLAYERS):
        for level in range(1, LEVELS + 1):
            if size(buildings_of(state, owner, level)) > SUPPLY[level]:
                place[0] = owner * (LEVELS + 1) + level
                return Wrong.SUPPLY
    return Wrong.NOTHING


@helper
def _put_held(board: np.record, state: np.record, held: np.ndarray, place: np.ndarray) -> int:
    """Put what is not on the board; each disc is somewhere, and each Emperor in one place. Rule: E1.2."""
    for seat in range(board.players):
        place[0] = seat
        if held[seat, Held.RESERVE] < 0 or held[seat, Held.RESERVE] > ORDINARY_DISCS:
            return Wrong.RESERVE
        state.reserve[seat] = held[seat, Held.RESERVE]
        if held[seat, Held.KING_RESERVE]:
            state.whereabouts[seat] = Whereabouts.RESERVE
    for seat in range(board.players):
        place[0] = seat
        if held[seat, Held.REMOVED] < 0 or held[seat, Held.REMOVED] > ORDINARY_DISCS:
            return Wrong.REMOVED
        state.removed[seat] = held[seat, Held.REMOVED]
    for seat in range(board.players):
        place[0] = seat
        captives = int(held[seat, Held.CAPTIVES])
        if captives >> seat & 1:
            return Wrong.CAPTIVES
        for captive in range(board.players):
            if captives >> captive & 1:
                held[captive, Held.KINGS] += 1
                state.captor[captive] = seat
                state.whereabouts[captive] = Whereabouts.CAPTIVE
                state.points[seat] += CAPTIVE_POINTS
    for seat in range(board.players):
        place[0] = seat
        if held[seat, Held.UNPLACED] < 0 or held[seat, Held.UNPLACED] > ORDINARY_DISCS:
            return Wrong.UNPLACED
        state.unplaced[seat] = held[seat, Held.UNPLACED]
        if held[seat, Held.KING_UNPLACED]:
            state.whereabouts[seat] = Whereabouts.UNPLACED
    for seat in range(board.players):
        place[0] = seat
        held[seat, Held.KINGS] += held[seat, Held.KING_RESERVE] + held[seat, Held.KING_UNPLACED]
        held[seat, Held.ALL] += (
            held[seat, Held.RESERVE] + held[seat, Held.REMOVED] + held[seat, Held.UNPLACED]
        )
        if held[seat, Held.ALL] != ORDINARY_DISCS:
            return Wrong.DISCS
        if held[seat, Held.KINGS] != 1:
            return Wrong.EMPEROR
    return Wrong.NOTHING


@helper
def _put_turn(
    board: np.record, state: np.record, turn: np.ndarray, paid: np.ndarray, placed: np.ndarray
) -> int:
    number = int(turn[Turn.NUMBER])
    low, high = (0, 0) if state.phase <= Phase.SWAP else (1, LAST_TURN)
    if number < low or number > high:
        return Wrong.NUMBER
    state.number = number
    is_set_up, is_ransom = state.phase <= Phase.SWAP, state.phase == Phase.RANSOM
    has_begun = state.marched or state.moon_used or state.sandtemple_used or len(paid) > 0
    if has_begun and (is_set_up or state.phase == Phase.OVER):
        return Wrong.MISPLACED
    if (state.first and not is_set_up) or (len(placed) > 0 and state.phase != Phase.REINFORCE):
        return Wrong.MISPLACED
    if is_ransom != (state.chooser != NOBODY):
        return Wrong.MISPLACED
    if is_ransom != (state.resume in (Phase.AFTER, Phase.REINFORCE)):
        return Wrong.MISPLACED
    for index in range(len(paid)):
        is_ascending = index == 0 or paid[index] > paid[index - 1]
        if not is_ascending or not has(read(board.sets, Area.ZONE_HEADS), int(paid[index])):
            return Wrong.PAID
        write(state.paid, 0, union(read(state.paid, 0), read(board.zone, int(paid[index]))))
    own = read(state.own, int(state.player))
    for index in range(len(placed)):
        if not has(own, int(placed[index])):
            return Wrong.PLACED
        own = without(own, bit(int(placed[index])))
        state.placed[index] = placed[index]
    state.n_placed = len(placed)
    return Wrong.NOTHING


@helper
def _check_set_up(
    board: np.record, state: np.record, stacks: np.ndarray, held: np.ndarray, place: np.ndarray
) -> int:
    """Check a position of the set-up. Rule: E3."""
    for seat in range(MOST_PLAYERS):
        is_bare = state.captor[seat] == NOBODY and state.reserve[seat] == 0 and state.removed[seat] == 0
        for level in range(1, LEVELS + 1):
            is_bare = is_bare and is_empty(buildings_of(state, seat, level))
        if not is_bare:
            return Wrong.SET_UP
    for number in range(len(stacks)):
        place[0] = number
        if stacks[number, Stood.HEIGHT] != 1:
            return Wrong.SET_UP_STACK
        if not has(read(board.sets, Area.SAND), int(stacks[number, Stood.SPACE])):
            return Wrong.SET_UP_STACK
    if state.phase == Phase.PLACE:
        return _check_draft(board, state, held, place)
    for seat in range(board.players):
        if state.whereabouts[seat] != Whereabouts.BOARD:
            return Wrong.SWAP
    return Wrong.NOTHING


@helper
def _check_draft(board: np.record, state: np.record, held: np.ndarray, place: np.ndarray) -> int:
    """Check that discs are placed by turns, and that some are left. Rule: E3.4."""
    for seat in range(board.players):
        if state.whereabouts[seat] == Whereabouts.RESERVE:
            return Wrong.DRAFT_RESERVE
    first, player = int(state.first), int(state.player)
    fair = int(held[player, Held.UNPLACED] + held[player, Held.KING_UNPLACED])
    before = (player - first) % board.players
    for order in range(board.players):
        seat = (first + order) % board.players
        place[0] = seat
        left = held[seat, Held.UNPLACED] + held[seat, Held.KING_UNPLACED]
        if left != fair - (1 if order < before else 0):
            return Wrong.DRAFT_TURNS
    return Wrong.DRAFT_OVER if fair == 0 else Wrong.NOTHING
