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
        strength = 0.0
        for feature in range(FEATURES):
            strength += weights[role, feature] * rows[player, feature]
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
