"""Positions that are searched for somebody who looks at a table: one for each session, few at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import monotonic
from typing import Any

from ekoes.bots.analysis import Info, Search, info_of
from ekoes.errors import LimitError
from ekoes.server.tasks import end

__all__ = ["LINES", "LONGEST", "MEMORY", "Analyses", "Wanted"]

LONGEST = 60
"""Seconds of one search."""
LINES = 8
"""Told at most."""
MEMORY = 64
"""MiB of one search."""
_EVERY = 0.25
"""Seconds between two tellings."""
_AT_ONCE = 2
"""Searches at work; others wait, and their time runs."""
_WAITING = 16
"""Of those, at most: whoever comes then is told to come back."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody wants to know.

    session, line: who it is for. tell: is told ``info``, in the end ``result``, with what is known by then.
    """

    session: str
    line: object
    search: Search
    seconds: float
    lines: int
    tell: Callable[[str, Info], None]


@dataclass(frozen=True, slots=True)
class _AtWork:
    line: object
    halt: asyncio.Event
    task: asyncio.Task[None]


class Analyses:
    """The searches of a server, in threads: a search lets go of the interpreter, so nobody waits for it.

    A session that begins another one ends the one before.
    """

    def __init__(self) -> None:
        """Begin with none."""
        self._threads = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="analysis")
        self._at_work: dict[str, _AtWork] = {}

    async def begin(self, wanted: Wanted) -> None:
        """Search for a session; what it began before has told its result when this returns.

        Raises: LimitError where too many are searched for.
        """
        while wanted.session in self._at_work:  # another line may have begun one meanwhile
            await self.stop(wanted.session)
        if len(self._at_work) >= _AT_ONCE + _WAITING:
            message = "the server searches for so many that another one would wait too long; try again later"
            raise LimitError(message, code="limit/busy", wait=LONGEST)
        halt = asyncio.Event()
        task = asyncio.create_task(self._search(wanted, halt), name="analysis")
        self._at_work[wanted.session] = _AtWork(wanted.line, halt, task)
        task.add_done_callback(lambda _: self._at_work.pop(wanted.session, None))

    async def stop(self, session: str) -> None:
        """End the search of a session, if there is one; it has told its result when this returns."""
        if session in self._at_work:
            self._at_work[session].halt.set()
            await asyncio.wait({self._at_work[session].task})

    def drop(self, session: str, line: object) -> None:
        """End the search that a line began: nobody hears of it any more."""
        if session in self._at_work and self._at_work[session].line is line:
            self._at_work[session].task.cancel()

    async def close(self) -> None:
        """End all searches."""
        await end(*(one.task for one in self._at_work.values()))
        self._threads.shutdown(wait=False)

    async def _search(self, wanted: Wanted, halt: asyncio.Event) -> None:
        """Search until all is known, time is up or it is ended, and tell of it now and then and at the end.

        The clock is looked at here: without a limit of its own a search stays in its kernel.
        """
        search, begun = wanted.search, monotonic()
        work = asyncio.get_running_loop().run_in_executor(self._threads, search.run, None, None)
        halted = asyncio.create_task(halt.wait())
        either: set[asyncio.Future[Any]] = {work, halted}
        try:
            while (left := begun + wanted.seconds - monotonic()) > 0:
                wait = min(_EVERY, left)
                ended, _ = await asyncio.wait(either, timeout=wait, return_when=asyncio.FIRST_COMPLETED)
                if ended:
                    break
                wanted.tell("info", info_of(search, wanted.lines, begun))
        finally:
            search.stop()
            halted.cancel()
            work.cancel()  # where it waits for a thread
        wanted.tell("result", info_of(search, wanted.lines, begun))
