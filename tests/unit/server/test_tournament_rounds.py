"""Tournaments over time and across restarts: absent players, and rounds that are drawn only once."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from datetime import timedelta, timezone
from typing import Any

import pytest

from ekoes.errors import StorageError, TournamentError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Outcome
from ekoes.server.runtime.permissions import SeatGuard
from ekoes.server.tournaments import Tournaments
from ekoes.storage import clubs
from ekoes.storage.store import Store
from ekoes.tables.orders import Act, GivePart, Resign
from ekoes.tournaments.standings import after_rounds
from ekoes.tournaments.state import Game, TournamentPlan
from tests.kit.stored import account
from tests.unit.server.hub_room import Room, in_loop, settled
from tests.unit.tournament.playing import plan

GRACE = 10 * 60 * 1000
BREAK = 30 * 1000
CLOCK = {"base": 300, "increment": 5}


class Club:
    """The tournaments of a server. A second one with the same store is the server after a restart."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.room = Room(store, Chance(1))
        self.entries: dict[str, Any] = {}
        self.guard = SeatGuard(store)
        publish = self.entries.__setitem__
        self.tournaments = Tournaments(self.room.hub, store, self.room.clock, self.guard, publish)

    async def made(self, wish: TournamentPlan, *names: str) -> str:
        """Create a tournament with entrants; the first of them is its organiser."""
        for name in names:
            account(self.store, name)
        tournament = await self.tournaments.make(names[0], wish)
        for name in names:
            await self.tournaments.join(tournament, name)
        return tournament

    def rounds(self, tournament: str) -> tuple[tuple[Game, ...], ...]:
        return self.store.tournaments.load(tournament).tournament.rounds

    async def resign(self, game: Game, seat: int) -> None:
        assert game.table is not None
        async with self.room.hub.table(game.table) as live:
            user = live.table.seats[seat].session
            order = Resign(key=f"resign-{seat}", version=live.table.version, seat=seat)
            assert user is not None
            await live.submit(order, user)
        await settled()

    async def asked(self, game: Game) -> int:
        """Return the seat that moves first, once all have given their parts of the deal."""
        await self.deal(game)
        async with self.room.hub.table(game.table or "") as live:
            (seat,) = live.table.position.actors()
        return int(seat)

    async def deal(self, game: Game) -> None:
        """Let all players give their parts of the seed, unless the game has begun."""
        async with self.room.hub.table(game.table or "") as live:
            for seat, held in enumerate(live.table.seats):
                if not live.table.is_started:
                    order = GivePart(key=f"part-{seat}", seat=seat, part=f"{seat}" * 32)
                    await live.submit(order, held.session or "")

    async def outcome(self, game: Game) -> Outcome | None:
        async with self.room.hub.table(game.table or "") as live:
            return live.table.outcome

    async def end(self) -> None:
        await self.tournaments.stop()
        await self.room.hub.stop()


@pytest.mark.parametrize("comes", ["the first to move", "the other"])
@in_loop
async def test_player_who_comes_wins_and_both_who_do_not_lose(store: Store, comes: str) -> None:
    """Table and standings agree, also where the player who came would have moved first."""
    club = Club(store)
    tournament = await club.made(plan("robin", clock=CLOCK), "ada", "bo", "cleo", "dan")
    await club.tournaments.begin(tournament, "ada")
    first, second = club.rounds(tournament)[0]
    seat = (comes == "the other") ^ await club.asked(first)
    number = first.seats[seat]
    club.tournaments.note(first.table or "", ("ada", "bo", "cleo", "dan")[number - 1])
    await club.room.clock.forward(GRACE - 1)
    assert len(club.rounds(tournament)) == 1
    await club.room.clock.forward(1)
    games = club.rounds(tournament)
    assert [game.absent for game in games[0]] == [{1 - seat}, {0, 1}]
    points = after_rounds(store.tournaments.load(tournament).tournament)
    assert {one: points[one] for one in (1, 2, 3, 4)} == {1: 0, 2: 0, 3: 0, 4: 0} | {number: 1}
    assert await club.outcome(first) == Outcome((seat,), "no-show", "")
    assert await club.outcome(second) == Outcome((), "aborted", "")
    await club.end()


@in_loop
async def test_next_round_waits_half_a_minute_unless_the_organiser_starts_it(store: Store) -> None:
    """Whoever still looks at the result of the last game comes to the next one in time."""
    club = Club(store)
    tournament = await club.made(plan("robin", clock=CLOCK), "ada", "bo", "cleo", "dan")
    await club.tournaments.begin(tournament, "ada")
    for number, game in enumerate(club.rounds(tournament)[0], 1):
        await club.resign(game, 0)
        shown, _ = club.tournaments.look(tournament, ())
        assert ("next_at" in shown["about"]) == (number == 2)
    await club.room.clock.forward(BREAK - 1)
    assert len(club.rounds(tournament)) == 1
    await club.room.clock.forward(1)
    assert len(club.rounds(tournament)) == 2
    for game in club.rounds(tournament)[1]:
        await club.resign(game, 0)
    await club.tournaments.begin(tournament, "ada")
    assert len(club.rounds(tournament)) == 3
    with pytest.raises(TournamentError):
        await club.tournaments.begin(tournament, "ada")
    for game in club.rounds(tournament)[2]:
        await club.resign(game, 0)
    assert store.tournaments.load(tournament).tournament.status == "over"
    await club.end()


@in_loop
async def test_entrants_are_called_on_all_pages_to_a_round_that_begins_until_they_come(store: Store) -> None:
    club = Club(store)
    tournament = await club.made(plan("robin", clock=CLOCK), "ada", "bo", "cleo", "dan")
    heard: list[Any] = []
    with club.tournaments.subscribed("ada", heard.append):
        await club.tournaments.begin(tournament, "ada")
        (game, other) = club.rounds(tournament)[0]
        call = {"tournament": tournament, "name": "Spring", "round": 1, "game": "eko", "table": game.table}
        assert heard == [{"type": "tournaments", "calls": [call | {"left": GRACE}]}]
        await club.room.clock.forward(10_000)
        with (
            club.tournaments.subscribed("dan", heard.append),
            club.tournaments.subscribed("eve", heard.append),
        ):
            assert heard[1:] == [{"type": "tournaments", "calls": [call | {"left": GRACE - 10_000}]}]
        club.tournaments.note(game.table or "", "ada")
        await settled()
        assert heard[2:] == [{"type": "tournaments", "calls": []}]
        await club.resign(game, 0)
        await club.resign(other, 0)
        call |= {"round": 2, "table": None, "left": BREAK}
        assert heard[3:] == [{"type": "tournaments", "calls": [call]}]
        await club.room.clock.forward(BREAK)
        table = next(game.table for game in club.rounds(tournament)[1] if 1 in game.seats)
        assert heard[4:] == [{"type": "tournaments", "calls": [call | {"table": table, "left": GRACE}]}]
        await club.tournaments.end(tournament, "ada")
        assert heard[5:] == [{"type": "tournaments", "calls": []}]
    await club.end()


@in_loop
async def test_player_who_lets_the_other_wait_for_the_first_move_loses(store: Store) -> None:
    club = Club(store)
    tournament = await club.made(plan("robin", clock=CLOCK), "ada", "bo")
    await club.tournaments.begin(tournament, "ada")
    ((game,),) = club.rounds(tournament)
    for name in ("ada", "bo"):
        club.tournaments.note(game.table or "", name)
    await club.room.clock.forward(GRACE)
    asked = await club.asked(game)
    assert await club.outcome(game) == Outcome((1 - asked,), "no-show", "")
    assert club.rounds(tournament)[0][0].absent == {asked}
    await club.end()


@in_loop
async def test_player_who_does_not_come_to_a_rated_game_loses_it_unrated(store: Store) -> None:
    club = Club(store)
    for number, name in enumerate(("ada", "bo")):
        club.guard.note(name, f"203.0.113.{number}")
    tournament = await club.made(plan("robin", clock=CLOCK, rated=True), "ada", "bo")
    await club.tournaments.begin(tournament, "ada")
    ((game,),) = club.rounds(tournament)
    assert game.table is not None
    async with club.room.hub.table(game.table) as live:
        assert (live.table.rated, live.table.binding) == (True, True)
    asked = await club.asked(game)
    club.tournaments.note(game.table, ("ada", "bo")[asked])
    async with club.room.hub.table(game.table) as live:
        order = Act(key="k", version=live.table.version, seat=asked, action={"type": "swap"})
        await live.submit(order, ("ada", "bo")[asked])
    await club.room.clock.forward(GRACE)
    ((game,),) = club.rounds(tournament)
    assert game.places is not None
    assert game.places[asked] < game.places[1 - asked]
    played = store.results.of_table(game.table or "")
    assert played is not None
    assert (played.reason, played.rated) == ("time", False)
    await club.end()


@in_loop
async def test_after_a_restart_players_have_the_whole_grace_period(store: Store) -> None:
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


@pytest.mark.parametrize("killed_at", ["draw", "round", "result"])
@in_loop
async def test_each_round_is_drawn_once_wherever_the_server_was_killed(store: Store, killed_at: str) -> None:
    """The power is cut before a round is stored, right after that, or right after the last game."""
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
    for each in after:
        await each.room.clock.forward(BREAK)
    expected = 2 if killed_at == "result" else 1
    assert [len(games) for games in club.rounds(tournament)] == [2] * expected
    tables = [game.table for games in club.rounds(tournament) for game in games]
    assert len(set(tables)) == len(tables)
    for each in (club, *after):
        await each.end()


@pytest.mark.parametrize("there", [("ada",), ("ada", "bo")])
@in_loop
async def test_tournament_starts_itself_once_also_after_a_restart_or_is_cancelled(
    store: Store, there: tuple[str, ...]
) -> None:
    club = Club(store)
    at = club.room.clock.now() + timedelta(days=3)
    early = at.astimezone(timezone(timedelta(hours=2))).isoformat()
    wish = TournamentPlan.model_validate(plan("swiss", clock=CLOCK).model_dump() | {"starts_at": early})
    tournament = await club.made(wish, *there)
    assert club.entries[tournament]["starts_at"] == int(at.timestamp() * 1000)
    await club.end()
    after = [Club(store), Club(store)]
    for each in after:
        await each.tournaments.start()
        await each.room.clock.forward(3 * 24 * 3600 * 1000 - 1)
    assert store.tournaments.load(tournament).tournament.status == "open"
    for each in after:
        await each.room.clock.forward(1)
    held = store.tournaments.load(tournament).tournament
    assert (held.status, len(held.rounds)) == (("running", 1) if len(there) > 1 else ("over", 0))
    for each in after:
        await each.end()


@in_loop
async def test_tournament_whose_club_leaves_with_its_owner_does_not_start(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    club, home = Club(store), "clubclubclub"
    account(store, "ada")
    at = club.room.clock.now() + timedelta(days=3)
    store.clubs.make(clubs.Club(home, "Home", "", False, "x", 1, at), "ada")
    wish = TournamentPlan.model_validate(plan("swiss", clock=CLOCK).model_dump() | {"starts_at": at})
    tournament = await club.tournaments.make("ada", wish, home)
    store.people.close("ada")
    await club.room.clock.forward(3 * 24 * 3600 * 1000)
    with pytest.raises(TournamentError):
        store.tournaments.load(tournament)
    assert not caplog.records
    await club.end()


@pytest.mark.parametrize("days", [-1, 31])
@in_loop
async def test_tournament_starts_within_thirty_days(store: Store, days: int) -> None:
    club = Club(store)
    at = club.room.clock.now() + timedelta(days=days)
    wish = TournamentPlan.model_validate(plan("swiss", clock=CLOCK).model_dump() | {"starts_at": at})
    with pytest.raises(TournamentError) as refused:
        await club.made(wish, "ada")
    assert refused.value.code == "tournament/start-time"
    await club.end()


def cut(*_: object) -> None:
    raise StorageError("the power is cut")


@in_loop
async def test_a_tournament_is_in_the_lobby_until_it_is_over(store: Store) -> None:
    club = Club(store)
    tournament = await club.made(plan("swiss", clock=CLOCK), "ada", "bo")
    assert (club.entries[tournament]["status"], club.entries[tournament]["entrants"]) == ("open", 2)
    await club.tournaments.begin(tournament, "ada")
    assert club.entries[tournament]["status"] == "running"
    await club.resign(club.rounds(tournament)[0][0], 0)
    assert club.entries[tournament] is None
    await club.end()
