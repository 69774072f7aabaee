"""The hub: every table that somebody looks at or that goes on by itself, once."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime

from ekoes.errors import EkoesError, StorageError
from ekoes.games.chance import Chance
from ekoes.match.moves import next_move
from ekoes.match.new import new_table
from ekoes.match.orders import AnyOrder, Rematched
from ekoes.match.plan import LARGEST_SEED
from ekoes.match.state import Move, Table
from ekoes.server.clock import Clock
from ekoes.server.live import LiveTable
from ekoes.storage.store import Store

__all__ = ["Hub", "SecretChance", "fresh_seed"]

_LOG = logging.getLogger("ekoes.server")
_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
_ID_LENGTH = 12
_THINKERS = 2
_STORE_PAUSE = 5.0
"""Seconds before a table tries again what the store did not take: nobody else would wake it."""


def fresh_seed() -> int:
    """Return a seed that nobody has chosen."""
    return secrets.randbelow(min(2**31, LARGEST_SEED))


class SecretChance(Chance):
    """Chance that no seed tells: the system's own (K6.0)."""

    def __init__(self) -> None:
        """Need no seed."""
        super().__init__(0)

    def bits(self) -> int:
        """Return 64 random bits."""
        return secrets.randbits(64)


class Hub:
    """Opens tables, gives them their orders, and keeps their bots and clocks going."""

    def __init__(self, store: Store, clock: Clock, chance: Chance | None = None) -> None:
        """Serve the tables of a store. chance: what tables leave to it; None: the system's."""
        self.clock = clock
        self._store = store
        self._chance = chance or SecretChance()
        self._tables: dict[str, LiveTable] = {}
        self._starting: asyncio.Task[None] | None = None
        self._thinkers = ThreadPoolExecutor(_THINKERS, thread_name_prefix="bot")

    def start(self) -> None:
        """Let bots and clocks go on where a server before this one left them."""
        self._starting = asyncio.create_task(self._wake_all(), name="all tables")

    async def _wake_all(self) -> None:
        for table_id in await asyncio.to_thread(self._store.stirring):
            try:
                async with self.table(table_id):
                    pass  # opening a table wakes it
            except EkoesError as error:
                _LOG.error("table %s can't go on: %s", table_id, error)

    async def stop(self) -> None:
        """Let every table rest."""
        keepers = (live.keeper for live in self._tables.values())
        tasks = [task for task in (self._starting, *keepers) if task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._thinkers.shutdown(wait=True, cancel_futures=True)

    async def create(self, table: Table) -> str:
        """Keep a new table and return its id, which nobody can guess."""
        table_id = "".join(secrets.choice(_ALPHABET) for _ in range(_ID_LENGTH))
        await asyncio.to_thread(self._store.create, table_id, table, self.clock.now())
        async with self.table(table_id):
            return table_id

    @asynccontextmanager
    async def table(self, table_id: str) -> AsyncIterator[LiveTable]:
        """Open a table for as long as it is used. Raises TableError if there is none."""
        live = self._tables.setdefault(table_id, LiveTable(table_id, self._store, self.clock))
        live.users += 1
        try:
            await live.load()
            self._wake(live)
            yield live
        finally:
            self._release(live)

    def _release(self, live: LiveTable) -> None:
        """Forget a table that nobody uses any more."""
        live.users -= 1
        if not live.users:
            del self._tables[live.id]

    async def take(
        self, live: LiveTable, order: AnyOrder, session: str | None, at: datetime | None = None
    ) -> int:
        """Keep an order, show what it changed, and return the version to acknowledge.

        at: when it arrived; None: now. Raises: EkoesError if the table can't take it.
        """
        arrived = self.clock.now() if at is None else at
        async with live.lock:
            version = await self._take(live, order, session, arrived)
        self._wake(live)
        return version

    async def _take(self, live: LiveTable, order: AnyOrder, session: str | None, at: datetime) -> int:
        """Take an order after all that is due before it, and then what it makes due; show it at once."""
        before = live.table
        try:
            await self._settle(live, at)
            version = await live.take(order, session, at)
            await self._settle(live, at)
        finally:
            live.show_change(before)
        return version

    async def _settle(self, live: LiveTable, at: datetime) -> None:
        """Take what the program itself has to order: a deal, what the clock has made due."""
        while (due := live.kind.due(live.table, at, self._chance)) is not None:
            order, moment = due
            await live.take(order, None, moment)

    # ------------------------------------------------------------ what goes on by itself

    def _wake(self, live: LiveTable) -> None:
        """Let a keeper look after the table if it stirs; it uses the table until that rests."""
        if live.keeper is None and live.stirs:
            live.users += 1
            live.keeper = asyncio.create_task(self._keep(live), name=f"keeper of {live.id}")

    async def _keep(self, live: LiveTable) -> None:
        """Do what happens by itself at a table until nothing does."""
        try:
            goes_on = True
            while goes_on and live.stirs:
                try:
                    goes_on = await self._step(live)
                except StorageError as error:
                    _LOG.error("table %s waits for the store: %s", live.id, error)
                    await self.clock.sleep(_STORE_PAUSE)
        except Exception:  # noqa: BLE001 - whatever it was, it must be read in the log
            _LOG.exception("table %s can't go on", live.id)
        finally:
            live.keeper = None
            self._release(live)

    async def _step(self, live: LiveTable) -> bool:
        """Do the next thing that happens by itself, in its time; tell whether there was any.

        If the table changes before, there is another next thing.
        """
        table = live.table
        live.changed.clear()
        if table.wants_rematch:
            await self._open_rematch(live)
            return True
        loop = asyncio.get_running_loop()
        now = self.clock.now()
        move = await loop.run_in_executor(self._thinkers, next_move, table, now)
        if live.table.version != table.version:
            return True
        if move is not None and await self._is_still_so_at(move, live):
            await self._do(move, live, table.version)
        return move is not None

    async def _is_still_so_at(self, move: Move, live: LiveTable) -> bool:
        """Wait for the moment of a move; tell whether the table has stayed as it was."""
        pause = (move.at - self.clock.now()).total_seconds()
        if pause <= 0:
            return True
        strikes = asyncio.create_task(self.clock.sleep(pause))
        changes = asyncio.create_task(live.changed.wait())
        try:
            done, _ = await asyncio.wait((strikes, changes), return_when=asyncio.FIRST_COMPLETED)
        finally:
            strikes.cancel()
            changes.cancel()
        return strikes in done

    async def _do(self, move: Move, live: LiveTable, version: int) -> None:
        """Do a move unless the table has changed since it was planned.

        Where the server comes so late that the clock has struck meanwhile, the bot has missed its moment.
        """
        async with live.lock:
            if live.table.version != version:
                return
            before, now = live.table, max(self.clock.now(), move.at)
            try:
                await self._settle(live, now)
                if move.order is not None and live.table is before:
                    await live.take(move.order, None, now)
                    await self._settle(live, now)
            finally:
                live.show_change(before)

    async def _open_rematch(self, live: LiveTable) -> None:
        """Make the table of a rematch that everybody agreed to."""
        table = live.table
        seats = tuple(replace(seat) for seat in table.seats)
        fresh = new_table(table.game, table.options, fresh_seed(), seats, turn_limit=table.turn_limit)
        table_id = await self.create(fresh)
        await self.take(live, Rematched(key=f"rematch-{table.version}", table=table_id), None)
