"""Referees for records of EKKO: sequences of decisions (K6), and live tables replayed by arrival (K7)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from ekoes.errors import EkoesError, IllegalActionError, RecordError
from ekoes.games.api.contract import CHANCE, Outcome, RefusedError
from ekoes.games.api.table import Decision
from ekoes.games.ekko.live import machine
from ekoes.games.ekko.live.judge import (
    ChooseEffect,
    DrawCard,
    IntentAction,
    LetPass,
    MirrorCard,
    PlayCard,
    apply_intent,
    resign,
)
from ekoes.games.ekko.live.state import Entry, LiveOptions, LiveState, Stage, Verdict
from ekoes.games.ekko.position.action import (
    Claim,
    Close,
    Deal,
    Draw,
    Late,
    Mirror,
    Misplay,
    Pass,
    Ready,
    Remark,
    Resign,
)
from ekoes.games.ekko.position.position import EkkoPosition
from ekoes.games.ekko.position.refusal import refusal


def check_resignation(result: Outcome, position: EkkoPosition) -> None:
    """Check a resignation (of two players) or an agreement (no winner). Raises RecordError."""
    if result.reason == "agreement":
        if result.winners:
            raise RecordError("no player wins by agreement")
        return
    if position.players != 2 or len(result.winners) != 1:
        raise RecordError("a resignation ends a game for two, and the other player wins")


class SequenceReferee:
    """Judges a sequence of decisions, without a live table. Rule: K6.3."""

    def play(self, position: EkkoPosition, decision: Decision) -> EkkoPosition:
        """Play a decision. Raises EkoesError."""
        action = decision.action
        is_live = isinstance(action, Misplay | Close | Remark)
        if is_live or (isinstance(action, Mirror) and action.on is not None) or decision.arrival is not None:
            raise IllegalActionError("is only allowed in the record of a live table (tag Live)", rule="K6.3")
        return position.play(decision.seat, action)

    check_result = staticmethod(check_resignation)


def intent_of(state: LiveState, decision: Decision) -> IntentAction:
    """Return the intent of a decision, before it is judged. Raises RecordError, RefusedError."""
    match decision.action:
        case Pass():
            return LetPass.model_construct(on=_answered(state, decision))
        case Draw():
            return DrawCard.model_construct(on=_answered(state, decision))
        case Late(card=None):
            return DrawCard.model_construct(on=seen_card(decision))
        case Mirror(effect=effect, aside=aside) if state.stage is Stage.EFFECT:
            if state.seen(seen_card(decision)) is None:
                raise RefusedError(refusal("never-top"))
            return ChooseEffect.model_construct(effect=effect.value, aside=aside)
        case Mirror(card=card, effect=effect, aside=aside):
            on = seen_card(decision)
            return MirrorCard.model_construct(card=card, on=on, effect=effect.value, aside=aside)
        case Claim(card=card):
            return MirrorCard.model_construct(card=card, on=seen_card(decision))
        case action:
            return PlayCard.model_construct(card=action.card, on=seen_card(decision), round=state.round)


def seen_card(decision: Decision) -> int:
    """Return the top card that the player saw. Raises RecordError if it is missing."""
    if decision.arrival is None or decision.arrival.saw is None:
        raise RecordError("a card comes with the top card that its player saw, as in {at 4.2, saw 38}")
    return decision.arrival.saw


def _answered(state: LiveState, decision: Decision) -> int:
    """Return the top card that the player saw; optional for a pass or a draw."""
    saw = None if decision.arrival is None else decision.arrival.saw
    return saw if saw is not None else state.position.top or 0


_BEGIN = datetime(2000, 1, 1, tzinfo=UTC)
"""An arbitrary start; a record counts time from the first deal."""


class LiveReferee:
    """Judges the intents of a live table in the order of arrival. Rule: K7.

    state: None before the first decision. due: log entries that the record must contain next.
    """

    def __init__(self, options: LiveOptions) -> None:
        self.options = options
        self.state: LiveState | None = None
        self.due: tuple[Entry, ...] = ()
        self.now = 0

    def play(self, position: EkkoPosition, decision: Decision) -> EkkoPosition:
        """Judge an arrival and return the position after it. Raises EkoesError."""
        if decision.arrival is None:
            raise RecordError("the record of a live table says when each intent came, as in {at 4.2}")
        if decision.arrival.at < self.now:
            raise RecordError("is earlier than the entry before it")
        self.now = decision.arrival.at
        state = self.state or _begun(self.options, position)
        _check_seat(state, decision)
        if not self.due:
            self.state, self.due = _done(state, decision, _BEGIN + timedelta(milliseconds=self.now))
        if not self.due or (
            isinstance(decision.action, Ready | Pass) and self.due[0].action != decision.action
        ):
            return position
        entry, *rest = self.due
        _check_entry(entry, decision)
        self.due = tuple(rest)
        return position if entry.position is None else entry.position

    check_result = staticmethod(check_resignation)


def _begun(options: LiveOptions, position: EkkoPosition) -> LiveState:
    """Return the state in which a record begins: before a deal, or during a round."""
    people = frozenset(range(position.players))
    state = LiveState(options=options, position=position, people=people, began=_BEGIN)
    return machine.begin_round(state, _BEGIN)


def _check_seat(state: LiveState, decision: Decision) -> None:
    if (decision.seat == CHANCE) != isinstance(decision.action, Deal | Close):
        raise IllegalActionError(
            "only the table deals and closes; all other actions belong to the seats", rule="K7.4"
        )
    if isinstance(decision.action, Pass) and state.needs_deal:
        raise IllegalActionError("there is nothing to pass", rule="K7.4")


def _done(state: LiveState, decision: Decision, at: datetime) -> tuple[LiveState, tuple[Entry, ...]]:
    """Return the state after an arrival, and its new entries.

    The next round begins with its first decision: until then, late cards are of the one before.
    """
    if state.outcome is not None:
        raise IllegalActionError("the game is over", rule=state.outcome.rule)
    is_beside = state.ended is not None and isinstance(decision.action, Late | Ready | Resign)
    if state.stage is Stage.LOOK and not is_beside:
        state = machine.begin_round(state, at)
    _check_unclaimed(state, decision)
    match decision.action:
        case Ready():
            return state, ()
        case Resign():
            return _new(state, resign(state, decision.seat, at))
        case Deal() as action:
            return _new(state, machine.deal(state, action, at))
        case Close():
            return _new(state, _closed(state, at))
        case _ if decision.arrival is not None and decision.arrival.is_clock:
            return _new(state, _struck(state, decision, at))
        case _:
            return _sent(state, decision, at)


def _new(before: LiveState, after: LiveState) -> tuple[LiveState, tuple[Entry, ...]]:
    """Return a state and its new entries, including withheld ones."""
    taken, entries = after.taken()
    return taken, tuple(each for each in (*entries, *taken.withheld) if each not in before.withheld)


def _check_unclaimed(state: LiveState, decision: Decision) -> None:
    """Refuse decisions that are impossible while a mirror is open. Rule: K3.2."""
    action, claim = decision.action, state.claim
    is_harmless = isinstance(action, Late | Pass | Ready | Resign | Deal)
    if claim is None or is_harmless or (decision.arrival is not None and decision.arrival.is_clock):
        return
    if not (isinstance(action, Mirror) and (claim.seat, claim.card) == (decision.seat, action.card)):
        raise IllegalActionError("a mirror has been claimed and its effect comes first", rule="K3.2")


def _closed(state: LiveState, at: datetime) -> LiveState:
    """End the reaction time. Raises IllegalActionError if it is not over. Rule: K7.4."""
    ended = _ended(state, at)
    if state.stage is Stage.LEAVING and ended is state:
        message = "the reaction time is not over, and not all players have passed"
        raise IllegalActionError(message, rule="K7.4")
    return ended if state.stage is Stage.LEAVING else machine.perform(state, CHANCE, Close(), at)


def _ended(state: LiveState, at: datetime) -> LiveState:
    """Return the state after its window or reaction time if that has ended, else the same state."""
    ends = state.ends_at()
    has_ended = state.stage is Stage.LEAVING and ends is not None and ends <= at
    return machine.end_window(state, at) if has_ended or state.stage is Stage.WINDOW else state


def _struck(state: LiveState, decision: Decision, at: datetime) -> LiveState:
    """Apply a decision by the clock. Rule: K7.5."""
    if state.options.turn_clock is None:
        raise IllegalActionError("this table has no turn clock (tag TurnClock)", rule="K7.5")
    waiting = _ended(state, at)
    if waiting.stage in {Stage.RACE, Stage.EFFECT}:
        after = machine.time_out(waiting, at)
        entry = after.entries[-1]
        if (entry.seat, entry.action) == (decision.seat, _with_answered(decision.action, entry)):
            return after
    raise IllegalActionError("the clock requires another action", rule="K7.5")


def _sent(state: LiveState, decision: Decision, at: datetime) -> tuple[LiveState, tuple[Entry, ...]]:
    """Apply an intent in the current window, or after its end if the window does not accept it."""
    ended = _ended(state, at)
    try:
        after, entries = _judged(state, decision, at)
    except EkoesError:
        if ended is state:
            raise
    else:
        is_same = isinstance(decision.action, Ready | Pass) or not entries or _is_same(entries[0], decision)
        if ended is state or is_same:
            return after, entries
    over, played = _new(state, ended)
    return (over, played) if played else _judged(over, decision, at)


def _judged(state: LiveState, decision: Decision, at: datetime) -> tuple[LiveState, tuple[Entry, ...]]:
    """Apply an intent. Raises IllegalActionError with the verdict of the table."""
    intent = intent_of(state, decision)
    try:
        return _new(state, apply_intent(state, decision.seat, intent, at))
    except EkoesError as error:
        if decision.action == Late(None) and state.first(on := seen_card(decision)) is None:
            message = f"nothing was quicker: {on} has not been covered"
            raise IllegalActionError(message, rule="K7.2") from error
        message = f"the table would say {Verdict.REFUSED.value!r}: {error.message}"
        raise IllegalActionError(message, rule=error.rule or "K7.2") from error


def _check_entry(entry: Entry, decision: Decision) -> None:
    """Compare the next entry of the record with the log. Raises EkoesError."""
    if not _is_same(entry, decision):
        verdict = Verdict.MIRROR if entry.verdict is Verdict.CLAIM else entry.verdict
        raise IllegalActionError(f"the table would say {verdict.value!r}", rule="K7.2")
    if decision.arrival is not None and decision.arrival.behind != entry.behind:
        raise RecordError(f"by the times of arrival it was {entry.behind} ms behind")


def _is_same(entry: Entry, decision: Decision) -> bool:
    return (entry.seat, entry.action) == (decision.seat, _with_answered(decision.action, entry))


def _with_answered(action: object, entry: Entry) -> object:
    """Add to a mirror the card that it answers, which is optional in the notation."""
    if isinstance(action, Mirror) and action.on is None and isinstance(entry.action, Mirror):
        return replace(action, on=entry.action.on)
    return action
