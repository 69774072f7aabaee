from __future__ import annotations

import sqlite3
import subprocess
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import create_engine, update
from sqlalchemy.orm import Session

from ekoes.errors import StorageError
from ekoes.games.eko.game import EKO
from ekoes.storage.migrations import VERSION
from ekoes.storage.schema import SchemaRow
from ekoes.storage.store import Store
from ekoes.tables.create import new_table
from ekoes.tables.orders import (
    Act,
    AnyOrder,
    Deal,
    Draw,
    EndTurn,
    Intent,
    Pace,
    Rematch,
    Rematched,
    Rename,
    Resign,
    Sit,
    Tick,
    Undo,
)
from ekoes.tables.settings import Seat
from ekoes.tables.table import Table
from tests.kit.stored import append, create, stored_table
from tests.unit.storage.keeping import NOW, Keeper, eko_table

SEATS = (Seat("here", "Ada", 0, session="ada"), Seat("open", "", 1))


@pytest.mark.parametrize("address", ["nothing", "sqlite", "nosuch://x/y", "sqlite+nosuch:///x"])
def test_address_of_no_database_is_refused(address: str) -> None:
    with pytest.raises(StorageError) as refused:
        Store(address)
    assert refused.value.code == "storage/address"


@pytest.fixture
def table() -> Table:
    return new_table("eko", {"players": 2, "variants": ["wind"]}, 3, SEATS, turn_limit=9)


def played_game(store: Store, table: Table) -> Keeper:
    """Store a table and a dozen orders of every kind."""
    keeper, users = Keeper(store, table), {0: "ada", 1: "grace"}
    keeper.give(Sit(key="a", seat=1, name="Grace"), "grace")
    keeper.give(Rename(key="b", seat=0, name="Ada L."), "ada")
    keeper.give(Pace(key="c", milliseconds=0), "ada")
    for number in range(6):
        (seat,), version = keeper.table.asked, keeper.table.version
        action = EKO.action_to_json(keeper.table.position.legal(seat)[0])
        keeper.give(Act(key=f"d{number}", version=version, seat=seat, action=action, hold=True), users[seat])
        if keeper.table.held is not None:
            keeper.give(EndTurn(key=f"e{number}", version=version + 1, seat=seat), users[seat])
    (seat,) = keeper.table.asked
    keeper.give(Draw(key="f", version=keeper.table.version, seat=seat, offer=True), users[seat])
    return keeper


def facts(table: Table) -> Table:
    """Return a table as it comes from the store, which keeps its log."""
    return replace(table, log=(), log_start=table.length)


def test_table_comes_back_as_it_was(store: Store, table: Table) -> None:
    keeper = played_game(store, table)
    again = stored_table(store, "t")
    assert again.events == keeper.stored.events
    assert again.table == facts(keeper.table)
    assert again.table.length == 6


@pytest.mark.postgres
def test_table_comes_back_from_the_file_alone(url: str, store: Store, table: Table) -> None:
    keeper = played_game(store, table)
    other = Store(url)
    again = other.load("t")
    other.close()
    assert again is not None
    assert again.table == facts(keeper.table)


@pytest.mark.postgres
def test_race_comes_back_with_everything_that_the_program_ordered(store: Store) -> None:
    """A deal, intents, a tick, somebody who leaves, and the rematch."""
    seats = tuple(Seat("open", "", seat, session=f"p{seat}") for seat in range(2))
    table = new_table("ekko", {"players": 2, "turn_clock": 5}, 1, seats)
    keeper = Keeper(store, table, "race")

    def give(order: AnyOrder, session: str | None, seconds: int) -> None:
        keeper.give(order, session, NOW + timedelta(seconds=seconds))

    give(Deal(key="d", action={"type": "deal", "order": list(range(98, 0, -1))}), None, 0)
    for seat in (0, 1):
        give(Intent(key=f"r{seat}", seat=seat, action={"type": "ready", "round": 1}), f"p{seat}", 1)
    give(Tick(key="t"), None, 6)
    assert store.active_tables() == ["race"]
    give(Resign(key="x", seat=0), "p0", 3601)
    assert store.active_tables() == []
    for seat in (0, 1):
        give(Rematch(key=f"a{seat}", seat=seat), f"p{seat}", 3602)
    assert store.active_tables() == ["race"]
    give(Rematched(key="m", table="other"), None, 3603)
    again = stored_table(store, "race")
    assert again.table == facts(keeper.table)
    assert (again.table.rematch, again.events, store.active_tables()) == ("other", 8, [])


def test_unknown_table_is_none(store: Store) -> None:
    assert store.load("nothing") is None


@pytest.mark.postgres
def test_order_for_a_table_that_moved_on_is_a_conflict(store: Store, table: Table) -> None:
    keeper = played_game(store, table)
    stored = keeper.stored
    keeper.give(Pace(key="late", milliseconds=5), "ada", NOW)
    with pytest.raises(StorageError) as conflict:
        append(store, "t", stored, Pace(key="later", milliseconds=6), "ada", NOW, keeper.table)
    assert conflict.value.code == "storage/conflict"
    again = stored_table(store, "t")
    assert (again.events, dict(again.table.pace_votes)) == (stored.events + 1, {0: 5})


def test_tables_that_wait_for_bots_are_found(store: Store) -> None:
    for name, second in (
        ("people", Seat("here", "", 1, session="ada")),
        ("bots", Seat("bot", "", 1, bot="random")),
    ):
        first = replace(second, colour=0)
        create(store, name, new_table("eko", {"players": 2}, 1, (first, second)), NOW)
    assert store.active_tables() == ["bots"]


def test_a_key_is_answered_as_it_was(store: Store, table: Table) -> None:
    played_game(store, table)
    assert store.answer("t", "grace", "a") == 0
    assert store.answer("t", "ada", "a") is None
    assert store.answer("else", "grace", "a") is None
    assert store.answer("t", None, "a") is None


@pytest.mark.postgres
def test_character_that_a_database_can_not_keep_makes_nothing_fail(store: Store, table: Table) -> None:
    Keeper(store, table).give(Pace(key="k\0", milliseconds=5), "ada")
    assert store.answer("t", "ada", "k\0") is not None
    assert store.load("\0") is None
    assert store.people.named("A\0") is None


def test_program_beside_a_server_leaves_its_write_ahead_log(tmp_path: Path) -> None:
    """Who closes the last connection removes it; a second one must not end the locks of the first."""
    file = tmp_path / "test.sqlite"
    store = Store(f"sqlite:///{file}")
    with store._engine.connect(), store._engine.connect():
        use = "import sqlite3 as s, sys; c = s.connect(sys.argv[1]); c.execute('PRAGMA data_version')"
        subprocess.run([sys.executable, "-c", use, file], check=True)
        assert file.with_name("test.sqlite-wal").exists()
    store.close()


def test_database_of_a_newer_program_is_refused(own_url: str) -> None:
    Store(own_url).close()
    engine = create_engine(own_url)
    with Session(engine) as session, session.begin():
        session.execute(update(SchemaRow).values(version=VERSION + 1, oldest=VERSION + 1))
    engine.dispose()
    with pytest.raises(StorageError, match="newer program"):
        Store(own_url)


def test_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "test.sqlite"
    path.write_text("These are not the tables you are looking for. " * 100)
    with pytest.raises(StorageError, match="not a database"):
        Store(f"sqlite:///{path}")


def test_folder_that_is_missing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="unable to open"):
        Store(f"sqlite:///{tmp_path / 'missing' / 'test.sqlite'}")


def test_commits_reach_the_disk(path: Path, store: Store) -> None:
    with store._engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
    with sqlite3.connect(path) as plain:
        assert plain.execute("SELECT version FROM schema").fetchall() == [(VERSION,)]
    plain.close()


@pytest.mark.postgres
def test_undo_is_stored_too(store: Store) -> None:
    keeper = Keeper(store, eko_table())
    (seat,) = keeper.table.asked
    keeper.order(Act, seat=seat, action={"type": "swap"}, hold=True)
    keeper.order(Undo, seat=seat)
    again = stored_table(store, "t")
    assert (again.table.version, again.table.length, again.events) == (2, 0, 2)
    assert again.table == keeper.table
    assert store.log("t") == []
