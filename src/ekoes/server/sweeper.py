"""Puts tables away that guests have left, a few at a time, while the server does everything else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta

from ekoes.errors import StorageError
from ekoes.server.clock import Clock
from ekoes.server.logs import log_of
from ekoes.server.owner import ALONE, ElsewhereError, Owner
from ekoes.server.tasks import end
from ekoes.storage.abandoned import Abandoned

__all__ = ["DAYS", "Sweeper"]

_LOG = log_of("ekoes.server")
DAYS = 90
"""After so many days without a decision a table of guests is put away, unless a server is told otherwise."""
_AT_ONCE = 200
"""Tables that are looked through in one transaction."""
_BETWEEN, _ROUNDS = 2.0, 3600.0
"""Seconds between two such looks, and between two rounds."""


class Sweeper:
    """Goes round the tables of a store again and again."""

    def __init__(
        self,
        kept: Abandoned,
        clock: Clock,
        days: int,
        is_open: Callable[[str], bool],
        owner: Owner = ALONE,
    ) -> None:
        """Begin at rest.

        days: how long a table is kept; 0: for ever. is_open: whether somebody uses a table. owner: of several
        processes this one, which puts away what is its own or nobody's.
        """
        self._kept = kept
        self._clock = clock
        self._days = timedelta(days=days)
        self._is_open = is_open
        self._owner = owner
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Go round from now on."""
        if self._days:
            self._task = asyncio.create_task(self._go_round(), name="sweeper")

    async def stop(self) -> None:
        """Stay where it is."""
        await end(self._task)

    async def _go_round(self) -> None:
        after: str | None = ""
        while True:
            await self._clock.sleep(_ROUNDS if after is None else _BETWEEN)
            try:
                after = await self._sweep(after or "")
            except StorageError as error:
                _LOG.warning("abandoned tables can't be put away", error=str(error))
                after = None

    async def _sweep(self, after: str) -> str | None:
        """Put away what is abandoned among some tables.

        Returns: behind which to go on; None: there are no more.
        """
        since = self._clock.now() - self._days
        found, last = await asyncio.to_thread(self._kept.find, since, after, _AT_ONCE)
        for table_id in found:
            await self._put_away(table_id, since)
        return last

    async def _put_away(self, table_id: str, since: datetime) -> None:
        if self._is_open(table_id):
            return
        try:
            lease = await self._owner.claim(table_id)
        except ElsewhereError:
            return
        if not self._is_open(table_id):
            await asyncio.to_thread(self._kept.put_away, table_id, since, lease)
