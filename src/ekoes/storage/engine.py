"""Opens the database, turns its errors into StorageError, and runs statements."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, TypeVar, TypeVarTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Executable,
    Insert,
    Row,
    Table,
)
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.orm import Session
from sqlalchemy.sql.selectable import TypedReturnsRows

from ekoes.errors import StorageError
from ekoes.storage.dialects import DAMAGED, Address, damaged_file, dialect_of, read_address
from ekoes.storage.migrations import migrate, prepare, read_version
from ekoes.storage.schema import Base

Ts = TypeVarTuple("Ts")
V = TypeVar("V")
B = TypeVar("B", bound=Base)
_LOG = logging.getLogger("ekoes.storage")

Values = Mapping[str, object]
"""The values of a row, by column."""


def open_database(address: Address, *, careful: bool) -> Engine:
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


def migrate_database(address: Address) -> int:
    """Migrate a database to this program's schema. Raises StorageError.

    Returns: its version before, 0 for an empty one.
    """
    with opened(address) as connection:
        before = read_version(connection).version
        migrate(connection)
        return before


@contextmanager
def opened(address: Address) -> Iterator[Connection]:
    """Open a database for one transaction, without checking its contents. Raises StorageError."""
    engine = connect(address)
    try:
        with transaction(engine) as connection:
            yield connection
    finally:
        engine.dispose()


def connect(address: Address) -> Engine:
    """Return an engine for a database, without checking its contents. Raises StorageError."""
    url = read_address(address)
    dialect = dialect_of(url.get_backend_name())
    try:
        engine = dialect.engine(url)
    except (SQLAlchemyError, ImportError) as error:
        reason = str(error).splitlines()[0]
        raise StorageError(f"can't use such a database: {reason}", code="storage/address") from error
    # Many rows go into one statement: one for each would release the GIL as often, and wait for it.
    engine.dialect.use_insertmanyvalues_wo_returning = True
    return engine


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


def insert_new(connection: Connection, row: type[Base], **values: object) -> None:
    """Insert a row unless its key exists."""
    connection.execute(insert_ignore(connection, row), values)


def insert_ignore(connection: Connection, table: Table | type[Base]) -> Insert:
    """Return a statement that inserts rows and skips those whose keys exist."""
    return dialect_of(connection.dialect.name).insert_ignore(table)


def execute_all(connection: Connection, statement: Executable, rows: Sequence[Values]) -> None:
    """Run a statement for all rows, if there are any."""
    if rows:
        connection.execute(statement, rows)


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

    @contextmanager
    def _session(self) -> Iterator[Session]:
        """Open a transaction that stores the objects that were added or changed."""
        with transaction(self._engine) as connection, Session(connection) as session:
            yield session
            session.flush()

    def _rows(self, statement: TypedReturnsRows[*Ts]) -> Sequence[Row[*Ts]]:
        with transaction(self._engine) as connection:
            return connection.execute(statement).all()

    def _first(self, statement: TypedReturnsRows[*Ts], **parameters: object) -> Row[*Ts] | None:
        with transaction(self._engine) as connection:
            return connection.execute(statement, parameters).first()

    def _scalars(self, statement: TypedReturnsRows[V]) -> list[V]:
        """Return the first value of each row, or the rows of a class as objects."""
        with self._session() as session:
            return list(session.scalars(statement))

    def _scalar(self, statement: TypedReturnsRows[V], **parameters: object) -> V | None:
        with transaction(self._engine) as connection:
            return connection.scalar(statement, parameters)

    def _get(self, kind: type[B], key: object) -> B | None:
        """Return the row of a primary key, None if there is none."""
        with self._session() as session:
            return session.get(kind, key)

    def add_row(self, row: Base) -> None:
        """Store a new row."""
        with self._session() as session:
            session.add(row)

    def _execute(self, statement: Executable) -> int:
        """Return the number of rows that the statement has changed."""
        with transaction(self._engine) as connection:
            return connection.execute(statement).rowcount
