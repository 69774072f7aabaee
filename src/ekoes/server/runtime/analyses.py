"""Runs analyses in processes of their own: one per session, a few at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial

from ekoes.games.api.contract import Json
from ekoes.protocol import LONGEST_ANALYSIS, encode
from ekoes.server.ops.limits import Places
from ekoes.server.ops.logs import log_of
from ekoes.server.ops.tasks import end
from ekoes.server.runtime.analysis_board import evaluations
from ekoes.server.workers.sandbox import Sandbox
from ekoes.tables.analysis import check_open
from ekoes.tables.sequence import SequenceTable
from ekoes.tables.turns import TurnTable

_CONCURRENT = 2
"""Searches that run at once; others wait in a queue."""
_MAX_WAITING = 18
_NICENESS = 10
_LOG = log_of("ekoes.server")


@dataclass(frozen=True, slots=True)
class AnalysisRequest:
    """A search for a connection of a session.

    work: a generator function, run with ``arguments`` in another process; it yields what is known. send:
    called with ``info`` and what is known, then with ``result`` and the last of it; what is known is None
    before the start, and ``info`` of a search that has to wait has the number of those that wait before it.
    address: of the client.
    """

    session: str
    connection: object
    work: Callable[..., Iterator[Json]]
    arguments: tuple[object, ...]
    send: Callable[[str, Json | None, int | None], None]
    address: str | None = None


@dataclass(eq=False, slots=True)
class _Running:
    """known: the last that the search has found. is_dropped: no one waits for its result."""

    request: AnalysisRequest
    task: asyncio.Task[None] = field(init=False)
    known: Json | None = None
    is_dropped: bool = False


class Analyses:
    """The searches of a server. A new search of a session ends its earlier one."""

    def __init__(self) -> None:
        self._sandbox = Sandbox(_CONCURRENT, niceness=_NICENESS)
        self._running: dict[str, _Running] = {}
        self._waiting: list[_Running] = []
        """Those that wait for a process, in order."""
        self._places = Places(_CONCURRENT + _MAX_WAITING, "analyses", LONGEST_ANALYSIS)

    async def begin(self, request: AnalysisRequest) -> None:
        """Start a search; an earlier one of the session has sent its result when this returns.

        Raises: LimitError if too many wait, at all or of one address.
        """
        while request.session in self._running:  # another connection may have started one meanwhile
            await self.stop(request.session)
        self._places.take(request.address)
        one = self._running[request.session] = _Running(request)
        one.task = asyncio.create_task(self._search(one), name="analysis")
        one.task.add_done_callback(partial(self._end, one))

    async def stop(self, session: str) -> None:
        """End the search of a session, if any; it has sent its result when this returns."""
        one = self._running.get(session)
        if one is not None:
            one.task.cancel()
            await asyncio.wait({one.task})

    def drop(self, session: str, connection: object) -> None:
        """End the search of a connection, without a result."""
        one = self._running.get(session)
        if one is not None and one.request.connection is connection:
            one.is_dropped = True
            one.task.cancel()

    async def close(self) -> None:
        """End all searches, without a result."""
        for one in self._running.values():
            one.is_dropped = True
        await end(*(one.task for one in self._running.values()))
        self._sandbox.close()

    async def _search(self, one: _Running) -> None:
        """Send what a search finds."""
        request = one.request
        self._waiting.append(one)
        self._show_places(len(self._waiting) - 1)
        try:
            async with aclosing(self._sandbox.stream(request.work, *request.arguments)) as found:
                async for known in found:
                    self._leave_queue(one)
                    one.known = known
                    request.send("info", known, None)
        finally:
            self._leave_queue(one)

    def _end(self, one: _Running, task: asyncio.Task[None]) -> None:
        request = one.request
        del self._running[request.session]
        self._places.leave(request.address)
        if not task.cancelled() and (error := task.exception()) is not None:
            _LOG.warning("analysis failed", error=f"{type(error).__name__} {error}")
        if not one.is_dropped:
            request.send("result", one.known, None)

    def _leave_queue(self, one: _Running) -> None:
        if one in self._waiting:
            place = self._waiting.index(one)
            del self._waiting[place]
            self._show_places(place)

    def _show_places(self, first: int) -> None:
        """Tell those that wait, from a place on, how many wait before them."""
        # while a process is free, they are about to start
        if len(self._running) - len(self._waiting) < _CONCURRENT:
            return
        for place, one in enumerate(self._waiting[first:], first):
            one.request.send("info", None, place)


NOTHING_KNOWN: Json = {"value": [], "iterations": 0, "depth": 0, "seconds": 0.0, "lines": []}
"""What is known of a position before the search has begun."""


class Evaluation:
    """The running evaluation of a position for one reader."""

    def __init__(self, analyses: Analyses, table: TurnTable | SequenceTable) -> None:
        self._analyses = analyses
        self._table = table
        self._found: asyncio.Queue[Json] = asyncio.Queue()
        self._session = ""

    async def begin(self, session: str, seconds: float, lines: int, address: str | None) -> None:
        """Start it; an earlier one of the session ends. Raises: TableError, LimitError."""
        self._session = session
        check_open(self._table.position)
        work = (self._table, seconds, lines, session)
        await self._analyses.begin(AnalysisRequest(session, self, evaluations, work, self._add, address))

    async def lines(self) -> AsyncIterator[str]:
        """Yield what is known as JSON lines, the last one ``final``; closing the iterator ends the search."""
        try:
            is_final = False
            while not is_final:
                found = await self._found.get()
                is_final = found["final"]
                yield f"{encode(found)}\n"
        finally:
            self._analyses.drop(self._session, self)

    def _add(self, field: str, known: Json | None, ahead: int | None) -> None:
        place = {} if ahead is None else {"ahead": ahead}
        self._found.put_nowait((known or NOTHING_KNOWN) | place | {"final": field == "result"})
