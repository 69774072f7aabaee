"""Copies all data from one database to another, SQLite or PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from itertools import islice
from typing import Any

from sqlalchemy import Connection, Row, Table, func, insert, inspect, select

from ekoes.errors import StorageError
from ekoes.storage.dialects import dialect_of
from ekoes.storage.engine import connect, transaction
from ekoes.storage.migrations import VERSION, check_version, migrate, read_version
from ekoes.storage.schema import Base, SchemaRow

_PORTION = 1000
_TABLES = [table for table in Base.metadata.sorted_tables if table.name != SchemaRow.__tablename__]
_DIGITS = 1 << 128

Progress = Callable[[str, int, int], None]
"""Progress callback: table, number of copied rows, number of all rows."""


@dataclass(slots=True)
class _Sum:
    """The number of rows and the sum of their digests, which does not depend on their order."""

    rows: int = 0
    digest: int = 0

    def add(self, row: Row[Any]) -> None:
        text = repr([_plain(value) for value in row]).encode("utf-8", "surrogatepass")
        self.rows += 1
        self.digest = (self.digest + int.from_bytes(blake2b(text, digest_size=16).digest(), "big")) % _DIGITS


def copy(source: str, target: str, report: Progress) -> dict[str, int]:
    """Copy everything from one database into another one, which must be empty.

    Returns: the number of rows by table. Raises: StorageError; then the target is still empty.
    """
    with _opened(source) as there, _opened(target) as here:
        dialect_of(there.dialect.name).hold(there)
        _check_source(there)
        _check_empty(here)
        migrate(here)
        sums = {table.name: _copied(table, there, here, report) for table in _TABLES}
        dialect_of(here.dialect.name).count_on(here)
        for table in _TABLES:
            if _summed(_rows(here, table)) != sums[table.name]:
                message = f"{table.name} did not arrive as it was; nothing was copied"
                raise StorageError(message, code="storage/damaged")
    return {name: sum_.rows for name, sum_ in sums.items()}


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


def _copied(table: Table, source: Connection, target: Connection, report: Progress) -> _Sum:
    """Copy the rows of a table and return their sum."""
    all_ = source.scalar(select(func.count()).select_from(table)) or 0
    sum_, rows = _Sum(), iter(_rows(source, table))
    while portion := list(islice(rows, _PORTION)):
        target.execute(insert(table), [dict(row._mapping) for row in portion])  # noqa: SLF001 - so SQLAlchemy names it
        for row in portion:
            sum_.add(row)
        report(table.name, sum_.rows, all_)
    return sum_


def _rows(connection: Connection, table: Table) -> Iterable[Row[Any]]:
    """Return the rows of a table, read in portions."""
    return connection.execute(select(table), execution_options={"yield_per": _PORTION})


def _summed(rows: Iterable[Row[Any]]) -> _Sum:
    sum_ = _Sum()
    for row in rows:
        sum_.add(row)
    return sum_


def _plain(value: Any) -> Any:  # noqa: ANN401 - a column's value
    """Return a value in a form that is the same for every database."""
    return value.astimezone(UTC).isoformat() if isinstance(value, datetime) else value
