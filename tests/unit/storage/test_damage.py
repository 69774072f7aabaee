"""What is damaged in the file is made again, or named; it is never shown."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ekoes.errors import StorageError
from ekoes.storage.store import Store
from tests.unit.storage.keeping import Keeper, eko_table
from tests.unit.storage.test_other_rules import plays_twice, written_by


def damage(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        assert database.execute(statement).rowcount > 0


LATEST = "UPDATE tables SET state = replace(state, '\"version\":70', '\"version\":7')"


@pytest.mark.parametrize(
    "how", [LATEST, "UPDATE tables SET state = substr(state, 1, 500)", "UPDATE tables SET state = '{}'"]
)
def test_damaged_state_is_made_again(store: Store, path: Path, how: str) -> None:
    keeper = Keeper(store, eko_table())
    keeper.play(70)
    stood = keeper.table
    damage(path, how)
    keeper.open_again()
    assert (keeper.table.position, keeper.table.begun, keeper.table.version) == (
        stood.position, stood.begun, 70,
    )  # fmt: skip
    keeper.play(1)
    keeper.open_again()
    assert keeper.table.version == 71


def test_damaged_kept_state_is_passed_over(store: Store, path: Path) -> None:
    keeper = Keeper(store, eko_table())
    keeper.play(70)
    damage(path, LATEST)
    damage(path, "UPDATE states SET state = 'x' WHERE number = 64")
    stood = keeper.table
    keeper.open_again()
    assert keeper.table.position == stood.position
    assert store.past("t", 66).log[-1].position == stood.log[65].position


def test_damaged_state_that_today_s_rules_do_not_come_to_names_the_event(store: Store, path: Path) -> None:
    written_by(store, plays_twice)
    damage(path, LATEST)
    with pytest.raises(StorageError) as damaged:
        store.load("t")
    assert damaged.value.code == "storage/damaged"
    assert str(damaged.value).startswith("the state of table t is damaged, and event 65 of table t ")


def test_damaged_event_is_named_where_it_is_needed(store: Store, path: Path) -> None:
    keeper = Keeper(store, eko_table())
    keeper.play(70)
    damage(path, 'UPDATE events SET body = \'{"type":"act"}\' WHERE number = 66')
    keeper.open_again()
    damage(path, LATEST)
    with pytest.raises(StorageError, match="event 66 of table t does not fit"):
        store.load("t")


def test_nothing_sound_is_said_plainly(store: Store, path: Path) -> None:
    Keeper(store, eko_table()).play(3)
    damage(path, "UPDATE tables SET state = ''")
    damage(path, "UPDATE states SET state = ''")
    with pytest.raises(StorageError, match="no state of table t before event 3 is sound"):
        store.load("t")
    with pytest.raises(StorageError, match="no state of table t before event 2 is sound"):
        store.past("t", 2)
