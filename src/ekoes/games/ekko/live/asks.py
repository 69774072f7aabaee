"""What the bots at a live table are asked, and what stands in for their mistakes.

Whether and when a bot passes never depends on its hand (K7.6).
"""

from __future__ import annotations

from collections.abc import Iterator

from ekoes.games.contract import Json
from ekoes.games.ekko.action import action_to_json
from ekoes.games.ekko.live.cards import clock_action
from ekoes.games.ekko.live.entry import Moment, Stage
from ekoes.games.ekko.live.hand import free_at
from ekoes.games.ekko.live.state import LiveState
from ekoes.games.racing import Ask

__all__ = ["EFFECT", "LEAVING", "MIRROR", "TURN", "WINDOW", "asked", "instead"]

TURN, MIRROR, WINDOW, LEAVING, EFFECT = "turn", "mirror", "window", "leaving", "effect"
"""What a bot is asked for: ``EkkoBot.plan``."""
_WORDS = (TURN, MIRROR, WINDOW, LEAVING, EFFECT)


def asked(state: LiveState, seat: int) -> Iterator[Ask]:
    """Yield what a bot at a seat is asked for, and since when: not before its hand is free (K4.1)."""
    for asks, since in _asked(state, seat):
        number = (since.number * state.position.players + seat) * len(_WORDS) + _WORDS.index(asks)
        yield Ask(asks, free_at(state, seat, since.at), number)


def _asked(state: LiveState, seat: int) -> Iterator[tuple[str, Moment]]:
    if state.since is None:
        return
    match state.stage:
        case Stage.EFFECT if state.claim is not None and state.claim.seat == seat:
            yield EFFECT, state.since  # of somebody who left in the midst of a mirror
        case Stage.RACE:
            if seat == state.position.player:
                yield TURN, state.since
            if not state.options.calm:
                yield MIRROR, _mirror_since(state, seat)
        case Stage.WINDOW | Stage.LEAVING if seat not in state.decided and seat != state.position.leaving:
            yield WINDOW if state.has_window else LEAVING, state.since


def instead(state: LiveState, asks: str) -> Json | None:
    """Return what stands in for a mistake: in its turn the clock's choice, in a window a pass.

    There may be no clock; a mirror that is not noticed needs nothing.
    """
    position = state.position
    if asks == EFFECT:
        return {"type": "effect", "effect": "draw"}
    if state.has_window:
        return {"type": "pass", "on": position.top}
    if asks != TURN:
        return None
    return action_to_json(clock_action(position)) | {"on": position.top}


def _mirror_since(state: LiveState, seat: int) -> Moment:
    """Return when the top card came, or the latest card of the seat if it was drawn later."""
    moments = [moment for moment in (state.top_since, state.drew_since[seat]) if moment is not None]
    return max(moments, key=lambda moment: moment.number)
