"""The greedy choice in Ekö: a beam search over the decisions of one turn."""

from __future__ import annotations

import numpy as np

from ekoes.bots.eko.beam import BEAM, best_decision
from ekoes.games.chance import Chance
from ekoes.games.eko.action import Action
from ekoes.games.eko.codec import decode
from ekoes.games.eko.position import EkoPosition
from ekoes.games.eko.rules.record import STATE

__all__ = ["best_action"]


def best_action(position: EkoPosition, chance: Chance) -> Action:
    """Return the action that begins the best rest of the turn for whoever is asked (E12).

    The position is one that asks somebody; equally good actions are drawn by chance.
    """
    board = position.board
    stream = np.array([chance.bits() | 1], np.uint64)
    scratch = np.zeros(BEAM, STATE)
    code = best_decision(board.record, position.states, board.work, scratch, stream)
    return decode(int(code), position.layout)
