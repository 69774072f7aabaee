"""How a table looks at Ekö: the turns, the board, what the players have."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ekoes.errors import NotationError, PositionError
from ekoes.games.about import fields_about
from ekoes.games.contract import Json, Turn
from ekoes.games.eko.account import account
from ekoes.games.eko.action import Action, End, Swap
from ekoes.games.eko.choices import choices, ways
from ekoes.games.eko.layout import Layout
from ekoes.games.eko.plain import Plain
from ekoes.games.eko.position import EkoPosition
from ekoes.games.eko.rules.record import (
    CAPTIVE_POINTS,
    FEWEST_PLAYERS,
    MOST_PLAYERS,
    PYRAMID_POINTS,
    SUPPLY,
    Whereabouts,
)
from ekoes.games.eko.setup import EkoOptions
from ekoes.games.eko.tiles import VARIANTS, Terrain

__all__ = ["PRESENTER", "EkoPresenter"]

_IN_RESERVE = int(Whereabouts.RESERVE)


class EkoPresenter:
    """What a table of Ekö shows."""

    def about(self) -> Json:
        """Describe what a table of Ekö can be set to."""
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
        """Return the turn that the next decision belongs to (E4.1); number 0 in the set-up."""
        state = position.plain
        return Turn(state.number, state.player)

    def phase(self, position: EkoPosition) -> str:
        """Return the phase (E12)."""
        return position.phase.name.lower()

    def identity(self, position: EkoPosition) -> bytes | None:
        """Return what E11.6 compares; None in the set-up, which has no turns."""
        return position.digest() if position.turn_number else None

    def can_hold(self, position: EkoPosition) -> bool:
        """Tell whether a decision here may be held: all but the placements of the draft (E3.4)."""
        return self.phase(position) != "place"

    def least(self, position: EkoPosition, seat: int) -> Action | None:
        """Return what ends the turn, or leaves the Emperor where it is; None where something must be done."""
        for action in (End(), Swap()):
            if position.why_not(seat, action) is None:
                return action
        return None

    def board(self, position: EkoPosition) -> Json:
        """Describe the layout: spaces in the order of E2.6, tiles, portals, pyramids, beacons."""
        return _board(position.layout)

    def players(self, position: EkoPosition) -> list[Json]:
        """Describe what the players have, seat by seat."""
        state = position.plain
        return [_player(position, state, seat) for seat in range(position.players)]

    def merits(self, position: EkoPosition) -> tuple[int, ...]:
        """Tell the players' points (E11.1); whoever has nothing on the board comes after all who have."""
        state = position.plain
        return tuple(
            -1 if next(state.stacks_of(seat), None) is None else position.points(seat).total
            for seat in range(position.players)
        )

    def choices(self, position: EkoPosition, seat: int) -> Json:
        """Return the legal actions of a seat, in rows by what they do."""
        return choices(position, seat)

    def ways(self, position: EkoPosition, of: object) -> Json:
        """Tell which ways the stack on a space can go. of: the number of the space."""
        if not isinstance(of, int) or isinstance(of, bool) or not 0 <= of < len(position.layout.spaces):
            raise NotationError("must be the number of a space", rule="E2.6", key="of")
        return ways(position, of)

    def describe(self, position: EkoPosition, action: Action, after: EkoPosition) -> Json:
        """Describe a decision that was taken: notation, effect, and what it did (``account``)."""
        return account(position, action, after)


PRESENTER = EkoPresenter()


@lru_cache(maxsize=64)
def _board(layout: Layout) -> Json:
    names = [str(space) for space in layout.spaces]
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
        "space": str(space),
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


def _player(position: EkoPosition, state: Plain, seat: int) -> Json:
    """Describe one player; state: the numbers of the position."""
    camps, towers, castles = (state.count_built(seat, level) for level in (1, 2, 3))
    return {
        "points": _points(position, state, seat, (camps, 2 * towers, 3 * castles)),
        "capital": state.capitals[seat] > 0,
        "reserve": {"discs": state.reserve[seat], "emperor": state.whereabouts[seat] == _IN_RESERVE},
        "emperor": _emperor(position, state, seat),
        "supply": {"camp": SUPPLY[1] - camps, "tower": SUPPLY[2] - towers, "castle": SUPPLY[3] - castles},
        "removed": state.removed[seat],
        "discs": sum([state.height[space] for space in state.stacks_of(seat)]),
    }


def _points(position: EkoPosition, state: Plain, seat: int, built: tuple[int, int, int]) -> Json:
    """Tell a player's points by source. built: those of buildings, by level. Rule: E11.1, E10.6."""
    captives = CAPTIVE_POINTS * len(state.captives_of(seat))
    pyramids = PYRAMID_POINTS * position.pyramids(seat)
    camps, towers, castles = built
    return {
        "total": camps + towers + castles + captives + pyramids,
        "camps": camps,
        "towers": towers,
        "castles": castles,
        "captives": captives,
        "pyramids": pyramids,
    }


def _emperor(position: EkoPosition, state: Plain, seat: int) -> Json:
    """Tell where a player's Emperor is."""
    match state.whereabouts[seat]:
        case Whereabouts.BOARD:
            return {"where": "board", "space": position.board.spaces[state.emperor[seat]]}
        case Whereabouts.CAPTIVE:
            return {"where": "captive", "by": state.captor[seat]}
        case Whereabouts.UNPLACED:
            return {"where": "unplaced"}
        case _:
            return {"where": "reserve"}
