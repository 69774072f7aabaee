"""The database dialects: everything that differs between SQLite and PostgreSQL."""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sqlalchemy import URL, Connection, Engine, Insert, Table, create_engine, event, func, make_url, select
from sqlalchemy.exc import ArgumentError

from ekoes.errors import StorageError
from ekoes.storage.schema import Base

if TYPE_CHECKING:
    import psycopg
    from psycopg.abc import Buffer


class Dialect:
    """A database dialect. The methods that do nothing here suit a server that looks after its own files.

    migrates_itself: opening an older database migrates it.
    """

    migrates_itself = False

    def engine(self, url: URL) -> Engine:
        """Return an engine, not yet connected. Raises what SQLAlchemy raises."""
        raise NotImplementedError

    def insert_ignore(self, table: Table | type[Base]) -> Insert:
        """Return a statement that inserts rows and skips those whose keys exist."""
        raise NotImplementedError

    def has_doubts(self, engine: Engine) -> bool:  # noqa: ARG002
        """Return whether the database was not closed properly and may be damaged."""
        return False

    def check(self, connection: Connection) -> None:
        """Check the integrity of the database. Raises StorageError."""

    def lock(self, connection: Connection) -> None:
        """Lock the schema until this transaction ends, without a timeout."""
        raise NotImplementedError

    def hold(self, connection: Connection) -> None:
        """Make a new transaction read a consistent snapshot, without a timeout."""
        raise NotImplementedError

    def tidy(self, connection: Connection) -> None:
        """Run maintenance that would otherwise slow down writes."""

    def count_on(self, connection: Connection) -> None:
        """Set sequences after rows were inserted with explicit numbers."""


_PAGES_AHEAD = 16384
"""Pages of 2 KiB in SQLite's write-ahead log, at most; moving them takes half a second."""
_PRIVATE = 0o600


class _Sqlite(Dialect):
    """A file on one machine, with one writer at a time."""

    migrates_itself = True

    def engine(self, url: URL) -> Engine:
        engine = create_engine(url, hide_parameters=True)
        event.listen(engine, "do_connect", _make_private)
        event.listen(engine, "connect", _prepare_sqlite)
        return engine

    def insert_ignore(self, table: Table | type[Base]) -> Insert:
        from sqlalchemy.dialects.sqlite import insert  # noqa: PLC0415 - only one of the two is loaded

        return insert(table).on_conflict_do_nothing()

    def has_doubts(self, engine: Engine) -> bool:
        """Return whether the database was not closed, which would have emptied the write-ahead log."""
        if not engine.url.database:
            return False
        ahead = Path(f"{engine.url.database}-wal")
        return ahead.is_file() and ahead.stat().st_size > 0

    def check(self, connection: Connection) -> None:
        found = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar()
        if found != "ok":
            raise damaged_file(connection.engine, str(found))

    def lock(self, connection: Connection) -> None:
        """Begin a transaction at once: the driver would commit each schema change by itself."""
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    def hold(self, connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN")
        connection.exec_driver_sql("SELECT count(*) FROM sqlite_schema")

    def tidy(self, connection: Connection) -> None:
        """Move the write-ahead log into the database without blocking writers."""
        connection.exec_driver_sql("PRAGMA wal_checkpoint(PASSIVE)")


DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
"""SQLite's codes for a damaged file."""


def damaged_file(engine: Engine, reason: str) -> StorageError:
    """Return the error for a damaged file of SQLite."""
    message = (
        f"the database {engine.url.database} is damaged ({reason}); "
        "`ekoes restore --replace` puts it aside and takes the games from a backup"
    )
    return StorageError(message, code="storage/damaged")


def _make_private(_dialect: object, _record: object, arguments: list[Any], _named: object) -> None:
    """Create the file of a database for its owner alone; the files beside it get the same mode.

    What can't be created or changed is left to SQLite. A file that is there must not be opened here: closing
    it would end the locks that this process has on it.
    """
    file = str(arguments[0])
    if file == ":memory:" or file.startswith("file:"):
        return
    with suppress(OSError):
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL, _PRIVATE))
    for end in ("", "-wal", "-shm"):
        with suppress(OSError):
            Path(f"{file}{end}").chmod(_PRIVATE)


def _prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    """Set up a connection.

    A commit is on disk when it returns, readers do not block writers, and a writer waits for its turn at the
    start of its transaction instead of failing half-way. ``Store.tidy`` moves the write-ahead log into the
    database; a commit does so only if that was long ago. A decision changes a few bytes in each of several
    indexes, and all pages with a change are written: a new database has half of the usual size of pages.
    """
    connection.isolation_level = "IMMEDIATE"
    for pragma in (
        "page_size=2048",
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
        "busy_timeout=10000",
        f"wal_autocheckpoint={_PAGES_AHEAD}",
    ):
        connection.execute(f"PRAGMA {pragma}").close()


_LOCK = 0x656B6F6573
"""The key of PostgreSQL's advisory lock for schema changes."""
_CONNECT = MappingProxyType(
    {
        "application_name": "ekoes",
        "connect_timeout": "5",
        "tcp_user_timeout": "10000",
        "options": "-c lock_timeout=10s -c idle_in_transaction_session_timeout=10s -c timezone=UTC",
    }
)
"""Timeouts for connecting, for locks, and for idle transactions; parameters of the URL override them."""


class _Postgresql(Dialect):
    """A database server for many processes that write at the same time."""

    def engine(self, url: URL) -> Engine:
        """Return an engine that tests a pooled connection before each transaction."""
        if url.drivername == "postgresql":
            url = url.set(drivername="postgresql+psycopg")
        settings = {key: value for key, value in _CONNECT.items() if key not in url.query}
        try:
            engine = create_engine(url, connect_args=settings, pool_pre_ping=True, hide_parameters=True)
            _replace_null_characters(engine)
        except ImportError as error:
            message = "PostgreSQL needs a library that is not installed: pip install 'ekoes[postgres]'"
            raise StorageError(message, code="storage/address") from error
        return engine

    def insert_ignore(self, table: Table | type[Base]) -> Insert:
        from sqlalchemy.dialects.postgresql import insert  # noqa: PLC0415 - only one of the two is loaded

        return insert(table).on_conflict_do_nothing()

    def lock(self, connection: Connection) -> None:
        _disable_timeouts(connection)
        connection.execute(select(func.pg_advisory_xact_lock(_LOCK)))

    def hold(self, connection: Connection) -> None:
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        _disable_timeouts(connection)

    def count_on(self, connection: Connection) -> None:
        for table in Base.metadata.sorted_tables:
            if (number := table.autoincrement_column) is not None:
                sequence = func.pg_get_serial_sequence(table.name, number.name)
                connection.execute(select(func.setval(sequence, func.max(number))))


def _replace_null_characters(engine: Engine) -> None:
    """Replace U+0000 in text parameters by U+FFFD: PostgreSQL can't store it.

    Stored values and search values are converted alike, so an id or key from a client is found again, and
    can't make a transaction fail.
    """
    from psycopg.types.string import StrDumperUnknown  # noqa: PLC0415 - an optional dependency

    class Text(StrDumperUnknown):
        def dump(self, obj: str) -> Buffer | None:
            return super().dump(obj.replace("\0", "\N{REPLACEMENT CHARACTER}") if "\0" in obj else obj)

    @event.listens_for(engine, "connect")
    def prepare(connection: psycopg.Connection, _record: object) -> None:
        connection.adapters.register_dumper(str, Text)


def _disable_timeouts(connection: Connection) -> None:
    """Disable the timeouts of this transaction."""
    for setting in ("lock_timeout", "idle_in_transaction_session_timeout"):
        connection.execute(select(func.set_config(setting, "0", True)))  # noqa: FBT003


_DIALECTS: dict[str, Dialect] = {"sqlite": _Sqlite(), "postgresql": _Postgresql()}
"""Dialects by SQLAlchemy's name of the database."""


def dialect_of(name: str) -> Dialect:
    """Return the dialect of a database. Raises StorageError if it is not supported."""
    if name not in _DIALECTS:
        message = f"can't use such a database: {name or 'nothing'}; Ekoes knows {' and '.join(_DIALECTS)}"
        raise StorageError(message, code="storage/address")
    return _DIALECTS[name]


Address = str | URL
"""The SQLAlchemy URL of a database: as text where a user writes it, as an object where it names a file."""


def file_address(file: Path) -> URL:
    """Return the URL of an SQLite file, whatever characters its path has."""
    return URL.create("sqlite", database=str(file))


def read_address(address: Address) -> URL:
    """Read the URL of a database. Raises StorageError."""
    try:
        url = make_url(address)
    except ArgumentError as error:  # its text may contain a password
        message = "can't use such a database: no URL such as sqlite:///FILE or postgresql://USER@HOST/NAME"
        raise StorageError(message, code="storage/address") from error
    return url.set(drivername="postgresql") if url.drivername == "postgres" else url
