"""Analysis: searches a position and reports the best variations and the chances to win."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from time import monotonic
from typing import Any, Protocol, cast

from ekoes.errors import NotationError
from ekoes.games.api.contract import Game, Json, Position
from ekoes.games.api.registry import load


class Line(Protocol):
    """A variation, and each player's chance to win after it.

    value: empty if the game values decisions otherwise. iterations: visits of the first action. proven: the
    value is certain. about: what the game adds, as JSON.
    """

    @property
    def actions(self) -> Sequence[Any]: ...  # noqa: D102 - as above
    @property
    def value(self) -> tuple[float, ...]: ...  # noqa: D102
    @property
    def iterations(self) -> int: ...  # noqa: D102
    @property
    def proven(self) -> bool: ...  # noqa: D102
    @property
    def about(self) -> Json: ...  # noqa: D102


class Search(Protocol):
    """A search of one position, provided by a game (``Parts.analysis``); readable from any thread.

    about: what the game adds to the value, as JSON.
    """

    def run(self, seconds: float | None, iterations: int | None) -> None:
        """Search until a limit, a proof or a stop; blocks, but releases the GIL."""

    def stop(self) -> None:
        """Stop the search; thread-safe."""

    @property
    def value(self) -> tuple[float, ...]: ...  # noqa: D102
    @property
    def iterations(self) -> int: ...  # noqa: D102
    @property
    def depth(self) -> int: ...  # noqa: D102
    @property
    def about(self) -> Json: ...  # noqa: D102

    def lines(self, count: int) -> Sequence[Line]:
        """Return the best variations, the best first; more if the game values every decision."""


@dataclass(frozen=True, slots=True)
class Info:
    """The state of a search.

    value: the chance of each player to win. seconds: since its start. about: what the game adds.
    """

    value: tuple[float, ...]
    iterations: int
    depth: int
    lines: Sequence[Line]
    seconds: float
    about: Json

    def to_json(self, position: Position) -> Json:
        """Return the JSON of the engine protocol."""
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
    """Return a search that is not running yet. Raises NotationError if the game has no search."""
    if game.parts.analysis is None:
        raise NotationError(f"positions of {game.name} are not analysed", key="cmd")
    return cast("Search", load(game.parts.analysis)(position, seen, memory))


def info_of(search: Search, lines: int, begun: float) -> Info:
    """Return the state of a search. begun: its start, by ``monotonic``."""
    seconds = monotonic() - begun
    return Info(search.value, search.iterations, search.depth, search.lines(lines), seconds, search.about)


def search_in_steps(
    search: Search, seconds: float, lines: int, *, every: float = 0.25, step: float = 0.05
) -> Iterator[Info | None]:
    """Search, and yield its state after the first step, at intervals and at the end, else None.

    Closing the iterator ends the search; a step is the longest that this takes. All times are in seconds.
    """
    begun, known = monotonic(), step - every
    with ThreadPoolExecutor(1) as threads:
        work = threads.submit(search.run, None, None)
        try:
            while (now := monotonic() - begun) < seconds and not work.done():
                is_due = now - known >= every
                known = now if is_due else known
                yield info_of(search, lines, begun) if is_due else None
                wait({work}, min(step, seconds - now))
        finally:
            search.stop()
        work.result()
    yield info_of(search, lines, begun)


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
    """Yield the state of a search at intervals, and at its end; closing the iterator stops it.

    seconds, iterations: the first limit reached counts; None and None: until closed. seen: the positions at
    the start of each turn before, as the repetition rule compares them. memory: MiB.

    Raises: NotationError if the game has no search or is over.
    """
    if not position.actors():
        raise NotationError("the game is over", key="position")
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
