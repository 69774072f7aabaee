"""Statements about many rows at once: compiled once for each number of rows, then prepared by the driver.

A driver that steps through its rows one by one gives way to other threads at each of them, and where
those are busy it waits for its turn each time. One statement for all rows gives way once.
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
    update,
    values,
)
from sqlalchemy import column as named_column

from ekoes.storage.missing import AddMissing

__all__ = ["Adding", "Many", "Row", "Setting"]

_MOST = 64
"""Rows in one statement; their numbers are powers of two, so that few statements have to be compiled."""

Row = Sequence[Any]
"""Values in the order of the columns."""


class Many:
    """A statement for any number of rows."""

    def __init__(self, table: Table, columns: Sequence[str]) -> None:
        """Name the columns; nothing is compiled yet."""
        self._table = table
        self._columns = tuple(table.c[name] for name in columns)
        self._texts: dict[tuple[str, int], tuple[str, Sequence[int]]] = {}
        self._writers: dict[str, list[tuple[int, Callable[[Any], Any]]]] = {}

    def execute(self, connection: Connection, rows: Sequence[Row]) -> None:
        """Do it for all rows, in their order."""
        dialect = connection.dialect
        for some in _portions(self._written(dialect, rows)):
            text, order = self._prepared(dialect, len(some))
            flat = tuple(chain.from_iterable(some))
            connection.exec_driver_sql(text, tuple([flat[place] for place in order]) if order else flat)

    def _prepared(self, dialect: Dialect, rows: int) -> tuple[str, Sequence[int]]:
        """Return the statement for a number of rows as the driver takes it.

        With it comes the order in which it takes the values, if that is another one.
        """
        key = dialect.name, rows
        if key not in self._texts:
            compiled: Any = self._statement(rows).compile(dialect=dialect)  # type: ignore[attr-defined]
            order = [int(name[1:]) for name in compiled.positiontup]
            self._texts[key] = str(compiled), () if order == sorted(order) else order
        return self._texts[key]

    def _statement(self, rows: int) -> Executable:
        """Return the statement with ``_places`` in it."""
        raise NotImplementedError

    def _places(self, rows: int) -> Iterator[list[BindParameter[Any]]]:
        """Yield a place for each value of each row."""
        width = len(self._columns)
        for row in range(rows):
            yield [
                bindparam(_name(row * width + number), type_=column.type)
                for number, column in enumerate(self._columns)
            ]

    def _written(self, dialect: Dialect, rows: Sequence[Row]) -> Sequence[Row]:
        """Return rows as the driver takes their values."""
        writers = self._writers.get(dialect.name)
        if writers is None:
            found = ((number, _writer(column.type, dialect)) for number, column in enumerate(self._columns))
            writers = self._writers[dialect.name] = [
                (number, write) for number, write in found if write is not None
            ]
        return [_rewritten(row, writers) for row in rows] if writers else rows


class Adding(Many):
    """Adds rows. missing: those alone of which the keys are free."""

    def __init__(self, table: Table, columns: Sequence[str], *, missing: bool = False) -> None:
        super().__init__(table, columns)
        self._insert = AddMissing if missing else Insert

    def _statement(self, rows: int) -> Executable:
        names = [column.name for column in self._columns]
        return self._insert(self._table).values(
            [dict(zip(names, places, strict=True)) for places in self._places(rows)]
        )


class Setting(Many):
    """Changes rows; the first column is the one that they are found by."""

    def _statement(self, rows: int) -> Executable:
        columns = (named_column(column.name, column.type) for column in self._columns)
        fresh = values(*columns).data([tuple(places) for places in self._places(rows)]).cte("fresh")
        key, *rest = self._columns
        told = {column.name: fresh.c[column.name] for column in rest}
        return update(self._table).values(told).where(key == fresh.c[key.name])


def _portions(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """Cut rows into portions whose lengths are powers of two."""
    begin = 0
    while (left := len(rows) - begin) > 0:
        length = min(_MOST, 1 << (left.bit_length() - 1))
        yield rows[begin : begin + length]
        begin += length


def _writer(kind: Any, dialect: Dialect) -> Callable[[Any], Any] | None:  # noqa: ANN401 - a column's type
    """Return what makes the driver's value of one of ours, None where they are the same."""
    found: Callable[[Any], Any] | None = kind.dialect_impl(dialect).bind_processor(dialect)
    return found


def _rewritten(row: Row, writers: Sequence[tuple[int, Callable[[Any], Any]]]) -> Row:
    written = list(row)
    for number, write in writers:
        written[number] = write(written[number])
    return written


def _name(place: int) -> str:
    return f"v{place}"
