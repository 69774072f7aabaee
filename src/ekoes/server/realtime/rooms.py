"""Rooms: the viewers of a club or a tournament, who see the same, and each user something of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator, Sequence

from ekoes.errors import EkoesError
from ekoes.games.api.contract import Json
from ekoes.server.ops.clock import Clock
from ekoes.server.ops.limits import Lane, Lanes
from ekoes.server.realtime.broadcast import DiffMap, Publisher
from ekoes.server.realtime.connection import ClientSocket, Connection, dismiss, keep_alive
from ekoes.server.runtime.viewers import error_json

_NOT_FOUND = 4404

Seen = tuple[dict[str, Json], dict[str, Json | None]]
"""What all see, by section, and what only some users see, by user; None: they may see nothing any more."""


class Room:
    """The viewers of one club or tournament. own: what only one user sees, by user."""

    def __init__(self, clock: Clock, word: str, sections: Sequence[str]) -> None:
        self.broadcast = Publisher(clock, word, sections)
        self.own: dict[str, DiffMap] = {}
        self.visitors: dict[Connection, ClientSocket] = {}
        self.lock = asyncio.Lock()


class Rooms:
    """The rooms of all clubs, or of all tournaments, that have viewers.

    word: the type of the first message. look: returns what some users see of one; it blocks. check: raises
    EkoesError if there is none of an id, or a user may not see it; it blocks too.
    """

    def __init__(
        self,
        clock: Clock,
        word: str,
        sections: Sequence[str],
        look: Callable[[str, Collection[str]], Seen],
        check: Callable[[str, str], object],
    ) -> None:
        self._clock = clock
        self._new: Callable[[], Room] = lambda: Room(clock, word, sections)
        self._look = look
        self._check = check
        self._lanes = Lanes(clock)
        self._rooms: dict[str, Room] = {}

    def __iter__(self) -> Iterator[str]:
        """Iterate over the ids of the rooms."""
        return iter(list(self._rooms))

    async def stop(self) -> None:
        """Stop all broadcasts."""
        for room in self._rooms.values():
            await room.broadcast.stop()

    def get(self, name: str) -> Room | None:
        """Return the room of an id, None if it has no viewers."""
        return self._rooms.get(name)

    async def show(self, name: str) -> None:
        """Send what has changed to the viewers; a lock keeps the updates in order."""
        room = self._rooms.get(name)
        if room is None:
            return
        async with room.lock:
            sections, alone = await asyncio.to_thread(self._look, name, list(room.own))
            for section, values in sections.items():
                room.broadcast.put_all(section, values)
            for user, own in room.own.items():
                facts = alone.get(user, own.now)  # a viewer who joined meanwhile is shown next
                for key in own.now.keys() | (facts or {}).keys():
                    room.broadcast.put_own(own, key, (facts or {}).get(key))
                if facts is None:
                    self._dismiss(room, user)

    def close(self, name: str) -> None:
        """Dismiss all viewers of a club or tournament that was deleted."""
        if (room := self._rooms.get(name)) is not None:
            for user in room.own:
                self._dismiss(room, user)

    def _dismiss(self, room: Room, user: str) -> None:
        for connection, socket in room.visitors.items():
            if connection.session == user:
                socket.end(_NOT_FOUND, "dismissed")

    async def serve(self, socket: ClientSocket, user: str, name: str) -> None:
        """Serve a connection to a room until it closes."""
        async with self._lanes.of(user) as lane:
            try:
                await asyncio.to_thread(self._check, name, user)
                await self._view(Connection(socket, user, self._clock.now), socket, lane, name)
            except EkoesError as error:  # also if it was deleted after the check
                dismiss(socket, error_json(error), _NOT_FOUND)

    async def _view(self, connection: Connection, socket: ClientSocket, lane: Lane, name: str) -> None:
        room = self._rooms.setdefault(name, self._new())
        room.visitors[connection] = socket
        own = room.own.setdefault(connection.session, DiffMap())
        try:
            await self.show(name)
            room.broadcast.join(connection, own)
            try:
                await keep_alive(connection, lane)
            finally:
                room.broadcast.part(connection)
        finally:
            await self._leave(room, connection, name)

    async def _leave(self, room: Room, connection: Connection, name: str) -> None:
        """Remove a viewer, and the room with the last one."""
        del room.visitors[connection]
        if all(one.session != connection.session for one in room.visitors):
            room.own.pop(connection.session, None)
        if not room.visitors and self._rooms.get(name) is room:
            del self._rooms[name]
            await room.broadcast.stop()
