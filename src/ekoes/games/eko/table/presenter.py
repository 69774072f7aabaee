"""Shows Ekö at a table: the turns, the board and the players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from ekoes.errors import NotationError, PositionError
from ekoes.games.api.contract import Json, Turn
from ekoes.games.api.table import fields_about
from ekoes.games.eko.position.action import Action, End, Swap
from ekoes.games.eko.position.layout import Layout
from ekoes.games.eko.position.position import PHASES, EkoPosition
from ekoes.games.eko.position.setup import EkoOptions
from ekoes.games.eko.position.state import StateView
from ekoes.games.eko.position.tiles import VARIANTS, Terrain
from ekoes.games.eko.rules.record import (
    CAPTIVE_POINTS,
    FEWEST_PLAYERS,
    MOST_PLAYERS,
    PYRAMID_POINTS,
    SUPPLY,
    Phase,
    Whereabouts,
)
from ekoes.games.eko.table.choices import choices, effects, paths


class EkoPresenter:
    """The presenter of tables of Ekö."""

    def about(self) -> Json:
        """Describe the options of a table."""
        options = fields_about(EkoOptions, besides={"players"})
        chosen = {"variants": options["variants"]["values"], "setups": options["setup"]["values"]}
        return {"players": [FEWEST_PLAYERS, MOST_PLAYERS], **chosen, "options": options}

    def settings(self, options: Mapping[str, Any]) -> Json:
        """Check the options and return them complete. Raises PositionError naming the key."""
        try:
            value = EkoOptions.read(options).model_dump(mode="json", exclude_none=True)
        except ValueError as error:
            raise PositionError("nested too deeply", code="position/options", key="options") from error
        return value | {"variants": [variant for variant in VARIANTS if variant in value["variants"]]}

    def turn(self, position: EkoPosition) -> Turn:
        """Return the turn of the next decision (E4.1); number 0 in the set-up."""
        view = position.plain
        return Turn(view.number, view.player)

    def phase(self, position: EkoPosition) -> str:
        """Return the phase (E12)."""
        return PHASES[position.plain.phase]

    def identity(self, position: EkoPosition) -> bytes | None:
        """Return the digest for E11.6; None in the set-up, which has no turns."""
        return position.digest() if position.plain.number else None

    def can_hold(self, position: EkoPosition) -> bool:
        """Return whether a decision may be held: not in the placements of the draft (E3.4)."""
        return position.plain.phase != Phase.PLACE

    def least(self, position: EkoPosition, seat: int) -> Action | None:
        """Return the action that ends the phase or declines the swap; None if an action is compulsory."""
        for action in (End(), Swap()):
            if position.why_not(seat, action) is None:
                return action
        return None

    def board(self, position: EkoPosition) -> Json:
        """Describe the layout: spaces in the order of E2.6, tiles, portals, pyramids, beacons."""
        return _board(position.layout)

    def players(self, position: EkoPosition) -> list[Json]:
        """Describe the state of the players, seat by seat."""
        view, spaces = position.plain, position.layout.coordinates
        return [_player(view, spaces, seat) for seat in range(len(view.points))]

    def merits(self, position: EkoPosition) -> tuple[int, ...]:
        """Return the players' points (E11.1); players without a disc on the board come after all others."""
        view = position.plain
        return tuple([points if discs else -1 for points, discs in zip(view.points, view.discs, strict=True)])

    def choices(self, position: EkoPosition, seat: int) -> Json:
        """Return the legal actions of a seat, in rows by effect."""
        return choices(position, seat)

    def ways(self, position: EkoPosition, of: object) -> Json:
        """Return the paths of the stack on a space. of: the number of the space."""
        if not isinstance(of, int) or isinstance(of, bool) or not 0 <= of < len(position.layout.spaces):
            raise NotationError("must be the number of a space", rule="E2.6", key="of")
        return paths(position, of)

    def describe(self, position: EkoPosition, action: Action, after: EkoPosition) -> Json:
        """Describe a decision and its effects: notation, effect, and the result of ``effects``."""
        return effects(position, action, after)


PRESENTER = EkoPresenter()


@lru_cache(maxsize=64)
def _board(layout: Layout) -> Json:
    names = layout.coordinates
    zone_of = {space: names[zone[0]] for zone in layout.zones for space in zone}
    return {
        "spaces": [_space(layout, number, zone_of.get(number)) for number in range(len(names))],
        "tiles": layout.to_json(),
        "portals": [
            {"space": names[portal], "direction": direction, "front": names[front]}
            for portal, direction, front in layout.portals
        ],
        "pyramids": [[names[space] for space in spaces] for spaces in layout.pyramids],
        "beacons": [[names[space] for space in spaces] for spaces in layout.beacons],
    }


def _space(layout: Layout, number: int, zone: str | None) -> Json:
    space, terrain = layout.spaces[number], layout.terrain[number]
    value: Json = {
        "space": layout.coordinates[number],
        "name": layout.names.write(space),
        "q": space.q,
        "r": space.r,
        "terrain": terrain.word,
        "tile": layout.tile_of[number],
    }
    if zone is not None:
        value["zone"] = zone
    if terrain is Terrain.CAPITAL:
        value["capital"] = True
    return value


def _player(view: StateView, spaces: Sequence[str], seat: int) -> Json:
    """Describe one player: points by source (E11.1, E10.6), the Emperor, discs and buildings left."""
    camps, towers, castles = view.camps[seat], view.towers[seat], view.castles[seat]
    match view.whereabouts[seat]:
        case Whereabouts.BOARD:
            emperor: Json = {"where": "board", "space": spaces[view.emperor[seat]]}
        case Whereabouts.CAPTIVE:
            emperor = {"where": "captive", "by": view.captor[seat]}
        case Whereabouts.UNPLACED:
            emperor = {"where": "unplaced"}
        case _:
            emperor = {"where": "reserve"}
    return {
        "points": {
            "total": view.points[seat],
            "camps": camps,
            "towers": 2 * towers,
            "castles": 3 * castles,
            "captives": CAPTIVE_POINTS * view.captives[seat].bit_count(),
            "pyramids": PYRAMID_POINTS * view.pyramids[seat],
        },
        "capital": view.capitals[seat] > 0,
        "reserve": {
            "discs": view.reserve[seat],
            "emperor": view.whereabouts[seat] == Whereabouts.RESERVE,
        },
        "emperor": emperor,
        "supply": {"camp": SUPPLY[1] - camps, "tower": SUPPLY[2] - towers, "castle": SUPPLY[3] - castles},
        "removed": view.removed[seat],
        "discs": view.discs[seat],
    }
