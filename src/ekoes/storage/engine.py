"""Opens the database, and turns its errors into StorageError."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, TypeVar, TypeVarTuple

from sqlalchemy import ColumnElement, Connection, Engine, Executable, Row
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.sql.selectable import TypedReturnsRows

from ekoes.errors import StorageError
from ekoes.storage.dialects import DAMAGED, damaged_file, dialect_of, read_address
from ekoes.storage.migrations import migrate, prepare, read_version
from ekoes.storage.schema import Base

Ts = TypeVarTuple("Ts")
V = TypeVar("V")
_LOG = logging.getLogger("ekoes.storage")


def open_database(address: str, *, careful: bool = False) -> Engine:
    """Open the database at an SQLAlchemy URL, created or migrated as needed. Raises StorageError.

    careful: check its integrity if it was not closed properly.
    """
    engine = connect(address)
    dialect = dialect_of(engine.dialect.name)
    try:
        has_doubts = careful and dialect.has_doubts(engine)
        with transaction(engine) as connection:
            if has_doubts:
                _LOG.warning("the last server did not close the database; checking its integrity")
                dialect.check(connection)
            prepare(connection)
    except BaseException:
        engine.dispose()
        raise
    return engine


def migrate_database(address: str) -> int:
    """Migrate a database to this program's schema. Raises StorageError.

    Returns: its version before, 0 for an empty one.
    """
    engine = connect(address)
    try:
        with transaction(engine) as connection:
            before = read_version(connection).version
            migrate(connection)
            return before
    finally:
        engine.dispose()


def connect(address: str) -> Engine:
    """Return an engine for a database, without checking its contents. Raises StorageError."""
    url = read_address(address)
    dialect = dialect_of(url.get_backend_name())
    try:
        return dialect.engine(url)
    except (SQLAlchemyError, ImportError) as error:
        reason = str(error).splitlines()[0]
        raise StorageError(f"can't use such a database: {reason}", code="storage/address") from error


@contextmanager
def transaction(engine: Engine) -> Iterator[Connection]:
    """Open a transaction; database errors become StorageError."""
    try:
        with engine.begin() as connection:
            yield connection
    except IntegrityError as error:
        raise StorageError("the table has changed meanwhile", code="storage/conflict") from error
    except SQLAlchemyError as error:
        cause = getattr(error, "orig", None) or error
        reason = str(cause).splitlines()[0]
        if getattr(cause, "sqlite_errorcode", None) in DAMAGED:
            raise damaged_file(engine, reason) from error
        raise StorageError(f"the database failed: {reason}", code="storage/failed") from error


def columns_of(row: type[Base], value: type[Any]) -> list[ColumnElement[Any]]:
    """Return the columns of a table with the names of the fields of a dataclass or named tuple, in order."""
    return [row.__table__.c[name] for name in value.__match_args__]


class Repository:
    """Base of the parts of the store.

    Each public method runs one transaction, blocks, may be called from any thread and may raise StorageError.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def _transaction(self) -> AbstractContextManager[Connection]:
        return transaction(self._engine)

    def _rows(self, statement: TypedReturnsRows[*Ts]) -> Sequence[Row[*Ts]]:
        with transaction(self._engine) as connection:
            return connection.execute(statement).all()

    def _first(self, statement: TypedReturnsRows[*Ts], **parameters: object) -> Row[*Ts] | None:
        with transaction(self._engine) as connection:
            return connection.execute(statement, parameters).first()

    def _scalars(self, statement: TypedReturnsRows[V]) -> list[V]:
        with transaction(self._engine) as connection:
            return list(connection.scalars(statement))

    def _scalar(self, statement: TypedReturnsRows[V], **parameters: object) -> V | None:
        with transaction(self._engine) as connection:
            return connection.scalar(statement, parameters)

    def _execute(self, statement: Executable) -> int:
        """Return the number of rows that the statement has changed."""
        with transaction(self._engine) as connection:
            return connection.execute(statement).rowcount
