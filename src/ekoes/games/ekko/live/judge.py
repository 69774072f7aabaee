"""Parses the intents of players and applies them in the order of arrival (K3.4, K3.5, K4, K7)."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from ekoes.errors import TableError
from ekoes.games.api.contract import Json, Outcome, RefusedError
from ekoes.games.api.reading import Strict, read_message
from ekoes.games.api.values import changed
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.live import machine
from ekoes.games.ekko.live.machine import Judgement, judge_card, late_code
from ekoes.games.ekko.live.state import Entry, First, LiveState, Loser, OpenMirror, Receipt, Stage, Verdict
from ekoes.games.ekko.position.action import Draw, Effect, Late, Mirror, Misplay, Pass, Play, Resign
from ekoes.games.ekko.position.refusal import refusal
from ekoes.games.ekko.rules.record import CARDS

Card = Annotated[int, Field(ge=1, le=CARDS)]
"""The number of a card (K1.1)."""
Round = Annotated[int, Field(ge=1)]
"""The number of a round (K1.2)."""


class PlayCard(Strict):
    """Play a card on the top card that the player sees (K7.2); its mirror is a claim (K3.4).

    round: the round in which it was sent; None: the current one. A card of an earlier round is refused.
    """

    type: Literal["play"] = "play"
    card: Card
    on: Card
    round: Round | None = None


class MirrorCard(Strict):
    """Claim the mirror of the top card, with its effect if already chosen (K3.2)."""

    type: Literal["mirror"] = "mirror"
    card: Card
    on: Card
    round: Round | None = None
    effect: Literal["discard", "draw"] | None = None
    aside: Card | None = None


class ChooseEffect(Strict):
    """Choose the effect of a claimed mirror (K3.2)."""

    type: Literal["effect"] = "effect"
    effect: Literal["discard", "draw"]
    aside: Card | None = None


class DrawCard(Strict):
    """Draw, with no valid card on the top card that the player sees (K2.2)."""

    type: Literal["draw"] = "draw"
    on: Card


class LetPass(Strict):
    """Pass on the mirror of the top card (K7.4)."""

    type: Literal["pass"] = "pass"
    on: Card


class SayReady(Strict):
    """Confirm that the player has seen the hand (K1.3)."""

    type: Literal["ready"] = "ready"
    round: Round


IntentAction = PlayCard | MirrorCard | ChooseEffect | DrawCard | LetPass | SayReady

_INTENTS: TypeAdapter[IntentAction] = TypeAdapter(Annotated[IntentAction, Field(discriminator="type")])


def read_intent(value: Json) -> IntentAction:
    """Read an intent, the ``action`` of a message. Raises NotationError naming the key."""
    return read_message(_INTENTS, value, "action")


def _note_late(state: LiveState, seat: int, card: int | None, on: int, at: datetime) -> LiveState:
    """Log a card (None: a draw) that came too late, once. Raises RefusedError if nothing came first.

    A race of a round that is over has no receipt.
    """
    if (seat, card, on) in state.late:
        return state
    answered = state.answered(seat, card, on)
    first, behind = state.first(answered), state.behind(answered, at)
    if behind is None:
        raise RefusedError(refusal("play-late"))
    entry = Entry(state.round, seat, Late(card), Verdict.LATE, at, state.position, on=on, behind=behind)
    noted = changed(state.note(entry), late=state.late | {(seat, card, on)})
    if card is None or first is None or state.ended is not None:
        return noted
    return _with_loser(noted, first, Loser(seat, card, behind))


def _with_loser(state: LiveState, first: First, loser: Loser) -> LiveState:
    begun = state.receipt
    is_same = begun is not None and (begun.first.seat, begun.first.card) == (first.seat, first.card)
    losers = (*begun.losers, loser) if begun is not None and is_same else (loser,)
    return changed(state, receipt=Receipt(state.length, first, losers))


def _card(state: LiveState, seat: int, sent: PlayCard | MirrorCard, at: datetime) -> LiveState:
    """Apply a card; the mirror of the top card is a claim, however it was sent (K3.4)."""
    judgement = _judge(state, seat, sent)
    is_busy = at < state.free_at(seat, at)
    match judgement.verdict:
        case Verdict.LATE:
            return _note_late(state, seat, sent.card, sent.on, at)
        case Verdict.REFUSED if state.seen(sent.on) is None and state.may_be_hasty(seat):
            return _refuse_haste(state, seat, at)
        case Verdict.REFUSED:
            raise RefusedError(judgement.refusal or refusal("never-top"))
        case verdict if is_busy and (verdict is Verdict.MISPLAY or not state.options.calm):
            raise RefusedError(refusal("hand-busy"))
        case Verdict.MIRROR:
            return _claim(state, _claim_of(state, seat, sent, at), at)
        case Verdict.PLAY:
            return machine.perform(state, seat, Play(sent.card), at, saw=sent.on)
        case _:
            return machine.perform(state, seat, Misplay(sent.card), at, saw=sent.on)


def _refuse_haste(state: LiveState, seat: int, at: datetime) -> LiveState:
    """Refuse cards of a seat for a while after it answered a card that was not on top yet. Rule: K7.2."""
    if at < state.free_at(seat, at):
        raise RefusedError(refusal("hand-busy"))
    return state.with_busy_hand(seat, at + timedelta(milliseconds=machine.AFTER_HASTE))


def _judge(state: LiveState, seat: int, sent: PlayCard | MirrorCard) -> Judgement:
    """Judge a card at this stage. Raises TableError if no card can be played now.

    While claims are collected, and out of turn in calm mode, nothing is a misplay.
    """
    is_open = _is_open(state, seat)
    on = state.answered(seat, sent.card, sent.on)
    seen = state.seen(on)
    misplays = state.options.misplays and is_open and (seen is not None or state.may_be_hasty(seat))
    judgement = judge_card(state.position, seat, sent.card, on, seen, misplays=misplays)
    if is_open or judgement.verdict in {Verdict.LATE, Verdict.REFUSED}:
        return judgement
    if state.choosing is not None:
        return _beside_a_claim(state.choosing, seat, judgement)
    return _in_a_window(state, seat, judgement)


def _is_open(state: LiveState, seat: int) -> bool:
    """Return whether a seat may play any card now, risking a misplay."""
    is_collecting = state.stage is Stage.EFFECT or state.has_window
    return not is_collecting and (not state.options.calm or seat == state.position.player)


def _beside_a_claim(claim: OpenMirror, seat: int, judgement: Judgement) -> Judgement:
    """Judge a card while an effect is being chosen: a valid card of another seat is late."""
    if judgement.verdict is Verdict.PLAY and seat != claim.seat:
        return Judgement(Verdict.LATE)
    raise TableError("the mirror's player chooses its effect first", code="table/not-now", rule="K3.2")


def _in_a_window(state: LiveState, seat: int, judgement: Judgement) -> Judgement:
    """Judge a card in calm mode, where only mirrors are accepted, and only in a window."""
    if not state.has_window:
        return Judgement(Verdict.REFUSED, refusal("nothing-asked"))
    if seat in state.decided:
        raise TableError("you have decided", code="table/not-now", rule="K7.4")
    if judgement.verdict is Verdict.PLAY:
        raise TableError("any player may still claim a mirror", code="table/not-now", rule="K3.2")
    return judgement


def _claim_of(state: LiveState, seat: int, sent: PlayCard | MirrorCard, at: datetime) -> OpenMirror:
    """Return the claim of a mirror. Raises RefusedError if its effect is not possible."""
    on = state.position.top or sent.on  # the player may have seen another one (K3.4)
    if isinstance(sent, PlayCard) or sent.effect is None:
        return OpenMirror(seat, sent.card, on, at)
    mirror = Mirror(sent.card, Effect(sent.effect), sent.aside, on)
    check_effect(state, seat, mirror)
    return OpenMirror(seat, sent.card, on, at, sent.effect, sent.aside)


def check_effect(state: LiveState, seat: int, mirror: Mirror) -> None:
    """Raise RefusedError unless a mirror may be played with this effect. Rule: K3.2, K3.4."""
    if mirror.effect is Effect.DRAW and mirror.aside is not None:
        raise TableError("the effect draw names no card put aside", code="table/wrong-effect", rule="K3.2")
    reason = state.position.why_not(seat, mirror)
    if reason is not None:
        raise RefusedError(reason)


def _claim(state: LiveState, claim: OpenMirror, at: datetime) -> LiveState:
    """Make a claim at once, or withhold it until the end of the window."""
    if state.has_window:
        withheld = (*state.withheld, machine.claim_entry(state, claim))
        return machine.end_window_if_all_decided(changed(state, claim=claim, withheld=withheld), at)
    if claim.effect is None and len(state.position.hands[claim.seat]) > 1:
        state = state.note(machine.claim_entry(state, claim))
    return machine.make_claim(state, claim, at)


def apply_intent(state: LiveState, seat: int, action: IntentAction, at: datetime) -> LiveState:
    """Return the state after an intent; the same state if the intent no longer has an effect.

    Raises: IllegalActionError naming the rule, TableError.
    """
    if isinstance(action, SayReady):
        return _ready(state, seat, action.round, at)
    if isinstance(action, PlayCard | MirrorCard) and (action.round or 0) not in {0, state.position.round}:
        return _after_its_round(state, seat, action, at)
    if state.stage in {Stage.WAITING, Stage.LOOK}:
        return _before_the_round(state, seat, action, at)
    match action:
        case PlayCard() | MirrorCard():
            return _card(state, seat, action, at)
        case ChooseEffect():
            return _effect(state, seat, action, at)
        case DrawCard(on=on):
            return _draw(state, seat, on, at)
        case LetPass(on=on):
            return _pass(state, seat, on, at)


def _after_its_round(state: LiveState, seat: int, sent: PlayCard | MirrorCard, at: datetime) -> LiveState:
    """Log a card that came as its round had ended, while all look at their next hands. Rule: K3.5, K7.2.

    Raises RefusedError if it is of another round, was not held, or would have been wrong.
    """
    ended, seen = state.ended, state.seen(state.answered(seat, sent.card, sent.on))
    if state.stage is Stage.LOOK and sent.round == state.round and ended is not None and seen is not None:
        is_held = sent.card in ended.hands[seat]
        if is_held and late_code(seen, seat, sent.card) is not None:
            return _note_late(state, seat, sent.card, sent.on, at)
    raise RefusedError(refusal("other-round"))


def _before_the_round(state: LiveState, seat: int, action: IntentAction, at: datetime) -> LiveState:
    """Apply an intent that arrives before the first card is turned over (K7.2)."""
    if isinstance(action, LetPass):
        return state  # the reaction time ended before it arrived
    if isinstance(action, PlayCard | MirrorCard) and state.may_be_hasty(seat):
        return _refuse_haste(state, seat, at)
    raise TableError("the round has not begun", code="table/not-now", rule="K1.3")


def resign(state: LiveState, seat: int, at: datetime) -> LiveState:
    """Resign a seat; with two players the other one wins, otherwise the table stops waiting for this seat."""
    position = state.position
    entry = Entry(position.round, seat, Resign(), Verdict.RESIGN, at, position)
    noted = state.note(entry)
    if position.players == 2:
        outcome = Outcome((1 - seat,), "resignation", EKKO.table_ends.rules()["resignation"])
        return changed(noted, outcome=outcome).enter(Stage.OVER, at)
    left = changed(noted, people=noted.people - {seat})
    return _begin_if_ready(left.with_busy_hand(seat, None) if left.busy else left, at)


def ended(state: LiveState, outcome: Outcome, at: datetime) -> LiveState:
    """End the game with an outcome that is not by the rules of play, such as a draw. Rule: K5.6."""
    return changed(state, outcome=outcome).enter(Stage.OVER, at)


def with_people(state: LiveState, people: frozenset[int], at: datetime) -> LiveState:
    """Continue with human players at other seats; the clocks of changed seats restart in full."""
    after = changed(state, people=people)
    for seat in sorted(people ^ state.people):
        after = after.with_timed_out_turns(seat, 0)
    return _begin_if_ready(after, at)


def _ready(state: LiveState, seat: int, number: int, at: datetime) -> LiveState:
    """Record that a player has seen the hand; no effect once the round has begun. Rule: K1.3."""
    if number > state.position.round:
        raise TableError("this round has not been dealt", code="table/not-now")
    if state.stage is not Stage.LOOK or number < state.position.round or seat in state.ready:
        return state
    return _begin_if_ready(changed(state, ready=state.ready | {seat}), at)


def _begin_if_ready(state: LiveState, at: datetime) -> LiveState:
    is_ready = state.stage is Stage.LOOK and state.people and state.ready >= state.people
    return machine.begin_round(state, at) if is_ready else state


def _effect(state: LiveState, seat: int, sent: ChooseEffect, at: datetime) -> LiveState:
    claim = state.choosing
    if claim is None or claim.seat != seat:
        raise TableError("you have no mirror that waits for its effect", code="table/not-now", rule="K3.2")
    mirror = Mirror(claim.card, Effect(sent.effect), sent.aside, claim.on)
    check_effect(state, seat, mirror)
    return machine.perform(state, seat, mirror, at, saw=claim.on)


def _draw(state: LiveState, seat: int, on: int, at: datetime) -> LiveState:
    """Draw, unless the card that the player saw has been covered. Rule: K2.2, K7.2."""
    position, answered = state.position, state.answered(seat, None, on)
    claim = state.choosing if answered == position.top else None
    seen = state.seen(answered)
    if seen is None:
        raise RefusedError(refusal("never-top"))
    if claim is not None and claim.seat == seat:
        raise TableError("the mirror's player chooses its effect first", code="table/not-now", rule="K3.2")
    if claim is not None or answered != position.top:
        if seen.player != seat:
            raise RefusedError(refusal("not-your-turn"))
        return _note_late(state, seat, None, on, at)
    reason = position.why_not(seat, Draw())
    if reason is not None:
        raise RefusedError(reason)
    if state.has_window:
        raise TableError("any player may still claim a mirror", code="table/not-now", rule="K3.2")
    return machine.perform(state, seat, Draw(), at, saw=on)


def _pass(state: LiveState, seat: int, on: int, at: datetime) -> LiveState:
    """Record that a player passes on the mirror; without a window this has no effect. Rule: K7.4."""
    position = state.position
    if state.seen(on) is None:
        raise RefusedError(refusal("never-top"))
    is_asked = state.stage in {Stage.WINDOW, Stage.LEAVING} and on == position.top
    if not is_asked or seat == position.leaving or seat in state.decided:
        return state
    after = changed(state, passed=state.passed | {seat})
    if state.stage is Stage.LEAVING:
        entry = Entry(position.round, seat, Pass(), Verdict.PASS, at, position, on=on)
        withheld = (*state.withheld, entry)
        after = changed(after, withheld=withheld) if state.has_window else after.note(entry)
    return machine.end_window_if_all_decided(after, at)
