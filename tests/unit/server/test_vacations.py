"""Vacations: whole days of a year, clocks of days that stand meanwhile, and servers that end in between."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from ekoes.errors import AccountError
from ekoes.server.runtime.table_actor import TableActor
from ekoes.server.runtime.vacations import days_left, lasts_until
from ekoes.storage.schema import VacationRow
from ekoes.storage.store import Store
from tests.kit.stored import account
from tests.kit.tables import NOW
from tests.unit.server.hub_room import Room, Viewer, begun, broken, cards, in_loop, settled, watch

DAY, MINUTE = 86_400_000, 60_000
Json = dict[str, Any]
NO_PLACES = "ALTER TABLE places RENAME TO lost", "ALTER TABLE lost RENAME TO places"


@pytest.fixture
def store(store: Store) -> Store:
    for user in ("p0", "p1"):
        account(store, user, f"name of {user}")
    return store


def vacation(begins: datetime, hours: float) -> VacationRow:
    return VacationRow("p0", begins, begins + timedelta(hours=hours))


def days(number: float) -> timedelta:
    return timedelta(days=number)


def test_a_day_counts_once_it_has_begun() -> None:
    assert days_left([], 30, NOW) == 30
    assert days_left([vacation(NOW, 1)], 30, NOW + days(9)) == 29
    assert days_left([vacation(NOW, 24)], 30, NOW + days(9)) == 29
    assert days_left([vacation(NOW, 25)], 30, NOW + days(9)) == 28
    assert days_left([vacation(NOW, 0)], 30, NOW + days(9)) == 29
    assert days_left([vacation(NOW, 999)], 30, NOW + days(2) + timedelta(hours=1)) == 27
    assert days_left([vacation(NOW, 72), vacation(NOW + days(5), 30)], 3, NOW + days(9)) == 0


def test_vacations_of_one_day_cost_one_day() -> None:
    often = [vacation(NOW + timedelta(minutes=number), 0.01) for number in range(30)]
    assert days_left(often, 30, NOW + days(9)) == 29
    assert days_left([vacation(NOW, 1), vacation(NOW + days(0.9), 5)], 30, NOW + days(9)) == 28
    assert lasts_until(often, 3, NOW + days(0.5)) == NOW + days(3)
    assert lasts_until(often, 1, NOW + days(0.5)) == NOW + days(1), "the rest of the day is paid for"
    assert lasts_until(often, 1, NOW + days(1)) == NOW + days(1)


@in_loop
async def test_vacation_that_is_begun_several_times_at_once_is_one(store: Store, room: Room) -> None:
    await asyncio.gather(*(room.hub.vacations.begin("p0") for _ in range(4)))
    assert len(store.vacations.of("p0")) == 1


@in_loop
async def test_vacations_of_one_day_are_limited(room: Room) -> None:
    vacations = room.hub.vacations
    for _ in range(10):
        await vacations.begin("p0")
        await vacations.end("p0")
        await room.clock.late(MINUTE)
    assert (await vacations.about("p0"))["left"] == 29
    with pytest.raises(AccountError) as refused:
        await vacations.begin("p0")
    assert (refused.value.code, refused.value.wait) == ("account/too-many", 86400 - 600)
    await room.clock.late(DAY)
    await vacations.begin("p0")


def test_each_year_has_its_days_and_a_day_counts_where_it_begins() -> None:
    eve = datetime(2026, 12, 31, 20, tzinfo=UTC)
    over = [vacation(eve, 40)]
    assert days_left(over, 10, eve + days(1.1)) == 9
    assert days_left(over, 10, eve) == 9
    assert lasts_until([], 3, eve) == eve + days(4)
    assert lasts_until([vacation(NOW, 72)], 3, eve) == eve
    assert lasts_until([vacation(NOW, 48)], 3, NOW + days(9)) == NOW + days(10)
    assert lasts_until([], 0, NOW) == NOW


def shown(viewer: Viewer) -> tuple[list[int], list[int], list[int]]:
    state = viewer.state
    return state["left"], state["running"], state.get("on_vacation", [])


def asked(live: TableActor) -> int:
    table: Any = live.table
    return int(table.asked[0])


@in_loop
async def test_vacation_stops_clocks_of_all_correspondence_tables(room: Room) -> None:
    await room.hub.start()
    ids = [await begun(room) for _ in range(2)]
    async with room.hub.table(ids[0]) as live:
        viewer = await watch(live, "somebody")
        seat = asked(live)
        await room.clock.late(DAY)
        await room.hub.vacations.begin(f"p{seat}")
        await settled()
        left = [3 * DAY, 3 * DAY]
        left[seat] = 2 * DAY
        assert shown(viewer) == (left, [], [seat])
        await room.clock.late(10 * DAY)
        assert live.table.outcome is None
        await room.hub.vacations.end(f"p{seat}")
        await settled()
        assert shown(viewer) == (left, [seat], [])
        # who is there for a moment may decide all the same, and it is the other's turn
        await room.hub.vacations.begin(f"p{seat}")
        await settled()
    # a table that sleeps knows it too: its clock strikes two days after they are back
    await room.clock.late(DAY + MINUTE)
    about = await room.hub.vacations.about(f"p{seat}")
    assert (about["days"], about["left"]) == (30, 30 - 10 - 2)
    await room.hub.vacations.end(f"p{seat}")
    await room.clock.late(2 * DAY - MINUTE)
    async with room.hub.table(ids[1]) as live:
        assert live.table.outcome is None
    await room.clock.forward(2 * MINUTE)
    for table_id in ids:
        async with room.hub.table(table_id) as live:
            assert live.table.outcome is not None
            assert live.table.outcome.reason == "time"


@in_loop
async def test_a_vacation_ends_by_itself_when_no_day_is_left(room: Room) -> None:
    await room.hub.start()
    table_id = await begun(room)
    async with room.hub.table(table_id) as live:
        who = f"p{asked(live)}"
        await room.hub.vacations.begin(who)
    await room.clock.late(30 * DAY - MINUTE)
    assert room.hub.vacations.is_on_vacation(who)
    await room.clock.forward(2 * MINUTE)
    assert not room.hub.vacations.is_on_vacation(who)
    with pytest.raises(AccountError) as none_left:
        await room.hub.vacations.begin(who)
    assert none_left.value.code == "account/no-vacation"
    await room.clock.late(3 * DAY - 2 * MINUTE)
    async with room.hub.table(table_id) as live:
        assert live.table.outcome is None
    await room.clock.forward(2 * MINUTE)
    async with room.hub.table(table_id) as live:
        assert live.table.outcome is not None


@in_loop
async def test_vacations_end_by_themselves_though_the_store_fails_for_a_moment(
    store: Store, room: Room
) -> None:
    await room.hub.start()
    table_id = await begun(room)
    async with room.hub.table(table_id) as live:
        user = f"p{asked(live)}"
        viewer = await watch(live, "somebody")
        for away in ("p0", "p1"):
            await room.hub.vacations.begin(away)
        with broken(store, *NO_PLACES):
            await room.clock.forward(30 * DAY + 1000)
            assert not room.hub.vacations.is_on_vacation(user)
        await room.clock.forward(MINUTE)
        assert shown(viewer)[1:] == ([int(user[1])], [])
        live.leave(viewer)


@in_loop
async def test_vacation_continues_and_ends_while_no_server_runs(store: Store, room: Room) -> None:
    await room.hub.start()
    table_id = await begun(room)
    async with room.hub.table(table_id) as live:
        who = f"p{asked(live)}"
    await room.hub.vacations.begin(who)
    await room.clock.late(DAY)
    await room.stop()
    for after, is_away in ((9, True), (51, False)):
        later = Room(store, cards)
        await later.clock.late(after * DAY)
        await later.hub.start()
        assert later.hub.vacations.is_on_vacation(who) == is_away
        async with later.hub.table(table_id) as live:
            viewer = await watch(live, "somebody")
            assert shown(viewer)[0] == [3 * DAY, 3 * DAY]
            assert bool(shown(viewer)[1]) == (not is_away)
        await later.stop()


@in_loop
async def test_new_table_knows_a_running_vacation(room: Room) -> None:
    await room.hub.start()
    await room.hub.vacations.begin("p0")
    table_id = await begun(room)
    async with room.hub.table(table_id) as live:
        viewer = await watch(live, "somebody")
        assert shown(viewer)[2] == [0]
    live_table = await begun(room, base=60, increment=10)
    async with room.hub.table(live_table) as live:
        viewer = await watch(live, "somebody")
        assert shown(viewer)[2] == []
