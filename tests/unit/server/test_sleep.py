"""A table that nobody uses sleeps after a while, and wakes when somebody comes."""

from __future__ import annotations

from datetime import timedelta

from ekoes.storage.store import Store
from ekoes.tables.seats import Seat
from tests.kit.stored import create
from tests.unit.server.hub_room import Room, Viewer, in_loop, race, settled
from tests.unit.server.test_race_hub import cards, last, stored
from tests.unit.tables.racing import NOW, people, race_table

BOTS = tuple(Seat("bot", "", seat, bot="random") for seat in range(2))


@in_loop
async def test_clocks_stop_ten_minutes_after_the_last_one_has_gone_and_begin_anew_with_the_first(
    store: Store,
) -> None:
    room = Room(store, cards)
    table_id = await room.hub.create(race_table(people(3), 2, turn_clock=120))
    async with room.hub.table(table_id) as live:
        await room.begin(live)
    await room.clock.forward(3_600_000)
    assert room.hub._tables == {}
    asleep = stored(store, table_id)
    assert 4 <= asleep.length <= 8, "the clock struck five times in ten minutes"
    viewer = Viewer("p0")
    async with room.hub.table(table_id) as live:
        await live.join(viewer)
        assert viewer.state["remaining"] in {3000, 120_000}
        assert race(live).length == asleep.length
        await room.clock.forward(120_000)
        assert race(live).length > asleep.length
        live.leave(viewer)
    await room.hub.stop()


@in_loop
async def test_table_that_somebody_looks_at_never_sleeps(store: Store) -> None:
    room = Room(store, cards)
    async with room.table(race_table(people(3), 2, turn_clock=120)) as live:
        await room.begin(live)
        await room.clock.forward(1_200_000)
        assert live.is_scheduled
        before = race(live).length
        await room.clock.forward(240_000)
        assert race(live).length > before


@in_loop
async def test_server_takes_up_what_ran_within_a_day_people_s_tables_first(store: Store) -> None:
    create(store, "a-bots", race_table(BOTS, 1), NOW)
    create(store, "b-people", race_table(people(2), 1, turn_clock=10), NOW)
    create(store, "c-old", race_table(BOTS, 1), NOW - timedelta(days=3))
    assert store.active_tables() == ["b-people", "a-bots", "c-old"]
    assert store.active_tables(NOW - timedelta(days=1)) == ["b-people", "a-bots"]
    room = Room(store, cards)
    await room.hub.start()
    await settled()
    assert sorted(room.hub._tables) == ["a-bots", "b-people"]
    async with room.hub.table("c-old") as live:
        await settled()
        assert live.is_scheduled, "somebody has come"
    await room.hub.stop()
    assert last(store, "a-bots")["action"]["type"] == "deal"
