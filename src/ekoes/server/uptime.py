"""When the server was there: clocks that count on while nobody looks do so only then.

Each run of a server is noted in the store, and while clocks run how long it has lasted. What lies between
two runs is nobody's time.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import pairwise

from ekoes.errors import StorageError
from ekoes.server.clock import Clock
from ekoes.storage.store import Store

__all__ = ["BEAT", "Uptime"]

_LOG = logging.getLogger("ekoes.server")
BEAT = 5.0
"""Seconds between two notes: of a server that is killed, what came behind the latest counts for nobody."""


class Uptime:
    """The runs of the servers of a store, this one the last."""

    def __init__(self, store: Store, clock: Clock, clocks_run: Callable[[], bool]) -> None:
        """Begin without a look into the store. clocks_run: whether there is anything to be noted for."""
        self._store = store
        self._clock = clock
        self._clocks_run = clocks_run
        self._began: datetime | None = None
        self._away: list[tuple[datetime, datetime]] = []
        self._task: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Note that the server is there from now on. Raises StorageError."""
        self._began = self._clock.now()
        runs = await asyncio.to_thread(self._store.begin_uptime, self._began)
        self._away = [(until, began) for (_, until), (began, _) in pairwise(runs)]

    def away_since(self, moment: datetime) -> int:
        """Return for how many milliseconds since a moment no server was there."""
        gaps = (max(timedelta(), end - max(begin, moment)) for begin, end in self._away)
        return sum(gaps, timedelta()) // timedelta(milliseconds=1)

    def watch(self) -> None:
        """Note now and then that the server is there, for as long as clocks run."""
        if self._began is not None and self._task is None and self._clocks_run():
            self._task = asyncio.create_task(self._keep(), name="uptime")

    async def end(self) -> None:
        """Note that the server goes."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._note()

    async def _keep(self) -> None:
        try:
            while self._clocks_run():
                await self._note()
                await self._clock.sleep(BEAT)
        finally:
            self._task = None

    async def _note(self) -> None:
        if self._began is None:
            return
        try:
            await asyncio.to_thread(self._store.note_uptime, self._began, self._clock.now())
        except StorageError as error:
            _LOG.warning("that the server is there can't be noted: %s", error)
