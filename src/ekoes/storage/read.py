"""What is read: a table as it stands, as it once stood, its log and its record."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import Connection, Row, Subquery, and_, func, select

from ekoes.errors import EkoesError, StorageError, TableError
from ekoes.match.kinds import kind_of
from ekoes.match.state import Table
from ekoes.storage.judge import JudgedOtherwiseError, damaged, events_of, judged_alike
from ekoes.storage.schema import EntryRow, EventRow, StateRow, TableRow
from ekoes.storage.state import State

__all__ = ["find_row", "log_of", "past_table", "record_of", "standing_table"]

_LINE = "\n"
"""Between texts, and in none of them: they are compact JSON, or versions."""


def find_row(connection: Connection, table_id: str) -> Row[Any] | None:
    """Return the row of a table, with the digest that its state has to have as ``expected``."""
    latest = and_(EventRow.table_id == TableRow.id, EventRow.number == TableRow.events)
    columns = (*TableRow.__table__.columns, EventRow.digest.label("expected"))
    query = select(*columns).outerjoin_from(TableRow, EventRow, latest).where(TableRow.id == table_id)
    return connection.execute(query).first()


def standing_table(connection: Connection, row: Row[Any]) -> Table:
    """Return the table of a row as it stands, whatever today's rules say of how it came there.

    A damaged state is made anew from one that was kept earlier. Raises: StorageError if that can't be.
    """
    table = _sound(State(row.state, row.clock), row.expected or row.digest, row.id)
    if table is not None:
        return table
    try:
        return _made_again(connection, row, row.events)
    except StorageError as error:
        raise damaged(f"the state of table {row.id} is damaged, and {error.message}") from error


def past_table(connection: Connection, row: Row[Any], entries: int) -> Table:
    """Return how a table stood after some entries, the last of which is in its log with its position.

    Raises: TableError if there are no such, or today's rules judge otherwise what led there.
    """
    event = _event_of(connection, row.id, entries) if entries else 0
    try:
        return _made_again(connection, row, event)
    except JudgedOtherwiseError as error:
        message = "this moment can't be shown: today's rules judge otherwise what led to it"
        raise TableError(message, code="table/other-rules") from error


def log_of(connection: Connection, table_id: str, entries: int | None = None) -> list[str]:
    """Return a log as everybody may see it, each entry as JSON; entries: the first of them only."""
    is_asked = [EntryRow.table_id == table_id]
    if entries is not None:
        is_asked.append(EntryRow.number <= entries)
    rows = select(EntryRow.shown).where(*is_asked).order_by(EntryRow.number).subquery()
    return _texts(connection, rows, "shown")[0]


def record_of(connection: Connection, row: Row[Any]) -> str:
    """Write a table as a record. Raises TableError while it may not be seen."""
    kind = kind_of(row.game)
    judged_by = and_(EventRow.table_id == EntryRow.table_id, EventRow.number == EntryRow.event)
    rows = (
        select(EntryRow.body, func.coalesce(EventRow.rules, "").label("rules"))
        .join(EventRow, judged_by)
        .where(EntryRow.table_id == row.id)
        .order_by(EntryRow.number)
        .subquery()
    )
    bodies, rules = _texts(connection, rows, "body", "rules")
    log = [kind.entry_from_state(row.game, msgspec.json.decode(body)) for body in bodies]
    made = _made_again(connection, row, 0)
    return kind.record_text(standing_table(connection, row), made, log, rules)


def _texts(connection: Connection, rows: Subquery, *columns: str) -> list[list[str]]:
    """Return columns of rows, each joined by the database: a row at a time is handed over slowly."""
    joined = (func.aggregate_strings(rows.c[column], _LINE) for column in columns)
    found = connection.execute(select(*joined)).one()
    return [[] if text is None else text.split(_LINE) for text in found]


def _sound(state: State, expected: str, table_id: str) -> Table | None:
    """Return the table of a state, None if the state is damaged."""
    if state.digest != expected:
        return None
    try:
        return state.table()
    except (EkoesError, ValueError, TypeError, KeyError) as error:
        raise damaged(f"a state of table {table_id} can't be read: {error}") from error


def _made_again(connection: Connection, row: Row[Any], event: int) -> Table:
    """Return the table after an event, judged from the last sound state before it; event 0: as it was made.

    Raises: JudgedOtherwiseError, or StorageError if no state is sound.
    """
    below = max(event, 1)
    while (kept := _state_before(connection, row.id, below)) is not None:
        table = _sound(State(kept.state, kept.clock), kept.digest or row.digest, row.id)
        if table is not None:
            return judged_alike(table, events_of(connection, row.id, kept.number, event), row.id)
        below = kept.number
    raise damaged(f"no state of table {row.id} before event {event} is sound")


def _state_before(connection: Connection, table_id: str, event: int) -> Row[Any] | None:
    """Return the latest kept state before an event, with the digest that it has to have."""
    of_event = and_(EventRow.table_id == StateRow.table_id, EventRow.number == StateRow.number)
    found = connection.execute(
        select(StateRow.number, StateRow.state, StateRow.clock, EventRow.digest)
        .outerjoin_from(StateRow, EventRow, of_event)
        .where(StateRow.table_id == table_id, StateRow.number < event)
        .order_by(StateRow.number.desc())
        .limit(1)
    )
    return found.first()  # type: ignore[return-value] # a row of any columns


def _event_of(connection: Connection, table_id: str, entry: int) -> int:
    """Return the event that an entry came with. Raises TableError if there is none."""
    query = select(EntryRow.event).where(EntryRow.table_id == table_id, EntryRow.number == entry)
    event = connection.scalar(query)
    if event is None:
        raise TableError(f"there is no decision {entry}", code="table/not-found")
    return event
