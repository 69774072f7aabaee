"""A rule of thumb for one card of EKKO (a kernel): leave the next players as little as possible.

On an odd card only higher ones are valid, on an even card only lower ones (K2.1); the fewer those
are, the sooner the others must draw. The weights count such cards.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ekoes.games.ekko.rules.cards import FITTING, MULTIPLE
from ekoes.games.ekko.rules.code import ASIDE_SHIFT, CARD_MASK, CARD_SHIFT, Act
from ekoes.games.ekko.rules.record import CARDS, Phase
from ekoes.games.kernels.bits import both, is_empty, read, size
from ekoes.games.kernels.stream import next_random
from ekoes.kernel import helper

__all__ = ["asked", "rule_of_thumb"]

_CHAIN = 60.0  # a multiple of 11 that another card can follow: two cards at once (K2.3)
_STUCK = -60.0  # one that nothing can follow: a card for a card
_LET_GO = -200.0  # not to play a mirror
_EACH_DRAWS = 10.0  # for each player, when all others draw
_PUT_ASIDE = 5.0
_DEAR = 30.0  # a multiple of 11 counts twice in hand (K5.4)
_CLUMSY = 0.2  # of the cards that a card would leave to the next players: such a card is put aside
_LAST_TWO = 200.0  # the mirror and the card put aside are the last two: the round ends
_EVEN = 1e-3  # what seems as good is drawn by chance
_DRAWN = 1000


@helper
def asked(state: Any) -> int:  # noqa: ANN401
    """Return who decides in a round that goes on."""
    return int(state.asked) if state.phase == Phase.MIRROR else int(state.player)


@helper
def rule_of_thumb(state: Any, codes: np.ndarray, count: int, stream: np.ndarray) -> int:  # noqa: ANN401
    """Return the decision that looks best at once. codes: int64[count or more], the decisions, at least one.

    stream: uint64[1], not 0, written: equally good decisions are drawn.
    """
    best: int = codes[0]
    best_worth = -np.inf
    if count == 1:
        return best
    for index in range(count):
        worth = _worth(state, codes[index]) + _EVEN * next_random(stream, _DRAWN)
        if worth > best_worth:
            best, best_worth = codes[index], worth
    return best


@helper
def _worth(state: Any, code: int) -> float:  # noqa: ANN401
    """Return how good a decision looks."""
    act = code & 15
    hand = read(state.hands, asked(state))
    if act == Act.PLAY:
        card = (code >> CARD_SHIFT) & CARD_MASK
        if card % MULTIPLE == 0:
            return _STUCK if is_empty(both(hand, read(FITTING, card))) else _CHAIN
        return -float(_left_open(card))
    if act == Act.MIRROR_DRAW:
        return float(_EACH_DRAWS * state.players)
    if act == Act.MIRROR_DISCARD:
        aside = (code >> ASIDE_SHIFT) & CARD_MASK
        worth = _PUT_ASIDE + _CLUMSY * _left_open(aside)
        if aside % MULTIPLE == 0:
            worth += _DEAR
        if size(hand) == 2:
            worth += _LAST_TWO
        return worth
    return _LET_GO


@helper
def _left_open(card: int) -> int:
    """Return how many cards are valid on a card. Rule: K2.1."""
    return CARDS - card if card % 2 else card - 1
