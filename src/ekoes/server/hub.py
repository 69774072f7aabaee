"""The hub: every table that somebody looks at or that goes on by itself, once. It opens, finds and closes."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from datetime import timedelta

from ekoes.errors import EkoesError
from ekoes.games.chance import Chance
from ekoes.match.state import Table
from ekoes.server.alarms import Alarms
from ekoes.server.analyses import Analyses
from ekoes.server.aside import Aside
from ekoes.server.chance import SecretChance
from ekoes.server.clock import Clock
from ekoes.server.door import Door
from ekoes.server.house import House
from ekoes.server.ids import fresh_id
from ekoes.server.live import LiveTable
from ekoes.server.logs import log_of
from ekoes.server.metrics import Metrics
from ekoes.server.owner import ALONE, ElsewhereError, Owner
from ekoes.server.scribe import Scribe
from ekoes.server.tasks import end
from ekoes.server.tempo import HERE, Count, Tempo
from ekoes.server.thinking.thinkers import Thinkers
from ekoes.server.thinking.workers import Workers
from ekoes.server.traces import NO_TRACES, Traces
from ekoes.server.uptime import Uptime
from ekoes.server.vacations import DAYS, Vacations
from ekoes.storage.store import Store, new_table

__all__ = ["Hub"]

_LOG = log_of("ekoes.server")
_AWAY = timedelta(days=1)
"""Tables where nothing has happened for longer do not go on when a server starts, but when somebody comes."""


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
        vacation_days: int = DAYS,
        owner: Owner = ALONE,
        traces: Traces = NO_TRACES,
        count: Count = HERE,
    ) -> None:
        """Serve the tables of a store.

        chance: what tables leave to it; None: the system's. thinkers: answer what bots are asked; None:
        threads of this process. thread: where to wait for the disk; None: one of its own. door: lets people
        sit down; None: one that asks for addresses at rated tables. vacation_days: each year. owner: claims
        tables, where other processes share the store. traces: of the way of each order. count: makes
        counters of what people say.
        """
        self._store = store
        self._clock = clock
        self._owner = owner
        self._thinkers = thinkers or Workers(0)
        self.metrics = Metrics()
        self._scribe = Scribe(store, thread, self.metrics.commit)
        self._analyses = Analyses()
        self._alarms = Alarms(clock, self._wake)
        self._ends = Alarms(clock, self._tell_end)
        self._uptime = Uptime(store, clock, self._clocks_run)
        self.vacations = Vacations(store, clock, vacation_days, self._look_again)
        self._house = House(
            store,
            self._scribe,
            clock,
            chance or SecretChance(),
            self._thinkers,
            self.create,
            Aside(),
            self._analyses,
            door or Door(store),
            self._notice,
            lambda table_id: self._ends.set(table_id, clock.now()),
            self._uptime,
            self.metrics,
            self.vacations.is_away,
            owner,
            traces.span,
            tempo=Tempo(count),
        )
        self.listeners: list[Callable[[str, Table, Table], None]] = []
        """Are told each table as it is opened and as it changes, and as those see it who have no seat."""
        self._tables: dict[str, LiveTable] = {}
        self._starting: asyncio.Task[None] | None = None
        self.metrics.watch("tables", "Tables in memory.", lambda: len(self._tables))
        self.metrics.watch("leases", "What this process owns among several.", lambda: owner.leases)
        self.metrics.watch("commit_waiting", "Changes that wait to be kept.", lambda: self._scribe.waiting)
        self.metrics.watch_all(
            "tables_standing", "Tables in memory, by how they stand.", ("game", "state"), self._standings
        )

    async def start(self) -> None:
        """Let bots and clocks go on where a server before this one left them."""
        self._thinkers.start()
        await self._uptime.begin()
        for table_id, at in await asyncio.to_thread(self._store.alarms):
            self._alarms.set(table_id, at)
        for table_id, at in await asyncio.to_thread(self._store.untold):
            self._ends.set(table_id, at)
        await self.vacations.start()
        self._uptime.watch()
        left = await asyncio.to_thread(self._store.stirring, self._clock.now() - _AWAY)
        self._starting = asyncio.create_task(self._take_up(left), name="all tables")

    def _clocks_run(self) -> bool:
        """Whether a clock counts on, at a table that is open or sleeps."""
        return bool(self._alarms) or any(live.strikes_at is not None for live in self._tables.values())

    async def _wake(self, table_id: str) -> None:
        """Open a table, so that it goes on by itself."""
        try:
            await self._owner.claim(table_id)
            async with self.table(table_id):
                pass  # it goes on when it is opened
        except ElsewhereError:
            return  # it goes on there
        except EkoesError as error:
            _LOG.error("table can't go on", table=table_id, error=str(error))

    async def _tell_end(self, table_id: str) -> None:
        """Let everybody know that a game is over of which its players alone did."""
        try:
            await self._owner.claim(table_id)
            await asyncio.to_thread(self._store.tell_end, table_id)
            async with self.table(table_id) as live:
                self._notice(table_id, live.table, live.seen_by(None))
        except ElsewhereError:
            return  # it is told there
        except EkoesError as error:
            _LOG.error("the end of a table can't be told", table=table_id, error=str(error))

    async def _look_again(self, table_id: str) -> None:
        """Have a table take what the program itself has to order there."""
        try:
            await self._owner.claim(table_id)
            async with self.table(table_id) as live:
                await live.look_again()
        except ElsewhereError:
            return  # it is told there
        except EkoesError as error:
            _LOG.error("table can't go on", table=table_id, error=str(error))

    def _standings(self) -> Counter[tuple[str, ...]]:
        """Count the open tables by game and by how they stand."""
        tables = [live.table for live in list(self._tables.values()) if live.is_open]
        return Counter((table.game, _standing(table)) for table in tables)

    async def woken(self) -> None:
        """Return when everything goes on that a server before this one left."""
        if self._starting is not None:
            await asyncio.wait([self._starting])

    async def _take_up(self, left: list[str]) -> None:
        """Open tables one by one, so that nobody is held up who asks for one of them or for another.

        Those that nobody uses go on when all are open: their bots would only delay the others.
        """
        async with self._house.aside.held_up():
            for table_id in left:
                await self._wake(table_id)

    async def rest(self) -> None:
        """Let nothing go on by itself any more, and clocks stand: the server goes."""
        await self._uptime.close()
        await end(self._starting)
        await self._alarms.stop()
        await self._ends.stop()
        await asyncio.gather(*(live.stop() for live in list(self._tables.values())))

    async def stop(self) -> None:
        """Let every table rest."""
        await self.rest()
        await self.vacations.stop()
        await self._analyses.close()
        await self._scribe.stop()
        await self._thinkers.stop()

    async def create(self, table: Table, table_id: str | None = None) -> str:
        """Keep a new table and return its id, which nobody can guess.

        table_id: one under which the table is kept already where an earlier attempt was cut off.
        """
        is_kept = table_id is not None and await asyncio.to_thread(self._store.load, table_id) is not None
        table_id = table_id or fresh_id()
        if not is_kept:
            _, change = new_table(table_id, table, self._clock.now(), self._owner.first(table_id))
            await self._scribe.write(change)
        async with self.table(table_id):
            return table_id

    def forget_talk(self, holder: str) -> None:
        """Let nobody read the name of somebody who is gone."""
        for live in self._tables.values():
            live.chat.forget(holder)

    @asynccontextmanager
    async def table(self, table_id: str) -> AsyncIterator[LiveTable]:
        """Open a table for as long as it is used; another process gives it up. Raises TableError."""
        live = self._tables.get(table_id) or self._opened(table_id)
        live.enter()
        try:
            try:
                await live.load()
            except ElsewhereError:
                await self._owner.call(table_id)
                await live.load()
            yield live
        finally:
            live.exit()
            self._close_if_unused(table_id)

    async def give_up(self, table_id: str) -> None:
        """Forget a table that is another process's now."""
        live = self._tables.pop(table_id, None)
        if live is not None:
            live.dismiss()
            await live.stop()

    async def drop(self) -> None:
        """Forget all tables: others own them now. What is on its way is not kept any more."""
        dropped, self._tables = self._tables, {}
        await asyncio.gather(*(live.stop() for live in dropped.values()))

    async def take_over(self, left: list[str]) -> None:
        """Let tables go on whose owner is gone."""
        for table_id in left:
            await self._wake(table_id)

    def _notice(self, table_id: str, table: Table, shown: Table) -> None:
        for tell in self.listeners:
            tell(table_id, table, shown)

    def standing(self, table_id: str) -> tuple[Table, Table] | None:
        """Return a table as it stands and as those see it who have no seat, if it is open."""
        live = self._tables.get(table_id)
        return (live.table, live.seen_by(None)) if live is not None and live.is_open else None

    def _opened(self, table_id: str) -> LiveTable:
        live = LiveTable(table_id, self._house, rests=lambda: self._close_if_unused(table_id))
        self._tables[table_id] = live
        return live

    def _close_if_unused(self, table_id: str) -> None:
        """Forget a table that nobody uses any more and where nothing goes on."""
        live = self._tables.get(table_id)
        if live is not None and not live.is_used and not live.is_kept_going:
            del self._tables[table_id]
            strikes = live.strikes_at
            self._alarms.set(table_id, strikes if strikes and strikes > self._clock.now() else None)


def _standing(table: Table) -> str:
    """Return in a word how a table stands, whoever asks."""
    if table.outcome is not None:
        return "over"
    if table.paused:
        return "paused"
    return "playing" if table.is_started else "waiting"
