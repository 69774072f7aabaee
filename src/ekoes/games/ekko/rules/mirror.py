"""The mirror and its effects (K3), and cards played amiss (K4)."""

from __future__ import annotations

from typing import Any

from ekoes.games.ekko.rules.ending import end_round
from ekoes.games.ekko.rules.record import NOBODY, Ending, Why
from ekoes.games.ekko.rules.turn import ask_next, begin_turn, draw_card, left_of, put_card
from ekoes.games.kernels.bits import bit, is_empty, read, union, without, write
from ekoes.kernel import helper

__all__ = ["mirror_discarding", "mirror_drawing", "misplay_card"]


@helper
def mirror_discarding(state: Any, player: int, card: int, aside: int) -> None:
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
def mirror_drawing(state: Any, player: int, card: int) -> None:
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
def misplay_card(state: Any, player: int) -> None:
    """Let a player draw for a card played amiss; what is drawn is blocked. Rule: K4.1."""
    drawn = draw_card(state, player, Why.MISPLAY)
    if drawn:
        write(state.blocked, player, union(read(state.blocked, player), bit(drawn)))
