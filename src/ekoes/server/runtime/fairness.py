"""Judges boards on request: one at a time, in processes of the sandbox; nothing is stored."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

from ekoes.errors import EkoesError
from ekoes.games.api.contract import Json
from ekoes.games.api.parts import Boards
from ekoes.games.api.registry import part_of
from ekoes.protocol import encode
from ekoes.server.ops.limits import Places
from ekoes.server.ops.logs import log_of
from ekoes.server.ops.tasks import Errands
from ekoes.server.workers.sandbox import Sandbox

_LOG = log_of("ekoes.server")
_AT_ONCE = 2
_QUEUE = 16
_WAIT = 20
"""Seconds after which a place in a full queue may be free."""
_DEALS = 8
"""Deals of one computation, about a second."""

Send = Callable[[Json], None]


def boards_of(game: str) -> Boards:
    """Return the boards of a game. Raises TableError if it has none."""
    boards: Boards = part_of(game, "boards")
    return boards


class FairnessReports:
    """The reports that a server makes, first come, first served."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._places = Places(_QUEUE, "reports", _WAIT)
        self._turn = asyncio.Lock()
        self._tasks = Errands("fairness")

    async def begin(
        self, game: str, layout: object, games: int, seed: int, address: str | None
    ) -> AsyncIterator[str]:
        """Queue a report. Returns its progress as JSON lines; closing the iterator ends it.

        address: of the client. Raises: LimitError if the queue or the share of the address is full;
        EkoesError if the board is not playable.
        """
        boards_of(game)
        board = await self._sandbox.do(_read, game, layout, address=address)
        self._places.take(address)
        found: asyncio.Queue[Json | None] = asyncio.Queue()
        task = self._tasks.run(self._make(game, board, games, seed, found.put_nowait))
        task.add_done_callback(lambda _: self._places.leave(address))
        task.add_done_callback(lambda _: found.put_nowait(None))  # however it has ended
        return _lines(found, task)

    async def stop(self) -> None:
        """End all reports."""
        await self._tasks.end()

    async def _make(self, game: str, board: Any, games: int, seed: int, send: Send) -> None:  # noqa: ANN401
        total = boards_of(game).deals_for(board, games)
        send({"played": 0, "games": games, "report": None})
        try:
            async with self._turn:
                left = iter(range(0, total, _DEALS))
                tallies: list[Any] = []

                async def play(left: Iterator[int]) -> None:
                    for begin in left:
                        deals = range(begin, min(begin + _DEALS, total))
                        tallies.append(await self._sandbox.do_next(_play, game, board, deals, seed))
                        played = sum(one.games for one in tallies)
                        send({"played": played, "games": games, "report": None})

                async with asyncio.TaskGroup() as group:
                    for _ in range(_AT_ONCE):
                        group.create_task(play(left))
                report = await self._sandbox.do_next(_report, game, board, tallies, seed)
                send({"played": report["games"], "games": games, "report": report})
        except* EkoesError as failed:
            _LOG.warning("report of fairness failed", error=str(failed.exceptions[0]))


async def _lines(found: asyncio.Queue[Json | None], task: asyncio.Task[None]) -> AsyncIterator[str]:
    try:
        while (line := await found.get()) is not None:
            yield f"{encode(line)}\n"
    finally:
        task.cancel()


def _read(game: str, layout: object) -> Any:  # noqa: ANN401
    return boards_of(game).read_board(layout)


def _play(game: str, board: Any, deals: range, seed: int) -> Any:  # noqa: ANN401
    return boards_of(game).play_deals(board, deals, seed)


def _report(game: str, board: Any, tallies: list[Any], seed: int) -> Json:  # noqa: ANN401
    return boards_of(game).report(board, tallies, seed)
