"""The lobby over time: users who reconnect, tables that come and go, and the pairing of seekers."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import orjson
import pytest

from ekoes.errors import ClubError, TableError
from ekoes.games.api.chance import Chance
from ekoes.games.api.values import changed as with_changes
from ekoes.games.api.values import patched
from ekoes.protocol import Bots
from ekoes.server.cluster.cluster import LobbyDiff
from ekoes.server.lobby.lobby import Lobby
from ekoes.server.lobby.pairing import Pairing, Seeker, Sought, sought_of
from ekoes.server.ops.tasks import end
from ekoes.server.realtime.broadcast import DiffMap
from ekoes.server.realtime.connection import Broadcast
from ekoes.server.realtime.rooms import Rooms, Seen
from ekoes.storage.store import Store
from ekoes.tables.orders import Resign, Sit
from ekoes.tables.ratings import NEW, Rating
from ekoes.tables.settings import Seat, Substitute, TableOptions
from tests.unit.server.hub_room import Clock, Room, ScriptedLine, run, settled
from tests.unit.storage.keeping import Keeper, eko_table
from tests.unit.tables.racing import race_table

Json = dict[str, Any]
TWO = TableOptions.model_validate({"players": 2})


class Visitor:
    """A connection to the lobby that collects its messages. lobby: what they add up to."""

    def __init__(self, session: str) -> None:
        self.session = session
        self.messages: list[Json] = []
        self.lobby: Json = {}

    def send_shared(self, message: Broadcast) -> None:
        news = orjson.loads(message.text)
        self.messages.append(news)
        self.lobby = news if news["type"] == "lobby" else patched(self.lobby, news["change"])


class Meeting:
    """A hub with a lobby and seekers. received: what each seeker was sent."""

    def __init__(self, store: Store) -> None:
        self.room = Room(store, Chance(1))
        self.clock = self.room.clock
        self.lobby = Lobby(self.clock)
        self.pairing = Pairing(self.clock, self.room.hub.create, self.lobby.seeking)
        self.room.hub.listeners.append(self.lobby.notice)
        self.room.hub.turn_listeners.append(self.lobby.notice)
        self.received: dict[str, list[Json]] = {}
        self.stack = ExitStack()

    def visit(self, session: str) -> Visitor:
        """Connect a user to the lobby until the end of the test."""
        self.stack.enter_context(self.lobby.here(session))
        visitor = Visitor(session)
        self.lobby.join(visitor)
        self.stack.callback(self.lobby.part, visitor)
        return visitor

    async def table(self, maker: str, *, public: bool = True) -> str:
        seats = (Seat("here", "Ada", 0, session=maker), Seat("open", "", 1))
        return await self.room.hub.create(with_changes(race_table(seats, 0), public=public))

    def seek(
        self,
        user: str,
        bots: Bots | None = None,
        sought: Sought | None = None,
        *,
        shown: int | None = None,
    ) -> Seeker:
        """Seek a game for a user. shown: their rating as displayed."""
        received = self.received.setdefault(user, [])
        rating = None if shown is None else Rating(NEW.mean + (shown - NEW.shown) / 30, 1.0)
        sought, now = sought or sought_of("ekko", TWO), self.clock.now()
        seeker = Seeker(user, user, sought, bots, received.append, now, rating=rating)
        self.pairing.seek(seeker)
        return seeker

    @property
    def paired(self) -> set[str]:
        """The users for whom a game was found."""
        return {user for user, received in self.received.items() if received}

    async def stop(self) -> None:
        self.stack.close()
        await self.pairing.stop()
        await self.lobby.stop()
        await self.room.hub.stop()


def in_lobby(story: Callable[[Meeting], Coroutine[Any, Any, None]]) -> Callable[[Store], None]:
    """Make a test of a story in a lobby."""

    def test(store: Store) -> None:
        async def whole() -> None:
            meeting = Meeting(store)
            await story(meeting)
            await meeting.stop()

        run(whole())

    return test


@in_lobby
async def test_a_table_stays_listed_while_its_player_reconnects(meeting: Meeting) -> None:
    eve = meeting.visit("eve")
    with meeting.lobby.here("ada"):
        table = await meeting.table("ada")
        await meeting.clock.forward(1000)
    await meeting.clock.forward(9000)
    assert list(eve.lobby["tables"]) == [table]
    with meeting.lobby.here("ada"):
        await meeting.clock.forward(60_000)
        assert list(eve.lobby["tables"]) == [table]
    await meeting.clock.forward(11_000)
    assert eve.lobby["tables"] == {}


@in_lobby
async def test_returning_player_keeps_the_table_listed(meeting: Meeting) -> None:
    eve = meeting.visit("eve")
    with meeting.lobby.here("bo"):
        with meeting.lobby.here("ada"):
            table = await meeting.table("ada")
            async with meeting.room.hub.table(table) as live:
                await live.submit(Sit(key="s", seat=1, name="Bo"), "bo")
        await meeting.clock.forward(60_000)
        back = ExitStack()
        back.enter_context(meeting.lobby.here("ada"))
    await meeting.clock.forward(60_000)
    assert list(eve.lobby["tables"]) == [table]
    back.close()
    await meeting.clock.forward(60_000)
    assert eve.lobby["tables"] == {}


@in_lobby
async def test_changes_between_two_messages_are_merged(meeting: Meeting) -> None:
    eve = meeting.visit("eve")
    meeting.stack.enter_context(meeting.lobby.here("ada"))
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
    assert [table is None for table in eve.messages[-1]["change"]["tables"].values()].count(True) == 1
    await meeting.clock.forward(5000)
    assert len(eve.messages) == before + 2


@in_lobby
async def test_a_private_table_is_listed_for_its_players_alone(meeting: Meeting) -> None:
    ada, eve = meeting.visit("ada"), meeting.visit("eve")
    table = await meeting.table("ada", public=False)
    await meeting.clock.forward(1000)
    assert (list(ada.lobby["own"]), eve.lobby["own"]) == ([table], {})
    assert table not in str(eve.messages)
    late, stranger = meeting.visit("ada"), meeting.visit("eve")
    await meeting.clock.forward(1000)
    assert late.lobby["own"] == ada.lobby["own"]
    assert table not in str(stranger.messages)


@in_lobby
async def test_a_table_is_listed_for_a_player_with_a_substitute(meeting: Meeting) -> None:
    seats = (Seat("here", "Ada", 0, session="ada"), Seat("bot", "Bo", 1, bot="casual"))
    table = race_table(seats, 0)
    lent = Substitute(1, "open", "bo", meeting.clock.now())
    left = with_changes(table, agreements=with_changes(table.agreements, substitutes=(lent,)))
    ada, bo = meeting.visit("ada"), meeting.visit("bo")
    meeting.lobby.notice("t", left)
    await meeting.clock.forward(1000)
    assert [list(one.lobby["own"]) for one in (ada, bo)] == [["t"], ["t"]]
    meeting.lobby.notice("t", table)
    await meeting.clock.forward(1000)
    assert [list(one.lobby["own"]) for one in (ada, bo)] == [["t"], []]


@in_lobby
async def test_after_a_while_bots_play_with_seekers_who_accept_bots(meeting: Meeting) -> None:
    bots = Bots(bot="casual", after=20)
    three = sought_of("ekko", TableOptions.model_validate({"players": 3}))
    meeting.seek("ada", sought=three)
    meeting.seek("bo", bots, three)
    await meeting.clock.forward(19_999)
    assert meeting.received == {"ada": [], "bo": []}
    await meeting.clock.forward(1)
    (message,) = meeting.received["bo"]
    async with meeting.room.hub.table(message["table"]) as live:
        sit = sorted(seat.bot or seat.name for seat in live.table.seats)
    assert (message["type"], sit, meeting.received["ada"]) == ("paired", ["bo", "casual", "casual"], [])


@in_lobby
async def test_seekers_who_were_paired_or_left_get_no_bots(meeting: Meeting) -> None:
    bots = Bots(bot="casual", after=20)
    meeting.pairing.leave(meeting.seek("eve", bots))
    meeting.seek("ada", bots)
    meeting.seek("bo", bots)
    await settled()
    await meeting.clock.forward(60_000)
    (ada,), (bo,) = meeting.received["ada"], meeting.received["bo"]
    assert (ada, meeting.received["eve"]) == (bo, [])
    async with meeting.room.hub.table(ada["table"]) as live:
        assert {seat.session for seat in live.table.seats} == {"ada", "bo"}
        assert live.table.public
    with pytest.raises(TableError):
        meeting.seek("eve", Bots(bot="hal", after=0))


@in_lobby
async def test_nobody_is_paired_with_themselves_or_a_seeker_who_left(meeting: Meeting) -> None:
    meeting.pairing.leave(meeting.seek("eve"))
    first, second = meeting.seek("ada"), meeting.seek("ada")
    await settled()
    assert meeting.paired == set()
    meeting.pairing.leave(first)
    meeting.pairing.leave(second)
    meeting.seek("bo")
    await settled()
    assert meeting.paired == set()


@in_lobby
async def test_seekers_with_the_closest_ratings_are_paired(meeting: Meeting) -> None:
    for user, shown in (("ada", 1100), ("bo", 1800), ("eve", 1470)):
        meeting.seek(user, shown=shown)
    await settled()
    assert meeting.paired == set()
    meeting.seek("max", shown=1640)
    await settled()
    assert meeting.paired == {"bo", "max"}


@in_lobby
async def test_the_range_of_ratings_widens_with_time(meeting: Meeting) -> None:
    meeting.seek("ada", shown=1100)
    await meeting.clock.forward(10_000)
    meeting.seek("bo", shown=1500)
    await meeting.clock.forward(9_000)
    assert meeting.paired == set()
    await meeting.clock.forward(1_000)
    assert meeting.paired == {"ada", "bo"}


class Turns(frozenset[str]):
    """Nobody; counts by turn of the event loop how often somebody is looked for here."""

    def __init__(self) -> None:
        self.now = 0
        self.looks = Counter[int]()

    def __contains__(self, user: object) -> bool:
        self.looks[self.now] += 1
        return False

    async def count(self) -> None:
        while True:
            self.now += 1
            await asyncio.sleep(0)


@in_lobby
async def test_others_have_their_turn_while_many_seekers_are_compared(meeting: Meeting) -> None:
    turns, many = Turns(), 20
    for number in range(many):
        meeting.seek(f"user {number}", shown=300 * number).apart = turns
    turns.looks.clear()
    counting = asyncio.create_task(turns.count())
    await meeting.clock.forward(1000)
    await end(counting)
    assert turns.looks.total() >= many * (many - 1)
    assert max(turns.looks.values()) <= 4 * many


@in_lobby
async def test_others_have_their_turn_between_first_messages_with_something_of_ones_own(
    meeting: Meeting,
) -> None:
    turns, many, sent = Turns(), 20, []

    class Counted(Visitor):
        def send_shared(self, message: Broadcast) -> None:
            sent.append(turns.now)
            super().send_shared(message)

    for number in range(many):
        user = f"user {number}"
        meeting.stack.enter_context(meeting.lobby.here(user))
        await meeting.table(user)
    counting = asyncio.create_task(turns.count())
    visitors = [Counted(f"user {number}") for number in range(many)]
    for visitor in visitors:
        meeting.lobby.join(visitor)
        meeting.stack.callback(meeting.lobby.part, visitor)
    await meeting.clock.forward(1000)
    await end(counting)
    assert all(len(visitor.lobby["own"]) == 1 for visitor in visitors)
    assert len(set(sent)) >= many


@in_lobby
async def test_an_unknown_rating_is_close_to_all(meeting: Meeting) -> None:
    meeting.seek("ada", shown=2400)
    meeting.seek("eve")
    await settled()
    assert meeting.paired == {"ada", "eve"}


@in_lobby
async def test_at_a_table_of_several_all_ratings_are_close(meeting: Meeting) -> None:
    three = sought_of("ekko", TableOptions.model_validate({"players": 3}))
    for user, shown in (("ada", 1300), ("bo", 1650), ("eve", 1480)):
        meeting.seek(user, sought=three, shown=shown)
    await settled()
    assert meeting.paired == set()
    meeting.seek("max", sought=three, shown=1500)
    await settled()
    assert meeting.paired == {"bo", "eve", "max"}


def test_a_diff_map_returns_what_changed() -> None:
    values = DiffMap()
    assert (values.put("a", {"n": 1, "m": [1]}), values.put("a", {"n": 1, "m": [1]})) == (True, False)
    assert values.take_changes() == {"a": [{"n": 1, "m": [1]}]}
    values.put("a", {"n": 2, "m": [1]})
    values.put("b", 1)
    values.put("b", None)
    assert (values.take_changes(), values.now) == ({"a": {"n": [2]}}, {"a": {"n": 2, "m": [1]}})
    values.put("a", None)
    assert (values.take_changes(), values.take_changes()) == ({"a": None}, {})


class Leader:
    """Compares a table with what it knew."""

    def __init__(self) -> None:
        self.time = 100.0
        self.here = {"all"}
        self._diff = LobbyDiff(lambda: self.time)

    def change(self, table: object) -> str | None:
        return self._diff.change("t", table, lambda seat: seat.session in self.here)  # type: ignore[arg-type]


def test_only_the_next_turn_is_sent_not_each_decision(tmp_path: object) -> None:
    store = Store(f"sqlite:///{tmp_path}/test.sqlite")
    keeper, leader = Keeper(store, eko_table()), Leader()
    assert leader.change(keeper.table) == "public"
    messages = []
    for _ in range(40):
        before = keeper.table.asked
        keeper.play(1)
        messages.append((keeper.table.asked != before, leader.change(keeper.table)))
    assert set(messages) == {(False, None), (True, "turn")}
    leader.time += 5
    assert leader.change(keeper.table) == "turn"
    store.close()


def test_room_of_what_is_deleted_while_somebody_enters_sends_them_away() -> None:
    def look(_name: str, _users: object) -> Seen:
        raise ClubError("there is no such club", code="club/not-found")

    line, rooms = ScriptedLine(), Rooms(Clock(), "club", (), look, lambda _name, _user: None)
    run(rooms.serve(line.socket, "ada", "harbour"))
    assert (line.code, line.messages[0]["code"], [*rooms]) == (4404, "club/not-found", [])


def test_public_changes_are_sent_at_once() -> None:
    leader, table = Leader(), eko_table()
    leader.change(table)
    sat = replace(table, seats=(table.seats[0], Seat("here", "Bo", 1, session="bo")))
    for change in (sat, replace(sat, public=True), replace(sat, rematch="next")):
        assert leader.change(change) == "public"
        assert leader.change(change) is None
    leader.here.add("bo")
    assert leader.change(change) == "public"
