"""Monte Carlo tree search with PUCT over single decisions (kernels), and ``Search``, which runs it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from enum import IntEnum
from math import inf, sqrt
from threading import Lock
from time import monotonic
from typing import Any

import numpy as np

from ekoes.games.api.table import Variation
from ekoes.games.eko.bots.evaluation import COLUMNS, FIRST_UNITS, SETS, evaluate, network_for, power
from ekoes.games.eko.bots.tree import (
    FARTHEST,
    NODE,
    NONE,
    PLACES,
    RESERVE,
    ROOT,
    VIEWS,
    Control,
    Stage,
    expected_gain,
    find_node,
    learn_gain,
    make_room,
    move_root,
    rank_children,
    reset,
    take_row,
)
from ekoes.games.eko.position.action import Action
from ekoes.games.eko.position.layout import THREAD
from ekoes.games.eko.position.position import EkoPosition, decode
from ekoes.games.eko.rules.code import codes_of
from ekoes.games.eko.rules.export import actor_of
from ekoes.games.eko.rules.record import MOST_PLAYERS, NOBODY, STATE
from ekoes.games.eko.rules.turn import gather, perform
from ekoes.games.kernels import COMPILED
from ekoes.games.kernels.bits import WORDS, acquire, release
from ekoes.games.kernels.jit import entry, helper

DEEPEST = 128
"""Maximum depth of a simulation, in decisions."""
TRIALS = 2
"""Scratch records: the state of the simulation, and a child of it."""
CHILDREN = 6
"""Rows that a node gets in each stage but the last."""
_LONGEST_AVERAGE = 1 << 18  # visits: beyond, later visits weigh more than earlier ones
_HAS_A_ROW = -1.0  # in place of a chance
_PARTS = 1 << 30  # averages count parts of 1: in float32 the rounding of many visits would add up
_CERTAIN = 0.9999


class SearchParams(IntEnum):
    """Columns of the array of search parameters."""

    C_PUCT = 0  # weight of exploration
    TEMPERATURE = 1  # of the softmax that makes priors from the values of children
    BEST = 2  # weight of the best child in a node's value; the rest is the average of all visits
    FULL_VISIT = 3  # the visit of a node in which all its decisions are evaluated; most never get so many
    WARM_UP = 4  # visits of the root before which the first visit of a node does so


@entry
def grow(
    boards: np.ndarray,
    roots: np.ndarray,
    works: np.ndarray,
    trials: np.ndarray,
    networks: np.ndarray,
    params: np.ndarray,
    drawn: np.ndarray,
    history: np.ndarray,
    nodes: np.ndarray,
    control: np.ndarray,
) -> None:
    """Run iterations, at least one, until the limit, a stop or a proof; several threads may do so together.

    A thread holds the lock of the tree except while it evaluates decisions, which takes most of the time.
    roots: STATE[1], read; trials: STATE[TRIALS]; networks: NETWORK[1]; params: float64[len(SearchParams)];
    drawn: int64[…], the decisions at the root that end the game without a winner (E11.6); history:
    float64[MOST_PLAYERS, VIEWS, PLACES], what decisions have brought so far, 0 where nothing is known; nodes:
    NODE[…], if possible more than the decisions of the root and RESERVE; control: int64[len(Control)], all 0
    for a new tree. Other threads need roots, works and trials of their own.
    """
    board = boards[0]
    work = works[0]
    state = trials[0]
    sets: Any = np.zeros((SETS, WORDS), np.uint64)
    rows: Any = np.zeros((MOST_PLAYERS, COLUMNS), np.int16)
    sums: Any = np.zeros((MOST_PLAYERS + 1, 2 * FIRST_UNITS), np.int32)
    path: Any = np.zeros(DEEPEST + 1, np.int64)
    acquire(control)
    if control[Control.USED] == 0:
        control[Control.USED] = 1
        control[Control.FEW] = 1
        reset(nodes[ROOT], 0, actor_of(roots[0]))
        value: Any = np.empty(MOST_PLAYERS)
        evaluate(board, roots[0], work, sets, rows, sums, networks[0], value)
        for player in range(MOST_PLAYERS):
            nodes[ROOT].value[player] = value[player]
    while control[Control.BEGUN] == 0 or may_continue(nodes, control):
        control[Control.BEGUN] += 1
        make_room(nodes, control)
        trials[0] = roots[0]
        depth = 0
        path[0] = ROOT
        nodes[ROOT].busy += 1
        while depth < DEEPEST and nodes[path[depth]].proven == 0:
            node = path[depth]
            wanted = wanted_stage(nodes, node, params)
            if nodes[node].stage < wanted:
                make_children(
                    board,
                    work,
                    trials,
                    sets,
                    rows,
                    sums,
                    networks,
                    params,
                    history,
                    nodes,
                    control,
                    node,
                    wanted,
                )
                if node == ROOT:
                    mark_solved(nodes, drawn)
            if nodes[node].visits == 0 or nodes[node].child == NONE:
                break
            child = select_child(nodes, node, params[SearchParams.C_PUCT])
            depth += 1
            path[depth] = child
            nodes[child].busy += 1
            perform(board, state, work, nodes[child].code)
        backpropagate(nodes, path, depth, params[SearchParams.BEST])
        control[Control.DONE] += 1
        control[Control.DEPTH] = max(control[Control.DEPTH], depth)
        control[Control.TURNS] = max(control[Control.TURNS], int(state.number) - int(roots[0].number))
    release(control)


@helper
def may_continue(nodes: np.ndarray, control: np.ndarray) -> bool:
    """Return whether another iteration may run."""
    if control[Control.STOP] or nodes[ROOT].proven:
        return False
    if 0 < control[Control.TURN_LIMIT] <= control[Control.TURNS]:
        return False
    return bool(control[Control.BEGUN] < control[Control.LIMIT])


@helper
def wanted_stage(nodes: np.ndarray, node: int, params: np.ndarray) -> Stage:
    """Return the stage that a node must have before one of its children is selected.

    In the stage BEST a decision without a row is no better than the last child was at first, so it would not
    be selected before that child.
    """
    if node == ROOT:
        return Stage.ALL
    if nodes[node].stage == Stage.BEST:
        last = last_child(nodes, node)
        return Stage.ALL if nodes[last].visits > 0 or nodes[last].proven else Stage.BEST
    full_visit = 1.0 if nodes[ROOT].visits < params[SearchParams.WARM_UP] else params[SearchParams.FULL_VISIT]
    return Stage.BEST if nodes[node].visits + 1 >= full_visit else Stage.PROMISING


@helper
def last_child(nodes: np.ndarray, node: int) -> int:
    """Return the last child of a node that has some."""
    child = int(nodes[node].child)
    while nodes[child].sibling != NONE:
        child = int(nodes[child].sibling)
    return child


@helper
def select_child(nodes: np.ndarray, node: int, c_puct: float) -> int:
    """Return the child with the highest PUCT score.

    To keep threads apart, an iteration that is below a child counts as a lost one (virtual loss).
    """
    seat = int(nodes[node].seat)
    exploration = c_puct * sqrt(float(nodes[node].visits))
    best = child = int(nodes[node].child)
    best_score = -np.inf
    while child != NONE:
        score = np.float64(nodes[child].value[seat])
        if nodes[child].proven == 0:
            visits = 1.0 + nodes[child].visits + nodes[child].busy
            if nodes[child].busy > 0:
                score *= 1.0 - nodes[child].busy / visits
            score += exploration * np.float64(nodes[child].prior) / visits
        if score > best_score:
            best, best_score = child, score
        child = int(nodes[child].sibling)
    return best


@helper
def make_children(
    board: np.record,
    work: np.record,
    trials: np.ndarray,
    sets: np.ndarray,
    rows: np.ndarray,
    sums: np.ndarray,
    networks: np.ndarray,
    params: np.ndarray,
    history: np.ndarray,
    nodes: np.ndarray,
    control: np.ndarray,
    node: int,
    stage: int,
) -> None:
    """Evaluate the decisions of a node's next stage, and add children for those that have none, best first.

    The lock is free while they are evaluated. If another thread was quicker, nothing is added.

    trials[0]: its state.
    """
    seat = int(nodes[node].seat)
    before = np.float64(nodes[node].value[seat])
    release(control)
    codes, count = decisions_of_stage(board, trials[0], work, history, seat, stage)
    values: Any = np.empty((len(codes), MOST_PLAYERS))
    seats: Any = np.empty(len(codes), np.int8)
    for index in range(len(codes)):
        trials[1] = trials[0]
        perform(board, trials[1], work, codes[index])
        evaluate(board, trials[1], work, sets, rows, sums, networks[0], values[index])
        seats[index] = actor_of(trials[1])
    chances: Any = values[:, seat].copy()
    priors = priors_of(chances, params[SearchParams.TEMPERATURE])
    acquire(control)
    if nodes[node].stage >= stage:
        return
    if nodes[node].visits == 0:
        for index in range(len(codes)):
            learn_gain(history, trials[0], seat, codes[index], chances[index] - before)
    known, last = update_children(nodes, node, codes, priors, chances)
    new = len(codes) - known
    if stage != Stage.ALL:
        new = min(new, CHILDREN)
    for index in best_places(chances, new):
        row = take_row(nodes, control)
        if row == NONE:
            return
        reset(nodes[row], codes[index], seats[index])
        nodes[row].proven = 1 if seats[index] == NOBODY else 0
        nodes[row].prior = priors[index]
        for player in range(MOST_PLAYERS):
            nodes[row].value[player] = values[index, player]
        if last == NONE:
            nodes[node].child = row
        else:
            nodes[last].sibling = row
        last = row
    nodes[node].stage = stage if known + new < count else Stage.ALL


@helper
def decisions_of_stage(
    board: np.record, state: np.record, work: np.record, history: np.ndarray, seat: int, stage: int
) -> tuple[np.ndarray, int]:
    """Return the decisions of a state that a stage looks at, and how many there are in all."""
    codes = codes_of(work, gather(board, state, work))
    count = len(codes)
    if stage == Stage.PROMISING and count > CHILDREN:
        gains: Any = np.empty(count)
        for index in range(count):
            gains[index] = expected_gain(history, state, seat, codes[index])
        codes = codes[best_places(gains, CHILDREN)]
    return codes, count


@helper
def update_children(
    nodes: np.ndarray, node: int, codes: np.ndarray, priors: np.ndarray, chances: np.ndarray
) -> tuple[int, int]:
    """Give the children of a node new priors, and mark their chances. Returns: their number, and the last."""
    count = 0
    last = NONE
    child = int(nodes[node].child)
    while child != NONE:
        for index in range(len(codes)):
            if codes[index] == nodes[child].code:
                nodes[child].prior = priors[index]
                chances[index] = _HAS_A_ROW
        count += 1
        last = child
        child = int(nodes[child].sibling)
    return count, last


@helper
def priors_of(chances: np.ndarray, temperature: float) -> np.ndarray:
    """Return the softmax of chances to win."""
    best = -1.0
    for chance in chances:
        best = max(best, chance)
    priors: np.ndarray = np.empty(len(chances))
    whole = 0.0
    for index in range(len(chances)):
        priors[index] = power((chances[index] - best) / temperature)
        whole += priors[index]
    for index in range(len(chances)):
        priors[index] /= whole
    return priors


@helper
def best_places(values: np.ndarray, count: int) -> np.ndarray:
    """Return the places of the highest values, highest first, of equal ones the first. count: how many."""
    chosen: np.ndarray = np.empty(count, np.int64)
    found = 0
    for index in range(len(values) if count > 0 else 0):
        slot = min(found, count - 1)
        if found == slot or values[index] > values[chosen[slot]]:
            while slot > 0 and values[index] > values[chosen[slot - 1]]:
                chosen[slot] = chosen[slot - 1]
                slot -= 1
            chosen[slot] = index
            found = min(found + 1, count)
    return chosen


@helper
def mark_solved(nodes: np.ndarray, drawn: np.ndarray) -> None:
    """Mark decisions at the root that end the game without a winner as proven."""
    child = int(nodes[ROOT].child)
    while child != NONE:
        for code in drawn:
            if nodes[child].code == code:
                nodes[child].proven = 1
                for player in range(MOST_PLAYERS):
                    nodes[child].value[player] = 0.0
        child = int(nodes[child].sibling)


@helper
def backpropagate(nodes: np.ndarray, path: np.ndarray, depth: int, share: float) -> None:
    """Update the nodes of a simulation from its leaf to the root. share: ``SearchParams.BEST``."""
    found: Any = np.zeros(MOST_PLAYERS)
    for player in range(MOST_PLAYERS):
        found[player] = nodes[path[depth]].value[player]
    for level in range(depth, -1, -1):
        node = nodes[path[level]]
        best = best_child(nodes, path[level])
        if level == depth and best != NONE:
            for player in range(MOST_PLAYERS):
                found[player] = nodes[best].value[player]
        node.visits += 1
        node.busy -= 1
        for player in range(MOST_PLAYERS):
            average = np.float64(node.average[player])
            average += (_PARTS * found[player] - average) / min(node.visits, _LONGEST_AVERAGE)
            node.average[player] = int(average + 0.5)
        if node.proven == 1 or best == NONE:
            continue
        if is_solved(nodes, path[level], best):
            node.proven = 1
            for player in range(MOST_PLAYERS):
                node.value[player] = nodes[best].value[player]
                found[player] = node.value[player]
            continue
        for player in range(MOST_PLAYERS):
            average = node.average[player] / _PARTS
            node.value[player] = average + share * (np.float64(nodes[best].value[player]) - average)


@helper
def best_child(nodes: np.ndarray, node: int) -> int:
    """Return the child with the highest value for the seat to move, NONE if there are none."""
    seat = int(nodes[node].seat)
    best = child = int(nodes[node].child)
    while child != NONE:
        if nodes[child].value[seat] > nodes[best].value[seat]:
            best = child
        child = int(nodes[child].sibling)
    return best


@helper
def is_solved(nodes: np.ndarray, node: int, best: int) -> bool:
    """Return whether a node's value is proven: its best child is a proven win, or all children are proven."""
    if nodes[best].proven == 0:
        return False
    if nodes[best].value[int(nodes[node].seat)] > _CERTAIN:
        return True
    if nodes[node].stage != Stage.ALL:
        return False
    child = int(nodes[node].child)
    while child != NONE:
        if nodes[child].proven == 0:
            return False
        child = int(nodes[child].sibling)
    return True


MEMORY = 32
"""Default size of the tree in MiB; the iterations of ``master`` fill it about once."""

PARAMS = np.array([1.0, 0.1, 0.5, 4, 16])
"""The parameters in use, by ``SearchParams``."""

_FOR_EVER = 2**62
_CLOCK_CHECK = 0.002
"""Seconds between checks of the clock; an iteration takes 10 to some 1,000 microseconds."""
_SHARED_CLOCK_CHECK = 0.01
"""The same with several threads: to begin and to end together takes a part of a millisecond."""
_INSTANT = 1e-6


class Search:
    """A search tree of a position that is not over.

    seen: digests of the positions that began earlier turns (E11.6). memory: MiB of the tree; when it is
    full, the children of little visited nodes are recycled, and the search goes on. One thread may run it,
    and has others help; any other may read its results and stop it.
    """

    def __init__(self, position: EkoPosition, seen: Iterable[bytes] = (), memory: int = MEMORY) -> None:
        self._nodes = np.zeros(memory * 2**20 // NODE.itemsize, NODE)
        self._control = np.zeros(len(Control), np.int64)
        self._tree, self._next = Lock(), Lock()
        self._begin(position, _drawing(position, seen))

    def move_to(self, position: EkoPosition, seen: Iterable[bytes] = ()) -> None:
        """Search another position from now on, after a run; the tree below it is kept if it has one.

        The decisions between the two positions, at most FARTHEST, are found in the tree. Limits of a run
        count new iterations only. Nothing is kept where a third repetition ends the game (E11.6), and of
        positions with more decisions than a full tree has room for.
        """
        drawn = _drawing(position, seen)
        path = np.zeros(FARTHEST + 1, np.int64)
        with self._turn():
            can_be_kept = not (drawn or len(self._drawn)) and len(position.codes) <= RESERVE
            depth = self._find(position, path) if can_be_kept else -1
            if depth < 0:
                self._begin(position, drawn)
            else:
                move_root(self._nodes, self._control, path, depth)
                self.position = position

    def _begin(self, position: EkoPosition, drawn: list[int]) -> None:
        """Begin a new tree, in the same memory if there is enough."""
        least = 2 * RESERVE + len(position.codes)
        if len(self._nodes) < least:
            self._nodes = np.zeros(least, NODE)
        self._nodes[ROOT] = np.zeros(1, NODE)[0]  # the other rows are written when they are taken
        self._control[:] = 0
        self._history = np.zeros((MOST_PLAYERS, VIEWS, PLACES))
        self._drawn = np.array(drawn, np.int64)
        self.position = position

    def _find(self, position: EkoPosition, path: np.ndarray[Any, Any]) -> int:
        """Return how many decisions a position is below the root, -1 if it is not in the tree."""
        layout = self.position.layout
        if not self._control[Control.USED] or layout != position.layout:
            return -1
        states = np.zeros(FARTHEST + 2, STATE)
        states[0], states[-1] = self.position.states[0], position.states[0]
        words = states.view(np.uint64).reshape(len(states), -1)
        return int(find_node(layout.record, THREAD.work, states, words, self._nodes, path))

    def run(
        self,
        seconds: float | None = None,
        iterations: int | None = None,
        threads: int = 1,
        turns: int | None = None,
    ) -> None:
        """Search until a limit, a proof or a stop; after a stop only ``move_to`` lets it go on.

        The clock is checked, and others may read, after a number of iterations that adapts to their duration.
        A timer would need a thread, whose stack may be more memory than a referee leaves to an engine.

        threads: how many search together; several make another tree each time. turns: a variation that looks
        so many turns ahead ends the search.
        """
        self._control[Control.TURN_LIMIT] = min(turns or 0, _FOR_EVER)
        last = _FOR_EVER if iterations is None else iterations
        now = monotonic()
        ends, steps, goes_on = now + (inf if seconds is None else seconds), 1, True
        check = _CLOCK_CHECK if threads == 1 else _SHARED_CLOCK_CHECK
        with ThreadPoolExecutor(threads, "search") as pool:  # which starts a thread only for a task
            while goes_on:
                looked, limit = now, min(last, self.iterations + steps)
                with self._turn():
                    self._control[Control.LIMIT] = limit
                    others = [pool.submit(self._grow) for _ in range(threads - 1)] if COMPILED else []
                    self._grow()
                    for other in others:
                        other.result()
                now = monotonic()
                goes_on = limit <= self.iterations < last and now < ends
                wanted = int(steps * check / max(now - looked, _INSTANT))
                # at most halved: this thread may only have waited for a processor
                steps = max(1, steps // 2, min(2 * steps, wanted))

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Hold the tree; a thread that waits takes it before the one that had it."""
        with self._next:
            self._tree.acquire()
        try:
            yield
        finally:
            self._tree.release()

    def _grow(self) -> None:
        layout = self.position.layout
        grow(
            layout.record,
            self.position.states,
            THREAD.work,
            np.zeros(TRIALS, STATE),
            network_for(self.position.players),
            PARAMS,
            self._drawn,
            self._history,
            self._nodes,
            self._control,
        )

    def stop(self) -> None:
        """Stop after the current iteration; from any thread."""
        self._control[Control.STOP] = 1

    @property
    def iterations(self) -> int:
        """The number of iterations done, without those of earlier positions."""
        return int(self._control[Control.DONE])

    @property
    def depth(self) -> int:
        """The depth of the deepest simulation, in decisions."""
        return int(self._control[Control.DEPTH])

    @property
    def value(self) -> tuple[float, ...]:
        """Each player's chance to win."""
        return self._value(ROOT)

    def lines(self, count: int) -> list[Variation]:
        """Return the best variations, best first."""
        with self._turn():
            return [self._variation(node) for node in self._ranked(ROOT)[:count]]

    def ranking(self) -> list[Action]:
        """Return all legal actions, best first."""
        with self._turn():
            return list(map(self._action, self._ranked(ROOT)))

    @property
    def nodes(self) -> np.ndarray[Any, Any]:
        """The tree, ``NODE[…]``, to be read after a run."""
        return self._nodes

    def _value(self, node: int) -> tuple[float, ...]:
        return tuple(map(float, self._nodes[node]["value"][: self.position.players]))

    def _ranked(self, node: int) -> list[int]:
        """Return the children of a node, best first."""
        ranked: list[int] = rank_children(self._nodes, node).tolist()
        return ranked

    def _variation(self, node: int) -> Variation:
        return Variation(
            actions=tuple(self._actions(node)),
            value=self._value(node),
            iterations=int(self._nodes[node]["visits"]),
            proven=bool(self._nodes[node]["proven"]),
        )

    def _actions(self, node: int) -> Iterator[Action]:
        """Yield the actions of the principal variation from a node."""
        yield self._action(node)
        while self._nodes[node]["child"] != NONE:
            node = self._ranked(node)[0]
            yield self._action(node)

    def _action(self, node: int) -> Action:
        return decode(int(self._nodes[node]["code"]), self.position.layout)


def _drawing(position: EkoPosition, seen: Iterable[bytes]) -> list[int]:
    """Return the decisions that repeat a position for the third time (E11.6)."""
    twice = {digest for digest, times in Counter(seen).items() if times > 1}
    if not twice:
        return []
    played = ((int(code), position.play_code(int(code))) for code in position.codes)
    number = position.turn_number
    return [code for code, after in played if after.turn_number != number and after.digest() in twice]
