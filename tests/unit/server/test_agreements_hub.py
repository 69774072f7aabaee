"""Agreements in a hub: absence by connections, pauses of bots and clocks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any

from ekoes.server.runtime.table_actor import TableActor
from ekoes.storage.store import Store
from ekoes.tables.create import table_from_plan
from ekoes.tables.orders import GoOn, Order, Propose, Resign, Sit, Vote
from ekoes.tables.settings import TablePlan
from tests.kit.stored import account, stored_table
from tests.unit.server.hub_room import (
    KEEP,
    NO_ACCOUNTS,
    Json,
    Room,
    Viewer,
    act,
    broken,
    in_loop,
    reason,
    settled,
    turns,
    watch,
)

KEYS = count()
MINUTE = 60_000


def table_of(players: int, bots: int = 0, **options: Any) -> Any:
    seats = [{"kind": "open", "name": f"P{seat}"} for seat in range(players - bots)] + [
        {"kind": "bot"}
    ] * bots
    plan = {"game": "eko", "options": {"players": players, **options}, "seats": seats}
    table = table_from_plan(TablePlan.model_validate(plan), "p0", fresh_seed=7)
    sit = (
        replace(seat, session=f"p{number}" if seat.kind == "open" else None)
        for number, seat in enumerate(table.seats)
    )
    return replace(table, seats=tuple(sit))


async def take(live: TableActor, order: Callable[..., Order], seat: int, **content: Any) -> None:
    await live.submit(order(key=f"k{next(KEYS)}", seat=seat, **content), f"p{seat}")
    await settled()


async def joined(live: TableActor, *seats: int) -> list[Viewer]:
    viewers = [await watch(live, f"p{seat}") for seat in seats]
    await settled()
    return viewers


def last_agreements(viewer: Viewer) -> Json:
    """Return the agreements that were sent last."""
    found: list[Json] = [
        message.get("agreements", message) for message in viewer.messages if "absent" in str(message)
    ]
    return found[-1]


@in_loop
async def test_no_name_is_read_to_show_a_table(store: Store, room: Room) -> None:
    account(store, "p1")
    store.people.forget_all()
    async with room.table(table_of(3)) as live:
        with broken(store, *NO_ACCOUNTS):
            (viewer,) = await joined(live, 0)
    assert [seat.get("account") for seat in viewer.messages[0]["seats"]] == [None, True, None]


@in_loop
async def test_pass_that_six_use_at_once_moves_the_seat_to_one_of_them(room: Room) -> None:
    async with room.table(table_of(3)) as live:
        uses = [live.hand_over(2, "p2", f"new-{number}", "pass-once") for number in range(6)]
        told = await asyncio.gather(*uses, return_exceptions=True)
        assert told.count(None) == 1
        assert {getattr(refused, "code", "") for refused in told if refused} == {"account/old-pass"}
        assert live.table.seats[2].session == f"new-{told.index(None)}"


@in_loop
async def test_change_that_is_stored_is_shown_though_no_name_can_be_read(store: Store, room: Room) -> None:
    async with room.table(table_of(3)) as live:
        ada, bob = await joined(live, 0, 1)
        store.people.forget_all()
        with broken(store, *NO_ACCOUNTS):
            await live.hand_over(2, "p2", "p0")
            live.leave(bob)
        await settled()
        live.leave(await watch(live, "eve"))
        assert live._presence._left_at.keys() == {"p1"}, "nothing is noted of those who only watch"
        seats = [message["seats"] for message in ada.messages if "seats" in message][-1]
        assert [(seat["yours"], seat["online"]) for seat in seats] == [
            (True, True),
            (False, False),
            (True, True),
        ]
        await room.clock.forward(3 * MINUTE - 1)
        assert last_agreements(ada)["absent"] == []
        await room.clock.forward(1)
        assert last_agreements(ada)["absent"] == [1]


@in_loop
async def test_player_is_absent_after_three_minutes_without_a_connection(room: Room) -> None:
    async with room.table(table_of(3)) as live:
        ada, bob, eva = await joined(live, 0, 1, 2)
        await room.clock.forward(10 * MINUTE)
        live.leave(eva)
        await room.clock.forward(3 * MINUTE - 1)
        assert live.table.agreements.absent == frozenset()
        version = live.table.version
        await room.clock.forward(1)
        assert last_agreements(ada)["absent"] == last_agreements(bob)["absent"] == [2]
        assert live.table.version == version
        await live.join(eva)
        await settled()
        assert last_agreements(ada)["absent"] == []


@in_loop
async def test_substitute_leaves_when_the_player_returns(room: Room) -> None:
    async with room.table(table_of(3)) as live:
        ada, _ = await joined(live, 0, 1)
        await room.clock.forward(3 * MINUTE)
        await take(live, Propose, 0, what="bot", about=2)
        assert last_agreements(ada)["proposal"]["asked"] == [0, 1]
        await take(live, Vote, 1, number=1, agree=True)
        assert live.table.seats[2].kind == "bot"
        (eva,) = await joined(live, 2)
        assert eva.messages[0]["seats"][2]["substitute_until"]
        assert "substitute_until" not in ada.messages[-1].get("seats", [{}, {}, {}])[2]
        await take(live, Sit, 2)
        assert live.table.seats[2].session == "p2"
        assert ada.state["asked"] == eva.state["asked"]


@in_loop
async def test_players_are_not_absent_while_no_player_is_connected(room: Room) -> None:
    async with room.table(table_of(2)) as live:
        await watch(live, "stranger")
        await room.clock.forward(60 * MINUTE)
        assert live.table.agreements.absent == frozenset()


@in_loop
async def test_absence_is_judged_alike_when_the_table_is_read_again(store: Store, room: Room) -> None:
    async with room.table(table_of(2)) as live:
        await joined(live, 0)
        await room.clock.forward(3 * MINUTE)
        await take(live, Propose, 0, what="bot", about=1)
        await room.clock.forward(MINUTE)
    stored = stored_table(store, live.id)
    assert stored.table.seats[1].kind == "bot"
    assert [lent.user for lent in stored.table.agreements.substitutes] == ["p1"]


@in_loop
async def test_bots_pause_with_the_table_and_resume_after_three_seconds(room: Room) -> None:
    async with room.table(table_of(2, bots=1)) as live:
        (ada,) = await joined(live, 0)
        await room.clock.forward(5_000)
        await take(live, Propose, 0, what="pause")
        await room.clock.forward(60 * MINUTE)
        before = live.table.length
        await take(live, GoOn, 0)
        assert last_agreements(ada)["pause"]["until"]
        await room.clock.forward(2_999)
        assert live.table.length == before
        await room.clock.forward(10_000)
        if turns(live).asked == (0,):
            await act(live, KEEP)
        await room.clock.forward(10_000)
        assert live.table.length > before


@in_loop
async def test_bot_account_agrees_like_any_bot(store: Store, room: Room) -> None:
    account(store, "p1", "Robot")
    store.people.make_program("p1", room.clock.now())
    async with room.table(table_of(2)) as live:
        await joined(live, 0, 1)
        await take(live, Propose, 0, what="pause")
        assert live.table.agreements.is_paused


@in_loop
async def test_pause_postpones_the_end_of_the_clock(room: Room) -> None:
    clock = {"base": 60, "increment": 10, "up": "lose"}
    async with room.table(table_of(2, clock=clock)) as live:
        ada, _ = await joined(live, 0, 1)
        await act(live, KEEP)
        await room.clock.forward(50_000)
        await take(live, Propose, 0, what="pause")
        await take(live, Vote, 1, number=1, agree=True)
        assert ada.state["running"] == []
        await room.clock.forward(60 * MINUTE)
        assert reason(live) is None
        await take(live, GoOn, 1)
        await room.clock.forward(3_000 + 9_999)
        assert reason(live) is None
        await room.clock.forward(1)
        assert reason(live) == "time"


@in_loop
async def test_adjourned_table_sends_its_new_clock(room: Room) -> None:
    clock = {"base": 60, "increment": 10, "up": "lose"}
    async with room.table(table_of(2, clock=clock)) as live:
        ada, _ = await joined(live, 0, 1)
        await act(live, KEEP)
        await take(live, Propose, 0, what="adjourn", days=2)
        await take(live, Vote, 1, number=1, agree=True)
        (update,) = [
            message for message in ada.messages if message["type"] == "update" and "options" in message
        ]
        assert update["options"]["clock"] == {"days": 2, "up": "lose"}
        await room.clock.forward(24 * 60 * MINUTE)
        assert live.table.outcome is None


@in_loop
async def test_takeback_is_declined_by_name_and_deleted_from_the_store(store: Store, room: Room) -> None:
    async with room.table(table_of(2)) as live:
        ada, _ = await joined(live, 0, 1)
        first = turns(live).asked[0]
        for _ in range(2):
            await act(live, KEEP)
        await take(live, Propose, first, what="take_back")
        await take(live, Vote, 1 - first, number=1, agree=False)
        assert ada.messages[-2] == {"type": "declined", "seat": 1 - first}
        assert ada.messages[-1]["proposal"] is None
        await take(live, Propose, first, what="take_back")
        await take(live, Vote, 1 - first, number=2, agree=True)
        assert (ada.messages[-2]["keep"], ada.messages[-2]["entries"]) == (0, [])
        assert ada.state["take_back"] == []
        await take(live, Resign, first, version=live.table.version)
    assert store.log(live.id) == []
