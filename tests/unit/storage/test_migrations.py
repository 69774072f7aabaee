from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Connection, Engine, create_engine, inspect, text

from ekoes.errors import StorageError
from ekoes.storage import migrations
from ekoes.storage.migrations import VERSION
from ekoes.storage.store import Store


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'test.sqlite'}"


def facts(url: str) -> tuple[int, set[str]]:
    """Return the version of a database and the columns of its tables' table."""
    engine: Engine = create_engine(url)
    with engine.connect() as connection:
        version = connection.execute(text("SELECT version FROM schema")).scalar_one()
        columns = {column["name"] for column in inspect(connection).get_columns("tables")}
    engine.dispose()
    return int(version), columns


def add_title(connection: Connection) -> None:
    connection.execute(text("ALTER TABLE tables ADD COLUMN title TEXT"))


def add_title_and_fail(connection: Connection) -> None:
    add_title(connection)
    connection.execute(text("UPDATE elsewhere SET x = 1"))


def test_new_database_has_the_current_schema(url: str) -> None:
    Store(url).close()
    assert facts(url)[0] == VERSION
    Store(url).close()
    assert facts(url)[0] == VERSION


def test_older_database_takes_the_steps_it_lacks(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    Store(url).close()
    monkeypatch.setattr(migrations, "VERSION", VERSION + 1)
    monkeypatch.setattr(migrations, "STEPS", {VERSION + 1: add_title})
    for _ in range(2):
        Store(url).close()
        version, columns = facts(url)
        assert version == VERSION + 1
        assert "title" in columns


def test_step_that_fails_leaves_the_database_as_it_was(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    Store(url).close()
    before = facts(url)
    monkeypatch.setattr(migrations, "VERSION", VERSION + 1)
    monkeypatch.setattr(migrations, "STEPS", {VERSION + 1: add_title_and_fail})
    with pytest.raises(StorageError, match="no such table: elsewhere"):
        Store(url)
    assert facts(url) == before
