"""Random playouts of EKKO, and the steps that compile the kernels of its tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from ekoes.games.api.chance import Chance, Playouts, play_batches
from ekoes.games.api.contract import CHANCE
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.rules.entry_points import play_out
from ekoes.games.ekko.rules.record import MOST_PLAYERS, STATE

if TYPE_CHECKING:
    from ekoes.games.ekko.position.position import EkkoPosition


def playouts(
    position: EkkoPosition,
    count: int,
    seed: int,
    *,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Playouts:
    """Play random games from a position to their end, each decision drawn uniformly. Rule: K6.

    The games depend only on the seed, not on the number of threads. Wins are not shared; ties count as drawn
    (K5.6). progress: called with the number of finished games.
    """

    def play_batch(seeds: np.ndarray, wins: np.ndarray) -> int:
        return int(play_out(position.states, np.zeros(1, STATE), seeds, wins))

    return play_batches(play_batch, MOST_PLAYERS, position.players, count, seed, threads, progress)


def warm_steps() -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield what compiles the kernels that tables need: descriptions and calls."""
    first = EKKO.new({"players": 2}, seed=1)
    dealt = first.play(CHANCE, first.chance_action(Chance(1)))
    yield "dealing cards", lambda: first.play(CHANCE, first.chance_action(Chance(1)))
    yield "legal cards", lambda: len(dealt.legal())
    yield "playing a card", lambda: dealt.play_code(dealt.codes[0])
