"""The hub: loading, scheduling, suspending and sweeping tables, bot answers, listeners, memory."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import tracemalloc
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing, nullcontext
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from threading import Event
from typing import Any, TypeVar, cast

import pytest
from sqlalchemy import select

from ekoes.bots import BotRequest, answer_to
from ekoes.errors import StorageError, TableError
from ekoes.games.api.contract import Answer
from ekoes.games.api.values import changed
from ekoes.games.eko.game import EKO
from ekoes.server.cluster.cluster_node import ClusterNode
from ekoes.server.cluster.redis import MessageCipher, RedisBus, RedisLink
from ekoes.server.lobby.lobby import Lobby, LobbyService
from ekoes.server.ops.clock import WallClock
from ekoes.server.runtime.hub import Hub, Sweeper
from ekoes.server.runtime.permissions import SeatGuard
from ekoes.server.runtime.table_actor import TableActor
from ekoes.server.workers.bot_pool import BotPool
from ekoes.server.workers.fair_queue import Whose
from ekoes.storage.schema import StateRow, StudyRow
from ekoes.storage.store import Store
from ekoes.storage.studies import Content
from ekoes.storage.tables import Change
from ekoes.tables.create import new_table
from ekoes.tables.orders import Act, Draw, Pace, Rename, Resign
from ekoes.tables.settings import ClockPlan, Seat
from ekoes.tables.submit import submit
from ekoes.tables.table import Table
from ekoes.tables.turns import TurnTable
from tests.kit.loops import apart, run_apart
from tests.kit.stored import create, stored_table
from tests.services.postgres import postgres
from tests.services.redis import redis_server
from tests.unit.server.hub_room import (
    REFUSES,
    AtOnce,
    Clock,
    Room,
    ScriptedLine,
    SwiftClock,
    Viewer,
    broken,
    in_loop,
    last_entry,
    race,
    run,
    settled,
    stored_race,
    turns,
)
from tests.unit.tables.racing import NOW, people, race_table

T = TypeVar("T")
BOTS = (Seat("bot", "", 0, bot="random"), Seat("bot", "", 1, bot="greedy"))
PERSON_AND_BOT = (Seat("here", "", 0, session="ada"), Seat("bot", "", 1, bot="random"))


def table_of(seats: tuple[Seat, ...], seed: int = 1) -> TurnTable:
    table = new_table("eko", {"players": 2}, seed, seats, turn_limit=1)
    assert isinstance(table, TurnTable)
    return table


def stored(store: Store, table_id: str) -> TurnTable:
    loaded = stored_table(store, table_id)
    assert isinstance(loaded.table, TurnTable)
    return loaded.table


async def rest(hub: Hub) -> None:
    """Wait until no bot is at work, and check that the hub has unloaded every table."""
    tasks = [live._scheduler._task for live in hub._tables.values() if live._scheduler._task is not None]
    await asyncio.gather(*tasks)
    assert hub._tables == {}


@run_apart
async def test_bots_continue_at_start_without_viewers(store: Store) -> None:
    create(store, "t", table_of(BOTS), NOW)
    hub = Hub(store, SwiftClock())
    await hub.start()
    assert hub._starting is not None
    await hub._starting
    await rest(hub)
    await hub.stop()
    assert stored(store, "t").outcome is not None


@run_apart
async def test_bot_answers_a_player_and_the_table_is_unloaded(store: Store) -> None:
    seed = next(seed for seed in range(99) if table_of(PERSON_AND_BOT, seed).asked == (0,))
    hub = Hub(store, SwiftClock())
    table_id = await hub.create(table_of(PERSON_AND_BOT, seed))
    async with hub.table(table_id) as live:
        assert await live.submit(Pace(key="p", milliseconds=0), "ada") == 0
        order = Act(key="a", version=0, seat=0, action={"type": "swap"})
        assert await live.submit(order, "ada") == 1
        assert live.is_scheduled
    await rest(hub)
    await hub.stop()
    assert [json.loads(entry)["seat"] for entry in store.log(table_id)][:2] == [0, 1]
    assert stored(store, table_id).asked == (0,)


@run_apart
async def test_table_that_leaves_memory_is_stored_and_opened_without_judging(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When its last user has gone, and when the server stops; not where nothing was decided."""
    hub, judged = Hub(store, SwiftClock()), list[str]()
    seats = Seat("here", "", 0, session="ada"), Seat("here", "", 1, session="ada")
    table_id = await hub.create(table_of(seats))

    def count(table: Table, order: Any, *others: Any) -> Any:
        judged.append(order.key)
        return submit(table, order, *others)

    async def play(live: TableActor) -> None:
        table = stored(store, table_id)
        action = EKO.action_to_json(table.position.legal(table.asked[0])[0])
        order = Act(key=f"act-{table.version}", version=table.version, seat=table.asked[0], action=action)
        await live.submit(order, "ada")

    def states() -> int:
        return len(store._rows(select(StateRow.number).where(StateRow.table_id == table_id)))

    monkeypatch.setattr("ekoes.storage.tables.submit", count)
    async with hub.table(table_id) as live:
        await play(live)
        assert (stored(store, table_id).version, judged) == (1, ["act-0"]), "as after a crash"
        assert states() == 1
    async with hub.table(table_id) as live:
        assert live.table.version == 1
    async with hub.table(table_id) as live:
        await play(live)
        assert states() == 2
        await hub.stop()
    assert states() == 3
    judged.clear()
    assert (stored(store, table_id).version, judged) == (2, [])


@run_apart
async def test_bot_retries_what_the_store_refused(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ekoes.server.runtime.table_actor._STORE_RETRY", 0)
    write = store.write
    refused: list[object] = []

    def write_the_second_time(changes: Sequence[Change]) -> list[StorageError | None]:
        if refused or not any(change.events for change in changes):
            return write(changes)
        refused.extend(changes)
        return [StorageError("the disk is full for a moment") for _ in changes]

    monkeypatch.setattr(store, "write", write_the_second_time)
    seed = next(seed for seed in range(99) if table_of(PERSON_AND_BOT, seed).asked == (1,))
    hub = Hub(store, SwiftClock())
    table_id = await hub.create(replace(table_of(PERSON_AND_BOT, seed), pace=0))
    await rest(hub)
    await hub.stop()
    table = stored(store, table_id)
    assert refused
    assert table.asked == (0,)


@run_apart
async def test_stopping_does_not_wait_for_slow_bots(store: Store) -> None:
    hub = Hub(store, SwiftClock())
    await hub.create(table_of(BOTS))
    await hub.stop()
    assert asyncio.all_tasks() == {asyncio.current_task()}


@run_apart
async def test_unknown_table_is_not_cached(store: Store) -> None:
    hub = Hub(store, SwiftClock())
    with pytest.raises(TableError):
        async with hub.table("nothing"):
            pass
    assert hub._tables == {}
    await hub.stop()


@in_loop
async def test_table_is_stored_with_its_first_decisions_or_not_at_all(store: Store, room: Room) -> None:
    seats = Seat("here", "", 0, session="ada"), Seat("here", "", 1, session="bo")
    table = table_of(seats)
    first = Act(key="first", version=table.version, seat=table.asked[0], action={"type": "swap"})
    with broken(store, REFUSES, "DROP TRIGGER refuses"):
        with pytest.raises(StorageError):
            await room.hub.create(table, "t", [first])
        assert store.load("t") is None
    assert await room.hub.create(table, "t", [first]) == "t"
    assert stored(store, "t").version == 1
    assert len(store.log("t")) == 1


def check_repeated_key_after_a_restart(store: Store, key: str) -> None:
    """After a restart the key is not cached, and the order is legal again: what is stored tells."""

    async def serve(table_id: str, *names: str) -> list[int]:
        hub = Hub(store, SwiftClock())
        async with hub.table(table_id) as live:
            versions = [
                await live.submit(Rename(key=f"{key}-{name}", seat=0, name=name), "ada") for name in names
            ]
            assert live.table.seats[0].name == "Grace"
        await hub.stop()
        return versions

    seed = next(seed for seed in range(99) if table_of(PERSON_AND_BOT, seed).asked == (0,))
    create(store, "t", table_of(PERSON_AND_BOT, seed), NOW)
    assert apart(serve("t", "Ada", "Grace")) == [0, 0]
    assert apart(serve("t", "Ada")) == [0]
    loaded = stored_table(store, "t")
    assert loaded.events == 2


def test_repeated_key_after_a_restart_gets_its_first_answer(store: Store) -> None:
    check_repeated_key_after_a_restart(store, "name")


def test_repeated_key_is_found_as_postgresql_stores_it() -> None:
    with postgres().database() as url, closing(Store(url)) as store:
        check_repeated_key_after_a_restart(store, "a\0b")


BOT_FIRST = (Seat("here", "", 0, session="ada"), Seat("bot", "", 1, bot="random"))
THREE = (*BOT_FIRST, Seat("open", "", 2, session="bob"))


class Patient(BotPool):
    """Answers when the test says so."""

    def __init__(self) -> None:
        super().__init__(0)
        self.asked: list[BotRequest] = []
        self.replies: list[asyncio.Future[Answer]] = []

    async def ask(self, question: BotRequest, whose: Whose, *, is_urgent: bool = True) -> Answer:
        self.asked.append(question)
        self.replies.append(asyncio.get_running_loop().create_future())
        return await self.replies[-1]


def table_with_first(seats: tuple[Seat, ...], first: int) -> TurnTable:
    """A table where a seat begins."""
    for seed in range(99):
        table = new_table("eko", {"players": len(seats)}, seed, seats)
        assert isinstance(table, TurnTable)
        if table.asked == (first,):
            return table
    raise AssertionError


@asynccontextmanager
async def thinking(
    store: Store, clock: Any, seats: tuple[Seat, ...] = BOT_FIRST
) -> AsyncIterator[tuple[Patient, TableActor]]:
    """Open a table whose bot is to begin; its answers come from the test."""
    thinkers = Patient()
    hub = Hub(store, clock, bots=thinkers, thread=AtOnce(1))
    async with hub.table(await hub.create(table_with_first(seats, 1))) as live:
        yield thinkers, live
    await hub.stop()


@in_loop
async def test_same_question_is_not_asked_twice(store: Store) -> None:
    clock = Clock()
    async with thinking(store, clock) as (thinkers, live):
        for number in range(3):
            await live.submit(Rename(key=f"r{number}", seat=0, name=f"Ada {number}"), "ada")
            await clock.forward(400)
        assert len(thinkers.asked) == 1
        thinkers.replies[0].set_result(answer_to(thinkers.asked[0]))
        await settled()
        assert [entry.seat for entry in turns(live).log] == [1], "its thought took longer than the pace"
        assert turns(live).log[0].at == clock.now()


@in_loop
async def test_bot_of_a_player_who_connects_waits_for_no_abandoned_table(store: Store) -> None:
    """The bots are asked as the tables are created, before anyone has opened a socket."""
    workers, over = BotPool(0), Event()
    busy = [asyncio.create_task(workers._queue.run((None,), lambda _: over.wait())) for _ in range(2)]
    await settled()
    hub = Hub(store, Clock(), bots=workers, thread=AtOnce(1))
    tables = [await hub.create(table_with_first(BOT_FIRST, 1)) for _ in range(5)]
    await settled()
    assert [whose[-1] for whose in workers._queue.waiting] == tables
    async with hub.table(tables[3]) as live:
        with live.shown_on(cast("Any", object()), "192.0.2.1", "ada"):
            assert workers._queue.waiting[0] == ("192.0.2.1", "ada", tables[3])
    over.set()
    await asyncio.gather(*busy)
    await hub.stop()


@in_loop
async def test_answer_waits_for_the_pace_of_the_table(store: Store) -> None:
    clock = Clock()
    async with thinking(store, clock) as (thinkers, live):
        await clock.forward(100)
        thinkers.replies[0].set_result(answer_to(thinkers.asked[0]))
        await clock.forward(599)
        assert not turns(live).log
        await clock.forward(1)
        assert len(turns(live).log) == 1


@in_loop
async def test_late_answer_is_ignored(store: Store) -> None:
    """The game goes on meanwhile; the answer is for an earlier version of the table."""
    clock = Clock()
    async with thinking(store, clock, THREE) as (thinkers, live):
        await settled()
        late = thinkers.replies[0]
        await live.submit(Draw(key="d", version=0, seat=0, offer=True), "ada")
        await settled()
        assert live.table.version == 1
        assert late.cancelled()
        assert [question.version for question in thinkers.asked] == [0, 1]
        await live.submit(Resign(key="r", version=1, seat=0), "ada")
        await settled()
        thinkers.replies[-1].set_result(answer_to(thinkers.asked[-1]))
        await clock.forward(700)
        assert [entry.seat for entry in turns(live).log] == [1]


@in_loop
async def test_answer_that_the_table_refuses_does_not_stop_the_game(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "ekoes.server")
    async with thinking(store, SwiftClock()) as (thinkers, live):
        await settled()
        thinkers.replies[0].set_result(Answer({"type": "move", "from": "99,99", "to": "0,0"}))
        await settled()
        assert [entry.seat for entry in turns(live).log] == [1], "a makeshift decides"
    assert "bot answer refused" in caplog.text


@in_loop
async def test_people_are_served_while_a_bot_thinks(store: Store) -> None:
    thinkers = Patient()
    hub = Hub(store, Clock(), bots=thinkers, thread=AtOnce(1))
    slow = await hub.create(table_with_first(BOT_FIRST, 1))
    table = await hub.create(table_with_first((BOT_FIRST[0], replace(THREE[2], colour=1)), 0))
    async with hub.table(slow), hub.table(table) as live:
        choice = turns(live).position.legal(0)[0]
        action = turns(live).position.game.action_to_json(choice)
        assert await live.submit(Act(key="a", version=0, seat=0, action=action), "ada") == 1
        assert not thinkers.replies[0].done()
    await hub.stop()


RACE_BOTS = tuple(Seat("bot", "", seat, bot="random") for seat in range(2))


@in_loop
async def test_clocks_stop_ten_minutes_after_the_last_viewer_and_restart_with_the_next(
    store: Store,
    room: Room,
) -> None:
    table_id = await room.hub.create(race_table(people(3), 2, turn_clock=120))
    async with room.hub.table(table_id) as live:
        await room.begin(live)
    await room.clock.forward(3_600_000)
    assert room.hub._tables == {}
    asleep = stored_race(store, table_id)
    assert 4 <= asleep.length <= 8, "the clock struck five times in ten minutes"
    viewer = Viewer("p0")
    async with room.hub.table(table_id) as live:
        await live.join(viewer)
        assert viewer.state["remaining"] in {3000, 120_000}
        assert race(live).length == asleep.length
        await room.clock.forward(120_000)
        assert race(live).length > asleep.length
        live.leave(viewer)


@in_loop
async def test_table_with_a_viewer_is_never_suspended(room: Room) -> None:
    async with room.table(race_table(people(3), 2, turn_clock=120)) as live:
        await room.begin(live)
        await room.clock.forward(1_200_000)
        assert live.is_scheduled
        before = race(live).length
        await room.clock.forward(240_000)
        assert race(live).length > before


@in_loop
async def test_game_of_a_tournament_goes_on_without_those_who_have_left_it(store: Store, room: Room) -> None:
    """Its round waits for its end."""
    table_id = await room.hub.create(changed(race_table(people(3), 2, turn_clock=120), binding=True))
    async with room.hub.table(table_id) as live:
        await room.begin(live)
    await room.clock.forward(3_600_000)
    assert race(live).length > 20
    await room.hub.stop()
    assert stored_race(store, table_id).length == race(live).length


@in_loop
async def test_nothing_happens_any_more_at_a_table_that_is_given_up(room: Room) -> None:
    async with room.table(race_table(people(3), 2, turn_clock=120)) as live:
        viewers = Viewer("p0"), Viewer("p1")
        for viewer in viewers:
            await live.join(viewer)
        await room.begin(live)
        await room.hub.give_up(live.id)
        live.leave(viewers[0])
        assert not live.is_scheduled
        shown = len(viewers[1].texts)
        await room.clock.forward(600_000)
        assert len(viewers[1].texts) == shown


@in_loop
async def test_scheduler_that_is_stopped_before_its_first_step_is_stopped(room: Room) -> None:
    async with room.table(race_table(people(2), 1, turn_clock=120)) as live:
        await live.join(Viewer("p0"))
        await live.stop()
        assert not live.is_scheduled


@in_loop
async def test_server_resumes_tables_of_the_last_day_those_of_people_first(store: Store, room: Room) -> None:
    create(store, "a-bots", race_table(RACE_BOTS, 1), NOW)
    create(store, "b-people", race_table(people(2), 1, turn_clock=10), NOW)
    create(store, "c-old", race_table(RACE_BOTS, 1), NOW - timedelta(days=3))
    assert store.active_tables() == ["b-people", "a-bots", "c-old"]
    assert store.active_tables(NOW - timedelta(days=1)) == ["b-people", "a-bots"]
    await room.hub.start()
    await settled()
    assert sorted(room.hub._tables) == ["a-bots", "b-people"]
    async with room.hub.table("c-old") as live:
        await settled()
        assert live.is_scheduled, "somebody has come"
    await room.stop()
    assert last_entry(store, "a-bots")["action"]["type"] == "deal"


SEATS = (Seat("here", "Ada", 0, session="ada"), Seat("open", "", 1))


def test_left_tables_go_and_open_ones_stay(store: Store) -> None:
    async def serve(days: int) -> set[str]:
        clock = Clock()
        sweeper = Sweeper(store.abandoned, clock, days, lambda table_id: table_id == "open")
        sweeper.start()
        await clock.forward(3000)
        await settled()
        await sweeper.stop()
        studies = {study_id for study_id in ("study",) if store.knows(StudyRow, study_id)}
        return studies | {one for one in ("left", "open", "young") if store.load(one) is not None}

    store.studies.make("study", "ada", "eko", Content("None", 1, "{}"), NOW - timedelta(days=91))
    for table_id, age in (("left", 91), ("open", 91), ("young", 89)):
        create(store, table_id, new_table("eko", {"players": 2}, 3, SEATS), NOW - timedelta(days=age))
    assert run(serve(0)) == {"left", "open", "young", "study"}
    assert run(serve(90)) == {"open", "young"}


def test_of_several_processes_each_puts_away_what_no_other_one_owns(store: Store) -> None:
    async def joined(link: RedisLink, port: str) -> ClusterNode:
        async def nothing(*_: object) -> None:
            return

        address = f"127.0.0.1:{port}"
        node = ClusterNode(
            store.leases, address, RedisBus(link, address, MessageCipher([b"k" * 32])), WallClock()
        )
        node.on_lost, node.on_left, node.on_called = nothing, nothing, nothing
        await node.start()
        return node

    def left() -> set[str]:
        return {table_id for table_id in ("adas", "free") if store.load(table_id) is not None}

    async def swept(by: ClusterNode, until_gone: str) -> set[str]:
        clock = Clock()
        sweeper = Sweeper(store.abandoned, clock, 90, lambda _: False, by)
        sweeper.start()
        await clock.forward(3000)
        while until_gone in left():
            await settled()
        await sweeper.stop()
        return left()

    async def serve(url: str) -> list[set[str]]:
        link = RedisLink(url)
        ada, bob = await joined(link, "1"), await joined(link, "2")
        await ada.claim("adas")
        first = await swept(bob, "free")
        await ada.stop()
        second = await swept(bob, "adas")
        await bob.stop()
        await link.stop()
        return [first, second]

    for table_id in ("adas", "free"):
        create(store, table_id, new_table("eko", {"players": 2}, 3, SEATS), NOW - timedelta(days=91))
    with redis_server() as redis:
        assert run(serve(redis.url)) == [{"adas"}, set()]


TABLES = 40
DECISIONS = 8
KIB = 1024


class Reader:
    """A viewer that stores nothing."""

    lists_actions = False

    def __init__(self, session: str) -> None:
        self.session = session

    def send(self, _text: str) -> None:
        """Ignore it."""


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
async def test_unloaded_tables_leave_no_memory(room: Room) -> None:
    """Some are played at before, so that what is remembered of boards and statements is there."""
    async with AsyncExitStack() as stay:
        for table_id in await made(room.hub, TABLES):
            await sit(stay, room.hub, table_id)
    gc.collect()
    tracemalloc.start()
    there, left = [], []
    for _ in range(3):  # a registry that grows does so in one round, a leak in each
        fresh = await made(room.hub, TABLES)
        async with AsyncExitStack() as stay:
            for table_id in fresh:
                await sit(stay, room.hub, table_id)
            gc.collect()
            there.append(tracemalloc.get_traced_memory()[0])
        await settled()  # until the states of the tables are stored
        gc.collect()
        left.append(tracemalloc.get_traced_memory()[0])
    assert not [each for each in gc.get_objects() if isinstance(each, TableActor)]
    tracemalloc.stop()
    assert there[0] / TABLES < 64 * KIB
    assert min(after - before for before, after in pairwise(left)) / TABLES < KIB


SWAP = Act(key="swap", version=0, seat=0, action={"type": "swap"})


def swap_table(clock: ClockPlan | None = None) -> Table:
    """Return a table where seat 0 may swap."""
    seats = tuple(Seat("here", "", number, session=f"p{number}") for number in range(2))
    tables = (new_table("eko", {"players": 2}, seed, seats, clock=clock) for seed in range(99))
    return next(table for table in tables if table.status("p0") == "yours")


@pytest.mark.parametrize("clock", [None, ClockPlan(base=60, increment=10), ClockPlan(days=1)])
@in_loop
async def test_turn_alone_is_reported_in_games_with_days_and_to_turn_listeners(
    room: Room, clock: ClockPlan | None
) -> None:
    called: list[str] = []
    async with room.table(swap_table(clock)) as live:
        room.hub.listeners += [lambda *_: called.append("any"), lambda *_: called.append("turn")]
        room.hub.turn_listeners.append(room.hub.listeners[1])
        await live.submit(SWAP, "p0")
        assert called == (["any", "turn"] if clock is not None and clock.days else ["turn"])
        called.clear()
        await live.submit(Rename(key="name", seat=0, name="Ada"), "p0")
        assert called == ["any", "turn"]


@in_loop
async def test_visitor_of_the_lobby_sees_at_which_table_it_is_their_turn(store: Store, room: Room) -> None:
    line, guard = ScriptedLine(), SeatGuard(store)
    content = Lobby(room.clock, guard.marks)
    lobby = LobbyService(content, room.hub, store, room.clock, guard, lambda *_: nullcontext())
    async with room.table(swap_table()) as live:
        serving = asyncio.create_task(lobby.serve(line.socket, "p1"))
        await room.clock.forward(1000)
        assert line.messages[0]["own"][live.id]["standing"] == "others"
        await live.submit(SWAP, "p0")
        await room.clock.forward(1000)
        assert line.messages[-1]["change"]["own"][live.id]["standing"] == ["yours"]
        line.hang_up()
        await serving
        assert room.hub.turn_listeners == []
    await lobby.stop()
