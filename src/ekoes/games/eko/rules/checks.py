"""Kernels with which a position that was read from a file is completed and checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from ekoes.games.eko.rules.construct import update_ward
from ekoes.games.eko.rules.ending import settle_ransoms, winners_of
from ekoes.games.eko.rules.record import MOST_PLAYERS
from ekoes.kernel import entry

__all__ = ["find_wards", "find_winners", "settle"]


@entry
def find_wards(boards: np.ndarray, states: np.ndarray) -> None:
    """Write which spaces are next to buildings of each player. states: STATE[1], written."""
    for player in range(MOST_PLAYERS):
        update_ward(boards[0], states[0], player)


@entry
def find_winners(boards: np.ndarray, states: np.ndarray) -> int:
    """Return the bit set of those who have won, or NOBODY (ending.winners_of)."""
    return winners_of(boards[0], states[0])


@entry
def settle(boards: np.ndarray, states: np.ndarray) -> Any:
    """Pay all ransoms without a choice, in place. Returns who must choose next, or NOBODY."""
    return settle_ransoms(boards[0], states[0])
