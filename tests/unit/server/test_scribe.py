"""Group commits, and reads that neither repeat nor wait for them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from sqlalchemy import event

from ekoes.errors import StorageError
from ekoes.server.runtime.commands import GroupCommitter
from ekoes.server.runtime.hub import Hub
from ekoes.server.runtime.table_actor import TableActor
from ekoes.storage.store import Store
from ekoes.storage.tables import Change, new_table
from ekoes.tables import create
from ekoes.tables.orders import Act, Pace, Rename, Undo
from ekoes.tables.settings import Seat
from tests.kit.loops import run_apart
from tests.kit.stored import stored_table
from tests.unit.server.hub_room import Room, SwiftClock, in_loop, settled
from tests.unit.storage.keeping import eko_table
from tests.unit.tables.racing import NOW


def fresh(name: str) -> Change:
    return new_table(name, eko_table(), NOW)[1]


class Slow(Store):
    """A store whose disk waits for the test."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.has_begun, self.may_go_on = Event(), Event()
        self.batches: list[list[str]] = []

    def write(self, changes: Sequence[Change]) -> list[StorageError | None]:
        self.has_begun.set()
        self.may_go_on.wait(60)
        self.batches.append([change.table_id for change in changes])
        return super().write(changes)


@run_apart
async def test_changes_that_wait_for_the_disk_are_one_commit(tmp_path: Path) -> None:
    store = Slow(f"sqlite:///{tmp_path / 'slow.sqlite'}")
    scribe = GroupCommitter(store)
    first = scribe.write(fresh("a"))
    await settled()
    others = [scribe.write(fresh(name)) for name in "bcd"]
    assert not first.done()
    store.may_go_on.set()
    await asyncio.gather(first, *others)
    await scribe.stop()
    assert store.batches == [["a"], ["b", "c", "d"]]
    assert [stored is not None for stored in map(store.load, "abcd")] == [True] * 4


def test_a_batch_is_one_transaction(store: Store) -> None:
    commits: list[object] = []
    event.listen(store._engine, "commit", commits.append)
    assert store.write([fresh(name) for name in "abc"]) == [None] * 3
    assert len(commits) == 1


def test_failed_change_does_not_fail_its_batch(store: Store) -> None:
    assert store.write([fresh("b")]) == [None]
    failures = store.write([fresh(name) for name in "abc"])
    assert [failure and failure.code for failure in failures] == [None, "storage/conflict", None]
    assert [stored is not None for stored in map(store.load, "abc")] == [True] * 3


@run_apart
async def test_cancelled_write_delays_no_other(tmp_path: Path) -> None:
    store = Slow(f"sqlite:///{tmp_path / 'slow.sqlite'}")
    scribe = GroupCommitter(store)
    gone, other = scribe.write(fresh("a")), scribe.write(fresh("b"))
    await settled()
    gone.cancel()
    store.may_go_on.set()
    await other
    await scribe.stop()
    assert store.batches == [["a", "b"]]
    assert [stored is not None for stored in map(store.load, "ab")] == [True] * 2


@run_apart
async def test_order_of_a_disconnected_sender_is_stored(tmp_path: Path) -> None:
    store = Slow(f"sqlite:///{tmp_path / 'slow.sqlite'}")
    Store.write(store, [fresh("t")])
    hub = Hub(store, SwiftClock())
    async with hub.table("t") as live:
        order = Pace(key="k", milliseconds=100)
        sender = asyncio.create_task(live.submit(order, "all"))
        assert await asyncio.to_thread(store.has_begun.wait, 60)
        sender.cancel()
        await settled()
        assert not sender.done(), "it is on its way"
        store.may_go_on.set()
        with pytest.raises(asyncio.CancelledError):
            await sender
        assert live.table.pace == 100
        assert await live.submit(Rename(key="l", seat=1, name="Grace"), "all") == 0
    await hub.stop()
    stored = stored_table(store, "t")
    assert (stored.events, stored.table.pace, stored.table.seats[1].name) == (2, 100, "Grace")


@run_apart
async def test_write_ahead_log_is_checkpointed_while_the_server_runs(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'test.sqlite'}")
    scribe = GroupCommitter(store)
    await asyncio.gather(*(scribe.write(fresh(f"t{number}")) for number in range(1250)))
    await scribe.stop()
    without = tmp_path / "without.sqlite"
    without.write_bytes((tmp_path / "test.sqlite").read_bytes())
    assert Store(f"sqlite:///{without}").load("t0") is not None


ADA = (Seat("here", "", 0, session="ada"), Seat("here", "", 1, session="ada"))


async def decide(live: TableActor, decisions: int) -> None:
    """Take the last of what is legal, again and again; whoever decides is one person."""
    for _ in range(decisions):
        table: Any = live.table
        (seat,) = table.asked
        action = table.position.game.action_to_json(table.position.legal(seat)[-1])
        await live.submit(
            Act(key=f"k{table.version}", version=table.version, seat=seat, action=action), "ada"
        )


async def take_back(live: TableActor) -> None:
    """Take the latest decision back."""
    table: Any = live.table
    seat = table.undo_seat
    await live.submit(Undo(key=f"k{table.version}", version=table.version, seat=seat), "ada")


@in_loop
async def test_log_is_cached_until_the_next_order(
    store: Store, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def asked(*given: Any) -> list[str]:
        read.append("log")
        return log(*given)

    log = Store.log

    async with room.table(create.new_table("eko", {"players": 2}, 1, ADA)) as live:
        await decide(live, 20)
        monkeypatch.setattr(Store, "log", asked)
        texts = [await live.table_text("eve") for _ in range(3)]
        assert read == ["log"]
        assert texts[0] == texts[2]
        await decide(live, 9)
        await take_back(live)
        shown = json.loads(await live.table_text("eve"))["log"]
        assert shown == [json.loads(text) for text in store.log(live.id)]
        assert len(shown) == live.table.length


@in_loop
async def test_readers_do_not_wait_for_a_pending_order(room: Room) -> None:
    async with room.table(create.new_table("eko", {"players": 2}, 1, ADA)) as live:
        await decide(live, 12)
        # an order is being judged and written
        async with live._lock, asyncio.timeout(60), room.hub.table(live.id) as read:
            assert json.loads(await read.table_text("eve"))["version"] == 12
            assert await read.past_json(3) == await read.past_json(3)
            assert await read.record()
