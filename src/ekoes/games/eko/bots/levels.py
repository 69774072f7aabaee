"""The levels of Ekö: one search, with less thought the weaker they are, and an eye that overlooks things."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ekoes.games.chance import Chance
from ekoes.games.eko.action import Action
from ekoes.games.eko.bots.search.guard import Guard
from ekoes.games.eko.bots.search.think import MEMORY, Search
from ekoes.games.eko.position import EkoPosition

__all__ = ["CASUAL", "MASTER", "SKILLED", "STRONG", "Level"]

_ALL = 100


@dataclass(frozen=True, slots=True)
class Level:
    """A player of a strength.

    seconds: what a decision takes at most; iterations: steps of its search.
    sees: how many of 100 decisions come to its mind. careful: tries every turn to its end for a win of its
    own, and for one of the next player that it can prevent.
    """

    name: str
    seconds: float
    iterations: int
    sees: int = _ALL
    careful: bool = True

    def choose(self, position: EkoPosition, seat: int, chance: Chance) -> Action:
        """Return what it thinks best; equal chance gives the same unless time runs out."""
        return self.think(position, seat, chance)

    def think(
        self,
        position: EkoPosition,
        seat: int,  # noqa: ARG002 - it is whoever is asked
        chance: Chance,
        *,
        seconds: float | None = None,
        iterations: int | None = None,
        seen: Iterable[bytes] = (),
    ) -> Action:
        """Return what it thinks best within limits. seen: as ``Search`` has it."""
        search = self.begin(position, seen)
        self.run(search, seconds, iterations)
        return self.pick(search, chance)

    def begin(self, position: EkoPosition, seen: Iterable[bytes] = (), memory: int = MEMORY) -> Search:
        """Return a search that has not begun."""
        return Search(position, seen, memory)

    def run(self, search: Search, seconds: float | None = None, iterations: int | None = None) -> None:
        """Search within limits: never more steps than its own, and its own time if nothing is told.

        What asks no choice asks no thought.
        """
        if len(search.position.codes) == 1:
            search.run(None, 1)
            return
        if seconds is None and iterations is None:
            seconds = self.seconds
        search.run(seconds, self.iterations if iterations is None else min(iterations, self.iterations))

    def pick(self, search: Search, chance: Chance) -> Action:
        """Return the best of what it sees."""
        ranking = search.ranking()
        if self.careful and len(ranking) > 1:
            return _guarded(search.position, ranking)
        noticed = [action for action in ranking if self.sees == _ALL or chance.below(_ALL) < self.sees]
        return (noticed or ranking)[0]


def _guarded(position: EkoPosition, ranking: Sequence[Action]) -> Action:
    """Return a win within the turn, else the best after which the next player has none."""
    guard = Guard(position)
    return guard.win() or next((action for action in ranking if not guard.loses(action)), ranking[0])


CASUAL = Level("casual", 0.05, iterations=1, sees=25, careful=False)
SKILLED = Level("skilled", 0.15, iterations=20)
STRONG = Level("strong", 0.5, iterations=300)
MASTER = Level("master", 2.0, iterations=40_000)
