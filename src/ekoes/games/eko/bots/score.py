"""How good a position of Ekö looks to a player, as one number (a kernel).

The unit is a tenth of a point of E11.1. Every player has a worth (points, the capital, discs,
stacks, the Emperor, what could be built next, what others could take next); a position is as good
for a player as the own worth is above the best and the average of the others'. The weights were found
by letting variants of them play some hundred games against each other.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ekoes.games.eko.rules.construct import all_buildings, buildings_of
from ekoes.games.eko.rules.ending import points_of
from ekoes.games.eko.rules.reach import empty_spaces, find_regions, meets, roam
from ekoes.games.eko.rules.record import (
    CAPTIVE_POINTS,
    LEVELS,
    MOST_PLAYERS,
    NOBODY,
    SUPPLY,
    WINNING_POINTS,
    Area,
    Phase,
    Whereabouts,
)
from ekoes.games.kernels.bits import EMPTY, Bits, bit, both, has, is_empty, lowest, read, size, union, without
from ekoes.kernel import helper

__all__ = ["asked", "score"]

_WIN = 100_000.0
_NOBODY_WINS = -30_000.0
_POINT = 10.0
_NEARNESS = 0.1  # of the square of the points: the twelfth point is worth more than the first
_CAPITAL = 12.0
_DISC = 3.0
_RESERVE_DISC = 1.8
_FEW_STACKS = 300.0  # divided by the square of the number of stacks: no stack left is the end
_EMPEROR_IN_RESERVE = -3.0
_EMPEROR_CAPTIVE = -8.0
_SITE = 5.0  # for each stack, three at most, that could construct something
_GAIN = 16.0  # for each point that the best construction would bring
_EXPOSED = 1.3  # of what a player would lose by the worst attack that is possible
_ALSO_EXPOSED = 0.4  # of what the other attacks would take
_LAST_STAND = -2_000.0  # the only stack can be taken
_WINS_NEXT = 5_000.0  # another player can win by one action
_TEMPO = 0.3  # how much of that counts for a player who does not move next
_BEST_OTHER = 0.6  # how the others' worth is mixed: the best of them, the rest is their average


@helper
def score(board: Any, state: Any, work: Any, seat: int, worth: np.ndarray) -> float:  # noqa: ANN401
    """Return how good a position is for a player at the end of a decision.

    work and worth: WORK and float64[MOST_PLAYERS] as scratch, written.
    """
    if state.phase == Phase.OVER:
        winners = int(state.winners)
        if winners == 0:
            return _NOBODY_WINS
        return _WIN if (winners >> seat) & 1 else -_WIN
    players = int(board.players)
    for player in range(players):
        worth[player] = _holdings(board, state, player)
    find_regions(board, empty_spaces(board, state), EMPTY, work)
    for player in range(players):
        _weigh_threats(board, state, work, player, seat, worth)
    others = 0.0
    best = -_WIN
    for player in range(players):
        if player != seat:
            others += worth[player]
            best = max(best, worth[player])
    others /= players - 1
    return float(worth[seat] - _BEST_OTHER * best - (1.0 - _BEST_OTHER) * others)


@helper
def _holdings(board: Any, state: Any, player: int) -> float:  # noqa: ANN401
    """Return what a player has, whatever the others may do."""
    points = points_of(board, state, player)
    worth: float = _POINT * points + _NEARNESS * points * points
    if state.capitals[player] > 0:
        worth += _CAPITAL + points
    stacks = read(state.own, player)
    rest = stacks
    while not is_empty(rest):
        space = lowest(rest)
        rest = without(rest, bit(space))
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
def _weigh_threats(board: Any, state: Any, work: Any, player: int, seat: int, worth: np.ndarray) -> None:  # noqa: ANN401
    """Add what a player could do with one action to the worth of that player and the victims.

    seat: the player who has just moved, whose own threats wait for the others' answers.
    """
    weight = _TEMPO if player == seat else 1.0
    gain, builders = _construction(board, state, player)
    worth[player] += _SITE * min(builders, 3) + _GAIN * gain
    prey = _prey(board, state, work, player)
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
def _loss(state: Any, exposed: Bits, emperor_space: int) -> float:  # noqa: ANN401
    """Return what attacks on exposed stacks of one player would cost: the worst, and a bit of the rest."""
    worst: float = 0.0
    total: float = 0.0
    rest = exposed
    while not is_empty(rest):
        space = lowest(rest)
        rest = without(rest, bit(space))
        loss = (_DISC - _RESERVE_DISC) * state.height[space] + 2.0
        if space == emperor_space:
            loss += _POINT * CAPTIVE_POINTS - _EMPEROR_CAPTIVE
        total += loss
        worst = max(worst, loss)
    return _EXPOSED * worst + _ALSO_EXPOSED * (total - worst)


@helper
def _prey(board: Any, state: Any, work: Any, player: int) -> Bits:  # noqa: ANN401
    """Return the enemy stacks that a player could attack; tempests are taken as free."""
    free = empty_spaces(board, state)
    own = read(state.own, player)
    prey = EMPTY
    rest = own
    while not is_empty(rest):
        space = lowest(rest)
        rest = without(rest, bit(space))
        emperor = 1 if int(state.emperor[player]) == space else 0
        _, rim = roam(board, work, space, free)
        prey = union(prey, both(rim, meets(state, player, int(state.height[space]), emperor)))
    return without(prey, own)


@helper
def _construction(board: Any, state: Any, player: int) -> tuple[int, int]:  # noqa: ANN401
    """Return the points of a player's best construction now, and how many stacks could construct."""
    gain = 0
    builders = EMPTY
    bare = without(read(board.sets, Area.SITES), all_buildings(state))
    for level in range(1, LEVELS + 1):
        if size(buildings_of(state, player, level)) == SUPPLY[level]:
            continue
        plain = bare if level == 1 else buildings_of(state, player, level - 1)
        dear = EMPTY
        for other in range(MOST_PLAYERS):
            if other != player:
                dear = union(dear, buildings_of(state, other, level))
                if level > 1:
                    dear = union(dear, buildings_of(state, other, level - 1))
        carries = read(board.carries, level)
        found = _builders(board, state, player, level, both(plain, carries))
        if not is_empty(found):
            gain = max(gain, 1)
            builders = union(builders, found)
        found = _builders(board, state, player, level + 1, both(dear, carries))
        if not is_empty(found):
            gain = max(gain, level)
            builders = union(builders, found)
    return gain, size(builders)


@helper
def _builders(board: Any, state: Any, player: int, cost: int, sites: Bits) -> Bits:  # noqa: ANN401
    """Return the stacks of a player that could pay a cost next to one of the sites."""
    found = EMPTY
    if is_empty(sites):
        return found
    rest = read(state.own, player)
    while not is_empty(rest):
        space = lowest(rest)
        rest = without(rest, bit(space))
        if state.height[space] >= cost and not is_empty(both(read(board.near, space), sites)):
            found = union(found, bit(space))
    return found


@helper
def asked(state: Any) -> int:  # noqa: ANN401
    """Return the player who is asked, or NOBODY."""
    if state.phase == Phase.OVER:
        return NOBODY
    if state.phase == Phase.RANSOM:
        return int(state.chooser)
    return int(state.player)
