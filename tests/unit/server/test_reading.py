"""Who reads: the store is asked once for what many look at, and what is told is never old."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from ekoes.games.changing import changed
from ekoes.match.new import new_table
from ekoes.match.orders import Act, Undo
from ekoes.match.seats import Seat
from ekoes.server.ledger import Ledger
from ekoes.server.live import LiveTable
from ekoes.storage.store import Store
from tests.unit.server.hub_room import Room, run, settled

ADA = (Seat("here", "", 0, session="ada"), Seat("here", "", 1, session="ada"))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(f"sqlite:///{tmp_path / 'test.sqlite'}")
    yield store
    store.close()


async def decide(live: LiveTable, decisions: int) -> None:
    """Take the last of what is legal, again and again; whoever decides is one person."""
    for _ in range(decisions):
        table: Any = live.table
        (seat,) = table.asked
        action = table.position.game.action_to_json(table.position.legal(seat)[-1])
        await live.take(Act(key=f"k{table.version}", version=table.version, seat=seat, action=action), "ada")


async def take_back(live: LiveTable) -> None:
    """Take the latest decision back."""
    table: Any = live.table
    (seat,) = (seat for seat in range(2) if table.can_undo(seat))
    await live.take(Undo(key=f"k{table.version}", version=table.version, seat=seat), "ada")


def test_log_and_moment_are_read_once_and_anew_when_something_has_happened(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def counted(name: str) -> None:
        method = getattr(Store, name)

        def asked(*given: Any) -> Any:
            read.append(name)
            return method(*given)

        monkeypatch.setattr(Store, name, asked)

    async def serve() -> None:
        room = Room(store, lambda: ())
        table_id = await room.hub.create(new_table("eko", {"players": 2}, 1, ADA))
        async with room.hub.table(table_id) as live:
            await decide(live, 20)
            counted("log")
            counted("past")
            texts = [await live.table_text("eve") for _ in range(3)]
            moments = [await live.past_json(5) for _ in range(3)]
            assert read == ["log", "past"]
            assert moments[0] == moments[2]
            assert texts[0] == texts[2]
            await decide(live, 9)
            await take_back(live)
            log = json.loads(await live.table_text("eve"))["log"]
            assert log == [json.loads(text) for text in store.log(table_id)]
            assert len(log) == live.table.length
        await room.hub.stop()

    run(serve())


def test_readers_do_not_wait_for_an_order_that_is_being_kept(store: Store) -> None:
    async def serve() -> None:
        room = Room(store, lambda: ())
        table_id = await room.hub.create(new_table("eko", {"players": 2}, 1, ADA))
        async with room.hub.table(table_id) as live:
            await decide(live, 12)
            # an order is being judged and written
            async with live._lock, asyncio.timeout(60), room.hub.table(table_id) as read:
                assert json.loads(await read.table_text("eve"))["version"] == 12
                assert await read.past_json(3) == await read.past_json(3)
                assert await read.record("eve")
        await room.hub.stop()

    run(serve())


def test_who_comes_while_a_table_is_opened_sees_nothing_before_its_time(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = changed(new_table("eko", {"players": 2}, 1, ADA), delay=60)
    fetch = Ledger.since

    async def serve() -> None:
        room, fresh = Room(store, lambda: ()), Room(store, lambda: ())
        table_id = await room.hub.create(table)
        async with room.hub.table(table_id) as live:
            await decide(live, 3)
        await room.hub.stop()
        others: list[asyncio.Task[int]] = []

        async def seen() -> int:
            async with fresh.hub.table(table_id) as live:
                return live.seen_by(None).version

        async def fetched(ledger: Ledger, moment: datetime) -> Any:
            """Let somebody else come before it is known how the table stood."""
            others.append(asyncio.create_task(seen()))
            await settled()
            return await fetch(ledger, moment)

        monkeypatch.setattr(Ledger, "since", fetched)
        assert await seen() == 0
        assert await others[0] == 0
        await fresh.hub.stop()

    run(serve())
