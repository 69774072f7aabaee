"""The gallery of a table that is shown later to whoever has no seat there: races, rated games.

It is told each table as it comes about, and shows it when its delay is over. Until then it is for its
players alone: whatever anybody else asks is answered from here.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from ekoes.match.state import Table
from ekoes.server.audience import Audience
from ekoes.server.clock import Clock
from ekoes.server.tasks import end

__all__ = ["Gallery"]


class Gallery:
    """The table as it was a while ago, and those who see it so. No delay: it is empty, and of no use."""

    def __init__(
        self,
        table_id: str,
        clock: Clock,
        shown: Callable[[Table, Table], None],
        is_program: Callable[[str], bool] = lambda _: False,
    ) -> None:
        """Begin without the table.

        shown: is told what those here have just been shown, after what. is_program: tells who is a bot of
        somebody's.
        """
        self._clock = clock
        self._tell = shown
        self._delay = timedelta()
        self._table: Table | None = None
        self._coming: deque[tuple[datetime, Table]] = deque()
        self._work: asyncio.Task[None] | None = None
        self.audience = Audience(table_id, _Late(clock, lambda: self._delay), is_program, all_online=True)

    @property
    def is_behind(self) -> bool:
        """Whether there is something that those here do not know yet."""
        return bool(self._coming)

    def of(self, table: Table) -> Table:
        """Return how a table is shown here. table: as it stands."""
        return self._table if self._coming and self._table is not None else table

    def begin(self, table: Table, since: Sequence[tuple[datetime, Table]]) -> None:
        """Show a table that was opened. since: how it stood when the delay began, and since then."""
        self._delay = timedelta(seconds=table.delay)
        if not table.delay:
            return
        self._table = since[0][1] if since else table
        for at, later in since[1:]:
            self.follow(later, at)
        if since and (not self._coming or self._coming[-1][1].version != table.version):
            self.follow(table, self._clock.now())

    def follow(self, table: Table, at: datetime) -> None:
        """Take in how a table stands from a moment on, to be shown later.

        Before the first decision there is nothing to be kept back.
        """
        if not self._delay:
            return
        before = self._table or table
        if not self._coming and not table.length and not before.length:
            self._show(table)
            return
        self._coming.append((at + self._delay, table))
        if self._work is None:
            self._work = asyncio.create_task(self._keep(), name="gallery")

    async def stop(self) -> None:
        """Show nothing any more."""
        await end(self._work)

    async def _keep(self) -> None:
        """Show one table after the other, each in its time."""
        while self._coming:
            due, table = self._coming[0]
            pause = (due - self._clock.now()).total_seconds()
            if pause > 0:
                await self._clock.sleep(pause)
                continue
            self._coming.popleft()
            if not self._coming:
                self._work = None
            self._show(table)

    def _show(self, table: Table) -> None:
        before, self._table = self._table or table, table
        self.audience.show_change(before, table)
        self._tell(before, table)


class _Late(Clock):
    """A clock that shows what it was a while ago."""

    def __init__(self, clock: Clock, delay: Callable[[], timedelta]) -> None:
        self._clock = clock
        self._delay = delay

    def now(self) -> datetime:
        return self._clock.now() - self._delay()

    async def sleep(self, seconds: float) -> None:
        await self._clock.sleep(seconds)
