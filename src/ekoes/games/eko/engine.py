"""Whole trees and whole games at kernel speed: perft and random playouts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ekoes.games.eko.rules.engine import perft_leaves, play_out
from ekoes.games.eko.rules.record import PLAYERS, STATE
from ekoes.games.playouts import Playouts, play_batches

if TYPE_CHECKING:
    from ekoes.games.eko.action import Action
    from ekoes.games.eko.position import EkoPosition

__all__ = ["TURN_LIMIT", "Playouts", "perft", "perft_divide", "playouts"]

TURN_LIMIT = 400
"""The turn limit of simulations (E11.5)."""

_CODES_PER_LEVEL = 4096


def perft(position: EkoPosition, depth: int) -> int:
    """Count the decision sequences of a length; a game that ends earlier counts as one.

    depth: 0 or more. The last level is counted in bulk.
    """
    if depth <= 0:
        return 1
    board = position.board
    states = np.zeros(depth, STATE)
    length = depth * _CODES_PER_LEVEL
    while True:
        states[0] = position.states[0]
        codes = np.zeros(length, np.int64)
        leaves = int(perft_leaves(board.record, states, board.work, depth, codes))
        if leaves >= 0:
            return leaves
        length *= 4


def perft_divide(position: EkoPosition, depth: int) -> list[tuple[Action, int]]:
    """Return for each first action the number of sequences of a length (1 or more) it begins."""
    return [
        (action, perft(position.play_code(code), depth - 1))
        for action, code in zip(position.legal(), position.codes.tolist(), strict=True)
    ]


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

    return play_batches(play_batch, PLAYERS, position.players, count, seed, threads, progress)
