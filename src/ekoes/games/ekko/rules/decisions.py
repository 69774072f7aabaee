"""Decisions (K6) as whole numbers: which are legal, and what each does; and the kernels that Python calls."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ekoes.games.ekko.rules.record import CARDS, MIRROR, MOST_PLAYERS, NOBODY, Ending, Phase
from ekoes.games.ekko.rules.turn import (
    deal_cards,
    draw_in_turn,
    end_round,
    mirror_discarding,
    mirror_drawing,
    misplay_card,
    play_card,
    shuffle_cards,
    top_card,
    valid_cards,
)
from ekoes.games.kernels.bits import bit, drop_lowest, is_empty, lowest, next_random, read, size, without
from ekoes.games.kernels.jit import entry, helper


class ActionType(IntEnum):
    """The kinds of decision (K6, K7)."""

    DEAL = 0
    PLAY = 1
    MIRROR_DISCARD = 2
    MIRROR_DRAW = 3
    PASS = 4
    DRAW = 5
    MISPLAY = 6
    CLOSE = 7


TYPE_MASK = 15
CARD_SHIFT, CARD_MASK = 4, 127
ASIDE_SHIFT = 11
"""The bits of a code, for these kernels and for ``position/action.py``."""


@helper
def make_code(action_type: int, card: int, aside: int) -> int:
    """Return the code of a decision. card, aside: 0 where it names none."""
    return action_type | (card << CARD_SHIFT) | (aside << ASIDE_SHIFT)


@helper
def action_type_of(code: int) -> int:
    """Return the kind of a decision."""
    return code & TYPE_MASK


@helper
def card_of(code: int) -> int:
    """Return the card that is played."""
    return (code >> CARD_SHIFT) & CARD_MASK


@helper
def aside_of(code: int) -> int:
    """Return the card that is put aside."""
    return (code >> ASIDE_SHIFT) & CARD_MASK


MOST_DECISIONS = 2 * CARDS + 2
"""Upper bound of legal decisions."""


@helper
def asked(state: np.record) -> int:
    """Return the seat to move in a round. Rule: K6.1."""
    return int(state.asked) if state.phase == Phase.MIRROR else int(state.player)


@helper
def add_mirror(state: np.record, player: int, mirror: int, out: np.ndarray, count: int) -> int:
    """Append a player's decisions to play the mirror; returns the new count. Rule: K3.2, K3.4."""
    others = without(read(state.hands, player), bit(mirror))
    while not is_empty(others):
        out[count] = make_code(ActionType.MIRROR_DISCARD, mirror, lowest(others))
        others = drop_lowest(others)
        count += 1
    out[count] = make_code(ActionType.MIRROR_DRAW, mirror, 0)
    return count + 1


@helper
def gather(state: np.record, out: np.ndarray) -> int:
    """Write the codes of all legal decisions of the seat to move. Rule: K6.1, K6.2.

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
def perform(state: np.record, player: int, code: int) -> None:
    """Apply a legal decision of a player, except a deal. state: STATE, written."""
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


@entry
def list_decisions(states: np.ndarray, out: np.ndarray) -> int:
    """Write the codes of all legal decisions. states: STATE[1], read; out: int64[MOST_DECISIONS].

    Returns: their number.
    """
    return gather(states[0], out)


@entry
def perform_decision(states: np.ndarray, after: np.ndarray, player: int, code: int) -> None:
    """Write the state after a player's legal decision. states: STATE[1], read; after: STATE[1], written."""
    after[0] = states[0]
    perform(after[0], player, code)


@entry
def deal_round(states: np.ndarray, after: np.ndarray, order: np.ndarray) -> None:
    """Write the state after a deal. order: uint8[CARDS], all cards. Rule: K6.0."""
    after[0] = states[0]
    deal_cards(after[0], order)


@entry
def count_draws(states: np.ndarray, after: np.ndarray, player: int, code: int, out: np.ndarray) -> None:
    """Write how many cards each seat has drawn because of a player's decision.

    states, after: STATE[1], read: before and after it. out: int64[MOST_PLAYERS], written.
    """
    before, then = states[0], after[0]
    action_type = action_type_of(code)
    goes_on = Phase.DEAL < then.phase < Phase.OVER
    for seat in range(before.players):
        cards = size(read(then.hands, seat)) if goes_on else int(then.sizes[seat])
        out[seat] = cards - size(read(before.hands, seat))
    if action_type == ActionType.MIRROR_DISCARD:
        out[player] += 2
    elif card_of(code) and action_type != ActionType.MISPLAY:
        out[player] += 1


@entry
def play_out(roots: np.ndarray, states: np.ndarray, seeds: np.ndarray, wins: np.ndarray) -> int:
    """Play random games to their end, deals shuffled, each decision drawn evenly from the legal ones.

    roots: STATE[1], read. states: STATE[1] as scratch. seeds: uint64[games], not 0, written.
    wins: int64[MOST_PLAYERS + 1], added to: games that each player won alone, then ties (K5.6).
    Returns: the number of decisions, deals included.
    """
    decisions = 0
    order = np.empty(CARDS, np.uint8)
    codes = np.zeros(MOST_DECISIONS, np.int64)
    for game in range(len(seeds)):
        states[0] = roots[0]
        state = states[0]
        for index in range(CARDS):
            order[index] = index + 1
        stream = seeds[game : game + 1]
        while state.phase != Phase.OVER:
            decisions += 1
            if state.phase == Phase.DEAL:
                shuffle_cards(order, stream)
                deal_cards(state, order)
                continue
            player = asked(state)
            count = gather(state, codes)
            perform(state, player, codes[next_random(stream, count) if count > 1 else 0])
        winners = int(state.winners)
        winner = MOST_PLAYERS
        for player in range(state.players):
            if winners == 1 << player:
                winner = player
        wins[winner] += 1
    return decisions
