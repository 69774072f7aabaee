"""What leaves a live table. Nothing tells who holds a mirror (K6.4, K7.6)."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from ekoes.games.contract import Json
from ekoes.games.ekko.live import clock
from ekoes.games.ekko.live.cards import may_be_mirrored
from ekoes.games.ekko.live.entry import Entry, First, Loser, Receipt, Round, Stage, Verdict
from ekoes.games.ekko.live.state import LiveState
from ekoes.games.ekko.position import EkkoPosition
from ekoes.games.ekko.refusal import is_valid
from ekoes.games.ekko.rules.cards import mirror_of
from ekoes.games.ekko.rules.record import Phase

__all__ = ["own_state", "past_state", "shared_state"]


def shared_state(state: LiveState, now: datetime) -> Json:
    """Return what everybody may see.

    A browser may hold several seats (hot-seat), so the position is what a spectator may see.
    """
    claim = state.claim if state.stage is Stage.EFFECT else None
    return {
        "position": _view(state.position, is_looking=state.stage is Stage.LOOK),
        "stage": state.stage.value,
        "remaining": clock.remaining(state, now),
        "of": clock.whole(state),
        "ready": sorted(state.ready),
        "decided": sorted(state.decided),
        "claim": None if claim is None else {"seat": claim.seat, "card": claim.card, "on": claim.on},
        "receipt": _receipt_json(state.receipt),
        "rounds": [_round_json(finished) for finished in state.rounds],
    }


def own_state(state: LiveState, seats: Collection[int]) -> Json:
    """Return the hands of the holder of some seats."""
    return {"hands": {str(seat): _hand_json(state, seat) for seat in sorted(seats)}}


def past_state(state: LiveState, position: EkkoPosition, entries: int, entry: Entry | None) -> Json:
    """Return what a spectator saw after some entries; entry: the last of them. position: after it.

    Before a round begins its first card is face down. Once the game is over nothing is: the record tells
    every hand too.
    """
    is_last, is_over = entries == state.length, state.outcome is not None
    is_deal = entry is not None and entry.verdict is Verdict.DEAL
    is_looking = entry is not None and state.stage is Stage.LOOK and position.round == state.position.round
    before = () if entry is None else state.rounds[: position.round - 1]
    return {
        "position": _view(position, is_looking=not is_over and (is_deal or is_looking)),
        "stage": (state.stage if is_last else Stage.RACE).value,
        "remaining": None,
        "of": None,
        "ready": [],
        "decided": [],
        "claim": None,
        "receipt": None,
        "rounds": [_round_json(finished) for finished in (state.rounds if is_last else before)],
        "hands": {str(seat): _held(position, seat) for seat in range(position.players if is_over else 0)},
    }


def _view(position: EkkoPosition, *, is_looking: bool) -> Json:
    """Return a spectator's view; of a dealt round before the first card is turned over. Rule: K1.3."""
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
    """Return what a beginner may play: valid cards in the own turn, in calm mode the mirror too.

    Elsewhere the mirror of the top card is left for its holder to notice, unless nothing else is valid: who
    is told of no card would draw, and may not (K2.2).
    """
    position, calm = state.position, state.options.calm
    if position.phase != Phase.PLAY or state.stage not in {Stage.RACE, Stage.WINDOW, Stage.LEAVING}:
        return []
    is_turn = state.stage is Stage.RACE and seat == position.player
    mirror = mirror_of(position.top) if position.top is not None and may_be_mirrored(position) else 0
    hand = position.hands[seat] if is_turn else ()
    valid = {card for card in hand if is_valid(position, seat, card)}
    noticed_by_oneself = {mirror} if len(valid) > 1 else set()
    can_mirror = calm and (is_turn or (state.has_window and seat not in state.decided))
    free = set(position.hands[seat]) - set(position.blocked[seat])
    return sorted((valid - noticed_by_oneself) | ({mirror} & free if can_mirror else set()))


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


def _round_json(finished: Round) -> Json:
    return {
        "dealer": finished.dealer,
        "points": list(finished.points),
        "sizes": list(finished.sizes),
        "totals": list(finished.totals),
        "reason": finished.reason,
        "by": finished.by,
        **({"hands": [list(hand) for hand in finished.hands]} if finished.hands else {}),
    }
