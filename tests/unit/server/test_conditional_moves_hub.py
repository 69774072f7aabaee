"""Conditional moves in a hub: played at once, and sent to their player alone."""

from __future__ import annotations

from typing import Any

import pytest

from ekoes.errors import TableError
from ekoes.server.runtime.table_actor import TableActor
from ekoes.storage.store import Store
from ekoes.tables.orders import EditConditionalMoves, SeatDecision
from tests.kit.stored import stored_table
from tests.unit.server.hub_room import Room, Viewer, act, begun, cards, in_loop, run, settled, watch
from tests.unit.tables.test_conditional_moves import fresh, moves_of, played, turn

DAY = 86_400_000
Json = dict[str, Any]


async def take(live: TableActor, *actions: Json) -> None:
    for action in actions:
        await act(live, action)


async def write_down(live: TableActor, seat: int, way: list[tuple[int, Json]], key: str = "f") -> int:
    add = [SeatDecision(seat=who, action=action) for who, action in way]
    order = EditConditionalMoves(key=key, version=live.table.version, seat=seat, add=add)
    version = await live.submit(order, f"p{seat}")
    await settled()
    return version


def way_of(table: Any, build: int = 0) -> list[tuple[int, Json]]:
    theirs = turn(table, build)
    return [*theirs, *turn(played(table, theirs), 3)]


def theirs_of(way: list[tuple[int, Json]]) -> list[Json]:
    return [action for seat, action in way if seat == 0]


@in_loop
async def test_conditional_moves_are_played_without_viewers_and_after_a_restart(
    store: Store, room: Room
) -> None:
    way = way_of(fresh())
    await room.hub.start()
    table_id = await begun(room)
    async with room.hub.table(table_id) as live:
        await write_down(live, 1, way)
    await room.clock.late(DAY)
    await room.stop()
    later = Room(store, cards)
    await later.hub.start()
    async with later.hub.table(table_id) as live:
        await take(live, *theirs_of(way))
        table: Any = live.table
        assert (table.asked, table.length) == ((0,), 2 + len(way))
    await later.stop()
    stored = stored_table(store, table_id)
    for entries in range(stored.table.length + 1):
        assert store.past(table_id, entries).length == entries


def test_conditional_moves_change_no_byte_sent_to_others(store: Store) -> None:
    way = way_of(fresh())

    async def messages_of(*, prepared: bool, build: int) -> dict[str, list[str]]:
        room = Room(store, cards)
        table_id = await begun(room)
        viewers = {session: Viewer(session) for session in ("p0", "p1", "somebody")}
        async with room.hub.table(table_id) as live:
            for viewer in viewers.values():
                await live.join(viewer)
            if prepared:
                await write_down(live, 1, way)
            await take(live, *(action for _, action in turn(fresh(), build)))
            again = await watch(live, "p0")
        await room.hub.stop()
        sent = {name: viewer.texts for name, viewer in viewers.items()} | {"again": again.texts}
        return {name: [text.replace(table_id, "") for text in texts] for name, texts in sent.items()}

    for build in (1, 2):
        with_moves, without = (run(messages_of(prepared=prepared, build=build)) for prepared in (True, False))
        for name in ("p0", "somebody", "again"):
            assert with_moves[name] == without[name]
        assert with_moves["p1"] != without["p1"]


@in_loop
async def test_conditional_moves_are_sent_once_to_each_device_of_their_player(room: Room) -> None:
    way = way_of(fresh())
    table_id = await begun(room)
    async with room.hub.table(table_id) as live:
        devices = [Viewer("p1"), Viewer("p1")]
        for device in devices:
            await live.join(device)
        version = await write_down(live, 1, way)
        assert version == live.table.version == 2
        assert await write_down(live, 1, way) == version
        for device in devices:
            (message,) = (one for one in device.messages if one["type"] == "conditional_moves")
            (sent,) = message["conditional_moves"]["1"]["variations"]
            assert [(step["seat"], step["action"]) for step in sent] == way
        drop = EditConditionalMoves(key="d", version=2, seat=1, drop=0)
        await live.submit(drop, "p1")
        await settled()
        assert devices[0].messages[-1] == {"type": "conditional_moves", "conditional_moves": {}}
        with pytest.raises(TableError, match="not yours"):
            await live.submit(EditConditionalMoves(key="g", version=2, seat=1, drop=0), "p0")


@in_loop
async def test_conditional_moves_of_both_players_are_played_in_turn(room: Room) -> None:
    table = fresh()
    mine = way_of(table)
    after = played(table, mine)
    theirs = [*turn(after, 1)]
    whole = [*mine, *theirs, *turn(played(after, theirs), 6)]
    first = theirs_of(mine)
    table_id = await begun(room)
    async with room.hub.table(table_id) as live:
        await write_down(live, 1, whole)
        await act(live, first[0])
        # in mid-turn who decides may not write; they do it before, at the next turn of the other
        with pytest.raises(TableError, match="in your turn"):
            await write_down(live, 0, whole[1:])
        await take(live, *first[1:])
        done: Any = live.table
        assert moves_of(done, 1)[0] == whole[len(mine) :]
        await take(live, *(action for _, action in theirs))
        done = live.table
        assert (done.length, done.conditional_moves) == (2 + len(whole), ())
