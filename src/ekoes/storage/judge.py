"""Judging events again: where a state is missing or damaged, and for how a table once stood."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from sqlalchemy import Connection, Row, select

from ekoes.errors import EkoesError, StorageError
from ekoes.match.new import new_table
from ekoes.match.orders import read_order
from ekoes.match.seats import Seat
from ekoes.match.state import Table
from ekoes.match.submit import submit
from ekoes.storage.schema import EventRow, SeatRow
from ekoes.storage.state import State

__all__ = ["JudgedOtherwiseError", "as_made", "damaged", "events_of", "judged", "judged_alike"]


class JudgedOtherwiseError(StorageError):
    """Today's rules judge an event otherwise than it was judged, or refuse it."""

    default_code = "storage/damaged"


def events_of(connection: Connection, table_id: str, after: int, last: int) -> list[Row[Any]]:
    """Return the events of a table behind one, up to another."""
    is_asked = (EventRow.table_id == table_id, EventRow.number > after, EventRow.number <= last)
    columns = (EventRow.number, EventRow.body, EventRow.session_id, EventRow.at, EventRow.digest)
    return list(connection.execute(select(*columns).where(*is_asked).order_by(EventRow.number)))


def as_made(connection: Connection, row: Row[Any]) -> Table:
    """Return a table before its first order, made anew from its row. Raises EkoesError."""
    seats = connection.execute(
        select(SeatRow.kind, SeatRow.name, SeatRow.colour, SeatRow.bot, SeatRow.session_id)
        .where(SeatRow.table_id == row.id)
        .order_by(SeatRow.number)
    )
    chairs = tuple(Seat(*seat) for seat in seats)  # type: ignore[arg-type] # the kind is one of its words
    return new_table(row.game, json.loads(row.options), row.seed, chairs, turn_limit=row.turn_limit)


def judged(table: Table, events: Iterable[Row[Any]], table_id: str) -> Iterator[tuple[int, Table]]:
    """Yield the number of each event with the table after it, by today's rules.

    Raises: JudgedOtherwiseError naming the event that does not fit.
    """
    for event in events:
        try:
            table = submit(table, read_order(event.body), event.session_id, event.at)
        except EkoesError as error:
            message = f"event {event.number} of table {table_id} does not fit: {error}"
            raise JudgedOtherwiseError(message) from error
        yield event.number, table


def judged_alike(table: Table, events: Iterable[Row[Any]], table_id: str) -> Table:
    """Return a table after events, each of which today's rules judge as it was judged.

    Raises: JudgedOtherwiseError naming the first that they judge otherwise.
    """
    rows = list(events)
    for row, (number, after) in zip(rows, judged(table, rows, table_id), strict=True):
        table = after
        if State.of(after).digest != row.digest:
            message = f"event {number} of table {table_id} is judged otherwise by today's rules"
            raise JudgedOtherwiseError(message)
    return table


def damaged(message: str) -> StorageError:
    """Return the error of a table that can't be given back."""
    return StorageError(message, code="storage/damaged")
