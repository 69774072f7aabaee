"""The chance of each player to win, judged by a position's features and learned weights (kernels)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ekoes.games.eko.bots.search.features import FEATURES, Feature, describe
from ekoes.games.eko.rules.record import MOST_PLAYERS, Phase
from ekoes.kernel import helper

__all__ = ["judge", "power", "share"]

_MOST = 20.0
_SQUARINGS = 10
_FOURS = FEATURES // 4 * 4


@helper
def judge(
    board: Any,
    state: Any,
    work: Any,
    sets: np.ndarray,
    rows: np.ndarray,
    weights: np.ndarray,
    chances: np.ndarray,
) -> bool:
    """Write the chance of each player to win. Returns whether it is certain: the game is over.

    weights: float64[2, FEATURES], of the next player and of the others; chances: float64[MOST_PLAYERS].
    """
    for player in range(MOST_PLAYERS):
        chances[player] = 0.0
    if state.phase == Phase.OVER:
        share(int(state.winners), chances)
        return True
    describe(board, state, work, sets, rows)
    strongest = -np.inf
    for player in range(board.players):
        role = 0 if rows[player, Feature.NEXT] > 0.0 else 1
        strength = weighed(weights, role, rows, player)
        chances[player] = strength
        strongest = max(strongest, strength)
    whole = 0.0
    for player in range(board.players):
        chances[player] = power(chances[player] - strongest)
        whole += chances[player]
    for player in range(board.players):
        chances[player] /= whole
    return False


@helper
def weighed(weights: np.ndarray, role: int, rows: np.ndarray, player: int) -> float:
    """Return the weighted sum of a row, in four sums at a time: each waits for its own last product alone."""
    first = second = third = fourth = 0.0
    for feature in range(0, _FOURS, 4):
        first += weights[role, feature] * rows[player, feature]
        second += weights[role, feature + 1] * rows[player, feature + 1]
        third += weights[role, feature + 2] * rows[player, feature + 2]
        fourth += weights[role, feature + 3] * rows[player, feature + 3]
    whole = (first + second) + (third + fourth)
    for feature in range(_FOURS, FEATURES):
        whole += weights[role, feature] * rows[player, feature]
    return float(whole)


@helper
def share(winners: int, chances: np.ndarray) -> None:
    """Write 1 for who has won, its part where several have. winners: bit set of seats."""
    count = 0
    for player in range(MOST_PLAYERS):
        count += (winners >> player) & 1
    for player in range(MOST_PLAYERS):
        chances[player] = 1.0 / count if (winners >> player) & 1 else 0.0


@helper
def power(exponent: float) -> float:
    """Return nearly e to a power, of plain products alone: alike to the last bit on every machine."""
    value = 1.0 + max(-_MOST, min(_MOST, exponent)) / (1 << _SQUARINGS)
    for _ in range(_SQUARINGS):
        value *= value
    return value
