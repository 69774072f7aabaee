from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import pytest

from ekoes.errors import StorageError, TableError
from ekoes.server.runtime.hub import Hub
from ekoes.storage.store import Store
from ekoes.storage.tables import Change
from ekoes.tables.create import new_table
from ekoes.tables.orders import Act, Pace, Rename
from ekoes.tables.seats import Seat
from ekoes.tables.turns.table import TurnTable
from tests.apart import apart, run_apart
from tests.kit.stored import create
from tests.unit.server.hub_room import SwiftClock
from tests.unit.tables.racing import NOW

T = TypeVar("T")
BOTS = (Seat("bot", "", 0, bot="random"), Seat("bot", "", 1, bot="greedy"))
PERSON_AND_BOT = (Seat("here", "", 0, session="ada"), Seat("bot", "", 1, bot="random"))


def table_of(seats: tuple[Seat, ...], seed: int = 1) -> TurnTable:
    table = new_table("eko", {"players": 2}, seed, seats, turn_limit=1)
    assert isinstance(table, TurnTable)
    return table


def stored(store: Store, table_id: str) -> TurnTable:
    kept = store.load(table_id)
    assert kept is not None
    assert isinstance(kept.table, TurnTable)
    return kept.table


async def rest(hub: Hub) -> None:
    """Wait until no bot is at work, and see that the hub has then forgotten every table."""
    tasks = [live._scheduler._task for live in hub._tables.values() if live._scheduler._task is not None]
    await asyncio.gather(*tasks)
    assert hub._tables == {}


@run_apart
async def test_bots_go_on_at_the_start_though_nobody_opens_the_table(store: Store) -> None:
    create(store, "t", table_of(BOTS), NOW)
    hub = Hub(store, SwiftClock())
    await hub.start()
    assert hub._starting is not None
    await hub._starting
    await rest(hub)
    await hub.stop()
    assert stored(store, "t").outcome is not None


@run_apart
async def test_bot_answers_a_person_and_rests(store: Store) -> None:
    seed = next(seed for seed in range(99) if table_of(PERSON_AND_BOT, seed).asked == (0,))
    hub = Hub(store, SwiftClock())
    table_id = await hub.create(table_of(PERSON_AND_BOT, seed))
    async with hub.table(table_id) as live:
        assert await live.submit(Pace(key="p", milliseconds=0), "ada") == 0
        order = Act(key="a", version=0, seat=0, action={"type": "swap"})
        assert await live.submit(order, "ada") == 1
        assert live.is_scheduled
    await rest(hub)
    await hub.stop()
    assert [json.loads(entry)["seat"] for entry in store.log(table_id)][:2] == [0, 1]
    assert stored(store, table_id).asked == (0,)


@run_apart
async def test_bot_retries_what_the_store_refused(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ekoes.server.runtime.table_actor._STORE_RETRY", 0)
    write = store.write
    refused: list[object] = []

    def write_the_second_time(changes: Sequence[Change]) -> list[StorageError | None]:
        if refused or not any(change.events for change in changes):
            return write(changes)
        refused.extend(changes)
        return [StorageError("the disk is full for a moment") for _ in changes]

    monkeypatch.setattr(store, "write", write_the_second_time)
    seed = next(seed for seed in range(99) if table_of(PERSON_AND_BOT, seed).asked == (1,))
    hub = Hub(store, SwiftClock())
    table_id = await hub.create(replace(table_of(PERSON_AND_BOT, seed), pace=0))
    await rest(hub)
    await hub.stop()
    table = stored(store, table_id)
    assert refused
    assert table.asked == (0,)


@run_apart
async def test_stopping_does_not_wait_for_slow_bots(store: Store) -> None:
    hub = Hub(store, SwiftClock())
    await hub.create(table_of(BOTS))
    await hub.stop()
    assert asyncio.all_tasks() == {asyncio.current_task()}


@run_apart
async def test_table_that_is_not_there_is_not_remembered(store: Store) -> None:
    hub = Hub(store, SwiftClock())
    with pytest.raises(TableError):
        async with hub.table("nothing"):
            pass
    assert hub._tables == {}
    await hub.stop()


def test_order_of_long_ago_is_answered_as_it_was_and_not_done_again(store: Store) -> None:
    """After a restart nobody remembers the key, and the order fits once more: the store refuses it."""

    async def serve(table_id: str, *names: str) -> list[int]:
        hub = Hub(store, SwiftClock())
        async with hub.table(table_id) as live:
            versions = [
                await live.submit(Rename(key=f"name-{name}", seat=0, name=name), "ada") for name in names
            ]
            assert live.table.seats[0].name == "Grace"
        await hub.stop()
        return versions

    seed = next(seed for seed in range(99) if table_of(PERSON_AND_BOT, seed).asked == (0,))
    create(store, "t", table_of(PERSON_AND_BOT, seed), NOW)
    assert apart(serve("t", "Ada", "Grace")) == [0, 0]
    assert apart(serve("t", "Ada")) == [0]
    kept = store.load("t")
    assert kept is not None
    assert kept.events == 2
