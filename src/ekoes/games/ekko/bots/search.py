"""Flat Monte Carlo search with sampled hidden cards, and the heuristic that plays the rollouts (kernels)."""

from __future__ import annotations

import numpy as np

from ekoes.games.ekko.rules.decisions import (
    MOST_DECISIONS,
    ActionType,
    action_type_of,
    aside_of,
    asked,
    card_of,
    gather,
    perform,
)
from ekoes.games.ekko.rules.record import CARDS, FITTING, MIRROR, NOBODY, Phase, is_multiple
from ekoes.games.ekko.rules.turn import deal_cards, shuffle_cards
from ekoes.games.kernels.bits import (
    EMPTY,
    Bits,
    bit,
    both,
    has,
    is_empty,
    next_random,
    read,
    size,
    union,
    write,
)
from ekoes.games.kernels.jit import entry, helper

_TRIES = 16

Hidden = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
"""The arguments of ``deal_unseen``: unseen cards, barred ones, sizes of hands, numbers of cards put aside."""


@helper
def deal_unseen(state: np.record, seat: int, hidden: Hidden, stream: np.ndarray) -> None:
    """Deal unseen cards to the other players' hands, to what they put aside, and to the pile. Rule: K6.4.

    hidden: the cards, uint8[…], written in another order; for each card in the others' hands, in order, the
    cards that it can't be, uint64[…, 2]; by player the numbers of cards in hand and put aside,
    int64[MOST_PLAYERS]. stream: uint64[1], not 0, written. Where a few random tries find no card that can be
    there, one that can't be is dealt.
    """
    unseen, barred, sizes, set_aside = hidden
    for last in range(len(unseen) - 1, 0, -1):
        other = next_random(stream, last + 1)
        unseen[last], unseen[other] = unseen[other], unseen[last]
    _avoid_barred(unseen, barred, stream)
    place = 0
    for player in range(state.players):
        if player != seat:
            place = _hand_over(state.hands, player, unseen, place, sizes[player])
    for player in range(state.players):
        if player != seat:
            place = _hand_over(state.aside, player, unseen, place, set_aside[player])
    for index in range(state.pile_size):
        state.pile[index] = unseen[place + index]


@helper
def _avoid_barred(cards: np.ndarray, barred: np.ndarray, stream: np.ndarray) -> None:
    """Swap barred cards with random later ones, in a few tries each."""
    for place in range(len(barred)):
        bars = read(barred, place)
        for _ in range(_TRIES):
            if not has(bars, int(cards[place])):
                break
            other = place + next_random(stream, len(cards) - place)
            cards[place], cards[other] = cards[other], cards[place]


@helper
def _hand_over(rows: np.ndarray, player: int, cards: np.ndarray, place: int, count: int) -> int:
    """Put the next cards into a player's row of sets; returns the place after them."""
    taken = EMPTY
    for index in range(place, place + count):
        taken = union(taken, bit(int(cards[index])))
    write(rows, player, taken)
    return place + count


_MIDDLE = (CARDS + 1) / 2
_EXTREME = 1.2  # for each step from the middle: extreme cards are played late
_CHAIN = 60.0  # a multiple of 11 that another card of the hand can follow (K2.3)
_STUCK = -60.0  # one that no card of the hand can follow
_OWN_MIRROR = 100.0  # the mirror can follow at once, with another card to put aside
_OTHERS_MIRROR = -10.0  # another player may hold or draw the mirror
_PASS = -200.0  # not to play a mirror
_PUT_ASIDE = 5.0  # more than letting all others draw, which is 0
_ASIDE_OPEN = 0.2  # for each card that could follow the card put aside
_ASIDE_EXTREME = 0.4  # for each step from the middle: extreme cards are not put aside
_ASIDE_MULTIPLE = 30.0  # a multiple of 11 counts twice in hand (K5.4)
_LAST_TWO = 200.0  # the mirror and the card put aside are the last two: the round ends
_TIE_BREAK = 1e-3
_RANDOM_BOUND = 1000


@helper
def heuristic_decision(state: np.record, codes: np.ndarray, count: int, stream: np.ndarray) -> int:
    """Return the decision with the best heuristic value. codes: int64[count or more], at least one decision.

    stream: uint64[1], not 0, written: it breaks ties.
    """
    best: int = codes[0]
    best_value = -np.inf
    if count == 1:
        return best
    hand = read(state.hands, asked(state))
    for index in range(count):
        value = _value(state, hand, codes[index]) + _TIE_BREAK * next_random(stream, _RANDOM_BOUND)
        if value > best_value:
            best, best_value = codes[index], value
    return best


@helper
def _value(state: np.record, hand: Bits, code: int) -> float:
    """Return the heuristic value of a decision."""
    action_type = action_type_of(code)
    if action_type == ActionType.PLAY:
        return _value_of_play(state, hand, card_of(code))
    if action_type == ActionType.MIRROR_DRAW:
        return 0.0
    if action_type == ActionType.MIRROR_DISCARD:
        aside = aside_of(code)
        value = _PUT_ASIDE + _ASIDE_OPEN * _left_open(aside) - _ASIDE_EXTREME * abs(aside - _MIDDLE)
        if is_multiple(aside):
            value += _ASIDE_MULTIPLE
        if size(hand) == 2:
            value += _LAST_TWO
        return value
    return _PASS


@helper
def _value_of_play(state: np.record, hand: Bits, card: int) -> float:
    """Return the heuristic value of playing a card."""
    if is_multiple(card):
        return _STUCK if is_empty(both(hand, read(FITTING, card))) else _CHAIN
    value = -_left_open(card) - _EXTREME * abs(card - _MIDDLE)
    mirror = int(MIRROR[card])
    if has(hand, mirror):
        return value + _OWN_MIRROR if size(hand) > 2 else value
    for place in range(state.zone_size):
        if state.zone[place] == mirror:
            return value
    return value + _OTHERS_MIRROR


@helper
def _left_open(card: int) -> int:
    """Return how many cards are valid on a card. Rule: K2.1."""
    return CARDS - card if card % 2 else card - 1


_ALL = 100
_FINALISTS = 2
SCRATCH = 2
"""Scratch records of the search: a sampled deal, and its rollout."""


@entry
def noticed_decision(roots: np.ndarray, stream: np.ndarray, sees: int) -> int:
    """Return the code of the best decision, by the heuristic, of those that the player notices.

    roots: STATE[1], read; stream: uint64[1], not 0, written. sees: percentage of decisions noticed.
    """
    codes = np.zeros(MOST_DECISIONS, np.int64)
    count = gather(roots[0], codes)
    if sees < _ALL:
        count = _keep_noticed(codes, count, sees, stream)
    return heuristic_decision(roots[0], codes, count, stream)


@entry
def best_decision(
    roots: np.ndarray,
    states: np.ndarray,
    hidden: Hidden,
    deals: int,
    random_decisions: int,
    stream: np.ndarray,
) -> int:
    """Return the code of the decision of the seat to move with the best average over rollouts.

    roots: STATE[1] as a seat sees it, read; states: STATE[SCRATCH] and stream: uint64[1], not 0,
    written. hidden: as for ``deal_unseen``; nothing is barred for a player who remembers nothing. deals:
    how many are sampled; random_decisions: percentage of the others' decisions in rollouts that are random.
    """
    seat = asked(roots[0])
    options = np.zeros(MOST_DECISIONS, np.int64)
    codes = np.zeros(MOST_DECISIONS, np.int64)
    count = gather(roots[0], options)
    if count == 1:
        return int(options[0])
    values = np.zeros(count)
    for deal in range(deals):
        if deal in (deals // 4, deals // 2):
            count = _keep_better_half(options, values, count)
        states[0] = roots[0]
        deal_unseen(states[0], seat, hidden, stream)
        chance = stream[0]
        for index in range(count):
            stream[0] = chance
            values[index] += _value_after(states, seat, options[index], codes, random_decisions, stream)
    return int(options[np.argmax(values[:count])])


@entry
def decision_values(
    roots: np.ndarray,
    states: np.ndarray,
    hidden: Hidden,
    random_decisions: int,
    stream: np.ndarray,
    options: np.ndarray,
    values: np.ndarray,
) -> int:
    """Write the value of each decision of the seat to move in each of some sampled deals.

    options: int64[MOST_DECISIONS] and values: float64[deals, MOST_DECISIONS], written. All others as for
    ``best_decision``. Returns: the number of decisions.
    """
    seat = asked(roots[0])
    codes = np.zeros(MOST_DECISIONS, np.int64)
    count = gather(roots[0], options)
    for deal in range(len(values)):
        states[0] = roots[0]
        deal_unseen(states[0], seat, hidden, stream)
        chance = stream[0]
        for index in range(count):
            stream[0] = chance
            values[deal, index] = _value_after(states, seat, options[index], codes, random_decisions, stream)
    return count


@entry
def deal_values(
    roots: np.ndarray,
    states: np.ndarray,
    order: np.ndarray,
    random_decisions: int,
    stream: np.ndarray,
    values: np.ndarray,
) -> None:
    """Write what each player gains in rollouts of a deal and of random deals.

    roots: STATE[1] before the deal, read; states: STATE[SCRATCH] and stream: uint64[1], not 0, written.
    order: uint8[CARDS], the first deal, written. values: float64[deals, rollouts, MOST_PLAYERS], written.
    """
    codes = np.zeros(MOST_DECISIONS, np.int64)
    for deal in range(len(values)):
        states[0] = roots[0]
        deal_cards(states[0], order)
        for rollout in range(len(values[deal])):
            states[1] = states[0]
            _rollout(states[1], NOBODY, codes, random_decisions, stream)
            for player in range(roots[0].players):
                values[deal, rollout, player] = _points_gained(roots[0], states[1], player)
        shuffle_cards(order, stream)


@entry
def win_shares(
    roots: np.ndarray,
    states: np.ndarray,
    hidden: Hidden,
    code: int,
    games: int,
    random_decisions: int,
    order: np.ndarray,
    stream: np.ndarray,
    rounds: np.ndarray,
    matches: np.ndarray,
) -> None:
    """Add how often each player wins the round and the game, in rollouts of a decision in sampled deals.

    code: of the decision; not read before a deal. games: their number. order: uint8[CARDS], a permutation,
    and rounds, matches: float64[MOST_PLAYERS], written; players who tie share. states: STATE[SCRATCH], the
    second all 0. All others as for ``best_decision``. Rule: K5.4, K5.6.
    """
    codes = np.zeros(MOST_DECISIONS, np.int64)
    for _ in range(games):
        states[0] = roots[0]
        state = states[0]
        if state.phase != Phase.DEAL:
            seat = asked(state)
            deal_unseen(state, seat, hidden, stream)
            perform(state, seat, code)
            _rollout(state, NOBODY, codes, random_decisions, stream)
            _share_lowest(roots[0], state, rounds)
        while state.phase == Phase.DEAL:
            is_first = state.number == roots[0].number
            shuffle_cards(order, stream)
            deal_cards(state, order)
            _rollout(state, NOBODY, codes, random_decisions, stream)
            if is_first:
                _share_lowest(roots[0], state, rounds)
        _share_lowest(states[1], state, matches)


@helper
def _share_lowest(before: np.record, after: np.record, shares: np.ndarray) -> None:
    """Add 1 in all for the players with the fewest points since a state."""
    least = after.scores[0] - before.scores[0]
    count = 0
    for player in range(after.players):
        points = after.scores[player] - before.scores[player]
        if points < least:
            least, count = points, 0
        count += points == least
    for player in range(after.players):
        if after.scores[player] - before.scores[player] == least:
            shares[player] += 1.0 / count


@helper
def _value_after(
    states: np.ndarray, seat: int, code: int, codes: np.ndarray, random_decisions: int, stream: np.ndarray
) -> float:
    """Return what a seat gains by a decision in a rollout. states: STATE[SCRATCH], the second written."""
    states[1] = states[0]
    perform(states[1], seat, code)
    _rollout(states[1], seat, codes, random_decisions, stream)
    return _points_gained(states[0], states[1], seat)


@helper
def _keep_better_half(options: np.ndarray, values: np.ndarray, count: int) -> int:
    """Move the better half of the decisions to the front, at least two; returns their number.

    Successive halving: close decisions get more rollouts.
    """
    left = max(_FINALISTS, (count + 1) // 2)
    while count > left:
        worst = np.argmin(values[:count])
        count -= 1
        options[worst], values[worst] = options[count], values[count]
    return min(count, left)


@helper
def _keep_noticed(codes: np.ndarray, count: int, sees: int, stream: np.ndarray) -> int:
    """Move the decisions that the player notices to the front; returns their number, at least one.

    codes: int64[count or more], written.
    """
    kept = 0
    for index in range(count):
        if next_random(stream, _ALL) < sees:
            codes[kept], codes[index] = codes[index], codes[kept]
            kept += 1
    if kept == 0:
        first = next_random(stream, count)
        codes[0], codes[first] = codes[first], codes[0]
        kept = 1
    return kept


@helper
def _rollout(
    state: np.record, seat: int, codes: np.ndarray, random_decisions: int, stream: np.ndarray
) -> None:
    """Play to the end of the round. seat: never plays at random; codes: int64[MOST_DECISIONS], scratch."""
    while state.phase not in (Phase.DEAL, Phase.OVER):
        player = asked(state)
        count = gather(state, codes)
        if player != seat and next_random(stream, 100) < random_decisions:
            code = codes[next_random(stream, count)]
        else:
            code = heuristic_decision(state, codes, count, stream)
        perform(state, player, code)


@helper
def _points_gained(before: np.record, after: np.record, seat: int) -> float:
    """Return how many fewer points a round brought to a seat than to the others on average."""
    others = 0.0
    for player in range(before.players):
        if player != seat:
            others += after.scores[player] - before.scores[player]
    return float(others / (before.players - 1) - (after.scores[seat] - before.scores[seat]))
