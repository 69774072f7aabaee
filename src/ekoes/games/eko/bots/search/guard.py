"""Turns tried to their end: a win in one's own, and one of the next player after it (kernels).

The tree looks at what is promising, and may not have come to the one sequence that decides. Here every
sequence is tried, as many decisions as a budget allows; nothing is judged but who has won.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ekoes.games.eko.action import Action
from ekoes.games.eko.bots.score import asked
from ekoes.games.eko.codec import decode
from ekoes.games.eko.position import EkoPosition
from ekoes.games.eko.rules.code import ActionType, action_type_of, expand, total
from ekoes.games.eko.rules.record import STATE, Area, Phase
from ekoes.games.eko.rules.turn import gather, perform
from ekoes.games.kernels.bits import is_empty, read
from ekoes.kernel import entry, helper

__all__ = ["BUDGET", "Guard"]

BUDGET = 15_000
"""Decisions that are tried at most for a choice: some milliseconds, with all variants some twenty."""

_NONE = -1
_DEEP = 12  # decisions of a turn
_WIDE = 2048  # decisions to choose from; where there are more nothing is tried


class Guard:
    """Watches over one choice in a position. What the budget did not suffice for counts as not found."""

    def __init__(self, position: EkoPosition, budget: int = BUDGET) -> None:
        """Make room; nothing is tried yet."""
        self.position = position
        self._left = np.array([budget])
        self._scratch = (
            np.zeros(2 * _DEEP, STATE),
            np.empty((2 * _DEEP, _WIDE), np.int64),
            np.zeros((2 * _DEEP, 2), np.int64),
            self._left,
        )

    def win(self) -> Action | None:
        """Return what begins a turn that wins for certain, for whoever is asked, if there is one."""
        board = self.position.board
        code = find_win(board.record, self.position.states, board.work, *self._scratch)
        return None if code == _NONE else decode(int(code), self.position.layout)

    def loses(self, action: Action) -> bool:
        """Whether after an action of who is asked the next player wins, however this turn goes on."""
        board, (seat,) = self.position.board, self.position.actors()
        after = self.position.play(seat, action)
        return bool(is_lost(board.record, after.states, board.work, seat, *self._scratch))


@entry
def find_win(
    boards: np.ndarray,
    roots: np.ndarray,
    works: np.ndarray,
    states: np.ndarray,
    codes: np.ndarray,
    marks: np.ndarray,
    left: np.ndarray,
) -> int:
    """Return the decision that begins a turn won by who is asked, or -1.

    roots: STATE[1], read; the rest is written: states: STATE[…], codes: int64[…, …] and marks: int64[…, 2]
    have a row for each decision of the longest turn; left: int64[1], how many decisions may be tried.
    """
    states[0] = roots[0]
    return try_turn(boards[0], works[0], states, codes, marks, left, 0)


@entry
def is_lost(
    boards: np.ndarray,
    roots: np.ndarray,
    works: np.ndarray,
    seat: int,
    states: np.ndarray,
    codes: np.ndarray,
    marks: np.ndarray,
    left: np.ndarray,
) -> bool:
    """Whether somebody else wins, now or next, however a seat ends its turn.

    Arrays are those of ``find_win``, for two turns.
    """
    board = boards[0]
    work = works[0]
    states[0] = roots[0]
    number = int(states[0].number)
    if states[0].phase == Phase.OVER:
        return not (int(states[0].winners) >> seat) & 1
    if asked(states[0]) != seat:
        return try_turn(board, work, states, codes, marks, left, 0) != _NONE
    level = 0
    lost = True
    open_level(board, work, states, codes, marks, 0)
    while lost and level >= 0:
        if not try_next(board, work, states, codes, marks, left, level):
            lost = left[0] > 0 and marks[level, 1] > 0
            level -= 1
            continue
        after = states[level + 1]
        if after.phase == Phase.OVER:
            lost = not (int(after.winners) >> seat) & 1
        elif asked(after) == seat and int(after.number) == number:
            level += 1
            lost = level < _DEEP
            open_level(board, work, states, codes, marks, level)
        else:
            lost = try_turn(board, work, states, codes, marks, left, level + 1) != _NONE
    return lost


@helper
def try_turn(
    board: Any,
    work: Any,
    states: np.ndarray,
    codes: np.ndarray,
    marks: np.ndarray,
    left: np.ndarray,
    base: int,
) -> int:
    """Return the decision at states[base] that begins a turn won by who is asked there, or -1."""
    seat = asked(states[base])
    number = int(states[base].number)
    open_level(board, work, states, codes, marks, base)
    drop_idle(board, codes, marks, base)
    level = base
    while level >= base:
        if not try_next(board, work, states, codes, marks, left, level):
            level -= 1
            continue
        after = states[level + 1]
        if after.phase == Phase.OVER:
            if (int(after.winners) >> seat) & 1:
                return int(codes[base, marks[base, 0] - 1])
        elif asked(after) == seat and int(after.number) == number and level + 2 < len(states):
            level += 1
            open_level(board, work, states, codes, marks, level)
            drop_idle(board, codes, marks, level)
    return _NONE


@helper
def open_level(
    board: Any, work: Any, states: np.ndarray, codes: np.ndarray, marks: np.ndarray, level: int
) -> None:
    """List what may be decided at a level; nothing if it is more than there is room for."""
    groups = gather(board, states[level], work)
    count = total(work, groups)
    marks[level, 0] = 0
    marks[level, 1] = 0
    if count <= codes.shape[1]:
        marks[level, 1] = expand(work, groups, codes[level], 0)


@helper
def drop_idle(board: Any, codes: np.ndarray, marks: np.ndarray, level: int) -> None:
    """Forget what wins nothing: reinforcements bring no points, and lead to a Temple of the Moon at most."""
    if not is_empty(read(board.sets, Area.MOON)):
        return
    kept = 0
    for index in range(marks[level, 1]):
        if action_type_of(codes[level, index]) != ActionType.REINFORCE:
            codes[level, kept] = codes[level, index]
            kept += 1
    marks[level, 1] = kept


@helper
def try_next(
    board: Any,
    work: Any,
    states: np.ndarray,
    codes: np.ndarray,
    marks: np.ndarray,
    left: np.ndarray,
    level: int,
) -> bool:
    """Do the next decision of a level, on the state of the level after it. Returns whether there was one."""
    if marks[level, 0] == marks[level, 1] or left[0] <= 0:
        return False
    states[level + 1] = states[level]
    perform(board, states[level + 1], work, codes[level, marks[level, 0]])
    marks[level, 0] += 1
    left[0] -= 1
    return True
