"""Handles the orders of one table: judge, store, acknowledge; a repeated order gets the same answer."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from ekoes.errors import EkoesError, NotationError, StorageError, TableError
from ekoes.games.api.chance import Chance
from ekoes.server.ops.tracing import NO_SPAN, Span
from ekoes.server.runtime.context import ServerContext
from ekoes.storage.leases import Lease
from ekoes.storage.tables import StoredTable, Taken, orders_taken
from ekoes.tables.bot_request import Secret
from ekoes.tables.orders import AnyOrder, StandStill
from ekoes.tables.submit import submit
from ekoes.tables.table import Table

_CACHED_ANSWERS = 128
_LOG_ENTRIES = 4
"""Log entries in memory, at least; at most twice as many."""
_READ_ATTEMPTS = 3


def table_not_found() -> TableError:
    """Return the error for an id without a table."""
    return TableError("there is no such table", code="table/not-found")


class IdempotencyCache:
    """The latest acknowledgements and refusals; older acknowledgements are in the store."""

    def __init__(self) -> None:
        self._answers: OrderedDict[tuple[str, str], int | EkoesError] = OrderedDict()

    def version(self, session: str, key: str) -> int | None:
        """Return the version acknowledged for an order, None if it is not cached.

        Raises: the refusal, if it was refused.
        """
        answer = self._answers.get((session, key))
        if isinstance(answer, EkoesError):
            raise answer.with_traceback(None)
        return answer

    def put(self, session: str, key: str, answer: int | EkoesError) -> None:
        """Store an answer."""
        self._answers[session, key] = answer
        if len(self._answers) > _CACHED_ANSWERS:
            self._answers.popitem(last=False)


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
        self._answers = IdempotencyCache()

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

    async def early_log(self) -> Sequence[str]:
        """Return the public log entries that are only in the store.

        Only an undo changes them: it removes some. They are read again if more have moved out of memory.
        """
        key = self._id, self._current.events
        texts = self._context.logs.get(key) or ()
        for _ in range(_READ_ATTEMPTS):
            start = self._current.table.log_start
            if len(texts) < start:
                texts = await asyncio.to_thread(self._store.log, self._id, start)
                if (self._id, self._current.events) == key:
                    self._context.logs.put(key, texts)
        return texts[: self._current.table.log_start]

    async def past(self, entries: int) -> Table:
        """Return the table after some entries of its log. Raises TableError."""
        return await asyncio.to_thread(self._store.past, self._id, entries)

    async def record(self) -> str:
        """Return the record of the game. Raises TableError while it is hidden."""
        return await asyncio.to_thread(self._store.record, self._id)

    def restart_clocks(self, at: datetime) -> None:
        """Restart running waits after the table was suspended, in memory only."""
        stored = self._current
        self.stored = replace(stored, table=stored.table.resumed(at))

    async def settle(self, at: datetime) -> None:
        """Apply the automatic orders that are due, such as a deal or a flag fall."""
        work = self._begin()
        work.settle(at)
        await self._commit(work)

    async def stop_clocks(self, milliseconds: int, at: datetime) -> None:
        """Discount a downtime of the server from the clocks that ran; flags fall later."""
        work = self._begin()
        order = StandStill(key=f"stand-still-{self._current.events}", milliseconds=milliseconds)
        work.submit(order, None, at)
        await self._commit(work)

    async def note_vacations(self, at: datetime) -> None:
        """Stop the clocks of players on vacation, and start those of players who are back."""
        work = self._begin()
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
        work = self._begin()
        work.settle(at)
        try:
            known = self._answers.version(session, order.key)
            if known is None:
                has_changed = work.submit(order, session, at)
        except EkoesError as refusal:
            await self._commit(work)
            if (version := await self._acknowledged(order, session)) is not None:
                return version
            if not isinstance(refusal, NotationError):  # an order that could not be read was not judged
                self._answers.put(session, order.key, refusal)
            raise
        version = work.table.version
        work.settle(at)
        if lag:
            work.note_lag(session, lag, at)
        try:
            await self._commit(work)
        except StorageError:
            acknowledged = await self._acknowledged(order, session)
            if acknowledged is None:
                raise
            return acknowledged
        if known is not None:
            return known
        if not has_changed and (acknowledged := await self._acknowledged(order, session)) is not None:
            return acknowledged
        self._answers.put(session, order.key, version)
        return version

    def _begin(self) -> UnitOfWork:
        return UnitOfWork(self._current, self._context)

    async def _acknowledged(self, order: AnyOrder, session: str) -> int | None:
        """Return the version that the store has acknowledged for an order, None if it has not."""
        version = await asyncio.to_thread(self._store.answer, self._id, session, order.key)
        if version is not None:
            self._answers.put(session, order.key, version)
        return version

    async def _commit(self, work: UnitOfWork) -> None:
        """Store the orders of a unit of work, then show its table. Raises StorageError: nothing was done."""
        if not work.orders:
            return
        span = self._context.span
        written = self._context.committer.write(orders_taken(self._id, work.before, work.orders, self._lease))
        try:
            with span("commit", orders=len(work.orders)) if span else NO_SPAN:
                await asyncio.shield(written)
        except asyncio.CancelledError:
            await asyncio.wait([written])  # the write continues even if its caller is cancelled
            if written.exception() is None:
                self._advance(work)
            raise
        except StorageError:
            stored = await asyncio.to_thread(self._store.load, self._id)
            if stored is not None and stored.events != self._current.events:
                self.stored = stored
            raise
        self._advance(work)

    def _advance(self, work: UnitOfWork) -> None:
        """Adopt the committed table, with only the latest entries of the log in memory."""
        stored = work.before.after(work.orders)
        new_entries = stored.table.length - work.before.table.length
        short = stored.table.with_short_log(max(_LOG_ENTRIES, new_entries))
        self.stored = stored if short is stored.table else replace(stored, table=short)


class UnitOfWork:
    """Orders that were judged and not yet committed; no one sees them.

    before: the stored table. table: the table after the orders.
    """

    def __init__(self, before: StoredTable, context: ServerContext) -> None:
        self.before = before
        self.table = before.table
        self.orders: list[Taken] = []
        self._chance: Chance = context.chance
        self._is_away: Callable[[str], bool] = context.is_away
        self._span: Span | None = context.span

    def settle(self, at: datetime) -> None:
        """Apply the automatic orders that are due, such as a deal or a flag fall."""
        if self.table.clock is not None:
            self.note_vacations(at)
        while not self.table.is_paused_at(at):
            due = self.table.automatic_order(at, self._chance)
            if due is None:
                break
            self.submit(due[0], None, due[1])

    def note_vacations(self, at: datetime) -> None:
        """Record the start and end of players' vacations where the table has clocks."""
        if self.table.clock is None:
            return
        for number, seat in enumerate(self.table.seats):
            is_away = seat.session is not None and self._is_away(seat.session)
            order = self.table.vacation_order(number, is_away=is_away)
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

    def submit(self, order: AnyOrder, session: str | None, at: datetime) -> bool:
        """Judge an order; return whether it changes anything. Raises EkoesError."""
        with self._span("judge", order=order.type) if self._span else NO_SPAN:
            after = submit(self.table, order, session, at)
        if after is self.table:
            return False
        self.orders.append(Taken(order, session, at, after))
        self.table = after
        return True
