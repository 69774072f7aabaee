"""Judging what a player sends, in the order in which it comes. Rule: K3.5, K4, K7."""

from __future__ import annotations

from datetime import datetime

from ekoes.errors import TableError
from ekoes.games.changing import changed
from ekoes.games.contract import Outcome
from ekoes.games.ekko import remarks
from ekoes.games.ekko.action import Draw, Effect, Mirror, Pass
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.intents import (
    ChooseEffect,
    DrawCard,
    IntentAction,
    LetPass,
    MirrorCard,
    PlayCard,
    SayReady,
)
from ekoes.games.ekko.live import course, hand, silence
from ekoes.games.ekko.live.cards import judge_draw
from ekoes.games.ekko.live.entry import Entry, Stage, Verdict
from ekoes.games.ekko.live.late import too_late
from ekoes.games.ekko.live.put import check_effect, hasty, put
from ekoes.games.ekko.live.state import LiveState
from ekoes.games.ekko.refusal import refusal
from ekoes.games.refused import RefusedError

__all__ = ["drawn", "judged", "resigned", "with_people"]


def judged(state: LiveState, seat: int, action: IntentAction, at: datetime) -> LiveState:
    """Return the state after what a player sent; itself if it comes to nothing any more.

    Raises: IllegalActionError naming the rule, TableError.
    """
    if isinstance(action, SayReady):
        return _ready(state, seat, action.round, at)
    if isinstance(action, PlayCard | MirrorCard) and (action.round or 0) not in {0, state.position.round}:
        raise RefusedError(refusal("never-top"))  # of another round: it can't come to anything in this one
    if state.stage in {Stage.WAITING, Stage.LOOK}:
        return _before_the_round(state, seat, action, at)
    match action:
        case PlayCard() | MirrorCard():
            return put(state, seat, action, at)
        case ChooseEffect():
            return _effect(state, seat, action, at)
        case DrawCard(on=on):
            return _draw(state, seat, on, at)
        case LetPass(on=on):
            return _pass(state, seat, on, at)


def _before_the_round(state: LiveState, seat: int, action: IntentAction, at: datetime) -> LiveState:
    """Judge what comes before the first card is turned over: nobody has seen it (K7.2)."""
    if isinstance(action, LetPass):
        return state  # the reaction time ended while it was on its way
    if isinstance(action, PlayCard | MirrorCard) and hand.may_be_hasty(state, seat):
        return hasty(state, seat, at)
    raise TableError("the round has not begun", code="table/not-now", rule="K1.3")


def resigned(state: LiveState, seat: int, at: datetime) -> LiveState:
    """Let a player go: of two, the other wins; else nobody waits for this one any more."""
    position = state.position
    entry = Entry(position.round, seat, remarks.Resign(), Verdict.RESIGN, at, position)
    noted = course.note(state, entry)
    if position.players == 2:
        outcome = Outcome((1 - seat,), "resignation", EKKO.table_ends.rules()["resignation"])
        return course.enter(changed(noted, outcome=outcome), Stage.OVER, at)
    left = hand.released(changed(noted, people=noted.people - {seat}), seat)
    return _begun_if_ready(left, at)


def drawn(state: LiveState, at: datetime) -> LiveState:
    """End the game without a winner, as all have agreed: the totals stand as they are. Rule: K5.6."""
    outcome = Outcome((), "agreement", EKKO.table_ends.rules()["agreement"])
    return course.enter(changed(state, outcome=outcome), Stage.OVER, at)


def with_people(state: LiveState, people: frozenset[int], at: datetime) -> LiveState:
    """Go on with persons at other seats: who comes has all their time, and nobody waits for who left."""
    after = changed(state, people=people)
    for seat in sorted(people ^ state.people):
        after = silence.heard(after, seat)
    return _begun_if_ready(after, at)


def _ready(state: LiveState, seat: int, number: int, at: datetime) -> LiveState:
    """Note that a player has seen the hand; who says so too late has said so all the same. Rule: K1.3."""
    if number > state.position.round:
        raise TableError("this round has not been dealt", code="table/not-now")
    if state.stage is not Stage.LOOK or number < state.position.round or seat in state.ready:
        return state
    return _begun_if_ready(changed(state, ready=state.ready | {seat}), at)


def _begun_if_ready(state: LiveState, at: datetime) -> LiveState:
    """Begin the round if all people have seen their hands."""
    is_ready = state.stage is Stage.LOOK and state.people and state.ready >= state.people
    return course.begin_round(state, at) if is_ready else state


def _effect(state: LiveState, seat: int, sent: ChooseEffect, at: datetime) -> LiveState:
    claim = state.claim
    if state.stage is not Stage.EFFECT or claim is None or claim.seat != seat:
        raise TableError("you have no mirror that waits for its effect", code="table/not-now", rule="K3.2")
    mirror = Mirror(claim.card, Effect(sent.effect), sent.aside, claim.on)
    check_effect(state, seat, mirror)
    return course.perform(state, seat, mirror, at, saw=claim.on)


def _draw(state: LiveState, seat: int, on: int, at: datetime) -> LiveState:
    """Draw, unless another card has come upon the one that the player saw. Rule: K2.2, K7.2."""
    position, answered = state.position, state.answered(seat, None, on)
    is_claimed = state.stage is Stage.EFFECT and answered == position.top
    seen = state.seen(answered)
    if seen is None:
        raise RefusedError(refusal("never-top"))
    if is_claimed and state.claim is not None and state.claim.seat == seat:
        raise TableError("the mirror's player chooses its effect first", code="table/not-now", rule="K3.2")
    if is_claimed or answered != position.top:
        if seen.player != seat:
            raise RefusedError(refusal("not-your-turn"))
        return too_late(state, seat, None, on, at)
    reason = judge_draw(position, seat)
    if reason is not None:
        raise RefusedError(reason)
    if state.has_window:
        raise TableError("everybody may still claim a mirror", code="table/not-now", rule="K3.2")
    return course.perform(state, seat, Draw(), at, saw=on)


def _pass(state: LiveState, seat: int, on: int, at: datetime) -> LiveState:
    """Note that a player lets the mirror go by; where that is no longer asked, nothing. Rule: K7.4."""
    position = state.position
    if state.seen(on) is None:
        raise RefusedError(refusal("never-top"))
    is_asked = state.stage in {Stage.WINDOW, Stage.LEAVING} and on == position.top
    if not is_asked or seat == position.leaving or seat in state.decided:
        return state
    after = changed(state, passed=state.passed | {seat})
    if state.stage is Stage.LEAVING:
        entry = Entry(position.round, seat, Pass(), Verdict.PASS, at, position, on=on)
        if state.has_window:
            after = changed(after, withheld=(*state.withheld, entry))
        else:
            after = course.note(after, entry)
    return course.ended_if_all_decided(after, at)
