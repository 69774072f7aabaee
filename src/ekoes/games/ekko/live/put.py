"""A card that is put at a live table: where claims are collected it waits. Rule: K3.4, K3.5, K4, K7."""

from __future__ import annotations

from datetime import datetime

from ekoes.errors import TableError
from ekoes.games.changing import changed
from ekoes.games.ekko.action import Effect, Mirror, Misplay, Play
from ekoes.games.ekko.intents import MirrorCard, PlayCard
from ekoes.games.ekko.live import course, hand
from ekoes.games.ekko.live.cards import Judgement, judge_card
from ekoes.games.ekko.live.entry import OpenMirror, Stage, Verdict
from ekoes.games.ekko.live.late import too_late
from ekoes.games.ekko.live.state import LiveState
from ekoes.games.ekko.refusal import refusal
from ekoes.games.refused import RefusedError

__all__ = ["check_effect", "hasty", "put"]


def put(state: LiveState, seat: int, sent: PlayCard | MirrorCard, at: datetime) -> LiveState:
    """Judge a card; the mirror of the top card is a claim, however it is sent (K3.4)."""
    judgement = _judge(state, seat, sent)
    match judgement.verdict:
        case Verdict.LATE:
            return too_late(state, seat, sent.card, sent.on, at)
        case Verdict.REFUSED if state.seen(sent.on) is None and hand.may_be_hasty(state, seat):
            return hasty(state, seat, at)
        case Verdict.REFUSED:
            raise RefusedError(judgement.refusal or refusal("never-top"))
        case verdict if hand.keeps(state, seat, verdict, at):
            raise RefusedError(refusal("hand-busy"))
        case Verdict.MIRROR:
            return _claim(state, _claim_of(state, seat, sent, at), at)
        case Verdict.PLAY:
            return course.perform(state, seat, Play(sent.card), at, saw=sent.on)
        case _:
            return course.perform(state, seat, Misplay(sent.card), at, saw=sent.on)


def hasty(state: LiveState, seat: int, at: datetime) -> LiveState:
    """Take no card of a hand for a while that has answered a card which was not on top yet. Rule: K7.2."""
    after = hand.after_haste(state, seat, at)
    if after is state:
        raise RefusedError(refusal("hand-busy"))
    return after


def _judge(state: LiveState, seat: int, sent: PlayCard | MirrorCard) -> Judgement:
    """Return what a card comes to at this stage. Raises TableError where no card can be put now.

    Where claims are collected, and out of turn in calm mode, nothing is a misplay: haste is not to be
    punished there.
    """
    is_open = _is_open(state, seat)
    on = state.answered(seat, sent.card, sent.on)
    seen = state.seen(on)
    misplays = state.options.misplays and is_open and (seen is not None or hand.may_be_hasty(state, seat))
    judgement = judge_card(state.position, seat, sent.card, on, seen, misplays=misplays)
    if is_open or judgement.verdict in {Verdict.LATE, Verdict.REFUSED}:
        return judgement
    if state.stage is Stage.EFFECT:
        return _beside_a_claim(state, seat, judgement)
    return _in_a_window(state, seat, judgement)


def _is_open(state: LiveState, seat: int) -> bool:
    """Tell whether a seat may put any card now and see what comes of it."""
    is_collecting = state.stage is Stage.EFFECT or state.has_window
    return not is_collecting and (not state.options.calm or seat == state.position.player)


def _beside_a_claim(state: LiveState, seat: int, judgement: Judgement) -> Judgement:
    """Judge a card while an effect is being chosen: the mirror was quicker than every other's that fits."""
    is_own = state.claim is not None and state.claim.seat == seat
    if judgement.verdict is Verdict.PLAY and not is_own:
        return Judgement(Verdict.LATE)
    raise TableError("the mirror's player chooses its effect first", code="table/not-now", rule="K3.2")


def _in_a_window(state: LiveState, seat: int, judgement: Judgement) -> Judgement:
    """Judge a card in calm mode: in a window a mirror alone, out of turn nothing else either."""
    if not state.has_window:
        return Judgement(Verdict.REFUSED, refusal("nothing-asked"))
    if seat in state.decided:
        raise TableError("you have decided", code="table/not-now", rule="K7.4")
    if judgement.verdict is Verdict.PLAY:
        raise TableError("everybody may still claim a mirror", code="table/not-now", rule="K3.2")
    return judgement


def _claim_of(state: LiveState, seat: int, sent: PlayCard | MirrorCard, at: datetime) -> OpenMirror:
    """Return the claim of a mirror. Raises RefusedError if its effect is not possible."""
    on = state.position.top or sent.on  # its player may have seen another one when the card was sent (K3.4)
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
    """Take a claim at once, or keep it to the end of the window, where nobody else sees it."""
    if state.has_window:
        kept = (*state.withheld, course.claim_entry(state, claim))
        return course.ended_if_all_decided(changed(state, claim=claim, withheld=kept), at)
    if claim.effect is None and len(state.position.hands[claim.seat]) > 1:
        state = course.note(state, course.claim_entry(state, claim))
    return course.make_claim(state, claim, at)
