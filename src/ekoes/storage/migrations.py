"""The versions of the database's schema, and the steps from each to the next.

A database says its version in its table ``schema``. Opening an older one takes every step it lacks,
in one transaction; a newer one is refused. To change the schema: change ``schema.py``, add 1 to
``VERSION`` and write the step (plain SQL) that brings an existing database from the version before.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from sqlalchemy import Connection, delete, insert, inspect, select, update

from ekoes.errors import StorageError
from ekoes.games.contract import Json
from ekoes.match.secret import fresh_secret
from ekoes.storage.schema import Base, SchemaRow

__all__ = ["VERSION", "migrate"]

VERSION = 7


def _keep_states(connection: Connection) -> None:
    """Step to 2: what was decided is kept, not only what was ordered; filled as each table is opened."""
    for statement in (
        "ALTER TABLE tables RENAME COLUMN waits_for_bot TO stirs",
        "DROP INDEX tables_waiting_for_bots",
        "CREATE INDEX tables_that_stir ON tables (stirs)",
        "ALTER TABLE tables ADD COLUMN digest VARCHAR(32)",
        "ALTER TABLE tables ADD COLUMN rules VARCHAR(20)",
        "ALTER TABLE tables ADD COLUMN events INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE tables ADD COLUMN state TEXT",
        "ALTER TABLE tables ADD COLUMN clock TEXT",
        "ALTER TABLE events ADD COLUMN rules VARCHAR(20)",
        "ALTER TABLE events ADD COLUMN digest VARCHAR(32)",
        *_TABLES_OF_2,
    ):
        connection.exec_driver_sql(statement)


_TABLES_OF_2 = (
    """CREATE TABLE entries (
        table_id VARCHAR(32) NOT NULL REFERENCES tables (id), number INTEGER NOT NULL,
        event INTEGER NOT NULL, body TEXT NOT NULL, shown TEXT NOT NULL, PRIMARY KEY (table_id, number)
    )""",
    """CREATE TABLE states (
        table_id VARCHAR(32) NOT NULL REFERENCES tables (id), number INTEGER NOT NULL,
        state TEXT NOT NULL, clock TEXT, PRIMARY KEY (table_id, number)
    )""",
)

_FINER = re.compile(r'("at":"[^"]*\.\d{3})\d+')
"""A time in a shown entry, and what it tells beyond milliseconds."""


def _keep_secrets(connection: Connection) -> None:
    """Step to 3: each table has a secret, and what is shown tells no time finer than milliseconds."""
    connection.exec_driver_sql("ALTER TABLE tables ADD COLUMN secret VARCHAR(64)")
    tables, entries = (Base.metadata.tables[name] for name in ("tables", "entries"))
    for table_id in connection.scalars(select(tables.c.id)).all():
        secret = {"secret": fresh_secret().text}
        connection.execute(update(tables).where(tables.c.id == table_id), secret)
        log = entries.c.table_id == table_id
        for number, shown in connection.execute(select(entries.c.number, entries.c.shown).where(log)).all():
            rounded = {"shown": _FINER.sub(r"\1", shown)}
            connection.execute(update(entries).where(log, entries.c.number == number), rounded)


def _keep_people(connection: Connection) -> None:
    """Step to 4: who sits where can be asked, and holders may have accounts."""
    for statement in _TABLES_OF_4:
        connection.exec_driver_sql(statement)
    tables, seats, places = (Base.metadata.tables[name] for name in ("tables", "seats", "places"))
    for table_id, state in connection.execute(select(tables.c.id, tables.c.state)).all():
        made = select(seats.c.session_id).where(seats.c.table_id == table_id).order_by(seats.c.number)
        sit = [seat["session"] for seat in json.loads(state)["seats"]] if state else connection.scalars(made)
        for number, holder in enumerate(sit):
            if holder is not None:
                row = {"table_id": table_id, "seat": number, "holder": holder}
                connection.execute(insert(places).values(row))


_TABLES_OF_4 = (
    """CREATE TABLE places (
        table_id VARCHAR(32) NOT NULL REFERENCES tables (id), seat INTEGER NOT NULL,
        holder VARCHAR(64) NOT NULL REFERENCES sessions (id), PRIMARY KEY (table_id, seat)
    )""",
    "CREATE INDEX places_of_holders ON places (holder)",
    """CREATE TABLE accounts (
        holder VARCHAR(64) NOT NULL PRIMARY KEY REFERENCES sessions (id), name VARCHAR(40) NOT NULL,
        known_as VARCHAR(160) NOT NULL UNIQUE, password TEXT NOT NULL, since DATETIME NOT NULL
    )""",
    """CREATE TABLE recoveries (
        holder VARCHAR(64) NOT NULL REFERENCES accounts (holder), code VARCHAR(64) NOT NULL,
        PRIMARY KEY (holder, code)
    )""",
    """CREATE TABLE devices (
        id VARCHAR(64) NOT NULL PRIMARY KEY, holder VARCHAR(64) NOT NULL REFERENCES accounts (holder),
        about VARCHAR(200) NOT NULL, since DATETIME NOT NULL, seen_at DATETIME NOT NULL
    )""",
    "CREATE INDEX devices_of_holders ON devices (holder)",
)


def _keep_results(connection: Connection) -> None:
    """Step to 5: how games ended can be asked, and accounts have ratings."""
    for statement in _TABLES_OF_5:
        connection.exec_driver_sql(statement)
    tables, events, games, results = (
        Base.metadata.tables[name] for name in ("tables", "events", "games", "results")
    )
    over = select(tables.c.id, tables.c.state, tables.c.created_at).where(tables.c.is_over)
    for table_id, text, made_at in connection.execute(over.where(tables.c.state.is_not(None))).all():
        latest = select(events.c.at).where(events.c.table_id == table_id).order_by(events.c.number.desc())
        ended_at = connection.scalar(latest.limit(1)) or made_at
        game, seats = _result(table_id, json.loads(text))
        connection.execute(insert(games).values(game | {"ended_at": ended_at}))
        connection.execute(insert(results), seats)


def _result(table_id: str, state: Json) -> tuple[Json, list[Json]]:
    """Return the rows of a game that ended before there were any. No clock ran at tables of turns then."""
    seats, winners = state["seats"], state["outcome"]["winners"]
    tempo = {None: "untimed", False: "live", True: "calm"}[state["options"].get("calm")]
    game = {
        "table_id": table_id,
        "game": state["game"],
        "players": len(seats),
        "pool": f"{state['game']}/{len(seats)}/{tempo}",
        "rated": False,
        "reason": state["outcome"]["reason"],
        "length": state["length"],
    }
    results = [
        {
            "table_id": table_id,
            "seat": number,
            "holder": seat["session"],
            "name": seat["name"],
            "bot": seat["bot"],
            "rank": 0 if number in winners else len(winners),
            "won": number in winners,
        }
        for number, seat in enumerate(seats)
    ]
    return game, results


_TABLES_OF_5 = (
    """CREATE TABLE games (
        table_id VARCHAR(32) NOT NULL PRIMARY KEY REFERENCES tables (id), game VARCHAR(20) NOT NULL,
        players INTEGER NOT NULL, pool VARCHAR(60) NOT NULL, rated BOOLEAN NOT NULL,
        reason VARCHAR(20) NOT NULL, length INTEGER NOT NULL, ended_at DATETIME NOT NULL
    )""",
    "CREATE INDEX games_by_end ON games (ended_at)",
    """CREATE TABLE results (
        table_id VARCHAR(32) NOT NULL REFERENCES games (table_id), seat INTEGER NOT NULL,
        holder VARCHAR(64) REFERENCES sessions (id), name VARCHAR(40) NOT NULL, bot VARCHAR(40),
        rank INTEGER NOT NULL, won BOOLEAN NOT NULL, mean_before DOUBLE, deviation_before DOUBLE,
        mean DOUBLE, deviation DOUBLE, PRIMARY KEY (table_id, seat)
    )""",
    "CREATE INDEX results_of_holders ON results (holder)",
    """CREATE TABLE ratings (
        holder VARCHAR(64) NOT NULL REFERENCES accounts (holder), pool VARCHAR(60) NOT NULL,
        mean DOUBLE NOT NULL, deviation DOUBLE NOT NULL, games INTEGER NOT NULL, won INTEGER NOT NULL,
        at DATETIME NOT NULL, PRIMARY KEY (holder, pool)
    )""",
    "CREATE INDEX ratings_by_pool ON ratings (pool, mean)",
)


def _keep_talk(connection: Connection) -> None:
    """Step to 6: what people say is kept, whom they block or follow, and what those who run the server do."""
    for statement in _TABLES_OF_6:
        connection.exec_driver_sql(statement)


_TABLES_OF_6 = (
    """CREATE TABLE lines (
        table_id VARCHAR(32) NOT NULL REFERENCES tables (id), number INTEGER NOT NULL,
        room VARCHAR(8) NOT NULL, holder VARCHAR(64) NOT NULL REFERENCES sessions (id),
        "key" VARCHAR(64) NOT NULL, seat INTEGER, name VARCHAR(40) NOT NULL, text TEXT,
        phrase VARCHAR(20), at DATETIME NOT NULL,
        PRIMARY KEY (table_id, number), UNIQUE (table_id, holder, "key")
    )""",
    "CREATE INDEX lines_of_holders ON lines (holder)",
    """CREATE TABLE mutes (
        table_id VARCHAR(32) NOT NULL REFERENCES tables (id),
        holder VARCHAR(64) NOT NULL REFERENCES sessions (id),
        other VARCHAR(64) NOT NULL REFERENCES sessions (id), PRIMARY KEY (table_id, holder, other)
    )""",
    """CREATE TABLE ties (
        number INTEGER NOT NULL PRIMARY KEY, kind VARCHAR(8) NOT NULL,
        holder VARCHAR(64) NOT NULL REFERENCES sessions (id),
        other VARCHAR(64) NOT NULL REFERENCES sessions (id), name VARCHAR(40) NOT NULL,
        since DATETIME NOT NULL, UNIQUE (holder, kind, other)
    )""",
    "CREATE INDEX ties_of_others ON ties (other)",
    """CREATE TABLE rights (
        holder VARCHAR(64) NOT NULL PRIMARY KEY REFERENCES sessions (id), is_moderator BOOLEAN NOT NULL,
        silenced_until DATETIME, closed_at DATETIME
    )""",
    """CREATE TABLE reports (
        number INTEGER NOT NULL PRIMARY KEY, table_id VARCHAR(32) NOT NULL REFERENCES tables (id),
        holder VARCHAR(64) NOT NULL REFERENCES sessions (id),
        about VARCHAR(64) NOT NULL REFERENCES sessions (id), name VARCHAR(40) NOT NULL, line INTEGER,
        reason VARCHAR(20) NOT NULL, words TEXT NOT NULL, lines TEXT NOT NULL, at DATETIME NOT NULL,
        resolved_at DATETIME, verdict TEXT
    )""",
    """CREATE TABLE deeds (
        number INTEGER NOT NULL PRIMARY KEY, at DATETIME NOT NULL, "by" VARCHAR(40) NOT NULL,
        did VARCHAR(20) NOT NULL, holder VARCHAR(64) NOT NULL, name VARCHAR(40) NOT NULL, words TEXT NOT NULL
    )""",
)


def _keep_time(connection: Connection) -> None:
    """Step to 7: clocks count on while tables sleep, and not while the server is away."""
    for statement in (
        "ALTER TABLE tables ADD COLUMN strikes_at DATETIME",
        "CREATE INDEX tables_that_strike ON tables (strikes_at)",
        "CREATE TABLE uptimes (began DATETIME NOT NULL PRIMARY KEY, until DATETIME NOT NULL)",
    ):
        connection.exec_driver_sql(statement)


STEPS: Mapping[int, Callable[[Connection], None]] = MappingProxyType(
    {2: _keep_states, 3: _keep_secrets, 4: _keep_people, 5: _keep_results, 6: _keep_talk, 7: _keep_time}
)
"""Version -> the step that leads from the version before it to this one."""


def migrate(connection: Connection) -> None:
    """Bring a database to this program's schema. Raises StorageError if it is from a newer program."""
    if connection.dialect.name == "sqlite":
        # SQLite's driver would commit each change of the schema by itself.
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    version = _version(connection)
    if version == VERSION:
        return
    if version > VERSION:
        message = f"the database has schema {version} of a newer program; this one knows {VERSION}"
        raise StorageError(message, code="storage/newer")
    if version == 0:
        Base.metadata.create_all(connection)
    else:
        for step in range(version + 1, VERSION + 1):
            STEPS[step](connection)
    connection.execute(delete(SchemaRow))
    connection.execute(insert(SchemaRow).values(version=VERSION))


def _version(connection: Connection) -> int:
    """Return the version of a database, 0 for an empty one."""
    if not inspect(connection).has_table(SchemaRow.__tablename__):
        return 0
    return connection.scalar(select(SchemaRow.version)) or 0
