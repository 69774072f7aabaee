"""The league of bots: draws and plays its games at night, one by one, and computes the standing."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import NamedTuple

from ekoes.arena.league import Results, next_pair, strengths
from ekoes.arena.ratings import Ratings
from ekoes.bots import levels
from ekoes.errors import AccountError, EkoesError, TableError
from ekoes.games.api.chance import CONFIDENCE
from ekoes.games.api.contract import Json
from ekoes.games.api.reading import unix_milliseconds
from ekoes.games.api.registry import game as game_of
from ekoes.games.api.registry import games
from ekoes.games.api.values import changed
from ekoes.protocol import encode
from ekoes.server.ops.clock import Clock
from ekoes.server.ops.logs import LOG
from ekoes.server.ops.secrets import SecretChance, fresh_id, fresh_seed
from ekoes.server.ops.tasks import end
from ekoes.server.runtime.hub import Hub
from ekoes.server.runtime.permissions import SeatGuard
from ekoes.server.workers.sandbox import Sandbox
from ekoes.storage.league import Entry
from ekoes.storage.schema import LeagueGameRow
from ekoes.storage.store import Store
from ekoes.tables.create import table_class, table_from_plan
from ekoes.tables.orders import Forfeit
from ekoes.tables.ratings import has_won
from ekoes.tables.settings import ClockPlan, SeatPlan, TableOptions, TablePlan
from ekoes.tables.table import ABORTED, NO_SHOW, Table
from ekoes.tournaments.state import is_brief

_PLAYERS = 2
_CLOCK = ClockPlan(base=900, increment=10)
"""Of games with programs, where the game has clocks."""
_REST, _REST_BY_DAY = 20.0, 300.0
"""Seconds between two games, and until the next look whether there may be one."""
_LOOK = 2.0
"""Seconds between two looks whether a game is over."""
_PATIENCE = timedelta(minutes=2)
"""After so long a program that is to decide and has sent nothing counts as missing."""
_LONGEST = timedelta(hours=3)
"""A game that lasts longer is dropped."""
_LATEST = 12
_DAY = timedelta(days=1)
_FRESH = timedelta(hours=1)
"""How long a standing is cached without new results: the change of the last day still moves."""


class Shown(NamedTuple):
    """The standing of a league as JSON. tag: its ``ETag``."""

    text: str
    tag: str


def night_of(now: datetime, hours: tuple[int, int]) -> datetime | None:
    """Return when the night began that it is by the machine's clock; None: it is day.

    hours: of its begin and its end; equal ones are the whole day.
    """
    first, last = hours
    local = now.astimezone()
    began = local.replace(hour=first, minute=0, second=0, microsecond=0)
    if began > local:
        began -= _DAY
    return began if local - began < timedelta(hours=(last - first) % 24 or 24) else None


class League:
    """Lets the levels and the programs of each game meet, one game at a time, and rates them.

    Ratings are computed as in ``ekoes.arena``, relative to the mean of the levels. They and the ratings of
    people don't influence each other.

    is_busy: whether tables wait for bots. listening: the users of listening programs. hours: between which it
    plays; games: how many of each game a night; 0: none.
    """

    def __init__(
        self,
        hub: Hub,
        store: Store,
        clock: Clock,
        guard: SeatGuard,
        sandbox: Sandbox,
        *,
        is_busy: Callable[[], bool],
        listening: Callable[[], Collection[str]],
        hours: tuple[int, int],
        games: int,
    ) -> None:
        self._hub = hub
        self._store = store
        self._stored = store.league
        self._clock = clock
        self._guard = guard
        self._sandbox = sandbox
        self._is_busy = is_busy
        self._listening = listening
        self._hours = hours
        self._games = games
        self._chance = SecretChance()
        self._task: asyncio.Task[None] | None = None
        self._shown: dict[str, tuple[datetime, Shown]] = {}
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def start(self) -> None:
        """Play in the background, first what was begun before."""
        if self._games:
            self._task = asyncio.create_task(self._go_on(), name="league")

    async def stop(self) -> None:
        """Stop playing; tables go on, and so does the league with the next start."""
        await end(self._task)
        self._task = None
        self._shown.clear()

    # ------------------------------------------------------------ entries

    async def enter(self, game: str, program: str, author: str) -> None:
        """Enter a program for an account that has its token. Raises EkoesError."""
        game = game_of(game).name
        people = self._store.people
        if not await asyncio.to_thread(people.is_program, program):
            raise AccountError("only bot accounts play in the league", code="league/no-bot", key="token")
        if await asyncio.to_thread(people.is_program, author):
            raise AccountError("a person enters a bot, with its token", code="league/author")
        await asyncio.to_thread(self._stored.enter, game, program, author, self._clock.now())
        self._shown.pop(game, None)

    async def leave(self, game: str, name: str, user: str) -> None:
        """Remove a program and its results, by its author, itself or a moderator. Raises EkoesError."""
        game = game_of(game).name
        entries = await asyncio.to_thread(self._stored.entries, game)
        entry = next((one for one in entries if one.name == name), None)
        if entry is None:
            raise AccountError("no such bot in the league", code="league/not-found", key="name")
        if user not in {entry.user, entry.author_id}:
            rights = await asyncio.to_thread(self._store.moderation.rights, user)
            if not rights.is_moderator:
                raise AccountError("another account has entered this bot", code="league/not-yours")
        await asyncio.to_thread(self._stored.leave, game, entry.user)
        self._shown.pop(game, None)

    # ------------------------------------------------------------ games

    async def _go_on(self) -> None:
        while True:
            try:
                await self._play_next()
            except EkoesError as error:
                LOG.error("the league can't go on", error=str(error))
            except Exception:  # noqa: BLE001 - a bug here must be in the log
                LOG.exception("the league failed")
            is_night = night_of(self._clock.now(), self._hours) is not None
            await self._clock.sleep(_REST if is_night else _REST_BY_DAY)

    async def _play_next(self) -> None:
        """Play what was begun, else begin a game at night and play it."""
        for begun in await asyncio.to_thread(self._stored.running):
            await self._play(begun)
        night = night_of(self._clock.now(), self._hours)
        if night is None or self._is_busy():
            return
        played = await asyncio.to_thread(lambda: {game: self._stored.played(game, night) for game in games()})
        for game in sorted(played, key=lambda game: played[game]):
            if played[game] < self._games and (new := await self._begin(game, night)) is not None:
                await self._play(new)
                return

    async def _begin(self, game: str, night: datetime) -> LeagueGameRow | None:
        """Begin a game between two players who are there; None: there are none."""
        entries = await asyncio.to_thread(self._stored.entries, game)
        players, ratings, results = await self._rated(game, entries)
        programs = {one.user: one for one in entries}
        able = {
            one.user for one in entries if not one.is_out and (one.missed_at is None or one.missed_at < night)
        }

        def may_meet(one: str, other: str) -> bool:
            if {one, other} & programs.keys() - able:
                return False
            if not {one, other} <= programs.keys():
                return True
            theirs = programs[one].author_id, programs[other].author_id
            return theirs[0] != theirs[1] and self._guard.are_apart([one, other])

        while pair := next_pair(players, ratings, results, may_meet, self._chance):
            missing = ({*pair} & programs.keys()).difference(self._listening())
            if not missing:
                break
            await self._miss(game, missing, night)
            able -= missing
        if pair is None:
            return None
        table = await asyncio.to_thread(_table, game, pair, programs)
        begun = LeagueGameRow(fresh_id(), game, *pair, self._clock.now())
        await asyncio.to_thread(self._stored.add_row, begun)
        await self._hub.create(table, begun.table_id)
        self._shown.pop(game, None)
        return begun

    async def _play(self, begun: LeagueGameRow) -> None:
        """Wait for the end of a game, and store its result if all have come."""
        try:
            async with self._hub.table(begun.table_id) as live:
                while (table := live.table).outcome is None:
                    if missing := await self._missing(begun, table):
                        order = Forfeit(key=f"forfeit-{table.version}", seats=sorted(missing))
                        await live.advance(table, order)
                    else:
                        await self._clock.sleep(_LOOK)
                await self._end(begun, table)
        except TableError:  # it was not created, or is gone
            await asyncio.to_thread(self._stored.drop, begun.table_id)
        self._shown.pop(begun.game, None)

    async def _missing(self, begun: LeagueGameRow, table: Table) -> set[int]:
        """Return the seats of programs that are to decide but have not come; all seats after too long."""
        since = self._clock.now() - begun.began_at
        if since >= _LONGEST:
            return {*range(_PLAYERS)}
        asked = {seat for seat in table.deciding() if table.seats[seat].session}
        if since < _PATIENCE or not asked:
            return set()
        return asked & await asyncio.to_thread(self._unheard, begun.table_id, table)

    def _unheard(self, table_id: str, table: Table) -> set[int]:
        users = [seat.session for seat in table.seats if seat.session]
        unheard = self._stored.unheard(table_id, users)
        return {number for number, seat in enumerate(table.seats) if seat.session in unheard}

    async def _end(self, begun: LeagueGameRow, table: Table) -> None:
        """Store a result; a game that someone did not come to, or that was given up at once, is dropped."""
        now, won = self._clock.now(), [has_won(table, seat) for seat in range(_PLAYERS)]
        pair = (begun.first, begun.second)
        missing = await asyncio.to_thread(self._unheard, begun.table_id, table)
        # a program that has left its seat to a bot has not played either
        missing |= {n for n, seat in enumerate(table.seats) if pair[n] not in {seat.session, seat.bot}}
        if is_brief(table):
            missing |= {seat for seat in range(_PLAYERS) if table.seats[seat].session and not won[seat]}
        reason = table.outcome.reason if table.outcome else ABORTED
        # a level runs out of time only if the machine was busy
        is_unfair = reason == "time" and any(not won[n] for n, seat in enumerate(table.seats) if seat.bot)
        if missing or is_brief(table) or is_unfair or reason in {ABORTED, NO_SHOW}:
            await asyncio.to_thread(self._stored.drop, begun.table_id)
            absent = {pair[seat] for seat in missing}
            await self._miss(begun.game, absent, night_of(begun.began_at, self._hours) or begun.began_at)
        else:
            winner = won.index(True) if won.count(True) == 1 else None
            await asyncio.to_thread(self._stored.end, begun.table_id, winner, now)

    async def _miss(self, game: str, programs: Collection[str], night: datetime) -> None:
        for one in programs:
            await asyncio.to_thread(self._stored.miss, game, one, night, self._clock.now())
        self._shown.pop(game, None)

    # ------------------------------------------------------------ the standing

    async def standing(self, game: str) -> Shown:
        """Return the standing of a game. Raises NotationError naming the known games; StorageError."""
        game = game_of(game).name
        async with self._locks[game]:
            at, shown = self._shown.get(game, (None, None))
            now = self._clock.now()
            if at is None or shown is None or now - at > _FRESH:
                self._shown[game] = now, (shown := await self._made(game, now))
            return shown

    async def _rated(
        self, game: str, entries: Sequence[Entry], before: datetime | None = None
    ) -> tuple[list[str], Ratings, Results]:
        """Return the players, the levels first, their strengths, and the results behind these."""
        own = levels(game)
        players = [*own, *(one.user for one in entries)]
        results = await asyncio.to_thread(self._stored.results, game, before)
        if not results:  # nothing to fit: a new server needs no process, which would have to start first
            return players, strengths(players, len(own), results), results
        # in a process: it takes as long as many requests
        ratings = await self._sandbox.do_part(("league",), strengths, players, len(own), results)
        return players, ratings, results

    async def _made(self, game: str, now: datetime) -> Shown:
        entries = await asyncio.to_thread(self._stored.entries, game)
        players, ratings, results = await self._rated(game, entries)
        _, before, then = await self._rated(game, entries, now - _DAY)
        programs = {one.user: one for one in entries}
        score: Counter[tuple[str, int | None]] = Counter()
        for (first, second, winner), number in results.items():
            score[first, None if winner is None else winner] += number
            score[second, None if winner is None else 1 - winner] += number
        known = {player for first, second, _ in then for player in (first, second)}
        rows = [
            _player(player, programs)
            | {
                "elo": round(ratings.elo[place]),
                "spread": round(CONFIDENCE * float(ratings.covariance[place, place]) ** 0.5),
                "won": score[player, 0],
                "even": score[player, None],
                "lost": score[player, 1],
                "change": round(ratings.elo[place]) - round(before.elo[place]) if player in known else None,
            }
            for place, player in enumerate(players)
        ]
        # a player without games has no rank yet
        rows.sort(key=lambda row: (not row["won"] + row["even"] + row["lost"], -row["elo"]))
        # a server that plays no league games does not resume them either
        begun = await asyncio.to_thread(self._stored.running) if self._games else []
        running = [one for one in begun if one.game == game]
        latest = await asyncio.to_thread(self._stored.latest, game, _LATEST)
        shown = {
            "game": game,
            "hours": list(self._hours),
            "games": self._games,
            "players": rows,
            "pairs": _pairs(programs, results),
            "playing": [_game(one, programs) for one in running],
            "latest": [_game(one, programs) for one in latest],
        }
        text = encode(shown)
        return Shown(text, f'"{sha256(text.encode()).hexdigest()[:16]}"')


def _table(game: str, pair: Sequence[str], programs: dict[str, Entry]) -> Table:
    """Return the table of a game between two players, by seat."""
    has_clock = "clock" in table_class(game).about(game)["options"] and programs.keys() & {*pair}
    options = {"players": _PLAYERS} | ({"clock": _CLOCK.model_dump()} if has_clock else {})
    seats = [
        SeatPlan(kind="open", name=programs[one].name) if one in programs else SeatPlan(kind="bot", bot=one)
        for one in pair
    ]
    plan = TablePlan(game=game, options=TableOptions.model_validate(options), seats=seats, chat=False)
    table = table_from_plan(plan, "", fresh_seed=fresh_seed())
    for seat, one in enumerate(pair):
        if one in programs:
            table = table.with_seat(seat, kind="here", session=one)
    return changed(table, binding=True)


def _player(player: str, programs: Mapping[str, Entry]) -> Json:
    if player not in programs:
        return {"name": player, "level": True}
    entry = programs[player]
    return {"name": entry.name, "author": entry.author} | ({"out": True} if entry.is_out else {})


def _game(row: LeagueGameRow, programs: Mapping[str, Entry]) -> Json:
    over = {} if row.ended_at is None else {"winner": row.winner}
    at = unix_milliseconds(row.ended_at or row.began_at)
    seats = [_player(one, programs) for one in (row.first, row.second)]
    return {"table": row.table_id, "seats": seats, "at": at} | over


def _pairs(programs: Mapping[str, Entry], results: Results) -> list[Json]:
    """Return the results of each pair, from the view of the first player."""
    scores: defaultdict[tuple[str, str], Counter[int | None]] = defaultdict(Counter)
    for (first, second, winner), number in results.items():
        pair, turned = ((first, second), False) if first < second else ((second, first), True)
        scores[pair][winner if winner is None or not turned else 1 - winner] += number
    return [
        {
            "players": [_player(one, programs) for one in pair],
            "won": score[0],
            "even": score[None],
            "lost": score[1],
        }
        for pair, score in scores.items()
    ]
