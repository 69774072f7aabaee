"""What is written: a new table, and each order with all that it changed."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from sqlalchemy import BindParameter, Connection, bindparam, delete, exists, insert, select, update

from ekoes.games.registry import game
from ekoes.match.kinds import kind_of
from ekoes.match.orders import AnyOrder
from ekoes.match.secret import Secret
from ekoes.match.state import Table
from ekoes.storage.schema import Base, SessionRow
from ekoes.storage.state import State, compact

__all__ = ["EVERY", "add_state", "follow_order", "of_event", "put_table", "standing", "take_order"]

EVERY = 64
"""After so many events a table's state is kept for good."""

_TABLES, _SEATS, _EVENTS, _ENTRIES, _STATES, _SESSIONS = (
    Base.metadata.tables[name] for name in ("tables", "seats", "events", "entries", "states", "sessions")
)
_TABLE: BindParameter[str] = bindparam("this")
_KEPT: BindParameter[int] = bindparam("kept")
_HOLDER: BindParameter[str] = bindparam("holder")
_SINCE: BindParameter[datetime] = bindparam("since", type_=SessionRow.created_at.type)
_ADD_TABLE, _ADD_SEATS, _ADD_EVENT = insert(_TABLES), insert(_SEATS), insert(_EVENTS)
_ADD_ENTRIES, _ADD_STATE = insert(_ENTRIES), insert(_STATES)
_SET_TABLE = update(_TABLES).where(_TABLES.c.id == _TABLE)
_CUT_LOG = delete(_ENTRIES).where(_ENTRIES.c.table_id == _TABLE, _ENTRIES.c.number > _KEPT)
_ADD_SESSION = insert(_SESSIONS).from_select(
    ["id", "created_at"], select(_HOLDER, _SINCE).where(~exists().where(_SESSIONS.c.id == _HOLDER))
)


def put_table(connection: Connection, table_id: str, table: Table, at: datetime, secret: Secret) -> None:
    """Write a new table."""
    for holder in {seat.session for seat in table.seats} - {None}:
        _keep_session(connection, holder, at)
    state = State.of(table)
    as_made = {
        "id": table_id,
        "game": table.game,
        "options": json.dumps(table.options),
        "seed": table.seed,
        "turn_limit": table.turn_limit,
        "created_at": at,
        "digest": state.digest,
        "secret": secret.text,
    }
    connection.execute(_ADD_TABLE, as_made | standing(table, state, 0))
    connection.execute(_ADD_SEATS, _seat_rows(table_id, table))
    add_state(connection, table_id, 0, state)


def take_order(
    connection: Connection,
    table_id: str,
    number: int,
    order: AnyOrder,
    session_id: str | None,
    at: datetime,
    tables: tuple[Table, Table],
) -> None:
    """Write an order as the event of a number. tables: the one that takes it, and the one after it."""
    before, after = tables
    state = State.of(after)
    _keep_session(connection, session_id, at)
    event = {
        "table_id": table_id,
        "number": number,
        "version": after.version,
        "session_id": session_id,
        "key": order.key,
        "body": order.model_dump_json(exclude_none=True),
        "at": at,
    }
    connection.execute(_ADD_EVENT, event | of_event(after, state))
    follow_order(connection, table_id, number, before, after, state)


def follow_order(
    connection: Connection, table_id: str, number: int, before: Table, after: Table, state: State
) -> None:
    """Write what the event of a number has changed: the log, and the table as it stands."""
    _change_log(connection, table_id, number, before, after)
    connection.execute(_SET_TABLE, {"this": table_id} | standing(after, state, number))
    if number % EVERY == 0:
        add_state(connection, table_id, number, state)


def of_event(after: Table, state: State) -> dict[str, Any]:
    """Return what an event says of the judge and of what it came to."""
    return {"rules": game(after.game).rules_version, "digest": state.digest}


def standing(table: Table, state: State, events: int) -> dict[str, Any]:
    """Return what the table's row says of how it stands."""
    return {
        "stirs": kind_of(table.game).is_busy(table) or table.wants_rematch,
        "is_over": table.outcome is not None,
        "rules": game(table.game).rules_version,
        "events": events,
        "state": state.game,
        "clock": state.clock,
    }


def add_state(connection: Connection, table_id: str, number: int, state: State) -> None:
    """Keep how a table stood after an event."""
    row = {"table_id": table_id, "number": number, "state": state.game, "clock": state.clock}
    connection.execute(_ADD_STATE, row)


def _change_log(connection: Connection, table_id: str, event: int, before: Table, after: Table) -> None:
    """Take away what an order took back, and add what it brought."""
    kept = kind_of(after.game).kept_entries(after, before)
    if kept < before.length:
        connection.execute(_CUT_LOG, {"this": table_id, "kept": kept})
    if kept < after.length:
        connection.execute(_ADD_ENTRIES, _entry_rows(table_id, event, after, kept))


def _entry_rows(table_id: str, event: int, table: Table, kept: int) -> list[dict[str, Any]]:
    """Return the rows of the entries behind those that were kept."""
    kind = kind_of(table.game)
    shown = kind.entries_json(table, kept)
    return [
        {
            "table_id": table_id,
            "number": number,
            "event": event,
            "body": compact(kind.entry_to_state(table.game, entry)),
            "shown": json.dumps(public, separators=(",", ":")),
        }
        for number, (entry, public) in enumerate(
            zip(table.log[kept - table.log_start :], shown, strict=True), start=kept + 1
        )
    ]


def _keep_session(connection: Connection, session_id: str | None, at: datetime) -> None:
    if session_id is not None:
        connection.execute(_ADD_SESSION, {"holder": session_id, "since": at})


def _seat_rows(table_id: str, table: Table) -> list[dict[str, Any]]:
    return [
        {
            "table_id": table_id,
            "number": number,
            "kind": seat.kind,
            "name": seat.name,
            "colour": seat.colour,
            "bot": seat.bot,
            "session_id": seat.session,
        }
        for number, seat in enumerate(table.seats)
    ]
