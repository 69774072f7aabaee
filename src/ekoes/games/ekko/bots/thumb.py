"""A rule of thumb for one card of EKKO (a kernel): leave little to the next players, keep what fits.

On an odd card only higher ones are valid, on an even card only lower ones (K2.1): the fewer those are,
the sooner the others must draw. So everybody plays high odd and low even cards, and it is the very high
and the very low cards that fit on them: those are kept. The weights, in cards that a card leaves open,
were found by letting variants of them play some hundred thousand games.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ekoes.games.ekko.rules.cards import FITTING, MIRROR, is_multiple
from ekoes.games.ekko.rules.code import ActionType, action_type_of, aside_of, card_of
from ekoes.games.ekko.rules.decisions import asked
from ekoes.games.ekko.rules.record import CARDS
from ekoes.games.kernels.bits import Bits, both, has, is_empty, read, size
from ekoes.games.kernels.stream import next_random
from ekoes.kernel import helper

__all__ = ["rule_of_thumb"]

_MIDDLE = (CARDS + 1) / 2
_KEPT = 1.2  # for each step from the middle: extreme cards are played late
_CHAIN = 60.0  # a multiple of 11 that another card can follow: two cards at once (K2.3)
_STUCK = -60.0  # one that nothing can follow: a card for a card
_OWN_MIRROR = 100.0  # the mirror can be played on it at once, and another card is left to put aside
_OTHERS_MIRROR = -10.0  # somebody else may hold the mirror, or draw it
_LET_GO = -200.0  # not to play a mirror
_PUT_ASIDE = 5.0  # above letting all others draw, which is 0
_CLUMSY = 0.2  # for each card that a card would leave to the next players: such a card is put aside
_MISSED = 0.4  # for each step from the middle: extreme cards are not put aside
_DEAR = 30.0  # a multiple of 11 counts twice in hand (K5.4)
_LAST_TWO = 200.0  # the mirror and the card put aside are the last two: the round ends
_EVEN = 1e-3  # what seems as good is drawn by chance
_DRAWN = 1000


@helper
def rule_of_thumb(state: Any, codes: np.ndarray, count: int, stream: np.ndarray) -> int:  # noqa: ANN401
    """Return the decision that looks best at once. codes: int64[count or more], the decisions, at least one.

    stream: uint64[1], not 0, written: equally good decisions are drawn.
    """
    best: int = codes[0]
    best_worth = -np.inf
    if count == 1:
        return best
    hand = read(state.hands, asked(state))
    for index in range(count):
        worth = _worth(state, hand, codes[index]) + _EVEN * next_random(stream, _DRAWN)
        if worth > best_worth:
            best, best_worth = codes[index], worth
    return best


@helper
def _worth(state: Any, hand: Bits, code: int) -> float:  # noqa: ANN401
    """Return how good a decision looks."""
    action_type = action_type_of(code)
    if action_type == ActionType.PLAY:
        return _worth_of_play(state, hand, card_of(code))
    if action_type == ActionType.MIRROR_DRAW:
        return 0.0
    if action_type == ActionType.MIRROR_DISCARD:
        aside = aside_of(code)
        worth = _PUT_ASIDE + _CLUMSY * _left_open(aside) - _MISSED * abs(aside - _MIDDLE)
        if is_multiple(aside):
            worth += _DEAR
        if size(hand) == 2:
            worth += _LAST_TWO
        return worth
    return _LET_GO


@helper
def _worth_of_play(state: Any, hand: Bits, card: int) -> float:  # noqa: ANN401
    """Return how good it looks to play a card."""
    if is_multiple(card):
        return _STUCK if is_empty(both(hand, read(FITTING, card))) else _CHAIN
    worth = -_left_open(card) - _KEPT * abs(card - _MIDDLE)
    mirror = int(MIRROR[card])
    if has(hand, mirror):
        return worth + _OWN_MIRROR if size(hand) > 2 else worth
    for place in range(state.zone_size):
        if state.zone[place] == mirror:
            return worth
    return worth + _OTHERS_MIRROR


@helper
def _left_open(card: int) -> int:
    """Return how many cards are valid on a card. Rule: K2.1."""
    return CARDS - card if card % 2 else card - 1
