"""Growing the tree: Monte Carlo tree search over single decisions (kernels).

A step walks down by what is promising, judges all that may be decided where the walk ends, and takes
the best of them back up. Who is asked maximises the own chance, whoever that is; a turn is some levels.
"""

from __future__ import annotations

from enum import IntEnum
from math import sqrt
from typing import Any

import numpy as np

from ekoes.games.eko.bots.score import asked
from ekoes.games.eko.bots.search.features import FEATURES, SETS
from ekoes.games.eko.bots.search.tree import DEEPEST, ROOT, Control
from ekoes.games.eko.bots.search.value import judge, power
from ekoes.games.eko.rules.code import expand, total
from ekoes.games.eko.rules.record import MOST_PLAYERS
from ekoes.games.eko.rules.turn import gather, perform
from ekoes.games.kernels.bits import WORDS
from ekoes.kernel import entry, helper

__all__ = ["TRIALS", "Taste", "grow"]

TRIALS = 2
"""Records of scratch: where the walk is, and what is tried there."""

_CERTAIN = 0.9999


class Taste(IntEnum):
    """Columns of the array that says how a search walks."""

    CURIOSITY = 0  # how much is looked at that looks worse
    WARMTH = 1  # of the priors: chances that differ by it differ by e in what is looked at first
    BEST = 2  # how a node's value is mixed: the best of its followers, the rest is the average of all visits


@entry
def grow(
    boards: np.ndarray,
    roots: np.ndarray,
    works: np.ndarray,
    trials: np.ndarray,
    weights: np.ndarray,
    taste: np.ndarray,
    drawn: np.ndarray,
    nodes: np.ndarray,
    control: np.ndarray,
) -> None:
    """Grow a tree, a step at least, until it is told to stop, has done its steps, is full or is decided.

    roots: STATE[1], read; trials: STATE[TRIALS]; weights: float64[2, FEATURES]; taste: float64[len(Taste)];
    drawn: int64[…], the decisions at the root that end the game without a winner (E11.6); nodes: NODE[…];
    control: int64[len(Control)].
    """
    board = boards[0]
    work = works[0]
    state = trials[0]
    sets: Any = np.zeros((SETS, WORDS), np.uint64)
    rows: Any = np.zeros((MOST_PLAYERS, FEATURES))
    path: Any = np.zeros(DEEPEST + 1, np.int64)
    if control[Control.USED] == 0:
        control[Control.USED] = 1
        nodes[ROOT].seat = asked(roots[0])
    while control[Control.DONE] == 0 or goes_on(nodes, control):
        trials[0] = roots[0]
        depth = 0
        path[0] = ROOT
        while nodes[path[depth]].count > 0 and depth < DEEPEST:
            path[depth + 1] = choose_follower(nodes, path[depth], taste[Taste.CURIOSITY])
            depth += 1
            perform(board, state, work, nodes[path[depth]].code)
        leaf = path[depth]
        if nodes[leaf].count == 0 and nodes[leaf].proven == 0:
            look_around(board, work, trials, sets, rows, weights, taste, nodes, control, leaf)
            if leaf == ROOT:
                rule_out(nodes, drawn)
        go_back(nodes, path, depth, taste[Taste.BEST])
        control[Control.DONE] += 1
        control[Control.DEPTH] = max(control[Control.DEPTH], depth)


@helper
def goes_on(nodes: np.ndarray, control: np.ndarray) -> bool:
    """Whether another step is wanted; the first always is."""
    if control[Control.STOP] or control[Control.FULL] or nodes[ROOT].proven:
        return False
    return bool(control[Control.DONE] < control[Control.LIMIT])


@helper
def choose_follower(nodes: np.ndarray, node: int, curiosity: float) -> int:
    """Return the follower of a node that is looked at next."""
    seat = int(nodes[node].seat)
    first = int(nodes[node].first)
    eagerness = curiosity * sqrt(float(nodes[node].visits))
    best = first
    most = -np.inf
    for follower in range(first, first + nodes[node].count):
        promise = nodes[follower].value[seat]
        if nodes[follower].proven == 0:
            promise += eagerness * nodes[follower].prior / (1.0 + nodes[follower].visits)
        if promise > most:
            best, most = follower, promise
    return best


@helper
def look_around(
    board: Any,
    work: Any,
    trials: np.ndarray,
    sets: np.ndarray,
    rows: np.ndarray,
    weights: np.ndarray,
    taste: np.ndarray,
    nodes: np.ndarray,
    control: np.ndarray,
    node: int,
) -> None:
    """Judge all that may be decided at a node, where trials[0] is."""
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
        follower = nodes[first + index]
        trials[1] = trials[0]
        perform(board, trial, work, codes[index])
        follower.code = codes[index]
        follower.seat = asked(trial)
        follower.count = 0
        follower.visits = 0
        follower.proven = 1 if judge(board, trial, work, sets, rows, weights, follower.value) else 0
        for player in range(MOST_PLAYERS):
            follower.total[player] = 0.0
        best = max(best, follower.value[seat])
    weigh(nodes, first, count, seat, best, taste[Taste.WARMTH])
    nodes[node].first = first
    nodes[node].count = count
    control[Control.USED] += count


@helper
def rule_out(nodes: np.ndarray, drawn: np.ndarray) -> None:
    """Note that some decisions at the root end the game without a winner."""
    first = int(nodes[ROOT].first)
    for follower in range(first, first + nodes[ROOT].count):
        for code in drawn:
            if nodes[follower].code == code:
                nodes[follower].proven = 1
                for player in range(MOST_PLAYERS):
                    nodes[follower].value[player] = 0.0


@helper
def weigh(nodes: np.ndarray, first: int, count: int, seat: int, best: float, warmth: float) -> None:
    """Write the priors of a node's followers, by how good they look for who is asked."""
    whole = 0.0
    for follower in range(first, first + count):
        nodes[follower].prior = power((nodes[follower].value[seat] - best) / warmth)
        whole += nodes[follower].prior
    for follower in range(first, first + count):
        nodes[follower].prior /= whole


@helper
def go_back(nodes: np.ndarray, path: np.ndarray, depth: int, share: float) -> None:
    """Take what was found at the end of a walk back to the root."""
    found: Any = np.zeros(MOST_PLAYERS)
    for player in range(MOST_PLAYERS):
        found[player] = nodes[path[depth]].value[player]
    for level in range(depth, -1, -1):
        node = nodes[path[level]]
        best = best_follower(nodes, path[level])
        if level == depth and best >= 0:
            for player in range(MOST_PLAYERS):
                found[player] = nodes[best].value[player]
        node.visits += 1
        for player in range(MOST_PLAYERS):
            node.total[player] += found[player]
        if node.proven == 1 or best < 0:
            continue
        if is_decided(nodes, path[level], best):
            node.proven = 1
            for player in range(MOST_PLAYERS):
                node.value[player] = nodes[best].value[player]
                found[player] = node.value[player]
            continue
        for player in range(MOST_PLAYERS):
            average = node.total[player] / node.visits
            node.value[player] = average + share * (nodes[best].value[player] - average)


@helper
def best_follower(nodes: np.ndarray, node: int) -> int:
    """Return the follower that is best for who is asked, or -1 if none was looked at."""
    seat = int(nodes[node].seat)
    best = -1
    most = -np.inf
    first = int(nodes[node].first)
    for follower in range(first, first + nodes[node].count):
        if nodes[follower].value[seat] > most:
            best, most = follower, nodes[follower].value[seat]
    return best


@helper
def is_decided(nodes: np.ndarray, node: int, best: int) -> bool:
    """Whether a node's value is certain: its best follower wins for sure, or all followers are certain."""
    if nodes[best].proven == 0:
        return False
    if nodes[best].value[int(nodes[node].seat)] > _CERTAIN:
        return True
    first = int(nodes[node].first)
    decided = True
    for follower in range(first, first + nodes[node].count):
        decided = decided and nodes[follower].proven == 1
    return decided
