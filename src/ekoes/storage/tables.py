"""Writes, reads and deletes tables and their events; replays events where a stored state is damaged."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from hashlib import blake2b
from typing import Any, NamedTuple

import orjson
from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Row,
    Select,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    update,
)

from ekoes.bots import Secret, fresh_secret
from ekoes.errors import EkoesError, StorageError, TableError
from ekoes.games.api.contract import Json
from ekoes.games.api.registry import game
from ekoes.games.api.values import canonical
from ekoes.protocol import encode
from ekoes.records.text import with_tags
from ekoes.storage.cache import LRUCache
from ekoes.storage.engine import Repository, Values, execute_all, insert_ignore
from ekoes.storage.leases import Lease, add_leases, check_leases
from ekoes.storage.results import FinishedGame, end_game
from ekoes.storage.schema import (
    AccountRow,
    Base,
    ClubTableRow,
    EventRow,
    GameRow,
    LeaseRow,
    LineRow,
    MuteRow,
    PairingRow,
    PlaceRow,
    ReportRow,
    ResultRow,
    ReviewRow,
    SeatRow,
    StateRow,
    StudyRow,
    TableRow,
)
from ekoes.tables.create import table_class
from ekoes.tables.deal_check import deal_tags
from ekoes.tables.orders import AnyOrder, Begin, Rename, Sit, read_order
from ekoes.tables.submit import submit
from ekoes.tables.table import Table

_CLOCK = "clock"
_DELETE = b"\x7f"
"""The one ASCII character that json escapes and orjson does not."""


@dataclass(frozen=True, slots=True)
class State:
    """A whole table without its log and the names of its seats, which the row of the table has.

    game: canonical JSON of what orders decide; clock: JSON of the running clocks, which restart after
    downtime; None where none runs.
    """

    game: str
    clock: str | None = None

    @classmethod
    def of(cls, table: Table) -> State:
        """Return the state of a table."""
        value = table.to_state()
        for seat in value["seats"]:
            del seat["name"]
        clock = value.pop(_CLOCK, None)
        return cls(compact(value), None if clock is None else compact(clock))

    @property
    def digest(self) -> str:
        """A hash of ``game``."""
        return blake2b(self.game.encode(), digest_size=16).hexdigest()

    def table(self) -> Table:
        """Return the table, without its log. Raises EkoesError, ValueError, TypeError or KeyError."""
        value = orjson.loads(self.game)
        for seat in value["seats"]:
            seat["name"] = ""
        if self.clock is not None:
            value[_CLOCK] = orjson.loads(self.clock)
        table: Table = table_class(value["game"]).from_state(value)
        return table


def compact(value: Json) -> str:
    """Write JSON so that equal values give equal text, in ASCII."""
    text = canonical(value)
    if text.isascii() and _DELETE not in text:
        return text.decode()
    return json.dumps(value, separators=(",", ":"), sort_keys=True)


class JudgedOtherwiseError(StorageError):
    """Today's rules refuse a stored event, or produce another state."""

    default_code = "storage/damaged"


def fingerprint(table: Table) -> str:
    """Return a hash of what the rules decide: the version, the length of the log, and the position."""
    decided = canonical([table.version, table.length, table.position.to_state()])
    return blake2b(decided, digest_size=8).hexdigest()


_EVENTS_TO_REPLAY = (
    select(EventRow.number, EventRow.body, EventRow.session_id, EventRow.at, EventRow.result)
    .where(
        EventRow.table_id == bindparam("this"),
        EventRow.number > bindparam("after"),
        EventRow.number <= bindparam("last"),
    )
    .order_by(EventRow.number)
)


def events_of(connection: Connection, table_id: str, after: int, last: int) -> list[Row[Any]]:
    """Return the events of a table after one number, up to another."""
    return list(connection.execute(_EVENTS_TO_REPLAY, {"this": table_id, "after": after, "last": last}))


def replay(table: Table, events: Iterable[Row[Any]], table_id: str) -> Table:
    """Judge events again on a table, by today's rules.

    Raises: JudgedOtherwiseError naming the first event that is refused or has another result.
    """
    for event in events:
        try:
            table = submit(table, read_order(event.body), event.session_id, event.at)
        except EkoesError as error:
            message = f"event {event.number} of table {table_id} does not fit: {error}"
            raise JudgedOtherwiseError(message) from error
        if event.result is not None and fingerprint(table) != event.result:
            message = f"event {event.number} of table {table_id} has another result under the current rules"
            raise JudgedOtherwiseError(message)
    return table


def damaged(message: str) -> StorageError:
    """Return the error of a table that can't be loaded."""
    return StorageError(message, code="storage/damaged")


STATE_INTERVAL = 16
"""Events between stored states, at most."""

_TABLES, _SEATS, _PLACES, _EVENTS, _STATES, _SESSIONS = (
    Base.metadata.tables[name] for name in ("tables", "seats", "places", "events", "states", "sessions")
)
_THIS: BindParameter[str] = bindparam("this")
_SET_TABLE = update(_TABLES).where(_TABLES.c.id == _THIS)
_CLEAR_PLACES = delete(_PLACES).where(_PLACES.c.table_id == _THIS)


class Taken(NamedTuple):
    """An accepted order. session: None for the server; after: the resulting table."""

    order: AnyOrder
    session: str | None
    at: datetime
    after: Table


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table as stored. events: how many orders it has taken; secret: the seed of its bots."""

    table: Table
    events: int
    secret: Secret


@dataclass(slots=True)
class Change:
    """The rows to write for one table.

    sessions: users and when they were first seen. places: who sits where now, None if unchanged.
    table_row: the updated row of the table. finished: the end of its game. lease: of the writer, None with a
    single process.
    """

    table_id: str
    sessions: dict[str, datetime] = field(default_factory=dict)
    tables: list[Values] = field(default_factory=list)
    seats: list[Values] = field(default_factory=list)
    places: list[Values] | None = None
    events: list[Values] = field(default_factory=list)
    table_row: list[Values] = field(default_factory=list)
    states: list[Values] = field(default_factory=list)
    finished: FinishedGame | None = None
    lease: Lease | None = None


def write(connection: Connection, changes: Sequence[Change], known: set[str]) -> None:
    """Write changes of different tables. known: sessions that are stored already."""
    sessions = {session: since for change in changes for session, since in change.sessions.items()}
    # Sorted, so that two writers can't deadlock.
    fresh = sorted(sessions.keys() - known)
    users: list[Values] = [{"id": session, "created_at": sessions[session]} for session in fresh]
    execute_all(connection, insert_ignore(connection, _SESSIONS), users)
    cleared: list[Values] = [{"this": change.table_id} for change in changes if change.places is not None]
    execute_all(connection, _CLEAR_PLACES, cleared)
    execute_all(connection, insert(_TABLES), _joined(change.tables for change in changes))
    execute_all(connection, insert(_SEATS), _joined(change.seats for change in changes))
    execute_all(connection, insert(_PLACES), _joined(change.places or () for change in changes))
    execute_all(connection, insert(_EVENTS), _joined(change.events for change in changes))
    execute_all(connection, _SET_TABLE, _joined(change.table_row for change in changes))
    execute_all(connection, insert_ignore(connection, _STATES), _joined(change.states for change in changes))
    for change in changes:
        if change.finished is not None:
            end_game(connection, change.finished)
    add_leases(connection, [change.lease for change in changes if change.lease and change.tables])
    check_leases(connection, [change.lease for change in changes if change.lease])


def new_table(
    table_id: str, table: Table, at: datetime, lease: Lease | None = None, orders: Sequence[Taken] = ()
) -> tuple[StoredTable, Change]:
    """Return a new table with a fresh secret, and the change that stores it with its first orders.

    lease: of its first owner, where several processes run.
    """
    secret, change = fresh_secret(), Change(table_id, lease=lease)
    change.tables.append(
        {
            "id": table_id,
            "game": table.game,
            "options": json.dumps(table.options),
            "seed": table.seed,
            "turn_limit": table.turn_limit,
            "created_at": at,
            "secret": secret.text,
            **table_row(table, 0),
        }
    )
    change.seats = [
        {
            "table_id": table_id,
            "number": number,
            "kind": seat.kind,
            "colour": seat.colour,
            "bot": seat.bot,
            "session_id": seat.session,
        }
        for number, seat in enumerate(table.seats)
    ]
    seated(change, table, at)
    change.states.append(_state(table_id, 0, table))
    stored = StoredTable(table, 0, secret)
    return (take(change, stored, orders) if orders else stored), change


def take(change: Change, stored: StoredTable, orders: Sequence[Taken]) -> StoredTable:
    """Add consecutive orders of a table to a change, and return the table after them."""
    table_id, before = change.table_id, stored.table
    for number, one in enumerate(orders, stored.events + 1):
        if one.session is not None:
            change.sessions[one.session] = one.at
        is_seated, has_ended = one.after.seats is not before.seats, one.after.outcome is not before.outcome
        if is_seated:
            seated(change, one.after, one.at)
        if before.outcome is None and has_ended and not one.after.is_aborted:
            change.finished = FinishedGame(table_id, one.after, one.at)
        change.events.append(_event(table_id, number, before, one))
        if is_seated or has_ended or isinstance(one.order, Begin) or number % STATE_INTERVAL == 0:
            change.states.append(_state(table_id, number, one.after))
        before = one.after
    after = StoredTable(before, stored.events + len(orders), stored.secret)
    change.table_row = [{"this": table_id, **table_row(after.table, after.events)}]
    return after


def state_to_store(table_id: str, stored: StoredTable, lease: Lease | None = None) -> Change:
    """Return the change that stores the state of a table, so that loading it replays nothing.

    lease: of the owner, where several processes run.
    """
    return Change(table_id, states=[_state(table_id, stored.events, stored.table)], lease=lease)


def seated(change: Change, table: Table, at: datetime) -> None:
    """Set who sits in the seats of a changed table."""
    held = [(number, seat.session) for number, seat in enumerate(table.seats) if seat.session is not None]
    change.places = [
        {"table_id": change.table_id, "seat": number, "user_id": session} for number, session in held
    ]
    change.sessions |= {session: at for _, session in held}


def table_row(table: Table, events: int) -> Values:
    """Return the values of a table that change with its orders."""
    return {
        "is_active": table.is_busy or table.wants_rematch,
        "is_over": table.outcome is not None,
        "events": events,
        "wakes_at": None if table.clock_since is None else table.deadline,
        "names": [seat.name for seat in table.seats],
    }


def _state(table_id: str, number: int, table: Table) -> Values:
    state = State.of(table)
    values = {"state": state.game, "clock": state.clock, "digest": state.digest}
    return {"table_id": table_id, "number": number, **values}


def _event(table_id: str, number: int, before: Table, one: Taken) -> Values:
    order, after = one.order, one.after
    if isinstance(order, Sit | Rename):
        order = order.model_copy(update={"name": ""})
    body, rules = order.model_dump_json(exclude_none=True), game(after.game).rules_version
    kept = after.unchanged_entries(before)
    added = after.log[kept - after.log_start :]
    entries = _LINE.join(map(compact, map(partial(after.entry_to_state, after.game), added)))
    shown = _LINE.join(map(encode, after.entries_json(kept)))
    return {
        "table_id": table_id,
        "number": number,
        "version": after.version,
        "session_id": one.session,
        "key": order.key,
        "body": body,
        "at": one.at,
        "rules": rules,
        "result": fingerprint(after),
        "length": after.length,
        "entries": entries,
        "shown": shown,
    }


def _joined(rows: Iterable[Sequence[Values]]) -> list[Values]:
    return [row for some in rows for row in some]


_LINE = "\n"
"""Separates entries, whose JSON can't contain it."""
_NUMBER: BindParameter[int] = bindparam("number")
LATEST_EVENT = and_(EventRow.table_id == TableRow.id, EventRow.number == TableRow.events)

_BEGIN = (
    select(func.min(EventRow.number))
    .where(EventRow.table_id == _THIS, EventRow.session_id.is_(None), EventRow.key.startswith("begin-"))
    .limit(1)
)
_ROW = select(*TableRow.__table__.columns).where(TableRow.id == _THIS)
_BEFORE_ENTRY = select(func.max(EventRow.number)).where(EventRow.table_id == _THIS, EventRow.length < _NUMBER)
_STATE_BEFORE = (
    select(StateRow.number, StateRow.state, StateRow.clock, StateRow.digest)
    .where(StateRow.table_id == _THIS, StateRow.number < _NUMBER)
    .order_by(StateRow.number.desc())
    .limit(1)
)
_EVENTS_OF = select(EventRow).where(EventRow.table_id == _THIS).order_by(EventRow.number)
_LOG = _EVENTS_OF.with_only_columns(EventRow.length, EventRow.rules, EventRow.shown)
_RECORDED = _EVENTS_OF.with_only_columns(EventRow.length, EventRow.rules, EventRow.entries)


def find_row(connection: Connection, table_id: str) -> Row[Any] | None:
    """Return the row of a table."""
    found: Row[Any] | None = connection.execute(_ROW, {"this": table_id}).first()
    return found


def load_table(connection: Connection, row: Row[Any]) -> StoredTable:
    """Return the table of a row, without its log: its latest sound state, the events after it, and its names.

    Raises: StorageError if no state is sound, or today's rules judge these events otherwise.
    """
    try:
        table = rebuild(connection, row, row.events, before=row.events + 1).with_short_log(0)
    except JudgedOtherwiseError as error:
        how = "the release that judged it can open the table, and stores its state when it stops"
        raise damaged(f"{error.message}; {how}") from error
    return StoredTable(table.with_names(row.names), row.events, Secret.read(row.secret))


def past_table(connection: Connection, row: Row[Any], entries: int, moments: LRUCache[Table]) -> Table:
    """Return a table after a number of log entries, without names; its log holds the last of them.

    moments: a cache by id and event. Raises: TableError if there is no such entry, or today's rules
    judge earlier events otherwise.
    """
    event = _event_of(connection, row, entries) if entries else _begun(connection, row)
    key = row.id, event
    try:
        return moments.get(key) or moments.put(key, _moment(connection, row, event, moments))
    except JudgedOtherwiseError as error:
        raise _other_rules() from error


@dataclass(frozen=True, slots=True)
class History:
    """A table as its game began, without names, and its events since."""

    table_id: str
    made: Table
    events: Sequence[Row[Any]]

    def moments(self) -> list[Table]:
        """Return what ``past_table`` does for each number of log entries, 0 first. Raises TableError."""
        table = self.made
        moments = [table]
        try:
            for event in self.events:
                table = replay(table, [event], self.table_id)
                del moments[table.length + 1 :]  # taken back
                moments += [table] * (table.length + 1 - len(moments))
        except JudgedOtherwiseError as error:
            raise _other_rules() from error
        return moments


def history_of(connection: Connection, row: Row[Any]) -> History:
    """Return all that has happened at a table."""
    begun = _begun(connection, row)
    events = events_of(connection, row.id, begun, row.events)
    return History(row.id, rebuild(connection, row, begun, before=begun + 1), events)


def _begun(connection: Connection, row: Row[Any]) -> int:
    """Return the number of the event that drew the first position; 0: it was drawn with the table."""
    return connection.scalar(_BEGIN, {"this": row.id}) or 0


def _other_rules() -> TableError:
    message = "this moment can't be shown: today's rules judge an earlier decision otherwise"
    return TableError(message, code="table/other-rules")


def _moment(connection: Connection, row: Row[Any], event: int, moments: LRUCache[Table]) -> Table:
    """Replay from the nearest cached table, else from a stored state."""
    for number in range(event - 1, event - STATE_INTERVAL, -1):
        if (near := moments.get((row.id, number))) is not None:
            return replay(near, events_of(connection, row.id, number, event), row.id)
    return rebuild(connection, row, event, before=event or 1)


def log_of(connection: Connection, table_id: str) -> list[str]:
    """Return the public log, each entry as JSON."""
    return [shown for shown, _ in _lines(connection, _LOG, table_id)]


def record_of(connection: Connection, row: Row[Any]) -> str:
    """Return the record of a table. Raises TableError while it is not public."""
    made, log, rules = course_of(connection, row)
    stored = load_table(connection, row)
    text = stored.table.record_text(made, log, rules)
    tags = deal_tags(row.id, stored.table, stored.secret)
    return with_tags(text, tags) if tags else text


def course_of(connection: Connection, row: Row[Any]) -> tuple[Table, list[Any], list[str]]:
    """Return a table as created, the entries of its log, and the version of the rules that judged each."""
    lines = _lines(connection, _RECORDED, row.id)
    read = table_class(row.game).entry_from_state
    log = [read(row.game, orjson.loads(entry)) for entry, _ in lines]
    begun = _begun(connection, row)
    return rebuild(connection, row, begun, before=begun + 1), log, [rules for _, rules in lines]


def _lines(connection: Connection, events: Select[int, str, str], table_id: str) -> list[tuple[str, str]]:
    """Return each entry of the log in one of its two forms, and the version of the rules that judged it."""
    log: list[tuple[str, str]] = []
    for length, rules, entries in connection.execute(events, {"this": table_id}):
        added = [(entry, rules) for entry in entries.split(_LINE)] if entries else []
        log[length - len(added) :] = added
    return log


def _sound(row: Row[Any], table_id: str) -> Table | None:
    """Return the table of a stored state, None if its digest differs."""
    state = State(row.state, row.clock)
    if state.digest != row.digest:
        return None
    try:
        return state.table()
    except (EkoesError, ValueError, TypeError, KeyError) as error:
        raise damaged(f"a state of table {table_id} can't be read: {error}") from error


def rebuild(connection: Connection, row: Row[Any], event: int, before: int) -> Table:
    """Return the table after an event, replayed from the last sound state before another one.

    event: 0 for the table as created. before: the number of that other one. Raises: JudgedOtherwiseError, or
    StorageError if no state is sound.
    """
    while (kept := _state_before(connection, row.id, before)) is not None:
        table = _sound(kept, row.id)
        if table is not None:
            return replay(table, events_of(connection, row.id, kept.number, event), row.id)
        before = kept.number
    raise damaged(f"no state of table {row.id} up to event {event} is sound")


def _state_before(connection: Connection, table_id: str, event: int) -> Row[Any] | None:
    """Return the latest stored state before an event."""
    found: Row[Any] | None = connection.execute(  # type: ignore[assignment] # a row of any columns
        _STATE_BEFORE, {"this": table_id, "number": event}
    ).first()
    return found


def _event_of(connection: Connection, row: Row[Any], entry: int) -> int:
    """Return the number of the event that added an entry: the first since which the log has always had it."""
    before: int = connection.scalar(_BEFORE_ENTRY, {"this": row.id, "number": entry}) or 0
    if before >= row.events:
        raise TableError(f"there is no decision {entry}", code="table/not-found")
    return before + 1


_PARTS = (
    *(SeatRow, PlaceRow, StateRow, EventRow, LineRow, MuteRow, ClubTableRow),
    *(ReviewRow, ResultRow, GameRow),
)
"""Tables whose rows are deleted with a table."""
_NEEDED_BY = (GameRow, PairingRow, ReportRow)
"""A table with one of these rows is never deleted."""


class AbandonedTables(Repository):
    """Finds and deletes abandoned tables, and deletes studies of guests."""

    def remove_studies(self, since: datetime) -> int:
        """Delete the studies of guests that were not changed since a time, and return their number."""
        has_account = exists().where(AccountRow.user_id == StudyRow.user_id)
        return self._execute(delete(StudyRow).where(StudyRow.changed_at < since, ~has_account))

    def find(self, since: datetime, after: str, most: int) -> tuple[Sequence[str], str | None]:
        """Return a page of abandoned tables, those without an event since a time, and the next cursor.

        after: the cursor. The next one is None at the end.
        """
        with self._transaction() as connection:
            some = select(TableRow.id).where(TableRow.id > after).order_by(TableRow.id).limit(most)
            ids = connection.scalars(some).all()
            left = TableRow.id.in_(ids), _is_abandoned(since)
            found = select(TableRow.id).where(*left).order_by(TableRow.id)
            return connection.scalars(found).all(), ids[-1] if len(ids) == most else None

    def remove(self, table_id: str, since: datetime, lease: Lease | None = None) -> bool:
        """Delete a table if it is still abandoned. lease: of its owner, where several processes run.

        Returns: whether it was deleted. Raises: StorageError ``storage/fenced`` if another process
        owns it by now.
        """
        with self._transaction() as connection:
            if not connection.scalar(select(exists().where(TableRow.id == table_id, _is_abandoned(since)))):
                return False
            delete_table(connection, table_id)
            check_leases(connection, [] if lease is None else [lease])
            connection.execute(delete(LeaseRow).where(LeaseRow.name == table_id))
            return True


def _is_abandoned(since: datetime) -> ColumnElement[bool]:
    of_it = EventRow.table_id == TableRow.id
    latest = select(func.max(EventRow.at)).where(of_it).correlate(TableRow).scalar_subquery()
    return and_(
        TableRow.is_over.is_(False),
        TableRow.wakes_at.is_(None),
        func.coalesce(latest, TableRow.created_at) < since,
        *(~exists().where(row.table_id == TableRow.id) for row in _NEEDED_BY),
        ~or_(
            exists().where(SeatRow.table_id == TableRow.id, SeatRow.session_id == AccountRow.user_id),
            exists().where(PlaceRow.table_id == TableRow.id, PlaceRow.user_id == AccountRow.user_id),
            exists().where(of_it, EventRow.session_id == AccountRow.user_id),
        ),
    )


def delete_table(connection: Connection, table_id: str) -> None:
    """Delete a table that no tournament, report or account needs."""
    for row in _PARTS:
        connection.execute(delete(row).where(row.table_id == table_id))
    connection.execute(delete(TableRow).where(TableRow.id == table_id))
