"""Concludes from a round who played which card, and who can't hold which (kernels)."""

from __future__ import annotations

import numpy as np

from ekoes.games.ekko.rules.record import CARDS, FITTING, MIRROR, MOST_PLAYERS, NOBODY, Why, is_multiple
from ekoes.games.ekko.rules.turn import HAND_SIZE, left_of
from ekoes.games.kernels.bits import EMPTY, WORDS, has, read, union, write
from ekoes.games.kernels.jit import entry, helper


@entry
def who_played(states: np.ndarray, by: np.ndarray) -> None:
    """Write the player of each card of the play zone; NOBODY where what everybody sees does not tell.

    states: STATE[1] as a seat sees it, read; by: int64[CARDS], written.

    Turns go round, and a draw in turn names its player. The player of a mirror follows from the draws for
    it, or else from the next known turn (K3.3): until then seats are counted from 0.
    """
    state = states[0]
    seat = int(state.dealer)
    first = NOBODY  # the first of the cards whose players are counted from a seat that is still unknown
    for place in range(state.zone_size):
        if _is_mirror(state, place):
            if first != NOBODY:
                by[first:place] = NOBODY
            seat = _who_did_not_draw(state, place)
            first = place if seat == NOBODY else NOBODY
            seat = max(seat, 0)
        by[place] = seat
        if not is_multiple(int(state.zone[place])):
            seat = left_of(state, seat)
        for draw in range(state.n_drew):
            if state.drew_at[draw] == place + 1 and state.drew_why[draw] == Why.TURN:
                _turn_round(state, by, first, place + 1, int(state.drew_seat[draw]) - seat)
                first = NOBODY
                seat = left_of(state, int(state.drew_seat[draw]))
    _turn_round(state, by, first, int(state.zone_size), int(state.player) - seat)


@helper
def _is_mirror(state: np.record, place: int) -> bool:
    """Return whether a card of the play zone mirrored the one before it."""
    return place > 0 and state.zone[place] == MIRROR[int(state.zone[place - 1])]


@helper
def _who_did_not_draw(state: np.record, place: int) -> int:
    """Return who let all others draw by a mirror; NOBODY if a card was put aside instead. Rule: K3.2."""
    drew = 0
    for draw in range(state.n_drew):
        if state.drew_at[draw] == place + 1 and state.drew_why[draw] == Why.EFFECT:
            drew |= 1 << int(state.drew_seat[draw])
    if drew:
        for player in range(state.players):
            if not drew >> player & 1:
                return player
    return NOBODY


@helper
def _turn_round(state: np.record, by: np.ndarray, first: int, end: int, by_seats: int) -> None:
    """Move the players of some cards on by a number of seats. first: NOBODY for no cards."""
    if first != NOBODY:
        for place in range(first, end):
            by[place] = (by[place] + by_seats) % state.players


@entry
def barred_cards(states: np.ndarray, seat: int, sizes: np.ndarray, barred: np.ndarray) -> int:
    """Write for each card in the other players' hands, seat by seat, the cards that it can't be.

    states: STATE[1] as the seat sees it, read; sizes: int64[MOST_PLAYERS], of the hands; barred:
    uint64[CARDS, 2], written: sets of cards. Returns: their number.
    """
    state = states[0]
    by = np.zeros(CARDS, np.int64)
    who_played(states, by)
    # by player, for each card of the hand, oldest first: what it can't be
    slots = np.zeros((MOST_PLAYERS, CARDS, WORDS), np.uint64)
    counts = np.zeros(MOST_PLAYERS, np.int64)
    counts[: state.players] = HAND_SIZE[int(state.players)]
    for place in range(state.zone_size):
        player = by[place]
        if place > 0 and player != NOBODY and counts[player]:
            _take(slots[player], counts, player, int(state.zone[place]))
            is_discarding = _is_mirror(state, place) and _who_did_not_draw(state, place) == NOBODY
            if is_discarding and counts[player]:
                _drop(slots[player], counts, player, 0)  # put aside, from an unknown slot
        _draw(state, slots, counts, place)
    count = 0
    for player in range(state.players):
        if player != seat:
            is_known = counts[player] == sizes[player]  # else some card has an unknown player
            for slot in range(sizes[player]):
                write(barred, count, read(slots[player], slot) if is_known else EMPTY)
                count += 1
    return count


@helper
def _take(slots: np.ndarray, counts: np.ndarray, player: int, card: int) -> None:
    """Take a card that is played from the oldest slot that it can have come from."""
    for slot in range(counts[player]):
        if not has(read(slots, slot), card):
            _drop(slots, counts, player, slot)
            return
    _drop(slots, counts, player, 0)


@helper
def _drop(slots: np.ndarray, counts: np.ndarray, player: int, slot: int) -> None:
    counts[player] -= 1
    for later in range(slot, counts[player]):
        write(slots, later, read(slots, later + 1))


@helper
def _draw(state: np.record, slots: np.ndarray, counts: np.ndarray, place: int) -> None:
    """Add the draws on a card. A card drawn for a misplay was blocked, valid or not (K4.1)."""
    valid = read(FITTING, int(state.zone[place]))
    blocked = np.zeros(MOST_PLAYERS, np.int64)
    for draw in range(state.n_drew):
        if state.drew_at[draw] == place + 1:
            player = int(state.drew_seat[draw])
            if state.drew_why[draw] == Why.TURN:
                for slot in range(counts[player] - blocked[player]):
                    write(slots[player], slot, union(read(slots[player], slot), valid))
            if state.drew_why[draw] == Why.MISPLAY:
                blocked[player] += 1
            write(slots[player], int(counts[player]), EMPTY)
            counts[player] += 1
