"""Damaged states are rebuilt or reported; a batch that is cut off leaves nothing."""

from __future__ import annotations

import multiprocessing
import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ekoes.errors import StorageError
from ekoes.games.eko.game import EKO
from ekoes.storage.store import Store
from ekoes.storage.tables import Change, Taken, orders_taken
from ekoes.tables.orders import Act
from ekoes.tables.submit import submit
from tests.unit.storage.keeping import NOW, Keeper, eko_table
from tests.unit.storage.test_other_rules import plays_twice, written_by
from tools.faults.servers import cut


def damage(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        assert database.execute(statement).rowcount > 0


LATEST = "UPDATE states SET state = replace(state, '\"version\":64', '\"version\":6') WHERE number = 64"


@pytest.mark.parametrize(
    "how",
    [
        LATEST,
        "UPDATE states SET state = substr(state, 1, 500) WHERE number = 64",
        "UPDATE states SET state = '{}' WHERE number >= 48",
    ],
)
def test_damaged_state_is_skipped(store: Store, path: Path, how: str) -> None:
    keeper = Keeper(store, eko_table())
    keeper.play(70)
    stood = keeper.table
    damage(path, how)
    keeper.open_again()
    assert (keeper.table.position, keeper.table.begun, keeper.table.version) == (
        stood.position, stood.begun, 70,
    )  # fmt: skip
    assert store.past("t", 66).log[-1].position == stood.log[65].position
    keeper.play(1)
    keeper.open_again()
    assert keeper.table.version == 71


def test_table_that_today_s_rules_do_not_come_to_names_the_event(store: Store, path: Path) -> None:
    written_by(store, plays_twice)
    damage(path, "UPDATE states SET state = '{}' WHERE number = 70")
    with pytest.raises(StorageError) as damaged:
        store.load("t")
    assert damaged.value.code == "storage/damaged"
    assert str(damaged.value).startswith("event 65 of table t ")
    assert "the release that judged it can open the table" in str(damaged.value)


def test_damaged_event_is_named_where_it_is_needed(store: Store, path: Path) -> None:
    keeper = Keeper(store, eko_table())
    keeper.play(70)
    keeper.close()
    damage(path, 'UPDATE events SET body = \'{"type":"act"}\' WHERE number = 66')
    keeper.open_again()
    damage(path, "UPDATE states SET state = '{}' WHERE number = 70")
    with pytest.raises(StorageError, match="event 66 of table t does not fit"):
        store.load("t")


def test_error_names_the_event_when_no_state_is_sound(store: Store, path: Path) -> None:
    Keeper(store, eko_table()).play(3)
    damage(path, "UPDATE states SET state = ''")
    with pytest.raises(StorageError, match="no state of table t up to event 3 is sound"):
        store.load("t")
    with pytest.raises(StorageError, match="no state of table t up to event 2 is sound"):
        store.past("t", 2)


NAMES = ("a", "b")
BEFORE = 15
STATEMENTS = 4
"""Of the batch below: the session, events, how tables stand, and states that are kept."""


def sixteenth(store: Store, name: str) -> Change:
    """Return the order of a table with which a snapshot is stored."""
    stored = store.load(name)
    assert stored is not None
    table: Any = stored.table
    (seat,) = table.asked
    action = EKO.action_to_json(table.position.legal(seat)[0])
    order = Act(key="sixteenth", version=table.version, seat=seat, action=action)
    return orders_taken(name, stored, [Taken(order, "all", NOW, submit(table, order, "all", NOW))])


def write_until(url: str, statements: int) -> None:
    """Write a batch in a process that ends after some of its statements."""
    store = Store(url)
    changes = [sixteenth(store, name) for name in NAMES]
    cut(store._engine, statements)
    assert store.write(changes) == [None] * len(changes)


@pytest.mark.parametrize(
    "statements",
    [
        *(pytest.param(n, marks=pytest.mark.long) for n in (*range(STATEMENTS - 1), STATEMENTS)),
        STATEMENTS - 1,
    ],
)
def test_batch_that_is_cut_is_not_there_at_all(store: Store, url: str, path: Path, statements: int) -> None:
    keepers = [Keeper(store, eko_table(seed), name) for seed, name in enumerate(NAMES, 1)]
    for keeper in keepers:
        keeper.play(BEFORE)
    writer = multiprocessing.get_context("spawn").Process(target=write_until, args=(url, statements))
    writer.start()
    writer.join()
    is_written = statements == STATEMENTS
    assert writer.exitcode == (0 if is_written else -signal.SIGKILL)
    for keeper in keepers:
        stood = keeper.table
        keeper.open_again()
        assert keeper.stored.events == BEFORE + is_written
        assert len(store.log(keeper.id)) == BEFORE + is_written
        assert store.past(keeper.id, BEFORE).log[-1].position == stood.position
        keeper.play(3)
        assert store.past(keeper.id, BEFORE + 2).length == BEFORE + 2
