"""SQLite: a file on one machine, with one writer at a time."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.dialects.sqlite import insert

from ekoes.errors import StorageError

__all__ = ["DIALECT"]

_PAGES_AHEAD = 8192
"""Pages of 4 KiB in the write-ahead log, at most; moving them takes half a second."""


class _Sqlite:
    migrates_itself = True
    insert = staticmethod(insert)

    def engine(self, url: URL) -> Engine:
        engine = create_engine(url, hide_parameters=True)
        event.listen(engine, "connect", _prepare)
        return engine

    def has_doubts(self, engine: Engine) -> bool:
        """Return whether the database was not closed, which would have emptied the write-ahead log."""
        if not engine.url.database:
            return False
        ahead = Path(f"{engine.url.database}-wal")
        return ahead.is_file() and ahead.stat().st_size > 0

    def check(self, connection: Connection) -> None:
        found = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar()
        if found != "ok":
            message = f"the database is damaged ({found}); `ekoes restore` makes one from a backup"
            raise StorageError(message, code="storage/damaged")

    def lock(self, connection: Connection) -> None:
        """Begin a transaction at once: the driver would commit each schema change by itself."""
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    def hold(self, connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN")
        connection.exec_driver_sql("SELECT count(*) FROM sqlite_schema")

    def tidy(self, connection: Connection) -> None:
        """Move the write-ahead log into the database without blocking writers."""
        connection.exec_driver_sql("PRAGMA wal_checkpoint(PASSIVE)")

    def count_on(self, connection: Connection) -> None:
        """Do nothing: the next number is always above the highest one."""


DIALECT = _Sqlite()


def _prepare(connection: sqlite3.Connection, _record: object) -> None:
    """Set up a connection.

    A commit is on disk when it returns, readers do not block writers, and a writer waits for its turn at the
    start of its transaction instead of failing half-way. ``Store.tidy`` moves the write-ahead log into the
    database; a commit does so only if that was long ago.
    """
    connection.isolation_level = "IMMEDIATE"
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
        "busy_timeout=10000",
        f"wal_autocheckpoint={_PAGES_AHEAD}",
    ):
        connection.execute(f"PRAGMA {pragma}").close()
