"""Judging the record of a live table: the machine hears what arrived, and must come to what is said.

A record holds no passes outside a reaction time, and not when a window ended without a claim; so a
window may have ended whenever something comes that it would have kept from coming.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from ekoes.errors import EkoesError, IllegalActionError, RecordError
from ekoes.games.contract import CHANCE, Outcome
from ekoes.games.ekko.action import Close, Deal, Mirror, Pass
from ekoes.games.ekko.live import clock, course
from ekoes.games.ekko.live.arrived import intent_of, seen_card
from ekoes.games.ekko.live.entry import Entry, Stage, Verdict
from ekoes.games.ekko.live.judge import judged, resigned
from ekoes.games.ekko.live.options import LiveOptions
from ekoes.games.ekko.live.so_far import moved
from ekoes.games.ekko.live.state import LiveState
from ekoes.games.ekko.position import EkkoPosition
from ekoes.games.ekko.referee import check_resignation
from ekoes.games.ekko.remarks import Late, Ready, Resign
from ekoes.games.recording import Decision

__all__ = ["LiveReferee"]

_BEGIN = datetime(2000, 1, 1, tzinfo=UTC)
"""Any moment: a record counts from the first deal."""


class LiveReferee:
    """Judges what arrived at a live table, in the order in which it came. Rule: K7.

    state: of the machine, None before the first decision. due: what the machine did by itself and the
    record has yet to say.
    """

    def __init__(self, options: LiveOptions) -> None:
        """Know the options of the table."""
        self.options = options
        self.state: LiveState | None = None
        self.due: tuple[Entry, ...] = ()
        self.now = 0

    def play(self, position: EkkoPosition, decision: Decision) -> EkkoPosition:
        """Judge what arrived and return the position after it. Raises EkoesError."""
        if decision.arrival is None:
            raise RecordError("the record of a live table says when each intent came, as in {at 4.2}")
        if decision.arrival.at < self.now:
            raise RecordError("comes earlier than what stands before it")
        self.now = decision.arrival.at
        state = self.state or _begun(self.options, position)
        _check_seat(state, decision)
        if not self.due:
            self.state, self.due = _done(state, decision, _BEGIN + timedelta(milliseconds=self.now))
        if not self.due or (_may_come_to_nothing(decision) and self.due[0].action != decision.action):
            return position
        entry, *rest = self.due
        _check_entry(entry, decision)
        self.due = tuple(rest)
        return position if entry.position is None else entry.position

    def check_result(self, said: Outcome, position: EkkoPosition) -> None:
        """Check a resignation. Raises RecordError."""
        check_resignation(said, position)


def _begun(options: LiveOptions, position: EkkoPosition) -> LiveState:
    """Return the machine where a record begins: before a deal, or in the midst of a round."""
    people = frozenset(range(position.players))
    state = LiveState(options=options, position=position, people=people, began=_BEGIN)
    return course.begin_round(moved(state, position), _BEGIN)


def _may_come_to_nothing(decision: Decision) -> bool:
    return isinstance(decision.action, Ready | Pass)


def _check_seat(state: LiveState, decision: Decision) -> None:
    if (decision.seat == CHANCE) != isinstance(decision.action, Deal | Close):
        raise IllegalActionError("the table deals and closes, the seats do all else", rule="K7.4")
    if isinstance(decision.action, Pass) and state.needs_deal:
        raise IllegalActionError("there is nothing to pass", rule="K7.4")


def _done(state: LiveState, decision: Decision, at: datetime) -> tuple[LiveState, tuple[Entry, ...]]:
    """Return the state after what arrived, and the entries it brought."""
    if state.outcome is not None:
        raise IllegalActionError("the game is over", rule=state.outcome.rule)
    _check_unclaimed(state, decision)
    match decision.action:
        case Ready():
            return state, ()
        case Resign():
            return _new(state, resigned(state, decision.seat, at))
        case Deal(order):
            dealt, entries = _new(state, course.deal(state, order, at))
            return course.begin_round(dealt, at), entries
        case Close():
            return _new(state, _closed(state, at))
        case _ if decision.arrival is not None and decision.arrival.is_clock:
            return _new(state, _struck(state, decision, at))
        case _:
            return _sent(state, decision, at)


def _new(before: LiveState, after: LiveState) -> tuple[LiveState, tuple[Entry, ...]]:
    """Return a state and its entries that are new; those of a window stand where they came."""
    taken, entries = after.taken()
    return taken, tuple(each for each in (*entries, *taken.withheld) if each not in before.withheld)


def _check_unclaimed(state: LiveState, decision: Decision) -> None:
    """Refuse what can't be while a mirror's effect is open, or its window. Rule: K3.2."""
    action, claim = decision.action, state.claim
    is_harmless = isinstance(action, Late | Pass | Ready | Resign | Deal)
    if claim is None or is_harmless or (decision.arrival is not None and decision.arrival.is_clock):
        return
    if not (isinstance(action, Mirror) and (claim.seat, claim.card) == (decision.seat, action.card)):
        raise IllegalActionError("a mirror has been claimed and its effect comes first", rule="K3.2")


def _closed(state: LiveState, at: datetime) -> LiveState:
    """End the reaction time; if everybody had passed, the machine would have done so. Rule: K7.4."""
    ended = _ended(state, at)
    if state.stage is Stage.LEAVING and ended is state:
        message = "the reaction time is not over, and not everybody has passed"
        raise IllegalActionError(message, rule="K7.4")
    return ended if state.stage is Stage.LEAVING else course.perform(state, CHANCE, Close(), at)


def _ended(state: LiveState, at: datetime) -> LiveState:
    """Return the state after its window, or its reaction time if that was over; itself if it can't be."""
    ends = clock.ends_at(state)
    has_ended = state.stage is Stage.LEAVING and ends is not None and ends <= at
    return course.end_window(state, at) if has_ended or state.stage is Stage.WINDOW else state


def _struck(state: LiveState, decision: Decision, at: datetime) -> LiveState:
    """Do what the clock does for a player. Rule: K7.5."""
    if state.options.turn_clock is None:
        raise IllegalActionError("this table has no turn clock (tag TurnClock)", rule="K7.5")
    waiting = _ended(state, at)
    if waiting.stage in {Stage.RACE, Stage.EFFECT}:
        after = course.strike(waiting, at)
        entry = after.entries[-1]
        if (entry.seat, entry.action) == (decision.seat, _with_answered(decision.action, entry)):
            return after
    raise IllegalActionError("the clock does something else", rule="K7.5")


def _sent(state: LiveState, decision: Decision, at: datetime) -> tuple[LiveState, tuple[Entry, ...]]:
    """Judge an intent, in a window that may be over if it could not have come there."""
    ended = _ended(state, at)
    try:
        after, entries = _judged(state, decision, at)
    except EkoesError:
        if ended is state:
            raise
    else:
        is_said = _may_come_to_nothing(decision) or not entries or _is_said(entries[0], decision)
        if ended is state or is_said:
            return after, entries
    over, played = _new(state, ended)
    return (over, played) if played else _judged(over, decision, at)


def _judged(state: LiveState, decision: Decision, at: datetime) -> tuple[LiveState, tuple[Entry, ...]]:
    """Judge an intent. Raises IllegalActionError in words of the table."""
    intent = intent_of(state, decision)
    try:
        return _new(state, judged(state, decision.seat, intent, at))
    except EkoesError as error:
        if decision.action == Late(None) and state.first(on := seen_card(decision)) is None:
            message = f"nothing was quicker: {on} has not been covered"
            raise IllegalActionError(message, rule="K7.2") from error
        message = f"the table would say {Verdict.REFUSED.value!r}: {error.message}"
        raise IllegalActionError(message, rule=error.rule or "K7.2") from error


def _check_entry(entry: Entry, decision: Decision) -> None:
    """Hold what the record says against what the machine came to. Raises EkoesError."""
    if not _is_said(entry, decision):
        said = Verdict.MIRROR if entry.verdict is Verdict.CLAIM else entry.verdict
        raise IllegalActionError(f"the table would say {said.value!r}", rule="K7.2")
    if decision.arrival is not None and decision.arrival.behind != entry.behind:
        raise RecordError(f"by the times of arrival it was {entry.behind} ms behind")


def _is_said(entry: Entry, decision: Decision) -> bool:
    return (entry.seat, entry.action) == (decision.seat, _with_answered(decision.action, entry))


def _with_answered(action: object, entry: Entry) -> object:
    """Return a mirror with the card that it answers, which its notation may leave out."""
    if isinstance(action, Mirror) and action.on is None and isinstance(entry.action, Mirror):
        return replace(action, on=entry.action.on)
    return action
