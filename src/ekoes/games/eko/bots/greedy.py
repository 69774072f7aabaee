"""The bot ``greedy``: plays the whole turn that leaves it best off, without looking at the answer."""

from __future__ import annotations

import numpy as np

from ekoes.games.chance import Chance
from ekoes.games.eko.action import Action
from ekoes.games.eko.bots.beam import BEAM, best_decision
from ekoes.games.eko.codec import decode
from ekoes.games.eko.position import EkoPosition
from ekoes.games.eko.rules.record import STATE

__all__ = ["GREEDY", "Greedy", "best_action"]


def best_action(position: EkoPosition, chance: Chance) -> Action:
    """Return the action that begins the best rest of the turn for whoever is asked (E12).

    The position is one that asks somebody; equally good actions are drawn by chance.
    """
    board = position.board
    stream = np.array([chance.bits() | 1], np.uint64)
    scratch = np.zeros(BEAM, STATE)
    code = best_decision(board.record, position.states, board.work, scratch, stream)
    return decode(int(code), position.layout)


class Greedy:
    """Looks one whole turn ahead."""

    name = "greedy"

    def choose(self, position: EkoPosition, seat: int, chance: Chance) -> Action:  # noqa: ARG002
        """Return the action that begins the best rest of the turn; equally good ones by chance."""
        return best_action(position, chance)


GREEDY = Greedy()
