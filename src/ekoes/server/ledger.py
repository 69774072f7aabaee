"""The orders of one table: each is judged once, stored, and answered the same way whenever it comes."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime

from ekoes.errors import EkoesError, NotationError, StorageError, TableError
from ekoes.match.kinds import kind_of
from ekoes.match.orders import AnyOrder
from ekoes.match.secret import Secret
from ekoes.match.state import Table
from ekoes.match.submit import submit
from ekoes.server.answered import Answered
from ekoes.server.house import House
from ekoes.storage.store import Kept

__all__ = ["Ledger"]


class Ledger:
    """The table as it is kept, and what changes it. One at a time may write: its owner sees to that."""

    def __init__(self, table_id: str, house: House) -> None:
        """Begin without the table; ``open`` fetches it."""
        self._id = table_id
        self._store = house.store
        self._chance = house.chance
        self._kept: Kept | None = None
        self._early: list[str] = []
        self._answered = Answered()

    @property
    def is_open(self) -> bool:
        """Whether the table is here."""
        return self._kept is not None

    @property
    def table(self) -> Table:
        """The table as it is kept. Raises TableError if there is none."""
        return self._open.table

    @property
    def secret(self) -> Secret:
        """Where the bots' chance comes from."""
        return self._open.secret

    @property
    def early(self) -> list[str]:
        """The entries of the log that were kept before the table was opened, as everybody may see them."""
        return self._early[: self.table.log_start]

    @property
    def _open(self) -> Kept:
        if self._kept is None:
            raise TableError("there is no such table", code="table/not-found")
        return self._kept

    async def open(self) -> None:
        """Fetch the table. Raises TableError if there is none, StorageError."""
        kept = await asyncio.to_thread(self._store.load, self._id)
        if kept is None:
            raise TableError("there is no such table", code="table/not-found")
        await self._stand(kept)

    async def _stand(self, kept: Kept) -> None:
        """Stand as the store has it, with the log up to there."""
        early = await asyncio.to_thread(self._store.log, self._id)
        self._kept, self._early = kept, early

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
        kind = kind_of(self.table.game)
        while not self.table.paused and (due := kind.due(self.table, at, self._chance)) is not None:
            order, moment = due
            await self.give(order, moment)

    async def give(self, order: AnyOrder, at: datetime) -> None:
        """Take an order of the program or of a bot. Raises EkoesError."""
        after = submit(self.table, order, None, at)
        if after is not self.table:
            await self._keep(order, None, at, after)

    async def take(self, order: AnyOrder, session: str, at: datetime) -> int:
        """Take an order of a session once, however often it comes. Returns: the version to acknowledge.

        Raises: EkoesError; the same one again for the same key.
        """
        known = self._answered.version(session, order.key)
        if known is not None:
            return known
        try:
            version = await self._judged(order, session, at)
        except (NotationError, StorageError):
            raise  # not understood, or not kept: nothing was judged
        except EkoesError as error:
            self._answered.remember(session, order.key, error)
            raise
        self._answered.remember(session, order.key, version)
        return version

    async def _judged(self, order: AnyOrder, session: str, at: datetime) -> int:
        """Judge an order that is not remembered; where it may have been taken before, the store knows."""
        before = self.table
        try:
            after = submit(before, order, session, at)
            if after is not before:
                await self._keep(order, session, at, after)
                return after.version
        except EkoesError:
            taken = await self._taken(order, session)
            if taken is None:
                raise
            return taken
        taken = await self._taken(order, session)
        return before.version if taken is None else taken

    async def _taken(self, order: AnyOrder, session: str) -> int | None:
        """Return the version that was acknowledged when an order was taken, None if it never was."""
        return await asyncio.to_thread(self._store.answer, self._id, session, order.key)

    async def _keep(self, order: AnyOrder, session: str | None, at: datetime, after: Table) -> None:
        """Store an order, and stand as it leaves the table. Raises StorageError: nothing was done."""
        try:
            self._kept = await asyncio.to_thread(
                self._store.append, self._id, self._open, order, session, at, after
            )
        except StorageError:
            stored = await asyncio.to_thread(self._store.load, self._id)
            if stored is not None and stored.events != self._open.events:
                await self._stand(stored)
            raise
