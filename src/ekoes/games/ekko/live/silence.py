"""Who leaves turn after turn to the clock: where the others need not wait, their next one is half as long.

What the clock does is what it always does (K7.5); only how long the others wait for it changes.
"""

from __future__ import annotations

from collections.abc import Collection

from ekoes.games.changing import changed
from ekoes.games.ekko.live.entry import Stage
from ekoes.games.ekko.live.state import LiveState

__all__ = ["SHORTEST", "awaited", "heard", "impatient", "left_to_the_clock", "longest", "silent"]

SHORTEST = 3000
"""Milliseconds that a turn has at least: enough for who is back to see what is asked, and to do it."""
_SILENT = 3
"""Turns in a row after which the others need not wait any more."""


def awaited(state: LiveState) -> frozenset[int]:
    """Return for whom the table waits: the player, or whoever chooses the effect of a mirror."""
    is_open = state.stage is Stage.EFFECT and state.claim is not None
    seat = state.claim.seat if is_open and state.claim is not None else state.position.player
    return frozenset() if seat is None else frozenset({seat})


def longest(state: LiveState, seats: Collection[int]) -> int | None:
    """Return how long one waits for some seats, in milliseconds: for the one that has longest. Rule: K7.5."""
    whole = state.options.turn_clock
    if whole is None or not state.silent or not seats:
        return whole
    return max(max(SHORTEST, whole >> state.silent[seat]) for seat in seats)


def silent(state: LiveState) -> frozenset[int]:
    """Return who has left so many turns in a row to the clock that they seem not to be there."""
    return frozenset(seat for seat, turns in enumerate(state.silent) if turns >= _SILENT)


def impatient(state: LiveState) -> LiveState:
    """Return the state before the first deal, where nobody waits long for who leaves turns to the clock."""
    return changed(state, silent=(0,) * state.position.players)


def left_to_the_clock(state: LiveState, seat: int) -> LiveState:
    """Return the state after the clock has decided for a seat."""
    return _with(state, seat, state.silent[seat] + 1) if state.silent else state


def heard(state: LiveState, seat: int) -> LiveState:
    """Return the state after a decision of the seat's own: it has all its time again."""
    return _with(state, seat, 0) if state.silent and state.silent[seat] else state


def _with(state: LiveState, seat: int, turns: int) -> LiveState:
    return changed(state, silent=(*state.silent[:seat], turns, *state.silent[seat + 1 :]))
