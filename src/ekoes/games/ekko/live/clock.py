"""How long a live table waits in each stage."""

from __future__ import annotations

from datetime import datetime, timedelta

from ekoes.games.changing import changed
from ekoes.games.ekko.live import silence
from ekoes.games.ekko.live.entry import Moment, Stage
from ekoes.games.ekko.live.state import LiveState

__all__ = ["ends_at", "remaining", "rested", "whole"]

BETWEEN_ROUNDS = 3000
"""Milliseconds before a round begins where nobody has to look at a hand."""


def whole(state: LiveState) -> int | None:
    """Return how long the stage lasts at most, in milliseconds; None: no clock runs. Rule: K5.1, K7.5."""
    options = state.options
    match state.stage:
        case Stage.LOOK:
            return silence.longest(state, state.people - state.ready) if state.people else BETWEEN_ROUNDS
        case Stage.RACE | Stage.EFFECT:
            return silence.longest(state, silence.awaited(state))
        case Stage.WINDOW:
            return options.window
        case Stage.LEAVING:
            return options.window if options.calm else options.reaction
        case Stage.WAITING | Stage.OVER:
            return None


def ends_at(state: LiveState) -> datetime | None:
    """Return when the running clock runs out, None if none runs."""
    milliseconds = whole(state)
    if milliseconds is None or state.since is None:
        return None
    return state.since.at + timedelta(milliseconds=milliseconds)


def remaining(state: LiveState, now: datetime) -> int | None:
    """Return the milliseconds that are left on the running clock, None if none runs."""
    ends = ends_at(state)
    return None if ends is None else max(0, (ends - now) // timedelta(milliseconds=1))


def rested(state: LiveState, at: datetime) -> LiveState:
    """Let clocks and bots begin anew where they stood when the server went away."""

    def anew(moment: Moment | None) -> Moment | None:
        return moment and changed(moment, at=at)

    return changed(
        state,
        since=anew(state.since),
        top_since=anew(state.top_since),
        drew_since=tuple(map(anew, state.drew_since)),
    )
