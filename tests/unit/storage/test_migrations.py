from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, create_engine, inspect, text
from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from ekoes.errors import StorageError
from ekoes.storage import migrations
from ekoes.storage.engine import migrate_database
from ekoes.storage.migrations import BASELINE, OLDEST, VERSION
from ekoes.storage.schema import Base
from ekoes.storage.store import Store
from tests.services.postgres import postgres
from tests.unit.storage.keeping import Keeper, eko_table


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


SCHEMA = (37, "016871d1e8064f97")
"""The version of the schema, and a digest of its statements in SQLite."""


def test_a_changed_schema_has_another_version() -> None:
    made: list[CreateTable | CreateIndex] = []
    for table in Base.metadata.sorted_tables:
        made += [CreateTable(table), *map(CreateIndex, sorted(table.indexes, key=lambda one: str(one.name)))]
    statements = "".join(str(one.compile(dialect=sqlite.dialect())) for one in made)
    digest = sha256(statements.encode()).hexdigest()[:16]
    assert (VERSION, digest) == SCHEMA, (
        "a change of the schema needs a new version: see ekoes.storage.migrations"
    )


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
def test_database_from_before_the_first_release_is_refused(own_url: str, version: int) -> None:
    make_older(own_url, version)
    says = f"schema {version} of a program from before the first release, which this one does not read"
    for use in (Store, migrate_database):
        with pytest.raises(StorageError, match=says) as old:
            use(own_url)
        assert old.value.code == "storage/older"
        assert "\n" not in old.value.message


@pytest.mark.postgres
def test_new_database_has_the_schema_of_the_metadata(own_url: str) -> None:
    Store(own_url).close()
    engine = create_engine(own_url)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
    engine.dispose()
