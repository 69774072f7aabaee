"""What is written: a new table, and what orders change, as rows that several tables' writing can share."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete

from ekoes.games.registry import game
from ekoes.match.kinds import kind_of
from ekoes.match.orders import AnyOrder
from ekoes.match.secret import Secret
from ekoes.match.state import Table
from ekoes.storage.finished import Finished, end_game
from ekoes.storage.leases import Lease, add_leases, check_leases
from ekoes.storage.many import Adding, Row, Setting
from ekoes.storage.schema import Base
from ekoes.storage.state import State, compact, shown

__all__ = ["EVERY", "Change", "Taken", "follow", "made", "seated", "standing", "taken", "write"]

EVERY = 16
"""After so many events a table's state is kept for good."""

_TABLES, _SEATS, _PLACES, _EVENTS, _ENTRIES, _STATES, _SESSIONS = (
    Base.metadata.tables[name]
    for name in ("tables", "seats", "places", "events", "entries", "states", "sessions")
)
_STANDING = ("stirs", "is_over", "rules", "events", "state", "clock", "strikes_at")
_ADD_SESSIONS = Adding(_SESSIONS, ("id", "created_at"), missing=True)
_ADD_TABLES = Adding(
    _TABLES,
    ("id", "game", "options", "seed", "turn_limit", "created_at", "digest", "secret", *_STANDING),
)
_ADD_SEATS = Adding(_SEATS, ("table_id", "number", "kind", "name", "colour", "bot", "session_id"))
_ADD_PLACES = Adding(_PLACES, ("table_id", "seat", "holder"))
_ADD_EVENTS = Adding(
    _EVENTS, ("table_id", "number", "version", "session_id", "key", "body", "at", "rules", "digest")
)
_ADD_ENTRIES = Adding(_ENTRIES, ("table_id", "number", "event", "body", "shown"))
_SET_TABLES = Setting(_TABLES, ("id", *_STANDING))
_ADD_STATES = Adding(_STATES, ("table_id", "number", "state", "clock"))

_CLEAR_PLACES = delete(_PLACES).where(_PLACES.c.table_id == bindparam("this", type_=_PLACES.c.table_id.type))
_CUT_LOG = delete(_ENTRIES).where(
    _ENTRIES.c.table_id == bindparam("this", type_=_ENTRIES.c.table_id.type),
    _ENTRIES.c.number > bindparam("kept", type_=_ENTRIES.c.number.type),
)


class Taken(NamedTuple):
    """An order that was judged. session: None for the program; after: the table that it leaves."""

    order: AnyOrder
    session: str | None
    at: datetime
    after: Table


@dataclass(slots=True)
class Change:
    """What is to be written about one table, as rows.

    sessions: who gives its orders or sits down, since when. places: who sits there now, None: as before.
    kept: how many entries of its log stay, None: all. standing: how it stands afterwards.
    finished: the end of its game. lease: by which its writer owns it; None: there is one process alone.
    """

    table_id: str
    sessions: dict[str, datetime] = field(default_factory=dict)
    tables: list[Row] = field(default_factory=list)
    seats: list[Row] = field(default_factory=list)
    places: list[Row] | None = None
    events: list[Row] = field(default_factory=list)
    kept: int | None = None
    entries: list[Row] = field(default_factory=list)
    standing: list[Row] = field(default_factory=list)
    states: list[Row] = field(default_factory=list)
    finished: Finished | None = None
    lease: Lease | None = None


def write(connection: Connection, changes: Sequence[Change], known: set[str]) -> None:
    """Write changes of different tables. known: the sessions that are there already."""
    sessions = {session: since for change in changes for session, since in change.sessions.items()}
    # In their order, so that two who write do not wait for each other.
    _ADD_SESSIONS.execute(connection, [(one, sessions[one]) for one in sorted(sessions.keys() - known)])
    for change in changes:
        if change.places is not None:
            connection.execute(_CLEAR_PLACES, {"this": change.table_id})
        if change.kept is not None:
            connection.execute(_CUT_LOG, {"this": change.table_id, "kept": change.kept})
    _ADD_TABLES.execute(connection, _joined(change.tables for change in changes))
    _ADD_SEATS.execute(connection, _joined(change.seats for change in changes))
    _ADD_PLACES.execute(connection, _joined(change.places or () for change in changes))
    _ADD_EVENTS.execute(connection, _joined(change.events for change in changes))
    _ADD_ENTRIES.execute(connection, _joined(change.entries for change in changes))
    _SET_TABLES.execute(connection, _joined(change.standing for change in changes))
    _ADD_STATES.execute(connection, _joined(change.states for change in changes))
    for change in changes:
        if change.finished is not None:
            end_game(connection, change.finished)
    add_leases(connection, [change.lease for change in changes if change.lease and change.tables])
    check_leases(connection, [change.lease for change in changes if change.lease])


def made(table_id: str, table: Table, at: datetime, secret: Secret, lease: Lease | None = None) -> Change:
    """Return what a new table writes."""
    state, change = State.of(table), Change(table_id, lease=lease)
    options = json.dumps(table.options)
    facts = (table_id, table.game, options, table.seed, table.turn_limit, at, state.digest, secret.text)
    change.tables.append((*facts, *standing(table, state, 0)))
    change.seats = [
        (table_id, number, seat.kind, seat.name, seat.colour, seat.bot, seat.session)
        for number, seat in enumerate(table.seats)
    ]
    seated(change, table, at)
    change.states.append((table_id, 0, state.game, state.clock))
    return change


def taken(
    table_id: str, events: int, before: Table, orders: Sequence[Taken], lease: Lease | None = None
) -> Change:
    """Return what orders write that a table takes one after the other, after so many events."""
    change = Change(table_id, lease=lease)
    for number, one in enumerate(orders, events + 1):
        state = State.of(one.after)
        if one.session is not None:
            change.sessions[one.session] = one.at
        if one.after.seats is not before.seats:
            seated(change, one.after, one.at)
        if before.outcome is None and one.after.outcome is not None:
            change.finished = Finished(table_id, one.after, one.at)
        change.events.append(_event(table_id, number, one, state))
        follow(change, number, before, one.after, state)
        before = one.after
    return change


def seated(change: Change, table: Table, at: datetime) -> None:
    """Note who sits at a table now."""
    held = [(number, seat.session) for number, seat in enumerate(table.seats) if seat.session is not None]
    change.places = [(change.table_id, number, session) for number, session in held]
    change.sessions |= {session: at for _, session in held}


def follow(change: Change, number: int, before: Table, after: Table, state: State) -> None:
    """Note what the event of a number has changed: the log, and the table as it stands."""
    kept = kind_of(after.game).kept_entries(after, before)
    if kept < before.length:
        change.kept = kept if change.kept is None else min(kept, change.kept)
        change.entries = [row for row in change.entries if row[1] <= kept]
    if kept < after.length:
        change.entries += _entries(change.table_id, number, after, kept)
    change.standing = [(change.table_id, *standing(after, state, number))]
    if number % EVERY == 0:
        change.states.append((change.table_id, number, state.game, state.clock))


def standing(table: Table, state: State, events: int) -> Row:
    """Return what the table's row says of how it stands."""
    kind = kind_of(table.game)
    return (
        kind.is_busy(table) or table.wants_rematch,
        table.outcome is not None,
        game(table.game).rules_version,
        events,
        state.game,
        state.clock,
        None if kind.counts_since(table) is None else kind.strikes_at(table),
    )


def _event(table_id: str, number: int, one: Taken, state: State) -> Row:
    order, after = one.order, one.after
    body, rules = order.model_dump_json(exclude_none=True), game(after.game).rules_version
    return (table_id, number, after.version, one.session, order.key, body, one.at, rules, state.digest)


def _entries(table_id: str, event: int, table: Table, kept: int) -> Iterable[Row]:
    """Yield the rows of the entries behind those that were kept."""
    kind = kind_of(table.game)
    told = kind.entries_json(table, kept)
    for number, (entry, public) in enumerate(
        zip(table.log[kept - table.log_start :], told, strict=True), start=kept + 1
    ):
        body = compact(kind.entry_to_state(table.game, entry))
        yield table_id, number, event, body, shown(public)


def _joined(rows: Iterable[Sequence[Row]]) -> list[Row]:
    return [row for some in rows for row in some]
