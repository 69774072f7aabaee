"""What goes on by itself: a question is asked once, late answers come to nothing, none stops a game."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

import pytest

from ekoes.games.api.contract import Answer
from ekoes.server.runtime.hub import Hub
from ekoes.server.runtime.table_actor import TableActor
from ekoes.server.workers.bot_pool import BotPool
from ekoes.storage.store import Store
from ekoes.tables.bot_request import BotRequest, answer_to
from ekoes.tables.create import new_table
from ekoes.tables.orders import Act, Draw, Rename, Resign
from ekoes.tables.seats import Seat
from ekoes.tables.turns.table import TurnTable
from tests.unit.server.hub_room import AtOnce, Clock, SwiftClock, in_loop, run, settled

BOT_FIRST = (Seat("here", "", 0, session="ada"), Seat("bot", "", 1, bot="random"))
THREE = (*BOT_FIRST, Seat("open", "", 2, session="bob"))


class Patient(BotPool):
    """Answers when the test says so."""

    def __init__(self) -> None:
        super().__init__(0)
        self.asked: list[BotRequest] = []
        self.replies: list[asyncio.Future[Answer]] = []

    def start(self) -> None:
        """Start no threads."""

    async def ask(self, question: BotRequest, table_id: str, *, is_urgent: bool = True) -> Answer:
        self.asked.append(question)
        self.replies.append(asyncio.get_running_loop().create_future())
        return await self.replies[-1]


def table_of(seats: tuple[Seat, ...], first: int) -> TurnTable:
    """A table where a seat begins."""
    for seed in range(99):
        table = new_table("eko", {"players": len(seats)}, seed, seats)
        assert isinstance(table, TurnTable)
        if table.asked == (first,):
            return table
    raise AssertionError


def turns(live: TableActor) -> TurnTable:
    assert isinstance(live.table, TurnTable)
    return live.table


@in_loop
async def test_same_question_is_not_asked_twice(store: Store) -> None:
    thinkers, clock = Patient(), Clock()
    hub = Hub(store, clock, bots=thinkers, thread=AtOnce(1))
    table_id = await hub.create(table_of(BOT_FIRST, 1))
    async with hub.table(table_id) as live:
        for number in range(3):
            await live.submit(Rename(key=f"r{number}", seat=0, name=f"Ada {number}"), "ada")
            await clock.forward(400)
        assert len(thinkers.asked) == 1
        thinkers.replies[0].set_result(answer_to(thinkers.asked[0]))
        await settled()
        assert [entry.seat for entry in turns(live).log] == [1], "its thought took longer than the pace"
        assert turns(live).log[0].at == clock.now()
    await hub.stop()


@in_loop
async def test_answer_waits_for_the_pace_of_the_table(store: Store) -> None:
    thinkers, clock = Patient(), Clock()
    hub = Hub(store, clock, bots=thinkers, thread=AtOnce(1))
    table_id = await hub.create(table_of(BOT_FIRST, 1))
    async with hub.table(table_id) as live:
        await clock.forward(100)
        thinkers.replies[0].set_result(answer_to(thinkers.asked[0]))
        await clock.forward(599)
        assert not turns(live).log
        await clock.forward(1)
        assert len(turns(live).log) == 1
    await hub.stop()


@in_loop
async def test_answer_that_comes_too_late_is_nobodys(store: Store) -> None:
    """The game goes on meanwhile; whatever then comes is for a table that is no more."""
    thinkers, clock = Patient(), Clock()
    hub = Hub(store, clock, bots=thinkers, thread=AtOnce(1))
    table_id = await hub.create(table_of(THREE, 1))
    async with hub.table(table_id) as live:
        await settled()
        late = thinkers.replies[0]
        await live.submit(Draw(key="d", version=0, seat=0, offer=True), "ada")
        await settled()
        assert live.table.version == 1
        assert late.cancelled(), "nobody waits for it any more"
        assert [question.version for question in thinkers.asked] == [0, 1]
        await live.submit(Resign(key="r", version=1, seat=0), "ada")
        await settled()
        thinkers.replies[-1].set_result(answer_to(thinkers.asked[-1]))
        await clock.forward(700)
        assert [entry.seat for entry in turns(live).log] == [1]
    await hub.stop()


def test_answer_that_the_table_refuses_does_not_stop_the_game(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    async def serve() -> None:
        thinkers = Patient()
        hub = Hub(store, SwiftClock(), bots=thinkers, thread=AtOnce(1))
        table_id = await hub.create(table_of(BOT_FIRST, 1))
        async with hub.table(table_id) as live:
            await settled()
            thinkers.replies[0].set_result(Answer({"type": "move", "from": "99,99", "to": "0,0"}))
            await settled()
            assert [entry.seat for entry in turns(live).log] == [1], "a makeshift decides"
        await hub.stop()

    with caplog.at_level(logging.WARNING, "ekoes.server"):
        run(serve())
    assert "bot answer refused" in caplog.text


@in_loop
async def test_people_are_served_while_a_bot_thinks(store: Store) -> None:
    thinkers, clock = Patient(), Clock()
    hub = Hub(store, clock, bots=thinkers, thread=AtOnce(1))
    slow = await hub.create(table_of(BOT_FIRST, 1))
    table = await hub.create(table_of((BOT_FIRST[0], replace(THREE[2], colour=1)), 0))
    async with hub.table(slow), hub.table(table) as live:
        choice = turns(live).position.legal(0)[0]
        action = turns(live).position.game.action_to_json(choice)
        assert await live.submit(Act(key="a", version=0, seat=0, action=action), "ada") == 1
        assert not thinkers.replies[0].done()
    await hub.stop()
