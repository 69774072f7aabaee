"""The hub with tables where the quicker hand wins: clocks, arrival, keys, restart, rematch."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from ekoes.errors import StorageError, TableError
from ekoes.games.api.chance import Chance
from ekoes.games.api.reading import unix_milliseconds
from ekoes.games.ekko.live.machine import clock_action
from ekoes.games.ekko.live.state import Verdict
from ekoes.games.ekko.position.action import Mirror, Play
from ekoes.games.ekko.position.position import shuffled_cards as dealt
from ekoes.protocol import encode
from ekoes.records import read_record
from ekoes.server.ops.secrets import SecretChance
from ekoes.server.runtime.table_actor import TableActor
from ekoes.storage.store import Store
from ekoes.storage.tables import Change
from ekoes.tables.orders import Intent, Rematch, Resign
from ekoes.tables.settings import Seat
from tests.unit.server.hub_room import (
    Room,
    Viewer,
    cards,
    in_loop,
    last_entry,
    race,
    settled,
    stored_race,
    watch,
)
from tests.unit.tables.racing import NOW, people, race_table, stacked


@in_loop
async def test_table_is_dealt_as_it_opens_and_never_shown_undealt(room: Room) -> None:
    async with room.table(race_table(people(3), 2)) as live:
        await settled()
        viewer = await watch(live, "p0")
        assert viewer.state["stage"] == "look"
        assert viewer.state["hands"]["0"]["hand"][:3] == sorted(race(live).position.hands[0])[:3]
        await room.begin(live)
        assert viewer.state["stage"] == "race"


@in_loop
async def test_turn_clock_runs_out_without_any_order(store: Store, room: Room) -> None:
    table_id = await room.hub.create(race_table(people(3), 2, turn_clock=10))
    async with room.hub.table(table_id) as live:
        await room.begin(live)
        await room.clock.forward(9999)
        assert race(live).length == 1
        await room.clock.forward(1)
        entry = race(live).log[-1]
        assert (entry.by_clock, entry.seat, entry.at) == (True, 0, NOW + timedelta(seconds=10))
    await room.clock.forward(100)
    assert stored_race(store, table_id).length == 2, "the table is kept going though nobody looks"


@in_loop
async def test_order_is_judged_by_when_it_arrived_and_after_what_was_due_before_it(room: Room) -> None:
    """The server was busy as the turn clock ran out: a card that came after that is too late."""
    async with room.table(race_table(people(3), 2, turn_clock=10)) as live:
        await room.begin(live)
        order = Intent(key="late", seat=0, action={"type": "play", "card": 60, "on": 37})
        await live.submit(order, "p0", NOW + timedelta(milliseconds=10_004))
        assert [(e.verdict, e.behind) for e in race(live).log[1:]] == [
            (Verdict.PLAY, None),
            (Verdict.LATE, 4),
        ]
        assert race(live).log[1].by_clock


@in_loop
async def test_two_that_wait_for_the_table_are_judged_in_their_order(room: Room) -> None:
    async with room.table(race_table(people(3), 2)) as live:
        await room.begin(live)
        mirror = Intent(key="m", seat=1, action={"type": "play", "card": 73, "on": 37})
        play = Intent(key="p", seat=0, action={"type": "play", "card": 50, "on": 37})
        async with live._lock:
            first = asyncio.create_task(live.submit(mirror, "p1", NOW))
            await asyncio.sleep(0)
            second = asyncio.create_task(live.submit(play, "p0", NOW))
            await settled()
        await asyncio.gather(first, second)
        assert [entry.verdict for entry in race(live).log[1:]] == [Verdict.CLAIM, Verdict.LATE]


@in_loop
async def test_duplicate_is_answered_the_same_and_done_once_also_after_a_restart(
    store: Store, room: Room
) -> None:
    table_id, versions = await room.hub.create(race_table(people(3), 2)), list[int]()
    for server in (room, Room(store, cards)):
        async with server.hub.table(table_id) as live:
            if server is room:
                await room.begin(live)
            versions += [await server.send(live, 0, "play", key="same", card=50, on=37) for _ in range(2)]
            late = [await server.send(live, 1, "mirror", key="late", card=73, on=37) for _ in range(2)]
            for _ in range(2):
                with pytest.raises(TableError):
                    await server.send(live, 1, "effect", key="no", effect="draw")
            assert [json.loads(entry)["verdict"] for entry in store.log(table_id)][1:] == ["play", "late"]
            assert late[0] == late[1]
        await server.stop()
    assert len(set(versions)) == 1


@in_loop
async def test_disconnecting_in_the_reaction_time_changes_nothing_about_it(room: Room) -> None:
    """Whoever goes, the round ends when the reaction time is over, for those who stay too."""
    async with room.table(race_table(people(3), 2)) as live:
        await room.begin(live)
        while race(live).play.stage != "leaving":
            await play_for(room, live, race(live).position.player or 0)
        viewers = [Viewer(f"p{seat}") for seat in range(3)]
        for viewer in viewers:
            await live.join(viewer)
        assert [viewer.state["remaining"] for viewer in viewers] == [3000] * 3
        await room.clock.forward(1000)
        live.leave(viewers[0])
        await room.clock.forward(1999)
        assert viewers[1].state["stage"] == "leaving"
        await room.clock.forward(1)
        assert viewers[1].state["stage"] == "look"
        assert viewers[1].state["rounds"][0]["reason"] == "last-card"
        assert viewers[0].state["stage"] == "leaving", "who has gone hears nothing more"


async def play_for(room: Room, live: TableActor, seat: int) -> None:
    """Do for a player what the clock would do, at once."""
    position = race(live).position
    action = clock_action(position)
    if isinstance(action, Play):
        await room.send(live, seat, "play", card=action.card, on=position.top)
    elif isinstance(action, Mirror):
        await room.send(live, seat, "mirror", card=action.card, on=position.top, effect="draw")
    else:
        await room.send(live, seat, "draw", on=position.top)


@in_loop
async def test_restart_restarts_the_running_clock_without_viewers(store: Store, room: Room) -> None:
    async with room.table(race_table(people(3), 2, turn_clock=10)) as live:
        await room.begin(live)
        await room.clock.forward(9000)
    assert stored_race(store, live.id).is_busy
    later = Room(store, cards)
    later.clock.set(NOW + timedelta(hours=1))
    await later.hub.start()
    await later.clock.forward(9999)
    assert stored_race(store, live.id).length == 1
    await later.clock.forward(1)
    ends = NOW + timedelta(hours=1, seconds=10)
    assert last_entry(store, live.id)["at"] == unix_milliseconds(ends)
    await later.stop()


@in_loop
async def test_looking_at_a_table_restarts_no_clock(store: Store, room: Room) -> None:
    table_id = await room.hub.create(race_table(people(3), 2, turn_clock=10))
    async with room.hub.table(table_id) as live:
        await room.begin(live)
    for left in (6000, 2000):
        await room.clock.forward(4000)
        viewer = Viewer("p0")
        async with room.hub.table(table_id) as live:
            await live.join(viewer)
            live.leave(viewer)
            assert viewer.state["remaining"] == left
            assert race(live).length == 1
    await room.clock.forward(2000)
    async with room.hub.table(table_id) as live:
        assert last_entry(store, table_id)["at"] == unix_milliseconds(NOW + timedelta(seconds=10))


@in_loop
async def test_table_that_waits_for_a_person_without_a_clock_is_suspended_and_resumed(
    store: Store,
) -> None:
    seats = (people(1)[0], Seat("bot", "", 1, bot="random"))
    room = Room(store, lambda: stacked({0: [50]}, 37, 2, 1))
    table_id = await room.hub.create(race_table(seats, 1, turn_clock=None))
    async with room.hub.table(table_id) as live:
        await room.begin(live)
        await room.clock.forward(60_000)
        version = live.table.version
    await settled()
    assert room.hub._tables == {}
    for _ in range(3):
        async with room.hub.table(table_id) as live:
            await settled()
            assert live.table.version == version, "looking at it changes nothing"
    async with room.hub.table(table_id) as live:
        await room.send(live, 0, "play", card=50, on=37)
    await room.clock.forward(60_000)
    assert last_entry(store, table_id)["seat"] == 1, "the bot goes on"
    await room.hub.stop()


@in_loop
async def test_bots_and_a_person_play_a_whole_game_and_it_comes_back_from_the_store(store: Store) -> None:
    seats = (people(1)[0], Seat("bot", "", 1, bot="skilled"), Seat("bot", "", 2, bot="beginner"))
    room = Room(store, SecretChance())
    async with room.table(race_table(seats, 2, target=10, turn_clock=5)) as live:
        while race(live).outcome is None:
            await room.clock.forward(1000)
        played = race(live)
    again = stored_race(store, live.id)
    assert replace(again, log=played.log, log_start=played.log_start) == played
    late = [encode(entry) for entry in played.entries_json(played.log_start)]
    assert store.log(live.id)[played.log_start :] == late
    assert read_record(store.record(live.id)).outcome == played.outcome
    assert live.id not in store.active_tables()


@in_loop
async def test_table_of_bots_goes_on_where_the_server_comes_late(store: Store) -> None:
    """What a bot has planned is out of date where the clock strikes first; it must not stop the table."""
    seats = tuple(Seat("bot", "", number, bot="beginner") for number in range(3))
    chances = (Chance(number) for number in range(1, 99))
    room = Room(store, lambda: dealt(next(chances)))
    async with room.table(race_table(seats, 2, target=10, turn_clock=5)) as live:
        while race(live).outcome is None:
            before = race(live).version
            await room.clock.late(7000)
            assert race(live).version > before


def _makes_a_table(change: Change) -> bool:
    return bool(change.tables)


def _tells_of_it(change: Change) -> bool:
    return any('"rematched"' in str(row["body"]) for row in change.events)


@in_loop
async def test_rematch_has_a_table_with_the_same_people(room: Room) -> None:
    async with room.table(race_table(people(2), 1, target=9)) as live:
        await room.begin(live)
        await live.submit(Resign(key="r", seat=0), "p0")
        viewer = await watch(live, "p1")
        await live.submit(Rematch(key="a", seat=0), "p0")
        assert viewer.state["rematch"] == {"agreed": [0], "table": None}
        await live.submit(Rematch(key="b", seat=1), "p1")
        await settled()
        rematch = viewer.state["rematch"]
        assert rematch["agreed"] == [0, 1]
        async with room.hub.table(rematch["table"]) as other:
            await settled()
            assert set(other.table.seats) == set(live.table.seats)
            assert other.table.options == live.table.options
            assert race(other).play.stage == "look"


@pytest.mark.parametrize("is_lost", [_makes_a_table, _tells_of_it], ids=["made", "told"])
@in_loop
async def test_rematch_that_the_store_did_not_take_is_tried_again(
    store: Store, room: Room, monkeypatch: pytest.MonkeyPatch, is_lost: Callable[[Change], bool]
) -> None:
    """There is one other table, whichever of both steps fails."""
    write = store.write
    failures = iter([True])
    made: list[str] = []

    def keep_the_second_time(changes: Sequence[Change]) -> list[StorageError | None]:
        if any(map(is_lost, changes)) and next(failures, False):
            return [StorageError("the disk is full for a moment") for _ in changes]
        made.extend(str(row["id"]) for change in changes for row in change.tables)
        return write(changes)

    table_id = await room.hub.create(race_table(people(2), 1))
    monkeypatch.setattr(store, "write", keep_the_second_time)
    async with room.hub.table(table_id) as live:
        await room.begin(live)
        await live.submit(Resign(key="r", seat=0), "p0")
        for seat in (0, 1):
            await live.submit(Rematch(key=f"a{seat}", seat=seat), f"p{seat}")
        await settled()
        tried = live.table.rematch
        await room.clock.forward(5000)
        assert (tried, [live.table.rematch]) == (None, made)
        assert len(made[0]) == 12
