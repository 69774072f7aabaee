"""The numpy record of a position of EKKO, and the properties of cards: mirrors, valid cards."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ekoes.games.kernels.bits import WORDS, words_of
from ekoes.games.kernels.jit import shared

CARDS = 98
"""Cards are numbered 1 … 98 (K1.1)."""
FEWEST_PLAYERS, MOST_PLAYERS = 2, 8
"""K1.1."""
DEFAULT_TARGET = 25
"""The default total that ends a game (K5.6)."""
NOBODY = -1


class Phase(IntEnum):
    """The question that is asked now (K6)."""

    DEAL = 0
    MIRROR = 1
    PLAY = 2
    OVER = 3


PHASES = [phase.name.lower() for phase in Phase]
"""The names of the phases in JSON."""


class Why(IntEnum):
    """The reason of a draw."""

    TURN = 0
    EFFECT = 1
    MISPLAY = 2
    LEAVING = 3


WHYS = [why.name.lower() for why in Why]
"""The names of the reasons in JSON."""


class Ending(IntEnum):
    """The end of a round."""

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
"""The state of a game. Sets of cards are two words; most arrays have an entry for each seat.

blocked: cards in hand that may not be played (K4.1). target: the total that ends the game. number: of the
round. pile, zone: the cards of pile and play zone, the top one last. drew_…: by draw of this round, the seat,
the size of the play zone and ``Why``. points, sizes: points and cards left in hand in the last round.
player: in turn. last: who played the top card. asked: for the mirror (K6.1). again: 1 after a multiple of
11, when the turn goes on (K2.3). leaving: who has no cards left, so that the round ends unless a mirror
follows (K5.1). live: 1 at a live table, where no one is asked. ending, ended_by: of the last round. winners:
a bit set.
"""


_MULTIPLE = 11


@shared
def is_multiple(card: int) -> bool:
    """Return whether a card is a multiple of 11: 11, 22, … 88. Rule: K2.3."""
    return card % _MULTIPLE == 0


def mirror_of(card: int) -> int:
    """Return the card with the two digits reversed, 0 if the card has no mirror. Rule: K3.1."""
    return 0 if is_multiple(card) else card % 10 * 10 + card // 10


@shared
def fits(card: int, top: int) -> bool:
    """Return whether a card is valid on another player's top card. Rule: K2.1."""
    return card > top if top % 2 else card < top


_FITTING = ([card for card in range(1, CARDS + 1) if fits(card, top)] for top in range(1, CARDS + 1))
FITTING = np.array([(0, 0), *map(words_of, _FITTING)], np.uint64)
"""uint64[CARDS + 1, 2]: by top card, the set of cards that are valid on it. Rule: K2.1."""
MIRROR = np.array([0, *(mirror_of(card) for card in range(1, CARDS + 1))], np.uint8)
"""uint8[CARDS + 1], by card; 0: none."""
