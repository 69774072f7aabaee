"""The league of bots: who meets whom and when, what counts, and what nobody gains by."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from ekoes.arena.league import strengths
from ekoes.errors import AccountError, NotationError
from ekoes.games.api.chance import Chance
from ekoes.server import league as module
from ekoes.server.league import League, night_of
from ekoes.server.runtime.permissions import SeatGuard
from ekoes.storage.league import MOST_MISSED, MOST_OF_ONE
from ekoes.storage.schema import LeagueGameRow
from ekoes.storage.store import Store
from ekoes.tables.orders import Act, Resign
from ekoes.tables.table import Table
from tests.kit.stored import account
from tests.unit.server.hub_room import Room, in_loop, settled
from tests.unit.tables.racing import NOW
from tools.strength import of_league, table

MINUTE = 60 * 1000
HOUR = NOW.astimezone().hour
TONIGHT = HOUR, (HOUR + 4) % 24
LEVELS = ("beginner", "learner")


class Here:
    """Does at once what a sandbox leaves to a process."""

    async def do_part(self, _whose: object, work: Callable[..., Any], *args: object) -> Any:
        return work(*args)


class Night:
    """The league of a server. A second one with the same store is the server after a restart."""

    def __init__(
        self, store: Store, monkeypatch: pytest.MonkeyPatch, games: int = 1, hours: tuple[int, int] = TONIGHT
    ) -> None:
        monkeypatch.setattr(module, "levels", lambda _: LEVELS)
        monkeypatch.setattr(module, "games", lambda: ("eko",))
        self.store, self.room, self.guard = store, Room(store, Chance(1)), SeatGuard(store)
        self.here: set[str] = set()
        self.busy = False
        sandbox: Any = Here()
        self.league = League(
            self.room.hub,
            store,
            self.room.clock,
            self.guard,
            sandbox,
            is_busy=lambda: self.busy,
            listening=lambda: self.here,
            hours=hours,
            games=games,
        )

    def program(self, name: str, address: str = "") -> str:
        account(self.store, name)
        self.store.people.make_program(name, NOW)
        self.here.add(name)
        self.guard.note(name, address or f"10.0.{len(self.here)}.1")
        return name

    async def enter(self, author: str, *programs: str) -> None:
        for one in programs:
            await self.league.enter("eko", one, author)

    def missed(self) -> int:
        (entry,) = self.store.league.entries("eko")
        return entry.missed

    async def standing(self) -> dict[str, Any]:
        shown: dict[str, Any] = json.loads((await self.league.standing("eko")).text)
        return shown

    async def playing(self) -> LeagueGameRow:
        (running,) = self.store.league.running()
        return running

    async def play(self, decisions: int = 6, loser: str | None = None) -> LeagueGameRow:
        """Let the programs of the running game decide so often, and then one of them resign."""
        running = await self.playing()
        async with self.room.hub.table(running.table_id) as live:
            while live.table.length < decisions:
                (seat,) = live.table.deciding()
                user = live.table.seats[seat].session
                if user is None:
                    await self.room.clock.forward(1000)
                    continue
                action = live.table.actions_json([seat])[str(seat)][0]
                version = live.table.version
                await live.submit(Act(key=f"a{version}", version=version, seat=seat, action=action), user)
            if loser is not None:
                await resign(live, loser)
        await settled()
        return running

    async def end(self) -> None:
        await self.league.stop()
        await self.room.stop()


async def resign(live: Any, user: str) -> None:
    table: Table = live.table
    (seat,) = table.seats_of(user)
    await live.submit(Resign(key="r", version=table.version, seat=seat), user)


@in_loop
async def test_levels_play_at_night_one_game_at_a_time(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also after a restart in the middle of a game; while bots of people wait, none begins."""
    night = Night(store, monkeypatch, games=2)
    night.busy = True
    await night.league.start()
    await night.room.clock.forward(2 * MINUTE)
    assert not store.league.running()
    night.busy = False
    await night.room.clock.forward(20 * 1000)
    first = await night.playing()
    assert {first.first, first.second} == {*LEVELS}
    assert (await night.standing())["playing"][0]["table"] == first.table_id
    assert not night.room.thinkers.urgent
    await night.end()

    off = Night(store, monkeypatch, games=0)
    assert not (await off.standing())["playing"]
    await off.end()
    later = Night(store, monkeypatch, games=2)
    later.room.clock.set(night.room.clock.now())
    await later.league.start()
    await later.room.clock.forward(90 * MINUTE)
    shown = await later.standing()
    assert not shown["playing"]
    second, again = shown["latest"]
    assert again["table"] == first.table_id
    assert second["seats"] == again["seats"][::-1], "both seats alternate"
    assert [one["name"] for one in shown["players"]] in ([*LEVELS], [*LEVELS][::-1])
    assert all(one["won"] + one["even"] + one["lost"] == 2 for one in shown["players"])
    assert sum(one["elo"] for one in shown["players"]) == 0
    assert all(one["spread"] > 0 for one in shown["players"])
    results = of_league(shown)
    assert sum(results.values()) == 2
    lines = table("eko", results).splitlines()
    assert [line.split("`")[1] for line in lines[2:]] == [*LEVELS]
    assert (await later.league.standing("eko")).tag == (await later.league.standing("eko")).tag
    await later.room.clock.forward(24 * 60 * MINUTE)
    assert len((await later.standing())["latest"]) == 4, "two more in the next night"
    with pytest.raises(NotationError, match="eko"):
        await later.league.standing("chess")
    await later.end()


def test_hours_may_go_over_midnight_and_equal_ones_are_the_whole_day() -> None:
    local = NOW.astimezone()
    at = local.replace(hour=23, minute=30)
    assert night_of(at, (22, 2)) == local.replace(hour=22, minute=0, second=0, microsecond=0)
    assert night_of(at + timedelta(hours=2), (22, 2)) == night_of(at, (22, 2))
    assert night_of(at + timedelta(hours=3), (22, 2)) is None
    assert night_of(at, (5, 5)) == local.replace(hour=5, minute=0, second=0, microsecond=0)


@in_loop
async def test_who_may_enter_and_remove_what(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    night = Night(store, monkeypatch)
    bots = [night.program(f"bot{number}") for number in range(MOST_OF_ONE + 1)]
    for person in ("ada", "eve"):
        account(store, person)
    await night.enter("ada", *bots[:MOST_OF_ONE], bots[0])
    for author, entered, code in (
        ("ada", bots[-1], "league/too-many"),
        ("eve", bots[0], "league/entered"),
        ("ada", "eve", "league/no-bot"),
        (bots[0], bots[-1], "league/author"),
    ):
        with pytest.raises(AccountError) as refused:
            await night.enter(author, entered)
        assert refused.value.code == code
    for user, name, code in (("eve", "Bot0", "league/not-yours"), ("ada", "Nobody", "league/not-found")):
        with pytest.raises(AccountError) as refused:
            await night.league.leave("eko", name, user)
        assert refused.value.code == code
    await night.league.leave("eko", "Bot0", "ada")
    await night.league.leave("eko", "Bot1", bots[1])
    assert [one["name"] for one in (await night.standing())["players"] if "author" in one] == ["Bot2"]
    assert [name for _, name, _ in store.league.authored("ada")] == ["Bot2"]
    store.people.close("ada")
    assert not store.league.entries("eko"), "with its author's account a bot leaves"
    await night.end()


@in_loop
async def test_game_with_a_program_counts_and_neither_a_short_nor_a_missed_one(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    night = Night(store, monkeypatch, games=2)
    account(store, "ada")
    bot = night.program("bot")
    await night.enter("ada", bot)
    await night.league.start()
    await settled()
    begun = await night.play(loser=bot)
    async with night.room.hub.table(begun.table_id) as live:
        assert live.table.clock is not None
        assert not live.table.public
    await night.room.clock.forward(3000)
    (row,) = [one for one in (await night.standing())["players"] if one.get("author") == "Ada"]
    assert (row["won"], row["even"], row["lost"], row["change"]) == (0, 0, 1, None)

    await night.room.clock.forward(20 * 1000)
    running = await night.play(decisions=0, loser=bot)
    assert bot in {running.first, running.second}
    await night.room.clock.forward(2 * MINUTE)
    assert night.missed() == 1, "who gives up at once has not played"
    assert not store.league.running(), "it rests until the next night"

    night.here.clear()
    await night.room.clock.forward(24 * 60 * MINUTE)
    assert night.missed() == 2
    night.here.add(bot)
    await night.room.clock.forward(24 * 60 * MINUTE)
    assert night.missed() == MOST_MISSED, "it came, and sent nothing"
    shown = await night.standing()
    (row,) = [one for one in shown["players"] if one.get("author") == "Ada"]
    assert (row["out"], row["lost"]) == (True, 1)
    assert ["Bot" in str(game) for game in shown["latest"]].count(True) == 1
    await night.enter("ada", bot)
    assert night.missed() == 0
    await night.end()


@in_loop
async def test_programs_of_one_author_or_one_address_never_meet(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    night = Night(store, monkeypatch)
    monkeypatch.setattr(night.league, "_chance", Chance(1))
    for author in ("ada", "eve"):
        account(store, author)
    await night.enter("ada", night.program("one", "10.1.1.1"), night.program("two", "10.2.2.2"))
    await night.enter("eve", night.program("three", "10.1.1.1"))
    for _ in range(30):
        await night.league._begin("eko", NOW)
    met = {frozenset((one.first, one.second)) for one in store.league.running()}
    assert {pair for pair in met if not pair & {*LEVELS}} == {frozenset({"two", "three"})}
    await night.end()


@in_loop
async def test_a_pair_counts_with_its_latest_games_only(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it forgets takes the tables of levels along."""
    monkeypatch.setattr("ekoes.storage.league.MOST_COUNTED", 1)
    night = Night(store, monkeypatch, games=2)
    await night.league.start()
    await settled()
    first = await night.playing()
    await night.room.clock.forward(5 * MINUTE)
    (row,) = (await night.standing())["latest"]
    assert row["table"] != first.table_id
    assert sum(store.league.results("eko").values()) == 1
    assert not store.league.results("eko", first.began_at)
    assert store.load(first.table_id) is None
    assert store.results.of_table(first.table_id) is None
    assert store.load(row["table"]) is not None
    await night.end()


def test_the_strengths_are_those_of_the_arena_beside_the_mean_of_the_levels() -> None:
    results = {("a", "b", 0): 30, ("b", "a", 0): 10, ("c", "b", 0): 39, ("b", "c", None): 2}
    found = strengths(["a", "b", "c"], 2, results)
    assert found.elo[0] + found.elo[1] == pytest.approx(0)
    assert found.elo[2] > found.elo[0] > found.elo[1]


def test_strengths_are_told_for_what_has_played_each_beside_the_level_below() -> None:
    results = {("beginner", "learner", 1): 9, ("learner", "beginner", 1): 1, ("learner", "casual", None): 4}
    first, second, third = table("eko", results).splitlines()[2:]
    assert first.startswith("| `beginner` | −")
    assert "| 90.0 % (59.6 … 98.2) | 14 |" in second
    assert "| 50.0 % (15.0 … 85.0) | 4 |" in third
