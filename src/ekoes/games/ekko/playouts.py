"""Whole games of EKKO at kernel speed: random playouts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ekoes.games.ekko.rules.entry_points import play_out
from ekoes.games.ekko.rules.record import MOST_PLAYERS, STATE
from ekoes.games.playouts import Playouts, play_batches

if TYPE_CHECKING:
    from ekoes.games.ekko.position import EkkoPosition

__all__ = ["playouts"]


def playouts(
    position: EkkoPosition,
    count: int,
    seed: int,
    *,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Playouts:
    """Play random games from a position to their end, each decision drawn evenly. Rule: K6.

    The games depend on the seed alone, not on the number of threads. Wins are games won alone,
    drawn ones are ties (K5.6). progress: called with the number of games that are done now.
    """

    def play_batch(seeds: np.ndarray, wins: np.ndarray) -> int:
        return int(play_out(position.states, np.zeros(1, STATE), seeds, wins))

    return play_batches(play_batch, MOST_PLAYERS, position.players, count, seed, threads, progress)
