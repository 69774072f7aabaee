"""What tables cost in memory: nothing once nobody is there, and little while somebody is."""

from __future__ import annotations

import gc
import tracemalloc
from contextlib import AsyncExitStack
from typing import Any

from ekoes.server.runtime.hub import Hub
from ekoes.server.runtime.table_actor import TableActor
from ekoes.storage.store import Store
from ekoes.tables.create import new_table
from ekoes.tables.orders import Act
from ekoes.tables.seats import Seat
from tests.unit.server.hub_room import Room, in_loop

TABLES = 40
DECISIONS = 8
KIB = 1024


class Reader:
    """Somebody who keeps nothing of what they are sent."""

    def __init__(self, session: str) -> None:
        self.session = session

    def send(self, _text: str) -> None:
        """Hear it."""


async def play(live: TableActor) -> None:
    """Take some decisions; each seat is another person's."""
    for number in range(DECISIONS):
        table: Any = live.table
        (seat,) = table.asked
        legal = table.position.legal(seat)
        action = table.position.game.action_to_json(legal[number % len(legal)])
        order = Act(key=f"k{table.version}", version=table.version, seat=seat, action=action)
        await live.submit(order, f"p{seat}")


async def sit(stay: AsyncExitStack, hub: Hub, table_id: str) -> None:
    """Let two people come to a table and play."""
    live = await stay.enter_async_context(hub.table(table_id))
    for session in ("p0", "p1"):
        reader = Reader(session)
        await live.join(reader)
        stay.callback(live.leave, reader)
    await play(live)


async def made(hub: Hub, tables: int) -> list[str]:
    seats = tuple(Seat("here", "", seat, session=f"p{seat}") for seat in range(2))
    return [await hub.create(new_table("eko", {"players": 2}, number % 4, seats)) for number in range(tables)]


@in_loop
async def test_a_table_that_everybody_has_left_leaves_nothing_behind(store: Store) -> None:
    """Some are played at before, so that what is remembered of boards and statements is there."""
    room = Room(store, lambda: ())
    async with AsyncExitStack() as stay:
        for table_id in await made(room.hub, TABLES):
            await sit(stay, room.hub, table_id)
    fresh = await made(room.hub, TABLES)
    gc.collect()
    tracemalloc.start()
    async with AsyncExitStack() as stay:
        for table_id in fresh:
            await sit(stay, room.hub, table_id)
        gc.collect()
        there, _ = tracemalloc.get_traced_memory()
    gc.collect()
    left, _ = tracemalloc.get_traced_memory()
    assert not [each for each in gc.get_objects() if isinstance(each, TableActor)]
    tracemalloc.stop()
    await room.hub.stop()
    assert there / TABLES < 64 * KIB
    assert left / TABLES < 4 * KIB, "and what the latest batch has written"
