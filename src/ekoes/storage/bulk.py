"""Inserts and updates many rows with one statement, compiled once for each number of rows.

``executemany`` releases and reacquires the GIL for each row; one statement for all rows does so once, and
costs less time in SQLAlchemy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

from sqlalchemy import (
    BindParameter,
    Connection,
    Dialect,
    Executable,
    Insert,
    Table,
    bindparam,
    insert,
    update,
    values,
)
from sqlalchemy import column as named_column

from ekoes.storage.dialects import dialect_of

_MOST = 64
"""Rows per statement, at most; their numbers are powers of two, so that few statements are compiled."""

Values = Sequence[Any]
"""Values in the order of the columns."""


class BulkStatement:
    """A statement for any number of rows."""

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
                bindparam(_name(row * width + number), type_=column.type)
                for number, column in enumerate(self._columns)
            ]

    def _written(self, dialect: Dialect, rows: Sequence[Values]) -> Sequence[Values]:
        """Return the rows with their values converted for the driver."""
        writers = self._writers.get(dialect.name)
        if writers is None:
            found = ((number, _writer(column.type, dialect)) for number, column in enumerate(self._columns))
            writers = self._writers[dialect.name] = [
                (number, write) for number, write in found if write is not None
            ]
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


def _writer(kind: Any, dialect: Dialect) -> Callable[[Any], Any] | None:  # noqa: ANN401 - a column's type
    """Return the function that converts a column's values for the driver, None if they stay the same."""
    found: Callable[[Any], Any] | None = kind.dialect_impl(dialect).bind_processor(dialect)
    return found


def _rewritten(row: Values, writers: Sequence[tuple[int, Callable[[Any], Any]]]) -> Values:
    written = list(row)
    for number, write in writers:
        written[number] = write(written[number])
    return written


def _name(place: int) -> str:
    return f"v{place}"
