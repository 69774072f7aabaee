"""Dealing the cards that a seat does not see, as they may lie (a kernel)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ekoes.games.kernels.bits import EMPTY, bit, has, read, union, write
from ekoes.games.kernels.stream import next_random
from ekoes.kernel import helper

__all__ = ["deal_unseen"]

_TRIES = 16


@helper
def deal_unseen(
    state: Any,  # noqa: ANN401
    seat: int,
    unseen: np.ndarray,
    barred: np.ndarray,
    sizes: np.ndarray,
    set_aside: np.ndarray,
    stream: np.ndarray,
) -> None:
    """Deal unseen cards to the other players' hands, to what they put aside, and to the pile. Rule: K6.4.

    unseen: uint8[…], a permutation of the cards, and stream: uint64[1], not 0, written. barred: uint64[…, 2],
    for each card in the others' hands, in order, which it can't be; it is kept to as far as chance finds
    another card. sizes, set_aside: int64[MOST_PLAYERS], cards of each player.
    """
    for last in range(len(unseen) - 1, 0, -1):
        other = next_random(stream, last + 1)
        unseen[last], unseen[other] = unseen[other], unseen[last]
    _heed(unseen, barred, stream)
    place = 0
    for player in range(state.players):
        if player != seat:
            place = _hand_over(state.hands, player, unseen, place, sizes[player])
    for player in range(state.players):
        if player != seat:
            place = _hand_over(state.aside, player, unseen, place, set_aside[player])
    for index in range(state.pile_size):
        state.pile[index] = unseen[place + index]


@helper
def _heed(cards: np.ndarray, barred: np.ndarray, stream: np.ndarray) -> None:
    """Exchange cards at the places that they are barred from with later ones."""
    for place in range(len(barred)):
        bars = read(barred, place)
        for _ in range(_TRIES):
            if not has(bars, int(cards[place])):
                break
            other = place + next_random(stream, len(cards) - place)
            cards[place], cards[other] = cards[other], cards[place]


@helper
def _hand_over(rows: np.ndarray, player: int, cards: np.ndarray, place: int, count: int) -> int:
    """Put the next cards into a player's row of sets; returns the place after them."""
    taken = EMPTY
    for index in range(place, place + count):
        taken = union(taken, bit(int(cards[index])))
    write(rows, player, taken)
    return place + count
