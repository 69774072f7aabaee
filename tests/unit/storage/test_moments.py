"""Who looks back: each moment is judged once, and the next one from it."""

from __future__ import annotations

from typing import Any

import pytest

from ekoes.storage.cache import LRUCache
from ekoes.storage.store import Store
from ekoes.tables.submit import submit
from tests.unit.storage.keeping import Keeper, eko_table


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The keys of the orders that are judged anew."""
    keys: list[str] = []

    def counted(table: Any, order: Any, *others: Any) -> Any:
        keys.append(order.key)
        return submit(table, order, *others)

    monkeypatch.setattr("ekoes.storage.tables.submit", counted)
    return keys


def test_next_moment_is_judged_from_the_one_before(store: Store, judged: list[str]) -> None:
    keeper = Keeper(store, eko_table())
    keeper.play(30)
    for moment, events in ((24, 8), (25, 1), (24, 0), (26, 1), (9, 9)):
        before = len(judged)
        then: Any = store.past("t", moment)
        assert (then.length, len(judged) - before) == (moment, events)
    fresh = Store(str(store._engine.url))
    assert fresh.past("t", 26) == store.past("t", 26)
    fresh.close()


def test_what_was_asked_for_longest_ago_is_forgotten() -> None:
    known: LRUCache[str] = LRUCache(2)
    known.put(1, "one")
    known.put(2, "two")
    assert known.get(1) == "one"
    known.put(3, "three")
    assert [known.get(key) for key in (1, 2, 3)] == ["one", None, "three"]
