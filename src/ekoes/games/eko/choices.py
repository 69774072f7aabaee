"""The legal actions of a seat with all that a page wants to show of each before it is done.

A page knows no rules: what an action does, costs and which way it goes is told here.
"""

from __future__ import annotations

from collections import deque
from functools import lru_cache
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
from ekoes.games.eko.rules.record import MARCH_PRICE, MOON_PRICE, SANDTEMPLE_PRICE, TALLEST

if TYPE_CHECKING:
    from ekoes.games.eko.layout import Layout
    from ekoes.games.eko.position import EkoPosition
    from ekoes.games.eko.state import Stack

__all__ = ["choices", "describe"]

_PRICE = {"march": MARCH_PRICE, "moon": MOON_PRICE, "sandtemple": SANDTEMPLE_PRICE}

Reached = tuple[int, int]
"""A space, and the zones that took a disc on the way there: bit n for the zone whose first space is n."""


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


class _Describer:
    """Describes the actions of one position; what several share is worked out once."""

    def __init__(self, position: EkoPosition) -> None:
        self.position = position
        self.layout = position.layout
        self.stacks = position.stacks()
        self.buildings = position.buildings()
        self._ways: dict[Space, dict[Reached, Reached | None]] = {}

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
        elif action.type in _PRICE:
            value["cost"] = _PRICE[action.type]
        value["notation"] = format_action(action, self.position)
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
        before, index = self._ways[move.source], self.layout.index
        reached: Reached | None = index[move.target], sum(1 << index[zone] for zone in move.zones)
        if reached not in before:
            return [str(move.source), str(move.target)]
        names = _names(self.layout)
        path = []
        while reached is not None:
            path.append(names[reached[0]])
            reached = before[reached]
        return path[::-1]

    def find_ways(self, source: Space) -> dict[Reached, Reached | None]:
        """Search broadly from a stack over empty spaces, noting the zones that take a disc.

        Returns: all that can be reached, each with where the way comes from (None: the start).
        """
        height, index, steps, costly = (
            self.stacks[source].height,
            self.layout.index,
            self.layout.steps,
            self.costly(),
        )
        start = index[source]
        filled = {index[space] for space in self.stacks} - {start}
        first = start, costly.get(start, 0)
        before: dict[Reached, Reached | None] = {first: None}
        queue = deque([first])
        while queue:
            here = queue.popleft()
            space, zones = here
            if space in filled or zones.bit_count() == height:
                continue
            for near in steps[space]:
                reached = near, zones | costly.get(near, 0)
                if reached not in before and reached[1].bit_count() <= height:
                    before[reached] = here
                    queue.append(reached)
        return before

    def costly(self) -> dict[int, int]:
        """Return the tempest spaces that take a disc now, each with the bit of its zone."""
        if self.position.ignores_tempests:
            return {}
        paid = self.position.paid_zones()
        return {space: 1 << zone[0] for zone in self.layout.zones if zone[0] not in paid for space in zone}


@lru_cache(maxsize=64)
def _names(layout: Layout) -> tuple[str, ...]:
    return tuple(map(str, layout.spaces))
