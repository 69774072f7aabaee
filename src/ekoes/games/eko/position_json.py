"""Positions in the interchange form, version 1: written canonically, so that equal ones look equal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ekoes.games.contract import Json
from ekoes.games.eko.action import BUILDINGS
from ekoes.games.eko.plain import Plain
from ekoes.games.eko.rules.record import DISCS, MOST_PLAYERS, TALLEST, Phase, Whereabouts

if TYPE_CHECKING:
    from ekoes.games.eko.state import EkoState

__all__ = ["FLAGS", "LAST_TURN", "SETUP_PHASES", "VERSION", "position_to_json"]

VERSION = 1
LAST_TURN = 999_999_999
"""The highest number of a turn that is written, and so the highest that is read."""
SETUP_PHASES = frozenset({Phase.PLACE, Phase.SWAP})
FLAGS = ("marched", "sandtemple_used", "moon_used")
_KINDS = [kind.value for kind in BUILDINGS]
_PHASES = [phase.name.lower() for phase in Phase]

# From one position to the next nearly all pieces stay. All positions share one of each kind, which takes no
# memory of its own and is found to be the same at a glance.
_STACKS: list[list[tuple[Json, Json]]] = [
    [
        (
            {"owner": owner, "height": height, "emperor": False},
            {"owner": owner, "height": height, "emperor": True},
        )
        for height in range(TALLEST + 1)
    ]
    for owner in range(MOST_PLAYERS)
]
_BUILDINGS: list[dict[str, Json]] = [
    {kind: {"owner": owner, "kind": kind} for kind in _KINDS} for owner in range(MOST_PLAYERS)
]
_RESERVES: list[tuple[Json, Json]] = [
    ({"discs": discs, "emperor": False}, {"discs": discs, "emperor": True}) for discs in range(DISCS + 1)
]


def position_to_json(position: EkoState) -> Json:
    """Write a position; equal positions give equal text (keys in fixed order, spaces ascending).

    Nobody changes what they get: positions share their pieces.
    """
    layout, state = position.layout, position.plain
    seats = range(layout.players)
    value: Json = {"game": "eko", "version": VERSION}
    if not layout.tileset.is_default:
        value["tileset"] = layout.tileset.to_json()
    value["players"] = layout.players
    value["tiles"] = position.board.tiles
    value["stacks"] = _stacks_to_json(position.board.spaces, state, seats)
    value["buildings"] = _buildings_to_json(position.board.spaces, state, seats)
    value["reserve"] = [
        _RESERVES[state.reserve[seat]][state.whereabouts[seat] == Whereabouts.RESERVE] for seat in seats
    ]
    value["removed"] = list(state.removed[: layout.players])
    value["captives"] = [state.captives_of(seat) for seat in seats]
    phase = state.phase
    if phase == Phase.PLACE:
        value["unplaced"] = [
            {
                "discs": state.unplaced[seat],
                "emperor": state.whereabouts[seat] == Whereabouts.UNPLACED,
            }
            for seat in seats
        ]
    value["turn"] = _turn_to_json(position, state)
    if phase == Phase.OVER:
        value["winners"] = list(position.winners)
    return value


def _stacks_to_json(names: Sequence[str], state: Plain, seats: Iterable[int]) -> Json:
    stacks = sorted((space, seat) for seat in seats for space in state.stacks_of(seat))
    height, emperors = state.height, state.emperor
    return {names[space]: _STACKS[seat][height[space]][emperors[seat] == space] for space, seat in stacks}


def _buildings_to_json(names: Sequence[str], state: Plain, seats: Iterable[int]) -> Json:
    built = sorted(
        (site, seat, kind)
        for seat in seats
        for level, kind in enumerate(_KINDS, 1)
        for site in state.sites_of(seat, level)
    )
    return {names[site]: _BUILDINGS[seat][kind] for site, seat, kind in built}


def _turn_to_json(position: EkoState, state: Plain) -> Json:
    names, phase = position.board.spaces, state.phase
    turn: Json = {"number": state.number, "player": state.player}
    if phase in SETUP_PHASES and state.first:
        turn["first"] = state.first
    turn["phase"] = _PHASES[phase]
    turn.update({flag: True for flag in FLAGS if getattr(state, flag)})
    if any(state.paid):
        turn["paid"] = [names[head] for head in sorted(position.paid_zones())]
    if state.n_placed:
        turn["placed"] = [names[space] for space in state.placed[: state.n_placed]]
    if phase == Phase.RANSOM:
        turn["ransom"] = state.chooser
        turn["resume"] = _PHASES[state.resume]
    return turn
