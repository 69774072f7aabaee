"""Dealing the cards that a seat does not see, as they may lie (a kernel)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ekoes.games.kernels.bits import EMPTY, bit, union, write
from ekoes.games.kernels.stream import next_random
from ekoes.kernel import helper

__all__ = ["deal_unseen"]


@helper
def deal_unseen(
    state: Any,  # noqa: ANN401
    seat: int,
    unseen: np.ndarray,
    sizes: np.ndarray,
    set_aside: np.ndarray,
    stream: np.ndarray,
) -> None:
    """Deal unseen cards to the other players' hands, to what they put aside, and to the pile. Rule: K6.4.

    unseen: uint8[…], a permutation of the cards, and stream: uint64[1], not 0, written. sizes, set_aside:
    int64[SEATS], cards of each player.
    """
    for last in range(len(unseen) - 1, 0, -1):
        other = next_random(stream, last + 1)
        unseen[last], unseen[other] = unseen[other], unseen[last]
    place = 0
    for player in range(state.players):
        if player != seat:
            place = _hand_over(state.hands, player, unseen, place, sizes[player])
            place = _hand_over(state.aside, player, unseen, place, set_aside[player])
    for index in range(state.pile_size):
        state.pile[index] = unseen[place + index]


@helper
def _hand_over(rows: np.ndarray, player: int, cards: np.ndarray, place: int, count: int) -> int:
    """Put the next cards into a player's row of sets; returns the place after them."""
    taken = EMPTY
    for index in range(place, place + count):
        taken = union(taken, bit(int(cards[index])))
    write(rows, player, taken)
    return place + count
