"""The orders of one table: each is judged once, stored, and answered the same way whenever it comes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from ekoes.errors import EkoesError, NotationError, StorageError, TableError
from ekoes.games.chance import Chance
from ekoes.match.kinds import kind_of
from ekoes.match.orders import AnyOrder, StandStill
from ekoes.match.seats import session_seats
from ekoes.match.secret import Secret
from ekoes.match.state import Table, shortened
from ekoes.match.submit import submit
from ekoes.server.answered import Answered
from ekoes.server.house import House
from ekoes.server.traces import Span
from ekoes.storage.leases import Lease
from ekoes.storage.store import Kept, orders_taken
from ekoes.storage.write import Taken

__all__ = ["Ledger"]

_ENTRIES = 4
"""Entries of the log that stay in memory, at least; twice as many at most."""
_TRIES = 3


class Ledger:
    """The table as it is kept, and what changes it. One at a time may write: its owner sees to that."""

    def __init__(self, table_id: str, house: House) -> None:
        """Begin without the table; ``open`` fetches it."""
        self._id = table_id
        self._store = house.store
        self._scribe = house.scribe
        self._chance = house.chance
        self._logs = house.logs
        self._is_away = house.is_away
        self._owner = house.owner
        self._lease: Lease | None = None
        self._span = house.span
        self._kept: Kept | None = None
        self._answered = Answered()

    @property
    def is_open(self) -> bool:
        """Whether the table is here."""
        return self._kept is not None

    @property
    def table(self) -> Table:
        """The table as it is kept. Raises TableError if there is none."""
        kept = self._kept  # looked at by everybody, many times an order
        return self._open.table if kept is None else kept.table

    @property
    def secret(self) -> Secret:
        """Where the bots' chance comes from."""
        return self._open.secret

    @property
    def _open(self) -> Kept:
        if self._kept is None:
            raise TableError("there is no such table", code="table/not-found")
        return self._kept

    async def open(self) -> None:
        """Own the table, and fetch it. Raises TableError if there is none or others own it, StorageError."""
        self._lease = await self._owner.claim(self._id)
        kept = await asyncio.to_thread(self._store.load, self._id)
        if kept is None:
            raise TableError("there is no such table", code="table/not-found")
        self._kept = kept

    async def early(self) -> Sequence[str]:
        """Return the entries of the log that are not here but in the store alone, as everybody may see them.

        They stay as they are while others come; only an undo can reach them, and makes them fewer. Where
        they have become more meanwhile, they are read again.
        """
        key = self._id, self._open.events
        texts = self._logs.get(key) or ()
        for _ in range(_TRIES):
            if len(texts) < self.table.log_start:
                texts = await asyncio.to_thread(self._store.log, self._id, self.table.log_start)
                if (self._id, self._open.events) == key:
                    self._logs.put(key, texts)
        return texts[: self.table.log_start]

    async def early_of(self, then: Table) -> Sequence[str]:
        """Return the entries before those of a table as it once stood; they are as they were."""
        if then is self.table:
            return await self.early()
        return await asyncio.to_thread(self._store.log, self._id, then.log_start)

    async def since(self, moment: datetime) -> Sequence[tuple[datetime, Table]]:
        """Return how the table stood at a moment, and each time it has changed since; (): it has not."""
        return await asyncio.to_thread(self._store.since, self._id, moment)

    async def past(self, entries: int) -> Table:
        """Return the table after some entries of its log. Raises TableError."""
        return await asyncio.to_thread(self._store.past, self._id, entries)

    async def record(self) -> str:
        """Write the game as a record, as it was judged. Raises TableError while it may not be seen."""
        return await asyncio.to_thread(self._store.record, self._id)

    def rest(self, at: datetime) -> None:
        """Let what runs begin anew, as after a server was away; here in memory, nothing is written."""
        self._kept = replace(self._open, table=kind_of(self.table.game).rested(self.table, at))

    async def settle(self, at: datetime) -> None:
        """Take what the program itself has to order: a deal, what the clock has made due."""
        draft = self._draft()
        draft.settle(at)
        await self._keep(draft)

    async def stand_still(self, milliseconds: int, at: datetime) -> None:
        """Let clocks that ran have stood for so long; whether they have struck is seen later."""
        draft = self._draft()
        order = StandStill(key=f"stand-still-{self._open.events}", milliseconds=milliseconds)
        draft.give(order, None, at)
        await self._keep(draft)

    async def note_vacations(self, at: datetime) -> None:
        """Let the clocks of who is on vacation stand, and those of who has come back go on."""
        draft = self._draft()
        draft.note_vacations(at)
        await self._keep(draft)

    async def give(self, order: AnyOrder, at: datetime) -> None:
        """Take an order of the program or of a bot, and what it makes due. Raises EkoesError."""
        draft = self._draft()
        draft.give(order, None, at)
        draft.settle(at)
        await self._keep(draft)

    async def take(self, order: AnyOrder, session: str, at: datetime, lag: int = 0) -> int:
        """Take an order of a session once, however often it comes, with what is due before and after it.

        lag: how far away the session is, in milliseconds. Returns: the version to acknowledge. Raises:
        EkoesError; the same one again for the same key.
        """
        draft = self._draft()
        draft.settle(at)
        try:
            known = self._answered.version(session, order.key)
            if known is None:
                is_taken = draft.give(order, session, at)
        except EkoesError as refusal:
            await self._keep(draft)
            return await self._refused(order, session, refusal)
        version = draft.table.version
        draft.settle(at)
        draft.note_lag(session, lag, at)
        try:
            await self._keep(draft)
        except StorageError:
            taken = await self._taken(order, session)
            if taken is None:
                raise
            return self._remembered(order, session, taken)
        if known is not None:
            return known
        taken = None if is_taken else await self._taken(order, session)
        return self._remembered(order, session, version if taken is None else taken)

    def _draft(self) -> Draft:
        return Draft(self._open, self._chance, self._is_away, self._span)

    async def _refused(self, order: AnyOrder, session: str, refusal: EkoesError) -> int:
        """Answer an order that does not fit any more: as it was, if it was taken before; else refuse it."""
        taken = await self._taken(order, session)
        if taken is not None:
            return self._remembered(order, session, taken)
        if not isinstance(refusal, NotationError):  # what was not understood was not judged
            self._answered.remember(session, order.key, refusal)
        raise refusal

    def _remembered(self, order: AnyOrder, session: str, version: int) -> int:
        self._answered.remember(session, order.key, version)
        return version

    async def _taken(self, order: AnyOrder, session: str) -> int | None:
        """Return the version that was acknowledged when an order was taken, None if it never was."""
        return await asyncio.to_thread(self._store.answer, self._id, session, order.key)

    async def _keep(self, draft: Draft) -> None:
        """Store what was judged, and stand as it leaves the table. Raises StorageError: nothing was done."""
        if not draft.orders:
            return
        written = self._scribe.write(orders_taken(self._id, self._open, draft.orders, self._lease))
        try:
            with self._span("commit", orders=len(draft.orders)):
                await asyncio.shield(written)
        except asyncio.CancelledError:
            await asyncio.wait([written])  # it is on its way, whoever has gone meanwhile
            if written.exception() is None:
                self._stand(draft.kept)
            raise
        except StorageError:
            stored = await asyncio.to_thread(self._store.load, self._id)
            if stored is not None and stored.events != self._open.events:
                self._kept = stored
            raise
        self._stand(draft.kept)

    def _stand(self, kept: Kept) -> None:
        """Stand as the store has it; of the log, which it keeps, the latest entries stay here."""
        fresh = kept.table.length - self.table.length
        short = shortened(kept.table, max(_ENTRIES, fresh))
        self._kept = kept if short is kept.table else replace(kept, table=short)


class Draft:
    """What a table takes next, judged and not kept: nobody is told of it."""

    def __init__(self, kept: Kept, chance: Chance, is_away: Callable[[str], bool], span: Span) -> None:
        """Begin with the table as it is kept. chance: decides where chance is asked.

        is_away: tells who is on vacation. span: begins a span of an order's way.
        """
        self._span = span
        self._is_away = is_away
        self._before = kept
        self._chance = chance
        self.table = kept.table
        self.orders: list[Taken] = []

    @property
    def kept(self) -> Kept:
        """The table as it is kept once this is."""
        return self._before.after(self.orders)

    def settle(self, at: datetime) -> None:
        """Take what the program itself has to order: a deal, what the clock has made due."""
        self.note_vacations(at)
        kind = kind_of(self.table.game)
        while not self.table.rests(at) and (due := kind.due(self.table, at, self._chance)) is not None:
            self.give(due[0], None, due[1])

    def note_vacations(self, at: datetime) -> None:
        """Take note of who is on vacation and who has come back, where clocks have to know."""
        if self.table.clock is None:
            return
        kind = kind_of(self.table.game)
        for number, seat in enumerate(self.table.seats):
            is_away = seat.session is not None and self._is_away(seat.session)
            order = kind.vacation_noted(self.table, number, is_away=is_away)
            if order is not None:
                self.give(order, None, at)

    def note_lag(self, session: str, lag: int, at: datetime) -> None:
        """Take note of how far away a session is, where clocks have to know and it is not as it was."""
        kind = kind_of(self.table.game)
        for seat in sorted(session_seats(self.table.seats, session)) if lag else ():
            order = kind.lag_noted(self.table, seat, lag)
            if order is not None:
                self.give(order, None, at)

    def give(self, order: AnyOrder, session: str | None, at: datetime) -> bool:
        """Judge an order; tell whether it changes anything. Raises EkoesError."""
        with self._span("judge", order=order.type):
            after = submit(self.table, order, session, at)
        if after is self.table:
            return False
        self.orders.append(Taken(order, session, at, after))
        self.table = after
        return True
