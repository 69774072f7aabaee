"""Monte Carlo tree search with PUCT over single decisions (kernels), and ``Search``, which runs it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from math import sqrt
from time import monotonic
from typing import Any

import numpy as np

from ekoes.games.api.contract import Json
from ekoes.games.eko.bots.evaluation import FEATURES, SETS, evaluate, power, weights_for
from ekoes.games.eko.position.action import Action
from ekoes.games.eko.position.position import EkoPosition, decode
from ekoes.games.eko.rules.code import expand, total
from ekoes.games.eko.rules.export import actor_of
from ekoes.games.eko.rules.record import MOST_PLAYERS, STATE
from ekoes.games.eko.rules.turn import gather, perform
from ekoes.games.kernels.bits import WORDS
from ekoes.games.kernels.jit import entry, helper

ROOT = 0
DEEPEST = 128
"""Maximum depth of a simulation, in decisions."""

NODE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("code", np.int64),
                ("value", np.float64, (MOST_PLAYERS,)),
                ("total", np.float64, (MOST_PLAYERS,)),
                ("prior", np.float64),
                ("first", np.int32),
                ("count", np.int32),
                ("visits", np.int32),
                ("seat", np.int8),
                ("proven", np.int8),
                ("filler", np.int8, (2,)),
            ],
            align=True,
        ),
    )
)


class Control(IntEnum):
    """Columns of the array that controls a running search and reports its progress."""

    STOP = 0  # 1: end after the current iteration
    LIMIT = 1  # maximum number of iterations in all
    DONE = 2  # iterations done
    USED = 3  # nodes of the tree
    DEPTH = 4  # of the deepest simulation, in decisions
    FULL = 5  # 1: no room for more nodes


TRIALS = 2
"""Scratch records: the state of the simulation, and a child of it."""

_CERTAIN = 0.9999


class SearchParams(IntEnum):
    """Columns of the array of search parameters."""

    C_PUCT = 0  # weight of exploration
    TEMPERATURE = 1  # of the softmax that makes priors from the values of children
    BEST = 2  # weight of the best child in a node's value; the rest is the average of all visits


@entry
def grow(
    boards: np.ndarray,
    roots: np.ndarray,
    works: np.ndarray,
    trials: np.ndarray,
    weights: np.ndarray,
    params: np.ndarray,
    drawn: np.ndarray,
    nodes: np.ndarray,
    control: np.ndarray,
) -> None:
    """Run iterations, at least one, until the limit or a stop, or until the tree is full or solved.

    roots: STATE[1], read; trials: STATE[TRIALS]; weights: float64[2, FEATURES]; params:
    float64[len(SearchParams)]; drawn: int64[…], the decisions at the root that end the game without a winner
    (E11.6); nodes: NODE[…]; control: int64[len(Control)].
    """
    board = boards[0]
    work = works[0]
    state = trials[0]
    sets: Any = np.zeros((SETS, WORDS), np.uint64)
    rows: Any = np.zeros((MOST_PLAYERS, FEATURES))
    path: Any = np.zeros(DEEPEST + 1, np.int64)
    if control[Control.USED] == 0:
        control[Control.USED] = 1
        nodes[ROOT].seat = actor_of(roots[0])
    while control[Control.DONE] == 0 or may_continue(nodes, control):
        trials[0] = roots[0]
        depth = 0
        path[0] = ROOT
        while nodes[path[depth]].count > 0 and depth < DEEPEST:
            path[depth + 1] = select_child(nodes, path[depth], params[SearchParams.C_PUCT])
            depth += 1
            perform(board, state, work, nodes[path[depth]].code)
        leaf = path[depth]
        if nodes[leaf].count == 0 and nodes[leaf].proven == 0:
            expand_node(board, work, trials, sets, rows, weights, params, nodes, control, leaf)
            if leaf == ROOT:
                mark_solved(nodes, drawn)
        backpropagate(nodes, path, depth, params[SearchParams.BEST])
        control[Control.DONE] += 1
        control[Control.DEPTH] = max(control[Control.DEPTH], depth)


@helper
def may_continue(nodes: np.ndarray, control: np.ndarray) -> bool:
    """Return whether another iteration may run."""
    if control[Control.STOP] or control[Control.FULL] or nodes[ROOT].proven:
        return False
    return bool(control[Control.DONE] < control[Control.LIMIT])


@helper
def select_child(nodes: np.ndarray, node: int, c_puct: float) -> int:
    """Return the child with the highest PUCT score."""
    seat = int(nodes[node].seat)
    first = int(nodes[node].first)
    exploration = c_puct * sqrt(float(nodes[node].visits))
    best = first
    best_score = -np.inf
    for child in range(first, first + nodes[node].count):
        score = nodes[child].value[seat]
        if nodes[child].proven == 0:
            score += exploration * nodes[child].prior / (1.0 + nodes[child].visits)
        if score > best_score:
            best, best_score = child, score
    return best


@helper
def expand_node(
    board: Any,
    work: Any,
    trials: np.ndarray,
    sets: np.ndarray,
    rows: np.ndarray,
    weights: np.ndarray,
    params: np.ndarray,
    nodes: np.ndarray,
    control: np.ndarray,
    node: int,
) -> None:
    """Add and evaluate the children of a node. trials[0]: its state."""
    trial = trials[1]
    groups = gather(board, trials[0], work)
    count = total(work, groups)
    first = int(control[Control.USED])
    if first + count > len(nodes):
        control[Control.FULL] = 1
        return
    codes: Any = np.empty(count, np.int64)
    expand(work, groups, codes, 0)
    seat = int(nodes[node].seat)
    best = -1.0
    for index in range(count):
        child = nodes[first + index]
        trials[1] = trials[0]
        perform(board, trial, work, codes[index])
        child.code = codes[index]
        child.seat = actor_of(trial)
        child.count = 0
        child.visits = 0
        child.proven = 1 if evaluate(board, trial, work, sets, rows, weights, child.value) else 0
        for player in range(MOST_PLAYERS):
            child.total[player] = 0.0
        best = max(best, child.value[seat])
    set_priors(nodes, first, count, seat, best, params[SearchParams.TEMPERATURE])
    nodes[node].first = first
    nodes[node].count = count
    control[Control.USED] += count


@helper
def mark_solved(nodes: np.ndarray, drawn: np.ndarray) -> None:
    """Mark decisions at the root that end the game without a winner as proven."""
    first = int(nodes[ROOT].first)
    for child in range(first, first + nodes[ROOT].count):
        for code in drawn:
            if nodes[child].code == code:
                nodes[child].proven = 1
                for player in range(MOST_PLAYERS):
                    nodes[child].value[player] = 0.0


@helper
def set_priors(nodes: np.ndarray, first: int, count: int, seat: int, best: float, temperature: float) -> None:
    """Set the priors of children: the softmax of their values for the seat to move."""
    whole = 0.0
    for child in range(first, first + count):
        nodes[child].prior = power((nodes[child].value[seat] - best) / temperature)
        whole += nodes[child].prior
    for child in range(first, first + count):
        nodes[child].prior /= whole


@helper
def backpropagate(nodes: np.ndarray, path: np.ndarray, depth: int, share: float) -> None:
    """Update the nodes of a simulation from its leaf to the root. share: ``SearchParams.BEST``."""
    found: Any = np.zeros(MOST_PLAYERS)
    for player in range(MOST_PLAYERS):
        found[player] = nodes[path[depth]].value[player]
    for level in range(depth, -1, -1):
        node = nodes[path[level]]
        best = best_child(nodes, path[level])
        if level == depth and best >= 0:
            for player in range(MOST_PLAYERS):
                found[player] = nodes[best].value[player]
        node.visits += 1
        for player in range(MOST_PLAYERS):
            node.total[player] += found[player]
        if node.proven == 1 or best < 0:
            continue
        if is_solved(nodes, path[level], best):
            node.proven = 1
            for player in range(MOST_PLAYERS):
                node.value[player] = nodes[best].value[player]
                found[player] = node.value[player]
            continue
        for player in range(MOST_PLAYERS):
            average = node.total[player] / node.visits
            node.value[player] = average + share * (nodes[best].value[player] - average)


@helper
def best_child(nodes: np.ndarray, node: int) -> int:
    """Return the child with the highest value for the seat to move, -1 if there are none."""
    seat = int(nodes[node].seat)
    best = -1
    best_value = -np.inf
    first = int(nodes[node].first)
    for child in range(first, first + nodes[node].count):
        if nodes[child].value[seat] > best_value:
            best, best_value = child, nodes[child].value[seat]
    return best


@helper
def is_solved(nodes: np.ndarray, node: int, best: int) -> bool:
    """Return whether a node's value is proven: its best child is a proven win, or all children are proven."""
    if nodes[best].proven == 0:
        return False
    if nodes[best].value[int(nodes[node].seat)] > _CERTAIN:
        return True
    first = int(nodes[node].first)
    solved = True
    for child in range(first, first + nodes[node].count):
        solved = solved and nodes[child].proven == 1
    return solved


MEMORY = 128
"""Default limit of the tree in MiB."""

PARAMS = np.array([1.0, 0.1, 0.5])
"""The parameters in use, by ``SearchParams``."""

_FOR_EVER = 2**62
_CLOCK_CHECK = 0.002
"""Seconds between checks of the clock; an iteration takes 10 to some 1,000 microseconds."""
_INSTANT = 1e-6
_FEWEST_NODES = 4096  # more than any position has decisions


@dataclass(frozen=True, slots=True)
class Variation:
    """A variation, and each player's chance to win after it.

    iterations: visits of the first action. proven: the value is certain.
    """

    actions: tuple[Action, ...]
    value: tuple[float, ...]
    iterations: int
    proven: bool

    @property
    def about(self) -> Json:
        """Nothing more."""
        return {}


class Search:
    """A search tree of a position that is not over.

    seen: digests of the positions that began earlier turns (E11.6). memory: MiB. One thread may run
    it; any other may read its results and stop it.
    """

    def __init__(self, position: EkoPosition, seen: Iterable[bytes] = (), memory: int = MEMORY) -> None:
        self.position = position
        self._drawn = np.array(_drawing(position, seen), np.int64)
        self._trials = np.zeros(TRIALS, STATE)
        self._nodes = np.zeros(max(_FEWEST_NODES, memory * 2**20 // NODE.itemsize), NODE)
        self._control = np.zeros(len(Control), np.int64)

    def run(self, seconds: float | None = None, iterations: int | None = None) -> None:
        """Search until a limit, a proof or a stop; a stopped search can't be resumed.

        With a time limit, the clock is checked after a number of iterations that adapts to their duration. A
        timer would need a thread, whose stack may be more memory than a referee leaves to an engine.
        """
        last = _FOR_EVER if iterations is None else iterations
        if seconds is None:
            self._grow(last)
            return
        now = monotonic()
        ends, steps, goes_on = now + seconds, 1, True
        while goes_on:
            looked, limit = now, min(last, self.iterations + steps)
            self._grow(limit)
            now = monotonic()
            goes_on = limit <= self.iterations < last and now < ends
            steps = max(1, min(2 * steps, int(steps * _CLOCK_CHECK / max(now - looked, _INSTANT))))

    def _grow(self, limit: int) -> None:
        self._control[Control.LIMIT] = limit
        layout = self.position.layout
        weights = weights_for(self.position.players)
        grow(
            layout.record,
            self.position.states,
            layout.work,
            self._trials,
            weights,
            PARAMS,
            self._drawn,
            self._nodes,
            self._control,
        )

    def stop(self) -> None:
        """Stop after the current iteration; from any thread."""
        self._control[Control.STOP] = 1

    @property
    def about(self) -> Json:
        """Nothing more."""
        return {}

    @property
    def iterations(self) -> int:
        """The number of iterations done."""
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
        return [self._variation(node) for node in self._ranked(ROOT)[:count]]

    def ranking(self) -> list[Action]:
        """Return all legal actions, best first."""
        return [self._action(node) for node in self._ranked(ROOT)]

    def _value(self, node: int) -> tuple[float, ...]:
        return tuple(map(float, self._nodes[node]["value"][: self.position.players]))

    def _ranked(self, node: int) -> Sequence[int]:
        """Return the children of a node, best first: proven wins, then by visits, proven losses last."""
        nodes = self._nodes[node]
        first, count, seat = int(nodes["first"]), int(nodes["count"]), int(nodes["seat"])
        children = self._nodes[first : first + count]
        values, proven = children["value"][:, seat], children["proven"] == 1
        known = np.where(proven, np.where(values > 0, values, -1.0), 0.0)
        order = np.lexsort((np.arange(count), -values, -children["visits"], -known))
        return [first + int(place) for place in order]

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
        while self._nodes[node]["count"]:
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
