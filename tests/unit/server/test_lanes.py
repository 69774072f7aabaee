"""Each session has one lane per table; an intent counts from its arrival."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest

from ekoes.server.ops.limits import BURST, MOST_SOCKETS, RATE
from ekoes.server.realtime.connection import serve_connection
from ekoes.server.realtime.sockets import OpenSockets
from ekoes.storage.store import Store
from tests.kit.stored import stored_table
from tests.unit.server.hub_room import Room, ScriptedLine, begun, in_loop, race, settled
from tests.unit.tables.racing import NOW, people, race_table, stacked


@pytest.fixture
def room(store: Store) -> Room:
    return Room(store, lambda: stacked({}, 37, 2, 0))


@asynccontextmanager
async def lines(room: Room, table_id: str, session: str, number: int) -> AsyncIterator[list[ScriptedLine]]:
    """Open so many sockets of a session."""
    opened, sockets = [ScriptedLine() for _ in range(number)], OpenSockets()
    tasks = [
        asyncio.create_task(
            sockets.serve(session, line.socket, serve_connection(line.socket, room.hub, table_id, session))
        )
        for line in opened
    ]
    while not all(line.messages or line.code for line in opened):
        await settled()
    yield opened
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def rename(line: ScriptedLine, seat: int, key: str) -> None:
    line.bring(type="rename", key=key, seat=seat, name=key)


@in_loop
async def test_hundred_sockets_of_a_session_share_one_turn(room: Room) -> None:
    """Each has sent something when the opponent does; who is quick is taken before all but one of it."""
    async with room.table(race_table(people(2), 0)) as live, lines(room, live.id, "p0", 100) as many:
        open_lines = [line for line in many if line.code is None]
        assert len(open_lines) == MOST_SOCKETS
        assert {line.code for line in many if line not in open_lines} == {1013}
        async with lines(room, live.id, "p1", 1) as (mine,):
            async with live._lock:
                for number, line in enumerate(open_lines * 10):
                    rename(line, 0, f"flood-{number}")
                await settled()
                rename(mine, 1, "mine")
                await settled()
            names = watched(live)
            await settled()
    assert names.index("mine") <= 1


def watched(live: Any) -> list[str]:
    """Return the keys of the orders that a table takes from now on, in their order."""
    keys: list[str] = []
    take = live._commands.submit

    async def noting(order: Any, session: str, at: Any, lag: int) -> int:
        keys.append(order.key)
        version: int = await take(order, session, at, lag)
        return version

    live._commands.submit = noting
    return keys


@in_loop
async def test_sockets_of_a_session_share_what_it_may_send(room: Room) -> None:
    table_id = await room.hub.create(race_table(people(2), 0))
    async with lines(room, table_id, "p0", 10) as many, lines(room, table_id, "p1", 1) as (mine,):
        for number in range(2 * BURST):
            rename(many[number % 10], 0, f"flood-{number}")
        for _ in range(60):
            await settled()
        assert taken(many) == BURST
        await room.clock.forward(1000)
        assert taken(many) == BURST + RATE
        rename(mine, 1, "mine")
        await settled()
        assert mine.acknowledged() == ["mine"], "another session has a lane of its own"


@in_loop
async def test_others_have_their_turn_between_two_messages_that_nothing_delays(room: Room) -> None:
    table_id = await room.hub.create(race_table(people(2), 0))
    async with lines(room, table_id, "p0", 1) as (line,), lines(room, table_id, "p1", 1) as (mine,):
        answered = len(line.messages)
        for number in range(100):
            line.bring(type="unknown", key=f"flood-{number}")
        mine.bring(type="table", key="mine")
        for _ in range(10):
            await asyncio.sleep(0)
        assert mine.acknowledged() == ["mine"]
        assert len(line.messages) - answered <= 10


@in_loop
async def test_costly_and_long_messages_count_for_several(room: Room) -> None:
    table_id = await room.hub.create(race_table(people(2), 0))
    async with lines(room, table_id, "p0", 1) as (line,):
        for number in range(BURST // 20):
            line.bring(type="table", key=f"show-{number}")  # counts for ten
        for number in range(BURST // 20):
            line.bring(type="unknown", key=f"long-{number}", more="x" * 9 * 4096)
        rename(line, 0, "late")
        for _ in range(60):
            await settled()
        assert "late" not in line.acknowledged()
        await room.clock.forward(1000)
        assert "late" in line.acknowledged()


@in_loop
async def test_stale_order_counts_as_the_table_that_answers_it(room: Room) -> None:
    table_id = await begun(room)
    async with lines(room, table_id, "p0", 1) as (line,):
        for number in range(BURST // 10):
            line.bring(type="act", key=f"stale-{number}", version=99, seat=0, action={"type": "swap"})
        rename(line, 0, "late")
        for _ in range(60):
            await settled()
        assert "late" not in line.acknowledged()
        await room.clock.forward(1000)
        assert "late" in line.acknowledged()


@in_loop
async def test_orders_that_decide_nothing_are_limited(store: Store, room: Room) -> None:
    table_id = await begun(room)
    async with room.hub.table(table_id) as live, lines(room, table_id, "p0", 1) as (line,):
        for number in range(300):
            rename(line, 0, f"n{number}")
            line.bring(type="pace", key=f"p{number}", milliseconds=number)
        line.bring(type="resign", key="still", version=live.table.version, seat=0)
        while "still" not in line.acknowledged():
            await room.clock.forward(1000)
        stored = stored_table(store, table_id)
        assert len(line.acknowledged()) == 300 + 1
        assert stored.events <= 300 + 5
        refused = [message for message in line.messages if message["type"] == "error"]
        assert {(message["code"], message["retry_after"] > 0) for message in refused} == {
            ("limit/orders", True)
        }


def taken(many: list[ScriptedLine]) -> int:
    return sum(len(line.acknowledged()) for line in many)


@in_loop
async def test_idle_lane_is_deleted(room: Room) -> None:
    async with room.table(race_table(people(2), 0)) as live:
        async with lines(room, live.id, "p0", 2) as (first, _):
            rename(first, 0, "once")
            await settled()
        assert live.lanes.number == 1, "who comes back at once goes on where it left"
        await room.clock.forward(1000)
        async with lines(room, live.id, "p1", 1):
            pass
        assert live.lanes.number == 0


@in_loop
async def test_k7_2_an_intent_that_waits_for_another_one_counts_from_its_arrival(room: Room) -> None:
    line = ScriptedLine()
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


@in_loop
async def test_what_was_read_before_a_socket_closed_is_done(room: Room) -> None:
    line = ScriptedLine()
    table_id = await room.hub.create(race_table(people(2), 1))
    for name in ("Ada", "Grace"):
        line.bring(type="rename", key=name, seat=0, name=name)
    line.hang_up()
    await serve_connection(line.socket, room.hub, table_id, "p0")
    async with room.hub.table(table_id) as live:
        assert live.table.seats[0].name == "Grace"
