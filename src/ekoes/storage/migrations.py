"""The versions of the database's schema, and the steps from each to the next.

A database says its version in its table ``schema``. An older one takes every step it lacks, in one
transaction; a newer one is refused, unless it says that programs of this schema may use it too.

To change the schema: change ``schema.py``, add 1 to ``VERSION`` and write the step that brings an existing
database from the version before, a module in ``storage/revisions/versions``. What programs of the version
before do not mind (a table, a column that may be empty) leaves ``OLDEST`` as it is. What they would mind
waits for a later release, which then sets ``OLDEST`` to the first version that does not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import Any

from sqlalchemy import Connection, insert, inspect, select, update

from ekoes.errors import StorageError
from ekoes.games.contract import Json
from ekoes.match.secret import fresh_secret
from ekoes.storage.dialects import dialect_of
from ekoes.storage.mentions import Facts, words
from ekoes.storage.schema import Base, SchemaRow

__all__ = ["BEGINS", "OLDEST", "VERSION", "Standing", "migrate", "ready", "standing", "steps_after"]

VERSION = 15
OLDEST = 14
"""The first version whose programs may use a database of this one."""


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


def _keep_mentions(connection: Connection) -> None:
    """Step to 8: games that everybody may know of are found by words, and some ends are told later."""
    for statement in _TABLES_OF_8:
        connection.exec_driver_sql(statement)
    tables, games, results, mentions = (
        Base.metadata.tables[name] for name in ("tables", "games", "results", "mentions")
    )
    over = select(games, tables.c.state).join(tables, tables.c.id == games.c.table_id)
    for game in connection.execute(over).all():
        state = json.loads(game.state)
        if not (state.get("public") or state.get("rated")):
            continue
        seats = select(results.c.name, results.c.won).where(results.c.table_id == game.table_id)
        people = [(row.name, row.won) for row in connection.execute(seats)]
        tempo = game.pool.rpartition("/")[2]
        facts = Facts(game.game, game.players, tempo, game.rated, game.reason, state["options"], people)
        rows = [
            {"word": word, "ended_at": game.ended_at, "table_id": game.table_id}
            for word in sorted(words(facts))
        ]
        connection.execute(insert(mentions), rows)


_TABLES_OF_8 = (
    """CREATE TABLE mentions (
        word VARCHAR(160) NOT NULL, ended_at DATETIME NOT NULL,
        table_id VARCHAR(32) NOT NULL REFERENCES games (table_id), PRIMARY KEY (word, ended_at, table_id)
    ) WITHOUT ROWID""",
    """CREATE TABLE untold (
        table_id VARCHAR(32) NOT NULL PRIMARY KEY REFERENCES tables (id), ended_at DATETIME NOT NULL,
        tells_at DATETIME NOT NULL
    )""",
)


def _keep_vacations(connection: Connection) -> None:
    """Step to 9: clocks of days stand while somebody is on vacation."""
    connection.exec_driver_sql(
        """CREATE TABLE vacations (
            holder VARCHAR(64) NOT NULL REFERENCES accounts (holder), began DATETIME NOT NULL,
            until DATETIME NOT NULL, PRIMARY KEY (holder, began)
        )"""
    )


def _keep_programs(connection: Connection) -> None:
    """Step to 10: programs act for accounts by tokens, and accounts may be programs' own."""
    for statement in (
        """CREATE TABLE tokens (
            number INTEGER NOT NULL PRIMARY KEY, digest VARCHAR(64) NOT NULL UNIQUE,
            holder VARCHAR(64) NOT NULL REFERENCES accounts (holder), name VARCHAR(40) NOT NULL,
            scopes VARCHAR(200) NOT NULL, since DATETIME NOT NULL, used_at DATETIME
        )""",
        "CREATE INDEX tokens_of_holders ON tokens (holder)",
        """CREATE TABLE programs (
            holder VARCHAR(64) NOT NULL PRIMARY KEY REFERENCES accounts (holder), since DATETIME NOT NULL
        )""",
    ):
        connection.exec_driver_sql(statement)


def _keep_tournaments(connection: Connection) -> None:
    """Step to 11: tournaments, who plays there, and who meets whom."""
    for statement in _TABLES_OF_11:
        connection.exec_driver_sql(statement)


_TABLES_OF_11 = (
    """CREATE TABLE tournaments (
        id VARCHAR(32) NOT NULL PRIMARY KEY, holder VARCHAR(64) NOT NULL REFERENCES sessions (id),
        "plan" TEXT NOT NULL, made_at DATETIME NOT NULL, started_at DATETIME, ended_at DATETIME,
        rounds INTEGER NOT NULL
    )""",
    """CREATE TABLE entrants (
        tournament_id VARCHAR(32) NOT NULL REFERENCES tournaments (id), number INTEGER NOT NULL,
        holder VARCHAR(64) REFERENCES sessions (id), name VARCHAR(40) NOT NULL, joined INTEGER NOT NULL,
        left_after INTEGER, PRIMARY KEY (tournament_id, number), UNIQUE (tournament_id, holder)
    )""",
    "CREATE INDEX entrants_by_holder ON entrants (holder)",
    """CREATE TABLE pairings (
        tournament_id VARCHAR(32) NOT NULL REFERENCES tournaments (id), round INTEGER NOT NULL,
        number INTEGER NOT NULL, table_id VARCHAR(32) REFERENCES tables (id), seats TEXT NOT NULL,
        places TEXT, absent TEXT NOT NULL, came TEXT NOT NULL, made_at DATETIME NOT NULL,
        PRIMARY KEY (tournament_id, round, number)
    )""",
    "CREATE INDEX pairings_by_table ON pairings (table_id)",
)


def _keep_pushes(connection: Connection) -> None:
    """Step to 12: browsers that want notices."""
    for statement in (
        """CREATE TABLE pushes (
            id VARCHAR(64) NOT NULL PRIMARY KEY, holder VARCHAR(64) NOT NULL REFERENCES sessions (id),
            credential VARCHAR(64) NOT NULL, endpoint TEXT NOT NULL, p256dh VARCHAR(100) NOT NULL,
            auth VARCHAR(40) NOT NULL, origin VARCHAR(300) NOT NULL, since DATETIME NOT NULL
        )""",
        "CREATE INDEX pushes_of_holders ON pushes (holder)",
    ):
        connection.exec_driver_sql(statement)


def _keep_leases(connection: Connection) -> None:
    """Step to 13: who owns what, where several processes share a database."""
    for statement in (
        """CREATE TABLE members (
            id VARCHAR(32) NOT NULL PRIMARY KEY, address VARCHAR(200) NOT NULL, beats BIGINT NOT NULL
        )""",
        """CREATE TABLE leases (
            name VARCHAR(64) NOT NULL PRIMARY KEY, member VARCHAR(32) NOT NULL, epoch INTEGER NOT NULL
        )""",
        "CREATE INDEX leases_of_members ON leases (member)",
    ):
        connection.exec_driver_sql(statement)


STEPS: Mapping[int, Callable[[Connection], None]] = MappingProxyType(
    {
        2: _keep_states,
        3: _keep_secrets,
        4: _keep_people,
        5: _keep_results,
        6: _keep_talk,
        7: _keep_time,
        8: _keep_mentions,
        9: _keep_vacations,
        10: _keep_programs,
        11: _keep_tournaments,
        12: _keep_pushes,
        13: _keep_leases,
    }
)
"""Version -> the step that leads from the version before it to this one."""


BEGINS = 13
"""The version from which on the steps are Alembic's revisions (``storage/revisions``)."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a database stands. version: 0 where there is nothing; oldest: whose programs may use it too."""

    version: int
    oldest: int

    @property
    def fits(self) -> bool:
        """Tell whether this program may use it as it is."""
        return self.oldest <= VERSION <= self.version


def ready(connection: Connection) -> None:
    """See that a database has a schema that this program may use, by steps where it may take them unasked.

    Raises: StorageError if it is from a newer program, or somebody has to say that it shall be changed.
    """
    ways = dialect_of(connection.dialect.name)
    ways.lock(connection)
    there = standing(connection)
    if there.fits:
        return
    _check_known(there)
    if there.version and not ways.migrates_itself:
        has = f"the database has schema {there.version}, and this program needs {VERSION}"
        message = f"{has}; `ekoes migrate` takes it there"
        raise StorageError(message, code="storage/older")
    _take_steps(connection, there)


def migrate(connection: Connection) -> None:
    """Bring a database to this program's schema. Raises StorageError if it is from a newer program."""
    dialect_of(connection.dialect.name).lock(connection)
    there = standing(connection)
    _check_known(there)
    if there.version < VERSION:
        _take_steps(connection, there)


def steps_after(version: int) -> list[tuple[int, str]]:
    """Return the steps that a database lacks, in order: where each leads to, and what it does."""
    own = [(number, _told(step)) for number, step in STEPS.items() if number > version]
    return [*own, *_alembic().steps_after(max(version, BEGINS))] if version else []


def standing(connection: Connection) -> Standing:
    """Return where a database stands."""
    if not inspect(connection).has_table(SchemaRow.__tablename__):
        return Standing(0, 0)
    version = connection.scalar(select(SchemaRow.version)) or 0
    if version <= BEGINS:  # it says no more
        return Standing(version, version)
    return Standing(version, connection.scalar(select(SchemaRow.oldest)) or version)


def _check_known(there: Standing) -> None:
    """Raise StorageError if a database is of a newer program that none of this schema may stand beside."""
    if there.version > VERSION and not there.fits:
        message = f"the database has schema {there.version} of a newer program; this one knows {VERSION}"
        raise StorageError(message, code="storage/newer")


def _take_steps(connection: Connection, there: Standing) -> None:
    if there.version == 0:
        Base.metadata.create_all(connection)
        connection.execute(insert(SchemaRow).values(version=VERSION))
    else:
        for number in sorted(number for number in STEPS if number > there.version):
            STEPS[number](connection)
        if there.version < BEGINS:
            connection.execute(update(SchemaRow).values(version=BEGINS))
        _alembic().upgrade(connection)
    connection.execute(update(SchemaRow).values(oldest=OLDEST))


def _alembic() -> Any:  # noqa: ANN401 - a module
    """Return what asks Alembic, which takes its time to be imported; most starts do without it."""
    return import_module("ekoes.storage.upgrade")


def _told(step: Callable[[Connection], None]) -> str:
    """Return what a step says of itself behind its number."""
    return (step.__doc__ or "").splitlines()[0].partition(": ")[2]
