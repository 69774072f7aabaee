"""What is read: a table as it stands, as it once stood, its log and its record."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import orjson
from sqlalchemy import BindParameter, Connection, Row, Select, and_, bindparam, exists, func, select

from ekoes.errors import EkoesError, StorageError, TableError
from ekoes.match.kinds import kind_of
from ekoes.match.state import Table
from ekoes.storage.judge import JudgedOtherwiseError, damaged, events_of, judged_alike
from ekoes.storage.remembered import Remembered
from ekoes.storage.schema import EntryRow, EventRow, SeatRow, StateRow, TableRow
from ekoes.storage.state import State
from ekoes.storage.write import EVERY

__all__ = ["find_row", "log_of", "made_again", "past_table", "record_of", "standing_table", "stirring"]

_LINE = "\n"
"""Between texts, and in none of them: they are compact JSON, or versions."""


_THIS: BindParameter[str] = bindparam("this")
_NUMBER: BindParameter[int] = bindparam("number")
_LATEST = and_(EventRow.table_id == TableRow.id, EventRow.number == TableRow.events)
_JUDGED_BY = and_(EventRow.table_id == EntryRow.table_id, EventRow.number == EntryRow.event)
_LED_TO = and_(EventRow.table_id == StateRow.table_id, EventRow.number == StateRow.number)
_OF_LOG = EntryRow.table_id == _THIS

_ROW = (
    select(*TableRow.__table__.columns, EventRow.digest.label("expected"))
    .outerjoin_from(TableRow, EventRow, _LATEST)
    .where(TableRow.id == _THIS)
)
_EVENT_OF = select(EntryRow.event).where(_OF_LOG, EntryRow.number == _NUMBER)
_STATE_BEFORE = (
    select(StateRow.number, StateRow.state, StateRow.clock, EventRow.digest)
    .outerjoin_from(StateRow, EventRow, _LED_TO)
    .where(StateRow.table_id == _THIS, StateRow.number < _NUMBER)
    .order_by(StateRow.number.desc())
    .limit(1)
)


def _joined(rows: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
    """Return the columns of rows, each joined by the database: a driver hands over a row at a time."""
    each = rows.order_by(EntryRow.number).subquery()
    return select(*(func.aggregate_strings(column, _LINE) for column in each.c))


_LOG = _joined(select(EntryRow.shown).where(_OF_LOG, EntryRow.number <= _NUMBER))
_RECORDED = _joined(
    select(EntryRow.body, func.coalesce(EventRow.rules, "").label("rules"))
    .join(EventRow, _JUDGED_BY)
    .where(_OF_LOG)
)
_ALL = 2**31 - 1


def find_row(connection: Connection, table_id: str) -> Row[Any] | None:
    """Return the row of a table, with the digest that its state has to have as ``expected``."""
    found: Row[Any] | None = connection.execute(_ROW, {"this": table_id}).first()  # type: ignore[assignment]
    return found


def standing_table(connection: Connection, row: Row[Any]) -> Table:
    """Return the table of a row as it stands, whatever today's rules say of how it came there.

    A damaged state is made anew from one that was kept earlier. Raises: StorageError if that can't be.
    """
    table = _sound(State(row.state, row.clock), row.expected or row.digest, row.id)
    if table is not None:
        return table
    try:
        return made_again(connection, row, row.events)
    except StorageError as error:
        raise damaged(f"the state of table {row.id} is damaged, and {error.message}") from error


def past_table(connection: Connection, row: Row[Any], entries: int, moments: Remembered[Table]) -> Table:
    """Return how a table stood after some entries, the last of which is in its log with its position.

    moments: tables as they once stood, by id and event. Raises: TableError if there are no such entries,
    or today's rules judge otherwise what led there.
    """
    event = _event_of(connection, row.id, entries) if entries else 0
    key = row.id, event
    try:
        return moments.get(key) or moments.put(key, _moment(connection, row, event, moments))
    except JudgedOtherwiseError as error:
        message = "this moment can't be shown: today's rules judge otherwise what led to it"
        raise TableError(message, code="table/other-rules") from error


def _moment(connection: Connection, row: Row[Any], event: int, moments: Remembered[Table]) -> Table:
    """Return the table after an event, judged from the nearest one that is remembered, else from a state."""
    for number in range(event - 1, event - EVERY, -1):
        if (near := moments.get((row.id, number))) is not None:
            return judged_alike(near, events_of(connection, row.id, number, event), row.id)
    return made_again(connection, row, event)


def stirring(connection: Connection, since: datetime | None) -> list[str]:
    """Return the tables where something goes on by itself, those with people first.

    since: those alone where something has happened since then.
    """
    people = exists().where(SeatRow.table_id == TableRow.id, SeatRow.kind != "bot")
    found = select(TableRow.id).where(TableRow.stirs).order_by(people.desc(), TableRow.id)
    if since is not None:
        happened = func.coalesce(EventRow.at, TableRow.created_at)
        found = found.outerjoin_from(TableRow, EventRow, _LATEST).where(happened >= since)
    return list(connection.scalars(found))


def log_of(connection: Connection, table_id: str, entries: int | None = None) -> list[str]:
    """Return a log as everybody may see it, each entry as JSON; entries: the first of them only."""
    last = _ALL if entries is None else entries
    (texts,) = connection.execute(_LOG, {"this": table_id, "number": last}).one()
    return _lines(texts)


def record_of(connection: Connection, row: Row[Any]) -> str:
    """Write a table as a record. Raises TableError while it may not be seen."""
    kind = kind_of(row.game)
    bodies, rules = map(_lines, connection.execute(_RECORDED, {"this": row.id}).one())
    log = [kind.entry_from_state(row.game, orjson.loads(body)) for body in bodies]
    made = made_again(connection, row, 0)
    return kind.record_text(standing_table(connection, row), made, log, rules)


def _lines(texts: str | None) -> list[str]:
    return [] if texts is None else texts.split(_LINE)


def _sound(state: State, expected: str, table_id: str) -> Table | None:
    """Return the table of a state, None if the state is damaged."""
    if state.digest != expected:
        return None
    try:
        return state.table()
    except (EkoesError, ValueError, TypeError, KeyError) as error:
        raise damaged(f"a state of table {table_id} can't be read: {error}") from error


def made_again(connection: Connection, row: Row[Any], event: int) -> Table:
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
    found: Row[Any] | None = connection.execute(  # type: ignore[assignment] # a row of any columns
        _STATE_BEFORE, {"this": table_id, "number": event}
    ).first()
    return found


def _event_of(connection: Connection, table_id: str, entry: int) -> int:
    """Return the event that an entry came with. Raises TableError if there is none."""
    event: int | None = connection.scalar(_EVENT_OF, {"this": table_id, "number": entry})
    if event is None:
        raise TableError(f"there is no decision {entry}", code="table/not-found")
    return event
