"""Whole trees and whole games at kernel speed: perft and random playouts."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from ekoes.games.chance import Chance
from ekoes.games.eko.rules.engine import perft_leaves, play_out
from ekoes.games.eko.rules.record import STATE

if TYPE_CHECKING:
    from ekoes.games.eko.action import Action
    from ekoes.games.eko.position import EkoPosition

__all__ = ["TURN_LIMIT", "Playouts", "perft", "perft_divide", "playouts"]

TURN_LIMIT = 400
"""The turn limit of simulations (E11.5)."""

_CODES_PER_LEVEL = 4096
_GAMES_PER_BATCH = 256


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


@dataclass
class Playouts:
    """What random games came to: wins of each player (all winners of a game count), games drawn."""

    games: int = 0
    decisions: int = 0
    seconds: float = 0.0
    wins: list[int] = field(default_factory=list)
    drawn: int = 0


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
    chance = Chance(seed)
    seeds = np.array([chance.bits() | 1 for _ in range(count)], np.uint64)
    result = Playouts(games=count, wins=[0] * position.players)
    lock = threading.Lock()

    def play_batch(begin: int) -> None:
        board, wins = position.board, np.zeros(5, np.int64)
        batch = seeds[begin : begin + _GAMES_PER_BATCH]
        scratch = np.zeros(1, STATE)
        decisions = play_out(board.record, position.states, scratch, board.work, batch, turn_limit, wins)
        with lock:
            result.decisions += int(decisions)
            result.wins = [won + int(more) for won, more in zip(result.wins, wins, strict=False)]
            result.drawn += int(wins[4])
        if progress is not None:
            progress(len(batch))

    play_batch(count)  # no game: compiles before the clock starts
    begun = time.perf_counter()
    with ThreadPoolExecutor(max_workers=max(threads, 1)) as pool:
        list(pool.map(play_batch, range(0, count, _GAMES_PER_BATCH)))
    result.seconds = time.perf_counter() - begun
    return result
