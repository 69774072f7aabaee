"""What is shown to whoever wants to watch: games between people, else bots in the background."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ekoes.bots import levels
from ekoes.errors import NotationError, TableError
from ekoes.games.api.chance import Chance
from ekoes.games.api.registry import games
from ekoes.server.watch import Watch, exhibition
from ekoes.storage.store import Store
from ekoes.tables.create import new_table
from ekoes.tables.orders import Forfeit, Pace, Pause
from ekoes.tables.ratings import NEW, Rating
from ekoes.tables.settings import Seat
from ekoes.tables.table import Table
from tests.unit.server.hub_room import Room, in_loop, settled


def game_of(*users: str, open_seats: int = 0) -> Table:
    """A public table of Ekö."""
    seats = [Seat("open", user, seat, session=user) for seat, user in enumerate(users)]
    seats += [Seat("open", "", len(users) + n) for n in range(open_seats)]
    table = new_table("eko", {"players": len(seats)}, 1, tuple(seats))
    return replace(table, public=True)


RATINGS = {"ada": 31.0, "bo": 28.0, "cy": 26.0}


def rating(user: str, pool: str) -> Rating | None:
    assert pool == "eko/2/untimed"
    return Rating(RATINGS[user], NEW.deviation) if user in RATINGS else None


@in_loop
async def test_the_game_between_the_best_is_shown_before_bots(room: Room) -> None:
    listed: list[tuple[str, Table]] = []
    watch = Watch(room.hub, rating, lambda _: listed)
    bots = await watch.table("eko")
    tables = {
        "alone": game_of("ada", open_seats=1),
        "weak": game_of("cy", "dora"),
        "strong": game_of("ada", "bo"),
        "middling": game_of("bo", "cy"),
    }
    shown = []
    for one in tables.items():
        listed.append(one)
        shown.append(await watch.table("eko"))
    assert shown == [bots, "weak", "strong", "strong"]
    await room.stop()


@in_loop
async def test_everybody_sees_the_same_game_of_bots_until_it_is_over(room: Room) -> None:
    watch = Watch(room.hub, rating, lambda _: ())
    first = await watch.table("eko")
    assert [await watch.table("eko") for _ in range(3)] == [first] * 3
    assert await watch.table("ekko") != first
    async with room.hub.table(first) as live:
        with pytest.raises(TableError, match="yours"):
            await live.submit(Pause(key="p", paused=True), "eve")
        with pytest.raises(TableError, match="yours"):
            await live.submit(Pace(key="q", milliseconds=0), "eve")
        await live.advance(live.table, Forfeit(key="f", seats=[0]))
        assert live.table.outcome is not None
    second = await watch.table("eko")
    assert second != first
    after = Room(room.hub._store, room.hub._context.chance)
    again = Watch(after.hub, rating, lambda _: ())
    await after.hub.start()
    await settled()
    assert await again.table("eko") == second
    await after.stop()
    with pytest.raises(NotationError, match="eko"):
        await watch.table("chess")
    await room.stop()


@in_loop
async def test_bots_that_are_watched_wait_for_those_of_players(store: Store, room: Room) -> None:
    for binding in (True, False):
        table = replace(exhibition("eko", Chance(1), 1), binding=binding)
        room = Room(store, room.hub._context.chance)
        async with room.table(table):
            await room.clock.forward(5000)
            assert room.thinkers.asked
            assert room.thinkers.urgent == ([] if binding else room.thinkers.asked)


@pytest.mark.parametrize("game", games())
def test_exhibitions_are_of_two_to_four_good_bots(game: str) -> None:
    tables = [exhibition(game, Chance(seed), seed) for seed in range(40)]
    assert {len(table.seats) for table in tables} == {2, 3, 4}
    names = {seat.bot for table in tables for seat in table.seats}
    assert names < {*levels(game)[1:-1]}
    assert len(names) > 1
    assert all(table.is_exhibition and table.public and not table.chat for table in tables)
