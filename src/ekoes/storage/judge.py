"""Judging events again: where a state is missing or damaged, and for how a table once stood."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from sqlalchemy import Connection, Row, bindparam, select

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


_EVENTS = (
    select(EventRow.number, EventRow.body, EventRow.session_id, EventRow.at, EventRow.digest)
    .where(
        EventRow.table_id == bindparam("this"),
        EventRow.number > bindparam("after"),
        EventRow.number <= bindparam("last"),
    )
    .order_by(EventRow.number)
)


def events_of(connection: Connection, table_id: str, after: int, last: int) -> list[Row[Any]]:
    """Return the events of a table behind one, up to another."""
    return list(connection.execute(_EVENTS, {"this": table_id, "after": after, "last": last}))


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

    What they come to tells that of all; each is looked at where that differs. Raises:
    JudgedOtherwiseError naming the first that they judge otherwise.
    """
    rows = list(events)
    steps: list[tuple[Row[Any], Table]] = []
    refused: JudgedOtherwiseError | None = None
    try:
        for row, (_, after) in zip(rows, judged(table, rows, table_id), strict=True):
            steps.append((row, after))
    except JudgedOtherwiseError as error:
        refused = error
    if refused is None and (not steps or _is_alike(*steps[-1])):
        return steps[-1][1] if steps else table
    number = next((row.number for row, after in steps if not _is_alike(row, after)), None)
    if refused is not None and number is None:
        raise refused
    raise JudgedOtherwiseError(f"event {number} of table {table_id} is judged otherwise by today's rules")


def _is_alike(event: Row[Any], after: Table) -> bool:
    digest: str | None = event.digest
    return State.of(after).digest == digest


def damaged(message: str) -> StorageError:
    """Return the error of a table that can't be given back."""
    return StorageError(message, code="storage/damaged")
