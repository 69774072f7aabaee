"""Runs analyses in threads: one per session, a few at a time."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import get_native_id
from time import monotonic
from typing import Any

from ekoes.bots.analysis import Info, Search, info_of
from ekoes.errors import LimitError
from ekoes.protocol.incoming import LONGEST_ANALYSIS
from ekoes.server.ops.limits import Places
from ekoes.server.ops.tasks import end

MEMORY = 64
"""MiB per search."""
_INTERVAL = 0.25
"""Seconds between two messages."""
_CONCURRENT = 2
"""Searches that run at once; others wait in a queue."""
_MAX_WAITING = 18
_NICENESS = 10
"""Of the threads: those that serve tables go first."""


@dataclass(frozen=True, slots=True)
class AnalysisRequest:
    """A search for a connection of a session.

    send: called with ``info`` while it waits and during the search, and with ``result`` at its end, each with
    the values so far and, while it waits, the number of searches that wait before it. seconds: of the search
    itself. address: of the client.
    """

    session: str
    connection: object
    search: Search
    seconds: float
    lines: int
    send: Callable[[str, Info, int | None], None]
    address: str | None = None


@dataclass(frozen=True, slots=True)
class _Running:
    connection: object
    halt: asyncio.Event
    task: asyncio.Task[None]


def _be_nice() -> None:
    """Lower the priority of this thread; only Linux has one for each."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, get_native_id(), _NICENESS)


class Analyses:
    """The searches of a server, in threads, as a search releases the GIL.

    A new search of a session ends its earlier one.
    """

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_CONCURRENT, thread_name_prefix="analysis", initializer=_be_nice)
        self._running: dict[str, _Running] = {}
        self._waiting: list[Search] = []
        """The searches that wait for a thread, in order."""
        self._places = Places(_CONCURRENT + _MAX_WAITING)

    async def begin(self, request: AnalysisRequest) -> None:
        """Start a search; an earlier one of the session has sent its result when this returns.

        Raises: LimitError if too many wait, at all or of one address.
        """
        while request.session in self._running:  # another connection may have started one meanwhile
            await self.stop(request.session)
        if not self._places.take(request.address):
            message = "too many analyses are waiting; try again later"
            raise LimitError(message, code="limit/busy", wait=LONGEST_ANALYSIS)
        halt = asyncio.Event()
        task = asyncio.create_task(self._search(request, halt), name="analysis")
        self._running[request.session] = _Running(request.connection, halt, task)
        task.add_done_callback(lambda _: self._end(request))

    def _end(self, request: AnalysisRequest) -> None:
        self._running.pop(request.session, None)
        self._places.leave(request.address)

    async def stop(self, session: str) -> None:
        """End the search of a session, if any; it has sent its result when this returns."""
        if session in self._running:
            self._running[session].halt.set()
            await asyncio.wait({self._running[session].task})

    def drop(self, session: str, connection: object) -> None:
        """End the search of a connection, without a result."""
        if session in self._running and self._running[session].connection is connection:
            self._running[session].task.cancel()

    async def close(self) -> None:
        """End all searches."""
        await end(*(one.task for one in self._running.values()))
        self._threads.shutdown(wait=False)

    async def _search(self, request: AnalysisRequest, halt: asyncio.Event) -> None:
        """Search until the position is solved, time is up or the search is stopped.

        The time is measured in this thread, so that the search need not leave its kernel for it.
        """
        search, begun = request.search, monotonic()
        loop, starts = asyncio.get_running_loop(), asyncio.Event()
        self._waiting.append(search)

        def run() -> None:
            loop.call_soon_threadsafe(starts.set)
            search.run(None, None)

        work = loop.run_in_executor(self._threads, run)
        halted, started = asyncio.create_task(halt.wait()), asyncio.create_task(starts.wait())
        either: set[asyncio.Future[Any]] = {work, halted}
        try:
            while not started.done() and not halted.done():
                await asyncio.wait({started, halted}, timeout=_INTERVAL, return_when=asyncio.FIRST_COMPLETED)
                if not started.done():
                    request.send("info", info_of(search, request.lines, begun), self._waiting.index(search))
            self._waiting.remove(search)
            begun = monotonic()
            while (left := begun + request.seconds - monotonic()) > 0:
                wait = min(_INTERVAL, left)
                ended, _ = await asyncio.wait(either, timeout=wait, return_when=asyncio.FIRST_COMPLETED)
                if ended:
                    break
                request.send("info", info_of(search, request.lines, begun), None)
        finally:
            if search in self._waiting:
                self._waiting.remove(search)
            search.stop()
            halted.cancel()
            started.cancel()
            work.cancel()  # in case it still waits for a thread
        request.send("result", info_of(search, request.lines, begun), None)
