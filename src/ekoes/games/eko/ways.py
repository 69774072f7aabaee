"""Which ways lead a stack to a space, and which zones they take: for telling why not (E5.1, E10.2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ekoes.games.eko.action import Action, Move, Space

if TYPE_CHECKING:
    from ekoes.games.eko.state import EkoState

__all__ = ["Ways", "is_in_order"]

Zones = frozenset[Space]


def is_in_order(zones: Sequence[Space]) -> bool:
    """Whether zones are named each once, in the order of the spaces. Rule: E2.6, E10.2."""
    return list(zones) == sorted(set(zones), key=lambda space: (space.r, space.q))


class Ways:
    """The ways of one stack of the player in turn; legal: what that player may do."""

    def __init__(self, position: EkoState, source: Space, legal: Iterable[Action]) -> None:
        """Begin on the space of the stack."""
        self.layout = position.layout
        self.stacks = position.stacks()
        self.source = source
        self.ends = [
            (move.target, frozenset(move.zones))
            for move in legal
            if isinstance(move, Move) and move.source == source
        ]
        paid = (
            frozenset(range(len(self.layout.spaces))) if position.ignores_tempests else position.paid_zones()
        )
        self.costs = {
            self.layout.spaces[space]: frozenset({self.layout.spaces[zone[0]]})
            for zone in self.layout.zones
            if zone[0] not in paid
            for space in zone
        }

    def prices(self, target: Space) -> set[Zones]:
        """Return for each way to the target the zones that take a disc, whatever may stand there.

        A stack is met from a space beside it, where a way that keeps a disc could have ended.
        """
        if target == self.source or target not in self.stacks:
            return {zones for end, zones in self.ends if end == target}
        height = self.stacks[self.source].height
        empty = [(end, zones) for end, zones in self.ends if end not in self.stacks]
        back = [(self.source, zones) for end, zones in empty if self._is_beside(end, self.source)]
        begin = (self.source, self._cost(self.source))
        return {
            zones | self._cost(target)
            for end, zones in (begin, *back, *empty)
            if len(zones) < height and self._is_beside(end, target)
        }

    def lead_to(self, target: Space) -> bool:
        """Whether some way leads to the target, whatever the tempests take."""
        index, steps = self.layout.index, self.layout.steps
        filled = {index[space] for space in self.stacks}
        goal, queue = index[target], [index[self.source]]
        seen = set(queue)
        for space in queue:
            if goal in steps[space]:
                return True
            fresh = [near for near in steps[space] if near not in seen and near not in filled]
            seen.update(fresh)
            queue.extend(fresh)
        return False

    def _cost(self, space: Space) -> Zones:
        return self.costs.get(space, frozenset())

    def _is_beside(self, one: Space, other: Space) -> bool:
        index = self.layout.index
        return index[other] in self.layout.steps[index[one]]
