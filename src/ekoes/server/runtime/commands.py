"""Handles the orders of one table: judge, store with those of other tables, acknowledge.

A repeated order gets the same answer.
"""

from __future__ import annotations

import asyncio
from array import array
from bisect import bisect_left, insort
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import datetime
from operator import itemgetter
from time import perf_counter
from typing import Final

from ekoes.bots import Secret
from ekoes.errors import EkoesError, NotationError, StorageError, TableError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Json
from ekoes.records.referee import book_of
from ekoes.server.ops.clock import Clock, Uptime
from ekoes.server.ops.limits import BackgroundThrottle, Tempo
from ekoes.server.ops.logs import LOG
from ekoes.server.ops.telemetry import NO_SPAN, Metrics, Span
from ekoes.server.runtime.permissions import SeatGuard
from ekoes.server.workers.bot_pool import BotPool
from ekoes.storage.cache import LRUCache
from ekoes.storage.leases import Lease
from ekoes.storage.store import Store
from ekoes.storage.tables import Change, StoredTable, Taken, state_to_store, take
from ekoes.tables.deal_check import deal_json
from ekoes.tables.deals import joint_seed, secret_of
from ekoes.tables.orders import AnyOrder, Begin, StandStill
from ekoes.tables.submit import submit
from ekoes.tables.table import Table


class ElsewhereError(TableError):
    """Another process owns the table. member: its id."""

    default_code = "table/elsewhere"

    def __init__(self, member: str) -> None:
        super().__init__("another process has this table; please try again")
        self.member = member


class Owner:
    """Claims tables for this process. In this base class it is the only one, and needs no leases."""

    @property
    def leases(self) -> int:
        """The number of leases that this process holds."""
        return 0

    async def claim(self, name: str) -> Lease | None:  # noqa: ARG002
        """Claim a table; None: it needs no lease. Raises ElsewhereError, StorageError."""
        return None

    async def call(self, name: str) -> None:
        """Have another process release a table, and claim it. Raises ElsewhereError, StorageError."""

    def first(self, name: str) -> Lease | None:  # noqa: ARG002
        """Return the lease of a table that this process creates."""
        return None


ALONE: Final = Owner()


Listener = Callable[[str, Table], None]
PendingWrite = tuple[Change, "asyncio.Future[None]"]


_BATCH = 256
"""Changes per transaction, at most."""
_VACUUM_AFTER = 1000
"""Changes after which ``Store.tidy`` runs: some megabytes of SQLite's log."""


class GroupCommitter:
    """Writes changes in the order of their arrival, all that wait in one transaction.

    ``Store.tidy`` runs at intervals in a thread.
    """

    def __init__(self, store: Store, thread: Executor | None = None, metrics: Metrics | None = None) -> None:
        """Create a committer. thread: runs the transactions; None: a thread of its own."""
        self._store = store
        self._metrics = metrics or Metrics()
        self._thread = thread or ThreadPoolExecutor(1, thread_name_prefix="commit")
        self._waiting: deque[PendingWrite] = deque()
        self._batch: list[PendingWrite] = []
        self._started_at = 0.0
        self._is_busy = False
        self._untidied = 0
        self._tidying: asyncio.Future[None] | None = None

    @property
    def waiting(self) -> int:
        """The number of changes that wait to be written."""
        return len(self._waiting)

    def write(self, change: Change) -> asyncio.Future[None]:
        """Queue a change. The future is done when it is on disk, or fails with a StorageError."""
        loop = asyncio.get_running_loop()
        written: asyncio.Future[None] = loop.create_future()
        self._waiting.append((change, written))
        if not self._is_busy:
            self._is_busy = True
            loop.call_soon(self._begin)
        return written

    async def stop(self) -> None:
        """Return when everything is written."""
        while self._is_busy:
            await asyncio.wait([written for _, written in (*self._batch, *self._waiting)])
        if self._tidying is not None:
            await asyncio.wait([self._tidying])
        self._thread.shutdown()

    def _begin(self) -> None:
        """Start a transaction with the waiting changes."""
        batch = self._batch
        while self._waiting and len(batch) < _BATCH:
            batch.append(self._waiting.popleft())
        self._started_at = perf_counter()
        changes = [*map(itemgetter(0), batch)]
        work = asyncio.get_running_loop().run_in_executor(self._thread, self._store.write, changes)
        work.add_done_callback(self._end)

    def _end(self, work: asyncio.Future[list[StorageError | None]]) -> None:
        """Start the next transaction, then resolve the futures of this one."""
        batch, bug = self._batch, work.exception()
        failures: list[BaseException | None] = [bug] * len(batch)
        if bug is None:
            failures = [*work.result()]
        self._metrics.commits.observe(perf_counter() - self._started_at)
        self._metrics.changes.observe(len(batch))
        self._metrics.lost.inc(len(batch) - failures.count(None))
        self._batch = []
        self._is_busy = bool(self._waiting)
        if self._is_busy:
            self._begin()
        self._untidied += len(batch)
        if self._untidied >= _VACUUM_AFTER and (self._tidying is None or self._tidying.done()):
            self._untidied = 0
            self._tidying = asyncio.get_running_loop().run_in_executor(None, self._tidy)
        for (_, written), failure in zip(batch, failures, strict=True):
            if written.done():
                continue  # its caller was cancelled
            if failure is None:
                written.set_result(None)
            else:
                written.set_exception(failure)

    def _tidy(self) -> None:
        try:
            self._store.tidy()
        except StorageError as error:
            LOG.warning("database maintenance failed", error=str(error))


_LOGS = 16


@dataclass(frozen=True, slots=True)
class ServerContext:
    """The services of a server that its tables use.

    create: stores a new table under an id, unless there is one. listeners, turn_listeners: as in the hub.
    is_on_vacation: whether an account is on vacation. span: starts a trace span; None: tracing is off. logs:
    a cache of the early entries of tables' logs.
    """

    store: Store
    committer: GroupCommitter
    clock: Clock
    chance: Chance
    bots: BotPool
    create: Callable[[Table, str], Awaitable[str]]
    throttle: BackgroundThrottle
    seat_guard: SeatGuard
    listeners: list[Listener]
    turn_listeners: list[Listener]
    uptime: Uptime
    metrics: Metrics
    is_on_vacation: Callable[[str], bool]
    owner: Owner
    span: Span | None
    tempo: Tempo
    logs: LRUCache[Sequence[str]] = field(default_factory=lambda: LRUCache(_LOGS))


_REFUSALS = 128
"""Refusals in memory; acknowledgements are in the store."""
_LOG_ENTRIES = 4
"""Log entries in memory, at least; at most twice as many."""


def table_not_found() -> TableError:
    """Return the error for an id without a table."""
    return TableError("there is no such table", code="table/not-found")


class CommandHandler:
    """The stored state of a table and the commands that change it. The caller holds the table's lock.

    stored: the table as the store has it; None before ``open``.
    """

    def __init__(self, table_id: str, context: ServerContext) -> None:
        self.stored: StoredTable | None = None
        self._id = table_id
        self._context = context
        self._store = context.store
        self._lease: Lease | None = None
        self._loaded_at = 0
        self._refusals: dict[tuple[str, str], EkoesError] = {}
        """By session and key, the oldest first."""
        self._taken: array[int] | None = None
        """Hashes of the sessions and keys of all stored orders, sorted; read with the first order."""

    @property
    def secret(self) -> Secret:
        """The source of the bots' random numbers."""
        return self._current.secret

    @property
    def _current(self) -> StoredTable:
        if self.stored is None:
            raise table_not_found()
        return self.stored

    async def open(self) -> None:
        """Claim the table and load it. Raises TableError if there is none or others own it, StorageError."""
        self._lease = await self._context.owner.claim(self._id)
        self.stored = await asyncio.to_thread(self._store.load, self._id)
        if self.stored is None:
            raise table_not_found()
        self._loaded_at = self.stored.events

    def store_state(self) -> None:
        """Queue the state to be stored, unless nothing has changed since the table was loaded."""
        if self.stored is not None and self.stored.events > self._loaded_at:
            change = state_to_store(self._id, self.stored, self._lease)
            self._context.committer.write(change).add_done_callback(_log_failure)

    async def early_log(self) -> Sequence[str]:
        """Return the public log entries that are only in the store; only an undo changes them."""
        key = self._id, self._current.events
        texts = self._context.logs.get(key) or ()
        while len(texts) < (start := self._current.table.log_start):
            texts = await asyncio.to_thread(self._store.log, self._id, start)
            if (self._id, self._current.events) == key:
                self._context.logs.put(key, texts)
        return texts[:start]

    def restart_clocks(self, at: datetime) -> None:
        """Restart running waits after the table was suspended, in memory only."""
        stored = self._current
        self.stored = replace(stored, table=stored.table.resumed(at))

    async def settle(self, at: datetime) -> None:
        """Apply the automatic orders that are due, such as a deal or a flag fall."""
        work = self._begin()
        work.settle(at)
        await self._commit(work)

    async def resume(self, downtime: int, at: datetime) -> None:
        """Discount a downtime of the server from the clocks that ran, and note vacations.

        downtime: in milliseconds; flags fall later by it.
        """
        work = self._begin()
        if downtime:
            key = f"stand-still-{self._current.events}"
            work.submit(StandStill(key=key, milliseconds=downtime), None, at)
        work.note_vacations(at)
        await self._commit(work)

    async def submit_own(self, order: AnyOrder, at: datetime) -> None:
        """Apply an order of the server or of a bot, and then what is due. Raises EkoesError."""
        work = self._begin()
        work.submit(order, None, at)
        work.settle(at)
        await self._commit(work)

    async def submit(self, order: AnyOrder, session: str, at: datetime, lag: int = 0) -> int:
        """Apply an order of a session once, with what is due before and after it.

        lag: the latency of the session in milliseconds. Returns: the version to acknowledge. Raises:
        EkoesError; the same one again for the same key.
        """
        if (acknowledged := await self._answer(session, order.key)) is not None:
            return acknowledged
        work = self._begin()
        work.settle(at)
        try:
            work.submit(order, session, at)
        except EkoesError as refusal:
            await self._commit(work)
            if not isinstance(refusal, NotationError):  # an order that could not be read was not judged
                self._refusals[session, order.key] = refusal
                if len(self._refusals) > _REFUSALS:
                    del self._refusals[next(iter(self._refusals))]
            raise
        version = work.table.version
        work.settle(at)
        if lag:
            work.note_lag(session, lag, at)
        try:
            await self._commit(work)
        except StorageError:
            acknowledged = await self._acknowledged(session, order.key)
            if acknowledged is None:
                raise
            return acknowledged
        return version

    def deal_json(self) -> Json:
        """Return the public facts of the deal. Raises TableError if players add no part to it."""
        table = self._current.table
        if table.joint is None:
            raise TableError("nobody adds to the seed of this game", code="table/no-part")
        return deal_json(self._id, table, self._current.secret)

    def begin_order(self) -> Begin:
        """Return the order that draws the first position from everybody's parts."""
        return _begin_order(self._id, self._current.secret, self._current.table)

    def _begin(self) -> UnitOfWork:
        return UnitOfWork(self._id, self._current, self._context)

    async def _answer(self, session: str, key: str) -> int | None:
        """Return the version acknowledged for an order, None if it is new; raise its refusal."""
        if (refusal := self._refusals.get((session, key))) is not None:
            raise refusal.with_traceback(None)
        if self._taken is None:
            keys = await asyncio.to_thread(self._store.keys, self._id)
            self._taken = array("q", sorted(map(hash, keys)))
        mark = hash((session, key))
        place = bisect_left(self._taken, mark)
        if mark in self._taken[place : place + 1] or "\0" in key:  # PostgreSQL stores another character
            return await self._acknowledged(session, key)
        return None

    async def _acknowledged(self, session: str, key: str) -> int | None:
        """Return the version that the store has acknowledged for an order, None if it has not."""
        return await asyncio.to_thread(self._store.answer, self._id, session, key)

    async def _commit(self, work: UnitOfWork) -> None:
        """Store the orders of a unit of work, then show its table. Raises StorageError: nothing was done."""
        if not work.orders:
            return
        span = self._context.span
        change = Change(self._id, lease=self._lease)
        after = take(change, work.before, work.orders)
        written = self._context.committer.write(change)
        try:
            with span("commit", orders=len(work.orders)) if span else NO_SPAN:
                await asyncio.shield(written)
        except asyncio.CancelledError:
            await asyncio.wait([written])  # the write continues even if its caller is cancelled
            if written.exception() is None:
                self._advance(work, after)
            raise
        except StorageError:
            self._taken = None
            stored = await asyncio.to_thread(self._store.load, self._id)
            if stored is not None and stored.events != self._current.events:
                self.stored = stored
            raise
        self._advance(work, after)

    def _advance(self, work: UnitOfWork, stored: StoredTable) -> None:
        """Adopt the committed table, with only the latest entries of the log in memory."""
        if self._taken is not None:
            for one in work.orders:
                insort(self._taken, hash((one.session, one.order.key)))
        new_entries = stored.table.length - work.before.table.length
        short = stored.table.with_short_log(max(_LOG_ENTRIES, new_entries))
        self.stored = stored if short is stored.table else replace(stored, table=short)


def _begin_order(table_id: str, secret: Secret, table: Table) -> Begin:
    parts = "" if table.joint is None else table.joint.text(len(table.seats))
    seed = joint_seed(secret_of(secret), table_id, parts)
    return Begin(key=f"begin-{table.version}", seed=seed.hex())


def _log_failure(stored: asyncio.Future[None]) -> None:
    if not stored.cancelled() and (error := stored.exception()) is not None:
        LOG.warning("storing a state failed", error=str(error))


class UnitOfWork:
    """Orders that were judged and not yet committed; no one sees them.

    before: the stored table. table: the table after the orders.
    """

    def __init__(self, table_id: str, before: StoredTable, context: ServerContext) -> None:
        self._id = table_id
        self.before = before
        self.table = before.table
        self.orders: list[Taken] = []
        self._chance: Chance = context.chance
        self._is_on_vacation: Callable[[str], bool] = context.is_on_vacation
        self._span: Span | None = context.span

    def settle(self, at: datetime) -> None:
        """Apply the automatic orders that are due, such as a deal or a flag fall."""
        if self.table.clock is not None:
            self.note_vacations(at)
        while (due := self._due(at)) and not self.table.is_paused_at(at):
            self.submit(due[0], None, due[1])

    def _due(self, at: datetime) -> tuple[AnyOrder, datetime] | None:
        """Return the order that is due, and its time."""
        table = self.table
        if table.joint is None:
            return table.automatic_order(at, self._chance)
        if table.is_drawn_now:
            return None if table.awaits_parts else (_begin_order(self._id, self.before.secret, table), at)
        number = book_of(table.game).number(table.position)
        return table.automatic_order(at, table.joint.chance(number) or self._chance)

    def note_vacations(self, at: datetime) -> None:
        """Record the start and end of players' vacations where the table has clocks."""
        if self.table.clock is None:
            return
        for number, seat in enumerate(self.table.seats):
            is_on_vacation = seat.session is not None and self._is_on_vacation(seat.session)
            order = self.table.vacation_order(number, begins=is_on_vacation)
            if order is not None:
                self.submit(order, None, at)

    def note_lag(self, session: str, lag: int, at: datetime) -> None:
        """Record the latency of a session if the clocks consider it and it has changed."""
        if self.table.clock is None:
            return
        for seat in sorted(self.table.seats_of(session)):
            order = self.table.lag_order(seat, lag)
            if order is not None:
                self.submit(order, None, at)

    def submit(self, order: AnyOrder, session: str | None, at: datetime) -> None:
        """Judge an order, and note it if it changes anything. Raises EkoesError."""
        with self._span("judge", order=order.type) if self._span else NO_SPAN:
            after = submit(self.table, order, session, at)
        if after is not self.table:
            self.orders.append(Taken(order, session, at, after))
            self.table = after
