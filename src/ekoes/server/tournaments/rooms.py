"""Who looks on at which tournament: all are told what changes as it changes, in the manner of the lobby."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Any

from ekoes.errors import EkoesError
from ekoes.server.clock import Clock
from ekoes.server.connection import BEAT, TOO_MANY, Connection, Line, dismiss
from ekoes.server.limits import Lane, Lanes
from ekoes.server.lobby.shelf import Shelf
from ekoes.server.lobby.telling import Telling, Visitor
from ekoes.server.messages import MessageError, error_json
from ekoes.server.tournaments.told import SHELVES, own, told
from ekoes.storage.store import Store
from ekoes.storage.tournaments import Held

__all__ = ["Rooms"]

_NOT_FOUND = 4404


class _Room:
    """Those who look on at one tournament. own: what each of them is told alone."""

    def __init__(self, clock: Clock) -> None:
        self.telling = Telling(clock, "tournament", SHELVES)
        self.own: dict[str, Shelf] = {}
        self.visitors: dict[Visitor, None] = {}
        self.lock = asyncio.Lock()


class Rooms:
    """A room for each tournament that somebody looks on at."""

    def __init__(self, store: Store, clock: Clock) -> None:
        """Begin with none."""
        self._store = store
        self._clock = clock
        self._lanes = Lanes(clock)
        self._rooms: dict[str, _Room] = {}

    async def stop(self) -> None:
        """Tell nobody anything any more."""
        for room in self._rooms.values():
            await room.telling.stop()

    async def show(self, tournament_id: str) -> None:
        """Tell all who look on how a tournament stands, one after the other: the latest is told last."""
        room = self._rooms.get(tournament_id)
        if room is not None:
            async with room.lock:
                held = await asyncio.to_thread(self._store.tournaments.load, tournament_id)
                account, wardens = await asyncio.to_thread(self._known, held.holder, list(room.own))
                self._put(room, held, account, wardens)

    def _known(self, maker: str, holders: Collection[str]) -> tuple[str, frozenset[str]]:
        """Return the name of who has made a tournament, and which of those who look on are moderators."""
        account, rights = self._store.people.account(maker), self._store.wardens.rights
        wardens = frozenset(one for one in holders if rights(one).is_moderator)
        return (account.name if account else ""), wardens

    def _put(self, room: _Room, held: Held, host: str, wardens: frozenset[str]) -> None:
        for shelf, values in told(held, host).items():
            room.telling.put_all(shelf, values)
        for holder, shelf_of in room.own.items():
            may_end = holder in wardens or holder == held.holder
            facts: dict[str, Any] = own(held, holder, may_end=may_end)
            for name in ("entrant", "host", "table"):
                room.telling.put_own(shelf_of, name, facts.get(name))

    async def serve(self, line: Line, holder: str, tournament_id: str) -> None:
        """Serve a line to a tournament until it ends."""
        async with self._lanes.of(holder) as lane:
            if lane is None:
                line.end(TOO_MANY, "too many sockets")
                return
            try:
                await asyncio.to_thread(self._store.tournaments.load, tournament_id)
            except EkoesError as error:
                dismiss(line, error_json(error), _NOT_FOUND)
                return
            await self._look_on(Connection(line, holder, self._clock.now), lane, tournament_id)

    async def _look_on(self, connection: Connection, lane: Lane, tournament_id: str) -> None:
        room = self._rooms.setdefault(tournament_id, _Room(self._clock))
        room.visitors[connection] = None
        shelf = room.own.setdefault(connection.session, Shelf())
        try:
            await self.show(tournament_id)
            room.telling.join(connection, shelf)
            async with asyncio.TaskGroup() as tasks:
                answering = tasks.create_task(_answer_all(connection, lane))
                try:
                    await connection.read()
                finally:
                    room.telling.part(connection)
                await answering
        finally:
            await self._leave(room, connection, tournament_id)

    async def _leave(self, room: _Room, connection: Connection, tournament_id: str) -> None:
        """Forget who has gone, and the room after the last one."""
        del room.visitors[connection]
        if all(one.session != connection.session for one in room.visitors):
            room.own.pop(connection.session, None)
        if not room.visitors and self._rooms.get(tournament_id) is room:
            del self._rooms[tournament_id]
            await room.telling.stop()


async def _answer_all(connection: Connection, lane: Lane) -> None:
    """Answer signs of life; nothing else is said here."""
    while (arrived := await connection.next()) is not None:
        async with lane:
            if arrived[0] == BEAT:
                connection.send(BEAT)
            else:
                error = MessageError("nothing is said here but signs of life", code="message/bad-type")
                connection.send_json({"type": "error", **error_json(error)})
