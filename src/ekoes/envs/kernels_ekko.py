"""EKKO in arrays (kernels): what a seat sees, decisions as integers, and steps of many games.

The integers (docs/reference/environment-ekko.md):

    0 … 97   play the card of the number + 1            99   pass the mirror of the top card
    98       draw                                      100   play the mirror, the others draw
    101 … 198   play the mirror, put the card of the number - 100 aside
"""

from __future__ import annotations

import numpy as np

from ekoes.envs.kernels import BEGIN, NONE, left_of, mark, reward_winners, steps_to
from ekoes.games.ekko.bots.search import Hidden, deal_unseen
from ekoes.games.ekko.rules.decisions import (
    MOST_DECISIONS,
    ActionType,
    action_type_of,
    aside_of,
    asked,
    card_of,
    gather,
    make_code,
    perform,
)
from ekoes.games.ekko.rules.record import CARDS, MIRROR, Phase, Why
from ekoes.games.ekko.rules.turn import deal_cards, deal_hands, shuffle_cards, top_card
from ekoes.games.kernels.bits import next_random, read, size
from ekoes.games.kernels.jit import entry, helper

PLAY, DRAW, PASS, MIRROR_DRAW, MIRROR_DISCARD = 0, CARDS, CARDS + 1, CARDS + 2, CARDS + 3
INTEGERS = MIRROR_DISCARD + CARDS

ROWS = 3
PLAYER_SCALARS = 7
MORE_SCALARS = 7


@helper
def number_of(code: int) -> int:
    """Return the integer of a decision."""
    kind = action_type_of(code)
    if kind == ActionType.PLAY:
        return PLAY + card_of(code) - 1
    if kind == ActionType.MIRROR_DISCARD:
        return MIRROR_DISCARD + aside_of(code) - 1
    if kind == ActionType.MIRROR_DRAW:
        return MIRROR_DRAW
    return PASS if kind == ActionType.PASS else DRAW


@helper
def code_of(state: np.record, integer: int) -> int:
    """Return the code of an integer. Rule: K3.1 (the top card has one mirror)."""
    if integer < DRAW:
        return make_code(ActionType.PLAY, integer - PLAY + 1, 0)
    if integer == DRAW:
        return ActionType.DRAW
    if integer == PASS:
        return ActionType.PASS
    mirror = int(MIRROR[top_card(state)])
    if integer == MIRROR_DRAW:
        return make_code(ActionType.MIRROR_DRAW, mirror, 0)
    return make_code(ActionType.MIRROR_DISCARD, mirror, integer - MIRROR_DISCARD + 1)


@helper
def write_cards(state: np.record, seat: int, cards: np.ndarray, draws: np.ndarray) -> None:
    """Write the cards that a seat sees, and who drew when. Rule: K6.4.

    cards: int8[ROWS, CARDS]; draws: int8[2, players, CARDS]; both written.
    """
    cards[:] = 0
    draws[:] = 0
    mark(read(state.hands, seat), 1, cards[0], -1)
    mark(read(state.aside, seat), 1, cards[1], -1)
    for index in range(state.zone_size):
        cards[2, int(state.zone[index]) - 1] = index + 1
    players = state.players
    for index in range(state.n_drew):
        kind = 0 if state.drew_why[index] == Why.TURN else 1
        step = steps_to(int(state.drew_seat[index]), seat, players)
        draws[kind, step, int(state.drew_at[index]) - 1] += 1


@helper
def write_scalars(state: np.record, seat: int, out: np.ndarray) -> None:
    """Write the numbers that a seat sees. out: int16[…], written. Rule: K6.4.

    Only the seat that is asked for a mirror sees that somebody is.
    """
    players = state.players
    player = seat
    for step in range(players):
        row = out[PLAYER_SCALARS * step :]
        row[0] = size(read(state.hands, player))
        row[1] = size(read(state.aside, player))
        row[2] = state.scores[player]
        row[3] = 1 if state.dealer == player else 0
        row[4] = 1 if state.player == player else 0
        row[5] = 1 if state.last == player else 0
        row[6] = 1 if state.leaving == player else 0
        player = left_of(player, players)
    row = out[PLAYER_SCALARS * players :]
    row[0] = state.pile_size
    row[1] = state.zone_size
    row[2] = top_card(state) if state.zone_size else 0
    row[3] = state.target
    row[4] = min(int(state.number), 32767)
    row[5] = state.again
    row[6] = 1 if state.phase == Phase.MIRROR and state.asked == seat else 0


@entry
def number_codes(codes: np.ndarray, out: np.ndarray) -> None:
    """Write the integer of each decision. codes: int64[…], read; out: int64[…], written."""
    for index in range(len(codes)):
        out[index] = number_of(codes[index])


@entry
def code_at(states: np.ndarray, integer: int) -> int:
    """Return the code of an integer, legal or not. states: STATE[1], read."""
    return code_of(states[0], integer)


@entry
def observe(states: np.ndarray, seat: int, cards: np.ndarray, draws: np.ndarray, scalars: np.ndarray) -> None:
    """Write what a seat sees, as ``write_cards`` and ``write_scalars`` do. states: STATE[1], read."""
    write_cards(states[0], seat, cards, draws)
    write_scalars(states[0], seat, scalars)


@entry
def deal_few(states: np.ndarray, after: np.ndarray, order: np.ndarray, cards: int) -> None:
    """Write the state after a deal of some cards, as ``deal_hands`` says. states: STATE[1], read."""
    after[0] = states[0]
    deal_hands(after[0], order, cards)


@entry
def deal_unknown(states: np.ndarray, seat: int, hidden: Hidden, stream: np.ndarray) -> None:
    """Deal what a seat does not see, as ``deal_unseen`` says. states: STATE[1], written."""
    deal_unseen(states[0], seat, hidden, stream)


@entry
def step_games(
    roots: np.ndarray,
    states: np.ndarray,
    streams: np.ndarray,
    begin: int,
    end: int,
    actions: np.ndarray,
    cards: np.ndarray,
    draws: np.ndarray,
    scalars: np.ndarray,
    last_cards: np.ndarray,
    last_draws: np.ndarray,
    last_scalars: np.ndarray,
    viewers: np.ndarray,
    mask: np.ndarray,
    seats: np.ndarray,
    rewards: np.ndarray,
    terminated: np.ndarray,
) -> None:
    """Perform a legal integer in each of some games; a game that ends begins anew.

    The last observation of a game is that of the seat that decided, or of its viewer if it has one.

    roots: STATE[1], read. By game, written: states: STATE, streams: uint64, and the arrays of ``BatchEnv``.
    begin, end: the games. actions: int64, or BEGIN, LOOK or NONE.
    """
    order = np.empty(CARDS, np.uint8)
    codes = np.empty(MOST_DECISIONS, np.int64)
    for game in range(begin, end):
        state = states[game]
        stream = streams[game : game + 1]
        rewards[game] = 0
        terminated[game] = False
        if actions[game] == NONE:
            continue
        if actions[game] >= 0:
            decider = asked(state)
            perform(state, decider, code_of(state, actions[game]))
            if state.phase == Phase.OVER:
                terminated[game] = True
                reward_winners(int(state.winners), int(state.players), rewards[game])
                viewer = decider if viewers[game] == NONE else viewers[game]
                write_cards(state, viewer, last_cards[game], last_draws[game])
                write_scalars(state, viewer, last_scalars[game])
        if terminated[game] or actions[game] == BEGIN:
            states[game] = roots[0]
            state.dealer = next_random(stream, state.players)
        while state.phase == Phase.DEAL:
            for card in range(CARDS):
                order[card] = card + 1
            shuffle_cards(order, stream)
            deal_cards(state, order)
        seat = asked(state)
        seats[game] = seat
        write_cards(state, seat, cards[game], draws[game])
        write_scalars(state, seat, scalars[game])
        mask[game] = 0
        for index in range(gather(state, codes)):
            mask[game, number_of(codes[index])] = 1
