"""Tournaments as time passes and servers end: who does not come, and rounds that are never drawn twice."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from ekoes.errors import StorageError
from ekoes.games.api.chance import Chance
from ekoes.server.runtime.seat_guard import SeatGuard
from ekoes.server.tournaments.service import Tournaments
from ekoes.storage.accounts import Account
from ekoes.storage.store import Store
from ekoes.tables.orders import Resign
from ekoes.tournaments.standings import after_rounds
from ekoes.tournaments.state import Game, TournamentPlan
from tests.unit.server.hub_room import Room, run, settled
from tests.unit.tables.racing import NOW
from tests.unit.tournament.playing import plan

GRACE = 10 * 60 * 1000
CLOCK = {"base": 300, "increment": 5}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(f"sqlite:///{tmp_path}/test.sqlite")
    yield store
    store.close()


class Club:
    """A server's tournaments, and people with accounts. A second one at the same store is its next server."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.room = Room(store, Chance(1))
        self.told: dict[str, Any] = {}
        door = SeatGuard(store)
        self.tournaments = Tournaments(self.room.hub, store, self.room.clock, door, self.told.__setitem__)

    async def people(self, *names: str) -> None:
        for name in names:
            self.store.people.open(Account(name, name, "", NOW), [f"code of {name}"])

    async def made(self, wish: TournamentPlan, *names: str) -> str:
        """Return a tournament that is about to begin: the first of its people has made it."""
        await self.people(*names)
        tournament = await self.tournaments.make(names[0], wish)
        for name in names:
            await self.tournaments.join(tournament, name)
        return tournament

    def rounds(self, tournament: str) -> tuple[tuple[Game, ...], ...]:
        return self.store.tournaments.load(tournament).tournament.rounds

    async def resign(self, game: Game, seat: int) -> None:
        assert game.table is not None
        async with self.room.hub.table(game.table) as live:
            holder = live.table.seats[seat].session
            order = Resign(key=f"resign-{seat}", version=live.table.version, seat=seat)
            assert holder is not None
            await live.submit(order, holder)
        await settled()

    async def end(self) -> None:
        await self.tournaments.stop()
        await self.room.hub.stop()


def test_who_has_not_come_in_time_has_lost_and_if_nobody_has_both_have(store: Store) -> None:
    async def story() -> None:
        club = Club(store)
        tournament = await club.made(plan("robin", clock=CLOCK), "ada", "bo", "cleo", "dan")
        await club.tournaments.begin(tournament, "ada")
        first, _second = club.rounds(tournament)[0]
        assert first.seats == (1, 4)
        club.tournaments.note(first.table or "", "ada")
        async with club.room.hub.table(first.table or "") as live:
            (asked,) = live.table.position.actors()
        await club.room.clock.forward(GRACE - 1)
        assert len(club.rounds(tournament)) == 1
        await club.room.clock.forward(1)
        games = club.rounds(tournament)
        assert len(games) == 2
        # ada had come, and yet has not begun if that was for her to do
        assert games[0][0].absent == ({1} | {asked} & {0})
        assert games[0][1].absent == {0, 1}
        points = after_rounds(store.tournaments.load(tournament).tournament)
        assert [points[number] for number in (1, 2, 3, 4)] == [asked != 0, 0, 0, 0]
        await club.end()

    run(story())


def test_next_server_waits_for_people_anew(store: Store) -> None:
    async def story() -> None:
        club = Club(store)
        tournament = await club.made(plan("swiss", clock=CLOCK), "ada", "bo")
        await club.tournaments.begin(tournament, "ada")
        await club.room.clock.forward(GRACE - 1)
        after = Club(store)
        await after.room.clock.forward(GRACE)
        await after.tournaments.start()
        assert club.rounds(tournament)[0][0].places is None
        await after.room.clock.forward(GRACE - 1)
        assert club.rounds(tournament)[0][0].places is None
        await after.room.clock.forward(1)
        assert club.rounds(tournament)[0][0].absent == {0, 1}
        assert store.tournaments.load(tournament).tournament.status == "over"
        for each in (club, after):
            await each.end()

    run(story())


@pytest.mark.parametrize("killed_at", ["draw", "round", "result"])
def test_server_that_is_killed_at_any_step_is_followed_by_one_that_draws_each_round_once(
    store: Store, killed_at: str
) -> None:
    """The power is cut before a round is kept, right after that, and right after the last game has ended."""

    async def story() -> None:
        club = Club(store)
        tournament = await club.made(plan("swiss", clock=CLOCK), "ada", "bo", "cleo", "dan")
        with ExitStack() as stack:
            patch = stack.enter_context(pytest.MonkeyPatch.context())
            if killed_at == "draw":
                patch.setattr(store.tournaments, "add_round", cut)
            if killed_at == "round":
                patch.setattr(club.room.hub, "table", cut)
            if killed_at == "result":
                await club.tournaments.begin(tournament, "ada")
                club.room.hub.listeners.clear()
                for game in club.rounds(tournament)[0]:
                    await club.resign(game, 1)
            else:
                with pytest.raises(StorageError):
                    await club.tournaments.begin(tournament, "ada")
        drawn = {"draw": 0, "round": 1, "result": 1}[killed_at]
        assert len(club.rounds(tournament)) == drawn
        after = [Club(store), Club(store)]
        await asyncio.gather(*(each.tournaments.start() for each in after))
        await settled()
        expected = 2 if killed_at == "result" else 1
        assert [len(games) for games in club.rounds(tournament)] == [2] * expected
        tables = [game.table for games in club.rounds(tournament) for game in games]
        assert len(set(tables)) == len(tables)
        for each in (club, *after):
            await each.end()

    run(story())


def cut(*_: object) -> None:
    raise StorageError("the power is cut")


def test_tournament_is_told_in_the_lobby_until_it_is_over(store: Store) -> None:
    async def story() -> None:
        club = Club(store)
        tournament = await club.made(plan("swiss", clock=CLOCK), "ada", "bo")
        assert (club.told[tournament]["status"], club.told[tournament]["entrants"]) == ("open", 2)
        await club.tournaments.begin(tournament, "ada")
        assert club.told[tournament]["status"] == "running"
        await club.resign(club.rounds(tournament)[0][0], 0)
        assert club.told[tournament] is None
        await club.end()

    run(story())
