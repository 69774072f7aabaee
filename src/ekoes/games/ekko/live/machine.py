"""Transitions of a live table: verdicts, their effects, and the stage that follows (K3.5, K4, K7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import numpy as np

from ekoes.games.api.contract import CHANCE, Refusal
from ekoes.games.api.values import changed
from ekoes.games.ekko.live.state import (
    Ended,
    Entry,
    First,
    LiveState,
    Moment,
    OpenMirror,
    Receipt,
    Round,
    Stage,
    Verdict,
)
from ekoes.games.ekko.position.action import Action, Claim, Close, Draw, Effect, Mirror, Misplay, Play, encode
from ekoes.games.ekko.position.position import EkkoPosition
from ekoes.games.ekko.position.refusal import is_valid, refusal, valid_cards
from ekoes.games.ekko.position.state import EkkoState, Shown
from ekoes.games.ekko.rules.decisions import count_draws
from ekoes.games.ekko.rules.record import MOST_PLAYERS, Ending, Phase, mirror_of

AFTER_MISPLAY = 500
"""Milliseconds until a seat may play again after a misplay (K4.1)."""
AFTER_HASTE = 3000
"""Milliseconds until a seat may play again after answering a card that was not on top yet (K7.2)."""


def _with_moments(state: LiveState, entry: Entry) -> LiveState:
    """Record the times of the top card and of the latest draws."""
    now = Moment(state.length, entry.at)
    drew = {seat for seat, _ in entry.draws}
    since = tuple(now if seat in drew else moment for seat, moment in enumerate(state.drew_since))
    is_covered = isinstance(entry.action, Play | Mirror)
    return changed(state, drew_since=since, top_since=now if is_covered else state.top_since)


def _with_first(state: LiveState, on: int, entry: Entry, action: Play | Mirror) -> LiveState:
    """Record the first card on a top card; a mirror has a receipt, with the losers of its claim."""
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


def _with_round(state: LiveState, before: EkkoPosition, seat: int, action: Action, at: datetime) -> LiveState:
    finished = finished_round(before, state.position)
    if finished is None:
        return state
    ended = Ended(at, _left(before, seat, action))
    if state.options.open_hands:
        finished = replace(finished, hands=ended.hands)
    return changed(state, rounds=(*state.rounds, finished), receipt=None, ended=ended)


def finished_round(before: EkkoPosition, after: EkkoPosition) -> Round | None:
    """Return the round that a decision has ended, None if it goes on. Rule: K5."""
    end = after.round_end
    if after.is_in_round or end is None:
        return None
    by = end.by if end.ending is not Ending.PILE_EMPTY and end.by < before.players else None
    reason = end.ending.name.lower().replace("_", "-")
    return Round(before.dealer, end.points, end.sizes, after.scores, reason, by)


def _left(before: EkkoPosition, seat: int, action: Action) -> tuple[tuple[int, ...], ...]:
    """Return the hands at the end of a round; the position after it no longer contains them."""
    last = EkkoPosition(before.states.copy())
    last.states["target"] = 0
    return tuple(map(tuple, last.play(seat, action).hands))


def draws(
    before: EkkoPosition, after: EkkoPosition, seat: int, action: Action
) -> tuple[tuple[int, int], ...]:
    """Return (seat, number of cards) drawn because of an action."""
    drew = np.zeros(MOST_PLAYERS, np.int64)
    count_draws(before.states, after.states, seat, encode(action), drew)
    return tuple((each, number) for each, number in enumerate(drew.tolist()) if number)


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict. refusal: why the card cannot be played."""

    verdict: Verdict
    refusal: Refusal | None = None


def judge_card(
    position: EkkoPosition, seat: int, card: int, on: int, seen: EkkoState | Shown | None, *, misplays: bool
) -> Judgement:
    """Judge an arriving card. Rule: K3.4, K3.5, K4.1-K4.3, K7.2-K7.4.

    on: the top card that it answers. seen: the latest position of this round with that top card, None if
    there is none. misplays: whether a wrong card costs a misplay (K4.3); if not, a card that is valid only by
    luck is refused too.
    """
    if card not in position.hands[seat]:
        return _judgement(Verdict.REFUSED, "not-in-hand")
    if seen is None:
        is_wrong = misplays and position.why_not(seat, Misplay(card)) is None
        return _judgement(Verdict.MISPLAY if is_wrong else Verdict.REFUSED, "never-top")
    late = None if on == position.top else late_code(seen, seat, card)
    if late is not None:
        return _judgement(Verdict.LATE, late)
    is_mirror = card == position.mirror and card not in position.blocked[seat]
    reason = None if is_mirror else position.why_not(seat, Play(card))
    code = None if reason is None else reason.code
    if code is None and on != position.top and not misplays:
        code = "play-late"  # without penalties, sending many cards must not pay
    if code is None:
        return Judgement(Verdict.MIRROR if is_mirror else Verdict.PLAY)
    if seen.leaving is not None and position.zone[-2:-1] == (on,):
        code = "leaving"  # it answered a last card that has just been mirrored: no penalty (K7.4)
    return _judgement(Verdict.MISPLAY if misplays and code != "leaving" else Verdict.REFUSED, code)


def late_code(seen: EkkoState | Shown, seat: int, card: int) -> str | None:
    """Return why a card on a card that has been covered is late, None if it was wrong. Rule: K4.2, K7.2."""
    if card == seen.mirror:
        return "mirror-late"
    return "play-late" if seen.leaving is None and is_valid(seen, seat, card) else None


def clock_action(position: EkkoPosition) -> Action:
    """Return the action for a player in turn whose time has run out. Rule: K7.5."""
    seat = position.player if position.player is not None else 0
    valid, mirror = valid_cards(position, seat), position.mirror
    plays = [card for card in valid if card != mirror]
    if plays:
        return Play(plays[0])
    return Mirror(mirror, Effect.DRAW, on=position.top) if valid else Draw()


def may_be_mirrored(zone: Sequence[int]) -> bool:
    """Return whether, by the play zone alone, the top card may still be mirrored. Rule: K3.1."""
    mirror = mirror_of(zone[-1]) if zone else 0
    return mirror != 0 and mirror not in zone


def _judgement(verdict: Verdict, code: str) -> Judgement:
    return Judgement(verdict, refusal(code))


def deal(state: LiveState, action: Action, at: datetime) -> LiveState:
    """Deal a round; the first card stays face down while players look at their hands. Rule: K1.2, K1.3."""
    after = state.position.play(CHANCE, action)
    entry = Entry(after.round, CHANCE, action, Verdict.DEAL, at, after)
    dealt = changed(state.note(entry), position=after, ready=frozenset(), busy=(), began=state.began or at)
    return dealt.enter(Stage.LOOK, at)


def begin_round(state: LiveState, at: datetime) -> LiveState:
    """Turn the first card over. Rule: K1.3."""
    top_since = Moment(state.length, at)
    fresh = changed(state, shown=(), firsts=(), late=frozenset(), ended=None).moved(state.position)
    return go_on(changed(fresh, top_since=top_since, drew_since=(None,) * state.position.players), at)


def perform(
    state: LiveState,
    seat: int,
    action: Action,
    at: datetime,
    *,
    saw: int | None = None,
    by_clock: bool = False,
) -> LiveState:
    """Play an action and enter the stage that follows.

    saw: the top card that the player saw. at: the current time. Raises IllegalActionError.
    """
    before, after = state.position, state.position.play(seat, action)
    drew = draws(before, after, seat, action)
    verdict = Verdict(action.type)
    entry = Entry(before.round, seat, action, verdict, at, after, on=saw, draws=drew, by_clock=by_clock)
    done = _with_moments(_with_turn_counted(state, entry).moved(after).note(entry), entry)
    if isinstance(action, Play | Mirror) and before.top is not None:
        done = _with_first(done, before.top, entry, action)
    if isinstance(action, Misplay) and after.round == before.round and after.phase == Phase.PLAY:
        return done.with_busy_hand(seat, at + timedelta(milliseconds=AFTER_MISPLAY))
    return go_on(_with_round(done, before, seat, action, at), at)


def _with_turn_counted(state: LiveState, entry: Entry) -> LiveState:
    """Update the number of timed-out turns of an entry's seat."""
    if entry.seat == CHANCE or not state.timed_out:
        return state
    is_timed_out = entry.by_clock and entry.seat in state.awaited
    return state.with_timed_out_turns(entry.seat, state.timed_out[entry.seat] + 1 if is_timed_out else 0)


def make_claim(state: LiveState, claim: OpenMirror, at: datetime) -> LiveState:
    """Play a claimed mirror, or wait for the player to choose its effect. Rule: K3.2, K3.4."""
    open_mirror = changed(state, claim=claim)
    if claim.effect is None and len(state.position.hands[claim.seat]) > 1:
        waiting = open_mirror.enter(Stage.EFFECT, at)
        first = waiting.first(claim.on)
        return waiting if first is None else changed(waiting, receipt=Receipt(state.length, first))
    effect = Effect(claim.effect or Effect.DRAW)
    mirror = Mirror(claim.card, effect, claim.aside, claim.on)
    return perform(open_mirror, claim.seat, mirror, at, saw=claim.on)


def claim_entry(state: LiveState, claim: OpenMirror) -> Entry:
    """Return the log entry of a claim that is not played at once."""
    position = state.position
    action = Claim(claim.card)
    return Entry(position.round, claim.seat, action, Verdict.CLAIM, claim.at, position, on=claim.on)


def end_window(state: LiveState, at: datetime) -> LiveState:
    """End a window: play its claim, end the round of a leaving player, or continue. Rule: K5.1, K7.4."""
    claim = state.claim if state.has_window else None
    published = changed(state.note(*state.withheld), withheld=())
    if claim is not None:
        return make_claim(published, claim, at)
    if state.position.leaving is not None:
        return perform(published, CHANCE, Close(), at)
    return published.enter(Stage.RACE, at)


def end_window_if_all_decided(state: LiveState, at: datetime) -> LiveState:
    """End a window or a reaction time once all players have decided. Rule: K7.4, K7.6."""
    asked = set(range(state.position.players)) - {state.position.leaving}
    return end_window(state, at) if state.decided >= asked else state


def time_out(state: LiveState, at: datetime) -> LiveState:
    """Apply the end of the running clock. Rule: K5.1, K7.5."""
    claim = state.choosing
    match state.stage:
        case Stage.LOOK:
            return begin_round(state, at)
        case Stage.WINDOW | Stage.LEAVING:
            return end_window(state, at)
        case Stage.EFFECT if claim is not None:
            action: Action = Mirror(claim.card, Effect.DRAW, on=claim.on)
            return perform(state, claim.seat, action, at, saw=claim.on, by_clock=True)
        case _:
            position = state.position
            seat = position.player if position.player is not None else 0
            return perform(state, seat, clock_action(position), at, saw=position.top, by_clock=True)


def go_on(state: LiveState, at: datetime) -> LiveState:
    """Enter the stage that follows from the position."""
    position = state.position
    if position.phase == Phase.OVER:
        return changed(state.enter(Stage.OVER, at), outcome=position.outcome())
    if position.phase == Phase.DEAL:
        return state.enter(Stage.WAITING, at)
    if position.leaving is not None:
        return state.enter(Stage.LEAVING, at)
    is_window = state.options.calm and may_be_mirrored(position.zone)
    return state.enter(Stage.WINDOW if is_window else Stage.RACE, at)
