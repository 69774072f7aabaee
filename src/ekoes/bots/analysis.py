"""Analysis: searches a position and reports the best variations and the chances to win."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from time import monotonic
from typing import Protocol, cast

from ekoes.errors import NotationError
from ekoes.games.api.contract import Game, Json, Position
from ekoes.games.api.registry import load
from ekoes.games.api.table import Variation


class Search(Protocol):
    """A search of one position, provided by a game (``Parts.analysis``); readable from any thread.

    about: what the game adds to the value, as JSON. A search that can go on in another position also has
    ``move_to``, with that position and the ``seen`` of ``begin_search``; it keeps what it can use there.
    """

    def run(
        self, seconds: float | None, iterations: int | None, threads: int = 1, turns: int | None = None
    ) -> None:
        """Search until a limit, a proof or a stop; blocks, but releases the GIL.

        threads: at most. turns: to look ahead.
        """

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

    def lines(self, count: int) -> Sequence[Variation]:
        """Return the best variations, the best first; more if the game values every decision."""


@dataclass(frozen=True, slots=True)
class Info:
    """The state of a search.

    value: the chance of each player to win. seconds: since its start. about: what the game adds.
    """

    value: tuple[float, ...]
    iterations: int
    depth: int
    lines: Sequence[Variation]
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


class KeptSearch:
    """The latest search, which the next one may go on with; a cache: without it a search is only weaker."""

    def __init__(self) -> None:
        self._search: Search | None = None
        self._key: object = None

    def next(
        self, key: object, position: Position, seen: Iterable[bytes], begin: Callable[[], Search]
    ) -> Search:
        """Return a search of a position, not running yet: the latest one if it has this key, else a new one.

        key: equal for searches of one kind, in one memory, for one user. begin: called for a new one, after
        the latest has been freed.
        """
        search, self._search = self._search, None
        move_to = getattr(search, "move_to", None) if key == self._key else None
        if search is None or move_to is None:
            search = None
            search = begin()
        else:
            move_to(position, seen)
        self._search, self._key = search, key
        return search

    def drop(self) -> None:
        """Free the latest search."""
        self._search = None


def info_of(search: Search, lines: int, begun: float) -> Info:
    """Return the state of a search. begun: its start, by ``monotonic``."""
    found = search.lines(lines)  # first: it waits for the first iteration, before which nothing has a value
    seconds = monotonic() - begun
    return Info(search.value, search.iterations, search.depth, found, seconds, search.about)


def watch(
    search: Search,
    *,
    seconds: float | None = None,
    iterations: int | None = None,
    lines: int = 1,
    every: float = 0.25,
    threads: int = 1,
) -> Generator[Info]:
    """Run a search in a thread, and yield its state at intervals and at its end; closing stops it.

    seconds, iterations: the first limit reached counts; None and None: until closed. every: seconds. threads:
    the most that the search may use.
    """
    begun = monotonic()
    with ThreadPoolExecutor(1) as pool:
        work = pool.submit(search.run, seconds, iterations, threads)
        try:
            while wait({work}, every).not_done:
                yield info_of(search, lines, begun)
        finally:
            search.stop()
        work.result()
    yield info_of(search, lines, begun)
