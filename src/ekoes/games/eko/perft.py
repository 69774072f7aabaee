"""Perft: how many decision sequences of a length begin at a position, the check of a rules engine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ekoes.games.eko.rules.entry_points import perft_leaves
from ekoes.games.eko.rules.record import STATE

if TYPE_CHECKING:
    from ekoes.games.eko.action import Action
    from ekoes.games.eko.position import EkoPosition

__all__ = ["perft", "perft_divide"]

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


def perft_divide(position: EkoPosition, depth: int) -> Iterator[tuple[Action, int]]:
    """Yield each first action with the number of sequences of a length (1 or more) that it begins."""
    for action, code in zip(position.legal(), position.codes.tolist(), strict=True):
        yield action, perft(position.play_code(code), depth - 1)
