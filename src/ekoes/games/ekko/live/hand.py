"""How fast a hand is: it needs a moment to take a card back and draw, longer to calm down. Rule: K4.1, K7.2.

While a hand is busy none of its cards is taken, and nothing happens to it. Times are the table's, so a
record tells of every misplay whether it could be.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from ekoes.games.changing import changed
from ekoes.games.ekko.live.entry import Stage, Verdict
from ekoes.games.ekko.live.state import LiveState

__all__ = [
    "AFTER_HASTE",
    "AFTER_MISPLAY",
    "after_haste",
    "after_misplay",
    "free_at",
    "keeps",
    "may_be_hasty",
    "released",
]

AFTER_MISPLAY = 500
"""Milliseconds until a seat that has taken a card back may put another one."""
AFTER_HASTE = 3000
"""Milliseconds until a seat may put a card that has answered one which was not there yet."""


def free_at(state: LiveState, seat: int, at: datetime) -> datetime:
    """Return the moment from which on a seat's cards are taken, not before a given one."""
    until = state.busy[seat] if state.busy else None
    return at if until is None else max(at, until)


def is_busy(state: LiveState, seat: int, at: datetime) -> bool:
    """Tell whether a seat's cards are not taken now."""
    return at < free_at(state, seat, at)


def keeps(state: LiveState, seat: int, verdict: Verdict, at: datetime) -> bool:
    """Tell whether a card stays in its hand, whatever it would come to: in calm mode a right one need not."""
    return is_busy(state, seat, at) and (verdict is Verdict.MISPLAY or not state.options.calm)


def after_misplay(state: LiveState, seat: int, at: datetime) -> LiveState:
    """Return the state with a hand that takes its card back. Rule: K4.1."""
    return _with(state, seat, at + timedelta(milliseconds=AFTER_MISPLAY))


def after_haste(state: LiveState, seat: int, at: datetime) -> LiveState:
    """Return the state with a hand that has answered what was not there yet; a busy one stays as it is."""
    if is_busy(state, seat, at):
        return state
    return _with(state, seat, at + timedelta(milliseconds=AFTER_HASTE))


def released(state: LiveState, seat: int) -> LiveState:
    """Return the state with a hand that somebody else takes."""
    return _with(state, seat, None) if state.busy else state


def may_be_hasty(state: LiveState, seat: int) -> bool:
    """Tell whether haste could gain anything: not in calm mode, beside an open mirror, or as somebody leaves.

    A bot that names a card which was never there is mistaken, not hasty.
    """
    is_race = not state.options.calm and state.stage in {Stage.LOOK, Stage.RACE}
    return is_race and seat in state.people


def _with(state: LiveState, seat: int, until: datetime | None) -> LiveState:
    before = state.busy or (None,) * state.position.players
    return changed(state, busy=(*before[:seat], until, *before[seat + 1 :]))
