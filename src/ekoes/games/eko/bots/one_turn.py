"""Bots that look one turn ahead, by a score and a beam search (kernels): ``greedy``."""

from __future__ import annotations

from typing import Any

import numpy as np

from ekoes.games.api.chance import Chance
from ekoes.games.eko.bots.evaluation import (
    COLUMNS,
    SETS,
    Feature,
    begin_rows,
    describe_building,
    describe_stacks,
    find_prices,
)
from ekoes.games.eko.position.action import Action
from ekoes.games.eko.position.layout import THREAD
from ekoes.games.eko.position.position import EkoPosition, decode
from ekoes.games.eko.rules.code import codes_of
from ekoes.games.eko.rules.ending import points_of
from ekoes.games.eko.rules.export import actor_of
from ekoes.games.eko.rules.record import (
    CAPTIVE_POINTS,
    MOST_PLAYERS,
    STATE,
    WINNING_POINTS,
    Phase,
    Whereabouts,
)
from ekoes.games.eko.rules.turn import gather, perform
from ekoes.games.kernels.bits import (
    WORDS,
    Bits,
    both,
    drop_lowest,
    has,
    is_empty,
    lowest,
    next_random,
    read,
    size,
)
from ekoes.games.kernels.jit import entry, helper

_WIN = 100_000.0
_NO_WINNER = -30_000.0
_POINT = 10.0
_NEARNESS = 0.1  # of the square of the points: the twelfth point is worth more than the first
_CAPITAL = 12.0
_DISC = 3.0
_RESERVE_DISC = 1.8
_FEW_STACKS = 300.0  # divided by the square of the number of stacks: no stack left is the end
_EMPEROR_IN_RESERVE = -3.0
_EMPEROR_CAPTIVE = -8.0
_SITE = 5.0  # for each stack, three at most, that could construct something
_GAIN = 16.0  # for each point of the best construction
_EXPOSED = 1.3  # of the loss by the worst possible attack
_ALSO_EXPOSED = 0.4  # of the losses by all other attacks
_LAST_STAND = -2_000.0  # the only stack can be taken
_WINS_NEXT = 5_000.0  # another player can win by one action
_TEMPO = 0.3  # share of threats that counts for a player who does not move next
_BEST_OTHER = 0.6  # weight of the strongest opponent; the rest is the average of all opponents


@helper
def score(
    board: np.record,
    state: np.record,
    work: np.record,
    seat: int,
    sets: np.ndarray,
    rows: np.ndarray,
    worth: np.ndarray,
) -> float:
    """Return the value of a position for a player after a decision.

    work, sets, rows: as in ``evaluation.describe``; worth: float64[MOST_PLAYERS]; all scratch.
    """
    if state.phase == Phase.OVER:
        winners = int(state.winners)
        if winners == 0:
            return _NO_WINNER
        return _WIN if (winners >> seat) & 1 else -_WIN
    players = int(board.players)
    for player in range(players):
        worth[player] = _holdings(board, state, player)
    begin_rows(board, state, work, sets, rows)
    for player in range(players):
        _weigh_threats(board, state, work, player, seat, sets, rows, worth)
    others = 0.0
    best = -_WIN
    for player in range(players):
        if player != seat:
            others += worth[player]
            best = max(best, worth[player])
    others /= players - 1
    return float(worth[seat] - _BEST_OTHER * best - (1.0 - _BEST_OTHER) * others)


@helper
def _holdings(board: np.record, state: np.record, player: int) -> float:
    """Return the worth of what a player has, without threats."""
    points = points_of(board, state, player)
    worth: float = _POINT * points + _NEARNESS * points * points
    if state.capitals[player] > 0:
        worth += _CAPITAL + points
    stacks = read(state.own, player)
    rest = stacks
    while not is_empty(rest):
        space = lowest(rest)
        rest = drop_lowest(rest)
        worth += _DISC * state.height[space]
    worth += _RESERVE_DISC * (state.reserve[player] + state.unplaced[player])
    if state.phase != Phase.PLACE:
        count = size(stacks)
        worth -= _FEW_STACKS / (count * count) if count else 3 * _FEW_STACKS
    if state.whereabouts[player] == Whereabouts.RESERVE:
        worth += _EMPEROR_IN_RESERVE
    elif state.whereabouts[player] == Whereabouts.CAPTIVE:
        worth += _EMPEROR_CAPTIVE
    return worth


@helper
def _weigh_threats(
    board: np.record,
    state: np.record,
    work: np.record,
    player: int,
    seat: int,
    sets: np.ndarray,
    rows: np.ndarray,
    worth: np.ndarray,
) -> None:
    """Add a player's threats by one action to the worth of the player and the victims.

    seat: the player who has just moved, whose threats count less.
    """
    weight = _TEMPO if player == seat else 1.0
    find_prices(board, state, sets, player)
    prey = describe_stacks(board, state, work, sets, rows[player], player)
    describe_building(board, state, sets, rows, player)
    gain = int(rows[player, Feature.GAIN])
    worth[player] += _SITE * min(int(rows[player, Feature.BUILDERS]), 3) + _GAIN * gain
    captures = 0
    for victim in range(board.players):
        if victim == player:
            continue
        exposed = both(prey, read(state.own, victim))
        if is_empty(exposed):
            continue
        emperor_space = int(state.emperor[victim])
        if has(exposed, emperor_space):
            captures = CAPTIVE_POINTS
        worth[victim] -= weight * _loss(state, exposed, emperor_space)
        if size(read(state.own, victim)) == 1:
            worth[victim] += weight * _LAST_STAND
    if state.capitals[player] > 0 and points_of(board, state, player) + max(gain, captures) >= WINNING_POINTS:
        worth[player] += weight * _WINS_NEXT


@helper
def _loss(state: np.record, exposed: Bits, emperor_space: int) -> float:
    """Return the loss by attacks on exposed stacks of one player: the worst, and a part of the rest."""
    worst: float = 0.0
    total: float = 0.0
    rest = exposed
    while not is_empty(rest):
        space = lowest(rest)
        rest = drop_lowest(rest)
        loss = (_DISC - _RESERVE_DISC) * state.height[space] + 2.0
        if space == emperor_space:
            loss += _POINT * CAPTIVE_POINTS - _EMPEROR_CAPTIVE
        total += loss
        worst = max(worst, loss)
    return _EXPOSED * worst + _ALSO_EXPOSED * (total - worst)


WIDTH = 24
BEAM = 2 * WIDTH + 1
"""Scratch records of the search: two beams, and one to try a decision on."""
_LONGEST_TURN = 24
_TIE_BREAK = 1e-7
_RANDOM_BOUND = 100_000
_DELAY = 0.02  # cost of each decision, so that nothing is put off


@entry
def best_decision(
    boards: np.ndarray,
    roots: np.ndarray,
    works: np.ndarray,
    states: np.ndarray,
    stream: np.ndarray,
) -> int:
    """Return the code of the first decision of the best rest of the turn.

    boards: BOARD[1]; roots: STATE[1], read; states: STATE[BEAM] and stream: uint64[1], not 0, written.
    """
    board = boards[0]
    work = works[0]
    seat = actor_of(roots[0])
    number = int(roots[0].number)
    sets: Any = np.zeros((SETS, WORDS), np.uint64)
    rows: Any = np.zeros((MOST_PLAYERS, COLUMNS), np.int16)
    worth: Any = np.zeros(MOST_PLAYERS)
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
            for code in codes_of(work, gather(board, state, work)):
                states[2 * WIDTH] = state
                perform(board, trial, work, code)
                value = score(board, trial, work, seat, sets, rows, worth)
                value += _TIE_BREAK * next_random(stream, _RANDOM_BOUND) - _DELAY * step
                first = code if step == 0 else firsts[here, index]
                if actor_of(trial) != seat or int(trial.number) != number:
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
    """Return the slot of a new sequence: a free one, that of the worst if it is better, or -1."""
    if count < WIDTH:
        return count
    worst = 0
    for index in range(1, WIDTH):
        if values[index] < values[worst]:
            worst = index
    return worst if value > values[worst] else -1


class Greedy:
    """Searches one whole turn."""

    name = "greedy"

    def choose(self, position: EkoPosition, seat: int, chance: Chance) -> Action:  # noqa: ARG002
        """Return the first action of the best rest of the turn (E12); chance decides between equal ones."""
        layout = position.layout
        stream = np.array([chance.bits() | 1], np.uint64)
        scratch = np.zeros(BEAM, STATE)
        code = best_decision(layout.record, position.states, THREAD.work, scratch, stream)
        return decode(int(code), layout)


GREEDY = Greedy()
