"""Arenas over time: pairing at once, late comers and leavers, the end, and what two can do together."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from itertools import chain, combinations
from random import Random
from typing import Any

import pytest

from ekoes.errors import TableError, TournamentError
from ekoes.storage.store import Store
from ekoes.tables.orders import Act, Berserk, GivePart, Resign
from ekoes.tournaments.arena import MOST_IN_A_ROW
from ekoes.tournaments.standings import sheets
from ekoes.tournaments.state import Game, Tournament, TournamentPlan
from tests.kit.stored import account
from tests.unit.server.hub_room import in_loop, settled
from tests.unit.server.test_tournament_rounds import CLOCK, Club
from tests.unit.tournament.playing import plan

MINUTE = 60 * 1000


def arena(players: int = 2, minutes: int = 20, game: str = "eko", **options: Any) -> TournamentPlan:
    clock = {"clock": CLOCK} if game == "eko" else {}
    made = plan("arena", players, game=game, **clock | options)
    return made.model_copy(update={"minutes": minutes})


class Arena(Club):
    """An arena whose players come to each game at once."""

    async def begun(self, wish: TournamentPlan, *names: str) -> None:
        self.names = names
        self.id = await self.made(wish, *names)
        await self.tournaments.begin(self.id, names[0])

    @property
    def now(self) -> Tournament:
        return self.store.tournaments.load(self.id).tournament

    @property
    def paired_at(self) -> datetime | None:
        return self.tournaments._paired_at.get(self.id)

    @property
    def running(self) -> list[Game]:
        return [game for game, _ in self.now.running]

    def user(self, game: Game, seat: int) -> str:
        return self.names[game.seats[seat] - 1]

    async def come(self, game: Game) -> None:
        for seat in range(len(game.seats)):
            self.tournaments.note(game.table or "", self.user(game, seat))
        await self.deal(game)
        await settled()

    async def act(self, game: Game, times: int) -> None:
        """Let whoever is asked decide so many times."""
        async with self.room.hub.table(game.table or "") as live:
            for _ in range(times):
                (seat,) = live.table.position.actors()
                choices = live.table.actions_json([seat])[str(seat)]
                order = Act(
                    key=f"a{live.table.version}", version=live.table.version, seat=seat, action=choices[0]
                )
                await live.submit(order, live.table.seats[seat].session or "")

    async def play(self, game: Game, loser: int, decisions: int = 4) -> None:
        """Let a game of two be long enough to count, and one of them give up."""
        await self.come(game)
        await self.act(game, decisions)
        await self.resign(game, loser)


async def an_hour(store: Store, people: int, minutes: int) -> None:
    """Play an arena: games of two to nine minutes, to which everybody comes."""
    chance, club = Random(people), Arena(store)
    clock, length = club.room.clock, timedelta(minutes=minutes)
    await club.begun(arena(minutes=minutes, clock={"base": 600, "increment": 0}), *map(str, range(people)))
    begun, ends = clock.now(), {}
    rows: Counter[tuple[int, ...]] = Counter()
    waits: dict[int, datetime] = {}
    while (at := clock.now()) < begun + length:
        now, paired_at = club.now, club.paired_at
        running = {game.table: game for game, _ in now.running}
        for game in (game for table, game in running.items() if table not in ends):
            pair = tuple(sorted(game.seats))
            others = {one: times for one, times in rows.items() if not {*one} & {*pair}}
            rows = Counter({pair: rows[pair] + 1} | others)
            ends[game.table] = at + timedelta(seconds=chance.randint(120, 540))
            await club.come(game)
            await club.act(game, 4)
        busy = {number for game in running.values() for number in game.seats}
        free = sorted({one.number for one in now.active} - busy)
        may_play = [pair for pair in combinations(free, 2) if rows[pair] < MOST_IN_A_ROW]
        waits = {number: waits.get(number, at) for number in chain.from_iterable(may_play)}
        assert all(at - since <= timedelta(seconds=10) for since in waits.values())
        for table in [table for table, end in ends.items() if end <= at]:
            await club.resign(running[table], chance.randint(0, 1))
            del ends[table]
        while club.paired_at == paired_at and clock.now() < min([begun + length, *ends.values()]):
            await clock.forward(1000)
    assert sum(map(len, club.now.rounds)) > people * minutes / 15
    await club.end()


@pytest.mark.long
@in_loop
async def test_hundred_players_in_an_hour_wait_no_ten_seconds(store: Store) -> None:
    await an_hour(store, 100, 60)


@in_loop
async def test_players_of_a_small_arena_wait_no_ten_seconds(store: Store) -> None:
    await an_hour(store, 9, 20)


@in_loop
async def test_late_comers_are_paired_at_once_and_who_pauses_plays_on_but_gets_no_other_game(
    store: Store,
) -> None:
    club = Arena(store)
    await club.begun(arena(), "ada", "bo", "cleo")
    (first,) = club.running
    account(store, "dan")
    await club.tournaments.join(club.id, "dan")
    assert {game.seats for game in club.running} == {first.seats, (3, 4)}
    await club.tournaments.leave(club.id, "ada", 1)
    assert len(club.running) == 2
    assert club.tournaments.look(club.id, ["ada"])[1]["ada"] == {"host": True, "table": first.table}
    belongs = club.tournaments.of_table(first.table or "")
    assert belongs == {"id": club.id, "name": club.now.plan.name, "round": None}
    await club.play(first, 1)
    await club.room.clock.forward(10_000)
    assert club.store.tournaments.load(club.id).tournament.rounds[0][0].places == (0, 1)
    assert len(club.running) == 1
    await club.tournaments.join(club.id, "ada")
    await club.room.clock.forward(10_000)
    assert len(club.running) == 2
    await club.end()


@in_loop
async def test_player_who_does_not_come_in_a_minute_loses_and_is_paused(store: Store) -> None:
    club = Arena(store)
    await club.begun(arena(), "ada", "bo", "cleo", "dan")
    first, second = club.running
    await club.come(second)
    await club.act(second, 1)
    heard: list[Any] = []
    with club.tournaments.subscribed(club.user(first, 0), heard.append):
        club.tournaments.note(first.table or "", club.user(first, 0))
        await settled()
    assert [[call["left"] for call in one["calls"]] for one in heard] == [[MINUTE], []]
    await club.room.clock.forward(MINUTE)
    assert club.now.rounds[0][0].absent == {1}
    assert sheets(club.now)[0][first.seats[0]].scores == [2]
    assert [one.number for one in club.now.entrants if one.left is not None] == [first.seats[1]]
    await club.end()


@in_loop
async def test_when_time_is_up_no_game_begins_and_those_begun_count(store: Store) -> None:
    club = Arena(store)
    await club.begun(arena(), "ada", "bo", "cleo", "dan")
    for _ in range(5):
        for game in club.running:
            await club.play(game, 1)
        await club.room.clock.forward(10_000)
        for game in club.running:
            await club.come(game)
            await club.act(game, 4)
        await club.room.clock.forward(220_000)
    first, second = club.running
    before = {number: one.points for number, one in sheets(club.now)[0].items()}
    await club.room.clock.forward(50_000 - 1)
    assert "ends_at" in club.tournaments.look(club.id, ())[0]["about"]
    await club.room.clock.forward(1)
    await club.resign(first, 1)
    await club.room.clock.forward(10_000)
    assert (club.now.status, len(club.running)) == ("running", 1)
    account(store, "eve")
    with pytest.raises(TournamentError) as refused:
        await club.tournaments.join(club.id, "eve")
    assert refused.value.code == "tournament/closed"
    await club.resign(second, 1)
    await club.room.clock.forward(10_000)
    assert club.now.status == "over"
    points = {number: one.points for number, one in sheets(club.now)[0].items()}
    assert all(points[number] > before[number] for number in (first.seats[0], second.seats[0]))
    await club.end()


@in_loop
async def test_only_the_organiser_removes_others_and_ends_an_arena_whose_running_games_then_count_no_more(
    store: Store,
) -> None:
    club = Arena(store)
    await club.begun(arena(), "ada", "bo")
    (game,) = club.running
    for work in (club.tournaments.end(club.id, "bo"), club.tournaments.leave(club.id, "bo", 1)):
        with pytest.raises(TournamentError) as refused:
            await work
        assert refused.value.code == "tournament/not-yours"
    await club.tournaments.end(club.id, "ada")
    await club.play(game, 0)
    assert club.now.rounds[0][0].places is None
    assert [one.points for one in sheets(club.now)[0].values()] == [0, 0]
    await club.end()


@in_loop
async def test_an_arena_goes_on_after_a_restart_and_pairs_nobody_twice(store: Store) -> None:
    club = Arena(store)
    await club.begun(arena(), "ada", "bo", "cleo", "dan")
    await club.play(club.running[0], 0)
    await club.end()
    after = [Club(store), Club(store)]
    for each in after:
        await each.tournaments.start()
        await each.room.clock.forward(10_000)
    assert sorted(number for game in club.running for number in game.seats) == [1, 2, 3, 4]
    for each in after:
        await each.end()


@in_loop
async def test_berserk_halves_ones_own_time_before_the_first_decision(store: Store) -> None:
    club = Arena(store)
    await club.begun(arena(), "ada", "bo")
    (game,) = club.running
    async with club.room.hub.table(game.table or "") as live:
        early = live.table.position
    await club.come(game)
    asked = await club.asked(game)
    users = [club.user(game, seat) for seat in (0, 1)]
    async with club.room.hub.table(game.table or "") as live:
        assert live.table.position is not early
        with pytest.raises(TableError) as refused:
            await live.submit(Berserk(key="other", seat=1 - asked), users[asked])
        assert refused.value.code == "table/not-your-seat"
        await club.act(game, 1)
        with pytest.raises(TableError) as refused:
            await live.submit(Berserk(key="late", seat=asked), users[asked])
        assert refused.value.code == "table/no-berserk"
        await live.submit(Berserk(key="k", seat=1 - asked), users[1 - asked])
        shown = live.table.shared_state(club.room.clock.now())
        assert (shown["left"][1 - asked], shown["berserk"]) == (150_000, [1 - asked])
        await club.act(game, 3)
        left = live.table.shared_state(club.room.clock.now())["left"]
        assert (left[asked] > 300_000, left[1 - asked]) == (True, 150_000)
    await club.end()
    after = Club(store)
    async with after.room.hub.table(game.table or "") as live:
        assert live.table.shared_state(after.room.clock.now())["berserk"] == [1 - asked]
    await after.resign(game, asked)
    assert sheets(club.now)[0][game.seats[1 - asked]].scores == [3]
    await after.end()


@in_loop
async def test_game_begins_without_the_parts_that_are_missing_after_seconds_and_keeps_who_went_berserk(
    store: Store,
) -> None:
    club = Arena(store)
    for name in ("prog", "gram"):
        account(store, name)
        store.people.make_program(name, club.room.clock.now())
    await club.begun(arena(), "ada", "bo")
    (game,) = club.running
    async with club.room.hub.table(game.table or "") as live:
        await live.submit(Berserk(key="k", seat=1), club.user(game, 1))
        part = GivePart(key="p", seat=0, part="a" * 32)
        with pytest.raises(TableError) as refused:
            await live.submit(part, club.user(game, 1))
        assert refused.value.code == "table/not-your-seat"
        await live.submit(part, club.user(game, 0))
        await club.room.clock.forward(4_999)
        assert (live.table.is_started, live.table.deciding() != ()) == (False, True)
        await club.room.clock.forward(1)
        shown = live.table.shared_state(club.room.clock.now())
        assert live.table.joint is not None
        assert (live.table.joint.text(2), shown["left"]) == (f"{'a' * 32} -", [300_000, 150_000])
        assert (shown["berserk"], shown["may_berserk"], shown["running"]) == ([1], [0], [])
    for name in ("prog", "gram"):
        await club.tournaments.join(club.id, name)
    await club.room.clock.forward(10_000)
    async with club.room.hub.table(club.running[1].table or "") as live:
        assert (live.table.is_started, live.table.joint) == (True, None)
    await club.end()


@in_loop
async def test_nobody_loses_at_once_by_going_berserk_after_half_of_the_time(store: Store) -> None:
    club = Arena(store)
    await club.begun(arena(), "ada", "bo")
    (game,) = club.running
    await club.come(game)
    seat = 1 - await club.asked(game)
    await club.act(game, 1)
    await club.room.clock.forward(150_000)
    async with club.room.hub.table(game.table or "") as live:
        with pytest.raises(TableError) as refused:
            await live.submit(Berserk(key="late", seat=seat), club.user(game, seat))
        assert (refused.value.code, live.table.outcome) == ("table/no-berserk", None)
    await club.end()


@in_loop
async def test_two_who_lose_to_each_other_at_once_gain_nothing_and_soon_meet_no_more(store: Store) -> None:
    """Four pump, while two others play: three games of the same two are the most."""
    club = Arena(store)
    await club.begun(arena(), "ada", "bo", "cleo", "dan")
    first, second = club.running
    await club.come(second)
    await club.act(second, 4)
    for _ in range(20):
        for game in club.running:
            if game.seats != second.seats:
                await club.come(game)
                await club.resign(game, game.seats.index(min(game.seats)))
        await club.room.clock.forward(10_000)
    meetings = [game for games in club.now.rounds for game in games if set(game.seats) == set(first.seats)]
    assert len(meetings) == MOST_IN_A_ROW
    assert all(one.points == 0 for one in sheets(club.now)[0].values())
    await club.end()


@in_loop
async def test_arena_of_ekko_has_tables_of_three_and_no_berserk(store: Store) -> None:
    club = Arena(store)
    names = ("ada", "bo", "cleo", "dan", "eve", "fay")
    await club.begun(arena(3, game="ekko"), *names)
    first, second = club.running
    assert [len(game.seats) for game in (first, second)] == [3, 3]
    async with club.room.hub.table(first.table or "") as live:
        with pytest.raises(TableError):
            await live.submit(Berserk(key="k", seat=0), club.user(first, 0))
    for seat in (2, 1):
        async with club.room.hub.table(first.table or "") as live:
            await live.submit(Resign(key=f"r{seat}", seat=seat), club.user(first, seat))
        await settled()
    await club.room.clock.forward(9_000)
    assert [len(game.seats) for game in club.running] == [3, 3]
    await club.end()
