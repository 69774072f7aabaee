"""The hub: every table that somebody looks at or a bot plays at, once."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from datetime import datetime

from ekoes.errors import EkoesError, StorageError, TableError
from ekoes.match.orders import Order
from ekoes.match.table import Table
from ekoes.server.bots import next_decision
from ekoes.server.live import LiveTable
from ekoes.storage.store import Store

__all__ = ["Hub"]

_LOG = logging.getLogger("ekoes.server")
_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
_ID_LENGTH = 12
_THINKERS = 2
_STORE_PAUSE = 5.0
"""Seconds before a bot tries again what the store did not take: nobody else would wake it."""


class Hub:
    """Opens tables, gives them their orders, and keeps their bots playing."""

    def __init__(self, store: Store, now: Callable[[], datetime]) -> None:
        """Serve the tables of a store. now: the time, with its zone."""
        self._store = store
        self._now = now
        self._tables: dict[str, LiveTable] = {}
        self._starting: asyncio.Task[None] | None = None
        self._thinkers = ThreadPoolExecutor(_THINKERS, thread_name_prefix="bot")

    def start(self) -> None:
        """Let the bots go on where a server before this one left them."""
        self._starting = asyncio.create_task(self._wake_all(), name="bots of all tables")

    async def _wake_all(self) -> None:
        for table_id in await asyncio.to_thread(self._store.waiting_for_bots):
            try:
                async with self.table(table_id):
                    pass  # opening a table wakes its bots
            except EkoesError as error:
                _LOG.error("the bots of table %s can't go on: %s", table_id, error)

    async def stop(self) -> None:
        """Let every bot rest."""
        tasks = [task for task in (self._starting, *(live.bots for live in self._tables.values())) if task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._thinkers.shutdown(wait=True, cancel_futures=True)

    async def create(self, table: Table) -> str:
        """Keep a new table and return its id, which nobody can guess."""
        table_id = "".join(secrets.choice(_ALPHABET) for _ in range(_ID_LENGTH))
        await asyncio.to_thread(self._store.create, table_id, table, self._now())
        async with self.table(table_id):
            return table_id

    @asynccontextmanager
    async def table(self, table_id: str) -> AsyncIterator[LiveTable]:
        """Open a table for as long as it is used. Raises TableError if there is none."""
        live = self._tables.setdefault(table_id, LiveTable(table_id, self._store))
        live.users += 1
        try:
            await live.load()
            self._wake_bots(live)
            yield live
        finally:
            self._release(live)

    def _release(self, live: LiveTable) -> None:
        """Forget a table that nobody uses any more."""
        live.users -= 1
        if not live.users:
            del self._tables[live.id]

    async def take(self, live: LiveTable, order: Order, session: str | None) -> int:
        """Keep an order, show what it changed, and return the version to acknowledge.

        Raises: EkoesError if the table can't take it.
        """
        async with live.lock:
            version, before = await live.take(order, session, self._now())
            if before is not None:
                live.show_change(before, order)
        self._wake_bots(live)
        return version

    # ------------------------------------------------------------ bots

    def _wake_bots(self, live: LiveTable) -> None:
        """Let the table's bots play if one is asked and none is at it; they use the table until they rest."""
        if live.bots is None and live.table.asked_bot is not None:
            live.users += 1
            live.bots = asyncio.create_task(self._play_bots(live), name=f"bots of {live.id}")

    async def _play_bots(self, live: LiveTable) -> None:
        """Play for the bots of a table until a person is asked; a decision comes after the table's pace."""
        try:
            while live.table.asked_bot is not None:
                try:
                    await self._play_bot(live)
                except StorageError as error:
                    _LOG.error("a bot at table %s waits for the store: %s", live.id, error)
                    await asyncio.sleep(_STORE_PAUSE)
        except Exception:  # noqa: BLE001 - whatever it was, it must be read in the log
            _LOG.exception("a bot at table %s can't go on", live.id)
        finally:
            live.bots = None
            self._release(live)

    async def _play_bot(self, live: LiveTable) -> None:
        """Play one decision, unless the table has changed while the bot thought."""
        table = live.table
        thought = asyncio.get_running_loop().run_in_executor(self._thinkers, next_decision, table)
        _, order = await asyncio.gather(asyncio.sleep(table.pace / 1000), thought)
        async with live.lock:
            if live.table.version != table.version:
                return
            _, before = await live.take(order, None, self._now())
            if before is None:
                raise TableError("a bot's decision was taken twice", code="table/stale")
            live.show_change(before, order)
