"""Runs tournaments: draws the rounds, and forfeits the games of absent players.

A round and all its tables are stored in one transaction before anyone sees them, and so are the end of a
game and its result. A server that was killed resumes there, and repeats nothing.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from datetime import timedelta

from ekoes.errors import EkoesError, StorageError
from ekoes.server.ops.clock import Clock
from ekoes.server.ops.logs import log_of
from ekoes.server.ops.secrets import fresh_id, fresh_seed
from ekoes.server.ops.tasks import Errands
from ekoes.server.runtime.background import Alarms
from ekoes.server.runtime.hub import Hub
from ekoes.server.runtime.seat_guard import SeatGuard
from ekoes.server.runtime.table_actor import TableActor
from ekoes.storage.store import Store
from ekoes.storage.tables import new_table
from ekoes.storage.tournaments import Drawn, Held
from ekoes.tables.orders import Resign
from ekoes.tables.table import Table
from ekoes.tournaments.pairing import next_round
from ekoes.tournaments.state import Entrant, Game, is_decided, places_of, table_of

_LOG = log_of("ekoes.server")


class Rounds:
    """Advances the tournaments of a server. show: publishes a tournament after each change."""

    def __init__(
        self, hub: Hub, store: Store, clock: Clock, guard: SeatGuard, show: Callable[[Held], Awaitable[None]]
    ) -> None:
        self._hub = hub
        self._store = store
        self._clock = clock
        self._guard = guard
        self._show = show
        self._alarms = Alarms(clock, self._forfeit_absent)
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._of_table: dict[str, str] = {}
        self._called: dict[str, int] = {}
        self._errands = Errands("tournaments")
        self._began = clock.now()
        hub.listeners.append(self._notice)

    async def start(self) -> None:
        """Resume the running tournaments."""
        self._began = self._clock.now()
        for tournament_id in await asyncio.to_thread(self._store.tournaments.running):
            await self._try_to_advance(tournament_id)
        for table_id in list(self._of_table):
            kept = await asyncio.to_thread(self._store.load, table_id)
            if kept is not None:
                self._notice(table_id, kept.table)

    async def stop(self) -> None:
        """Cancel all timers and tasks."""
        await self._alarms.stop()
        await self._errands.end()

    async def advance(self, tournament_id: str) -> None:
        """Draw the next round or end the tournament once a round is over, and publish it."""
        async with self._locks[tournament_id]:
            held = await self._load(tournament_id)
            while held.tournament.status == "running" and held.tournament.is_round_over:
                await self._next(held)
                held = await self._load(tournament_id)
            self._watch(held)
            await self._show(held)

    async def _load(self, tournament_id: str) -> Held:
        return await asyncio.to_thread(self._store.tournaments.load, tournament_id)

    async def _next(self, held: Held) -> None:
        games = await asyncio.to_thread(next_round, held.tournament)
        kept, at = self._store.tournaments, self._clock.now()
        if games is None:
            await asyncio.to_thread(kept.end, held.id, at)
            return
        drawn = await asyncio.to_thread(self._drawn, held, games)
        await asyncio.to_thread(kept.add_round, held.id, len(held.tournament.rounds), drawn, at)
        for one in drawn:
            if one.game.table is not None:
                async with self._hub.table(one.game.table):
                    pass  # opening it notifies its players

    def _drawn(self, held: Held, games: Iterable[Game]) -> list[Drawn]:
        people = {one.number: one for one in held.tournament.entrants}
        return [
            self._at_table(held, game, [people[number] for number in game.seats])
            if game.places is None
            else Drawn(game, None)
            for game in games
        ]

    def _at_table(self, held: Held, game: Game, players: list[Entrant]) -> Drawn:
        """Return a game with a table and its players; rated unless two of them share an address."""
        known = [address for one in players if (address := self._guard.address(one.holder or "")) is not None]
        rated = len(known) == len(set(known))
        table = table_of(held.tournament.plan, players, fresh_seed(), rated=rated)
        table_id = fresh_id()
        return Drawn(replace(game, table=table_id), new_table(table_id, table, self._clock.now())[1])

    def _watch(self, held: Held) -> None:
        """Track the tables of the latest round, and set the deadline for absent players."""
        made = len(held.tournament.rounds)
        for games in held.tournament.rounds:
            for game in games:
                self._of_table.pop(game.table or "", None)
        if held.tournament.status != "running":
            self._alarms.set(held.id, None)
            return
        due = [game.table for game in held.tournament.rounds[-1] if game.table and game.places is None]
        self._of_table.update(dict.fromkeys(due, held.id))
        if self._called.get(held.id) != made and held.drawn_at is not None:
            grace = timedelta(minutes=held.tournament.plan.grace)
            self._alarms.set(held.id, max(held.drawn_at, self._began) + grace)

    def _notice(self, table_id: str, table: Table) -> None:
        tournament_id = self._of_table.get(table_id)
        if tournament_id is not None and is_decided(table):
            self._errands.run(self._decide(tournament_id, table_id, table))

    async def _decide(self, tournament_id: str, table_id: str, table: Table) -> None:
        try:
            if table.outcome is None:
                await asyncio.to_thread(self._store.tournaments.decide, table_id, places_of(table))
            await self.advance(tournament_id)
        except EkoesError as error:
            _LOG.error("tournament can't advance", tournament=tournament_id, error=str(error))

    def note(self, table_id: str, holder: str) -> None:
        """Record that a player came to their table."""
        if table_id in self._of_table:
            self._errands.run(self._note(table_id, holder))

    async def _note(self, table_id: str, holder: str) -> None:
        try:
            async with self._hub.table(table_id) as live:
                seats = [seat for seat, chair in enumerate(live.table.seats) if chair.session == holder]
            for seat in seats:
                await asyncio.to_thread(self._store.tournaments.came, table_id, seat)
        except EkoesError as error:
            _LOG.warning("arrival can't be recorded", table=table_id, error=str(error))

    async def _try_to_advance(self, tournament_id: str) -> None:
        try:
            await self.advance(tournament_id)
        except EkoesError as error:
            _LOG.error("tournament can't advance", tournament=tournament_id, error=str(error))

    async def _forfeit_absent(self, tournament_id: str) -> None:
        try:
            held = await self._load(tournament_id)
            self._called[tournament_id] = len(held.tournament.rounds)
            for game in held.tournament.rounds[-1]:
                if game.table is not None and game.places is None:
                    await self._forfeit(game, game.table)
            await self.advance(tournament_id)
        except EkoesError as error:
            _LOG.error("tournament can't advance", tournament=tournament_id, error=str(error))

    async def _forfeit(self, game: Game, table_id: str) -> None:
        """Record which players missed a game, then resign for them."""
        async with self._hub.table(table_id) as live:
            missing = _missing(live.table, game)
            if missing:
                await asyncio.to_thread(self._store.tournaments.miss, table_id, missing)
            for seat in sorted(missing):
                await _resign(live, seat)

    async def withdraw(self, held: Held, number: int) -> None:
        """Resign the current game of an entrant."""
        found = held.tournament.game_of(number, -1) if held.tournament.rounds else None
        if found is not None and found[0].table is not None and found[0].places is None:
            async with self._hub.table(found[0].table) as live:
                await _resign(live, found[1])


def _missing(table: Table, game: Game) -> frozenset[int]:
    """Return the seats of players who never came, or have not made the first move."""
    if table.outcome is not None:
        return frozenset()
    never = frozenset(range(len(game.seats))) - game.came
    idle = [
        seat
        for seat, chair in enumerate(table.seats)
        if not table.length and table.status(chair.session or "") == "yours"
    ]
    return never | game.absent | frozenset(idle)


async def _resign(live: TableActor, seat: int) -> None:
    """Resign for a seat, if its table still accepts that."""
    holder = live.table.seats[seat].session
    order = Resign(key=f"away-{seat}-{secrets.token_hex(4)}", version=live.table.version, seat=seat)
    try:
        if holder is not None:
            await live.submit(order, holder)
    except StorageError:
        raise
    except EkoesError:
        return
