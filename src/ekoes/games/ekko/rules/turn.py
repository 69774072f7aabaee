"""The turn: what is valid, what follows a card that is put, who is asked next (K1.4, K2, K6.1)."""

from __future__ import annotations

from typing import Any

from ekoes.games.ekko.rules.cards import FITTING, MIRROR, is_multiple
from ekoes.games.ekko.rules.ending import end_round
from ekoes.games.ekko.rules.record import NOBODY, Ending, Phase, Why
from ekoes.games.kernels.bits import EMPTY, Bits, bit, both, has, is_empty, read, union, without, write
from ekoes.kernel import helper

__all__ = [
    "ask_next",
    "begin_turn",
    "draw_card",
    "draw_in_turn",
    "left_of",
    "mirror_holder",
    "play_card",
    "put_card",
    "top_card",
    "valid_cards",
]


@helper
def top_card(state: Any) -> int:
    """Return the last card that was put on the play zone. Rule: K1.4."""
    return int(state.zone[int(state.zone_size) - 1])


@helper
def left_of(state: Any, player: int) -> int:
    """Return the next player, clockwise. Rule: K1.1."""
    following = player + 1
    return 0 if following == state.players else following


@helper
def valid_cards(state: Any) -> Bits:
    """Return the valid cards of the player in turn, the mirror among them. Rule: K2.1, K2.4, K4.1."""
    player = int(state.player)
    free = without(read(state.hands, player), read(state.blocked, player))
    if state.last == player and state.again == 0:
        return free
    return both(free, read(FITTING, top_card(state)))


@helper
def mirror_holder(state: Any) -> int:
    """Return who may play the mirror of the top card, NOBODY if that is nobody. Rule: K3.1, K4.1, K6.1."""
    mirror = int(MIRROR[top_card(state)])
    if mirror:
        for player in range(state.players):
            if has(without(read(state.hands, player), read(state.blocked, player)), mirror):
                return player
    return NOBODY


@helper
def put_card(state: Any, player: int, card: int) -> None:
    """Put a card of a hand on the play zone; nothing is blocked any more. Rule: K1.4, K4.1."""
    write(state.hands, player, without(read(state.hands, player), bit(card)))
    state.zone[state.zone_size] = card
    state.zone_size += 1
    state.last = player
    state.again = 0
    state.leaving = NOBODY
    for other in range(state.players):
        write(state.blocked, other, EMPTY)


@helper
def draw_card(state: Any, player: int, why: int) -> int:
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
def begin_turn(state: Any, player: int) -> None:
    """Begin a player's turn: what was blocked is free again. Rule: K4.1."""
    state.player = player
    state.again = 0
    write(state.blocked, player, EMPTY)


@helper
def ask_next(state: Any) -> None:
    """Ask who holds the mirror of the top card first, then the player in turn. Rule: K6.1, K7.1.

    At a live table nobody is asked for a mirror, and a round waits for its ``close`` (K7.4).
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
def play_card(state: Any, card: int) -> None:
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
def draw_in_turn(state: Any) -> None:
    """Let the player in turn draw, which ends the turn. Rule: K2.2, K2.3."""
    player = int(state.player)
    if draw_card(state, player, Why.TURN):
        begin_turn(state, left_of(state, player))
        ask_next(state)
