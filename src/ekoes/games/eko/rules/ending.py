"""Ransoms (E5.7), points and the end of the game (E11)."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ekoes.games.eko.rules.record import (
    MOST_PLAYERS,
    NOBODY,
    WINNING_POINTS,
    Phase,
    Whereabouts,
    capture_emperor,
    free_emperor,
)
from ekoes.games.eko.rules.signs import points_at
from ekoes.games.kernels.bits import EMPTY, Bits, bit, is_empty, lowest, read, size, union
from ekoes.games.kernels.jit import helper


class Reason(IntEnum):
    """Why a game has ended (E4.2, E11)."""

    POINTS = 0
    LAST_ON_BOARD = 1
    BOTH = 2
    NOBODY = 3
    NO_MOVES = 4


@helper
def captives_of(state: np.record, player: int) -> Bits:
    """Return the set of players whose Emperors a player holds."""
    captives = EMPTY
    for other in range(MOST_PLAYERS):
        if int(state.captor[other]) == player:
            captives = union(captives, bit(other))
    return captives


@helper
def find_ransom(board: np.record, state: np.record) -> int:
    """Return the first player who owes a ransom, the player in turn first, or NOBODY. Rule: E5.7."""
    for step in range(board.players):
        player = (int(state.player) + step) % board.players
        if state.whereabouts[player] == Whereabouts.CAPTIVE and not is_empty(captives_of(state, player)):
            return player
    return NOBODY


@helper
def pay_ransom(state: np.record, player: int, captive: int) -> None:
    """Give a captive Emperor for the own one. Rule: E5.7."""
    keeper = int(state.captor[player])
    free_emperor(state, player)
    free_emperor(state, captive)
    if captive != keeper:
        capture_emperor(state, keeper, captive)


@helper
def settle_ransoms(board: np.record, state: np.record) -> int:
    """Pay all ransoms that leave no choice. Returns the player who chooses next, or NOBODY. Rule: E5.7."""
    while True:
        player = find_ransom(board, state)
        if player == NOBODY:
            return NOBODY
        captives = captives_of(state, player)
        if size(captives) > 1:
            return player
        pay_ransom(state, player, lowest(captives))


@helper
def points_of(board: np.record, state: np.record, player: int) -> int:
    """Return a player's points. Rule: E11.1."""
    points = int(state.points[player])
    for index in range(board.n_signs):
        points += points_at(board, state, index, player)
    return points


@helper
def has_enough_points(board: np.record, state: np.record, player: int) -> bool:
    """Return whether a player has 12 points and a building on a capital. Rule: E11.2."""
    return state.capitals[player] > 0 and points_of(board, state, player) >= WINNING_POINTS


@helper
def winners_of(board: np.record, state: np.record) -> int:
    """Return the bit set of the players who have won now, or NOBODY while the game goes on.

    0: it is over without a winner. Rule: E11.2-E11.4.
    """
    winners = 0
    last = NOBODY
    present = 0
    for player in range(board.players):
        if not is_empty(read(state.own, player)):
            last = player
            present += 1
        if has_enough_points(board, state, player):
            winners |= 1 << player
    if present == 1:
        winners |= 1 << last
    if winners == 0 and present > 0:
        return NOBODY
    return winners


@helper
def reason_of(board: np.record, state: np.record) -> int:
    """Return the Reason of a game's end, or NOBODY while it goes on. Rule: E4.2, E11.2-E11.4."""
    if state.phase != Phase.OVER:
        return NOBODY
    by_points = 0
    present = False
    for player in range(board.players):
        present |= not is_empty(read(state.own, player))
        if (state.winners >> player) & 1 and has_enough_points(board, state, player):
            by_points |= 1 << player
    if state.winners == 0:
        return Reason.NO_MOVES if present else Reason.NOBODY
    if by_points == state.winners:
        return Reason.POINTS
    return Reason.BOTH if by_points else Reason.LAST_ON_BOARD


@helper
def end_game(state: np.record, winners: int) -> None:
    """End the game, and clear the fields of the turn."""
    state.phase = Phase.OVER
    state.winners = winners
    clear_turn(state)


@helper
def clear_turn(state: np.record) -> None:
    """Clear the fields that belong to one turn."""
    state.marched = 0
    state.sandtemple_used = 0
    state.moon_used = 0
    for index in range(state.n_placed):
        state.placed[index] = 0
    state.n_placed = 0
    state.paid[0, 0] = EMPTY[0]
    state.paid[0, 1] = EMPTY[1]
    state.chooser = NOBODY
    state.resume = 0
    state.first = 0


@helper
def judge_end(board: np.record, state: np.record) -> bool:
    """End the game if a player has won or none can. Returns whether it is over. Rule: E11."""
    winners = winners_of(board, state)
    if winners == NOBODY:
        return False
    end_game(state, winners)
    return True
