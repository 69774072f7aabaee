"""Opens the database, turns its errors into StorageError, and runs statements for many rows."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import chain
from typing import Any, TypeVar, TypeVarTuple

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Dialect,
    Engine,
    Executable,
    Insert,
    Row,
    Table,
    bindparam,
    insert,
    update,
    values,
)
from sqlalchemy import column as named_column
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
_MOST = 64
"""Rows per statement, at most; their numbers are powers of two, so that few statements are compiled."""

Values = Sequence[Any]
"""Values in the order of the columns."""


def open_database(address: Address, *, careful: bool = False) -> Engine:
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


def insert_new(connection: Connection, row: type[Base], **values: object) -> None:
    """Insert a row unless its key exists."""
    connection.execute(dialect_of(connection.dialect.name).insert_ignore(row), values)


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

    def _add(self, row: Base) -> None:
        with self._session() as session:
            session.add(row)

    def _execute(self, statement: Executable) -> int:
        """Return the number of rows that the statement has changed."""
        with transaction(self._engine) as connection:
            return connection.execute(statement).rowcount


class BulkStatement:
    """A statement for any number of rows, compiled once for each number.

    ``executemany`` releases and reacquires the GIL for each row; one statement for all rows does so once, and
    costs less time in SQLAlchemy.
    """

    def __init__(self, table: Table, columns: Sequence[str]) -> None:
        self._table = table
        self._columns = tuple(table.c[name] for name in columns)
        self._texts: dict[tuple[str, int], tuple[str, Sequence[int]]] = {}
        self._writers: dict[str, list[tuple[int, Callable[[Any], Any]]]] = {}

    def execute(self, connection: Connection, rows: Sequence[Values]) -> None:
        """Run the statement for all rows, in order."""
        dialect = connection.dialect
        for some in _portions(self._written(dialect, rows)):
            text, order = self._prepared(dialect, len(some))
            flat = tuple(chain.from_iterable(some))
            connection.exec_driver_sql(text, tuple([flat[place] for place in order]) if order else flat)

    def _prepared(self, dialect: Dialect, rows: int) -> tuple[str, Sequence[int]]:
        """Return the compiled SQL for a number of rows, and the driver's value order if it differs."""
        key = dialect.name, rows
        if key not in self._texts:
            compiled: Any = self._statement(dialect, rows).compile(dialect=dialect)  # type: ignore[attr-defined]
            order = [int(name[1:]) for name in compiled.positiontup]
            self._texts[key] = str(compiled), () if order == sorted(order) else order
        return self._texts[key]

    def _statement(self, dialect: Dialect, rows: int) -> Executable:
        raise NotImplementedError

    def _places(self, rows: int) -> Iterator[list[BindParameter[Any]]]:
        width = len(self._columns)
        for row in range(rows):
            yield [
                bindparam(f"v{row * width + number}", type_=column.type)
                for number, column in enumerate(self._columns)
            ]

    def _written(self, dialect: Dialect, rows: Sequence[Values]) -> Sequence[Values]:
        """Return the rows with their values converted for the driver."""
        writers = self._writers.get(dialect.name)
        if writers is None:
            impls = (column.type.dialect_impl(dialect) for column in self._columns)
            found = enumerate(impl.bind_processor(dialect) for impl in impls)
            writers = self._writers[dialect.name] = [(number, write) for number, write in found if write]
        return [_rewritten(row, writers) for row in rows] if writers else rows


class BulkInsert(BulkStatement):
    """Inserts rows. ignore_existing: skip those whose keys exist."""

    def __init__(self, table: Table, columns: Sequence[str], *, ignore_existing: bool = False) -> None:
        super().__init__(table, columns)
        self._ignore_existing = ignore_existing

    def _statement(self, dialect: Dialect, rows: int) -> Executable:
        names = [column.name for column in self._columns]
        some = [dict(zip(names, places, strict=True)) for places in self._places(rows)]
        if not self._ignore_existing:
            return insert(self._table).values(some)
        ignoring: Insert = dialect_of(dialect.name).insert_ignore(self._table).values(some)
        return ignoring


class BulkUpdate(BulkStatement):
    """Updates rows; the first column is the key."""

    def _statement(self, dialect: Dialect, rows: int) -> Executable:  # noqa: ARG002 - the same for all
        columns = (named_column(column.name, column.type) for column in self._columns)
        fresh = values(*columns).data([tuple(places) for places in self._places(rows)]).cte("fresh")
        key, *rest = self._columns
        changed = {column.name: fresh.c[column.name] for column in rest}
        return update(self._table).values(changed).where(key == fresh.c[key.name])


def _portions(rows: Sequence[Values]) -> Iterator[Sequence[Values]]:
    """Split rows into chunks whose lengths are powers of two."""
    begin = 0
    while (left := len(rows) - begin) > 0:
        length = min(_MOST, 1 << (left.bit_length() - 1))
        yield rows[begin : begin + length]
        begin += length


def _rewritten(row: Values, writers: Sequence[tuple[int, Callable[[Any], Any]]]) -> Values:
    written = list(row)
    for number, write in writers:
        written[number] = write(written[number])
    return written
