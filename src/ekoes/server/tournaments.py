"""Runs tournaments: permissions, entrants, rounds, the games of absent players, and what viewers see.

A round and all its tables are stored in one transaction before anyone sees them, and so are the end of a
game and its result. A server that was killed resumes there, and repeats nothing.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any

from ekoes.errors import EkoesError, StorageError, TournamentError
from ekoes.games.api.contract import Json
from ekoes.games.api.reading import unix_milliseconds
from ekoes.games.api.registry import game as game_of
from ekoes.server.ops.clock import Alarms, Clock
from ekoes.server.ops.logs import LOG
from ekoes.server.ops.secrets import fresh_id, fresh_seed
from ekoes.server.ops.tasks import Errands
from ekoes.server.realtime.broadcast import Inboxes, Receive
from ekoes.server.realtime.rooms import Rooms, Seen
from ekoes.server.runtime.hub import Hub
from ekoes.server.runtime.permissions import SeatGuard
from ekoes.server.runtime.table_actor import TableActor
from ekoes.server.runtime.viewers import chosen
from ekoes.storage.accounts import Account
from ekoes.storage.store import Store
from ekoes.storage.tables import Change, new_table
from ekoes.storage.tournaments import Held, Summary
from ekoes.tables.create import with_parts_of
from ekoes.tables.orders import Forfeit, Resign
from ekoes.tables.settings import clock_json
from ekoes.tables.table import Table
from ekoes.tournaments.arena import free, paired
from ekoes.tournaments.pairing import next_round, rounds_of, sizes
from ekoes.tournaments.standings import BREAKS, Sheet, points_of, sheets, standings
from ekoes.tournaments.state import (
    Game,
    Status,
    Tournament,
    TournamentPlan,
    check_plan,
    is_decided,
    table_of,
)

SECTIONS = ("about", "entrants", "rounds", "standings")
_LISTED, _OF_A_CLUB = 100, 20
_FEWEST = 2
_FARTHEST = timedelta(days=30)
"""From making a tournament to the time at which it starts by itself, at most."""
BREAK = timedelta(seconds=30)
"""Between the end of a round and the next one, for those who still look at their result."""
WAVE = timedelta(seconds=3)
"""Between two pairings of an arena, at least, so that more than two players are free by then."""
_LATEST = 20
"""Rounds of an arena that its page shows, at least those with running games."""
_SCORES = 12
"""Games of an entrant of an arena whose points are shown."""


def entry(summary: Summary) -> Json:
    """Return a tournament as in a list."""
    numbers = {"drawn": summary.rounds, "entrants": summary.entrants}
    return about(summary.plan, summary.status) | numbers | {"since": unix_milliseconds(summary.made_at)}


def about(plan: TournamentPlan, status: Status) -> Json:
    """Return the plan and status of a tournament."""
    clock = plan.options.clock
    return {
        "name": plan.name,
        "game": plan.game,
        "form": plan.form,
        "players": plan.players,
        "options": chosen(plan.game, plan.options.of_game()),
        "status": status,
        "late": plan.takes_late,
        "grace": plan.patience // timedelta(minutes=1),
        **({"rounds": plan.rounds} if plan.form in {"swiss", "tables"} else {}),
        **({"minutes": plan.minutes} if plan.form == "arena" else {}),
        **({"rated": True} if plan.options.rated else {}),
        **({"clock": clock_json(clock)} if clock else {}),
        **({"starts_at": unix_milliseconds(plan.starts_at)} if plan.starts_at and status == "open" else {}),
    }


def shared(held: Held, host: str, next_at: datetime | None, club: Json | None) -> dict[str, Json]:
    """Return what all viewers see, by section.

    host: the organiser's name. next_at: of the next round. club: whose members alone may join.
    """
    tournament = held.tournament
    facts = {
        "rounds": rounds_of(tournament),
        "drawn": len(tournament.rounds),
        "host": host,
        "breaks": list(BREAKS[tournament.plan.form]),
        **({"drawn_at": unix_milliseconds(held.drawn[-1])} if held.drawn else {}),
        **({"ends_at": unix_milliseconds(held.ends_at)} if held.ends_at else {}),
        **({"tables": list(tables)} if (tables := _table_sizes(tournament)) else {}),
        **({"next_at": unix_milliseconds(next_at)} if next_at else {}),
        **({"club": club} if club else {}),
    }
    return {
        "about": about(tournament.plan, tournament.status) | facts,
        "entrants": {
            str(one.number): {"name": one.name} | ({} if one.left is None else {"left": True})
            for one in tournament.entrants
        },
        **(_arena(tournament) if tournament.plan.form == "arena" else _rounds(tournament)),
    }


def _rounds(tournament: Tournament) -> dict[str, dict[str, Any]]:
    return {
        "rounds": {
            str(played + 1): [
                _game(game, _points(game), again=tournament.is_rematch(game, played)) for game in games
            ]
            for played, games in enumerate(tournament.rounds)
        },
        "standings": _standings(tournament),
    }


def _table_sizes(tournament: Tournament) -> tuple[int, ...]:
    """Return how many will sit at each table if no one else joins a tournament of larger tables."""
    if tournament.status != "open" or tournament.plan.form != "tables":
        return ()
    return sizes(len(tournament.active), tournament.plan.players, game_of(tournament.plan.game).players.start)


def own(held: Held, user: str, *, may_end: bool) -> Json:
    """Return what only one user sees. may_end: whether they may end the tournament."""
    entrant = next((one for one in held.tournament.entrants if one.user == user), None)
    mine = {} if entrant is None or entrant.left is not None else {"entrant": entrant.number}
    plays_on = entrant if held.tournament.plan.form == "arena" else None  # even after leaving
    number = plays_on.number if plays_on else mine.get("entrant")
    return mine | ({"host": True} if may_end else {}) | _next_game(held.tournament, number)


def may_end(store: Store, held: Held, user: str) -> bool:
    """Return whether a user may start and end a tournament: its organiser, those of its club, moderators."""
    if user == held.user_id or store.moderation.rights(user).is_moderator:
        return True
    return held.club is not None and store.clubs.role(held.club, user) in {"owner", "organiser"}


def _next_game(tournament: Tournament, entrant: int | None) -> Json:
    if tournament.status != "running":
        return {}
    return next(({"table": game.table} for game, _ in tournament.running if entrant in game.seats), {})


def _points(game: Game) -> list[Fraction] | None:
    return None if game.places is None else [points_of(game, seat) for seat in range(len(game.seats))]


def _game(game: Game, points: Iterable[Fraction] | None, *, again: bool = False) -> Json:
    return {
        "seats": list(game.seats),
        **({} if game.table is None else {"table": game.table}),
        **({} if points is None else {"points": [*map(_number, points)]}),
        **({"absent": sorted(game.absent)} if game.absent else {}),
        **({"again": True} if again else {}),
    }


def _standings(tournament: Tournament) -> dict[str, Json]:
    return {
        str(it.entrant): {
            "rank": it.rank,
            "points": _number(it.points),
            "breaks": [_number(one) for one in it.breaks],
        }
        for it in standings(tournament)
    }


def _arena(tournament: Tournament) -> dict[str, dict[str, Any]]:
    """Return rounds and standings of an arena: of its perhaps thousand rounds those that still matter."""
    entrants, scores = sheets(tournament)
    latest = range(len(tournament.rounds))[-_LATEST:]
    rounds = {
        str(played + 1): [_game(game, scores.get(game.table)) for game in tournament.rounds[played]]
        for played in sorted({played for _, played in tournament.running}.union(latest))
    }
    shown = _standings(tournament)
    return {
        "rounds": rounds,
        "standings": {number: it | _sheet(entrants[int(number)]) for number, it in shown.items()},
    }


def _sheet(sheet: Sheet) -> Json:
    scores = [_number(one) for one in sheet.scores[-_SCORES:]]
    return {"scores": scores} | ({"fire": True} if sheet.is_on_fire else {})


def _number(exact: Fraction) -> float | int:
    """Return points rounded to hundredths; the standings are computed from the exact ones."""
    return int(exact) if exact.denominator == 1 else round(float(exact), 2)


@dataclass(frozen=True, slots=True)
class _Call:
    """A call to an entrant: a round begins, or in the break before it the time when it will."""

    facts: Json
    ends: datetime

    def to_json(self, now: datetime) -> Json:
        return self.facts | {"left": max(timedelta(), self.ends - now) // timedelta(milliseconds=1)}


def _calls(held: Held, next_at: datetime | None, absent_at: Callable[[int], datetime]) -> dict[str, _Call]:
    """Return the calls of a tournament by user; players who have come to their game get none.

    absent_at: when those who have not come to a round (from 0) lose.
    """
    tournament = held.tournament
    facts = {"tournament": held.id, "name": tournament.plan.name, "game": tournament.plan.game}
    if tournament.status != "running":
        return {}
    if next_at is not None:
        begins = facts | {"round": len(tournament.rounds) + 1, "table": None}
        return {one.user: _Call(begins, next_at) for one in tournament.active if one.user}
    users = {one.number: one.user for one in tournament.entrants}
    has_rounds = tournament.plan.form != "arena"
    return {
        user: _Call(
            facts | {"round": played + 1 if has_rounds else None, "table": game.table}, absent_at(played)
        )
        for game, played in tournament.running
        for seat, number in enumerate(game.seats)
        if seat not in game.came and (user := users[number])
    }


class Tournaments:
    """Creates tournaments, changes and runs them, and checks permissions.

    publish: receives the lobby's entry of a tournament; None: it is over.
    """

    def __init__(
        self,
        hub: Hub,
        store: Store,
        clock: Clock,
        guard: SeatGuard,
        publish: Callable[[str, Json | None], None],
    ) -> None:
        self._next_at: dict[str, datetime] = {}
        self.rooms = Rooms(clock, "tournament", SECTIONS, self.look, self._check)
        self._hub = hub
        self._store = store
        self._stored = store.tournaments
        self._clock = clock
        self._guard = guard
        self._publish = publish
        self._alarms = Alarms(clock, lambda it: self._logged(self._on_alarm(it), it))
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._of_table: dict[str, str] = {}
        self._pages = Inboxes()
        self._calls: dict[str, dict[str, _Call]] = {}
        self._checked: dict[str, datetime] = {}
        self._free: dict[str, dict[int, datetime]] = {}
        self._paired_at: dict[str, datetime] = {}
        self._stale: set[str] = set()
        self._errands = Errands("tournaments")
        self._began = clock.now()
        hub.listeners.append(self._notice)

    async def start(self) -> None:
        """Resume the stored tournaments."""
        for summary in await asyncio.to_thread(self._stored.all, _LISTED):
            self._publish(summary.id, entry(summary) if summary.status != "over" else None)
        self._began = self._clock.now()
        for tournament_id in await asyncio.to_thread(self._stored.timed):
            await self._logged(self.advance(tournament_id), tournament_id)
        for table_id, tournament_id in list(self._of_table.items()):
            await self._logged(self._look_at(table_id), tournament_id)

    async def _look_at(self, table_id: str) -> None:
        """Process a game that was decided while no server ran."""
        stored = await asyncio.to_thread(self._store.load, table_id)
        if stored is not None:
            self._notice(table_id, stored.table)

    async def stop(self) -> None:
        """Cancel all timers, tasks and broadcasts."""
        await self._alarms.stop()
        self._next_at.clear()
        self._calls.clear()
        await self._errands.end()
        await self.rooms.stop()

    async def _logged(self, work: Awaitable[None], tournament_id: str) -> None:
        """Do the work of a background task, and log if it fails."""
        try:
            await work
        except EkoesError as error:
            if error.code != "tournament/not-found":  # else it was deleted with its club
                LOG.error("tournament can't advance", tournament=tournament_id, error=str(error))

    # ------------------------------------------------------------ viewers

    def look(self, tournament_id: str, users: Collection[str]) -> Seen:
        """Return a tournament as all viewers see it, by section, and what only some users see.

        Raises: TournamentError if there is none.
        """
        held = self._stored.load(tournament_id)
        host = self._store.people.account(held.user_id)
        next_at = self._next_at.get(tournament_id)
        sections = shared(held, host.name if host else "", next_at, self._club(held))
        return sections, {user: own(held, user, may_end=may_end(self._store, held, user)) for user in users}

    def _club(self, held: Held) -> Json | None:
        """Return the club of a tournament; of a deleted one the name is empty."""
        return (
            None if held.club is None else {"id": held.club, "name": self._store.clubs.name(held.club) or ""}
        )

    def _check(self, tournament_id: str, _user: str) -> None:
        """Raise TournamentError if there is no such tournament."""
        self._stored.load(tournament_id)

    # ------------------------------------------------------------ organisers and entrants

    def latest(self, club: str | None = None) -> list[Json]:
        """Return the latest tournaments for everybody or of a club, unfinished ones first."""
        most = _LISTED if club is None else _OF_A_CLUB
        return [{"id": summary.id} | entry(summary) for summary in self._stored.all(most, club)]

    def of_table(self, table_id: str) -> Json | None:
        """Return the tournament of a table, if any, and its round; in an arena there are none."""
        found = self._stored.of_table(table_id)
        if found is None:
            return None
        tournament = self._stored.load(found).tournament
        drawn = () if tournament.plan.form == "arena" else tournament.rounds
        tables = ({game.table for game in games} for games in drawn)
        number = next((played for played, there in enumerate(tables, 1) if table_id in there), None)
        return {"id": found, "name": tournament.plan.name, "round": number}

    async def make(self, user: str | None, plan: TournamentPlan, club: str | None = None) -> str:
        """Create a tournament, of a club as its organiser, and return its id. Raises EkoesError."""
        tournament_id = await asyncio.to_thread(self._make, user, plan, club)
        await self.advance(tournament_id)
        return tournament_id

    def _make(self, user: str | None, plan: TournamentPlan, club: str | None) -> str:
        account = self._account(user)
        if club is not None:
            self._store.clubs.check_organiser(club, user)
        check_plan(plan)
        tournament_id, at = fresh_id(), self._clock.now()
        if plan.starts_at is not None and not at < plan.starts_at <= at + _FARTHEST:
            message = f"a tournament starts within {_FARTHEST.days} days"
            raise TournamentError(message, code="tournament/start-time", key="starts_at")
        self._stored.make(tournament_id, account.user_id, plan, at, club)
        return tournament_id

    async def join(self, tournament_id: str, user: str | None) -> None:
        """Add an account to the entrants, again if it has left. Raises TournamentError."""
        await asyncio.to_thread(self._join, tournament_id, user)
        await self.advance(tournament_id)

    def _join(self, tournament_id: str, user: str | None) -> None:
        account = self._account(user)
        held = self._stored.load(tournament_id)
        if held.club is not None:
            self._store.clubs.check_member(held.club, user)
        ends_at = held.ends_at
        if ends_at is not None and self._clock.now() >= ends_at:
            raise TournamentError("the time of the arena is up", code="tournament/closed")
        self._stored.join(tournament_id, account.user_id, account.name)

    async def leave(self, tournament_id: str, user: str | None, number: int) -> None:
        """Withdraw an entrant, by themselves or by the organiser. Raises TournamentError."""
        held = await asyncio.to_thread(self._leave, tournament_id, user, number)
        if held.tournament.plan.form != "arena":  # there it is played to its end
            await self._resign_game(held, number)
        await self.advance(tournament_id)

    def _leave(self, tournament_id: str, user: str | None, number: int) -> Held:
        self._account(user)
        held = self._stored.load(tournament_id)
        entrant = next((one for one in held.tournament.entrants if one.number == number), None)
        if entrant is None:
            raise TournamentError("no entrant has this number", code="tournament/not-found", key="number")
        if user != entrant.user:
            self._check_organiser(held, user)
        self._stored.leave(tournament_id, number)
        return held

    async def begin(self, tournament_id: str, user: str | None) -> None:
        """Start a tournament, or end the break before its next round. Raises TournamentError."""
        await asyncio.to_thread(self._begin, tournament_id, user)
        await self.advance(tournament_id)

    def _begin(self, tournament_id: str, user: str | None) -> None:
        held = self._stored.load(tournament_id)
        self._check_organiser(held, user)
        if tournament_id in self._next_at:
            self._next_at[tournament_id] = self._clock.now()
            return
        if held.tournament.status != "open":
            raise TournamentError("the tournament has already started", code="tournament/started")
        if len(held.tournament.entrants) < _FEWEST:
            message = f"a tournament needs at least {_FEWEST} entrants"
            raise TournamentError(message, code="tournament/too-few")
        self._stored.start(tournament_id, self._clock.now())

    async def end(self, tournament_id: str, user: str | None) -> None:
        """End a tournament with its current standings. Raises TournamentError."""
        await asyncio.to_thread(self._end, tournament_id, user)
        await self.advance(tournament_id)

    def _end(self, tournament_id: str, user: str | None) -> None:
        self._check_organiser(self._stored.load(tournament_id), user)
        self._stored.end(tournament_id, self._clock.now())

    def _account(self, user: str | None) -> Account:
        account = None if user is None else self._store.people.account(user)
        if account is None:
            raise TournamentError("tournaments need an account", code="tournament/account")
        return account

    def _check_organiser(self, held: Held, user: str | None) -> None:
        if not may_end(self._store, held, self._account(user).user_id):
            message = "only the organiser or a moderator may do this"
            raise TournamentError(message, code="tournament/not-yours")

    # ------------------------------------------------------------ rounds

    async def advance(self, tournament_id: str) -> None:
        """Draw the next round after a break, or end the tournament, once a round is over, and publish it."""
        async with self._locks[tournament_id]:
            self._stale.discard(tournament_id)
            held = await self._begun(await asyncio.to_thread(self._stored.load, tournament_id))
            if held.ends_at is None:
                held = await self._advanced(held)
            else:
                held = await self._pair(held, held.ends_at)
            self._watch(held)
            if held.club is None:
                is_over = held.tournament.status == "over"
                self._publish(held.id, None if is_over else entry(held.summary))
            await self.rooms.show(held.id)

    async def _advanced(self, held: Held) -> Held:
        """Draw rounds as long as the last one is over and there is no break."""
        while held.tournament.status == "running" and held.tournament.is_round_over:
            if not await self._next(held):
                return held
            held = await asyncio.to_thread(self._stored.load, held.id)
        self._next_at.pop(held.id, None)
        return held

    async def _begun(self, held: Held) -> Held:
        """Start a tournament whose time has come, or cancel it if too few are there."""
        tournament, at = held.tournament, self._clock.now()
        if tournament.status != "open" or tournament.plan.starts_at is None or at < tournament.plan.starts_at:
            return held
        is_enough = len(tournament.active) >= _FEWEST
        await asyncio.to_thread(self._stored.start if is_enough else self._stored.end, held.id, at)
        return await asyncio.to_thread(self._stored.load, held.id)

    async def _next(self, held: Held) -> bool:
        """Draw the next round, or end the tournament if there is none; returns False in a break before it."""
        games = await asyncio.to_thread(next_round, held.tournament)
        at = self._clock.now()
        if games is None:
            await asyncio.to_thread(self._stored.end, held.id, at)
            return True
        is_played = held.tournament.rounds and any(game.table for game in held.tournament.rounds[-1])
        if is_played and self._next_at.setdefault(held.id, at + BREAK) > at:
            return False
        await self._draw(held, games, at)
        return True

    async def _pair(self, held: Held, ends_at: datetime) -> Held:
        """Pair the free players of an arena, or end it once its time is up and all games are over."""
        tournament, at = held.tournament, self._clock.now()
        if tournament.status == "over" or at >= ends_at:
            if tournament.status == "over" or tournament.running:
                return held
            await asyncio.to_thread(self._stored.end, held.id, at)
            return await asyncio.to_thread(self._stored.load, held.id)
        before = self._free.get(held.id, {})
        since = {number: before.get(number, at) for number in free(tournament)}
        waited = {number: (at - moment).total_seconds() for number, moment in since.items()}
        games = await asyncio.to_thread(paired, tournament, waited)
        playing = {number for game in games for number in game.seats}
        self._free[held.id] = {number: since[number] for number in since.keys() - playing}
        self._paired_at[held.id] = at
        if not games:
            return held
        await self._draw(held, games, at)
        return await asyncio.to_thread(self._stored.load, held.id)

    async def _draw(self, held: Held, games: Iterable[Game], at: datetime) -> None:
        """Store a round with its tables."""
        seated, tables = await asyncio.to_thread(self._seated, held, games)
        before = len(held.tournament.rounds)
        await asyncio.to_thread(self._stored.add_round, held.id, before, seated, tables, at)
        for one in tables:
            async with self._hub.table(one.table_id):
                pass  # opening it notifies its players

    def _seated(self, held: Held, games: Iterable[Game]) -> tuple[list[Game], list[Change]]:
        """Return the games of a round with their tables, and the changes that create these.

        A table is rated if the addresses of its players are known and different.
        """
        people = {one.number: one for one in held.tournament.entrants}
        is_program = self._store.people.is_program
        seated, tables = [], []
        for game in games:
            table_id = None
            if game.places is None:
                table_id, players = fresh_id(), [people[number] for number in game.seats]
                rated = self._guard.are_apart(one.user or "" for one in players)
                table = table_of(held.tournament.plan, players, fresh_seed(), rated=rated)
                giving = {one.user for one in players if one.user and not is_program(one.user)}
                table = with_parts_of(table, giving)
                tables.append(new_table(table_id, table, self._clock.now())[1])
            seated.append(replace(game, table=table_id))
        return seated, tables

    def _watch(self, held: Held) -> None:
        """Track the tables of running games, and set the alarm for what happens next by itself."""
        for table in [table for table, its in self._of_table.items() if its == held.id]:
            del self._of_table[table]
        self._call(
            held.id, _calls(held, self._next_at.get(held.id), lambda played: self._absent_at(held, played))
        )
        tournament = held.tournament
        if tournament.status == "running":
            self._of_table.update((game.table, held.id) for game, _ in tournament.running if game.table)
        self._alarms.set(held.id, min(self._moments(held), default=None))

    def _absent_at(self, held: Held, played: int) -> datetime:
        """Return when those lose who have not come to a round (from 0)."""
        return max(held.drawn[played], self._began) + held.tournament.plan.patience

    def _moments(self, held: Held) -> Iterator[datetime]:
        """Yield the times at which a tournament has to advance by itself."""
        tournament, checked = held.tournament, self._checked.get(held.id, self._began)
        if tournament.status == "open" and tournament.plan.starts_at is not None:
            yield tournament.plan.starts_at
        if tournament.status != "running":
            return
        if held.id in self._next_at:
            yield self._next_at[held.id]
        deadlines = (self._absent_at(held, played) for _, played in tournament.running)
        yield from (at for at in deadlines if at > checked)
        if held.ends_at is not None and self._clock.now() < held.ends_at:
            yield held.ends_at
            # They are too few for a table, or may not meet again yet: a longer wait or a new player helps.
            may_be_paired = len(self._free.get(held.id, ())) >= _FEWEST
            if may_be_paired or held.id in self._stale:
                yield self._paired_at[held.id] + WAVE

    def subscribed(self, user: str, receive: Receive) -> AbstractContextManager[None]:
        """Send a user's calls to a function, and from then on all changes of them."""
        called = any(user in calls for calls in self._calls.values())
        return self._pages.opened(user, receive, [self._calls_of(user)] if called else ())

    def _calls_of(self, user: str) -> Json:
        now = self._clock.now()
        found = [calls[user].to_json(now) for calls in self._calls.values() if user in calls]
        return {"type": "tournaments", "calls": found}

    def _call(self, tournament_id: str, calls: dict[str, _Call]) -> None:
        """Set the calls of a tournament, and send those that have changed."""
        before = self._calls.pop(tournament_id, {})
        if calls:
            self._calls[tournament_id] = calls
        for user in before.keys() | calls.keys():
            if before.get(user) != calls.get(user):
                self._pages.send(user, self._calls_of(user))

    def _notice(self, table_id: str, table: Table) -> None:
        tournament_id = self._of_table.get(table_id)
        if tournament_id is not None and is_decided(table):
            self._errands.run(self._logged(self._decide(tournament_id, table_id, table), tournament_id))

    async def _decide(self, tournament_id: str, table_id: str, table: Table) -> None:
        """Store the result of a game, and advance its tournament, an arena with its next pairing."""
        await asyncio.to_thread(self._stored.decide, table_id, table)
        paired_at = self._paired_at.get(tournament_id)
        if paired_at is None:
            await self.advance(tournament_id)
        else:
            self._stale.add(tournament_id)
            self._alarms.set(tournament_id, max(paired_at + WAVE, self._clock.now()))

    def note(self, table_id: str, user: str) -> None:
        """Record that a player came to their table."""
        tournament_id = self._of_table.get(table_id)
        if tournament_id is not None:
            self._errands.run(self._logged(self._note(tournament_id, table_id, user), tournament_id))

    async def _note(self, tournament_id: str, table_id: str, user: str) -> None:
        if await asyncio.to_thread(self._stored.came, table_id, user):
            if tournament_id in self._paired_at:
                calls = self._calls.get(tournament_id, {})
                self._call(tournament_id, {one: call for one, call in calls.items() if one != user})
            else:
                # Another server may have ended the round's last game meanwhile.
                await self.advance(tournament_id)

    async def _on_alarm(self, tournament_id: str) -> None:
        """Start, let absent players lose, or go on after a break."""
        held, at = await asyncio.to_thread(self._stored.load, tournament_id), self._clock.now()
        before, self._checked[tournament_id] = self._checked.get(tournament_id, self._began), at
        for game, played in held.tournament.running:
            if game.table is not None and before < self._absent_at(held, played) <= at:
                for seat in await self._forfeit(game, game.table):
                    if held.tournament.plan.form == "arena":  # they don't keep others waiting again
                        await asyncio.to_thread(self._stored.leave, tournament_id, game.seats[seat])
        await self.advance(tournament_id)

    async def _forfeit(self, game: Game, table_id: str) -> frozenset[int]:
        """Record which players missed a game, then let them lose it; returns their seats."""
        async with self._hub.table(table_id) as live:
            missing, is_done = _missing(live.table, game), False
            while missing and not is_done:
                await asyncio.to_thread(self._stored.miss, table_id, missing)
                order = Forfeit(key=f"forfeit-{live.table.version}", seats=sorted(missing))
                is_done = await live.advance(live.table, order)
                missing = missing if is_done else _missing(live.table, game)
            return missing

    async def _resign_game(self, held: Held, number: int) -> None:
        """Resign the current game of an entrant."""
        for game, _ in held.tournament.running:
            if number in game.seats and game.table is not None:
                async with self._hub.table(game.table) as live:
                    await _resign(live, game.seats.index(number))


def _missing(table: Table, game: Game) -> frozenset[int]:
    """Return the seats of players who never came, or who keep others waiting for their first decision."""
    if table.outcome is not None:
        return frozenset()
    never = frozenset(range(len(game.seats))) - game.came
    idle = frozenset() if table.length else game.came.intersection(table.deciding())
    return never | game.absent | (idle if game.came - idle else frozenset())


async def _resign(live: TableActor, seat: int) -> None:
    """Resign for a seat, if its table still accepts that."""
    user = live.table.seats[seat].session
    order = Resign(key=f"away-{seat}-{secrets.token_hex(4)}", version=live.table.version, seat=seat)
    try:
        if user is not None:
            await live.submit(order, user)
    except StorageError:
        raise
    except EkoesError:
        return
