"""A database that was away is found again: nothing acknowledged is missing, and nobody starts anew."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from ekoes.errors import StorageError
from ekoes.storage.engine import connect
from ekoes.storage.store import Store
from tests.services.postgres import Postgres, postgres
from tests.unit.storage.keeping import Keeper, eko_table


@pytest.fixture
def server() -> Postgres:
    return postgres()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT], ids=["restarted", "crashed"])
def test_store_goes_on_when_its_database_is_there_again(server: Postgres, how: signal.Signals) -> None:
    with server.database() as url:
        store = Store(url)
        keeper = Keeper(store, eko_table())
        keeper.play(5)
        server.stop(how)
        try:
            with pytest.raises(StorageError) as told:
                keeper.play(1)
            assert told.value.code == "storage/failed"
            assert keeper.kept.events == 5
        finally:
            server.start()
        keeper.play(1)
        keeper.open_again()
        assert keeper.kept.events == 6
        store.close()


def test_no_request_fails_where_the_database_was_away_and_nobody_asked(server: Postgres) -> None:
    with server.database() as url:
        store = Store(url)
        keeper = Keeper(store, eko_table())
        keeper.play(2)
        server.stop()
        server.start()
        keeper.play(1)
        keeper.open_again()
        assert keeper.kept.events == 3
        store.close()


def test_whoever_is_asked_for_a_library_is_told_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StorageError, match=r"pip install 'ekoes\[postgres\]'") as told:
        Store("postgresql://ekoes@/nothing")
    assert told.value.code == "storage/address"


def test_failures_of_a_database_show_no_values(tmp_path: Path) -> None:
    """They may be read in a log: hands and names are not in it."""
    engine = connect(f"sqlite:///{tmp_path / 'games.sqlite'}")
    asked = text("SELECT * FROM nothing WHERE hand = :hand")
    with pytest.raises(SQLAlchemyError) as failed, engine.begin() as connection:
        connection.execute(asked, {"hand": "11, 45"})
    assert "nothing" in str(failed.value)
    assert "11, 45" not in str(failed.value)
    engine.dispose()


def test_password_of_a_database_is_not_told() -> None:
    for address in (
        "postgresql://ekoes:geheim@127.0.0.1:1/x",
        "postgresql:/ekoes:geheim@/x",
        "mysql://a:geheim@b/c",
    ):
        with pytest.raises(StorageError) as told:
            Store(address)
        assert "geheim" not in str(told.value)
