"""The lobby as time passes: who left a moment ago, bots that come after a while, what is told together."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import orjson
import pytest

from ekoes.errors import TableError
from ekoes.games.api.chance import Chance
from ekoes.games.api.values import changed as with_changes
from ekoes.protocol.diff import changed
from ekoes.protocol.incoming import Bots
from ekoes.server.lobby.lobby import Lobby
from ekoes.server.lobby.pairing import Pairing, Seeker, Wish, wish_of
from ekoes.server.realtime.broadcast import DiffMap
from ekoes.server.realtime.connection import Broadcast
from ekoes.storage.store import Store
from ekoes.tables.agreements import Substitute
from ekoes.tables.orders import Resign, Sit
from ekoes.tables.plan import TableOptions
from ekoes.tables.ratings import NEW, Rating
from ekoes.tables.seats import Seat
from tests.unit.server.hub_room import Room, run, settled
from tests.unit.tables.racing import race_table

Json = dict[str, Any]
TWO = TableOptions.model_validate({"players": 2})


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(f"sqlite:///{tmp_path}/test.sqlite")
    yield store
    store.close()


class Visitor:
    """A line to the lobby that keeps what it is told."""

    def __init__(self, session: str) -> None:
        self.session = session
        self.messages: list[Json] = []
        self.told: Json = {}

    def send_shared(self, message: Broadcast) -> None:
        told = orjson.loads(message.text)
        self.messages.append(told)
        self.told = told if told["type"] == "lobby" else changed(self.told, told["change"])


class Meeting:
    """A hub whose tables a lobby tells of, with those who look for a game there."""

    def __init__(self, store: Store) -> None:
        self.room = Room(store, Chance(1))
        self.clock = self.room.clock
        self.lobby = Lobby(self.clock)
        self.pairing = Pairing(self.clock, self.room.hub.create, self.lobby.seeking)
        self.room.hub.listeners.append(self.lobby.notice)
        self.room.hub.turn_listeners.append(self.lobby.notice)
        self.heard: dict[str, list[Json]] = {}

    def come(self, stack: ExitStack, session: str) -> Visitor:
        stack.enter_context(self.lobby.here(session))
        visitor = Visitor(session)
        self.lobby.join(visitor)
        stack.callback(self.lobby.part, visitor)
        return visitor

    async def table(self, maker: str, *, public: bool = True) -> str:
        seats = (Seat("here", "Ada", 0, session=maker), Seat("open", "", 1))
        return await self.room.hub.create(with_changes(race_table(seats, 0), public=public))

    def seek(
        self, holder: str, bots: Bots | None = None, wish: Wish | None = None, *, shown: int | None = None
    ) -> Seeker:
        """Let somebody look for a game. shown: their rating, as people see it."""
        heard = self.heard.setdefault(holder, [])
        rating = None if shown is None else Rating(NEW.mean + (shown - NEW.shown) / 30, 1.0)
        wish, now = wish or wish_of("ekko", TWO), self.clock.now()
        seeker = Seeker(holder, holder, wish, bots, heard.append, now, rating=rating)
        self.pairing.seek(seeker)
        return seeker

    @property
    def paired(self) -> set[str]:
        """Those who were told where they play."""
        return {holder for holder, heard in self.heard.items() if heard}

    async def stop(self) -> None:
        await self.pairing.stop()
        await self.lobby.stop()
        await self.room.hub.stop()


def test_who_left_a_moment_ago_is_still_here(store: Store) -> None:
    async def serve() -> None:
        meeting = Meeting(store)
        with ExitStack() as stack:
            eve = meeting.come(stack, "eve")
            with meeting.lobby.here("ada"):
                table = await meeting.table("ada")
                await meeting.clock.forward(1000)
            await meeting.clock.forward(9000)
            assert list(eve.told["tables"]) == [table]
            with meeting.lobby.here("ada"):
                await meeting.clock.forward(60_000)
                assert list(eve.told["tables"]) == [table]
            await meeting.clock.forward(11_000)
            assert eve.told["tables"] == {}
        await meeting.stop()

    run(serve())


def test_who_comes_back_keeps_a_table_there_as_long_as_they_stay(store: Store) -> None:
    async def serve() -> None:
        meeting = Meeting(store)
        with ExitStack() as stack:
            eve = meeting.come(stack, "eve")
            with meeting.lobby.here("bo"):
                with meeting.lobby.here("ada"):
                    table = await meeting.table("ada")
                    async with meeting.room.hub.table(table) as live:
                        await live.submit(Sit(key="s", seat=1, name="Bo"), "bo")
                await meeting.clock.forward(60_000)
                back = ExitStack()
                back.enter_context(meeting.lobby.here("ada"))
            await meeting.clock.forward(60_000)
            assert list(eve.told["tables"]) == [table]
            back.close()
            await meeting.clock.forward(60_000)
            assert eve.told["tables"] == {}
        await meeting.stop()

    run(serve())


def test_what_came_and_went_between_two_tellings_is_not_told(store: Store) -> None:
    async def serve() -> None:
        meeting = Meeting(store)
        with ExitStack() as stack:
            eve = meeting.come(stack, "eve")
            stack.enter_context(meeting.lobby.here("ada"))
            await meeting.clock.forward(1000)
            before = len(eve.messages)
            table = await meeting.table("ada")
            await meeting.clock.forward(0)
            assert len(eve.messages) == before + 1
            async with meeting.room.hub.table(table) as live:
                await live.submit(Sit(key="s", seat=1, name="Bo"), "bo")
                await live.submit(Resign(key="r", seat=1), "bo")
            await meeting.table("ada")
            await meeting.clock.forward(400)
            assert len(eve.messages) == before + 2
            assert [told is None for told in eve.messages[-1]["change"]["tables"].values()].count(True) == 1
            await meeting.clock.forward(5000)
            assert len(eve.messages) == before + 2
        await meeting.stop()

    run(serve())


def test_a_table_by_link_is_on_no_shelf_but_its_peoples_own(store: Store) -> None:
    async def serve() -> None:
        meeting = Meeting(store)
        with ExitStack() as stack:
            ada, eve = meeting.come(stack, "ada"), meeting.come(stack, "eve")
            table = await meeting.table("ada", public=False)
            await meeting.clock.forward(1000)
            assert (list(ada.told["own"]), eve.told["own"]) == ([table], {})
            assert table not in str(eve.messages)
            late = meeting.come(stack, "ada")
            await meeting.clock.forward(1000)
            assert late.told["own"] == ada.told["own"]
        await meeting.stop()

    run(serve())


def test_a_table_is_still_theirs_for_whom_a_bot_keeps_a_seat(store: Store) -> None:
    async def serve() -> None:
        meeting = Meeting(store)
        seats = (Seat("here", "Ada", 0, session="ada"), Seat("bot", "Bo", 1, bot="casual"))
        table = race_table(seats, 0)
        lent = Substitute(1, "open", "bo", meeting.clock.now())
        left = with_changes(table, agreements=with_changes(table.agreements, substitutes=(lent,)))
        with ExitStack() as stack:
            ada, bo = meeting.come(stack, "ada"), meeting.come(stack, "bo")
            meeting.lobby.notice("t", left)
            await meeting.clock.forward(1000)
            assert [list(one.told["own"]) for one in (ada, bo)] == [["t"], ["t"]]
            meeting.lobby.notice("t", table)
            await meeting.clock.forward(1000)
            assert [list(one.told["own"]) for one in (ada, bo)] == [["t"], []]
        await meeting.stop()

    run(serve())


def test_bots_come_after_a_while_to_those_who_would_have_them(store: Store) -> None:
    async def serve() -> None:
        meeting, bots = Meeting(store), Bots(bot="casual", after=20)
        three = wish_of("ekko", TableOptions.model_validate({"players": 3}))
        meeting.seek("ada", wish=three)
        meeting.seek("bo", bots, three)
        await meeting.clock.forward(19_999)
        assert meeting.heard == {"ada": [], "bo": []}
        await meeting.clock.forward(1)
        (told,) = meeting.heard["bo"]
        async with meeting.room.hub.table(told["table"]) as live:
            sit = sorted(seat.bot or seat.name for seat in live.table.seats)
        assert (told["type"], sit, meeting.heard["ada"]) == ("paired", ["bo", "casual", "casual"], [])
        await meeting.stop()

    run(serve())


def test_who_was_paired_or_left_gets_no_bots(store: Store) -> None:
    async def serve() -> None:
        meeting, bots = Meeting(store), Bots(bot="casual", after=20)
        meeting.pairing.leave(meeting.seek("eve", bots))
        meeting.seek("ada", bots)
        meeting.seek("bo", bots)
        await settled()
        await meeting.clock.forward(60_000)
        (ada,), (bo,) = meeting.heard["ada"], meeting.heard["bo"]
        assert (ada, meeting.heard["eve"]) == (bo, [])
        async with meeting.room.hub.table(ada["table"]) as live:
            assert {seat.session for seat in live.table.seats} == {"ada", "bo"}
            assert live.table.public
        with pytest.raises(TableError):
            meeting.seek("eve", Bots(bot="hal", after=0))
        await meeting.stop()

    run(serve())


def test_the_nearest_in_rating_are_brought_together(store: Store) -> None:
    async def serve() -> None:
        meeting = Meeting(store)
        for holder, shown in (("ada", 1100), ("bo", 1800), ("eve", 1470)):
            meeting.seek(holder, shown=shown)
        await settled()
        assert meeting.paired == set()
        meeting.seek("max", shown=1640)
        await settled()
        assert meeting.paired == {"bo", "max"}
        await meeting.stop()

    run(serve())


def test_who_waits_long_plays_with_those_who_are_far(store: Store) -> None:
    async def serve() -> None:
        meeting = Meeting(store)
        meeting.seek("ada", shown=1100)
        await meeting.clock.forward(10_000)
        meeting.seek("bo", shown=1500)
        await meeting.clock.forward(9_000)
        assert meeting.paired == set()
        await meeting.clock.forward(1_000)
        assert meeting.paired == {"ada", "bo"}
        await meeting.stop()

    run(serve())


def test_who_was_never_rated_waits_for_nobody_nearer(store: Store) -> None:
    async def serve() -> None:
        meeting = Meeting(store)
        meeting.seek("ada", shown=2400)
        meeting.seek("eve")
        await settled()
        assert meeting.paired == {"ada", "eve"}
        await meeting.stop()

    run(serve())


def test_at_a_table_of_several_all_are_near_to_each_other(store: Store) -> None:
    async def serve() -> None:
        meeting = Meeting(store)
        three = wish_of("ekko", TableOptions.model_validate({"players": 3}))
        for holder, shown in (("ada", 1300), ("bo", 1650), ("eve", 1480)):
            meeting.seek(holder, wish=three, shown=shown)
        await settled()
        assert meeting.paired == set()
        meeting.seek("max", wish=three, shown=1500)
        await settled()
        assert meeting.paired == {"bo", "eve", "max"}
        await meeting.stop()

    run(serve())


def test_a_shelf_tells_what_changed_and_no_more() -> None:
    shelf = DiffMap()
    assert (shelf.put("a", {"n": 1, "m": [1]}), shelf.put("a", {"n": 1, "m": [1]})) == (True, False)
    assert shelf.take_changes() == {"a": [{"n": 1, "m": [1]}]}
    shelf.put("a", {"n": 2, "m": [1]})
    shelf.put("b", 1)
    shelf.put("b", None)
    assert (shelf.take_changes(), shelf.now) == ({"a": {"n": [2]}}, {"a": {"n": 2, "m": [1]}})
    shelf.put("a", None)
    assert (shelf.take_changes(), shelf.take_changes()) == ({"a": None}, {})
