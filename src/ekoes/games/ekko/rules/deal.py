"""The deal: the order of the 98 cards becomes hands, the first card of the play zone, and the pile."""

from __future__ import annotations

from typing import Any

import numpy as np

from ekoes.games.ekko.rules.cards import is_multiple
from ekoes.games.ekko.rules.record import CARDS, Phase
from ekoes.games.ekko.rules.turn import ask_next, begin_turn, left_of, put_card
from ekoes.games.kernels.bits import bit, read, union, write
from ekoes.games.kernels.stream import next_random
from ekoes.kernel import helper

__all__ = ["HAND_SIZE", "deal_cards", "shuffle_cards"]


HAND_SIZE = (0, 0, 6, 6, 5, 5, 4, 4, 4)
"""Number of players -> how many cards each is dealt. Rule: K1.2."""


@helper
def deal_cards(state: Any, order: np.ndarray) -> None:
    """Deal a round and turn the first card over. Rule: K1.2, K1.3, K6.0. order: uint8[CARDS], all cards."""
    dealer = int(state.dealer)
    cards = HAND_SIZE[int(state.players)]
    place = 0
    player = dealer
    for _ in range(state.players):
        player = left_of(state, player)
        hand = read(state.hands, player)
        for _card in range(cards):
            hand = union(hand, bit(int(order[place])))
            place += 1
        write(state.hands, player, hand)
    turned = int(order[place])
    rest = CARDS - place - 1
    for index in range(rest):
        state.pile[index] = order[CARDS - 1 - index]
    state.pile_size = rest
    put_card(state, dealer, turned)
    begin_turn(state, dealer)
    if is_multiple(turned):
        state.again = 1
        state.phase = Phase.PLAY
        return
    begin_turn(state, left_of(state, dealer))
    ask_next(state)


@helper
def shuffle_cards(order: np.ndarray, stream: np.ndarray) -> None:
    """Put all cards in a random order (Fisher-Yates). order: uint8[CARDS], a permutation, written."""
    for last in range(CARDS - 1, 0, -1):
        other = next_random(stream, last + 1)
        order[last], order[other] = order[other], order[last]
