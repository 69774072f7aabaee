"""The database: how it is opened, and its failures as errors of the store."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from ekoes.errors import StorageError
from ekoes.storage.dialects import Dialect, dialect_of, read_address
from ekoes.storage.migrations import migrate, ready, standing, steps_after

__all__ = ["connect", "open_database", "transaction", "upgrade_database", "ways_of"]

_LOG = logging.getLogger("ekoes.storage")


def open_database(address: str, *, careful: bool = False) -> Engine:
    """Open the database at an SQLAlchemy URL, made or brought up to date as needed. Raises StorageError.

    careful: see whether it is whole, if whoever had it open last did not close it.
    """
    engine = connect(address)
    try:
        _get_ready(engine, careful=careful)
    except BaseException:
        engine.dispose()
        raise
    return engine


def _get_ready(engine: Engine, *, careful: bool) -> None:
    """See whether a database is whole where that is in doubt, and bring it up to date."""
    ways = ways_of(engine)
    has_doubts = careful and ways.has_doubts(engine)
    with transaction(engine) as connection:
        if has_doubts:
            _LOG.warning("the server before this one was cut off: looking whether the database is whole")
            ways.check(connection)
        ready(connection)


def upgrade_database(address: str, *, only_look: bool = False) -> tuple[int, list[tuple[int, str]]]:
    """Bring a database up to date, whatever it is. only_look: nothing is changed. Raises StorageError.

    Returns: the version that it had, 0 for an empty one, and the steps that it lacked.
    """
    engine = connect(address)
    try:
        with transaction(engine) as connection:
            version = standing(connection).version
            steps = steps_after(version)
            if not only_look:
                migrate(connection)
            return version, steps
    finally:
        engine.dispose()


def connect(address: str) -> Engine:
    """Return what connects to a database, whatever is in it. Raises StorageError if it can't be used."""
    url = read_address(address)
    ways = dialect_of(url.get_backend_name())
    try:
        return ways.engine(url)
    except (SQLAlchemyError, ImportError) as error:
        reason = str(error).splitlines()[0]
        raise StorageError(f"can't use such a database: {reason}", code="storage/address") from error


def ways_of(engine: Engine) -> Dialect:
    """Return what the database of an engine does in its own way."""
    return dialect_of(engine.dialect.name)


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
