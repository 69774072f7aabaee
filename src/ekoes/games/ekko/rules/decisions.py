"""The decisions (K6): which are legal, and what each does."""

from __future__ import annotations

from typing import Any

import numpy as np

from ekoes.games.ekko.rules.cards import MIRROR
from ekoes.games.ekko.rules.code import ActionType, action_type_of, aside_of, card_of, make_code
from ekoes.games.ekko.rules.ending import end_round
from ekoes.games.ekko.rules.mirror import mirror_discarding, mirror_drawing, misplay_card
from ekoes.games.ekko.rules.record import CARDS, NOBODY, Ending, Phase
from ekoes.games.ekko.rules.turn import draw_in_turn, play_card, top_card, valid_cards
from ekoes.games.kernels.bits import bit, drop_lowest, is_empty, lowest, read, without
from ekoes.kernel import helper

__all__ = ["MOST_DECISIONS", "asked", "gather", "perform"]

MOST_DECISIONS = 2 * CARDS + 2
"""More than any position has."""


@helper
def asked(state: Any) -> int:
    """Return who decides in a round that goes on. Rule: K6.1."""
    return int(state.asked) if state.phase == Phase.MIRROR else int(state.player)


@helper
def add_mirror(state: Any, player: int, mirror: int, out: np.ndarray, count: int) -> int:
    """Write a player's ways to play the mirror; returns the new count. Rule: K3.2, K3.4."""
    others = without(read(state.hands, player), bit(mirror))
    while not is_empty(others):
        out[count] = make_code(ActionType.MIRROR_DISCARD, mirror, lowest(others))
        others = drop_lowest(others)
        count += 1
    out[count] = make_code(ActionType.MIRROR_DRAW, mirror, 0)
    return count + 1


@helper
def gather(state: Any, out: np.ndarray) -> int:
    """Write the codes of all legal decisions of whoever is asked. Rule: K6.1, K6.2.

    out: int64[MOST_DECISIONS], written. Returns: their number, 0 when the game is over.
    """
    if state.phase == Phase.OVER:
        return 0
    if state.phase == Phase.DEAL:
        out[0] = ActionType.DEAL
        return 1
    mirror = int(MIRROR[top_card(state)])
    if state.phase == Phase.MIRROR:
        count = add_mirror(state, int(state.asked), mirror, out, 0)
        out[count] = ActionType.PASS
        return count + 1
    if state.leaving != NOBODY:
        out[0] = ActionType.CLOSE
        return 1
    count = 0
    valid = valid_cards(state)
    while not is_empty(valid):
        card = lowest(valid)
        if card == mirror:
            count = add_mirror(state, int(state.player), mirror, out, count)
        else:
            out[count] = make_code(ActionType.PLAY, card, 0)
            count += 1
        valid = drop_lowest(valid)
    if count == 0:
        out[0] = ActionType.DRAW
        return 1
    return count


@helper
def perform(state: Any, player: int, code: int) -> None:
    """Do a legal decision of a player, but for a deal. state: STATE, written."""
    action_type = action_type_of(code)
    card = card_of(code)
    if action_type == ActionType.PLAY:
        play_card(state, card)
    elif action_type == ActionType.DRAW:
        draw_in_turn(state)
    elif action_type == ActionType.PASS:
        state.phase = Phase.PLAY
        state.asked = NOBODY
        if state.leaving != NOBODY:
            end_round(state, Ending.LAST_CARD, int(state.leaving))
    elif action_type == ActionType.MIRROR_DISCARD:
        state.phase = Phase.PLAY
        state.asked = NOBODY
        mirror_discarding(state, player, card, aside_of(code))
    elif action_type == ActionType.MIRROR_DRAW:
        state.phase = Phase.PLAY
        state.asked = NOBODY
        mirror_drawing(state, player, card)
    elif action_type == ActionType.MISPLAY:
        misplay_card(state, player)
    elif action_type == ActionType.CLOSE:
        end_round(state, Ending.LAST_CARD, int(state.leaving))
