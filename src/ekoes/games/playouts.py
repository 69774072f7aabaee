"""Random games in batches, on several threads, with the same result on any number of them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ekoes.games.chance import Chance

__all__ = ["Playouts", "play_batches"]

_GAMES_PER_BATCH = 256


@dataclass
class Playouts:
    """What random games came to: wins of each player, games drawn (what counts as such: each game's own)."""

    games: int = 0
    decisions: int = 0
    seconds: float = 0.0
    wins: list[int] = field(default_factory=list)
    drawn: int = 0


def play_batches(
    play_batch: Callable[[np.ndarray[Any, Any], np.ndarray[Any, Any]], int],
    most_players: int,
    players: int,
    count: int,
    seed: int,
    threads: int,
    progress: Callable[[int], None] | None,
) -> Playouts:
    """Play games from their seeds and add up what they came to.

    play_batch: plays a game for each of its seeds (uint64[…], written), adds to wins
    (int64[most_players + 1], the last for games drawn) and returns the number of decisions; called
    from any thread. progress: called with the number of games that are done now, from any thread.
    """
    chance = Chance(seed)
    seeds = np.array([chance.bits() | 1 for _ in range(count)], np.uint64)
    result = Playouts(games=count, wins=[0] * players)
    lock = threading.Lock()

    def play(begin: int) -> None:
        wins = np.zeros(most_players + 1, np.int64)
        batch = seeds[begin : begin + _GAMES_PER_BATCH]
        decisions = play_batch(batch, wins)
        with lock:
            result.decisions += decisions
            result.wins = [won + int(more) for won, more in zip(result.wins, wins, strict=False)]
            result.drawn += int(wins[most_players])
        if progress is not None:
            progress(len(batch))

    play(count)  # no game: compiles before the clock starts
    begun = time.perf_counter()
    with ThreadPoolExecutor(max_workers=max(threads, 1)) as pool:
        list(pool.map(play, range(0, count, _GAMES_PER_BATCH)))
    result.seconds = time.perf_counter() - begun
    return result
