"""Tournaments: permissions, and the operations of organisers and entrants."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from ekoes.errors import TournamentError
from ekoes.games.api.contract import Json
from ekoes.server.ops.clock import Clock
from ekoes.server.ops.secrets import fresh_id
from ekoes.server.realtime.connection import Socket
from ekoes.server.runtime.hub import Hub
from ekoes.server.runtime.seat_guard import SeatGuard
from ekoes.server.tournaments.rooms import Rooms, entry, own, shared
from ekoes.server.tournaments.rounds import Rounds
from ekoes.storage.accounts import Account
from ekoes.storage.store import Store
from ekoes.storage.tournaments import Held
from ekoes.tournaments.state import TournamentPlan, check_plan

_LISTED = 100
_MOST_OPEN = 5
"""Unfinished tournaments of one organiser."""
_FEWEST = 2


class Tournaments:
    """Creates tournaments and changes them, with permissions.

    tell: receives the lobby's entry of a tournament; None: it is over.
    """

    def __init__(
        self, hub: Hub, store: Store, clock: Clock, guard: SeatGuard, tell: Callable[[str, Json | None], None]
    ) -> None:
        self._store = store
        self._clock = clock
        self._tell = tell
        self.rooms = Rooms(store, clock)
        self.rounds = Rounds(hub, store, clock, guard, self._show)

    async def start(self) -> None:
        """Resume the stored tournaments."""
        for summary in await asyncio.to_thread(self._store.tournaments.all, _LISTED):
            self._tell(summary.id, entry(summary) if summary.status != "over" else None)
        await self.rounds.start()

    async def stop(self) -> None:
        """Stop rounds and broadcasts."""
        await self.rounds.stop()
        await self.rooms.stop()

    async def serve(self, line: Socket, holder: str, tournament_id: str) -> None:
        """Serve a socket to a tournament until it closes."""
        await self.rooms.serve(line, holder, tournament_id)

    async def list(self) -> list[Json]:
        """Return the latest tournaments, unfinished ones first."""
        found = await asyncio.to_thread(self._store.tournaments.all, _LISTED)
        return [{"id": summary.id} | entry(summary) for summary in found]

    async def look(self, tournament_id: str, holder: str | None) -> Json:
        """Return a tournament as a user sees it. Raises TournamentError."""
        held = await asyncio.to_thread(self._store.tournaments.load, tournament_id)
        maker = await asyncio.to_thread(self._store.people.account, held.holder)
        may_end = holder is not None and await self._may_end(held, holder)
        mine = own(held, holder, may_end=may_end) if holder is not None else {}
        return {"id": tournament_id, "own": mine} | shared(held, maker.name if maker else "")

    async def of_table(self, table_id: str) -> Json | None:
        """Return the tournament of a table, if any."""
        found = await asyncio.to_thread(self._store.tournaments.of_table, table_id)
        if found is None:
            return None
        held = await asyncio.to_thread(self._store.tournaments.load, found)
        return {"id": found, "name": held.tournament.plan.name}

    async def make(self, holder: str | None, plan: TournamentPlan) -> str:
        """Create a tournament and return its id. Raises EkoesError."""
        account = await self._account(holder)
        theirs = await asyncio.to_thread(self._store.tournaments.made_by, account.holder)
        if theirs >= _MOST_OPEN:
            message = f"An account can have at most {_MOST_OPEN} unfinished tournaments"
            raise TournamentError(message, code="tournament/too-many")
        await asyncio.to_thread(check_plan, plan)
        tournament_id = fresh_id()
        stored = self._store.tournaments
        await asyncio.to_thread(stored.make, tournament_id, account.holder, plan, self._clock.now())
        await self.rounds.advance(tournament_id)
        return tournament_id

    async def join(self, tournament_id: str, holder: str | None) -> None:
        """Add an account to the entrants. Raises TournamentError."""
        account = await self._account(holder)
        await asyncio.to_thread(self._store.tournaments.join, tournament_id, account.holder, account.name)
        await self.rounds.advance(tournament_id)

    async def leave(self, tournament_id: str, holder: str | None, number: int) -> None:
        """Withdraw an entrant, by themselves or by the organiser. Raises TournamentError."""
        await self._account(holder)
        held = await asyncio.to_thread(self._store.tournaments.load, tournament_id)
        entrant = next((one for one in held.tournament.entrants if one.number == number), None)
        if entrant is None:
            raise TournamentError("No entrant has this number", code="tournament/not-found", key="number")
        if holder != entrant.holder:
            await self._check_right(held, holder)
        await asyncio.to_thread(self._store.tournaments.leave, tournament_id, number)
        await self.rounds.withdraw(held, number)
        await self.rounds.advance(tournament_id)

    async def begin(self, tournament_id: str, holder: str | None) -> None:
        """Start a tournament: draw the first round. Raises TournamentError."""
        held = await asyncio.to_thread(self._store.tournaments.load, tournament_id)
        await self._check_right(held, holder)
        if held.tournament.status != "open":
            raise TournamentError("The tournament has already started", code="tournament/started")
        if len(held.tournament.entrants) < _FEWEST:
            raise TournamentError(
                f"A tournament needs at least {_FEWEST} entrants", code="tournament/too-few"
            )
        await asyncio.to_thread(self._store.tournaments.start, tournament_id, self._clock.now())
        await self.rounds.advance(tournament_id)

    async def end(self, tournament_id: str, holder: str | None) -> None:
        """End a tournament with its current standings. Raises TournamentError."""
        held = await asyncio.to_thread(self._store.tournaments.load, tournament_id)
        await self._check_right(held, holder)
        await asyncio.to_thread(self._store.tournaments.end, tournament_id, self._clock.now())
        await self.rounds.advance(tournament_id)

    async def _account(self, holder: str | None) -> Account:
        account = None if holder is None else await asyncio.to_thread(self._store.people.account, holder)
        if account is None:
            raise TournamentError("Tournaments need an account", code="tournament/account")
        return account

    async def _check_right(self, held: Held, holder: str | None) -> None:
        await self._account(holder)
        if holder is None or not await self._may_end(held, holder):
            raise TournamentError(
                "Only the organiser or a moderator may do this", code="tournament/not-yours"
            )

    async def _may_end(self, held: Held, holder: str) -> bool:
        if holder == held.holder:
            return True
        return (await asyncio.to_thread(self._store.moderation.rights, holder)).is_moderator

    async def _show(self, held: Held) -> None:
        is_over = held.tournament.status == "over"
        self._tell(held.id, None if is_over else entry(held.summary))
        await self.rooms.show(held.id)
