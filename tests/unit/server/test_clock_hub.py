"""Clocks of turns in a hub: they strike, count on where a table sleeps, and stand where no server is."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from ekoes.errors import StorageError, TableError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Outcome
from ekoes.games.api.reading import moment_text
from ekoes.games.eko.game import EKO
from ekoes.records import read_record
from ekoes.server.ops.clock import BEAT, clock_after
from ekoes.server.runtime.table_actor import TableActor
from ekoes.storage.store import Store
from ekoes.tables.clocks import LAG_BUDGET, LAG_GAIN, Clocks
from ekoes.tables.create import new_table, rematch_table
from ekoes.tables.orders import Abort, Act, Sit
from ekoes.tables.ratings import pool
from ekoes.tables.settings import ClockPlan, Seat, TimeUp
from ekoes.tables.submit import submit
from tests.kit.stored import append, create, stored_table
from tests.unit.server.hub_room import (
    KEEP,
    REFUSES,
    Room,
    act,
    broken,
    cards,
    in_loop,
    reason,
    settled,
    turns,
    watch,
)

Json = dict[str, Any]
DAY = 86_400_000
AHEAD = datetime.now(UTC).replace(microsecond=0) + timedelta(days=1)


def clocked_table(up: TimeUp = "lose", players: int = 2, **clock: int) -> Any:
    seats = tuple(Seat("here", f"P{seat}", seat, session=f"p{seat}") for seat in range(players))
    plan = ClockPlan.model_validate((clock or {"base": 60, "increment": 10}) | {"up": up})
    return new_table("eko", {"players": players}, 7, seats, clock=plan)


def times(live: TableActor) -> Clocks:
    found = turns(live).clocks
    assert found is not None
    return found


@in_loop
async def test_a_clock_runs_from_the_first_decision_on_and_its_player_loses_when_it_has_run_out(
    room: Room,
) -> None:
    async with room.table(clocked_table()) as live:
        viewer = await watch(live, "p0")
        assert (viewer.state["left"], viewer.state["running"]) == ([60_000, 60_000], [])
        await room.clock.forward(500_000)
        await act(live, KEEP)
        assert (viewer.state["left"], viewer.state["running"]) == ([70_000, 60_000], [1])
        await room.clock.forward(3_000)
        await act(live, KEEP)
        assert (viewer.state["left"], viewer.state["running"]) == ([70_000, 67_000], [0])
        assert [entry["left"] for entry in viewer.messages[-1]["entries"]] == [[70_000, 57_000]]
        await room.clock.forward(69_999)
        assert reason(live) is None
        await room.clock.forward(1)
        assert viewer.state["outcome"] == {"winners": [1], "reason": "time", "rule": "E11.5"}
        assert (viewer.state["left"], viewer.state["running"]) == ([0, 67_000], [])
        past = await live.past_json(1)
        assert (past["left"], past["running"]) == ([60_000, 60_000], [])
        record = read_record(await live.record())
        assert record.outcome == Outcome((1,), "time", "E11.5")
        assert record.tags["Clock"] == "60+10 lose"


def rated_table(**clock: int) -> Any:
    return clocked_table("lose", 2, **clock).as_rated()


@pytest.mark.parametrize("decisions", [0, 1])
@in_loop
async def test_rated_game_is_aborted_if_a_player_makes_no_first_decision_in_a_minute(
    store: Store, room: Room, decisions: int
) -> None:
    async with room.table(rated_table(base=300, increment=0)) as live:
        viewer = await watch(live, "p0")
        await settled()
        for _ in range(decisions):
            await room.clock.forward(50_000)
            await act(live, KEEP)
        await settled()
        ends = room.clock.now() + timedelta(minutes=1)
        assert viewer.state["abort"] == {"until": moment_text(ends)}
        await room.clock.forward(59_999)
        assert reason(live) is None
        await room.clock.forward(1)
        assert viewer.state["outcome"] == {"winners": [], "reason": "aborted", "rule": None}
        assert "abort" not in viewer.state
    assert store.results.of_table(live.id) is None


@in_loop
async def test_both_have_a_minute_for_their_first_decision_and_then_their_clocks(
    store: Store, room: Room
) -> None:
    async with room.table(rated_table(base=300, increment=0)) as live:
        await settled()
        for _ in range(2):
            await room.clock.forward(50_000)
            await act(live, KEEP)
        await room.clock.forward(299_999)
        assert reason(live) is None
        await room.clock.forward(1)
        assert reason(live) == "time"
    played = store.results.of_table(live.id)
    assert played is not None
    assert not played.rated


@in_loop
async def test_rated_correspondence_game_is_aborted_after_a_day_though_no_one_has_it_open(
    store: Store,
    room: Room,
) -> None:
    table_id = await room.hub.create(rated_table(days=3))
    await room.clock.forward(DAY - 1)
    assert not is_over(store, table_id)
    await room.clock.forward(1)
    assert is_over(store, table_id)
    async with room.hub.table(table_id) as live:
        assert reason(live) == "aborted"


@in_loop
async def test_time_without_a_server_is_no_time_for_a_first_decision(store: Store, room: Room) -> None:
    table_id = await room.hub.create(rated_table(base=300, increment=0))
    await room.hub.start()
    await room.clock.forward(20_000)
    await room.stop()
    later = Room(store, cards)
    later.clock.set(room.clock.now() + timedelta(hours=1))
    await later.hub.start()
    await later.clock.forward(30_000)
    assert not is_over(store, table_id)
    await later.clock.forward(20_000)
    assert is_over(store, table_id)
    await later.hub.stop()


@in_loop
async def test_game_of_a_tournament_is_not_aborted(room: Room) -> None:
    async with room.table(replace(rated_table(base=300, increment=0), binding=True)) as live:
        await room.clock.forward(100_000)
        await act(live, KEEP)
        await room.clock.forward(100_000)
        assert reason(live) is None
        with pytest.raises(TableError) as refused:
            await live.submit(Abort(key="abort", seat=0), "p0")
        assert refused.value.code == "table/no-abort"


def is_over(store: Store, table_id: str) -> bool:
    stored = stored_table(store, table_id)
    return stored.table.outcome is not None


@pytest.mark.parametrize("players", [2, 3])
@in_loop
async def test_bot_replaces_a_player_whose_time_is_up(room: Room, players: int) -> None:
    """With three players that is also what it means to lose: as resigning does."""
    async with room.table(clocked_table("bot" if players == 2 else "lose", players)) as live:
        viewer = await watch(live, "p0")
        for _ in range(players):
            await act(live, KEEP)
        seat = turns(live).asked[0]
        await room.clock.forward(70_000)
        assert turns(live).seats[seat].kind == "bot"
        assert turns(live).outcome is None
        await room.clock.forward(10_000)
        assert turns(live).asked != (seat,)
        assert viewer.state["left"][seat] is None
        with pytest.raises(TableError, match="not yours"):
            await live.submit(Act(key="x", version=99, seat=seat, action=KEEP), f"p{seat}")


@in_loop
async def test_turn_is_passed_with_the_least_that_the_rules_allow_and_its_player_goes_on(
    store: Store,
    room: Room,
) -> None:
    async with room.table(clocked_table("pass")) as live:
        await act(live, KEEP)
        await act(live, KEEP)
        before = turns(live)
        assert before.asked == (0,)
        await room.clock.forward(70_000)
        after = turns(live)
        assert (after.asked, after.turn.number) == ((1,), before.turn.number + 1)
        assert [seat.kind for seat in after.seats] == ["here", "here"]
        assert after.undo_seat != 0
        await room.clock.forward(70_000)
        assert turns(live).asked == (0,)
        assert times(live).left[0] == 10_000  # what a turn brings
        assert turns(live).outcome is None
    stored = stored_table(store, live.id)
    assert [store.past(live.id, n).length for n in range(1, stored.table.length + 1)] == list(
        range(1, stored.table.length + 1)
    )


@in_loop
async def test_lag_is_compensated_up_to_a_limit(
    room: Room,
) -> None:
    async with room.table(clocked_table()) as live:
        await act(live, KEEP, lag=380)
        await act(live, KEEP, lag=99_000)
        await room.clock.forward(351)
        assert times(live).left_at(live.now())[0] == 69_999
        assert times(live).lags == (350, 1000)  # in steps


async def play_turn(live: TableActor, lag: int = 0) -> None:
    """Let the seat in turn decide by chance to the end of its turn."""
    seat = turns(live).asked[0]
    while turns(live).asked == (seat,):
        table = turns(live)
        action = Chance(table.version).choice(table.position.legal(seat))
        await act(live, EKO.action_to_json(action), lag)


@in_loop
async def test_late_pongs_spare_no_more_than_the_budget_of_a_game(room: Room) -> None:
    spent = []
    for lag in (200, 5_000):
        async with room.table(clocked_table(base=60, increment=0)) as live:
            await act(live, KEEP, lag)
            await act(live, KEEP)
            for _ in range(11):
                await room.clock.forward(900)
                await play_turn(live, lag)
                await play_turn(live)
            spent.append(60_000 - times(live).left[0])
    assert spent == [11 * 700, 11 * 900 - LAG_BUDGET - 10 * LAG_GAIN + 100]


@in_loop
async def test_days_pass_while_the_table_sleeps_and_it_wakes_as_they_are_over(
    store: Store, room: Room
) -> None:
    assert [pool(clocked_table()), pool(clocked_table(days=3))] == ["eko/2/live", "eko/2/days"]
    table_id = await room.hub.create(clocked_table("lose", days=3))
    async with room.hub.table(table_id) as live:
        await act(live, KEEP)
    await room.clock.forward(DAY)
    assert room.hub._tables == {}, "it sleeps"
    await room.clock.forward(2 * DAY)
    stored = stored_table(store, table_id)
    assert stored.table.outcome is not None
    assert stored.table.outcome.winners == (0,)
    assert store.clocks_without_players() == []


async def stopped_for_days(store: Store) -> tuple[Room, str]:
    """Stop a server 20 seconds into a turn; return one of five days later, not started yet, and the table."""
    room = Room(store, cards)
    await room.hub.start()
    async with room.table(clocked_table()) as live:
        await act(live, KEEP)
        await room.clock.forward(20_000)

    later = Room(store, cards)
    await later.clock.forward(20_000 + 5 * DAY)
    return later, live.id


@in_loop
async def test_no_time_is_burnt_while_the_server_is_away(store: Store) -> None:
    later, table_id = await stopped_for_days(store)
    await later.hub.start()
    await settled()
    async with later.hub.table(table_id) as live:
        version = live.table.version
        assert times(live).left_at(live.now())[1] == 40_000
        assert version == 1, "an order that is under way stays good"
        await later.clock.forward(7_000)
        await act(live, KEEP)
        assert times(live).left[1] == 43_000
        assert turns(live).log[-1].left == (70_000, 33_000)
    await later.hub.stop()
    assert store.past(table_id, 2).log[-1].left == (70_000, 33_000)


@in_loop
async def test_table_that_could_not_be_resumed_is_resumed_for_the_next_request(store: Store) -> None:
    later, table_id = await stopped_for_days(store)
    await later.hub._uptime.begin()
    mending = ExitStack()
    mending.enter_context(broken(store, REFUSES, "DROP TRIGGER refuses"))

    async def left() -> float:
        try:
            async with later.hub.table(table_id) as live:
                return times(live).left_at(live.now())[1]
        finally:
            mending.close()

    failed, right = await asyncio.gather(left(), left(), return_exceptions=True)
    assert isinstance(failed, StorageError)
    assert right == 40_000, "the time without a server is not theirs"
    await later.hub.stop()


@in_loop
async def test_killed_server_costs_no_player_time(store: Store, room: Room) -> None:
    await room.hub.start()
    async with room.table(clocked_table(days=1)) as live:
        await act(live, KEEP)
        await room.clock.forward(27_000)
        noted = 27_000 // (BEAT * 1000) * BEAT * 1000
        # nothing is told to anybody from here on: the power is cut

        later = Room(store, cards)
        await later.clock.forward(27_000 + 30 * DAY)
        await later.hub.start()
        await settled()
        async with later.hub.table(live.id) as again:
            assert times(again).left_at(again.now())[1] == DAY - noted
            await later.clock.forward(int(DAY - noted) - 1)
            assert reason(again) is None
            await later.clock.forward(1)
            assert reason(again) == "time"
        await later.hub.stop()


@in_loop
async def test_a_rematch_has_the_same_clock_and_no_clock_runs_before_the_first_decision(room: Room) -> None:
    seats = (Seat("here", "", 0, session="p0"), Seat("open", "", 1))
    table = new_table("eko", {"players": 2}, 7, seats, clock=ClockPlan(base=60, increment=0))
    async with room.table(table) as live:
        await room.clock.forward(900_000)
        await live.submit(Sit(key="sit", seat=1), "p1")
        await room.clock.forward(900_000)
        assert live.table.outcome is None
        again: Any = rematch_table(live.table, 8)
        assert (again.clock, again.clocks.left) == (live.table.clock, (60_000, 60_000))


def test_the_time_of_a_store_goes_on_though_the_clock_on_the_wall_was_set_back(store: Store) -> None:
    """The store knows of a run, and then of an order, after all that the wall tells."""
    assert clock_after(store).now() < AHEAD
    store.begin_uptime(AHEAD)
    assert clock_after(store).now() >= AHEAD
    later = AHEAD + timedelta(hours=1)
    table = clocked_table()
    stored = create(store, "ahead", table, AHEAD)
    order = Act(key="key", version=0, seat=table.asked[0], action=KEEP)
    append(
        store,
        "ahead",
        stored,
        order,
        f"p{table.asked[0]}",
        later,
        submit(table, order, f"p{table.asked[0]}", later),
    )
    assert clock_after(store).now() >= later
