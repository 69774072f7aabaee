"""The legal actions of a seat with all that a page wants to show of each before it is done.

A page knows no rules: what an action does, costs and which way it goes is told here.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ekoes.games.contract import Json
from ekoes.games.eko.action import (
    Action,
    Build,
    Move,
    Reinforce,
    Space,
    Swap,
    action_to_json,
)
from ekoes.games.eko.notation import format_action
from ekoes.games.eko.rules.record import TALLEST

if TYPE_CHECKING:
    from ekoes.games.eko.position import EkoPosition, Stack

__all__ = ["choices", "describe"]

Zones = frozenset[int]


def choices(position: EkoPosition, seat: int) -> list[Json]:
    """Return every legal action of a seat, each described (see ``describe``)."""
    describer = _Describer(position)
    return [describer.describe(action) for action in position.legal(seat)]


def describe(position: EkoPosition, action: Action) -> Json:
    """Describe one legal action.

    Returns: ``action`` and ``notation``; ``effect`` (move, regroup, attack, kamikaze, perish, build,
    upgrade, replace, keep, or the action's type); where it applies ``path`` (spaces from source to
    target), ``height`` (discs on the target afterwards), ``lost`` (discs lost to tempests) and
    ``cost`` (discs spent or removed).
    """
    return _Describer(position).describe(action)


@dataclass(frozen=True, slots=True)
class _Way:
    """A space that a stack has reached, the zones it has newly met, and where it came from."""

    space: int
    zones: Zones
    before: _Way | None

    def path(self, spaces: tuple[Space, ...]) -> list[str]:
        way: _Way | None = self
        path = []
        while way is not None:
            path.append(str(spaces[way.space]))
            way = way.before
        return path[::-1]


class _Describer:
    """Describes the actions of one position; what several share is worked out once."""

    def __init__(self, position: EkoPosition) -> None:
        self.position = position
        self.layout = position.layout
        self.stacks = position.stacks()
        self.buildings = position.buildings()
        self._ways: dict[Space, dict[tuple[int, Zones], _Way]] = {}

    def describe(self, action: Action) -> Json:
        value: Json = {"action": action_to_json(action), "effect": self.effect(action)}
        if isinstance(action, Move):
            value["path"] = self.path(action)
            value["lost"] = len(action.zones)
            value["height"] = self.height_after(action)
        elif isinstance(action, Build):
            value["cost"] = self.cost(action)
            value["height"] = self.stacks[action.source].height - value["cost"]
        elif isinstance(action, Reinforce):
            value["height"] = self.stacks[action.space].height + action.count
        elif action.type in {"march", "moon", "sandtemple"}:
            value["cost"] = 3 if action.type == "march" else 2
        value["notation"] = format_action(action)
        return value

    def effect(self, action: Action) -> str:
        if isinstance(action, Move):
            return self.effect_of_move(action)
        if isinstance(action, Build):
            owner = self.buildings.get(action.site, (None, 0))[0]
            if owner is None:
                return "build"
            return "upgrade" if owner == self.stacks[action.source].owner else "replace"
        if isinstance(action, Swap) and action.space is None:
            return "keep"
        return action.type

    def effect_of_move(self, move: Move) -> str:
        left = self.left(move)
        met = None if move.target == move.source else self.stacks.get(move.target)
        if left == 0:
            return "perish"
        if met is None:
            return "move"
        if met.owner == self.stacks[move.source].owner:
            return "regroup"
        return "kamikaze" if left == 1 and met.height == TALLEST else "attack"

    def left(self, move: Move) -> int:
        """Return how many discs of a moving stack the tempests leave."""
        return self.stacks[move.source].height - len(move.zones)

    def height_after(self, move: Move) -> int:
        effect = self.effect_of_move(move)
        if effect in {"perish", "kamikaze"}:
            return 0
        met: Stack | None = self.stacks.get(move.target) if effect == "regroup" else None
        return self.left(move) + (met.height if met else 0)

    def cost(self, build: Build) -> int:
        """Return the discs a construction takes. Rule: E6.3."""
        owner = self.buildings.get(build.site, (None, 0))[0]
        own = self.stacks[build.source].owner
        return build.kind.level + (owner not in {None, own})

    def path(self, move: Move) -> list[str]:
        """Return the spaces of a shortest way that meets just the zones of the move. Rule: E5.1."""
        if move.source not in self._ways:
            self._ways[move.source] = self.find_ways(move.source)
        zones = frozenset(self.layout.index[zone] for zone in move.zones)
        way = self._ways[move.source].get((self.layout.index[move.target], zones))
        return way.path(self.layout.spaces) if way else [str(move.source), str(move.target)]

    def find_ways(self, source: Space) -> dict[tuple[int, Zones], _Way]:
        """Search broadly from a stack over empty spaces, noting the zones that take a disc."""
        layout, height = self.layout, self.stacks[source].height
        costly = self.costly()
        start = layout.index[source]
        filled = {layout.index[space] for space in self.stacks} - {start}
        zone = costly.get(start)
        first = _Way(start, frozenset() if zone is None else frozenset({zone}), None)
        found = {(start, first.zones): first}
        queue = deque([first])
        while queue:
            way = queue.popleft()
            if way.space in filled or len(way.zones) == height:
                continue
            for space in self.steps(way.space):
                zone = costly.get(space)
                zones = way.zones if zone is None else way.zones | {zone}
                if len(zones) <= height and (space, zones) not in found:
                    found[space, zones] = _Way(space, zones, way)
                    queue.append(found[space, zones])
        return found

    def steps(self, space: int) -> list[int]:
        """Return the walkable neighbours of a space, through portals too."""
        layout = self.layout
        near = [other for other in layout.neighbours[space] if layout.terrain[other].is_walkable]
        link = layout.portal_link
        if link is not None and space in link:
            near.append(link[1] if space == link[0] else link[0])
        return near

    def costly(self) -> dict[int, int]:
        """Return the tempest spaces that take a disc now, each with the first space of its zone."""
        if self.position.ignores_tempests:
            return {}
        paid = self.position.paid_zones()
        return {space: zone[0] for zone in self.layout.zones if zone[0] not in paid for space in zone}
