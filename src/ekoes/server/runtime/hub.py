"""The hub: finds, opens and closes table actors, at most one per table, and deletes abandoned tables."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from functools import partial
from itertools import product

from ekoes.errors import EkoesError, StorageError
from ekoes.games.api.chance import Chance
from ekoes.games.api.registry import games
from ekoes.server.ops.clock import Alarms, Clock, Uptime
from ekoes.server.ops.limits import HERE, BackgroundThrottle, Count, Tempo
from ekoes.server.ops.logs import LOG
from ekoes.server.ops.secrets import SecretChance, fresh_id
from ekoes.server.ops.tasks import end
from ekoes.server.ops.telemetry import NO_TRACES, Metrics, Traces
from ekoes.server.runtime.commands import (
    ALONE,
    ElsewhereError,
    GroupCommitter,
    Listener,
    Owner,
    ServerContext,
)
from ekoes.server.runtime.permissions import SeatGuard
from ekoes.server.runtime.table_actor import TableActor
from ekoes.server.runtime.vacations import DAYS, Vacations
from ekoes.server.workers.bot_pool import BotPool
from ekoes.storage.store import Store
from ekoes.storage.tables import AbandonedTables, Taken, new_table
from ekoes.tables.orders import FirstOrder
from ekoes.tables.submit import submit
from ekoes.tables.table import Table

_RESUMED = timedelta(days=1)
"""Tables idle for longer are resumed on the next request, not at the start of the server."""
_AT_ONCE = 200
"""Tables checked in one transaction."""
_BETWEEN, _ROUNDS = 2.0, 3600.0
"""Seconds between two such transactions, and between two rounds."""


class Hub:
    """The open tables of a server, each with one actor, for as long as it is used or scheduled."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        chance: Chance | None = None,
        bots: BotPool | None = None,
        thread: Executor | None = None,
        seat_guard: SeatGuard | None = None,
        vacation_days: int = DAYS,
        owner: Owner = ALONE,
        traces: Traces = NO_TRACES,
        count: Count = HERE,
    ) -> None:
        """Serve the tables of a store.

        chance: random numbers; None: the system's. bots: runs bots; None: threads of this process.
        thread: runs transactions; None: one of its own. seat_guard: checks who sits down; None: also
        addresses at rated tables. vacation_days: each year. owner: claims tables, where processes share the
        store. traces: receives spans of orders. count: creates the counters of chat limits.
        """
        self._store = store
        self._clock = clock
        self._owner = owner
        self._bots = bots or BotPool(0)
        self.metrics = Metrics()
        self._committer = GroupCommitter(store, thread, self.metrics)
        self._alarms = Alarms(clock, self._wake)
        self._uptime = Uptime(store, clock, self._has_running_clocks)
        self.vacations = Vacations(store, clock, vacation_days, partial(self._wake, settles=True))
        self.listeners: list[Listener] = []
        """Called with a table that is opened or has changed, in games without days not for a turn alone."""
        self.turn_listeners: list[Listener] = []
        """Those of them that are called for each turn of each game."""
        self.chat_listeners: list[Callable[[str], None]] = []
        """Called with a user whose name was deleted, or who has blocked or unblocked others."""
        self._context = ServerContext(
            store,
            self._committer,
            clock,
            chance or SecretChance(),
            self._bots,
            self.create,
            BackgroundThrottle(),
            seat_guard or SeatGuard(store),
            self.listeners,
            self.turn_listeners,
            self._uptime,
            self.metrics,
            self.vacations.is_on_vacation,
            owner,
            traces.span,
            tempo=Tempo(count),
        )
        self._tables: dict[str, TableActor] = {}
        self._starting: asyncio.Task[None] | None = None
        self.metrics.watch("tables", "Tables in memory.", lambda: len(self._tables))
        self.metrics.watch("leases", "Leases that this process holds.", lambda: owner.leases)
        self.metrics.watch(
            "commit_waiting", "Changes that wait to be committed.", lambda: self._committer.waiting
        )
        self.metrics.watch_each(
            "tables_standing",
            "Tables in memory, by game and state.",
            ("game", "state"),
            self._count,
            product(games(), ("waiting", "playing", "paused", "over")),
        )

    async def start(self) -> None:
        """Resume bots and clocks of the tables that were active when the last server stopped."""
        await self._uptime.begin()
        for table_id, at in await asyncio.to_thread(self._store.clocks_without_players):
            self._alarms.set(table_id, at)
        await self.vacations.start()
        self._uptime.watch()
        left = await asyncio.to_thread(self._store.active_tables, self._clock.now() - _RESUMED)
        self._starting = asyncio.create_task(self._take_up(left), name="all tables")

    def _has_running_clocks(self) -> bool:
        """Return whether a clock runs, be the table open or suspended."""
        return bool(self._alarms) or any(live.wakes_at is not None for live in self._tables.values())

    async def _wake(self, table_id: str, *, settles: bool = False) -> None:
        """Open a table. settles: have it apply what is due, such as the start of a vacation."""
        try:
            await self._owner.claim(table_id)
            async with self.table(table_id) as live:
                if settles:
                    await live.settle()
        except ElsewhereError:
            return
        except EkoesError as error:
            LOG.error("opening a table failed", table=table_id, error=str(error))

    def _count(self, game: str, state: str) -> int:
        """Return how many tables of a game are in a state."""
        tables = [live.table for live in list(self._tables.values()) if live.is_open]
        return sum(table.game == game and _state(table) == state for table in tables)

    async def _take_up(self, left: list[str]) -> None:
        """Open tables one by one, so that requests are served meanwhile.

        Unused tables continue when all are open: their bots would only delay the others.
        """
        async with self._context.throttle.hold():
            await self.take_over(left)

    async def rest(self) -> None:
        """Stop schedulers and clocks: the server stops."""
        await self._uptime.close()
        await end(self._starting)
        await self._alarms.stop()
        await asyncio.gather(*(live.stop() for live in list(self._tables.values())))

    async def stop(self) -> None:
        """Stop everything."""
        await self.rest()
        for live in self._tables.values():
            live.store_state()
        await self.vacations.stop()
        await self._committer.stop()
        await self._bots.stop()

    async def create(
        self, table: Table, table_id: str | None = None, orders: Sequence[FirstOrder] = ()
    ) -> str:
        """Store a new table and return its id, which can't be guessed.

        table_id: the id that an earlier, interrupted attempt may have used. orders: with which its game
        begins. Raises: EkoesError if one is refused.
        """
        is_stored = table_id is not None and await asyncio.to_thread(self._store.load, table_id) is not None
        table_id = table_id or fresh_id()
        if not is_stored:
            now, lease = self._clock.now(), self._owner.first(table_id)
            taken = await asyncio.to_thread(_taken, table, orders, now) if orders else []
            await self._committer.write(new_table(table_id, table, now, lease, taken)[1])
        async with self.table(table_id):
            return table_id

    def remove_from_chats(self, user: str) -> None:
        """Remove the name of a deleted user from the chats."""
        for live in self._tables.values():
            live.chat.forget(user)
        self._notify_chats(user)

    async def refresh_chats(self, user: str) -> None:
        """Send a user the chats again that they have open, after they have blocked or unblocked others."""
        for live in list(self._tables.values()):
            await live.chat.refresh(user)
        self._notify_chats(user)

    def _notify_chats(self, user: str) -> None:
        for listener in self.chat_listeners:
            listener(user)

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

    async def running_of(self, user: str, most: int) -> list[tuple[str, datetime, Table]]:
        """Return the newest unfinished tables of a user as they stand, and when they were created."""
        found = await asyncio.to_thread(self._stored_of, user, most)
        return [(table_id, at, self.open_table(table_id) or table) for table_id, at, table in found]

    def _stored_of(self, user: str, most: int) -> list[tuple[str, datetime, Table]]:
        found = [(it, at, self._store.load(it)) for it, at in self._store.people.running(user, most)]
        return [(table_id, at, stored.table) for table_id, at, stored in found if stored is not None]

    def open_table(self, table_id: str) -> Table | None:
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
            live.store_state()
            strikes = live.wakes_at
            self._alarms.set(table_id, strikes if strikes and strikes > self._clock.now() else None)


def _state(table: Table) -> str:
    if table.outcome is not None:
        return "over"
    if table.paused:
        return "paused"
    return "playing" if table.is_started else "waiting"


class Sweeper:
    """Deletes abandoned tables of a store, and studies of guests, in the background."""

    def __init__(
        self,
        abandoned: AbandonedTables,
        clock: Clock,
        days: int,
        is_open: Callable[[str], bool],
        owner: Owner = ALONE,
    ) -> None:
        """Create a stopped sweeper.

        days: how long a table without decisions, and a study without changes, stays; 0: for ever.
        is_open: whether a table is in use. owner: claims a table first, where several processes share the
        store.
        """
        self._abandoned = abandoned
        self._clock = clock
        self._days = timedelta(days=days)
        self._is_open = is_open
        self._owner = owner
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start the task."""
        if self._days:
            self._task = asyncio.create_task(self._go_round(), name="sweeper")

    async def stop(self) -> None:
        """Stop the task."""
        await end(self._task)

    async def _go_round(self) -> None:
        after: str | None = ""
        while True:
            await self._clock.sleep(_ROUNDS if after is None else _BETWEEN)
            try:
                after = await self._sweep(after or "")
            except StorageError as error:
                LOG.warning("deleting abandoned tables and studies failed", error=str(error))
                after = None

    async def _sweep(self, after: str) -> str | None:
        """Delete the abandoned tables of the next page. Returns: the last id of the page, None at the end."""
        since = self._clock.now() - self._days
        if not after:
            await asyncio.to_thread(self._abandoned.remove_studies, since)
        found, last = await asyncio.to_thread(self._abandoned.find, since, after, _AT_ONCE)
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
            await asyncio.to_thread(self._abandoned.remove, table_id, since, lease)


def _taken(table: Table, orders: Sequence[FirstOrder], now: datetime) -> list[Taken]:
    """Return the first orders of a new table's game as accepted ones."""
    taken = []
    for order in orders:
        session = table.session_of(order)
        table = submit(table, order, session, now)
        taken.append(Taken(order, session, now, table))
    return taken
