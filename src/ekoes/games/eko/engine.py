"""Perft and random playouts of Ekö, and the steps that compile the kernels of its tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from ekoes.games.api.chance import Playouts, play_batches
from ekoes.games.eko.game import EKO
from ekoes.games.eko.position.action import Swap
from ekoes.games.eko.position.position import EkoPosition, encode
from ekoes.games.eko.presenter import choices, paths
from ekoes.games.eko.rules.entry_points import perft_leaves, play_out
from ekoes.games.eko.rules.record import MOST_PLAYERS, STATE

if TYPE_CHECKING:
    from ekoes.games.eko.position.action import Action


_CODES_PER_LEVEL = 4096


def perft(position: EkoPosition, depth: int) -> int:
    """Return the number of decision sequences of a given length; a game that ends earlier counts as one.

    depth: 0 or more. The last level is counted in bulk.
    """
    if depth <= 0:
        return 1
    layout = position.layout
    states = np.zeros(depth, STATE)
    length = depth * _CODES_PER_LEVEL
    while True:
        states[0] = position.states[0]
        codes = np.zeros(length, np.int64)
        leaves = int(perft_leaves(layout.record, states, layout.work, depth, codes))
        if leaves >= 0:
            return leaves
        length *= 4


def perft_divide(position: EkoPosition, depth: int) -> Iterator[tuple[Action, int]]:
    """Yield each first action and the number of sequences of a length (1 or more) that begin with it."""
    for action, code in zip(position.legal(), position.codes.tolist(), strict=True):
        yield action, perft(position.play_code(code), depth - 1)


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
    """Play random games from a position to their end, each decision drawn uniformly. Rule: E11.5.

    The games depend only on the seed, not on the number of threads. progress: called with the number of
    finished games, from any thread.
    """

    def play_batch(seeds: np.ndarray, wins: np.ndarray) -> int:
        layout, scratch = position.layout, np.zeros(1, STATE)
        return int(play_out(layout.record, position.states, scratch, layout.work, seeds, turn_limit, wins))

    return play_batches(play_batch, MOST_PLAYERS, position.players, count, seed, threads, progress)


def warm_steps() -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield what compiles the kernels that tables need: descriptions and calls.

    No step needs another one, so that several processes can share them.
    """
    yield "playing and reading positions", _play_and_read
    yield "legal decisions", lambda: _first().why_not(0, _first().legal()[0])
    yield "choices for a page", lambda: (choices(_first(), 0), paths(_first(), 0))


def _first() -> EkoPosition:
    return EKO.new({"players": 2}, seed=1)


def _play_and_read() -> None:
    """Play the set-up and read its result: reading a turn checks more than reading a set-up does."""
    position = _first()
    while position.turn_number == 0:
        position = position.play_code(encode(Swap(), position.layout))  # to swap nothing is always legal
    position = EKO.from_json(position.to_json())
    position.points(0)
    position.ignores_tempests  # noqa: B018 - compiles its kernel
