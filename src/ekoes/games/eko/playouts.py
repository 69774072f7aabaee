"""Whole games of Ekö at kernel speed: random playouts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ekoes.games.eko.rules.entry_points import play_out
from ekoes.games.eko.rules.record import MOST_PLAYERS, STATE
from ekoes.games.playouts import Playouts, play_batches

if TYPE_CHECKING:
    from ekoes.games.eko.position import EkoPosition

__all__ = ["TURN_LIMIT", "playouts"]

TURN_LIMIT = 400
"""The turn limit of simulations (E11.5)."""


def playouts(
    position: EkoPosition,
    count: int,
    seed: int,
    *,
    threads: int = 1,
    turn_limit: int = TURN_LIMIT,
    progress: Callable[[int], None] | None = None,
) -> Playouts:
    """Play random games from a position to their end, each decision drawn evenly. Rule: E11.5.

    The games depend on the seed alone, not on the number of threads.
    progress: called with the number of games that are done now, from any thread.
    """

    def play_batch(seeds: np.ndarray, wins: np.ndarray) -> int:
        board, scratch = position.board, np.zeros(1, STATE)
        return int(play_out(board.record, position.states, scratch, board.work, seeds, turn_limit, wins))

    return play_batches(play_batch, MOST_PLAYERS, position.players, count, seed, threads, progress)
