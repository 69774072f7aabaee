"""How a live table goes on: entries into the log, positions, and the stage that follows."""

from __future__ import annotations

from datetime import datetime

from ekoes.games.changing import changed
from ekoes.games.contract import CHANCE
from ekoes.games.ekko import remarks
from ekoes.games.ekko.action import Action, Close, Deal, Draw, Effect, Mirror, Misplay, Play
from ekoes.games.ekko.live import hand, silence
from ekoes.games.ekko.live.cards import clock_action, may_be_mirrored
from ekoes.games.ekko.live.entry import Entry, Moment, OpenMirror, Receipt, Stage, Verdict
from ekoes.games.ekko.live.so_far import drawn, moved, with_first, with_moments, with_round
from ekoes.games.ekko.live.state import LiveState
from ekoes.games.ekko.rules.record import Phase

__all__ = [
    "begin_round",
    "claim_entry",
    "deal",
    "end_window",
    "ended_if_all_decided",
    "enter",
    "go_on",
    "make_claim",
    "note",
    "perform",
    "strike",
]

_VERDICTS: dict[type[Action], Verdict] = {
    Play: Verdict.PLAY,
    Mirror: Verdict.MIRROR,
    Draw: Verdict.DRAW,
    Misplay: Verdict.MISPLAY,
    Close: Verdict.CLOSE,
}


def enter(state: LiveState, stage: Stage, at: datetime) -> LiveState:
    """Return the state at the beginning of a stage."""
    kept_claim = state.claim if stage is Stage.EFFECT else None
    since = Moment(state.length, at)
    return changed(state, stage=stage, since=since, claim=kept_claim, passed=frozenset(), withheld=())


def note(state: LiveState, *entries: Entry) -> LiveState:
    """Return the state with more entries in its log."""
    return changed(state, entries=(*state.entries, *entries), length=state.length + len(entries))


def deal(state: LiveState, order: tuple[int, ...], at: datetime) -> LiveState:
    """Deal a round: everybody looks at their hand, the next card is still face down. Rule: K1.2, K1.3."""
    after = state.position.play(CHANCE, Deal(order))
    entry = Entry(after.round, CHANCE, Deal(order), Verdict.DEAL, at, after)
    fresh = changed(state, ready=frozenset(), shown=(), firsts=(), late=frozenset(), busy=())
    dealt = changed(note(moved(fresh, after), entry), began=state.began or at)
    return enter(dealt, Stage.LOOK, at)


def begin_round(state: LiveState, at: datetime) -> LiveState:
    """Turn the first card over. Rule: K1.3."""
    top_since = Moment(state.length, at)
    return go_on(changed(state, top_since=top_since, drew_since=(None,) * state.position.players), at)


def perform(
    state: LiveState,
    seat: int,
    action: Action,
    at: datetime,
    *,
    saw: int | None = None,
    by_clock: bool = False,
) -> LiveState:
    """Do what the rules allow, and go on to the stage that follows.

    saw: the top card that the player saw; at: now. Raises IllegalActionError.
    """
    before, after = state.position, state.position.play(seat, action)
    draws = drawn(before, after, seat, action)
    verdict = _VERDICTS[type(action)]
    entry = Entry(before.round, seat, action, verdict, at, after, on=saw, draws=draws, by_clock=by_clock)
    done = with_moments(note(moved(_noticed(state, entry), after), entry), entry)
    if isinstance(action, Play | Mirror) and before.top is not None:
        done = with_first(done, before.top, entry, action)
    if isinstance(action, Misplay) and after.round == before.round and after.phase == Phase.PLAY:
        return hand.after_misplay(done, seat, at)  # play stands where it stood (K4.1)
    return go_on(with_round(done, before, seat, action), at)


def _noticed(state: LiveState, entry: Entry) -> LiveState:
    """Return the state with a note of who has decided, and for whom the clock had to."""
    if entry.seat < 0:
        return state
    is_left = entry.by_clock and entry.seat in silence.awaited(state)
    return silence.left_to_the_clock(state, entry.seat) if is_left else silence.heard(state, entry.seat)


def make_claim(state: LiveState, claim: OpenMirror, at: datetime) -> LiveState:
    """Play a claimed mirror, or wait for its effect if its player has to choose. Rule: K3.2, K3.4."""
    open_mirror = changed(state, claim=claim)
    if claim.effect is None and len(state.position.hands[claim.seat]) > 1:
        waiting = enter(open_mirror, Stage.EFFECT, at)
        first = waiting.first(claim.on)
        return waiting if first is None else changed(waiting, receipt=Receipt(state.length, first))
    effect = Effect(claim.effect or Effect.DRAW)
    mirror = Mirror(claim.card, effect, claim.aside, claim.on)
    return perform(open_mirror, claim.seat, mirror, at, saw=claim.on)


def claim_entry(state: LiveState, claim: OpenMirror) -> Entry:
    """Return the entry of a claim that is not played at once."""
    position = state.position
    action = remarks.Claim(claim.card)
    return Entry(position.round, claim.seat, action, Verdict.CLAIM, claim.at, position, on=claim.on)


def end_window(state: LiveState, at: datetime) -> LiveState:
    """Judge what a window brought: its claim, the end of a reaction time, or nothing. Rule: K5.1, K7.4."""
    claim = state.claim if state.has_window else None
    told = changed(note(state, *state.withheld), withheld=())
    if claim is not None:
        return make_claim(told, claim, at)
    if state.position.leaving is not None:
        return perform(told, CHANCE, Close(), at)
    return enter(told, Stage.RACE, at)


def ended_if_all_decided(state: LiveState, at: datetime) -> LiveState:
    """End a window or a reaction time that nobody needs any more. Rule: K7.4, K7.6."""
    asked = set(range(state.position.players)) - {state.position.leaving}
    return end_window(state, at) if state.decided >= asked else state


def strike(state: LiveState, at: datetime) -> LiveState:
    """Do what the clock makes due. Rule: K5.1, K7.5."""
    match state.stage:
        case Stage.LOOK:
            return begin_round(state, at)
        case Stage.WINDOW | Stage.LEAVING:
            return end_window(state, at)
        case Stage.EFFECT if state.claim is not None:
            claim = state.claim
            action: Action = Mirror(claim.card, Effect.DRAW, on=claim.on)
            return perform(state, claim.seat, action, at, saw=claim.on, by_clock=True)
        case _:
            position = state.position
            seat = position.player if position.player is not None else 0
            return perform(state, seat, clock_action(position), at, saw=position.top, by_clock=True)


def go_on(state: LiveState, at: datetime) -> LiveState:
    """Enter the stage that the position calls for."""
    position = state.position
    if position.phase == Phase.OVER:
        return changed(enter(state, Stage.OVER, at), outcome=position.outcome())
    if position.phase == Phase.DEAL:
        return enter(state, Stage.WAITING, at)
    if position.leaving is not None:
        return enter(state, Stage.LEAVING, at)
    is_window = state.options.calm and may_be_mirrored(position)
    return enter(state, Stage.WINDOW if is_window else Stage.RACE, at)
