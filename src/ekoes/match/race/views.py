"""What leaves a table where the quicker hand wins. Nothing tells who holds a mirror (K6.4, K7.6)."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from ekoes.games.contract import Json
from ekoes.games.ekko import remarks
from ekoes.games.ekko.action import Action, Deal, Effect, Mirror, action_to_json
from ekoes.games.ekko.live import may_be_mirrored
from ekoes.games.ekko.notation import format_action
from ekoes.games.ekko.position import EkkoPosition
from ekoes.games.ekko.refusal import is_valid
from ekoes.games.ekko.rules.cards import mirror_of
from ekoes.games.ekko.rules.record import Phase
from ekoes.match.race import clock
from ekoes.match.race.entry import Entry, Loser, Receipt, Round, Stage, Verdict
from ekoes.match.race.state import RaceTable
from ekoes.match.state import outcome_json, rematch_json

__all__ = [
    "board_json",
    "entries_json",
    "kept_entries",
    "options_json",
    "own_state",
    "past_state",
    "shared_state",
]


def options_json(table: RaceTable) -> Json:
    """Return the options; the seed stays here, for it is the bots' chance."""
    return dict(table.options)


def board_json(table: RaceTable) -> Json:  # noqa: ARG001
    """There is no board."""
    return {}


def kept_entries(table: RaceTable, before: RaceTable) -> int:  # noqa: ARG001
    """Return how many entries stand unchanged: all, for nothing is taken back."""
    return before.length


def shared_state(table: RaceTable, now: datetime) -> Json:
    """Return the part of the state that is the same for everybody.

    A browser may hold several seats (hot-seat), so the position is what a spectator may see.
    """
    is_dealt = table.stage is Stage.LOOK
    claim = table.claim if table.stage is Stage.EFFECT else None
    return {
        "position": _face_down(table.position) if is_dealt else table.position.view(None),
        "stage": table.stage.value,
        "remaining": clock.remaining(table, now),
        "of": None if table.outcome is not None else clock.whole(table),
        "ready": sorted(table.ready),
        "decided": sorted(table.decided),
        "claim": None if claim is None else {"seat": claim.seat, "card": claim.card, "on": claim.on},
        "receipt": _receipt_json(table.receipt),
        "rounds": [_round_json(finished) for finished in table.rounds],
        "outcome": outcome_json(table.outcome),
        "rematch": rematch_json(table),
        "hands": {},
    }


def own_state(table: RaceTable, seats: Collection[int]) -> Json:
    """Return the hands of the holder of some seats."""
    return {"hands": {str(seat): _hand_json(table, seat) for seat in sorted(seats)}}


def past_state(table: RaceTable, entries: int) -> Json:
    """Return the state after some entries, as a spectator saw it."""
    is_last = entries == table.length
    return {
        "position": _past_view(table, entries),
        "stage": (table.stage if is_last else Stage.RACE).value,
        "remaining": None,
        "of": None,
        "ready": [],
        "decided": [],
        "claim": None,
        "receipt": None,
        "rounds": [_round_json(finished) for finished in _rounds_before(table, entries)],
        "outcome": outcome_json(table.outcome) if is_last else None,
        "rematch": rematch_json(table),
        "hands": {},
    }


def _past_view(table: RaceTable, entries: int) -> Json:
    """Return a spectator's view after some entries; before a round begins its first card is face down."""
    if entries == 0:
        return _undealt(table)
    entry = table.log[entries - 1]
    is_looking = table.stage is Stage.LOOK and entry.round == table.position.round
    is_face_down = entry.verdict is Verdict.DEAL or is_looking
    return _face_down(entry.position) if is_face_down else entry.position.view(None)


def entries_json(table: RaceTable, start: int = 0) -> list[Json]:
    """Return the log from its entry ``start`` (0: the first) on, without what only one eye may see."""
    return [
        _entry_json(entry, number)
        for number, entry in enumerate(table.log[start - table.log_start :], start + 1)
    ]


def _entry_json(entry: Entry, number: int) -> Json:
    value: Json = {
        "n": number,
        "round": entry.round,
        "seat": entry.seat,
        "action": _action_json(entry),
        "verdict": entry.verdict.value,
        "notation": _notation(entry),
        "at": entry.at.isoformat(),
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


def _action_json(entry: Entry) -> Json:
    """Write an action as everybody may see it: a deal without its cards, a mirror without the card aside."""
    match entry.action:
        case remarks.Late(card=None):
            return {"type": "draw"}
        case remarks.Late(card=card):
            is_mirror = entry.on is not None and card == mirror_of(entry.on)
            return {"type": "mirror" if is_mirror else "play", "card": card}
        case remarks.Claim(card=card):
            return {"type": "mirror", "card": card}
        case remarks.Resign():
            return {"type": "resign"}
        case Deal():
            return action_to_json(Deal())
        case Mirror(card=card, effect=effect, on=on):
            return action_to_json(Mirror(card, effect, None, on))
        case remarks.Ready():
            return {"type": "ready"}
        case _:
            return action_to_json(entry.action)


def _notation(entry: Entry) -> str:
    """Write an entry in one short word, as everybody may see it."""
    match entry.action:
        case remarks.Late(card=card):
            return f"late:{card or 'draw'}"
        case remarks.Claim(card=card):
            return f"claim:{card}"
        case remarks.Resign():
            return "resign"
        case remarks.Ready():
            return "ready"
        case Deal():
            return "deal"
        case Mirror(card=card, effect=Effect.DISCARD, on=on):
            return f"{card}/{on}-"
        case _:
            action: Action = entry.action
            return format_action(action)


def _face_down(position: EkkoPosition) -> Json:
    """Return a spectator's view of a dealt round before the first card is turned over. Rule: K1.3."""
    view = position.view(None)
    turn = {"round": position.round, "dealer": position.dealer, "phase": "deal"}
    return view | {"pile": position.pile_size + 1, "zone": [], "turn": turn}


def _undealt(table: RaceTable) -> Json:
    """Return a spectator's view of the beginning of the game."""
    view = table.position.view(None)
    dealer = table.log[0].position.dealer if table.log else table.position.dealer
    none = [0] * table.position.players
    empty = {"pile": 0, "zone": [], "sizes": none, "set_aside": none, "scores": none, "drew": []}
    turn = {"round": 1, "dealer": dealer, "phase": "deal"}
    shown = view | empty | {"turn": turn}
    return {key: content for key, content in shown.items() if key != "winners"}


def _hand_json(table: RaceTable, seat: int) -> Json:
    position = table.position
    value: Json = {
        "hand": list(position.hands[seat]),
        "blocked": list(position.blocked[seat]),
        "aside": list(position.aside[seat]),
    }
    if table.rules.hints:
        value["playable"] = _playable(table, seat)
    claim = table.claim
    if claim is not None and claim.seat == seat:
        value["claimed"] = claim.card
    return value


def _playable(table: RaceTable, seat: int) -> list[int]:
    """Return what a beginner may play: valid cards in the own turn, in calm mode the mirror too.

    Elsewhere the mirror of the top card is left for its holder to notice.
    """
    position, calm = table.position, table.rules.calm
    if position.phase != Phase.PLAY or table.stage not in {Stage.RACE, Stage.WINDOW, Stage.LEAVING}:
        return []
    is_turn = table.stage is Stage.RACE and seat == position.player
    mirror = mirror_of(position.top) if position.top is not None and may_be_mirrored(position) else 0
    hand = position.hands[seat] if is_turn else ()
    valid = {card for card in hand if card != mirror and is_valid(position, seat, card)}
    can_mirror = calm and (is_turn or (table.has_window and seat not in table.decided))
    free = set(position.hands[seat]) - set(position.blocked[seat])
    return sorted(valid | ({mirror} & free if can_mirror else set()))


def _receipt_json(receipt: Receipt | None) -> Json | None:
    if receipt is None:
        return None
    winner = {"seat": receipt.seat, "card": receipt.card, "kind": receipt.kind}
    return {"n": receipt.number, "winner": winner, "losers": [_loser_json(each) for each in receipt.losers]}


def _loser_json(loser: Loser) -> Json:
    return {"seat": loser.seat, "card": loser.card, "kind": loser.kind, "behind": loser.behind}


def _round_json(finished: Round) -> Json:
    return {
        "dealer": finished.dealer,
        "points": list(finished.points),
        "sizes": list(finished.sizes),
        "totals": list(finished.totals),
        "reason": finished.reason,
        "by": finished.by,
    }


def _rounds_before(table: RaceTable, entries: int) -> tuple[Round, ...]:
    """Return the rounds that were over after some entries."""
    if entries == table.length:
        return table.rounds
    if entries == 0:
        return ()
    position = table.log[entries - 1].position
    return table.rounds[: position.round - 1]
