"""Opening a table takes the same work in short and long games, writes nothing, and notices damage."""

from __future__ import annotations

import json
import multiprocessing
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from ekoes.errors import StorageError
from ekoes.games.eko.game import EKO
from ekoes.storage.cache import LRUCache
from ekoes.storage.store import Store
from ekoes.storage.tables import STATE_INTERVAL, Change, Taken, take
from ekoes.tables.orders import Act, Undo
from ekoes.tables.submit import submit
from tests.kit.stored import stored_table
from tests.unit.storage.keeping import NOW, Keeper, eko_table
from tests.unit.storage.test_other_rules import plays_twice, written_by
from tools.faults.servers import cut


def steps(store: Store, work: Callable[[], object]) -> int:
    """Return how many steps of SQLite's machine some work takes."""
    taken = 0

    def count() -> None:
        nonlocal taken
        taken += 1

    def watch(connection: Any, *_: object) -> None:
        connection.set_progress_handler(count, 1)

    event.listen(store._engine, "checkout", watch)
    work()
    event.remove(store._engine, "checkout", watch)
    return taken


def test_opening_is_the_same_work_for_a_short_and_a_long_game(
    store: Store, path: Path, judged: list[str]
) -> None:
    """A step or two more where an index has grown a floor, and the steps that read a line of the log."""
    short, long = (Keeper(store, eko_table(1, players=4), name) for name in ("short", "long"))
    short.play(3 * STATE_INTERVAL + 2)
    long.play(18 * STATE_INTERVAL + 2)
    store.people.learn(str(seat.session) for seat in short.table.seats)  # a name is read once
    opened = [steps(store, partial(store.load, name)) for name in ("short", "long")]
    assert 10 < opened[0] <= opened[1] <= opened[0] + 5
    assert len(judged) == 2 + 2, "what came after the latest state"
    short.close()
    assert steps(store, partial(store.load, "short")) < opened[0]
    assert len(judged) == 2 + 2, "nothing came after it"
    shown = [steps(store, partial(store.log, name)) for name in ("short", "long")]
    assert shown[1] - shown[0] <= 15 * STATE_INTERVAL * 11


def test_work_of_listing_own_tables_grows_with_their_number(store: Store, path: Path) -> None:
    work = []
    for many in (20, 80):
        for number in range(many):
            Keeper(store, eko_table(1), f"{many}-{number}")
        work += [steps(store, partial(one, "all", 5)) for one in (store.people.tables, store.people.running)]
    assert work[2] < 7 * work[0]
    assert work[3] < 7 * work[1]


def test_opening_and_looking_write_nothing(store: Store, path: Path) -> None:
    keeper = Keeper(store, eko_table())
    keeper.play(30)
    store.close()
    before = path.read_bytes()
    again = Store(f"sqlite:///{path}")
    assert again.load("t") is not None
    assert len(again.log("t")) == 30
    assert again.past("t", 12).length == 12
    assert "[Rules" in again.record("t")
    assert again.answer("t", "all", "nothing") is None
    again.close()
    assert path.read_bytes() == before


def test_log_is_the_text_that_goes_over_the_wire(store: Store) -> None:
    keeper = Keeper(store, eko_table())
    keeper.play(4)
    (asked,) = keeper.table.asked
    keeper.act(keeper.table.position.legal(asked)[0], hold=True)
    assert [json.loads(text) for text in store.log("t")] == keeper.table.entries_json()
    keeper.order(Undo, seat=asked)
    assert [json.loads(text) for text in store.log("t")] == keeper.table.entries_json()
    assert len(store.log("t")) == 4


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The keys of the orders that are judged anew."""
    keys: list[str] = []

    def counted(table: Any, order: Any, *others: Any) -> Any:
        keys.append(order.key)
        return submit(table, order, *others)

    monkeypatch.setattr("ekoes.storage.tables.submit", counted)
    return keys


def test_next_position_is_computed_from_the_previous_one(store: Store, judged: list[str]) -> None:
    keeper = Keeper(store, eko_table())
    keeper.play(30)
    for moment, events in ((24, 8), (25, 1), (24, 0), (26, 1), (9, 9)):
        before = len(judged)
        then: Any = store.past("t", moment)
        assert (then.length, len(judged) - before) == (moment, events)
    fresh = Store(str(store._engine.url))
    assert fresh.past("t", 26) == store.past("t", 26)
    fresh.close()


def test_cache_evicts_the_least_recently_used() -> None:
    known: LRUCache[str] = LRUCache(2)
    known.put(1, "one")
    known.put(2, "two")
    assert known.get(1) == "one"
    known.put(3, "three")
    assert [known.get(key) for key in (1, 2, 3)] == ["one", None, "three"]


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
    stored = stored_table(store, name)
    table: Any = stored.table
    (seat,) = table.asked
    action = EKO.action_to_json(table.position.legal(seat)[0])
    order = Act(key="sixteenth", version=table.version, seat=seat, action=action)
    change = Change(name)
    take(change, stored, [Taken(order, "all", NOW, submit(table, order, "all", NOW))])
    return change


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
