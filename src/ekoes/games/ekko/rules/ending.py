"""The end of a round and of the game (K5)."""

from __future__ import annotations

from typing import Any

from ekoes.games.ekko.rules.cards import is_multiple
from ekoes.games.ekko.rules.record import NOBODY, Phase
from ekoes.games.kernels.bits import EMPTY, drop_lowest, is_empty, lowest, read, size, write
from ekoes.kernel import helper

__all__ = ["end_round", "score_round"]


@helper
def score_round(state: Any) -> None:
    """Count the cards left in hand, and add them to the totals. Rule: K5.4."""
    for player in range(state.players):
        hand = read(state.hands, player)
        points = cards = size(hand)
        while not is_empty(hand):
            points += 1 if is_multiple(lowest(hand)) else 0
            hand = drop_lowest(hand)
        state.points[player] = points
        state.sizes[player] = cards
        state.scores[player] += points


@helper
def end_round(state: Any, ending: int, by: int) -> None:
    """End the round: the next one is to be dealt, or the game is over. Rule: K5.4-K5.6.

    ending: an ``Ending``; by: who brought it about.
    """
    score_round(state)
    state.ending = ending
    state.ended_by = by
    state.asked = NOBODY
    state.again = 0
    state.leaving = NOBODY
    highest = lowest_total = int(state.scores[0])
    for player in range(1, state.players):
        highest = max(highest, int(state.scores[player]))
        lowest_total = min(lowest_total, int(state.scores[player]))
    for player in range(state.players):
        write(state.blocked, player, EMPTY)
    if highest >= state.target:
        state.phase = Phase.OVER
        for player in range(state.players):
            if state.scores[player] == lowest_total:
                state.winners |= 1 << player
        return
    state.dealer = state.last
    state.number += 1
    clear_table(state)
    state.phase = Phase.DEAL


@helper
def clear_table(state: Any) -> None:
    """Take all cards together for the next deal."""
    for player in range(state.players):
        write(state.hands, player, EMPTY)
        write(state.aside, player, EMPTY)
    state.pile[:] = 0
    state.zone[:] = 0
    state.drew_seat[:] = 0
    state.drew_at[:] = 0
    state.drew_why[:] = 0
    state.pile_size = state.zone_size = state.n_drew = 0
    state.player = state.last = NOBODY
