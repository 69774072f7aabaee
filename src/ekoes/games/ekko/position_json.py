"""Positions in the interchange form, version 1, and what one eye may see of them (K6.4)."""

from __future__ import annotations

from ekoes.games.contract import Json
from ekoes.games.ekko.plain import Numbers, Plain
from ekoes.games.ekko.rules.record import NOBODY, Phase, Why
from ekoes.games.ekko.state import EkkoState

__all__ = ["LAST_ROUND", "VERSION", "position_to_json", "state_to_json", "view_of"]

VERSION = 1
LAST_ROUND = 1_000_000
"""The highest number of a round that is written, and so the highest that is read."""
_BETWEEN = frozenset({Phase.DEAL, Phase.OVER})
_PHASES = [phase.name.lower() for phase in Phase]
_WHYS = [why.name.lower() for why in Why]


def position_to_json(position: EkkoState) -> Json:
    """Write a complete position; equal positions give equal text."""
    state = position.plain
    value: Json = _head(state.numbers)
    value["pile"] = list(state.pile)
    value["zone"] = list(state.zone)
    value["hands"] = list(map(list, state.hands))
    value["aside"] = list(map(list, state.aside))
    value["scores"] = list(position.scores)
    turn = _turn(state.numbers)
    if state.numbers.phase not in _BETWEEN:
        if position.asked is not None:
            turn["asked"] = position.asked
        turn |= _turn_flags(state.numbers)
        if any(state.blocked):
            turn["blocked"] = list(map(list, state.blocked))
    value["turn"] = turn
    return value | _winners(position)


def state_to_json(position: EkkoState) -> Json:
    """Write a position with what everybody has seen, which the interchange form leaves out."""
    end, numbers = position.round_end, position.plain.numbers
    return {
        "position": position_to_json(position),
        "live": position.live,
        "drew": list(map(list, numbers.drew())),
        "round_end": None
        if end is None
        else {"points": list(end.points), "sizes": list(end.sizes), "ending": int(end.ending), "by": end.by},
    }


def view_of(position: EkkoState, eye: int | None) -> Json:
    """Write what a seat, or a spectator (None), may see. Rule: K6.4, K7.6.

    Who is asked for a mirror sees that; every other eye sees the player in turn about to play.
    """
    state = position.plain
    numbers, hands, aside = state.numbers, state.hands, state.aside
    value: Json = _head(numbers)
    value["pile"] = numbers.pile_size
    value["zone"] = list(state.zone)
    value["sizes"] = list(map(len, hands))
    if eye is not None:
        value["hand"] = list(hands[eye])
    value["set_aside"] = list(map(len, aside))
    if eye is not None:
        value["aside"] = list(aside[eye])
    value["scores"] = list(position.scores)
    value["drew"] = [[seat, zone, _WHYS[why]] for seat, zone, why in numbers.drew()]
    value["turn"] = _turn_seen(state, eye)
    return value | _winners(position)


def _turn_seen(state: Plain, eye: int | None) -> Json:
    """Write the turn as an eye sees it."""
    numbers = state.numbers
    turn, is_asked = _turn(numbers), eye is not None and numbers.asked == eye
    if numbers.phase == Phase.MIRROR and not is_asked:
        turn["phase"] = "play"
    if numbers.phase in _BETWEEN:
        return turn
    if is_asked:
        turn["asked"] = eye
    turn |= _turn_flags(numbers)
    if eye is not None and state.blocked[eye]:
        turn["blocked"] = list(state.blocked[eye])
    return turn


def _head(numbers: Numbers) -> Json:
    return {"game": "ekko", "version": VERSION, "players": numbers.players, "target": numbers.target}


def _turn(numbers: Numbers) -> Json:
    turn: Json = {"round": numbers.number, "dealer": numbers.dealer}
    if numbers.phase != Phase.DEAL:
        turn["player"] = _seat(numbers.player)
        turn["last"] = _seat(numbers.last)
    turn["phase"] = _PHASES[numbers.phase]
    return turn


def _turn_flags(numbers: Numbers) -> Json:
    flags: Json = {"again": True} if numbers.again else {}
    if numbers.leaving != NOBODY:
        flags["leaving"] = numbers.leaving
    return flags


def _seat(number: int) -> int | None:
    return None if number == NOBODY else number


def _winners(position: EkkoState) -> Json:
    return {"winners": list(position.winners)} if position.phase == Phase.OVER else {}
