"""Copies all data from one database to another, SQLite or PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Table, func, insert, inspect, select

from ekoes.errors import StorageError
from ekoes.storage.dialects import dialect_of
from ekoes.storage.engine import connect, transaction
from ekoes.storage.migrations import VERSION, check_version, migrate, read_version
from ekoes.storage.schema import Base, SchemaRow

_PORTION = 1000
_TABLES = [table for table in Base.metadata.sorted_tables if table.name != SchemaRow.__tablename__]

Progress = Callable[[str, int, int], None]
"""Progress callback: table, number of copied rows, number of all rows."""


def copy(source: str, target: str, report: Progress) -> dict[str, int]:
    """Copy everything from one database into another one, which must be empty.

    Returns: the number of rows by table. Raises: StorageError; then the target is still empty.
    """
    with _opened(source) as there, _opened(target) as here:
        dialect_of(there.dialect.name).hold(there)
        _check_source(there)
        _check_empty(here)
        migrate(here)
        rows = {table.name: _copied(table, there, here, report) for table in _TABLES}
        dialect_of(here.dialect.name).count_on(here)
    return rows


@contextmanager
def _opened(address: str) -> Iterator[Connection]:
    engine = connect(address)
    try:
        with transaction(engine) as connection:
            yield connection
    finally:
        engine.dispose()


def _check_source(connection: Connection) -> None:
    found = read_version(connection)
    check_version(found)
    version = found.version
    if version == 0:
        raise StorageError("there is nothing to copy: no games are stored there", code="storage/address")
    if version != VERSION:
        message = (
            f"what is to be copied has schema {version}, and this program {VERSION}; see `ekoes migrate`"
        )
        raise StorageError(message, code="storage/older" if version < VERSION else "storage/newer")


def _check_empty(connection: Connection) -> None:
    if inspect(connection).get_table_names():
        message = "the database to copy into is not empty; nothing was copied"
        raise StorageError(message, code="storage/address")


def _copied(table: Table, source: Connection, target: Connection, report: Progress) -> int:
    """Copy the rows of a table, and return their number."""
    total, done = source.scalar(select(func.count()).select_from(table)) or 0, 0
    rows = source.execute(select(table), execution_options={"yield_per": _PORTION})
    for portion in rows.mappings().partitions():
        target.execute(insert(table), [dict(row) for row in portion])
        done += len(portion)
        report(table.name, done, total)
    return done
