"""What comes too late to a live table. Rule: K3.5, K7.2."""

from __future__ import annotations

from datetime import datetime

from ekoes.games.changing import changed
from ekoes.games.ekko import remarks
from ekoes.games.ekko.live import course
from ekoes.games.ekko.live.entry import Entry, First, Loser, Receipt, Verdict
from ekoes.games.ekko.live.state import LiveState
from ekoes.games.ekko.refusal import refusal
from ekoes.games.refused import RefusedError

__all__ = ["too_late"]


def too_late(state: LiveState, seat: int, card: int | None, on: int, at: datetime) -> LiveState:
    """Note what came too late (card None: a draw), and by how much; it goes back to the hand.

    Once is enough: the same again leaves no trace. Raises RefusedError if nothing was quicker.
    """
    if (seat, card, on) in state.late:
        return state
    first = state.first(state.answered(seat, card, on))
    if first is None:
        raise RefusedError(refusal("play-late"))
    behind = first.behind(state.began or at, at)
    action, position = remarks.Late(card), state.position
    entry = Entry(position.round, seat, action, Verdict.LATE, at, position, on=on, behind=behind)
    noted = changed(course.note(state, entry), late=state.late | {(seat, card, on)})
    return noted if card is None else _with_loser(noted, first, Loser(seat, card, behind))


def _with_loser(state: LiveState, first: First, loser: Loser) -> LiveState:
    begun = state.receipt
    is_same = begun is not None and (begun.first.seat, begun.first.card) == (first.seat, first.card)
    losers = (*begun.losers, loser) if begun is not None and is_same else (loser,)
    return changed(state, receipt=Receipt(state.length, first, losers))
