"""What a live table keeps of the round so far: what was seen, who was first, who drew when."""

from __future__ import annotations

from ekoes.games.changing import changed
from ekoes.games.ekko.action import Action, Mirror, Play
from ekoes.games.ekko.live.entry import Entry, First, Moment, Receipt, Round
from ekoes.games.ekko.live.state import LiveState, Shown
from ekoes.games.ekko.position import EkkoPosition
from ekoes.games.ekko.rules.record import Ending, Phase

__all__ = ["drawn", "moved", "with_first", "with_moments", "with_round"]


def moved(state: LiveState, position: EkkoPosition) -> LiveState:
    """Return the state in its next position, which the players now see (K7.2)."""
    shown, top = state.shown, position.top
    if top is not None:
        now = Shown(top, position.player, position.last, position.again, position.leaving, position.blocked)
        shown = (*(each for each in shown if each.top != top), now)
    return changed(state, position=position, shown=shown)


def with_moments(state: LiveState, entry: Entry) -> LiveState:
    """Note when the top card came and who drew when."""
    now = Moment(state.length, entry.at)
    drew = {seat for seat, _ in entry.draws}
    since = tuple(now if seat in drew else moment for seat, moment in enumerate(state.drew_since))
    is_covered = isinstance(entry.action, Play | Mirror)
    return changed(state, drew_since=since, top_since=now if is_covered else state.top_since)


def with_first(state: LiveState, on: int, entry: Entry, action: Play | Mirror) -> LiveState:
    """Note the card that was first on a top card; a mirror tells that, and keeps the losers of its claim."""
    is_mirror = isinstance(action, Mirror)
    came_at = state.claim.at if is_mirror and state.claim is not None else entry.at
    first = First(on, entry.seat, action.card, came_at, is_mirror, entry.by_clock)
    noted = changed(state, firsts=(*state.firsts, first))
    if not is_mirror:
        return noted
    begun = state.receipt
    is_same = begun is not None and (begun.first.seat, begun.first.at) == (entry.seat, came_at)
    losers = begun.losers if begun is not None and is_same else ()
    return changed(noted, receipt=Receipt(state.length, first, losers))


def with_round(state: LiveState, before: EkkoPosition, seat: int, action: Action) -> LiveState:
    """Note how the round ended, if it has, after a decision of a seat. Rule: K5."""
    end = state.position.round_end
    if state.position.phase not in {Phase.DEAL, Phase.OVER} or end is None:
        return state
    by = end.by if end.ending is not Ending.PILE_EMPTY and end.by < before.players else None
    reason = end.ending.name.lower().replace("_", "-")
    hands = _left(before, seat, action) if state.options.open_hands else ()
    finished = Round(before.dealer, end.points, end.sizes, state.position.scores, reason, by, hands)
    return changed(state, rounds=(*state.rounds, finished), receipt=None)


def _left(before: EkkoPosition, seat: int, action: Action) -> tuple[tuple[int, ...], ...]:
    """Return the hands at the end of a round, which go with it, unless it is the last."""
    last = EkkoPosition(before.states.copy())
    last.states["target"] = 0
    return tuple(map(tuple, last.play(seat, action).hands))


def drawn(
    before: EkkoPosition, after: EkkoPosition, seat: int, action: Action
) -> tuple[tuple[int, int], ...]:
    """Return who drew how many cards through an action of a seat, clockwise from seat 0.

    Hand sizes tell it also where the round has ended, and the position speaks of the next one.
    """
    end = after.round_end if after.phase in {Phase.DEAL, Phase.OVER} else None
    sizes = [len(hand) for hand in after.hands] if end is None else list(end.sizes)
    spent = [0] * before.players
    if isinstance(action, Play | Mirror):
        has_aside = isinstance(action, Mirror) and action.aside is not None
        spent[seat] = 2 if has_aside else 1
    drew = [size - len(hand) + out for size, hand, out in zip(sizes, before.hands, spent, strict=True)]
    return tuple((each, number) for each, number in enumerate(drew) if number)
