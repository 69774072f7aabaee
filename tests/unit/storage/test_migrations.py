from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, create_engine, inspect, text

from ekoes.errors import StorageError
from ekoes.storage import migrations
from ekoes.storage.accounts import Account
from ekoes.storage.engine import migrate_database
from ekoes.storage.migrations import BASELINE, OLDEST, VERSION
from ekoes.storage.schema import Base
from ekoes.storage.store import Store
from ekoes.tables.orders import Resign
from tests.kit.stored import stored_table
from tests.services.postgres import postgres
from tests.unit.storage.keeping import Keeper, eko_table

LATER_TABLES = (
    "challenges",
    "reviews",
    "puzzle_answers",
    "puzzle_ratings",
    "solvers",
    "openings",
    "opening_queue",
    "studies",
)
"""The tables that came after the baseline."""
WITH_STATES_IN_TABLES = (
    *(f"ALTER TABLE tables ADD COLUMN {name} TEXT" for name in ("digest", "rules", "state", "clock")),
    "ALTER TABLE events ADD COLUMN digest TEXT",
    "ALTER TABLE events DROP COLUMN result",
    (
        "UPDATE events SET digest = (SELECT digest FROM states WHERE table_id = events.table_id"
        " AND number = events.number)"
    ),
    (
        "UPDATE tables SET (state, clock) = (SELECT state, clock FROM states WHERE table_id = tables.id"
        " AND number = tables.events), digest = (SELECT digest FROM states WHERE table_id = tables.id"
        " AND number = 0)"
    ),
    "DELETE FROM states WHERE number % 16 > 0",
    "ALTER TABLE states DROP COLUMN digest",
)
"""How schema 25 had them."""
WITH_ENTRIES_OF_THEIR_OWN = (
    (
        "CREATE TABLE entries (table_id VARCHAR(32) REFERENCES tables (id), number INTEGER, event INTEGER,"
        " body TEXT, shown TEXT, PRIMARY KEY (table_id, number))"
    ),
    "INSERT INTO entries SELECT table_id, length, number, entries, shown FROM events WHERE entries != ''",
    *(f"ALTER TABLE events DROP COLUMN {name}" for name in ("length", "entries", "shown")),
)
"""How schema 26 had them, where an event has one at most and none was undone."""
CYRILLIC = "\N{CYRILLIC CAPITAL LETTER A}da"
"""Looks like Ada."""


def facts(url: str) -> tuple[int, set[str]]:
    """Return the version of a database and the columns of its tables' table."""
    engine: Engine = create_engine(url)
    with engine.connect() as connection:
        version = connection.execute(text("SELECT version FROM schema")).scalar_one()
        columns = {column["name"] for column in inspect(connection).get_columns("tables")}
    engine.dispose()
    return int(version), columns


@pytest.fixture
def next_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Let there be one more step, of some statements; programs of this schema do not mind it."""

    def add(*statements: str) -> None:
        lines = (
            '"""A step of the next release."""',
            "from alembic import op",
            f"revision, down_revision = '{VERSION + 1}', '{VERSION}'",
            f"def upgrade(): [op.execute(sql) for sql in {statements!r}]",
        )
        (tmp_path / "v_next.py").write_text("\n".join(lines))
        monkeypatch.setattr(migrations, "_FOLDERS", [*migrations._FOLDERS, tmp_path])
        monkeypatch.setattr(migrations, "VERSION", VERSION + 1)

    return add


NextStep = Callable[..., None]
ADD_TITLE = "ALTER TABLE tables ADD COLUMN title TEXT"


def test_last_step_leads_to_the_current_schema() -> None:
    head = ScriptDirectory.from_config(migrations._config()).get_current_head()
    assert head == str(VERSION)
    assert BASELINE <= OLDEST <= VERSION


def test_new_database_has_the_current_schema(own_url: str) -> None:
    Store(own_url).close()
    assert facts(own_url)[0] == VERSION
    Store(own_url).close()
    assert facts(own_url)[0] == VERSION


def test_older_database_takes_the_steps_it_lacks(own_url: str, next_step: NextStep) -> None:
    Store(own_url).close()
    next_step(ADD_TITLE)
    assert "title" not in facts(own_url)[1]
    assert migrate_database(own_url) == VERSION
    assert migrate_database(own_url) == VERSION + 1
    version, columns = facts(own_url)
    assert version == VERSION + 1
    assert "title" in columns


def test_sqlite_file_is_migrated_when_opened(path: Path, own_url: str, next_step: NextStep) -> None:
    Store(own_url).close()
    next_step(ADD_TITLE)
    Store(own_url).close()
    assert facts(own_url)[0] == VERSION + 1


def test_postgresql_is_migrated_by_command_alone(next_step: NextStep) -> None:
    url = postgres().empty()
    Store(url).close()
    next_step(ADD_TITLE)
    with pytest.raises(
        StorageError, match=f"has schema {VERSION}, .* needs {VERSION + 1}; `ekoes migrate`"
    ) as old:
        Store(url)
    assert old.value.code == "storage/older"
    migrate_database(url)
    Store(url).close()


def test_release_works_beside_a_compatible_newer_schema(
    own_url: str, next_step: NextStep, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = Store(own_url)
    with monkeypatch.context():
        next_step(ADD_TITLE)
        migrate_database(own_url)
    monkeypatch.undo()
    again = Store(own_url)
    for number, store in enumerate((running, again)):
        Keeper(store, eko_table(), str(number)).play(2)
        store.close()
    assert facts(own_url)[0] == VERSION + 1


@pytest.mark.postgres
def test_step_that_fails_leaves_the_database_as_it_was(own_url: str, next_step: NextStep) -> None:
    Store(own_url).close()
    before = facts(own_url)
    next_step(ADD_TITLE, "UPDATE elsewhere SET x = 1")
    with pytest.raises(StorageError, match="elsewhere"):
        migrate_database(own_url)
    assert facts(own_url) == before


def make_older(url: str, version: int) -> None:
    """Make a database one of an older schema, whose table ``schema`` has one column."""
    Store(url).close()
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text("ALTER TABLE schema DROP COLUMN oldest"))
        connection.execute(text("UPDATE schema SET version = :version"), {"version": version})
    engine.dispose()


@pytest.mark.parametrize("version", [1, BASELINE - 1])
def test_older_database_is_refused_with_the_command_that_saves_its_games(own_url: str, version: int) -> None:
    make_older(own_url, version)
    says = rf"has schema {version} of an older program, .*ekoes play.*/api/archive/records"
    for use in (Store, migrate_database):
        with pytest.raises(StorageError, match=says) as old:
            use(own_url)
        assert old.value.code == "storage/older"
        assert "\n" not in old.value.message


@pytest.mark.postgres
def test_database_of_the_baseline_gets_the_schema_of_the_metadata(own_url: str) -> None:
    with closing(Store(own_url)) as store:
        for name in ("Ada", "Bo"):
            store.people.open(Account(name, name, "", datetime.now(UTC)), ["code"])
        Keeper(store, replace(eko_table(), public=True)).order(Resign, seat=0)
        keeper = Keeper(store, eko_table(), "running")
        keeper.play(20)
        keeper.close()
        log = store.log("running")
    engine = create_engine(own_url)
    with engine.begin() as connection:
        for statement in WITH_ENTRIES_OF_THEIR_OWN + WITH_STATES_IN_TABLES:
            connection.execute(text(statement))
        operations = Operations(MigrationContext.configure(connection))
        with operations.batch_alter_table("events") as events:
            unique = ["table_id", "session_id", "key"]
            events.create_unique_constraint("events_table_id_session_id_key_key", unique)
        connection.execute(text("UPDATE accounts SET name = :name WHERE name = 'Bo'"), {"name": CYRILLIC})
        for table, column in (("tables", "played_turn"), ("accounts", "look")):
            connection.execute(text(f"DROP INDEX {table}_by_{column}"))
            connection.execute(text(f"ALTER TABLE {table} DROP COLUMN {column}"))
        for table in LATER_TABLES:
            connection.execute(text(f"DROP TABLE {table}"))
        with operations.batch_alter_table("reports") as reports:
            reports.alter_column("table_id", nullable=False)
        connection.execute(text("UPDATE schema SET version = :version"), {"version": BASELINE})
    assert migrate_database(own_url) == BASELINE
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
    engine.dispose()
    with closing(Store(own_url)) as store:
        assert store.people.owner("ADA") == "Ada"
        assert store.people.owner(CYRILLIC) == "Ada"
        assert store.openings.count_new(5) == 1, "of games that have ended before"
        again = stored_table(store, "running")
        assert replace(again.table, log_start=0) == replace(keeper.table, log=())
        assert store.log("running") == log
        assert store.past("running", 18).log[-1].position == keeper.table.log[17].position


@pytest.mark.postgres
def test_new_database_has_the_schema_of_the_metadata(own_url: str) -> None:
    Store(own_url).close()
    engine = create_engine(own_url)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
    engine.dispose()
