"""Looking at a position for as long as one likes: who will win, and by which lines."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any, Protocol, cast

from ekoes.errors import NotationError
from ekoes.games.contract import Game, Json, Position
from ekoes.games.registry import load

__all__ = ["Info", "Line", "Search", "analyse", "begin_search", "info_of"]


class Line(Protocol):
    """What may follow, and the chance of each player to win after it.

    iterations: how often the search came through the first action. proven: the value is certain.
    """

    @property
    def actions(self) -> Sequence[Any]: ...  # noqa: D102 - as above
    @property
    def value(self) -> tuple[float, ...]: ...  # noqa: D102
    @property
    def iterations(self) -> int: ...  # noqa: D102
    @property
    def proven(self) -> bool: ...  # noqa: D102


class Search(Protocol):
    """A search of one position, as a game brings it (``Parts.analysis``); any thread may look."""

    def run(self, seconds: float | None, iterations: int | None) -> None:
        """Search until a limit is reached, all is known or it is stopped; blocks, not other threads."""

    def stop(self) -> None:
        """End it, from any thread."""

    @property
    def value(self) -> tuple[float, ...]: ...  # noqa: D102
    @property
    def iterations(self) -> int: ...  # noqa: D102
    @property
    def depth(self) -> int: ...  # noqa: D102

    def lines(self, count: int) -> Sequence[Line]:
        """Return the best lines, the best first."""


@dataclass(frozen=True, slots=True)
class Info:
    """What a search knows by now. value: the chance of each player to win; seconds: since it began."""

    value: tuple[float, ...]
    iterations: int
    depth: int
    lines: Sequence[Line]
    seconds: float

    def to_json(self, position: Position) -> Json:
        """Return it as the engine protocol has it."""
        game = position.game
        return {
            "value": list(self.value),
            "iterations": self.iterations,
            "depth": self.depth,
            "lines": [
                {
                    "value": list(line.value),
                    "actions": [game.action_to_json(action) for action in line.actions],
                    "iterations": line.iterations,
                }
                | ({"proven": True} if line.proven else {})
                for line in self.lines
            ],
        }


def begin_search(game: Game, position: Position, seen: Iterable[bytes], memory: int) -> Search:
    """Return a search that has not begun. Raises NotationError where the game has none."""
    if game.parts.analysis is None:
        raise NotationError(f"positions of {game.name} are not analysed", key="cmd")
    return cast("Search", load(game.parts.analysis)(position, seen, memory))


def info_of(search: Search, lines: int, begun: float) -> Info:
    """Return what a search knows by now. begun: when, by ``monotonic``."""
    return Info(search.value, search.iterations, search.depth, search.lines(lines), monotonic() - begun)


async def analyse(
    position: Position,
    *,
    seconds: float | None = None,
    iterations: int | None = None,
    lines: int = 1,
    every: float = 0.25,
    seen: Iterable[bytes] = (),
    memory: int = 128,
) -> AsyncIterator[Info]:
    """Yield what a search knows, now and then and at its end; closing this ends it.

    seconds, iterations: the first that is reached counts; None and None: until it is closed. seen: the
    positions that began a turn before, as the rule of repetition compares them. memory: MiB.

    Raises: NotationError where the game has no search, or nobody is asked.
    """
    if not position.actors():
        raise NotationError("nobody is asked", key="position")
    search, begun = begin_search(position.game, position, seen, memory), monotonic()
    work = asyncio.create_task(asyncio.to_thread(search.run, seconds, iterations))
    try:
        while not (await asyncio.wait({work}, timeout=every))[0]:
            yield info_of(search, lines, begun)
        work.result()
        yield info_of(search, lines, begun)
    finally:
        search.stop()
        await asyncio.wait({work})
