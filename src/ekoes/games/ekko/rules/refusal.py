"""Why a decision is not legal: the first rule that it breaks."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ekoes.games.ekko.rules.decisions import ActionType
from ekoes.games.ekko.rules.record import CARDS, MIRROR, NOBODY, Phase, fits
from ekoes.games.ekko.rules.turn import top_card, valid_cards
from ekoes.games.kernels.bits import Bits, has, is_empty, read, size
from ekoes.games.kernels.jit import entry, helper, shared


class Refused(IntEnum):
    """Why a decision is refused (``position/refusal.py``)."""

    GAME_OVER = 0
    DEAL_FIRST = 1
    DEAL_ORDER = 2
    ALREADY_DEALT = 3
    NOT_YOUR_TURN = 4
    NOT_IN_HAND = 5
    TOO_LOW = 6
    TOO_HIGH = 7
    MUST_PLAY = 8
    NOBODY_FOLLOWED = 9
    NO_MIRROR = 10
    ASIDE_NOT_IN_HAND = 11
    MIRROR_AS_MIRROR = 12
    MIRROR_WAS_LAST = 13
    MIRROR_LATE = 14
    BLOCKED = 15
    NO_MISPLAY = 16
    ANSWER_MIRROR = 17
    MIRROR_FIRST = 18
    NOTHING_ASKED = 19
    LEAVING = 20
    NOBODY_LEAVING = 21


LEGAL = -1
"""In place of a ``Refused``."""
_CHANCE = NOBODY
"""The seat of a deal and of the end of a reaction time."""


@shared
def misfit(card: int, top: int, is_blocked: bool, nobody_followed: bool) -> int:
    """Return why a card of the player in turn is not valid, or LEGAL. Rule: K2.1, K2.4, K4.1."""
    if is_blocked:
        return Refused.BLOCKED
    if nobody_followed or fits(card, top):
        return LEGAL
    return Refused.TOO_LOW if top % 2 else Refused.TOO_HIGH


@entry
def find_refusal(
    states: np.ndarray, seat: int, action_type: int, card: int, aside: int, on: int, is_whole: int
) -> int:
    """Return why a decision of a seat is not legal, a ``Refused``, or LEGAL.

    states: STATE[1], read. card, aside, on: 0 where the decision names none; any other number is allowed.
    is_whole: of a deal, whether it names each of the cards once.
    """
    state = states[0]
    phase = int(state.phase)
    is_leaving = phase == Phase.PLAY and state.leaving != NOBODY
    if phase == Phase.OVER:
        return Refused.GAME_OVER
    if action_type == ActionType.DEAL:
        if phase != Phase.DEAL:
            return Refused.ALREADY_DEALT
        if seat != _CHANCE:
            return Refused.NOT_YOUR_TURN
        return LEGAL if is_whole else Refused.DEAL_ORDER
    if phase == Phase.DEAL:
        return Refused.DEAL_FIRST
    if action_type == ActionType.CLOSE:
        if seat != _CHANCE:
            return Refused.NOT_YOUR_TURN
        return LEGAL if is_leaving else Refused.NOBODY_LEAVING
    if not 0 <= seat < state.players:
        return Refused.LEAVING if is_leaving else Refused.NOT_YOUR_TURN
    is_discard = action_type == ActionType.MIRROR_DISCARD
    if is_discard or action_type == ActionType.MIRROR_DRAW:
        return refuse_mirror(state, seat, card, on, is_discard, aside)
    if action_type == ActionType.PASS:
        return LEGAL if state.asked == seat else Refused.NOTHING_ASKED
    if phase == Phase.MIRROR:
        return Refused.ANSWER_MIRROR if state.asked == seat else Refused.MIRROR_FIRST
    if action_type == ActionType.DRAW:
        return refuse_draw(state, seat)
    refused = refuse_card(state, seat, card)
    mirror = int(MIRROR[top_card(state)])
    if action_type == ActionType.PLAY:
        return Refused.MIRROR_AS_MIRROR if refused == LEGAL and card == mirror else refused
    if refused == Refused.NOT_IN_HAND or is_leaving:
        return refused
    is_mirror = card == mirror and not has(read(state.blocked, seat), card)
    return Refused.NO_MISPLAY if refused == LEGAL or is_mirror else LEGAL


@helper
def holds(hand: Bits, card: int) -> bool:
    """Return whether a card is in a hand. card: any number."""
    return 0 < card <= CARDS and has(hand, card)


@helper
def is_followed_by_none(state: np.record) -> bool:
    """Return whether the player in turn played the top card in an earlier turn. Rule: K2.4."""
    return bool(state.last == state.player and state.again == 0)


@helper
def refuse_card(state: np.record, seat: int, card: int) -> int:
    """Return why a seat may not play a card other than the mirror, or LEGAL. Rule: K2, K7.4."""
    if not holds(read(state.hands, seat), card):
        return Refused.NOT_IN_HAND
    if state.leaving != NOBODY:
        return Refused.LEAVING
    if seat != state.player:
        return Refused.NOT_YOUR_TURN
    return misfit(card, top_card(state), has(read(state.blocked, seat), card), is_followed_by_none(state))


@helper
def refuse_draw(state: np.record, seat: int) -> int:
    """Return why a seat may not draw, or LEGAL. Rule: K2.2, K7.4."""
    if state.leaving != NOBODY:
        return Refused.LEAVING
    if seat != state.player:
        return Refused.NOT_YOUR_TURN
    if is_empty(valid_cards(state)):
        return LEGAL
    return Refused.NOBODY_FOLLOWED if is_followed_by_none(state) else Refused.MUST_PLAY


@helper
def refuse_mirror(state: np.record, seat: int, card: int, on: int, is_discard: bool, aside: int) -> int:
    """Return why a mirror is not legal, or LEGAL.

    It may be played if its holder is asked (K6.1), if it is valid in its holder's turn (K6.2), and at any
    time at a live table (K7.1).
    """
    hand, top = read(state.hands, seat), top_card(state)
    if not holds(hand, card):
        return Refused.NOT_IN_HAND
    is_answer = on != 0
    if is_answer and on != top:
        is_late = 0 < on <= CARDS and MIRROR[on] == card
        return Refused.MIRROR_LATE if is_late else Refused.NO_MIRROR
    if card != MIRROR[top]:
        return Refused.NO_MIRROR
    if has(read(state.blocked, seat), card):
        return Refused.BLOCKED
    is_reaction = state.phase == Phase.PLAY and state.leaving != NOBODY
    is_free = state.live != 0 or is_reaction or is_answer or state.asked == seat
    is_in_turn = state.phase == Phase.PLAY and seat == state.player
    is_valid = is_in_turn and misfit(card, top, False, is_followed_by_none(state)) == LEGAL  # noqa: FBT003
    if not is_free and not is_valid:
        return Refused.NOTHING_ASKED
    if not is_discard:
        return LEGAL if aside == 0 else Refused.ASIDE_NOT_IN_HAND
    if size(hand) == 1:
        return Refused.MIRROR_WAS_LAST
    return LEGAL if holds(hand, aside) and aside != card else Refused.ASIDE_NOT_IN_HAND
