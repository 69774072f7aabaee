"""An intent counts from when it was read, however long those before it take."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from ekoes.server.realtime.connection import serve_connection
from ekoes.storage.store import Store
from tests.unit.server.hub_room import Room, in_loop, race, settled
from tests.unit.server.lines import ScriptedLine
from tests.unit.server.test_race_hub import cards
from tests.unit.tables.racing import NOW, people, race_table


@in_loop
async def test_k7_2_an_intent_that_waits_for_another_one_counts_from_its_arrival(store: Store) -> None:
    room, line = Room(store, cards), ScriptedLine()
    table_id = await room.hub.create(race_table(people(2), 1))
    served = asyncio.create_task(serve_connection(line.socket, room.hub, table_id, "p0"))
    await settled()
    async with room.hub.table(table_id) as live:
        async with live._lock:  # somebody else's order is being written
            line.bring(type="rename", key="first", seat=0, name="Ada")
            await settled()
            await room.clock.forward(300)
            line.bring(type="intent", key="second", seat=0, action={"type": "ready", "round": 1})
            await settled()
            await room.clock.forward(400)
        await settled()
        assert line.acknowledged() == ["first", "second"]
        assert race(live).latest == NOW + timedelta(milliseconds=300)
    line.hang_up()
    await served
    await room.hub.stop()


@in_loop
async def test_what_was_read_before_a_socket_closed_is_done(store: Store) -> None:
    room, line = Room(store, cards), ScriptedLine()
    table_id = await room.hub.create(race_table(people(2), 1))
    for name in ("Ada", "Grace"):
        line.bring(type="rename", key=name, seat=0, name=name)
    line.hang_up()
    await serve_connection(line.socket, room.hub, table_id, "p0")
    async with room.hub.table(table_id) as live:
        assert live.table.seats[0].name == "Grace"
    await room.hub.stop()
