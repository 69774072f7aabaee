"""Positions in the interchange form, version 1: written canonically, so that equal ones look equal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ekoes.games.contract import Json
from ekoes.games.eko.action import BUILDINGS
from ekoes.games.eko.rules.record import Phase, Whereabouts

if TYPE_CHECKING:
    from ekoes.games.eko.state import EkoState

__all__ = ["FLAGS", "LAST_TURN", "SETUP_PHASES", "VERSION", "position_to_json"]

VERSION = 1
LAST_TURN = 999_999_999
"""The highest number of a turn that is written, and so the highest that is read."""
SETUP_PHASES = frozenset({Phase.PLACE, Phase.SWAP})
FLAGS = ("marched", "sandtemple_used", "moon_used")


def position_to_json(position: EkoState) -> Json:
    """Write a position; equal positions give equal text (keys in fixed order, spaces ascending)."""
    layout, record = position.layout, position.record
    seats = range(position.players)
    reserve = record.reserve.tolist()
    value: Json = {"game": "eko", "version": VERSION}
    if not layout.tileset.is_default:
        value["tileset"] = layout.tileset.to_json()
    value["players"] = position.players
    value["tiles"] = layout.to_json()
    value["stacks"] = {
        str(space): {"owner": stack.owner, "height": stack.height, "emperor": stack.emperor}
        for space, stack in position.stacks().items()
    }
    value["buildings"] = {
        str(site): {"owner": owner, "kind": BUILDINGS[level - 1].value}
        for site, (owner, level) in position.buildings().items()
    }
    value["reserve"] = [
        {"discs": reserve[seat], "emperor": position.emperor_in_reserve(seat)} for seat in seats
    ]
    value["removed"] = record.removed.tolist()[: position.players]
    value["captives"] = [list(position.captives(seat)) for seat in seats]
    if position.phase == Phase.PLACE:
        value["unplaced"] = [
            {
                "discs": int(record.unplaced[seat]),
                "emperor": bool(record.whereabouts[seat] == Whereabouts.UNPLACED),
            }
            for seat in seats
        ]
    value["turn"] = _turn_to_json(position)
    if position.phase == Phase.OVER:
        value["winners"] = list(position.winners)
    return value


def _turn_to_json(position: EkoState) -> Json:
    layout, record, phase = position.layout, position.record, position.phase
    turn: Json = {"number": position.turn_number, "player": position.player}
    if phase in SETUP_PHASES and record.first:
        turn["first"] = int(record.first)
    turn["phase"] = phase.name.lower()
    turn.update({flag: True for flag in FLAGS if record[flag]})
    paid = position.paid_zones()
    if paid:
        turn["paid"] = [str(layout.spaces[head]) for head in sorted(paid)]
    if record.n_placed:
        placed = record.placed[: record.n_placed].tolist()
        turn["placed"] = [str(layout.spaces[space]) for space in placed]
    if phase == Phase.RANSOM:
        turn["ransom"] = int(record.chooser)
        turn["resume"] = Phase(int(record.resume)).name.lower()
    return turn
