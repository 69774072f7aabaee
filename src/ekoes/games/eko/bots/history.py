"""What decisions have brought elsewhere in a tree, which says what to look at first (kernels).

The history heuristic (Schaeffer, 1989), for gains: what a decision brings depends little on those before it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ekoes.games.eko.rules.build import built_on
from ekoes.games.eko.rules.code import SOURCE_SHIFT, SPACE_MASK, TARGET_SHIFT, source_of, target_of
from ekoes.games.eko.rules.record import LEVELS, MOST_PLAYERS, TALLEST, owner_of
from ekoes.games.kernels.jit import helper

VIEWS = 3
"""The decision itself; all that differ from it by their source; all whose source and target hold the same."""
PLACES = 4093
"""Gains that are remembered for each player and view, a prime number."""
_RATE = 0.02
_NO_SOURCE = ~(SPACE_MASK << SOURCE_SHIFT)
_NO_SPACES = _NO_SOURCE & ~(SPACE_MASK << TARGET_SHIFT)


@helper
def expected_gain(history: np.ndarray, state: Any, seat: int, code: int) -> float:
    """Return by how much a decision raises its player's chance to win, as far as it is known.

    history: float64[MOST_PLAYERS, VIEWS, PLACES]; state: the decision's.
    """
    gain = 0.0
    for view in range(VIEWS):
        gain += history[seat, view, place_of(state, seat, code, view)]
    return gain


@helper
def learn_gain(history: np.ndarray, state: Any, seat: int, code: int, gain: float) -> None:
    """Bring what is expected of a decision nearer to what it has brought."""
    step = _RATE * (gain - expected_gain(history, state, seat, code))
    for view in range(VIEWS):
        history[seat, view, place_of(state, seat, code, view)] += step


@helper
def place_of(state: Any, seat: int, code: int, view: int) -> int:
    """Return where a view of a decision has its gain."""
    if view == 0:
        return code % PLACES
    if view == 1:
        return (code & _NO_SOURCE) % PLACES
    source = source_of(code)
    target = target_of(code)
    builder, level = built_on(state, target)
    held = int(state.height[source]) * (TALLEST + 1) + int(state.height[target])
    held = held * (LEVELS + 1) + level
    held = 2 * held + (1 if builder == seat else 0)
    held = 2 * held + (1 if owner_of(state, target) == seat else 0)
    held = 2 * held + (1 if state.emperor[seat] == source else 0)
    is_emperor = 0
    for player in range(MOST_PLAYERS):
        if state.emperor[player] == target:
            is_emperor = 1
    return ((code & _NO_SPACES) | (2 * held + is_emperor) << SOURCE_SHIFT) % PLACES
