"""Views of a live table, public log entries and bot requests; none reveals a mirror's holder (K6.4, K7.6)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import accumulate

from ekoes.games.api.contract import Json
from ekoes.games.api.reading import milliseconds_between, unix_milliseconds
from ekoes.games.api.table import Arrival, Ask, Decision
from ekoes.games.ekko.live.machine import clock_action, may_be_mirrored
from ekoes.games.ekko.live.state import (
    Entry,
    First,
    LiveState,
    Loser,
    Moment,
    OpenMirror,
    Receipt,
    Round,
    Stage,
    Verdict,
    without_empty,
)
from ekoes.games.ekko.position.action import (
    Action,
    Claim,
    Deal,
    Effect,
    Late,
    Mirror,
    Ready,
    Remark,
    Resign,
    action_to_json,
    format_arrived,
    points_text,
)
from ekoes.games.ekko.position.position import EkkoPosition
from ekoes.games.ekko.position.refusal import valid_cards
from ekoes.games.ekko.rules.record import Phase, mirror_of


def public_entry(entry: Entry) -> Json:
    """Return the JSON of an entry without hidden cards."""
    shown = _without_hidden_cards(entry.action)
    value: Json = {
        "round": entry.round,
        "seat": entry.seat,
        "action": _action_json(shown, entry.on),
        "verdict": entry.verdict.value,
        "notation": format_arrived(shown),
        "at": unix_milliseconds(entry.at),
    }
    if entry.on is not None:
        value["on"] = entry.on
    if entry.behind is not None:
        value["behind"] = entry.behind
    if entry.draws:
        value["draws"] = [list(draw) for draw in entry.draws]
    if entry.by_clock:
        value["clock"] = True
    return value


def in_order_of_arrival(state: LiveState, entries: Sequence[Entry]) -> list[tuple[Decision, int, str | None]]:
    """Return a whole log for a record: (decision, round, the note of points after the end of a round).

    Times count from the first entry. A withheld claim is listed at its arrival (K7.1), and a card that was
    late for the round before in the round in which it came.
    """
    arrived = sorted(entries, key=lambda entry: entry.at)
    numbers = list(accumulate((entry.round for entry in arrived), max))
    last = {number: index for index, number in enumerate(numbers)}
    return [
        (
            _decision(entry, milliseconds_between(arrived[0].at, entry.at)),
            number,
            _points(state.rounds, number) if last[number] == index else None,
        )
        for index, (entry, number) in enumerate(zip(arrived, numbers, strict=True))
    ]


def _points(rounds: Sequence[Round], number: int) -> str | None:
    """Return the note of points after the end of a round, None if the round continues."""
    if number > len(rounds):
        return None
    finished = rounds[number - 1]
    return points_text(number, finished.points, finished.totals)


def _decision(entry: Entry, at: int) -> Decision:
    arrival = Arrival(at, entry.on, entry.behind, entry.by_clock)
    return Decision(entry.seat, entry.action, arrival=arrival)


def _without_hidden_cards(action: Action | Remark) -> Action | Remark:
    """Return a deal without its cards, or a mirror without the card put aside."""
    match action:
        case Deal():
            return Deal()
        case Mirror():
            return replace(action, aside=None)
        case _:
            return action


def _action_json(action: Action | Remark, on: int | None) -> Json:
    """Return the JSON of an action; for a remark, of the action that the player wanted."""
    match action:
        case Late(card=None):
            return {"type": "draw"}
        case Late(card=card):
            is_mirror = on is not None and card == mirror_of(on)
            return {"type": "mirror" if is_mirror else "play", "card": card}
        case Claim(card=card):
            return {"type": "mirror", "card": card}
        case Resign() | Ready():
            return {"type": format_arrived(action)}
        case _:
            return action_to_json(action)


TURN, MIRROR, WINDOW, LEAVING, EFFECT = "turn", "mirror", "window", "leaving", "effect"
"""The kinds of bot requests: ``EkkoBot.plan``."""
_QUESTIONS = (TURN, MIRROR, WINDOW, LEAVING, EFFECT)


def asked(state: LiveState, seat: int) -> Iterator[Ask]:
    """Yield the bot requests for a seat, with their start: not before its cards are accepted (K4.1)."""
    if state.since is None:
        return
    position, claim = state.position, state.claim
    for asks in questions(
        state.stage,
        seat,
        player=position.player,
        claimed_by=None if claim is None else claim.seat,
        decided=state.decided,
        leaving=position.leaving,
        calm=state.options.calm,
    ):
        since = _mirror_since(state, seat) if asks == MIRROR else state.since
        number = (since.number * state.position.players + seat) * len(_QUESTIONS) + _QUESTIONS.index(asks)
        yield Ask(asks, state.free_at(seat, since.at), number)


def questions(
    stage: str,
    seat: int,
    *,
    player: int | None,
    claimed_by: int | None,
    decided: Collection[int],
    leaving: int | None,
    calm: bool,
) -> Iterator[str]:
    """Yield the kinds of requests for a seat at a stage."""
    match stage:
        case Stage.EFFECT if seat == claimed_by:
            yield EFFECT
        case Stage.RACE:
            if seat == player:
                yield TURN
            if not calm:
                yield MIRROR
        case Stage.WINDOW | Stage.LEAVING if seat not in decided and seat != leaving:
            yield WINDOW if calm else LEAVING


def fallback(state: LiveState, asks: str) -> Json | None:
    """Return the intent that replaces an illegal one of a bot, None for no intent."""
    position = state.position
    if asks == EFFECT:
        return {"type": "effect", "effect": "draw"}
    if state.has_window:
        return {"type": "pass", "on": position.top}
    if asks != TURN:
        return None
    return action_to_json(clock_action(position)) | {"on": position.top}


def _mirror_since(state: LiveState, seat: int) -> Moment:
    """Return the time of the top card, or of the latest draw of the seat if that was later."""
    moments = [moment for moment in (state.top_since, state.drew_since[seat]) if moment is not None]
    return max(moments, key=lambda moment: moment.number)


def shared_state(state: LiveState, now: datetime) -> Json:
    """Return the state for all viewers: that of a spectator, since a client may have several seats."""
    claim = state.choosing
    view = _view(state.position, is_looking=state.stage is Stage.LOOK)
    return quiet_state(view, state.stage, state.rounds) | {
        "remaining": state.remaining(now),
        "of": state.time_limit,
        "ready": sorted(state.ready),
        "decided": sorted(state.decided),
        "claim": None if claim is None else {"seat": claim.seat, "card": claim.card, "on": claim.on},
        "receipt": _receipt_json(state.receipt),
    }


def own_state(state: LiveState, seats: Collection[int]) -> Json:
    """Return the hands of a client's seats."""
    return {"hands": {str(seat): _hand_json(state, seat) for seat in sorted(seats)}}


def actions(state: LiveState, seat: int) -> list[Json]:
    """Return the intents of a seat if it is to decide; they follow from its hand and what everybody sees.

    Which cards fit is left to the player, but for the hints of a table that has them: without, each card is
    listed that the seat may try. Mirrors out of turn are found by the player.
    """
    position, top = state.position, state.position.top
    cards = sorted(set(position.hands[seat]) - set(position.blocked[seat]))
    if state.options.hints:
        cards = _playable(state, seat)
    match state.stage:
        case Stage.LOOK if seat not in state.ready:
            return [{"type": "ready", "round": position.round}]
        case Stage.RACE if seat == position.player:
            draw = [] if state.options.hints and cards else [{"type": "draw", "on": top}]
            return [{"type": "play", "card": card, "on": top} for card in cards] + draw
        case Stage.WINDOW | Stage.LEAVING if seat not in {*state.decided, position.leaving}:
            mirrors = [{"type": "mirror", "card": card, "on": top} for card in cards]
            return [*mirrors, {"type": "pass", "on": top}]
        case Stage.EFFECT if state.claim is not None and seat == state.claim.seat:
            return _effects(state, seat, state.claim)
    return []


def _effects(state: LiveState, seat: int, claim: OpenMirror) -> list[Json]:
    """Return the effects from which the player of a claimed mirror may choose. Rule: K3.2."""
    choices: list[Json] = [{"effect": "draw"}]
    choices += [{"effect": "discard", "aside": card} for card in state.position.hands[seat]]
    mirrors = [Mirror(claim.card, Effect(one["effect"]), one.get("aside"), claim.on) for one in choices]
    return [
        {"type": "effect", **one}
        for one, mirror in zip(choices, mirrors, strict=True)
        if state.position.why_not(seat, mirror) is None
    ]


def past_state(state: LiveState, position: EkkoPosition, entries: int, entry: Entry | None) -> Json:
    """Return what a spectator saw after an entry. position: after that entry.

    Before a round begins its first card is face down. Once the game is over, all hands are shown.
    """
    is_last, is_over = entries == state.length, state.outcome is not None
    is_deal = entry is not None and entry.verdict is Verdict.DEAL
    is_looking = entry is not None and state.stage is Stage.LOOK and position.round == state.position.round
    before = () if entry is None else state.rounds[: position.round - 1]
    view = _view(position, is_looking=not is_over and (is_deal or is_looking))
    stage, rounds = (state.stage, state.rounds) if is_last else (Stage.RACE, before)
    return quiet_state(view, stage, rounds) | held(position, range(position.players if is_over else 0))


def quiet_state(view: Json, stage: Stage, rounds: Iterable[Round]) -> Json:
    """Return the state of a table without clocks at which no one has reacted yet. view: of a spectator."""
    return {
        "position": view,
        "stage": stage.value,
        "remaining": None,
        "of": None,
        "ready": [],
        "decided": [],
        "claim": None,
        "receipt": None,
        "rounds": [without_empty(each.json, "hands") for each in rounds],
    }


def held(position: EkkoPosition, seats: Iterable[int]) -> Json:
    """Return the hands of some seats."""
    return {"hands": {str(seat): _held(position, seat) for seat in seats}}


def _view(position: EkkoPosition, *, is_looking: bool) -> Json:
    """Return a spectator's view. is_looking: the first card is still face down (K1.3)."""
    view = position.view(None)
    if not is_looking:
        return view
    turn = {"round": position.round, "dealer": position.dealer, "phase": "deal"}
    return view | {"pile": position.pile_size + 1, "zone": [], "turn": turn}


def _hand_json(state: LiveState, seat: int) -> Json:
    value = _held(state.position, seat)
    if state.options.hints:
        value["playable"] = _playable(state, seat)
    claim = state.claim
    if claim is not None and claim.seat == seat:
        value["claimed"] = claim.card
    return value


def _held(position: EkkoPosition, seat: int) -> Json:
    return {
        "hand": list(position.hands[seat]),
        "blocked": list(position.blocked[seat]),
        "aside": list(position.aside[seat]),
    }


def _playable(state: LiveState, seat: int) -> list[int]:
    """Return the hints for a beginner: valid cards in the own turn; in calm mode also the mirror.

    Otherwise players have to notice the mirror of the top card themselves, unless it is the only valid card:
    without a hint they would draw, which is illegal (K2.2).
    """
    position, calm = state.position, state.options.calm
    if position.phase != Phase.PLAY or state.stage not in {Stage.RACE, Stage.WINDOW, Stage.LEAVING}:
        return []
    is_turn = state.stage is Stage.RACE and seat == position.player
    mirror = position.mirror if may_be_mirrored(position.zone) else 0
    valid = set(valid_cards(position, seat)) if is_turn else set()
    unhinted = {mirror} if len(valid) > 1 else set()
    can_mirror = calm and (is_turn or (state.has_window and seat not in state.decided))
    free = set(position.hands[seat]) - set(position.blocked[seat])
    return sorted((valid - unhinted) | ({mirror} & free if can_mirror else set()))


def _receipt_json(receipt: Receipt | None) -> Json | None:
    if receipt is None:
        return None
    first = receipt.first
    winner = {"seat": first.seat, "card": first.card, "kind": "mirror" if first.is_mirror else "play"}
    losers = [_loser_json(loser, first) for loser in receipt.losers]
    return {"n": receipt.number, "winner": winner, "losers": losers}


def _loser_json(loser: Loser, first: First) -> Json:
    kind = "mirror" if loser.card == mirror_of(first.on) else "play"
    return {"seat": loser.seat, "card": loser.card, "kind": kind, "behind": loser.behind}
