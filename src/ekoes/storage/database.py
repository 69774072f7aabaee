"""The database: how it is opened, and its failures as errors of the store."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from ekoes.errors import StorageError
from ekoes.storage.migrations import migrate

__all__ = ["open_database", "transaction"]

_PAGES_AHEAD = 8192
"""Of 4 KiB each; so many take half a second to move."""


def open_database(url: str) -> Engine:
    """Open the database at an SQLAlchemy URL, made or brought up to date as needed. Raises StorageError."""
    try:
        engine = create_engine(url)
    except (SQLAlchemyError, ImportError) as error:
        reason = str(error).splitlines()[0]
        raise StorageError(f"can't use such a database: {reason}", code="storage/address") from error
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare_sqlite)
    with transaction(engine) as connection:
        migrate(connection)
    return engine


@contextmanager
def transaction(engine: Engine) -> Iterator[Connection]:
    """Open a transaction; whatever the database says against it becomes StorageError."""
    try:
        with engine.begin() as connection:
            yield connection
    except IntegrityError as error:
        raise StorageError("the table has changed meanwhile", code="storage/conflict") from error
    except SQLAlchemyError as error:
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise StorageError(f"the database failed: {reason}", code="storage/failed") from error


def _prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    """Set up an SQLite connection.

    A commit is on the disk when it returns, readers do not block writers, and a writer waits for its
    turn as it begins instead of failing half-way. What is written ahead is moved into the database by
    ``Store.tidy``; a commit has to do it only where that was long ago.
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
