"""The bot ``beginner``: sees a handful of its decisions, drawn at random, and takes the best of them.

So it builds and captures where it notices that it can, and overlooks as much: a first opponent for people.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ekoes.games.chance import Chance
from ekoes.games.eko.action import Action
from ekoes.games.eko.bots.score import asked, score
from ekoes.games.eko.codec import decode
from ekoes.games.eko.position import EkoPosition
from ekoes.games.eko.rules.record import MOST_PLAYERS, STATE
from ekoes.games.eko.rules.turn import perform
from ekoes.kernel import entry

__all__ = ["BEGINNER", "SEEN", "Beginner", "best_seen"]

SEEN = 6
"""How many decisions it looks at; docs/decisions/0121 tells how it was found."""


@entry
def best_seen(
    boards: np.ndarray, roots: np.ndarray, works: np.ndarray, trials: np.ndarray, codes: np.ndarray
) -> int:
    """Return the index of the best of some decisions, by how good the position is right after it.

    boards: BOARD[1]; roots: STATE[1], read; trials: STATE[1], written; codes: int64[…], not empty, legal.
    """
    seat = asked(roots[0])
    worth: Any = np.zeros(MOST_PLAYERS)
    trial = trials[0]
    best = 0
    best_value = -np.inf
    for index in range(codes.size):
        trials[0] = roots[0]
        perform(boards[0], trial, works[0], codes[index])
        value = score(boards[0], trial, works[0], seat, worth)
        if value > best_value:
            best, best_value = index, value
    return best


class Beginner:
    """Looks at some of its decisions, and no further than each of them."""

    name = "beginner"

    def choose(self, position: EkoPosition, seat: int, chance: Chance) -> Action:  # noqa: ARG002
        """Return the best of the decisions that it sees."""
        codes = position.codes
        seen = np.array([codes[chance.below(len(codes))] for _ in range(SEEN)], np.int64)
        board = position.board
        index = best_seen(board.record, position.states, board.work, np.zeros(1, STATE), seen)
        return decode(int(seen[index]), position.layout)


BEGINNER = Beginner()
