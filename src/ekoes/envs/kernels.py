"""What the kernels of both games share: sets in arrays, rewards, and random legal integers."""

from __future__ import annotations

import numpy as np

from ekoes.games.kernels.bits import Bits, drop_lowest, lowest, next_random, size
from ekoes.games.kernels.jit import entry, helper, shared

NONE = -1
"""No integer. In a step of many games: this game waits."""
BEGIN = -2
"""In a step of many games: this game begins anew."""
LOOK = -3
"""In a step of many games: this game stays, and its arrays are written."""
_NO_BITS, _ONE_BIT = np.uint64(0), np.uint64(1)


@helper
def left_of(seat: int, players: int) -> int:
    """Return the next seat, clockwise."""
    return 0 if seat + 1 == players else seat + 1


@helper
def steps_to(player: int, seat: int, players: int) -> int:
    """Return how many seats clockwise from a seat a player sits."""
    steps = player - seat
    return steps + players if steps < 0 else steps


@helper
def mark(members: Bits, value: int, out: np.ndarray, begin: int) -> None:
    """Write a value for each member of a set, at ``begin`` and the member. out: int8[…], written."""
    low = members[0]
    while low != _NO_BITS:  # word by word: the processor predicts these branches well
        out[begin + lowest((low, _NO_BITS))] = value
        low &= low - _ONE_BIT
    high = members[1]
    while high != _NO_BITS:
        out[begin + lowest((_NO_BITS, high))] = value
        high &= high - _ONE_BIT


@shared
def reward_winners(winners: int, players: int, rewards: np.ndarray) -> None:
    """Write each seat's reward: the winners, or all if nobody won, share a point; scaled to a sum of 0.

    winners: bit set. rewards: floats [players], written: 1 for the only winner, -1 / (players - 1) for the
    others.
    """
    sharing = 0
    for player in range(players):
        sharing += (winners >> player) & 1
    for player in range(players):
        won = (winners >> player) & 1 if sharing else 1
        share = won / (sharing or players)
        rewards[player] = (players * share - 1) / (players - 1)


WORD = 16
"""The length of a row of masks, in bytes, is a multiple of this."""


@entry
def draw_legal(masks: np.ndarray, streams: np.ndarray, begin: int, end: int, out: np.ndarray) -> None:
    """Draw an integer for each of some games, evenly from the legal ones.

    masks: uint64[games, 2 * words], read: a byte of 0 or 1 for each integer. streams: uint64[games], written.
    out: int64[games], written.
    """
    for game in range(begin, end):
        row = masks[game]
        count = 0
        for word in range(0, len(row), 2):
            count += size((row[word], row[word + 1]))
        left = next_random(streams[game : game + 1], count)
        word = 0
        ones = size((row[0], row[1]))
        while left >= ones:
            left -= ones
            word += 2
            ones = size((row[word], row[word + 1]))
        rest = (row[word], row[word + 1])
        for _ in range(left):
            rest = drop_lowest(rest)
        out[game] = 8 * word + lowest(rest) // 8
