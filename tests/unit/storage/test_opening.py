"""Opening a table takes the same work for short and long games, and writes nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from ekoes.storage.cache import LRUCache
from ekoes.storage.store import Store
from ekoes.storage.tables import STATE_INTERVAL
from ekoes.tables.orders import Undo
from ekoes.tables.submit import submit
from tests.unit.storage.keeping import Keeper, eko_table


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
