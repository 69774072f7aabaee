"""What the harness of faults reads in a database, whichever it is: that nothing promised is missing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import delete, select, update

from ekoes.storage.engine import connect, transaction
from ekoes.storage.schema import EventRow
from ekoes.storage.store import Store
from tests.unit.storage.keeping import Keeper, eko_table
from tools.faults.audit import faults
from tools.faults.player import Acknowledged

ACT = {"type": "act", "action": {"type": "move"}}


@pytest.fixture
def told(store: Store, url: str) -> list[Acknowledged]:
    """Return what a player was acknowledged who has played for a while."""
    Keeper(store, eko_table()).play(12)
    engine = connect(url)
    asked = select(EventRow.table_id, EventRow.key, EventRow.version).order_by(EventRow.number)
    with transaction(engine) as connection:
        found = [Acknowledged(*row, ACT) for row in connection.execute(asked)]
    engine.dispose()
    return found


def test_nothing_is_wrong_where_all_is_kept_as_it_was_told(url: str, told: list[Acknowledged]) -> None:
    assert len(told) == 12
    assert faults(url, [told, [replace(told[3], is_again=True)]]) == []


def test_what_is_missing_doubled_or_out_of_order_is_seen(url: str, told: list[Acknowledged]) -> None:
    first, second, *_ = told
    (lost,) = faults(url, [[replace(first, key="never")]])
    assert "is not stored" in lost
    (gone,) = faults(url, [[replace(first, table="gone")]])
    assert "is not stored" in gone
    (other,) = faults(url, [[replace(first, version=first.version + 1)]])
    assert "is stored as" in other
    (turned,) = faults(url, [[second, first]])
    assert "out of order" in turned


def test_an_event_that_is_gone_or_stands_for_another_is_seen(url: str, told: list[Acknowledged]) -> None:
    engine = connect(url)
    with transaction(engine) as connection:
        connection.execute(update(EventRow).where(EventRow.number == 5).values(key=told[5].key + "-stale"))
    (gone,) = faults(url, [told])
    assert told[4].key in gone
    with transaction(engine) as connection:
        connection.execute(delete(EventRow).where(EventRow.number == 12))
    assert any("has the events" in fault for fault in faults(url, [told[:4]]))
    engine.dispose()
