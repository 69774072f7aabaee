"""The hub: every table that somebody looks at or that goes on by itself, once. It opens, finds and closes."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Executor
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta

from ekoes.errors import EkoesError
from ekoes.games.chance import Chance
from ekoes.match.state import Table
from ekoes.server.alarms import Alarms
from ekoes.server.analyses import Analyses
from ekoes.server.chance import SecretChance
from ekoes.server.clock import Clock
from ekoes.server.door import Door
from ekoes.server.house import House
from ekoes.server.live import LiveTable
from ekoes.server.scribe import Scribe
from ekoes.server.thinking.thinkers import Thinkers
from ekoes.server.thinking.workers import Workers
from ekoes.server.uptime import Uptime
from ekoes.storage.store import Store, new_table

__all__ = ["Hub"]

_LOG = logging.getLogger("ekoes.server")
_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
_ID_LENGTH = 12
_AWAY = timedelta(days=1)
"""Tables where nothing has happened for longer do not go on when a server starts, but when somebody comes."""
_ASIDE = 2
"""Tables that nobody uses and that go on at the same time."""


class Hub:
    """Gives everybody the same live table, for as long as somebody uses it or it goes on by itself."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        chance: Chance | None = None,
        thinkers: Thinkers | None = None,
        thread: Executor | None = None,
        door: Door | None = None,
    ) -> None:
        """Serve the tables of a store.

        chance: what tables leave to it; None: the system's. thinkers: answer what bots are asked; None:
        threads of this process. thread: where to wait for the disk; None: one of its own. door: lets people
        sit down at rated tables; None: one that asks for accounts and addresses.
        """
        self._store = store
        self._clock = clock
        self._thinkers = thinkers or Workers(0)
        self._scribe = Scribe(store, thread)
        aside = asyncio.Semaphore(_ASIDE)
        self._analyses = Analyses()
        self._alarms = Alarms(clock, self._wake)
        self._uptime = Uptime(store, clock, self._clocks_run)
        self._house = House(
            store,
            self._scribe,
            clock,
            chance or SecretChance(),
            self._thinkers,
            self.create,
            aside,
            self._analyses,
            door or Door(store.people),
            self._notice,
            self._uptime,
        )
        self.told: Callable[[str, Table], None] = lambda _id, _table: None
        """Is told each table as it is opened and as it changes."""
        self._tables: dict[str, LiveTable] = {}
        self._starting: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Let bots and clocks go on where a server before this one left them."""
        self._thinkers.start()
        await self._uptime.begin()
        for table_id, at in await asyncio.to_thread(self._store.alarms):
            self._alarms.set(table_id, at)
        self._uptime.watch()
        left = await asyncio.to_thread(self._store.stirring, self._clock.now() - _AWAY)
        self._starting = asyncio.create_task(self._take_up(left), name="all tables")

    def _clocks_run(self) -> bool:
        """Whether a clock counts on, at a table that is open or sleeps."""
        return bool(self._alarms) or any(live.strikes_at is not None for live in self._tables.values())

    async def _wake(self, table_id: str) -> None:
        """Open a table, so that it goes on by itself."""
        try:
            async with self.table(table_id):
                pass  # it goes on when it is opened
        except EkoesError as error:
            _LOG.error("table %s can't go on: %s", table_id, error)

    async def woken(self) -> None:
        """Return when everything goes on that a server before this one left."""
        if self._starting is not None:
            await asyncio.wait([self._starting])

    async def _take_up(self, left: list[str]) -> None:
        """Open tables one by one, so that nobody is held up who asks for one of them or for another.

        Those that nobody uses go on when all are open: their bots would only delay the others.
        """
        async with AsyncExitStack() as all_of_it:
            for _ in range(_ASIDE):
                await all_of_it.enter_async_context(self._house.aside)
            for table_id in left:
                await self._wake(table_id)

    async def stop(self) -> None:
        """Let every table rest."""
        if self._starting is not None:
            self._starting.cancel()
            await asyncio.gather(self._starting, return_exceptions=True)
        await asyncio.gather(*(live.stop() for live in list(self._tables.values())))
        await self._alarms.stop()
        await self._uptime.end()
        await self._analyses.close()
        await self._scribe.stop()
        await self._thinkers.stop()

    async def create(self, table: Table) -> str:
        """Keep a new table and return its id, which nobody can guess."""
        table_id = "".join(secrets.choice(_ALPHABET) for _ in range(_ID_LENGTH))
        _, change = new_table(table_id, table, self._clock.now())
        await self._scribe.write(change)
        async with self.table(table_id):
            return table_id

    def forget_talk(self, holder: str) -> None:
        """Let nobody read the name of somebody who is gone."""
        for live in self._tables.values():
            live.chat.forget(holder)

    @asynccontextmanager
    async def table(self, table_id: str) -> AsyncIterator[LiveTable]:
        """Open a table for as long as it is used. Raises TableError if there is none."""
        live = self._tables.get(table_id) or self._opened(table_id)
        live.enter()
        try:
            await live.load()
            yield live
        finally:
            live.exit()
            self._close_if_unused(table_id)

    def standing(self, table_id: str) -> Table | None:
        """Return a table as it stands, if it is open."""
        live = self._tables.get(table_id)
        return live.table if live is not None and live.is_open else None

    def _notice(self, table_id: str, table: Table) -> None:
        self.told(table_id, table)

    def _opened(self, table_id: str) -> LiveTable:
        live = LiveTable(table_id, self._house, rests=lambda: self._close_if_unused(table_id))
        self._tables[table_id] = live
        return live

    def _close_if_unused(self, table_id: str) -> None:
        """Forget a table that nobody uses any more and where nothing goes on."""
        live = self._tables[table_id]
        if not live.is_used and not live.is_kept_going:
            del self._tables[table_id]
            strikes = live.strikes_at
            self._alarms.set(table_id, strikes if strikes and strikes > self._clock.now() else None)
