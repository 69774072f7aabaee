"""Verdicts on what the solver of a puzzle has decided, by a full search of a turn (kernel)."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ekoes.games.eko.bots.levels import CAPTURE, WIN, Scratch, loses_turn, try_turn
from ekoes.games.eko.rules.export import actor_of
from ekoes.games.eko.rules.record import MOST_PLAYERS, Phase
from ekoes.games.kernels.jit import entry, helper

PUZZLE_BUDGET = 100_000
"""Maximum number of decisions tried for a verdict."""


class Theme(IntEnum):
    """The task of a puzzle (``puzzles.py``)."""

    WIN = 0
    STOP = 1
    CAPTURE = 2
    SAVE = 3


class Verdict(IntEnum):
    """Whether the aim is out of reach, reached, or within reach; or the search was not complete."""

    WRONG = 0
    RIGHT = 1
    OPEN = 2
    UNKNOWN = 3


@entry
def judge_puzzle(
    boards: np.ndarray,
    starts: np.ndarray,
    nows: np.ndarray,
    works: np.ndarray,
    theme: int,
    scratch: Scratch,
) -> int:
    """Return the verdict on a position after some decisions of the solver, who is to move at the start.

    starts, nows: STATE[1], read. scratch: of ``Guard``, for two turns, written; its goal and what is left of
    the budget do not matter.
    """
    now = nows[0]
    seat = int(starts[0].player)
    is_over = now.phase == Phase.OVER
    has_turn = not is_over and int(now.number) == int(starts[0].number)
    if not is_over and (actor_of(now) == seat) != has_turn:
        return Verdict.UNKNOWN
    if theme == Theme.CAPTURE and count_captives(now, seat) > count_captives(starts[0], seat):
        return Verdict.RIGHT
    if is_over:
        has_won = theme != Theme.CAPTURE and (int(now.winners) >> seat) & 1 == 1
        return Verdict.RIGHT if has_won else Verdict.WRONG
    states, codes, marks, left, _ = scratch
    states[0] = now
    left[0] = PUZZLE_BUDGET
    left[1] = 0
    if theme == Theme.WIN or theme == Theme.CAPTURE:  # noqa: PLR1714 - compiled
        goal = WIN if theme == Theme.WIN else CAPTURE
        if not has_turn:
            return Verdict.WRONG
        return judge_attack(boards[0], works[0], (states, codes, marks, left, goal))
    goal = WIN if theme == Theme.STOP else seat
    return judge_defence(boards[0], works[0], seat, (states, codes, marks, left, goal))


@helper
def count_captives(state: np.record, seat: int) -> int:
    """Return how many Emperors a seat has captured."""
    count = 0
    for owner in range(MOST_PLAYERS):
        count += int(state.captor[owner] == seat)
    return count


@helper
def judge_attack(board: np.record, work: np.record, scratch: Scratch) -> int:
    """Return whether a goal can still be reached in this turn."""
    if try_turn(board, work, scratch, 0) >= 0:
        return Verdict.OPEN
    return Verdict.WRONG if is_complete(scratch) else Verdict.UNKNOWN


@helper
def judge_defence(board: np.record, work: np.record, seat: int, scratch: Scratch) -> int:
    """Return whether the next player can be kept from a goal, or is, if the turn of a seat has ended."""
    if actor_of(scratch[0][0]) == seat:
        lost = loses_turn(board, work, seat, scratch)
        if not is_complete(scratch):
            return Verdict.UNKNOWN
        return Verdict.WRONG if lost else Verdict.OPEN
    if try_turn(board, work, scratch, 0) >= 0:
        return Verdict.WRONG
    return Verdict.RIGHT if is_complete(scratch) else Verdict.UNKNOWN


@helper
def is_complete(scratch: Scratch) -> bool:
    """Return whether a search left nothing out."""
    return bool(scratch[3][0] > 0 and scratch[3][1] == 0)
