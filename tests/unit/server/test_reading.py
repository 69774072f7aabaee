"""Who reads: the store is asked once for what many look at, and what is told is never old."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from ekoes.server.runtime.table_actor import TableActor
from ekoes.storage.store import Store
from ekoes.tables.create import new_table
from ekoes.tables.orders import Act, Undo
from ekoes.tables.seats import Seat
from tests.unit.server.hub_room import Room, in_loop

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
    (seat,) = (seat for seat in range(2) if table.can_undo(seat))
    await live.submit(Undo(key=f"k{table.version}", version=table.version, seat=seat), "ada")


@in_loop
async def test_log_and_moment_are_read_once_and_anew_when_something_has_happened(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def counted(name: str) -> None:
        method = getattr(Store, name)

        def asked(*given: Any) -> Any:
            read.append(name)
            return method(*given)

        monkeypatch.setattr(Store, name, asked)

    room = Room(store, lambda: ())
    async with room.table(new_table("eko", {"players": 2}, 1, ADA)) as live:
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
        assert log == [json.loads(text) for text in store.log(live.id)]
        assert len(log) == live.table.length


@in_loop
async def test_readers_do_not_wait_for_an_order_that_is_being_kept(store: Store) -> None:
    room = Room(store, lambda: ())
    async with room.table(new_table("eko", {"players": 2}, 1, ADA)) as live:
        await decide(live, 12)
        # an order is being judged and written
        async with live._lock, asyncio.timeout(60), room.hub.table(live.id) as read:
            assert json.loads(await read.table_text("eve"))["version"] == 12
            assert await read.past_json(3) == await read.past_json(3)
            assert await read.record()
