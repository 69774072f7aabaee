"""Games of the search against itself, and what they say of positions: rows to learn from (a kernel)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ekoes.games.eko.bots.search.features import FEATURES, SETS, describe
from ekoes.games.eko.bots.search.grow import grow
from ekoes.games.eko.bots.search.tree import ROOT, Control
from ekoes.games.eko.rules.record import MOST_PLAYERS, Phase
from ekoes.games.eko.rules.turn import perform
from ekoes.games.kernels.bits import WORDS
from ekoes.games.kernels.stream import next_random
from ekoes.kernel import entry

__all__ = ["play_and_tell"]

_PERCENT = 100


@entry
def play_and_tell(
    boards: np.ndarray,
    games: np.ndarray,
    works: np.ndarray,
    trials: np.ndarray,
    weights: np.ndarray,
    taste: np.ndarray,
    nodes: np.ndarray,
    control: np.ndarray,
    stream: np.ndarray,
    terms: np.ndarray,
    told: np.ndarray,
    values: np.ndarray,
) -> int:
    """Play one game to its end and write some of its positions.

    games: STATE[1], where it begins, written: where it ends. stream: uint64[1], not 0, written. terms:
    int64[4], steps of a search, how many of 100 decisions are surprises, how many of 100 positions are
    told, the turn limit. told: int8[…, MOST_PLAYERS, FEATURES], values: float64[…, MOST_PLAYERS], what
    the search thought of each; both written.

    Returns: how many positions were told.
    """
    sets: Any = np.zeros((SETS, WORDS), np.uint64)
    rows: Any = np.zeros((MOST_PLAYERS, FEATURES))
    drawn: Any = np.zeros(0, np.int64)
    state = games[0]
    count = 0
    while state.phase != Phase.OVER and state.number <= terms[3] and count < len(told):
        for column in range(len(control)):
            control[column] = 0
        control[Control.LIMIT] = terms[0]
        nodes[ROOT].count = 0
        nodes[ROOT].visits = 0
        nodes[ROOT].proven = 0
        for player in range(MOST_PLAYERS):
            nodes[ROOT].total[player] = 0.0
        grow(boards, games, works, trials, weights, taste, drawn, nodes, control)
        seat = int(nodes[ROOT].seat)
        first = int(nodes[ROOT].first)
        best = first
        surprise = next_random(stream, _PERCENT) < terms[1]
        most = -np.inf
        for follower in range(first, first + nodes[ROOT].count):
            promise = nodes[follower].value[seat]
            if surprise:
                promise += next_random(stream, 1 << 20) / float(1 << 21)
            else:
                promise += nodes[follower].visits
            if promise > most:
                best, most = follower, promise
        if next_random(stream, _PERCENT) < terms[2] and state.phase != Phase.PLACE:
            describe(boards[0], state, works[0], sets, rows)
            for player in range(MOST_PLAYERS):
                values[count, player] = nodes[ROOT].value[player]
                for feature in range(FEATURES):
                    told[count, player, feature] = rows[player, feature]
            count += 1
        perform(boards[0], state, works[0], nodes[best].code)
    return count
