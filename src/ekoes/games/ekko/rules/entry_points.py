"""The kernels that Python calls: list and apply decisions, deal, and play random games."""

from __future__ import annotations

import numpy as np

from ekoes.games.ekko.rules.decisions import MOST_DECISIONS, asked, gather, perform
from ekoes.games.ekko.rules.record import CARDS, MOST_PLAYERS, Phase
from ekoes.games.ekko.rules.turn import deal_cards, shuffle_cards
from ekoes.games.kernels.bits import next_random
from ekoes.games.kernels.jit import entry


@entry
def list_decisions(states: np.ndarray, out: np.ndarray) -> int:
    """Write the codes of all legal decisions. states: STATE[1], read; out: int64[MOST_DECISIONS].

    Returns: their number.
    """
    return gather(states[0], out)


@entry
def perform_decision(states: np.ndarray, after: np.ndarray, player: int, code: int) -> None:
    """Write the state after a player's legal decision. states: STATE[1], read; after: STATE[1], written."""
    after[0] = states[0]
    perform(after[0], player, code)


@entry
def deal_round(states: np.ndarray, after: np.ndarray, order: np.ndarray) -> None:
    """Write the state after a deal. order: uint8[CARDS], all cards. Rule: K6.0."""
    after[0] = states[0]
    deal_cards(after[0], order)


@entry
def play_out(roots: np.ndarray, states: np.ndarray, seeds: np.ndarray, wins: np.ndarray) -> int:
    """Play random games to their end, deals shuffled, each decision drawn evenly from the legal ones.

    roots: STATE[1], read. states: STATE[1] as scratch. seeds: uint64[games], not 0, written.
    wins: int64[MOST_PLAYERS + 1], added to: games that each player won alone, then ties (K5.6).
    Returns: the number of decisions, deals included.
    """
    decisions = 0
    order = np.empty(CARDS, np.uint8)
    codes = np.zeros(MOST_DECISIONS, np.int64)
    for game in range(len(seeds)):
        states[0] = roots[0]
        state = states[0]
        for index in range(CARDS):
            order[index] = index + 1
        stream = seeds[game : game + 1]
        while state.phase != Phase.OVER:
            decisions += 1
            if state.phase == Phase.DEAL:
                shuffle_cards(order, stream)
                deal_cards(state, order)
                continue
            player = asked(state)
            count = gather(state, codes)
            perform(state, player, codes[next_random(stream, count) if count > 1 else 0])
        winners = int(state.winners)
        winner = MOST_PLAYERS
        for player in range(state.players):
            if winners == 1 << player:
                winner = player
        wins[winner] += 1
    return decisions
