from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, create_engine, inspect, text

from ekoes.errors import StorageError
from ekoes.match.orders import Resign, Sit
from ekoes.match.seats import Seat
from ekoes.record import read_record
from ekoes.storage import judge, migrations
from ekoes.storage.migrations import VERSION
from ekoes.storage.store import Store
from ekoes.storage.talk import Line
from ekoes.storage.wardens import NO_RIGHTS
from tests.unit.storage.keeping import NOW, Keeper, eko_table

HERE = Path(__file__).parent


_BACK_TO = {
    6: "DROP INDEX tables_that_strike; ALTER TABLE tables DROP COLUMN strikes_at; DROP TABLE uptimes;",
    5: """DROP TABLE lines; DROP TABLE mutes; DROP TABLE ties;
        DROP TABLE rights; DROP TABLE reports; DROP TABLE deeds;""",
    4: "DROP TABLE ratings; DROP TABLE results; DROP TABLE games;",
    3: "DROP TABLE places; DROP TABLE devices; DROP TABLE recoveries; DROP TABLE accounts;",
    2: "ALTER TABLE tables DROP COLUMN secret;",
}


def go_back(database: sqlite3.Connection, version: int) -> None:
    """Make a database one of an older schema."""
    for step, script in _BACK_TO.items():
        if step >= version:
            database.executescript(script)
    database.execute("UPDATE schema SET version = ?", (version,))
    database.commit()


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


def test_tables_of_schema_1_are_judged_once_and_kept(path: Path, url: str) -> None:
    """A database that the first release wrote: a board game with undos, a card game with a restart."""
    with closing(sqlite3.connect(path)) as database:
        database.executescript((HERE / "schema_1.sql").read_text("utf-8"))
    expected = json.loads((HERE / "schema_1.json").read_text("utf-8"))
    for name, told in expected.items():
        store = Store(url)
        kept = store.load(name)
        assert kept is not None
        position: Any = kept.table.position  # type: ignore[attr-defined]
        assert (kept.table.version, kept.events) == (told["version"], told["events"])
        assert position.to_json() == told["position"]
        assert [json.loads(text) for text in store.log(name)] == told["log"]
        store.close()
    before = path.read_bytes()
    store = Store(url)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judge, "submit", None)
        assert store.load("board") is not None
    for decisions in (0, 1, len(expected["board"]["log"])):
        assert store.past("board", decisions).length == decisions
    assert read_record(store.record("board")).rules == "1"
    assert store.answer("board", "bo", "k1") == 0
    store.close()
    assert path.read_bytes() == before


def test_event_of_schema_1_that_no_longer_fits_is_named(path: Path, url: str) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.executescript((HERE / "schema_1.sql").read_text("utf-8"))
        database.execute(
            "UPDATE events SET body = replace(body, 'version\":', 'version\":9') WHERE number = 6"
        )
        database.commit()
    before = path.read_bytes()
    store = Store(url)
    with pytest.raises(StorageError, match="event 6 of table board does not fit") as damaged:
        store.load("board")
    assert damaged.value.code == "storage/damaged"
    store.close()
    assert facts(url)[0] == VERSION
    assert path.read_bytes() != before, "the schema has changed, and nothing else"
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT count(*) FROM states").fetchone() == (0,)


def test_tables_of_schema_2_get_a_secret_and_tell_no_finer_times_than_milliseconds(
    store: Store, path: Path, url: str
) -> None:
    keepers = [Keeper(store, eko_table(), name) for name in ("a", "b")]
    for keeper in keepers:
        keeper.play(3)
    plain = store.log("a")
    store.close()
    with closing(sqlite3.connect(path)) as database:
        go_back(database, 2)
        database.execute("""UPDATE entries SET shown = replace(shown, '+00:00"', '457+00:00"')""")
        database.commit()
    again = Store(url)
    tables = [again.load(keeper.id) for keeper in keepers]
    assert len({kept.secret for kept in tables if kept is not None}) == len(tables)
    assert [kept.table.version for kept in tables if kept is not None] == [3, 3]
    assert again.log("a") == plain
    assert facts(url)[0] == VERSION
    again.close()


def test_tables_of_schema_3_tell_who_sits_there_now(store: Store, path: Path, url: str) -> None:
    keeper = Keeper(store, eko_table(seats=(Seat("here", "", 0, session="host"), Seat("open", "", 1))), "a")
    keeper.give(Sit(key="sit", seat=1, name="Ada"), "guest")
    store.close()
    with closing(sqlite3.connect(path)) as database:
        go_back(database, 3)
    again = Store(url)
    assert [(place.table_id, place.seat) for place in again.people.places("guest")] == [("a", 1)]
    assert [place.seat for place in again.people.places("host")] == [0]
    again.close()


def test_people_of_schema_4_talk_and_have_no_rights_but_those_of_all(
    store: Store, path: Path, url: str
) -> None:
    keeper = Keeper(store, eko_table(seats=(Seat("here", "", 0, session="host"), Seat("open", "", 1))), "a")
    keeper.give(Sit(key="sit", seat=1, name="Ada"), "guest")
    store.close()
    with closing(sqlite3.connect(path)) as database:
        go_back(database, 4)
    again = Store(url)
    line = Line(0, "all", "host", 0, "", "hello", None, datetime(2026, 1, 1, tzinfo=UTC))
    assert again.talk.say("a", "k", line) == replace(line, number=1)
    assert again.wardens.rights("host") == NO_RIGHTS
    assert again.wardens.deeds() == []
    again.close()


def test_tables_of_schema_6_sleep_without_a_clock(path: Path, url: str) -> None:
    store = Store(url)
    Keeper(store, eko_table(), "a")
    store.close()
    with closing(sqlite3.connect(path)) as database:
        go_back(database, 6)
    again = Store(url)
    assert again.alarms() == []
    assert again.begin_uptime(NOW) == [(NOW, NOW)]
    assert again.load("a") is not None
    again.close()


def test_schema_that_is_grown_is_the_schema_that_is_made(tmp_path: Path, path: Path, url: str) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.executescript((HERE / "schema_1.sql").read_text("utf-8"))
    fresh = f"sqlite:///{tmp_path / 'fresh.sqlite'}"
    Store(url).close()
    Store(fresh).close()
    assert shape(url) == shape(fresh)


def shape(url: str) -> dict[str, set[tuple[str, str, bool]]]:
    """Return the columns of every table: name, type, whether it may be empty."""
    engine = create_engine(url)
    look = inspect(engine)
    found = {
        table: {(one["name"], str(one["type"]), one["nullable"]) for one in look.get_columns(table)}
        for table in look.get_table_names()
    }
    engine.dispose()
    return found


def test_games_of_schema_4_that_are_over_have_results(store: Store, path: Path, url: str) -> None:
    over, open_ = (Keeper(store, eko_table(), name) for name in ("over", "open"))
    over.play(3)
    over.order(Resign, seat=1)
    expected = store.results.of_table(over.id)
    store.close()
    with closing(sqlite3.connect(path)) as database:
        go_back(database, 4)
    again = Store(url)
    assert expected is not None
    assert again.results.of_table(over.id) == expected
    assert again.results.of_table(open_.id) is None
