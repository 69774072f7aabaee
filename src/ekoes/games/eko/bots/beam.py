"""Looking one whole turn of Ekö ahead: a beam search over the decisions of one's own turn (a kernel).

All sequences of decisions to the end of the turn are followed at once, step by step; after each
step only the best ``WIDTH`` unfinished ones stay. The first decision of the best finished one is it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ekoes.games.eko.bots.score import asked, score
from ekoes.games.eko.rules.code import expand, total
from ekoes.games.eko.rules.record import MOST_PLAYERS
from ekoes.games.eko.rules.turn import gather, perform
from ekoes.games.kernels.stream import next_random
from ekoes.kernel import entry, helper

__all__ = ["BEAM", "WIDTH", "best_decision"]

WIDTH = 24
BEAM = 2 * WIDTH + 1
"""Records of scratch that the search needs: two beams, and one record to try a decision on."""
_LONGEST_TURN = 24
_TIE_BREAK = 1e-7
_RANDOM_BOUND = 100_000
_HASTE = 0.02  # for each decision: what can be had at once is not put off


@entry
def best_decision(
    boards: np.ndarray,
    roots: np.ndarray,
    works: np.ndarray,
    states: np.ndarray,
    stream: np.ndarray,
) -> int:
    """Return the code of the decision that begins the best rest of the turn.

    boards: BOARD[1]; roots: STATE[1], read; states: STATE[BEAM] and stream: uint64[1], not 0, written.
    """
    board = boards[0]
    work = works[0]
    seat = asked(roots[0])
    number = int(roots[0].number)
    worth = np.zeros(MOST_PLAYERS)
    firsts: Any = np.zeros((2, WIDTH), np.int64)
    values = np.zeros((2, WIDTH))
    states[0] = roots[0]
    trial = states[2 * WIDTH]
    best = -1
    best_value = -np.inf
    here = 0
    count = 1
    for step in range(_LONGEST_TURN):
        there = 1 - here
        following = 0
        for index in range(count):
            state = states[here * WIDTH + index]
            groups = gather(board, state, work)
            codes: Any = np.empty(total(work, groups), np.int64)
            expand(work, groups, codes, 0)
            for code in codes:
                states[2 * WIDTH] = state
                perform(board, trial, work, code)
                value = score(board, trial, work, seat, worth)
                value += _TIE_BREAK * next_random(stream, _RANDOM_BOUND) - _HASTE * step
                first = code if step == 0 else firsts[here, index]
                if asked(trial) != seat or int(trial.number) != number:
                    if value > best_value:
                        best, best_value = first, value
                    continue
                slot = place_in_beam(values[there], following, value)
                if slot >= 0:
                    following = max(following, slot + 1)
                    values[there, slot] = value
                    firsts[there, slot] = first
                    states[there * WIDTH + slot] = trial
        if following == 0:
            break
        here = there
        count = following
    return best if best >= 0 else firsts[here, 0]


@helper
def place_in_beam(values: np.ndarray, count: int, value: float) -> int:
    """Return where a new sequence goes: a free place, that of the worst if it is better, or -1."""
    if count < WIDTH:
        return count
    worst = 0
    for index in range(1, WIDTH):
        if values[index] < values[worst]:
            worst = index
    return worst if value > values[worst] else -1
