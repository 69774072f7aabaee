"""Who is called when a table changes, and who also when only the turn does."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext

import pytest

from ekoes.server.lobby.lobby import LobbyService
from ekoes.server.runtime.seat_guard import SeatGuard
from ekoes.storage.store import Store
from ekoes.tables.create import new_table
from ekoes.tables.orders import Act, Rename
from ekoes.tables.plan import ClockPlan
from ekoes.tables.seats import Seat
from ekoes.tables.table import Table
from tests.unit.server.hub_room import Room, in_loop
from tests.unit.server.lines import ScriptedLine

SWAP = Act(key="swap", version=0, seat=0, action={"type": "swap"})


def table_of(clock: ClockPlan | None = None) -> Table:
    """Return a table where seat 0 may swap."""
    seats = tuple(Seat("here", "", number, session=f"p{number}") for number in range(2))
    tables = (new_table("eko", {"players": 2}, seed, seats, clock=clock) for seed in range(99))
    return next(table for table in tables if table.status("p0") == "yours")


@pytest.mark.parametrize("clock", [None, ClockPlan(base=60, increment=10), ClockPlan(days=1)])
@in_loop
async def test_turn_alone_is_reported_in_games_with_days_and_to_turn_listeners(
    store: Store, clock: ClockPlan | None
) -> None:
    room = Room(store, tuple)
    called: list[str] = []
    async with room.table(table_of(clock)) as live:
        room.hub.listeners += [lambda *_: called.append("any"), lambda *_: called.append("turn")]
        room.hub.turn_listeners.append(room.hub.listeners[1])
        await live.submit(SWAP, "p0")
        assert called == (["any", "turn"] if clock is not None and clock.days else ["turn"])
        called.clear()
        await live.submit(Rename(key="name", seat=0, name="Ada"), "p0")
        assert called == ["any", "turn"]


@in_loop
async def test_visitor_of_the_lobby_sees_at_which_table_it_is_their_turn(store: Store) -> None:
    room, line = Room(store, tuple), ScriptedLine()
    lobby = LobbyService(room.hub, store, room.clock, SeatGuard(store), lambda *_: nullcontext())
    async with room.table(table_of()) as live:
        serving = asyncio.create_task(lobby.serve(line.socket, "p1"))
        await room.clock.forward(1000)
        assert line.told[0]["own"][live.id]["standing"] == "others"
        await live.submit(SWAP, "p0")
        await room.clock.forward(1000)
        assert line.told[-1]["change"]["own"][live.id]["standing"] == ["yours"]
        line.hang_up()
        await serving
        assert room.hub.turn_listeners == []
    await lobby.stop()
