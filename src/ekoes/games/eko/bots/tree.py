"""The tree of a search: its rows, what to do when all are in use, and how to move its root (kernels).

Also what decisions have gained elsewhere in the tree, which tells what to look at first.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from ekoes.games.eko.rules.build import built_on
from ekoes.games.eko.rules.code import SOURCE_SHIFT, SPACE_MASK, TARGET_SHIFT, source_of, target_of
from ekoes.games.eko.rules.record import LEVELS, MOST_PLAYERS, NOBODY, TALLEST, owner_of
from ekoes.games.eko.rules.turn import perform
from ekoes.games.kernels.jit import entry, helper

ROOT = 0
NONE = 0
"""No node: the root is nobody's child."""

NODE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("code", np.int64),
                ("value", np.float32, (MOST_PLAYERS,)),
                ("average", np.int32, (MOST_PLAYERS,)),
                ("prior", np.float32),
                ("visits", np.int32),
                ("child", np.int32),
                ("sibling", np.int32),
                ("seat", np.int8),
                ("proven", np.int8),
                ("stage", np.int8),
                ("busy", np.int8),
                ("filler", np.int8, (4,)),
            ],
            align=True,
        ),
    )
)
"""A row of the tree, 64 bytes: a line of the processor's cache.

average: of what its visits found, times 2^30. child: the first one; sibling: the next child of the
same parent. stage: which decisions have a row, a ``Stage``. busy: iterations under way at the node or below
it. seat: the player to move, NOBODY in a free row.
"""


class Stage(IntEnum):
    """Which decisions of a node have been evaluated and have a row."""

    NONE = 0
    PROMISING = 1  # those that were good elsewhere in the tree; no others have been evaluated
    BEST = 2  # the best as well; all have been evaluated
    ALL = 3


class Control(IntEnum):
    """Columns of the array that controls a running search and reports its progress."""

    LOCK = 0  # 1: a thread reads or writes the tree
    STOP = 1  # 1: end after the current iteration
    LIMIT = 2  # maximum number of iterations in all
    BEGUN = 3  # iterations begun
    DONE = 4  # iterations done
    USED = 5  # rows that have been used
    DEPTH = 6  # of the deepest simulation, in decisions
    FREE = 7  # first row without children that can be used again; its sibling is the next one
    FREE_COUNT = 8  # how many there are
    HAND = 9  # the row that is looked at next for children to recycle
    FEW = 10  # visits of a node whose children are recycled, at most
    RECYCLED = 11  # rows, since the hand began its round
    GARBAGE = 12  # first row that no simulation reaches, with all below it; its sibling is the next one
    TURNS = 13  # how many turns the deepest simulation looked ahead
    TURN_LIMIT = 14  # the search ends when it has looked so many turns ahead; 0: it may look on


RESERVE = 1024
"""Free rows before an iteration, at least."""
FARTHEST = 32
"""Decisions between the positions of two searches of one tree, at most."""
_SMALLEST_SHARE = 1000  # a node that is looked for has at least one of so many visits of the root
_FEWEST_RECYCLED = 16  # one of so many rows, in a round


@helper
def reset(node: np.record, code: int, seat: int) -> None:
    """Make a row a node that has not been visited."""
    node.code = code
    node.seat = seat
    node.visits = 0
    node.proven = 0
    node.stage = Stage.NONE
    node.busy = 0
    node.child = NONE
    node.sibling = NONE
    for player in range(MOST_PLAYERS):
        node.average[player] = 0


@helper
def take_row(nodes: np.ndarray, control: np.ndarray) -> int:
    """Return a row for a new node, NONE if there is none."""
    row = int(control[Control.FREE])
    if row != NONE:
        control[Control.FREE] = nodes[row].sibling
        control[Control.FREE_COUNT] -= 1
    elif control[Control.GARBAGE] != NONE:
        row = collect(nodes, control)
    elif control[Control.USED] < len(nodes):
        row = int(control[Control.USED])
        control[Control.USED] += 1
    return row


@helper
def collect(nodes: np.ndarray, control: np.ndarray) -> int:
    """Take a row out of the garbage, into which its children go."""
    row = int(control[Control.GARBAGE])
    control[Control.GARBAGE] = nodes[row].sibling
    discard_children(nodes, control, row)
    return row


@helper
def discard(nodes: np.ndarray, control: np.ndarray, row: int) -> None:
    """Put a row with all below it into the garbage."""
    nodes[row].sibling = control[Control.GARBAGE]
    control[Control.GARBAGE] = row


@helper
def discard_children(nodes: np.ndarray, control: np.ndarray, node: int) -> int:
    """Put the children of a node into the garbage and return how many. The node keeps visits and value."""
    count = 0
    child = int(nodes[node].child)
    while child != NONE:
        sibling = int(nodes[child].sibling)
        discard(nodes, control, child)
        count += 1
        child = sibling
    nodes[node].child = NONE
    nodes[node].stage = Stage.NONE
    return count


@helper
def make_room(nodes: np.ndarray, control: np.ndarray) -> None:
    """Recycle the garbage, then children of little visited nodes, until RESERVE rows are free.

    A hand goes round the rows, as on a clock. If a whole round yields little, the next one takes nodes of
    twice as many visits.
    If only the decisions of the root are left, there is no more room: the search goes on among those it has.
    """
    while len(nodes) - control[Control.USED] + control[Control.FREE_COUNT] < RESERVE:
        if control[Control.GARBAGE] != NONE:
            row = collect(nodes, control)
            nodes[row].seat = NOBODY
            nodes[row].sibling = control[Control.FREE]
            control[Control.FREE] = row
            control[Control.FREE_COUNT] += 1
            continue
        control[Control.HAND] += 1
        if control[Control.HAND] >= control[Control.USED]:
            if control[Control.RECYCLED] == 0 and control[Control.FEW] > nodes[ROOT].visits:
                return
            if control[Control.RECYCLED] * _FEWEST_RECYCLED < len(nodes):
                control[Control.FEW] *= 2
            control[Control.RECYCLED] = 0
            control[Control.HAND] = ROOT + 1
        row = int(control[Control.HAND])
        if nodes[row].seat != NOBODY and nodes[row].visits <= control[Control.FEW] and nodes[row].busy == 0:
            control[Control.RECYCLED] += discard_children(nodes, control, row)


@entry
def find_node(
    boards: np.ndarray,
    works: np.ndarray,
    states: np.ndarray,
    words: np.ndarray,
    nodes: np.ndarray,
    path: np.ndarray,
) -> int:
    """Write the path from the root to the most visited node of a later state, and return its depth.

    states: STATE[FARTHEST + 2], that of the root, scratch, and the later one; words: uint64[FARTHEST + 2, …],
    the same memory; path: int64[FARTHEST + 1], written. Returns: -1 if there is none. Nodes without
    children don't count, and those with a small share of the visits are skipped: they are many, and little is
    lost.
    """
    board = boards[0]
    work = works[0]
    least = max(1, int(nodes[ROOT].visits) // _SMALLEST_SHARE)
    here: Any = np.zeros(FARTHEST + 1, np.int64)
    if is_equal(words[0], words[FARTHEST + 1]):
        return 0
    found = -1
    level = 1
    here[1] = nodes[ROOT].child
    while level > 0:
        node = here[level]
        if node == NONE:
            level -= 1
        elif nodes[node].visits >= least and nodes[node].child != NONE:
            states[level] = states[level - 1]
            perform(board, states[level], work, nodes[node].code)
            if is_equal(words[level], words[FARTHEST + 1]):
                found = level
                least = int(nodes[node].visits) + 1
                for place in range(1, level + 1):
                    path[place] = here[place]
            elif level < FARTHEST and states[level].number <= states[FARTHEST + 1].number:
                level += 1
                here[level] = nodes[node].child
                continue
        here[level] = nodes[here[level]].sibling
    path[0] = ROOT
    return found


@helper
def is_equal(one: np.ndarray, other: np.ndarray) -> bool:
    """Return whether two rows of words are equal."""
    place = 0
    while place < len(one) and one[place] == other[place]:
        place += 1
    return place == len(one)


@entry
def move_root(nodes: np.ndarray, control: np.ndarray, path: np.ndarray, depth: int) -> None:
    """Make a node the root of a tree that is not searched yet, and all that is not below it garbage.

    path: int64[…], from the root to the node. Rows stay in their places; only that of the node moves.
    """
    for level in range(depth):
        child = int(nodes[path[level]].child)
        while child != NONE:
            sibling = int(nodes[child].sibling)
            if child != path[level + 1]:
                discard(nodes, control, child)
            child = sibling
        nodes[path[level]].child = NONE
    if depth > 0:
        nodes[ROOT] = nodes[path[depth]]
        nodes[ROOT].sibling = NONE
        nodes[path[depth]].child = NONE
    for level in range(1, depth + 1):
        discard(nodes, control, path[level])
    control[Control.STOP] = 0
    control[Control.BEGUN] = 0
    control[Control.DONE] = 0
    control[Control.DEPTH] = 0
    control[Control.TURNS] = 0
    control[Control.FEW] = 1
    control[Control.RECYCLED] = 0


@entry
def rank_children(nodes: np.ndarray, node: int) -> np.ndarray:
    """Return the children of a node, best first: proven wins, then by visits, proven losses last."""
    return ranked(nodes, node)


@helper
def ranked(nodes: np.ndarray, node: int) -> np.ndarray:
    """Return what ``rank_children`` does."""
    seat = int(nodes[node].seat)
    count = 0
    child = int(nodes[node].child)
    while child != NONE:
        count += 1
        child = int(nodes[child].sibling)
    rows: np.ndarray = np.empty(count, np.int64)
    found = 0
    child = int(nodes[node].child)
    while child != NONE:
        place = found
        while place > 0 and is_better(nodes, seat, child, int(rows[place - 1])):
            rows[place] = rows[place - 1]
            place -= 1
        rows[place] = child
        found += 1
        child = int(nodes[child].sibling)
    return rows


@helper
def is_better(nodes: np.ndarray, seat: int, one: int, other: int) -> bool:
    """Return whether a node is better for a seat than another one, as far as both are known."""
    known = proof_of(nodes[one], seat) - proof_of(nodes[other], seat)
    if known != 0:
        return bool(known > 0)
    visits = int(nodes[one].visits) - int(nodes[other].visits)
    if visits != 0:
        return visits > 0
    return bool(nodes[one].value[seat] > nodes[other].value[seat])


@helper
def proof_of(node: np.record, seat: int) -> float:
    """Return the proven chance of a seat, -1 if it has none, 0 if nothing is proven."""
    if node.proven == 0:
        return 0.0
    return np.float64(node.value[seat]) if node.value[seat] > 0 else -1.0


# The history heuristic (Schaeffer, 1989), for gains: these depend little on the decisions before.

VIEWS = 3
"""The decision itself; all that differ only in their source; all with the same on their source and target."""
PLACES = 4093
"""Gains that are remembered for each player and view, a prime number."""
_RATE = 0.02
_NO_SOURCE = ~(SPACE_MASK << SOURCE_SHIFT)
_NO_SPACES = _NO_SOURCE & ~(SPACE_MASK << TARGET_SHIFT)


@helper
def expected_gain(history: np.ndarray, state: np.record, seat: int, code: int) -> float:
    """Return by how much a decision raises its player's chance to win, as far as it is known.

    history: float64[MOST_PLAYERS, VIEWS, PLACES]; state: the decision's.
    """
    gain = 0.0
    for view in range(VIEWS):
        gain += history[seat, view, place_of(state, seat, code, view)]
    return gain


@helper
def learn_gain(history: np.ndarray, state: np.record, seat: int, code: int, gain: float) -> None:
    """Bring what is expected of a decision nearer to what it has brought."""
    step = _RATE * (gain - expected_gain(history, state, seat, code))
    for view in range(VIEWS):
        history[seat, view, place_of(state, seat, code, view)] += step


@helper
def place_of(state: np.record, seat: int, code: int, view: int) -> int:
    """Return the index of a decision's gain in one view of the history."""
    if view == 0:
        return code % PLACES
    if view == 1:
        return (code & _NO_SOURCE) % PLACES
    source = source_of(code)
    target = target_of(code)
    builder, level = built_on(state, target)
    held = int(state.height[source]) * (TALLEST + 1) + int(state.height[target])
    held = held * (LEVELS + 1) + level
    held = 2 * held + (1 if builder == seat else 0)
    held = 2 * held + (1 if owner_of(state, target) == seat else 0)
    held = 2 * held + (1 if state.emperor[seat] == source else 0)
    is_emperor = 0
    for player in range(MOST_PLAYERS):
        if state.emperor[player] == target:
            is_emperor = 1
    return ((code & _NO_SPACES) | (2 * held + is_emperor) << SOURCE_SHIFT) % PLACES
