"""The levels of Ekö: the search with limits and errors, guarded by a full search of a turn (kernels)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from math import sqrt
from typing import Any

import numpy as np

from ekoes.games.api.chance import Chance
from ekoes.games.eko.bots.evaluation import power
from ekoes.games.eko.bots.search import MEMORY, Search, best_places
from ekoes.games.eko.bots.tree import ROOT, ranked
from ekoes.games.eko.position.action import Action
from ekoes.games.eko.position.layout import THREAD
from ekoes.games.eko.position.position import EkoPosition, decode
from ekoes.games.eko.rules.code import ActionType, action_type_of, expand, total
from ekoes.games.eko.rules.export import actor_of
from ekoes.games.eko.rules.record import MOST_PLAYERS, STATE, Area, Phase
from ekoes.games.eko.rules.turn import gather, perform
from ekoes.games.kernels.bits import is_empty, next_random, read
from ekoes.games.kernels.jit import entry, helper

BUDGET = 15_000
"""Maximum number of decisions tried for one choice: a few milliseconds, about twenty with all variants."""

WIN, CAPTURE = -1, MOST_PLAYERS
"""Goals of a turn: to win, or to capture any Emperor; a seat as a goal: to capture that seat's Emperor."""

_NONE = -1
_CERTAIN = 1e-4  # the lowest chance to win, and the distance of the highest from 1
_ERRORS = 1000  # an error is counted in thousandths
_PARTS = 1 << 16  # of 1, of a random number
DEEP = 12
"""Decisions of a turn."""
WIDE = 2048
"""Decisions at a level; a level with more is not searched."""


Scratch = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, int]
"""Of ``Guard``: STATE[…], the codes, int64[…, …], and the marks, int64[…, 2], with a row for each decision of
the longest turn; int64[2], the budget that is left, and 1 if something else was left out; the goal.
"""


class Guard:
    """Searches turns to their end for a win of this player or the next; a spent budget counts as no win.

    goal: of the player whose turn is searched. deep: the most decisions of a turn that is searched.
    """

    def __init__(
        self, position: EkoPosition, budget: int = BUDGET, goal: int = WIN, deep: int = 2 * DEEP - 1
    ) -> None:
        self.position = position
        self._left = np.array([budget, 0])
        self.scratch = (
            np.zeros(deep + 1, STATE),
            np.empty((deep + 1, WIDE), np.int64),
            np.zeros((deep + 1, 2), np.int64),
            self._left,
            goal,
        )

    @property
    def is_exact(self) -> bool:
        """Whether nothing was left out: by the budget, by a limit, or because another player chooses."""
        return bool(self._left[0] > 0 and self._left[1] == 0)

    def win(self) -> Action | None:
        """Return the first action of a turn that certainly wins for the seat to move, or None."""
        layout = self.position.layout
        code = find_win(layout.record, self.position.states, THREAD.work, self.scratch)
        return None if code == _NONE else decode(int(code), layout)

    def loses(self, action: Action | None = None) -> bool:
        """Return whether the next player wins after an action, however the turn goes on.

        action: None: whether the next player wins after every action.
        """
        layout, (seat,) = self.position.layout, self.position.actors()
        after = self.position if action is None else self.position.play(seat, action)
        return bool(is_lost(layout.record, after.states, THREAD.work, seat, self.scratch))


@entry
def find_win(boards: np.ndarray, roots: np.ndarray, works: np.ndarray, scratch: Scratch) -> int:
    """Return the first decision of a turn that reaches a goal for the seat to move, or -1.

    roots: STATE[1], read. scratch: of ``Guard``, written.
    """
    states = scratch[0]
    states[0] = roots[0]
    return try_turn(boards[0], works[0], scratch, 0)


@entry
def is_lost(boards: np.ndarray, roots: np.ndarray, works: np.ndarray, seat: int, scratch: Scratch) -> bool:
    """Return whether another player wins now, or reaches a goal next, however a seat ends its turn.

    scratch: as of ``find_win``, for two turns.
    """
    states = scratch[0]
    states[0] = roots[0]
    return loses_turn(boards[0], works[0], seat, scratch)


@helper
def loses_turn(board: np.record, work: np.record, seat: int, scratch: Scratch) -> bool:
    """Return what ``is_lost`` does, of states[0]."""
    states, _, marks, left, _ = scratch
    number = int(states[0].number)
    if states[0].phase == Phase.OVER:
        return not (int(states[0].winners) >> seat) & 1
    if actor_of(states[0]) != seat:
        return try_turn(board, work, scratch, 0) != _NONE
    level = 0
    lost = True
    open_level(board, work, scratch, 0)
    while lost and level >= 0:
        if not try_next(board, work, scratch, level):
            lost = left[0] > 0 and marks[level, 1] > 0
            level -= 1
            continue
        after = states[level + 1]
        if after.phase == Phase.OVER:
            lost = not (int(after.winners) >> seat) & 1
        elif actor_of(after) == seat and int(after.number) == number:
            level += 1
            if level == DEEP:
                left[1] = 1
                return False
            open_level(board, work, scratch, level)
        else:
            if actor_of(after) == seat:  # all others were passed over
                left[1] = 1
            lost = try_turn(board, work, scratch, level + 1) != _NONE
    return lost


@helper
def try_turn(board: np.record, work: np.record, scratch: Scratch, base: int) -> int:
    """Return the first decision at states[base] of a turn that reaches a goal for the seat to move, or -1."""
    states, codes, marks, left, goal = scratch
    seat = actor_of(states[base])
    number = int(states[base].number)
    if states[base].phase == Phase.RANSOM and seat != states[base].player:
        left[1] = 1
    open_level(board, work, scratch, base)
    drop_idle(board, codes, marks, base)
    level = base
    while level >= base:
        if not try_next(board, work, scratch, level):
            level -= 1
            continue
        after = states[level + 1]
        if is_reached(states[base], after, seat, goal):
            return int(codes[base, marks[base, 0] - 1])
        if after.phase == Phase.OVER or int(after.number) != number:
            continue
        if actor_of(after) == seat and level + 2 < len(states):
            level += 1
            open_level(board, work, scratch, level)
            drop_idle(board, codes, marks, level)
        else:
            left[1] = 1
    return _NONE


@helper
def is_reached(before: np.record, after: np.record, seat: int, goal: int) -> bool:
    """Return whether a seat has reached a goal since an earlier state of its turn."""
    if goal == WIN:
        return after.phase == Phase.OVER and (int(after.winners) >> seat) & 1 == 1
    for owner in range(MOST_PLAYERS):
        captured = after.captor[owner] == seat and before.captor[owner] != seat
        if captured and goal in (owner, CAPTURE):
            return True
    return False


@helper
def open_level(board: np.record, work: np.record, scratch: Scratch, level: int) -> None:
    """List the decisions of a level; none if there are more than ``codes`` holds."""
    states, codes, marks, left, _ = scratch
    groups = gather(board, states[level], work)
    count = total(work, groups)
    marks[level, 0] = 0
    marks[level, 1] = 0
    if count <= codes.shape[1]:
        marks[level, 1] = expand(work, groups, codes[level], 0)
    else:
        left[1] = 1


@helper
def drop_idle(board: np.record, codes: np.ndarray, marks: np.ndarray, level: int) -> None:
    """Remove reinforcements, which win nothing: they bring no points, except by a Temple of the Moon."""
    if not is_empty(read(board.sets, Area.MOON)):
        return
    kept = 0
    for index in range(marks[level, 1]):
        if action_type_of(codes[level, index]) != ActionType.REINFORCE:
            codes[level, kept] = codes[level, index]
            kept += 1
    marks[level, 1] = kept


@helper
def try_next(board: np.record, work: np.record, scratch: Scratch, level: int) -> bool:
    """Perform the next decision of a level on the state of the next level. Returns whether there was one."""
    states, codes, marks, left, _ = scratch
    if marks[level, 0] == marks[level, 1] or left[0] <= 0:
        return False
    states[level + 1] = states[level]
    perform(board, states[level + 1], work, codes[level, marks[level, 0]])
    marks[level, 0] += 1
    left[0] -= 1
    return True


@entry
def choose_decision(
    boards: np.ndarray,
    roots: np.ndarray,
    works: np.ndarray,
    nodes: np.ndarray,
    error: int,
    is_careful: int,
    spares: int,
    stream: np.ndarray,
    scratch: Scratch,
) -> int:
    """Return the decision that a level takes for the best after a search.

    roots: STATE[1], read; nodes: the tree, NODE[…]; error, is_careful, spares: as of ``Level``; stream:
    uint64[1], not 0, written; scratch: as of ``find_win``, for two turns. A careful level takes a win of this
    turn, else the best decision that does not let the next player win.
    """
    rows: Any = ranked(nodes, ROOT)
    if int(roots[0].number) <= spares * int(boards[0].players):
        rows = sparing(boards[0], roots[0], works[0], nodes, rows, scratch)
    if error > 0:
        rows = rows[best_seen(nodes, rows, error, len(rows) if is_careful > 0 else 1, stream)]
    best = int(nodes[rows[0]].code)
    if is_careful == 0 or len(rows) == 1:
        return best
    board = boards[0]
    work = works[0]
    states = scratch[0]
    states[0] = roots[0]
    win = try_turn(board, work, scratch, 0)
    if win != _NONE:
        return win
    seat = actor_of(roots[0])
    for row in rows:
        states[0] = roots[0]
        perform(board, states[0], work, nodes[row].code)
        if not loses_turn(board, work, seat, scratch):
            return int(nodes[row].code)
    return best


@helper
def sparing(
    board: np.record, root: np.record, work: np.record, nodes: np.ndarray, rows: np.ndarray, scratch: Scratch
) -> np.ndarray:
    """Return the rows whose decisions capture no Emperor; all if each captures one."""
    states, seat, kept = scratch[0], actor_of(root), 0
    found = rows.copy()
    for row in rows:
        states[0] = root
        perform(board, states[0], work, nodes[row].code)
        if not is_reached(root, states[0], seat, CAPTURE):
            found[kept] = row
            kept += 1
    return found[:kept] if kept > 0 else rows


@helper
def best_seen(nodes: np.ndarray, rows: np.ndarray, error: int, count: int, stream: np.ndarray) -> np.ndarray:
    """Return the places of the best decisions, when the odds of each to win are seen with a random error.

    error: standard deviation of the logarithm, in thousandths; nearly normal: a sum of four uniform numbers.
    """
    seat = int(nodes[ROOT].seat)
    odds: np.ndarray = np.empty(len(rows))
    for index in range(len(rows)):
        uniform = -2.0
        for _ in range(4):
            uniform += next_random(stream, _PARTS) / _PARTS
        win = min(max(np.float64(nodes[rows[index]].value[seat]), _CERTAIN), 1.0 - _CERTAIN)
        odds[index] = win / (1.0 - win) * power(error / _ERRORS * sqrt(3.0) * uniform)
    return best_places(odds, count)


@dataclass(frozen=True, slots=True)
class Level:
    """A level of strength.

    seconds, iterations: limits of its search. error: standard deviation of its error in judging a decision,
    in thousandths of natural log odds to win: it sees large differences and misses small ones. careful:
    searches turns to their end to find wins of this one and to prevent those of the next player. spares:
    in how many first turns of each player it captures no Emperor, as a beginner does not yet expect it.
    keeps_tree: at a seat it searches on in the tree of its last decision; the other levels are equally strong
    however they are asked. kept: at a seat, the search of the position that it left, if there is one; None:
    it begins anew each time.
    """

    name: str
    seconds: float
    iterations: int
    error: int = 0
    careful: bool = True
    spares: int = 0
    keeps_tree: bool = False
    kept: list[Search] | None = field(default=None, compare=False)

    def think(
        self,
        position: EkoPosition,
        seat: int,
        chance: Chance,
        *,
        seconds: float | None = None,
        iterations: int | None = None,
        seen: Iterable[bytes] = (),
        threads: int = 1,
    ) -> Action:
        """Return the best action within limits; equal chance gives the same one unless the time is up.

        seen: as in ``Search``; threads: as in ``Search.run``.
        """
        search = self.begin(position, seen)
        self.run(search, seconds, iterations, threads)
        action = self.pick(search, chance)
        if self.kept and (after := position.play(seat, action)).actors():
            search.move_to(after, seen)
        return action

    choose = think

    def ponder(self, seconds: float) -> bool:
        """Search on, at a seat, in the position that it left. Returns whether more of that would help."""
        if not self.kept:
            return False
        search = self.kept[0]
        before = search.iterations
        search.run(seconds, self.iterations)
        return before < search.iterations < self.iterations

    def seated(self) -> Level:
        """Return a bot for one seat of one game, which one thread may ask."""
        return replace(self, kept=[]) if self.keeps_tree else self

    def begin(self, position: EkoPosition, seen: Iterable[bytes] = (), memory: int = MEMORY) -> Search:
        """Return a search that is not running yet; at a seat, the one of the decision before."""
        if not self.kept:
            search = Search(position, seen, memory)
            if self.kept is not None:
                self.kept.append(search)
            return search
        self.kept[0].move_to(position, seen)
        return self.kept[0]

    def run(
        self,
        search: Search,
        seconds: float | None = None,
        iterations: int | None = None,
        threads: int = 1,
        turns: int | None = None,
    ) -> None:
        """Search within limits: never beyond its own iterations; its own time if no limit is given.

        A forced action takes one iteration. threads: only a level that keeps its tree uses several; the
        others answer the same each time. turns: as in ``Search.run``.
        """
        if len(search.position.codes) == 1:
            search.run(None, 1)
            return
        if seconds is None and iterations is None:
            seconds = self.seconds
        most = self.iterations if iterations is None else min(iterations, self.iterations)
        search.run(seconds, most, threads if self.keeps_tree else 1, turns)

    def pick(self, search: Search, chance: Chance) -> Action:
        """Return the action that it takes for the best."""
        position = search.position
        code = choose_decision(
            position.layout.record,
            position.states,
            THREAD.work,
            search.nodes,
            self.error,
            int(self.careful),
            self.spares,
            np.array([chance.bits() | 1], np.uint64),
            Guard(position).scratch,
        )
        return decode(int(code), position.layout)


BEGINNER = Level("beginner", 0.05, iterations=1, error=600, careful=False, spares=2)
LEARNER = Level("learner", 0.05, iterations=1, error=330, careful=False)
CASUAL = Level("casual", 0.05, iterations=1, error=60, careful=False)
SKILLED = Level("skilled", 0.15, iterations=30, error=30)
STRONG = Level("strong", 0.5, iterations=300)
EXPERT = Level("expert", 1.0, iterations=4000)
MASTER = Level("master", 2.0, iterations=80_000, keeps_tree=True)
