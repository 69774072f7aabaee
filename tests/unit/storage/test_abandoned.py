"""Which tables are abandoned, and that nothing but them is put away."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import create_engine, text

from ekoes.errors import StorageError
from ekoes.storage.store import Store
from ekoes.tables.create import new_table
from ekoes.tables.orders import Rename, Resign, Sit
from ekoes.tables.settings import Seat
from ekoes.tables.submit import submit
from ekoes.tables.table import Table
from tests.kit.stored import account, append, create, stored_table

NOW = datetime(2026, 5, 1, tzinfo=UTC)
LATER = NOW + timedelta(days=1)
SEATS = (Seat("here", "Ada", 0, session="ada"), Seat("open", "", 1))


def made(store: Store, table_id: str, seats: tuple[Seat, ...] = SEATS) -> None:
    table = new_table("eko", {"players": 2}, 3, seats)
    create(store, table_id, table, NOW)


def take(store: Store, table_id: str, order: object, session: str, at: datetime = NOW) -> Table:
    stored = stored_table(store, table_id)
    after = submit(stored.table, order, session, at)  # type: ignore[arg-type]
    return append(store, table_id, stored, order, session, at, after).table  # type: ignore[arg-type]


def found(store: Store) -> list[str]:
    return list(store.abandoned.find(LATER, "", 100)[0])


@pytest.mark.postgres
def test_abandoned_table_is_deleted_with_all_its_rows(store: Store, url: str) -> None:
    made(store, "old")
    made(store, "other")
    take(store, "old", Sit(key="a", seat=1), "bo")
    take(store, "other", Sit(key="a", seat=1), "bo", LATER)
    assert found(store) == ["old"]
    assert store.abandoned.remove("old", LATER)
    assert not store.abandoned.remove("other", LATER)
    assert (store.load("old"), found(store)) == (None, [])
    engine = create_engine(url)
    with engine.connect() as database:
        for part in ("seats", "places", "events", "states", "lines", "mutes"):
            rows = database.execute(text(f"SELECT count(*) FROM {part} WHERE table_id = 'old'"))  # noqa: S608
            assert rows.scalar_one() == 0, part
    engine.dispose()
    assert store.load("other") is not None


def sits(store: Store) -> None:
    take(store, "t", Sit(key="a", seat=1), "di")


def has_sat(store: Store) -> None:
    sits(store)
    take(store, "t", Rename(key="b", seat=1, name="Di"), "di")


def is_over(store: Store) -> None:
    sits(store)
    take(store, "t", Resign(key="c", version=0, seat=0), "ada")


@pytest.mark.parametrize(("happens", "name"), [(sits, "di"), (has_sat, "di"), (is_over, None), (sits, "ada")])
def test_tables_of_accounts_are_not_abandoned(
    store: Store, happens: Callable[[Store], None], name: str | None
) -> None:
    made(store, "t")
    happens(store)
    if name is not None:
        assert found(store) == ["t"]
        account(store, name)
    assert found(store) == []
    assert not store.abandoned.remove("t", LATER)


def test_it_looks_through_a_few_at_a_time(store: Store) -> None:
    for number in range(5):
        made(store, f"t{number}")
    assert store.abandoned.find(LATER, "", 2) == (["t0", "t1"], "t1")
    assert store.abandoned.find(LATER, "t1", 2) == (["t2", "t3"], "t3")
    assert store.abandoned.find(LATER, "t3", 2) == (["t4"], None)
    assert store.abandoned.find(NOW, "", 100) == ([], None)


def test_table_that_another_process_has_just_taken_over_stays(store: Store) -> None:
    ada, bob = store.leases.join("a:1"), store.leases.join("b:1")
    made(store, "t")
    mine = store.leases.claim(ada, "t")
    store.leases.end(ada)
    theirs = store.leases.claim(bob, "t")
    with pytest.raises(StorageError, match="another process") as refused:
        store.abandoned.remove("t", LATER, mine)
    assert refused.value.code == "storage/fenced"
    assert store.load("t") is not None
    assert store.abandoned.remove("t", LATER, theirs)
    assert (store.load("t"), store.leases.claim(bob, "t")) == (None, None)
