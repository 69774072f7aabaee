"""A database that was unreachable is used again, and the audit of the fault harness."""

from __future__ import annotations

import signal
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import delete, select, text, update
from sqlalchemy.exc import SQLAlchemyError

from ekoes.errors import StorageError
from ekoes.storage.engine import connect, transaction
from ekoes.storage.schema import EventRow
from ekoes.storage.store import Store
from tests.services.postgres import Postgres, postgres
from tests.unit.storage.keeping import Keeper, eko_table
from tools.faults.audit import faults
from tools.faults.player import Acknowledged


@pytest.fixture
def server() -> Postgres:
    return postgres()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT], ids=["restarted", "crashed"])
def test_store_recovers_when_its_database_returns(server: Postgres, how: signal.Signals) -> None:
    with server.database() as url:
        store = Store(url)
        keeper = Keeper(store, eko_table())
        keeper.play(5)
        server.stop(how)
        try:
            with pytest.raises(StorageError) as error:
                keeper.play(1)
            assert error.value.code == "storage/failed"
            assert keeper.stored.events == 5
        finally:
            server.start()
        keeper.play(1)
        keeper.open_again()
        assert keeper.stored.events == 6
        store.close()


def test_idle_connection_survives_a_database_restart(server: Postgres) -> None:
    with server.database() as url:
        store = Store(url)
        keeper = Keeper(store, eko_table())
        keeper.play(2)
        server.stop()
        server.start()
        keeper.play(1)
        keeper.open_again()
        assert keeper.stored.events == 3
        store.close()


def test_missing_database_driver_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StorageError, match=r"pip install 'ekoes\[postgres\]'") as error:
        Store("postgresql://ekoes@/nothing")
    assert error.value.code == "storage/address"


def test_failures_of_a_database_show_no_values(tmp_path: Path) -> None:
    """They may be read in a log: hands and names are not in it."""
    engine = connect(f"sqlite:///{tmp_path / 'games.sqlite'}")
    asked = text("SELECT * FROM nothing WHERE hand = :hand")
    with pytest.raises(SQLAlchemyError) as failed, engine.begin() as connection:
        connection.execute(asked, {"hand": "11, 45"})
    assert "nothing" in str(failed.value)
    assert "11, 45" not in str(failed.value)
    engine.dispose()


def test_errors_hide_the_database_password() -> None:
    for address in (
        "postgresql://ekoes:geheim@127.0.0.1:1/x",
        "postgresql:/ekoes:geheim@/x",
        "mysql://a:geheim@b/c",
    ):
        with pytest.raises(StorageError) as error:
            Store(address)
        assert "geheim" not in str(error.value)


ACT = {"type": "act", "action": {"type": "move"}}


@pytest.fixture
def acked(store: Store, url: str) -> list[Acknowledged]:
    """Return the acknowledged orders of a short game."""
    Keeper(store, eko_table()).play(12)
    engine = connect(url)
    asked = select(EventRow.table_id, EventRow.key, EventRow.version).order_by(EventRow.number)
    with transaction(engine) as connection:
        found = [Acknowledged(*row, ACT) for row in connection.execute(asked)]
    engine.dispose()
    return found


def test_audit_finds_no_fault_in_a_sound_database(url: str, acked: list[Acknowledged]) -> None:
    assert len(acked) == 12
    assert faults(url, [acked, [replace(acked[3], is_again=True)]]) == []


def test_audit_finds_missing_altered_and_reordered_events(url: str, acked: list[Acknowledged]) -> None:
    first, second, *_ = acked
    (lost,) = faults(url, [[replace(first, key="never")]])
    assert "is not stored" in lost
    (gone,) = faults(url, [[replace(first, table="gone")]])
    assert "is not stored" in gone
    (other,) = faults(url, [[replace(first, version=first.version + 1)]])
    assert "is stored as" in other
    (turned,) = faults(url, [[second, first]])
    assert "out of order" in turned


def test_audit_finds_deleted_and_replaced_events(url: str, acked: list[Acknowledged]) -> None:
    engine = connect(url)
    with transaction(engine) as connection:
        connection.execute(update(EventRow).where(EventRow.number == 5).values(key=acked[5].key + "-stale"))
    (gone,) = faults(url, [acked])
    assert acked[4].key in gone
    with transaction(engine) as connection:
        connection.execute(delete(EventRow).where(EventRow.number == 12))
    assert any("has the events" in fault for fault in faults(url, [acked[:4]]))
    engine.dispose()
