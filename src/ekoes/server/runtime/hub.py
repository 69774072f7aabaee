"""The hub: finds, opens and closes table actors, at most one per table."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from datetime import timedelta

from ekoes.errors import EkoesError
from ekoes.games.api.chance import Chance
from ekoes.server.ops.clock import Clock
from ekoes.server.ops.limits import HERE, Count, Tempo
from ekoes.server.ops.logs import log_of
from ekoes.server.ops.metrics import Metrics
from ekoes.server.ops.secrets import SecretChance, fresh_id
from ekoes.server.ops.tasks import end
from ekoes.server.ops.tracing import NO_TRACES, Traces
from ekoes.server.ops.uptime import Uptime
from ekoes.server.runtime.analyses import Analyses
from ekoes.server.runtime.background import Alarms, BackgroundThrottle
from ekoes.server.runtime.context import ServerContext
from ekoes.server.runtime.group_commit import GroupCommitter
from ekoes.server.runtime.owner import ALONE, ElsewhereError, Owner
from ekoes.server.runtime.seat_guard import SeatGuard
from ekoes.server.runtime.table_actor import TableActor
from ekoes.server.runtime.vacations import DAYS, Vacations
from ekoes.server.workers.bot_pool import BotPool, BotRunner
from ekoes.storage.store import Store
from ekoes.storage.tables import new_table
from ekoes.tables.table import Table

_LOG = log_of("ekoes.server")
_RESUMED = timedelta(days=1)
"""Tables idle for longer are resumed on the next request, not at the start of the server."""


class Hub:
    """The open tables of a server, each with one actor, for as long as it is used or scheduled."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        chance: Chance | None = None,
        thinkers: BotRunner | None = None,
        thread: Executor | None = None,
        door: SeatGuard | None = None,
        vacation_days: int = DAYS,
        owner: Owner = ALONE,
        traces: Traces = NO_TRACES,
        count: Count = HERE,
    ) -> None:
        """Serve the tables of a store.

        chance: random numbers; None: the system's. thinkers: runs bots; None: threads of this process.
        thread: runs transactions; None: one of its own. door: checks who sits down; None: also addresses at
        rated tables. vacation_days: each year. owner: claims tables, where processes share the store.
        traces: receives spans of orders. count: creates the counters of chat limits.
        """
        self._store = store
        self._clock = clock
        self._owner = owner
        self._bots = thinkers or BotPool(0)
        self.metrics = Metrics()
        self._committer = GroupCommitter(store, thread, self.metrics.commit)
        self._analyses = Analyses()
        self._alarms = Alarms(clock, self._wake)
        self._uptime = Uptime(store, clock, self._has_running_clocks)
        self.vacations = Vacations(store, clock, vacation_days, self._settle)
        self._context = ServerContext(
            store,
            self._committer,
            clock,
            chance or SecretChance(),
            self._bots,
            self.create,
            BackgroundThrottle(),
            self._analyses,
            door or SeatGuard(store),
            self._notify,
            self._uptime,
            self.metrics,
            self.vacations.is_away,
            owner,
            traces.span,
            tempo=Tempo(count),
        )
        self.listeners: list[Callable[[str, Table], None]] = []
        """Called with each table that is opened or has changed."""
        self._tables: dict[str, TableActor] = {}
        self._starting: asyncio.Task[None] | None = None
        self.metrics.watch("tables", "Tables in memory.", lambda: len(self._tables))
        self.metrics.watch("leases", "Leases that this process holds.", lambda: owner.leases)
        self.metrics.watch(
            "commit_waiting", "Changes that wait to be committed.", lambda: self._committer.waiting
        )
        self.metrics.watch_all(
            "tables_standing", "Tables in memory, by game and state.", ("game", "state"), self._count_by_state
        )

    async def start(self) -> None:
        """Resume bots and clocks of the tables that were active when the last server stopped."""
        self._bots.start()
        await self._uptime.begin()
        for table_id, at in await asyncio.to_thread(self._store.alarms):
            self._alarms.set(table_id, at)
        await self.vacations.start()
        self._uptime.watch()
        left = await asyncio.to_thread(self._store.stirring, self._clock.now() - _RESUMED)
        self._starting = asyncio.create_task(self._take_up(left), name="all tables")

    def _has_running_clocks(self) -> bool:
        """Return whether a clock runs at an open or suspended table."""
        return bool(self._alarms) or any(live.strikes_at is not None for live in self._tables.values())

    async def _wake(self, table_id: str) -> None:
        try:
            await self._owner.claim(table_id)
            async with self.table(table_id):
                pass
        except ElsewhereError:
            return
        except EkoesError as error:
            _LOG.error("opening a table failed", table=table_id, error=str(error))

    async def _settle(self, table_id: str) -> None:
        """Have a table apply what is due, such as the start of a vacation."""
        try:
            await self._owner.claim(table_id)
            async with self.table(table_id) as live:
                await live.settle()
        except ElsewhereError:
            return
        except EkoesError as error:
            _LOG.error("opening a table failed", table=table_id, error=str(error))

    def _count_by_state(self) -> Counter[tuple[str, ...]]:
        tables = [live.table for live in list(self._tables.values()) if live.is_open]
        return Counter((table.game, _state(table)) for table in tables)

    async def woken(self) -> None:
        """Return when all tables of the last server are resumed."""
        if self._starting is not None:
            await asyncio.wait([self._starting])

    async def _take_up(self, left: list[str]) -> None:
        """Open tables one by one, so that requests are served meanwhile.

        Unused tables continue when all are open: their bots would only delay the others.
        """
        async with self._context.throttle.hold():
            for table_id in left:
                await self._wake(table_id)

    async def rest(self) -> None:
        """Stop schedulers and clocks: the server stops."""
        await self._uptime.close()
        await end(self._starting)
        await self._alarms.stop()
        await asyncio.gather(*(live.stop() for live in list(self._tables.values())))

    async def stop(self) -> None:
        """Stop everything."""
        await self.rest()
        await self.vacations.stop()
        await self._analyses.close()
        await self._committer.stop()
        await self._bots.stop()

    async def create(self, table: Table, table_id: str | None = None) -> str:
        """Store a new table and return its id, which can't be guessed.

        table_id: the id that an earlier, interrupted attempt may have used.
        """
        is_stored = table_id is not None and await asyncio.to_thread(self._store.load, table_id) is not None
        table_id = table_id or fresh_id()
        if not is_stored:
            _, change = new_table(table_id, table, self._clock.now(), self._owner.first(table_id))
            await self._committer.write(change)
        async with self.table(table_id):
            return table_id

    def forget_talk(self, holder: str) -> None:
        """Remove the name of a deleted user from the chats."""
        for live in self._tables.values():
            live.chat.forget(holder)

    @asynccontextmanager
    async def table(self, table_id: str) -> AsyncIterator[TableActor]:
        """Open a table for as long as it is used, claiming it from another process. Raises TableError."""
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
        """Close a table that another process has claimed."""
        live = self._tables.pop(table_id, None)
        if live is not None:
            live.dismiss()
            await live.stop()

    async def drop(self) -> None:
        """Close all tables: other processes own them now, and the store refuses pending writes."""
        dropped, self._tables = self._tables, {}
        await asyncio.gather(*(live.stop() for live in dropped.values()))

    async def take_over(self, left: list[str]) -> None:
        """Resume tables whose owner has ended."""
        for table_id in left:
            await self._wake(table_id)

    def _notify(self, table_id: str, table: Table) -> None:
        for listener in self.listeners:
            listener(table_id, table)

    def standing(self, table_id: str) -> Table | None:
        """Return a table if it is open."""
        live = self._tables.get(table_id)
        return live.table if live is not None and live.is_open else None

    def _opened(self, table_id: str) -> TableActor:
        live = TableActor(table_id, self._context, on_idle=lambda: self._close_if_unused(table_id))
        self._tables[table_id] = live
        return live

    def _close_if_unused(self, table_id: str) -> None:
        """Close a table that is not used and not scheduled; an alarm opens it when its clock runs out."""
        live = self._tables.get(table_id)
        if live is not None and not live.is_used and not live.is_scheduled:
            del self._tables[table_id]
            strikes = live.strikes_at
            self._alarms.set(table_id, strikes if strikes and strikes > self._clock.now() else None)


def _state(table: Table) -> str:
    if table.outcome is not None:
        return "over"
    if table.paused:
        return "paused"
    return "playing" if table.is_started else "waiting"
