"""The record of EKKO: one position, with what everybody has seen of the round so far.

Sets of cards are rows ``uint64[2]`` (games/kernels/bits.py): card ``c`` is member ``c``, 1 … 98.
Sizes: P ``MOST_PLAYERS``, C ``CARDS``.

State
    hands, aside, blocked  [P, 2]  by player: cards in hand, put aside face down (K3.2), blocked (K4.1)
    pile        [C]    cards face down, the next one to draw is the last, pile[pile_size - 1]
    zone        [C]    the play zone in order, the top card is zone[zone_size - 1] (K1.4)
    scores      [P]    totals (K5.4);  target: what ends the game (K5.6);  number: the round, from 1
    drew_seat, drew_at, drew_why [C]  who drew in this round, how many cards lay in the play zone
                       then, and ``Why``; n_drew of them (K6.4: everybody has seen that)
    points, sizes [P]  what the latest finished round brought, and the cards left in hand;
    ending, ended_by   how it ended (``Ending``) and by whom
    players, dealer, player, last, phase
    asked       who is asked for the mirror in phase MIRROR (K6.1), else NOBODY
    again       1: the player must play on the own multiple of 11 (K2.3)
    leaving     whose empty hand may still be answered by a mirror (K5.1), else NOBODY
    live        1: a live table, where nobody is asked for mirrors (K7.1)
    winners     bit set of seats, when the game is over
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ekoes.games.kernels.bits import WORDS

__all__ = [
    "CARDS",
    "DEFAULT_TARGET",
    "FEWEST_PLAYERS",
    "MOST_PLAYERS",
    "NOBODY",
    "STATE",
    "Ending",
    "Phase",
    "Why",
]

CARDS = 98
"""Cards are numbered 1 … 98 (K1.1)."""
FEWEST_PLAYERS, MOST_PLAYERS = 2, 8
"""K1.1."""
DEFAULT_TARGET = 25
"""The total that ends a game, unless another one is agreed on (K5.6)."""
NOBODY = -1


class Phase(IntEnum):
    """What is asked now (K6)."""

    DEAL = 0
    MIRROR = 1
    PLAY = 2
    OVER = 3


class Why(IntEnum):
    """Why a card was drawn."""

    TURN = 0
    EFFECT = 1
    MISPLAY = 2
    LEAVING = 3


class Ending(IntEnum):
    """How a round ended."""

    NONE = 0
    LAST_CARD = 1
    MIRROR = 2
    ASIDE = 3
    PILE_EMPTY = 4


STATE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("hands", np.uint64, (MOST_PLAYERS, WORDS)),
                ("aside", np.uint64, (MOST_PLAYERS, WORDS)),
                ("blocked", np.uint64, (MOST_PLAYERS, WORDS)),
                ("scores", np.int32, (MOST_PLAYERS,)),
                ("target", np.int32),
                ("number", np.int32),
                ("pile", np.uint8, (CARDS,)),
                ("zone", np.uint8, (CARDS,)),
                ("drew_seat", np.uint8, (CARDS,)),
                ("drew_at", np.uint8, (CARDS,)),
                ("drew_why", np.uint8, (CARDS,)),
                ("points", np.uint8, (MOST_PLAYERS,)),
                ("sizes", np.uint8, (MOST_PLAYERS,)),
                ("pile_size", np.uint8),
                ("zone_size", np.uint8),
                ("n_drew", np.uint8),
                ("players", np.int8),
                ("dealer", np.int8),
                ("player", np.int8),
                ("last", np.int8),
                ("phase", np.int8),
                ("asked", np.int8),
                ("again", np.int8),
                ("leaving", np.int8),
                ("live", np.int8),
                ("ending", np.int8),
                ("ended_by", np.int8),
                ("winners", np.uint8),
                # to a multiple of 8 bytes: padding is not copied, so bytes would differ
                ("filler", np.uint8, (7,)),
            ],
            align=True,
        ),
    )
)
