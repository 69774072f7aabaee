"""A batch that is cut off in its middle is not there at all; what was committed before it is."""

from __future__ import annotations

import multiprocessing
import signal
from pathlib import Path
from typing import Any

import pytest

from ekoes.games.eko.game import EKO
from ekoes.storage.store import Store
from ekoes.storage.tables import Change, Taken, orders_taken
from ekoes.tables.orders import Act
from ekoes.tables.submit import submit
from tests.unit.storage.keeping import NOW, Keeper, eko_table
from tools.faults.servers import cut

NAMES = ("a", "b")
BEFORE = 15
STATEMENTS = 5
"""Of the batch below: the session, events, entries, how tables stand, and states that are kept."""


def sixteenth(store: Store, name: str) -> Change:
    """Return the order of a table with which a state is kept for good."""
    kept = store.load(name)
    assert kept is not None
    table: Any = kept.table
    (seat,) = table.asked
    action = EKO.action_to_json(table.position.legal(seat)[0])
    order = Act(key="sixteenth", version=table.version, seat=seat, action=action)
    return orders_taken(name, kept, [Taken(order, "all", NOW, submit(table, order, "all", NOW))])


def write_until(url: str, statements: int) -> None:
    """Write a batch in a process that ends after some of its statements."""
    store = Store(url)
    changes = [sixteenth(store, name) for name in NAMES]
    cut(store._engine, statements)
    assert store.write(changes) == [None] * len(changes)


@pytest.mark.parametrize(
    "statements", [0, *(pytest.param(n, marks=pytest.mark.long) for n in range(1, STATEMENTS)), STATEMENTS]
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
        assert keeper.kept.events == BEFORE + is_written
        assert len(store.log(keeper.id)) == BEFORE + is_written
        assert store.past(keeper.id, BEFORE).log[-1].position == stood.position
        keeper.play(3)
        assert store.past(keeper.id, BEFORE + 2).length == BEFORE + 2
