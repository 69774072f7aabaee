"""The kernels that Python calls: decisions, perft and playouts."""

from __future__ import annotations

from typing import Any

import numpy as np

from ekoes.games.eko.rules.code import codes_of, expand, is_listed, nth, total
from ekoes.games.eko.rules.export import effect_of, export_numbers
from ekoes.games.eko.rules.paths import find_paths
from ekoes.games.eko.rules.record import MOST_PLAYERS, STATE, Phase
from ekoes.games.eko.rules.turn import gather, perform
from ekoes.games.kernels.bits import next_random, read
from ekoes.games.kernels.jit import entry


@entry
def list_decisions(boards: np.ndarray, states: np.ndarray, works: np.ndarray) -> np.ndarray:
    """Return the codes of all legal decisions, int64[…].

    boards: BOARD[1]; states: STATE[1], read; works: WORK[1], scratch.
    """
    return codes_of(works[0], gather(boards[0], states[0], works[0]))


@entry
def perform_decision(
    boards: np.ndarray, states: np.ndarray, after: np.ndarray, works: np.ndarray, code: int
) -> None:
    """Write the state after a legal decision. states: STATE[1], read; after: STATE[1], written."""
    after[0] = states[0]
    perform(boards[0], after[0], works[0], code)


@entry
def is_legal(boards: np.ndarray, states: np.ndarray, works: np.ndarray, code: int) -> bool:
    """Whether a code is one of the legal decisions. states: STATE[1], read."""
    work = works[0]
    return is_listed(work, gather(boards[0], states[0], work), code)


@entry
def export_state(boards: np.ndarray, states: np.ndarray) -> np.ndarray:
    """Return the numbers of a state, int64[…] (export.export_numbers). states: STATE[1], read."""
    return export_numbers(boards[0], states[0])


@entry
def find_effect(states: np.ndarray, code: int) -> int:
    """Return the ``Effect`` of a legal decision. states: STATE[1], read."""
    return effect_of(states[0], code)


@entry
def trace_paths(
    boards: np.ndarray, states: np.ndarray, start: int, target: int, zones: np.ndarray
) -> np.ndarray:
    """Return the paths of a stack as nodes (paths.find_paths). zones: uint64[1, 2]."""
    return find_paths(boards[0], states[0], start, target, read(zones, 0))


_CODES_PER_LEVEL = 4096


@entry
def perft_leaves(boards: np.ndarray, roots: np.ndarray, works: np.ndarray, depth: int) -> int:
    """Count the decision sequences of a length; the last level is counted without listing it.

    roots: STATE[1], read. Returns: the number of leaves; a game that ends earlier is one.
    """
    board = boards[0]
    work = works[0]
    states: Any = np.zeros(depth, STATE)
    states[0] = roots[0]
    codes: Any = np.empty(depth * _CODES_PER_LEVEL, np.int64)
    leaves = 0
    level = 0
    begins = np.zeros(depth + 1, np.int64)
    ends = np.zeros(depth + 1, np.int64)
    fresh = True
    while level >= 0:
        state = states[level]
        if fresh:
            groups = gather(board, state, work)
            if groups == 0 or level == depth - 1:
                leaves += 1 if state.phase == Phase.OVER else total(work, groups)
                level -= 1
                fresh = False
                continue
            begin = ends[level - 1] if level else 0
            if begin + total(work, groups) > len(codes):
                codes = np.concatenate((codes, np.empty(begin + total(work, groups), np.int64)))
            begins[level] = begin
            ends[level] = expand(work, groups, codes, begin)
        if begins[level] == ends[level]:
            level -= 1
            fresh = False
            continue
        code = codes[begins[level]]
        begins[level] += 1
        states[level + 1] = state
        perform(board, states[level + 1], work, code)
        level += 1
        fresh = True
    return leaves


@entry
def play_out(
    boards: np.ndarray,
    roots: np.ndarray,
    states: np.ndarray,
    works: np.ndarray,
    seeds: np.ndarray,
    turn_limit: int,
    wins: np.ndarray,
) -> int:
    """Play random games to their end, each decision drawn evenly from the legal ones.

    roots: STATE[1], read. states: STATE[1] as scratch. seeds: uint64[games], not 0, written.
    wins: int64[MOST_PLAYERS + 1], added to: games won by each player (all winners count), then games
    without one (a root at which nothing can be decided is such a game).
    Returns: the number of decisions. Rule: E11.5, E12.9 (turn limit).
    """
    board = boards[0]
    work = works[0]
    decisions = 0
    for game in range(len(seeds)):
        states[0] = roots[0]
        state = states[0]
        stream = seeds[game : game + 1]
        while state.phase != Phase.OVER and state.number <= turn_limit:
            count = total(work, gather(board, state, work))
            if count == 0:
                break
            code = nth(work, next_random(stream, count))
            perform(board, state, work, code)
            decisions += 1
        winners = int(state.winners) if state.phase == Phase.OVER else 0
        for player in range(MOST_PLAYERS):
            wins[player] += (winners >> player) & 1
        wins[MOST_PLAYERS] += 1 if winners == 0 else 0
    return decisions
