"""What the kernels of both games share: rewards, and random legal integers."""

from __future__ import annotations

import numpy as np

from ekoes.games.kernels.bits import next_random
from ekoes.games.kernels.jit import entry, shared

NONE = -1
"""No integer."""


@shared
def reward_winners(winners: int, players: int, rewards: np.ndarray) -> None:
    """Write each seat's reward: the winners, or all if nobody won, share a point; scaled to a sum of 0.

    winners: bit set. rewards: float32[players], written: 1 for the only winner, -1 / (players - 1) for the
    others.
    """
    sharing = 0
    for player in range(players):
        sharing += (winners >> player) & 1
    for player in range(players):
        won = (winners >> player) & 1 if sharing else 1
        share = won / (sharing if sharing else players)
        rewards[player] = (players * share - 1) / (players - 1)


@entry
def draw_legal(mask: np.ndarray, streams: np.ndarray, begin: int, end: int, out: np.ndarray) -> None:
    """Draw an integer for each of some games, evenly from the legal ones.

    mask: int8[games, integers], read. streams: uint64[games], written. out: int64[games], written.
    """
    for game in range(begin, end):
        row = mask[game]
        left = next_random(streams[game : game + 1], row.sum())
        for integer in range(len(row)):
            if row[integer]:
                if left == 0:
                    out[game] = integer
                    break
                left -= 1
