"""The store: keeps tables and gives them back as they stood, whatever today's rules say of old orders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, select, update

from ekoes.errors import StorageError, TableError
from ekoes.match.orders import AnyOrder
from ekoes.match.secret import Secret, fresh_secret
from ekoes.match.state import Table
from ekoes.storage.abandoned import Abandoned
from ekoes.storage.adopt import adopt
from ekoes.storage.archive import Archive
from ekoes.storage.database import open_database, transaction, ways_of
from ekoes.storage.later import tables_since, tell_end, untold
from ekoes.storage.leases import Lease, Leases
from ekoes.storage.people import People
from ekoes.storage.programs import Programs
from ekoes.storage.pushes import Pushes
from ekoes.storage.read import find_row, log_of, past_table, record_of, standing_table, stirring
from ekoes.storage.remembered import Remembered
from ekoes.storage.results import Results
from ekoes.storage.schema import EventRow, SchemaRow
from ekoes.storage.talk import Talk
from ekoes.storage.ties import Ties
from ekoes.storage.tournaments import Tournaments
from ekoes.storage.uptime import alarms, begin_uptime, latest, note_uptime
from ekoes.storage.vacations import Vacations
from ekoes.storage.wardens import Wardens
from ekoes.storage.write import Change, Taken, made, taken, write

__all__ = ["Kept", "Store", "new_table", "orders_taken"]

_SESSIONS_KNOWN = 50_000
"""Sessions that need not be looked up again."""
_RECORDS_KNOWN = 64
_MOMENTS_KNOWN = 256
"""Tables as they once stood: who looks back goes on to the next one."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A table as it is kept. events: the number of orders it has taken; secret: its bots' chance."""

    table: Table
    events: int
    secret: Secret

    def after(self, orders: Sequence[Taken]) -> Kept:
        """Return the table as it is kept after orders that it has taken."""
        return Kept(orders[-1].after, self.events + len(orders), self.secret)


def new_table(table_id: str, table: Table, at: datetime, lease: Lease | None = None) -> tuple[Kept, Change]:
    """Return a new table as it will be kept, with a secret that nobody knows, and what has to be written.

    lease: its first owner's, where there are several processes.
    """
    kept = Kept(table, 0, fresh_secret())
    return kept, made(table_id, table, at, kept.secret, lease)


def orders_taken(table_id: str, kept: Kept, orders: Sequence[Taken], lease: Lease | None = None) -> Change:
    """Return what has to be written of orders that a table takes one after the other.

    lease: by which they are judged here, where there are several processes.
    """
    return taken(table_id, kept.events, kept.table, orders, lease)


class Store:
    """Keeps tables in a database, and people and what they say. Every method is one transaction.

    All may raise StorageError. The methods block; they may be called from any thread.
    """

    def __init__(self, url: str, *, careful: bool = False) -> None:
        """Open the database at an SQLAlchemy URL, made or brought up to date as needed.

        careful: see whether it is whole, if whoever had it open last did not close it.
        """
        self._engine = open_database(url, careful=careful)
        self.people = People(self._engine)
        self.programs = Programs(self._engine, self.people)
        self.results = Results(self._engine)
        self.archive = Archive(self._engine)
        self.talk = Talk(self._engine)
        self.ties = Ties(self._engine)
        self.tournaments = Tournaments(self._engine)
        self.wardens = Wardens(self._engine)
        self.pushes = Pushes(self._engine)
        self.vacations = Vacations(self._engine)
        self.abandoned = Abandoned(self._engine)
        self.leases = Leases(self._engine)
        self._sessions: set[str] = set()
        self._records: Remembered[str] = Remembered(_RECORDS_KNOWN)
        self._moments: Remembered[Table] = Remembered(_MOMENTS_KNOWN)

    def close(self) -> None:
        """Close every connection."""
        self._engine.dispose()

    def try_out(self) -> None:
        """Write what is there already. Raises StorageError if nothing can be kept."""
        with transaction(self._engine) as connection:
            connection.execute(update(SchemaRow).values(version=SchemaRow.version))

    def create(self, table_id: str, table: Table, at: datetime) -> Kept:
        """Keep a new table, with a secret that nobody knows, and return it as it is kept."""
        kept, change = new_table(table_id, table, at)
        self.write_one(change)
        return kept

    def append(
        self, table_id: str, kept: Kept, order: AnyOrder, session_id: str | None, at: datetime, after: Table
    ) -> Kept:
        """Keep an order that a table takes, and return the table as it is kept now.

        Raises: StorageError ``storage/conflict`` if the table has taken other orders meanwhile.
        """
        orders = (Taken(order, session_id, at, after),)
        self.write_one(orders_taken(table_id, kept, orders))
        return kept.after(orders)

    def write_one(self, change: Change) -> None:
        """Write one change. Raises StorageError."""
        (failure,) = self.write([change])
        if failure is not None:
            raise failure

    def write(self, changes: Sequence[Change]) -> list[StorageError | None]:
        """Write changes of different tables, on the disk when this returns: all at once, else each alone.

        Returns: for each of them why it was not written, None if it was. Raises nothing of the store's.
        """
        try:
            self._write_all(changes)
        except StorageError as error:
            if len(changes) == 1:
                return [error]
            return [failure for change in changes for failure in self.write([change])]
        return [None] * len(changes)

    def _write_all(self, changes: Sequence[Change]) -> None:
        with transaction(self._engine) as connection:
            write(connection, changes, self._sessions)
        if len(self._sessions) > _SESSIONS_KNOWN:
            self._sessions.clear()
        self._sessions.update(*(change.sessions for change in changes))

    def tidy(self) -> None:
        """Do what the database would else have to do in the midst of writing."""
        with transaction(self._engine) as connection:
            ways_of(self._engine).tidy(connection)

    def load(self, table_id: str) -> Kept | None:
        """Return a table as it stands, None if there is none. Nothing is judged anew; its log stays here."""
        with self._row(table_id) as (connection, row):
            if row is None:
                return None
            return Kept(standing_table(connection, row), row.events, Secret.read(row.secret))

    def log(self, table_id: str, entries: int | None = None) -> list[str]:
        """Return a log as everybody may see it, each entry as JSON; entries: the first of them only."""
        with transaction(self._engine) as connection:
            return log_of(connection, table_id, entries)

    def past(self, table_id: str, entries: int) -> Table:
        """Return a table after some entries; the last of them is in its log, with its position.

        Raises: TableError if there is no such moment, or today's rules judge otherwise what led there.
        """
        with self._row(table_id) as (connection, row):
            return past_table(connection, _there(row), entries, self._moments)

    def record(self, table_id: str) -> str:
        """Write a table as a record, as it was judged. Raises TableError while it may not be seen."""
        with self._row(table_id) as (connection, found):
            row = _there(found)
            key = table_id, row.events
            return self._records.get(key) or self._records.put(key, record_of(connection, row))

    def since(self, table_id: str, moment: datetime) -> Sequence[tuple[datetime, Table]]:
        """Return how a table stood at a moment, and each time it has changed since; (): it has not."""
        with self._row(table_id) as (connection, row):
            return tables_since(connection, _there(row), moment)

    def untold(self) -> list[tuple[str, datetime]]:
        """Return the tables whose end those who watch are told later, and when."""
        with transaction(self._engine) as connection:
            return untold(connection)

    def tell_end(self, table_id: str) -> None:
        """Let everybody know that a game is over, and count it; nothing if they know."""
        with transaction(self._engine) as connection:
            tell_end(connection, table_id)

    def answer(self, table_id: str, session_id: str | None, key: str) -> int | None:
        """Return the version acknowledged for a key that was taken, None for any other key."""
        is_this = (EventRow.table_id == table_id, EventRow.session_id == session_id, EventRow.key == key)
        with transaction(self._engine) as connection:
            return connection.scalar(select(EventRow.version).where(*is_this))

    def stirring(self, since: datetime | None = None) -> list[str]:
        """Return the tables where a bot or a clock goes on by itself, those that people play at first.

        since: only those where something has happened since then.
        """
        with transaction(self._engine) as connection:
            return stirring(connection, since)

    def alarms(self) -> list[tuple[str, datetime]]:
        """Return the tables with a clock that goes on while nobody is there, and when it strikes."""
        with transaction(self._engine) as connection:
            return alarms(connection)

    def begin_uptime(self, at: datetime) -> list[tuple[datetime, datetime]]:
        """Note that a server is there from a moment on; return all times in which one was, in order."""
        with transaction(self._engine) as connection:
            return begin_uptime(connection, at)

    def latest(self) -> datetime | None:
        """Return the latest moment that is known: of a server, or of an order at a table that goes on."""
        with transaction(self._engine) as connection:
            return latest(connection)

    def note_uptime(self, began: datetime, until: datetime) -> None:
        """Note that the server that has begun at a moment was still there at another one."""
        with transaction(self._engine) as connection:
            note_uptime(connection, began, until)

    @contextmanager
    def _row(self, table_id: str) -> Iterator[tuple[Connection, Row[Any] | None]]:
        """Open a transaction with the row of a table, which is adopted if it comes from schema 1."""
        with transaction(self._engine) as connection:
            row = find_row(connection, table_id)
            if row is not None and row.state is None:
                adopt(connection, row)
                row = find_row(connection, table_id)
            yield connection, row


def _there(row: Row[Any] | None) -> Row[Any]:
    if row is None:
        raise TableError("there is no such table", code="table/not-found")
    return row
