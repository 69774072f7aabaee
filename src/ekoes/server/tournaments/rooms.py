"""Broadcasts each tournament to its viewers."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from fractions import Fraction
from typing import Any

from ekoes.errors import EkoesError
from ekoes.games.api.contract import Json
from ekoes.server.ops.clock import Clock
from ekoes.server.ops.limits import Lane, Lanes
from ekoes.server.realtime.broadcast import DiffMap, Publisher, Visitor
from ekoes.server.realtime.connection import TOO_MANY, Connection, Socket, dismiss, keep_alive
from ekoes.server.runtime.messages import error_json
from ekoes.server.runtime.viewers import chosen
from ekoes.storage.store import Store
from ekoes.storage.tournaments import Held, Summary
from ekoes.tables.settings import clock_json
from ekoes.tournaments.pairing import rounds_of
from ekoes.tournaments.standings import BREAKS, points_of, standings
from ekoes.tournaments.state import Entrant, Game, Status, Tournament, TournamentPlan

SECTIONS = ("about", "entrants", "rounds", "standings")


def entry(summary: Summary) -> Json:
    """Return a tournament as in a list."""
    numbers = {"drawn": summary.rounds, "entrants": summary.entrants}
    at = int(summary.made_at.timestamp() * 1000)
    return about(summary.plan, summary.status) | numbers | {"since": at}


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
        "late": plan.late and plan.form != "robin",
        "grace": plan.grace,
        **({"rounds": plan.rounds} if plan.form != "robin" else {}),
        **({"rated": True} if plan.options.rated else {}),
        **({"clock": clock_json(clock)} if clock else {}),
    }


def shared(held: Held, host: str) -> dict[str, dict[str, Any]]:
    """Return what all viewers see, by section. host: the organiser's name."""
    tournament = held.tournament
    facts = {
        "rounds": rounds_of(tournament),
        "drawn": len(tournament.rounds),
        "host": host,
        "breaks": list(BREAKS[tournament.plan.form]),
        **({"drawn_at": int(held.drawn_at.timestamp() * 1000)} if held.drawn_at else {}),
    }
    return {
        "about": about(tournament.plan, tournament.status) | facts,
        "entrants": {str(one.number): _entrant(one) for one in tournament.entrants},
        "rounds": {
            str(number): [_game(game) for game in games] for number, games in enumerate(tournament.rounds, 1)
        },
        "standings": _standings(tournament),
    }


def own(held: Held, user: str, *, may_end: bool) -> Json:
    """Return what only one user sees. may_end: whether they may end the tournament."""
    entrant = next((one for one in held.tournament.entrants if one.user == user), None)
    mine = {} if entrant is None or entrant.left is not None else {"entrant": entrant.number}
    return mine | ({"host": True} if may_end else {}) | _next_game(held.tournament, mine.get("entrant"))


def may_end(store: Store, held: Held, user: str) -> bool:
    """Return whether a user may start and end a tournament: its organiser and moderators."""
    return user == held.user_id or store.moderation.rights(user).is_moderator


def _next_game(tournament: Tournament, entrant: int | None) -> Json:
    if entrant is None or not tournament.rounds or tournament.status != "running":
        return {}
    found = tournament.game_of(entrant, -1)
    is_due = found is not None and found[0].places is None
    return {"table": found[0].table} if found is not None and is_due else {}


def _entrant(one: Entrant) -> Json:
    return {"name": one.name} | ({} if one.left is None else {"left": True})


def _game(game: Game) -> Json:
    over: Json = {}
    if game.places is not None:
        over = {"points": [_number(points_of(game, seat)) for seat in range(len(game.seats))]}
    table = {} if game.table is None else {"table": game.table}
    absent = {"absent": sorted(game.absent)} if game.absent else {}
    return {"seats": list(game.seats)} | table | over | absent


def _standings(tournament: Tournament) -> dict[str, Json]:
    return {
        str(it.entrant): {
            "rank": it.rank,
            "points": _number(it.points),
            "breaks": [_number(one) for one in it.breaks],
        }
        for it in standings(tournament)
    }


def _number(exact: Fraction) -> float | int:
    """Return points rounded to hundredths; the standings are computed from the exact ones."""
    return int(exact) if exact.denominator == 1 else round(float(exact), 2)


_NOT_FOUND = 4404


class _Room:
    """The viewers of one tournament. own: what only one user sees, by user."""

    def __init__(self, clock: Clock) -> None:
        self.broadcast = Publisher(clock, "tournament", SECTIONS)
        self.own: dict[str, DiffMap] = {}
        self.visitors: dict[Visitor, None] = {}
        self.lock = asyncio.Lock()


class Rooms:
    """The rooms of all tournaments with viewers."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._lanes = Lanes(clock)
        self._rooms: dict[str, _Room] = {}

    async def stop(self) -> None:
        """Stop all broadcasts."""
        for room in self._rooms.values():
            await room.broadcast.stop()

    def look(self, tournament_id: str, users: Collection[str]) -> tuple[dict[str, Json], dict[str, Json]]:
        """Return a tournament as all viewers see it, by section, and for some users what each sees alone.

        Raises: TournamentError if there is none.
        """
        held = self._store.tournaments.load(tournament_id)
        host = self._store.people.account(held.user_id)
        alone = {user: own(held, user, may_end=may_end(self._store, held, user)) for user in users}
        return shared(held, host.name if host else ""), alone

    async def show(self, tournament_id: str) -> None:
        """Send a tournament to its viewers; a lock keeps the updates in order."""
        room = self._rooms.get(tournament_id)
        if room is None:
            return
        async with room.lock:
            sections, alone = await asyncio.to_thread(self.look, tournament_id, list(room.own))
            for section, values in sections.items():
                room.broadcast.put_all(section, values)
            for user, own_map in room.own.items():
                facts = alone.get(user, own_map.now)  # a viewer who joined meanwhile is shown next
                for name in ("entrant", "host", "table"):
                    room.broadcast.put_own(own_map, name, facts.get(name))

    async def serve(self, socket: Socket, user: str, tournament_id: str) -> None:
        """Serve a socket to a tournament until it closes."""
        async with self._lanes.of(user) as lane:
            if lane is None:
                socket.end(TOO_MANY, "too many sockets")
                return
            try:
                await asyncio.to_thread(self._store.tournaments.load, tournament_id)
            except EkoesError as error:
                dismiss(socket, error_json(error), _NOT_FOUND)
                return
            await self._view(Connection(socket, user, self._clock.now), lane, tournament_id)

    async def _view(self, connection: Connection, lane: Lane, tournament_id: str) -> None:
        room = self._rooms.setdefault(tournament_id, _Room(self._clock))
        room.visitors[connection] = None
        shelf = room.own.setdefault(connection.session, DiffMap())
        try:
            await self.show(tournament_id)
            room.broadcast.join(connection, shelf)
            try:
                await keep_alive(connection, lane)
            finally:
                room.broadcast.part(connection)
        finally:
            await self._leave(room, connection, tournament_id)

    async def _leave(self, room: _Room, connection: Connection, tournament_id: str) -> None:
        """Remove a viewer, and the room with the last one."""
        del room.visitors[connection]
        if all(one.session != connection.session for one in room.visitors):
            room.own.pop(connection.session, None)
        if not room.visitors and self._rooms.get(tournament_id) is room:
            del self._rooms[tournament_id]
            await room.broadcast.stop()
