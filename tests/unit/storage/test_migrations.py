from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, create_engine, inspect, text

from ekoes.errors import StorageError
from ekoes.match.orders import Resign, Sit
from ekoes.match.seats import Seat
from ekoes.record import read_record
from ekoes.storage import judge, migrations, upgrade
from ekoes.storage.database import upgrade_database
from ekoes.storage.migrations import OLDEST, VERSION
from ekoes.storage.store import Store
from ekoes.storage.talk import Line
from ekoes.storage.wardens import NO_RIGHTS
from tests.services.postgres import postgres
from tests.unit.storage.keeping import NOW, Keeper, eko_table
from tests.unit.tournament.playing import plan

HERE = Path(__file__).parent


_BACK_TO = {
    14: "ALTER TABLE members DROP COLUMN clock;",
    13: "ALTER TABLE schema DROP COLUMN oldest;",
    12: "DROP TABLE leases; DROP TABLE members;",
    11: "DROP TABLE pushes;",
    10: "DROP TABLE pairings; DROP TABLE entrants; DROP TABLE tournaments;",
    9: "DROP TABLE tokens; DROP TABLE programs;",
    8: "DROP TABLE vacations;",
    7: "DROP TABLE mentions; DROP TABLE untold;",
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
        monkeypatch.setattr(upgrade, "PLACES", [*upgrade.PLACES, tmp_path])
        monkeypatch.setattr(migrations, "VERSION", VERSION + 1)

    return add


NextStep = Callable[..., None]
ADD_TITLE = "ALTER TABLE tables ADD COLUMN title TEXT"


def test_last_step_leads_to_the_current_schema() -> None:
    assert upgrade.newest() == VERSION
    assert OLDEST <= VERSION


def test_new_database_has_the_current_schema(own_url: str) -> None:
    Store(own_url).close()
    assert facts(own_url)[0] == VERSION
    Store(own_url).close()
    assert facts(own_url)[0] == VERSION


def test_older_database_takes_the_steps_it_lacks(own_url: str, next_step: NextStep) -> None:
    Store(own_url).close()
    next_step(ADD_TITLE)
    steps = [(VERSION + 1, "A step of the next release.")]
    assert upgrade_database(own_url, only_look=True) == (VERSION, steps)
    assert "title" not in facts(own_url)[1]
    assert upgrade_database(own_url) == (VERSION, steps)
    assert upgrade_database(own_url) == (VERSION + 1, [])
    version, columns = facts(own_url)
    assert version == VERSION + 1
    assert "title" in columns


def test_file_is_brought_up_to_date_by_whoever_opens_it(
    path: Path, own_url: str, next_step: NextStep
) -> None:
    Store(own_url).close()
    next_step(ADD_TITLE)
    Store(own_url).close()
    assert facts(own_url)[0] == VERSION + 1


def test_database_that_many_share_is_changed_only_where_somebody_says_so(next_step: NextStep) -> None:
    url = postgres().empty()
    Store(url).close()
    next_step(ADD_TITLE)
    with pytest.raises(
        StorageError, match=f"has schema {VERSION}, .* needs {VERSION + 1}; `ekoes migrate`"
    ) as old:
        Store(url)
    assert old.value.code == "storage/older"
    upgrade_database(url)
    Store(url).close()


def test_release_goes_on_beside_a_newer_one_that_it_need_not_mind(
    own_url: str, next_step: NextStep, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = Store(own_url)
    with monkeypatch.context():
        next_step(ADD_TITLE)
        upgrade_database(own_url)
    monkeypatch.undo()
    again = Store(own_url)
    for number, store in enumerate((running, again)):
        Keeper(store, eko_table(), str(number)).play(2)
        store.close()
    assert facts(own_url)[0] == VERSION + 1


def test_step_that_fails_leaves_the_database_as_it_was(own_url: str, next_step: NextStep) -> None:
    Store(own_url).close()
    before = facts(own_url)
    next_step(ADD_TITLE, "UPDATE elsewhere SET x = 1")
    with pytest.raises(StorageError, match="elsewhere"):
        upgrade_database(own_url)
    assert facts(own_url) == before


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


def test_people_of_schema_10_make_tournaments(store: Store, path: Path, url: str) -> None:
    store.close()
    with closing(sqlite3.connect(path)) as database:
        go_back(database, 10)
    again = Store(url)
    assert again.tournaments.all(9) == []
    again.tournaments.make("spring", "host", plan("swiss"), NOW)
    again.tournaments.join("spring", "host", "Ada")
    assert [one.name for one in again.tournaments.load("spring").tournament.entrants] == ["Ada"]
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
    again.close()
