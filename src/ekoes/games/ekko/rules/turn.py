"""The course of a round (kernels): deal, turns, mirrors and misplays (K1 – K4).

Also the end of a round and of the game (K5).
"""

from __future__ import annotations

import numpy as np

from ekoes.games.ekko.rules.record import CARDS, FITTING, MIRROR, NOBODY, Ending, Phase, Why, is_multiple
from ekoes.games.kernels.bits import (
    EMPTY,
    Bits,
    bit,
    both,
    drop_lowest,
    has,
    is_empty,
    lowest,
    next_random,
    read,
    size,
    union,
    without,
    write,
)
from ekoes.games.kernels.jit import helper


@helper
def score_round(state: np.record) -> None:
    """Count the cards left in hand, and add them to the totals. Rule: K5.4."""
    for player in range(state.players):
        hand = read(state.hands, player)
        points = cards = size(hand)
        while not is_empty(hand):
            points += 1 if is_multiple(lowest(hand)) else 0
            hand = drop_lowest(hand)
        state.points[player] = points
        state.sizes[player] = cards
        state.scores[player] += points


@helper
def end_round(state: np.record, ending: int, by: int) -> None:
    """End the round: the next one is to be dealt, or the game is over. Rule: K5.4-K5.6.

    ending: an ``Ending``; by: the seat that caused it.
    """
    score_round(state)
    state.ending = ending
    state.ended_by = by
    state.asked = NOBODY
    state.again = 0
    state.leaving = NOBODY
    highest = lowest_total = int(state.scores[0])
    for player in range(1, state.players):
        highest = max(highest, int(state.scores[player]))
        lowest_total = min(lowest_total, int(state.scores[player]))
    for player in range(state.players):
        write(state.blocked, player, EMPTY)
    if highest >= state.target:
        state.phase = Phase.OVER
        for player in range(state.players):
            if state.scores[player] == lowest_total:
                state.winners |= 1 << player
        return
    state.dealer = state.last
    state.number += 1
    clear_table(state)
    state.phase = Phase.DEAL


@helper
def clear_table(state: np.record) -> None:
    """Collect all cards for the next deal."""
    for player in range(state.players):
        write(state.hands, player, EMPTY)
        write(state.aside, player, EMPTY)
    state.pile[:] = 0
    state.zone[:] = 0
    state.drew_seat[:] = 0
    state.drew_at[:] = 0
    state.drew_why[:] = 0
    state.pile_size = state.zone_size = state.n_drew = 0
    state.player = state.last = NOBODY


@helper
def top_card(state: np.record) -> int:
    """Return the last card that was put on the play zone. Rule: K1.4."""
    return int(state.zone[int(state.zone_size) - 1])


@helper
def left_of(state: np.record, player: int) -> int:
    """Return the next player, clockwise. Rule: K1.1."""
    following = player + 1
    return 0 if following == state.players else following


@helper
def valid_cards(state: np.record) -> Bits:
    """Return the valid cards of the player in turn, the mirror among them. Rule: K2.1, K2.4, K4.1."""
    player = int(state.player)
    free = without(read(state.hands, player), read(state.blocked, player))
    if state.last == player and state.again == 0:
        return free
    return both(free, read(FITTING, top_card(state)))


@helper
def mirror_holder(state: np.record) -> int:
    """Return the seat that may play the mirror of the top card, or NOBODY. Rule: K3.1, K4.1, K6.1."""
    mirror = int(MIRROR[top_card(state)])
    if mirror:
        for player in range(state.players):
            if has(without(read(state.hands, player), read(state.blocked, player)), mirror):
                return player
    return NOBODY


@helper
def put_card(state: np.record, player: int, card: int) -> None:
    """Put a card of a hand on the play zone and unblock all cards. Rule: K1.4, K4.1."""
    write(state.hands, player, without(read(state.hands, player), bit(card)))
    state.zone[state.zone_size] = card
    state.zone_size += 1
    state.last = player
    state.again = 0
    state.leaving = NOBODY
    for other in range(state.players):
        write(state.blocked, other, EMPTY)


@helper
def draw_card(state: np.record, player: int, why: int) -> int:
    """Let a player draw; if the pile is empty that ends the round. Rule: K5.3.

    why: a ``Why``. Returns: the card, 0 if the round has ended.
    """
    if state.pile_size == 0:
        end_round(state, Ending.PILE_EMPTY, player)
        return 0
    state.pile_size -= 1
    card = int(state.pile[state.pile_size])
    state.pile[state.pile_size] = 0
    write(state.hands, player, union(read(state.hands, player), bit(card)))
    state.drew_seat[state.n_drew] = player
    state.drew_at[state.n_drew] = state.zone_size
    state.drew_why[state.n_drew] = why
    state.n_drew += 1
    return card


@helper
def begin_turn(state: np.record, player: int) -> None:
    """Begin a player's turn and unblock the hand. Rule: K4.1."""
    state.player = player
    state.again = 0
    write(state.blocked, player, EMPTY)


@helper
def ask_next(state: np.record) -> None:
    """Ask the holder of the top card's mirror first, then the player in turn. Rule: K6.1, K7.1.

    At a live table the holder is not asked, and a round waits for ``close`` (K7.4).
    """
    state.phase = Phase.PLAY
    state.asked = NOBODY
    if state.live:
        return
    holder = mirror_holder(state)
    if holder != NOBODY:
        state.phase = Phase.MIRROR
        state.asked = holder
    elif state.leaving != NOBODY:
        end_round(state, Ending.LAST_CARD, int(state.leaving))


@helper
def play_card(state: np.record, card: int) -> None:
    """Let the player in turn play a valid card. Rule: K2.1, K2.3, K5.1."""
    player = int(state.player)
    put_card(state, player, card)
    if is_multiple(card):
        state.again = 1
        state.phase = Phase.PLAY
        return
    if is_empty(read(state.hands, player)):
        state.leaving = player
    begin_turn(state, left_of(state, player))
    ask_next(state)


@helper
def draw_in_turn(state: np.record) -> None:
    """Let the player in turn draw, which ends the turn. Rule: K2.2, K2.3."""
    player = int(state.player)
    if draw_card(state, player, Why.TURN):
        begin_turn(state, left_of(state, player))
        ask_next(state)


@helper
def mirror_discarding(state: np.record, player: int, card: int, aside: int) -> None:
    """Play the mirror of the top card and put another card aside. Rule: K3.2, K3.3, K5.2."""
    leaver = int(state.leaving)
    put_card(state, player, card)
    begin_turn(state, left_of(state, player))
    if leaver != NOBODY and not draw_card(state, leaver, Why.LEAVING):
        return
    write(state.hands, player, without(read(state.hands, player), bit(aside)))
    write(state.aside, player, union(read(state.aside, player), bit(aside)))
    if is_empty(read(state.hands, player)):
        end_round(state, Ending.ASIDE, player)
        return
    ask_next(state)


@helper
def mirror_drawing(state: np.record, player: int, card: int) -> None:
    """Play the mirror of the top card and let every other player draw. Rule: K3.2-K3.4, K5.2."""
    put_card(state, player, card)
    begin_turn(state, left_of(state, player))
    other = left_of(state, player)
    while other != player:
        if not draw_card(state, other, Why.EFFECT):
            return
        other = left_of(state, other)
    if is_empty(read(state.hands, player)):
        end_round(state, Ending.MIRROR, player)
        return
    ask_next(state)


@helper
def misplay_card(state: np.record, player: int) -> None:
    """Let a player draw for a misplay; the card drawn is blocked. Rule: K4.1."""
    drawn = draw_card(state, player, Why.MISPLAY)
    if drawn:
        write(state.blocked, player, union(read(state.blocked, player), bit(drawn)))


HAND_SIZE = (0, 0, 6, 6, 5, 5, 4, 4, 4)
"""Number of players -> cards dealt to each. Rule: K1.2."""


@helper
def deal_hands(state: np.record, order: np.ndarray, cards: int) -> None:
    """Deal a round from some of the cards, with hands of any size, and turn the first card over.

    order: uint8[…], the cards that are dealt. cards: in each hand; at least one card is left to turn over.
    """
    dealer = int(state.dealer)
    place = 0
    player = dealer
    for _ in range(state.players):
        player = left_of(state, player)
        hand = read(state.hands, player)
        for _card in range(cards):
            hand = union(hand, bit(int(order[place])))
            place += 1
        write(state.hands, player, hand)
    turned = int(order[place])
    rest = len(order) - place - 1
    for index in range(rest):
        state.pile[index] = order[len(order) - 1 - index]
    state.pile_size = rest
    put_card(state, dealer, turned)
    begin_turn(state, dealer)
    if is_multiple(turned):
        state.again = 1
        state.phase = Phase.PLAY
        return
    begin_turn(state, left_of(state, dealer))
    ask_next(state)


@helper
def deal_cards(state: np.record, order: np.ndarray) -> None:
    """Deal a round and turn the first card over. Rule: K1.2, K1.3, K6.0. order: uint8[CARDS], all cards."""
    deal_hands(state, order, HAND_SIZE[int(state.players)])


@helper
def shuffle_cards(order: np.ndarray, stream: np.ndarray) -> None:
    """Put all cards in a random order (Fisher-Yates). order: uint8[CARDS], a permutation, written."""
    for last in range(CARDS - 1, 0, -1):
        other = next_random(stream, last + 1)
        order[last], order[other] = order[other], order[last]
