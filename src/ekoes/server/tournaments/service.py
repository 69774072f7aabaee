"""Who may do what with a tournament."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from ekoes.errors import TournamentError
from ekoes.games.contract import Json
from ekoes.server.clock import Clock
from ekoes.server.connection import Line
from ekoes.server.door import Door
from ekoes.server.hub import Hub
from ekoes.server.ids import fresh_id
from ekoes.server.tournaments.rooms import Rooms
from ekoes.server.tournaments.rounds import Rounds
from ekoes.server.tournaments.told import entry, own, told
from ekoes.storage.people import Account
from ekoes.storage.store import Store
from ekoes.storage.tournaments import Held
from ekoes.tournament.plan import TournamentPlan
from ekoes.tournament.tables import check_plan

__all__ = ["Tournaments"]

_LISTED = 100
_MOST_OPEN = 5
"""Tournaments of one account that are not over."""
_FEWEST = 2


class Tournaments:
    """Makes tournaments, lets people join and leave, and lets them be seen and go on."""

    def __init__(
        self, hub: Hub, store: Store, clock: Clock, door: Door, tell: Callable[[str, Json | None], None]
    ) -> None:
        """Begin with those that are kept. tell: is told what the lobby says of one; None: nothing."""
        self._store = store
        self._clock = clock
        self._tell = tell
        self.rooms = Rooms(store, clock)
        self.rounds = Rounds(hub, store, clock, door, self._show)

    async def start(self) -> None:
        """Go on where a server before this one left."""
        for summary in await asyncio.to_thread(self._store.tournaments.all, _LISTED):
            self._tell(summary.id, entry(summary) if summary.status != "over" else None)
        await self.rounds.start()

    async def stop(self) -> None:
        """Let nothing go on any more."""
        await self.rounds.stop()
        await self.rooms.stop()

    async def serve(self, line: Line, holder: str, tournament_id: str) -> None:
        """Serve a line to a tournament until it ends."""
        await self.rooms.serve(line, holder, tournament_id)

    # ------------------------------------------------------------ looking

    async def list(self) -> list[Json]:
        """Return the latest tournaments, those that are not over first."""
        found = await asyncio.to_thread(self._store.tournaments.all, _LISTED)
        return [{"id": summary.id} | entry(summary) for summary in found]

    async def look(self, tournament_id: str, holder: str | None) -> Json:
        """Return all there is to know of a tournament for somebody. Raises TournamentError."""
        held = await asyncio.to_thread(self._store.tournaments.load, tournament_id)
        maker = await asyncio.to_thread(self._store.people.account, held.holder)
        may_end = holder is not None and await self._may_end(held, holder)
        mine = own(held, holder, may_end=may_end) if holder is not None else {}
        return {"id": tournament_id, "own": mine} | told(held, maker.name if maker else "")

    async def of_table(self, table_id: str) -> Json | None:
        """Return the tournament that a table belongs to, None if there is none."""
        found = await asyncio.to_thread(self._store.tournaments.of_table, table_id)
        if found is None:
            return None
        held = await asyncio.to_thread(self._store.tournaments.load, found)
        return {"id": found, "name": held.tournament.plan.name}

    # ------------------------------------------------------------ doing

    async def make(self, holder: str | None, plan: TournamentPlan) -> str:
        """Make a tournament and return its id. Raises EkoesError."""
        account = await self._account(holder)
        theirs = await asyncio.to_thread(self._store.tournaments.made_by, account.holder)
        if theirs >= _MOST_OPEN:
            message = f"an account has {_MOST_OPEN} tournaments at a time, at most"
            raise TournamentError(message, code="tournament/too-many")
        await asyncio.to_thread(check_plan, plan)
        tournament_id = fresh_id()
        kept = self._store.tournaments
        await asyncio.to_thread(kept.make, tournament_id, account.holder, plan, self._clock.now())
        await self.rounds.go_on(tournament_id)
        return tournament_id

    async def join(self, tournament_id: str, holder: str | None) -> None:
        """Let an account play. Raises TournamentError."""
        account = await self._account(holder)
        kept = self._store.tournaments
        await asyncio.to_thread(kept.join, tournament_id, account.holder, account.name)
        await self.rounds.go_on(tournament_id)

    async def leave(self, tournament_id: str, holder: str | None, number: int) -> None:
        """Let an entrant play no further: by themselves, or by who sees to it. Raises TournamentError."""
        await self._account(holder)
        held = await asyncio.to_thread(self._store.tournaments.load, tournament_id)
        entrant = next((one for one in held.tournament.entrants if one.number == number), None)
        if entrant is None:
            raise TournamentError("nobody plays under this number", code="tournament/not-found", key="number")
        if holder != entrant.holder:
            await self._check_right(held, holder)
        await asyncio.to_thread(self._store.tournaments.leave, tournament_id, number)
        await self.rounds.withdraw(held, number)
        await self.rounds.go_on(tournament_id)

    async def begin(self, tournament_id: str, holder: str | None) -> None:
        """Draw the first round. Raises TournamentError."""
        held = await asyncio.to_thread(self._store.tournaments.load, tournament_id)
        await self._check_right(held, holder)
        if held.tournament.status != "open":
            raise TournamentError("it has begun already", code="tournament/started")
        if len(held.tournament.entrants) < _FEWEST:
            raise TournamentError(f"it needs {_FEWEST} people at least", code="tournament/too-few")
        await asyncio.to_thread(self._store.tournaments.start, tournament_id, self._clock.now())
        await self.rounds.go_on(tournament_id)

    async def end(self, tournament_id: str, holder: str | None) -> None:
        """End a tournament as it stands. Raises TournamentError."""
        held = await asyncio.to_thread(self._store.tournaments.load, tournament_id)
        await self._check_right(held, holder)
        await asyncio.to_thread(self._store.tournaments.end, tournament_id, self._clock.now())
        await self.rounds.go_on(tournament_id)

    # ------------------------------------------------------------ rights

    async def _account(self, holder: str | None) -> Account:
        account = None if holder is None else await asyncio.to_thread(self._store.people.account, holder)
        if account is None:
            raise TournamentError("a tournament needs an account", code="tournament/account")
        return account

    async def _check_right(self, held: Held, holder: str | None) -> None:
        await self._account(holder)
        if holder is None or not await self._may_end(held, holder):
            raise TournamentError("this is for who has made it", code="tournament/not-yours")

    async def _may_end(self, held: Held, holder: str) -> bool:
        if holder == held.holder:
            return True
        return (await asyncio.to_thread(self._store.wardens.rights, holder)).is_moderator

    async def _show(self, held: Held) -> None:
        """Tell the lobby and all who look on how a tournament stands."""
        is_over = held.tournament.status == "over"
        self._tell(held.id, None if is_over else entry(held.summary))
        await self.rooms.show(held.id)
