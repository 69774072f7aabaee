"""Positions in the interchange form, version 1, and what one eye may see of them (K6.4)."""

from __future__ import annotations

from ekoes.games.contract import Json
from ekoes.games.ekko.rules.record import Phase
from ekoes.games.ekko.state import EkkoState

__all__ = ["LAST_ROUND", "VERSION", "position_to_json", "state_to_json", "view_of"]

VERSION = 1
LAST_ROUND = 1_000_000
"""The highest number of a round that is written, and so the highest that is read."""


def position_to_json(position: EkkoState) -> Json:
    """Write a complete position; equal positions give equal text."""
    value: Json = _head(position)
    value["pile"] = list(position.pile)
    value["zone"] = list(position.zone)
    value["hands"] = [list(hand) for hand in position.hands]
    value["aside"] = [list(cards) for cards in position.aside]
    value["scores"] = list(position.scores)
    turn = _turn(position)
    if position.phase not in {Phase.DEAL, Phase.OVER}:
        if position.asked is not None:
            turn["asked"] = position.asked
        turn |= _turn_flags(position)
        if any(position.blocked):
            turn["blocked"] = [list(cards) for cards in position.blocked]
    return value | {"turn": turn} | _winners(position)


def state_to_json(position: EkkoState) -> Json:
    """Write a position with what everybody has seen, which the interchange form leaves out."""
    end = position.round_end
    return {
        "position": position_to_json(position),
        "live": position.live,
        "drew": [[drew.seat, drew.zone, int(drew.why)] for drew in position.drew],
        "round_end": None
        if end is None
        else {"points": list(end.points), "sizes": list(end.sizes), "ending": int(end.ending), "by": end.by},
    }


def view_of(position: EkkoState, eye: int | None) -> Json:
    """Write what a seat, or a spectator (None), may see. Rule: K6.4, K7.6.

    Who is asked for a mirror sees that; every other eye sees the player in turn about to play.
    """
    hands, aside = position.hands, position.aside
    value: Json = _head(position)
    value["pile"] = position.pile_size
    value["zone"] = list(position.zone)
    value["sizes"] = [len(hand) for hand in hands]
    if eye is not None:
        value["hand"] = list(hands[eye])
    value["set_aside"] = [len(cards) for cards in aside]
    if eye is not None:
        value["aside"] = list(aside[eye])
    value["scores"] = list(position.scores)
    value["drew"] = [[drew.seat, drew.zone, drew.why.name.lower()] for drew in position.drew]
    turn = _turn(position)
    if position.phase == Phase.MIRROR and position.asked != eye:
        turn["phase"] = "play"
    if position.phase not in {Phase.DEAL, Phase.OVER}:
        if position.asked is not None and position.asked == eye:
            turn["asked"] = eye
        turn |= _turn_flags(position)
        if eye is not None and position.blocked[eye]:
            turn["blocked"] = list(position.blocked[eye])
    return value | {"turn": turn} | _winners(position)


def _head(position: EkkoState) -> Json:
    return {"game": "ekko", "version": VERSION, "players": position.players, "target": position.target}


def _turn(position: EkkoState) -> Json:
    turn: Json = {"round": position.round, "dealer": position.dealer}
    if position.phase != Phase.DEAL:
        turn |= {"player": position.player, "last": position.last}
    return turn | {"phase": position.phase.name.lower()}


def _turn_flags(position: EkkoState) -> Json:
    flags: Json = {"again": True} if position.again else {}
    if position.leaving is not None:
        flags["leaving"] = position.leaving
    return flags


def _winners(position: EkkoState) -> Json:
    return {"winners": list(position.winners)} if position.phase == Phase.OVER else {}
