"""How a tournament goes on: a round follows the one before it, and who does not come loses.

What is decided is in the store before anybody sees it. A round and all its tables are one transaction, and
so are the end of a game and its result: who was killed goes on where it was, and makes nothing twice.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from datetime import timedelta

from ekoes.errors import EkoesError, StorageError
from ekoes.match.orders import Resign
from ekoes.match.standing import standing
from ekoes.match.state import Table
from ekoes.server.alarms import Alarms
from ekoes.server.chance import fresh_seed
from ekoes.server.clock import Clock
from ekoes.server.door import Door
from ekoes.server.hub import Hub
from ekoes.server.ids import fresh_id
from ekoes.server.live import LiveTable
from ekoes.server.logs import log_of
from ekoes.server.tasks import Errands
from ekoes.storage.store import Store, new_table
from ekoes.storage.tournaments import Drawn, Held
from ekoes.tournament.draw import next_round
from ekoes.tournament.state import Entrant, Game
from ekoes.tournament.tables import is_decided, places_of, table_of

__all__ = ["Rounds"]

_LOG = log_of("ekoes.server")


class Rounds:
    """Lets the tournaments of a server go on by themselves."""

    def __init__(
        self, hub: Hub, store: Store, clock: Clock, door: Door, show: Callable[[Held], Awaitable[None]]
    ) -> None:
        """Begin with none. show: is told how a tournament stands whenever it has changed."""
        self._hub = hub
        self._store = store
        self._clock = clock
        self._door = door
        self._show = show
        self._alarms = Alarms(clock, self._call_off)
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._of_table: dict[str, str] = {}
        self._called: dict[str, int] = {}
        self._errands = Errands("tournaments")
        self._began = clock.now()
        hub.listeners.append(self._notice)

    async def start(self) -> None:
        """Go on where a server before this one left."""
        self._began = self._clock.now()
        for tournament_id in await asyncio.to_thread(self._store.tournaments.running):
            await self._try_to_go_on(tournament_id)
        for table_id in list(self._of_table):
            kept = await asyncio.to_thread(self._store.load, table_id)
            if kept is not None:
                self._notice(table_id, kept.table, kept.table)

    async def stop(self) -> None:
        """Let nothing go on any more."""
        await self._alarms.stop()
        await self._errands.end()

    # ------------------------------------------------------------ round after round

    async def go_on(self, tournament_id: str) -> None:
        """Make the next round if all games of the last one are over, or end; then tell how it stands."""
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
        """Draw and keep the next round, or the end if there is none."""
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
                    pass  # whose people are here are told of it as it is opened

    def _drawn(self, held: Held, games: Iterable[Game]) -> list[Drawn]:
        """Return games with their tables as they are to be kept."""
        people = {one.number: one for one in held.tournament.entrants}
        return [
            self._at_table(held, game, [people[number] for number in game.seats])
            if game.places is None
            else Drawn(game, None)
            for game in games
        ]

    def _at_table(self, held: Held, game: Game, players: list[Entrant]) -> Drawn:
        """Return a game with a table at which its players sit; rated, unless two come from one address."""
        known = [address for one in players if (address := self._door.address(one.holder or "")) is not None]
        rated = len(known) == len(set(known))
        table = table_of(held.tournament.plan, players, fresh_seed(), rated=rated)
        table_id = fresh_id()
        return Drawn(replace(game, table=table_id), new_table(table_id, table, self._clock.now())[1])

    # ------------------------------------------------------------ what happens at tables

    def _watch(self, held: Held) -> None:
        """Know the tables of the latest round, and call off in time what nobody comes to."""
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

    def _notice(self, table_id: str, _table: Table, shown: Table) -> None:
        """Go on when a game is decided, as everybody knows."""
        tournament_id = self._of_table.get(table_id)
        if tournament_id is not None and is_decided(shown):
            self._errands.run(self._decide(tournament_id, table_id, shown))

    async def _decide(self, tournament_id: str, table_id: str, table: Table) -> None:
        try:
            if table.outcome is None:
                await asyncio.to_thread(self._store.tournaments.decide, table_id, places_of(table))
            await self.go_on(tournament_id)
        except EkoesError as error:
            _LOG.error("tournament can't go on", tournament=tournament_id, error=str(error))

    def note(self, table_id: str, holder: str) -> None:
        """Note that somebody is at a table."""
        if table_id in self._of_table:
            self._errands.run(self._note(table_id, holder))

    async def _note(self, table_id: str, holder: str) -> None:
        try:
            async with self._hub.table(table_id) as live:
                seats = [seat for seat, chair in enumerate(live.table.seats) if chair.session == holder]
            for seat in seats:
                await asyncio.to_thread(self._store.tournaments.came, table_id, seat)
        except EkoesError as error:
            _LOG.warning("who has come can't be noted", table=table_id, error=str(error))

    async def _try_to_go_on(self, tournament_id: str) -> None:
        try:
            await self.go_on(tournament_id)
        except EkoesError as error:
            _LOG.error("tournament can't go on", tournament=tournament_id, error=str(error))

    # ------------------------------------------------------------ who does not come

    async def _call_off(self, tournament_id: str) -> None:
        """Let those lose who have not come to their games by now."""
        try:
            held = await self._load(tournament_id)
            self._called[tournament_id] = len(held.tournament.rounds)
            for game in held.tournament.rounds[-1]:
                if game.table is not None and game.places is None:
                    await self._call(game, game.table)
            await self.go_on(tournament_id)
        except EkoesError as error:
            _LOG.error("tournament can't go on", tournament=tournament_id, error=str(error))

    async def _call(self, game: Game, table_id: str) -> None:
        """Let who is missing at a table give up; that was so decided is noted before it is done."""
        async with self._hub.table(table_id) as live:
            missing = _missing(live.table, game)
            if missing:
                await asyncio.to_thread(self._store.tournaments.miss, table_id, missing)
            for seat in sorted(missing):
                await _give_up(live, seat)

    async def withdraw(self, held: Held, number: int) -> None:
        """Give up the game in which an entrant sits."""
        found = held.tournament.game_of(number, -1) if held.tournament.rounds else None
        if found is not None and found[0].table is not None and found[0].places is None:
            async with self._hub.table(found[0].table) as live:
                await _give_up(live, found[1])


def _missing(table: Table, game: Game) -> frozenset[int]:
    """Return the seats of those who never came, or came and have not begun though they are to begin."""
    if table.outcome is not None:
        return frozenset()
    never = frozenset(range(len(game.seats))) - game.came
    idle = [
        seat
        for seat, chair in enumerate(table.seats)
        if not table.length and standing(table, chair.session or "") == "yours"
    ]
    return never | game.absent | frozenset(idle)


async def _give_up(live: LiveTable, seat: int) -> None:
    """Resign for a seat whose player is gone; nothing if its table takes that no more."""
    holder = live.table.seats[seat].session
    order = Resign(key=f"away-{seat}-{secrets.token_hex(4)}", version=live.table.version, seat=seat)
    try:
        if holder is not None:
            await live.take(order, holder)
    except StorageError:
        raise
    except EkoesError:
        return
