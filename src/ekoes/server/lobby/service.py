"""A line to the lobby: who comes, what they ask for, and that they look for nobody once they have gone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import datetime

from ekoes.errors import EkoesError
from ekoes.games.contract import Json
from ekoes.match.rating import Rating
from ekoes.match.state import Table
from ekoes.server.bounds import weight_of
from ekoes.server.clock import Clock
from ekoes.server.connection import BEAT, TOO_MANY, Connection, Line
from ekoes.server.door import Door
from ekoes.server.hub import Hub
from ekoes.server.limits import Lane, Lanes
from ekoes.server.lobby.lobby import Lobby
from ekoes.server.lobby.messages import Hello, LobbyMessage, Seek, Unseek, parse_lobby_message
from ekoes.server.lobby.pairing import Pairing
from ekoes.server.lobby.seekers import Seeker, Wish, wish_of
from ekoes.server.messages import MessageError, error_json, key_of
from ekoes.server.programs.challenges import Challenges
from ekoes.storage.store import Store

__all__ = ["Meeting"]

_MOST_OWN = 50
"""Tables of one's own that the lobby tells of, the newest."""


class Meeting:
    """The lobby of a server and its pairing, with the lines that lead there."""

    def __init__(self, hub: Hub, store: Store, clock: Clock, door: Door, challenges: Challenges) -> None:
        """Begin with nobody, and be told of all tables of a hub.

        door: tells who may play a rated game; challenges: of which those are told here whom they concern.
        """
        self._challenges = challenges
        self._hub = hub
        self._door = door
        self._store = store
        self._clock = clock
        self._lanes = Lanes(clock)
        self._lobby = Lobby(clock, store.programs.has)
        self._pairing = Pairing(clock, hub.create, self._lobby.seeking)
        hub.listeners.append(self._lobby.notice)
        self.tournament = self._lobby.tournament
        hub.metrics.watch(
            "people", "People who are here, with whatever they have open.", lambda: self._lobby.people
        )
        hub.metrics.watch("seekers", "People who look for a game.", lambda: self._pairing.number)
        self.elsewhere: Callable[[str], AbstractContextManager[object]] = lambda _holder: nullcontext()
        """Tells another process, which has the meeting, who is here."""

    async def stop(self) -> None:
        """Bring nobody together any more."""
        await self._pairing.stop()
        await self._lobby.stop()

    def here_alone(self, holder: str) -> AbstractContextManager[object]:
        """Count somebody as here, as far as this process tells of it."""
        return self._lobby.here(holder)

    @contextmanager
    def here(self, holder: str) -> Iterator[None]:
        """Count somebody as here for as long as something of theirs is open."""
        with self._lobby.here(holder), self.elsewhere(holder):
            yield

    async def at_table(self, holder: str, service: Awaitable[None]) -> None:
        """Count somebody as here for as long as a line to a table is served."""
        with self.here(holder):
            await service

    async def serve(self, line: Line, holder: str) -> None:
        """Serve a line to the lobby until it ends."""
        async with self._lanes.of(holder) as lane:
            if lane is None:
                line.end(TOO_MANY, "too many sockets")
                return
            with self._lobby.here(holder):
                await self._take_in(holder)
                connection = Connection(line, holder, self._clock.now)
                visit = Visit(connection, self._lobby, self._pairing, self._seeker)
                with self._challenges.heard(holder, connection.send_json):
                    await visit.last(lane)

    async def _take_in(self, holder: str) -> None:
        """Learn how somebody is called and where they play."""
        account, tables = await asyncio.to_thread(self._known_of, holder)
        if account is not None:
            self._lobby.name(holder, account, is_account=True)
        for table_id, since, table in tables:
            self._lobby.notice(table_id, *(self._hub.standing(table_id) or (table, table)), since)

    async def _seeker(self, connection: Connection, message: Seek) -> Seeker:
        """Return who looks for a game on a line. Raises EkoesError if they can't have it."""
        holder = connection.session
        wish = await asyncio.to_thread(wish_of, message.game, message.options)
        if wish.table.rated:
            name, address = (await self._door.account(holder)).name, self._door.address(holder)
        else:
            name, address = self._lobby.name_of(holder, message.name), None
        apart, rating = await asyncio.to_thread(self._how_to_pair, holder, wish)
        tell = connection.send_json
        now = self._clock.now()
        return Seeker(holder, name, wish, message.bots, tell, now, apart, rating, address)

    def _how_to_pair(self, holder: str, wish: Wish) -> tuple[frozenset[str], Rating | None]:
        """Return with whom somebody is not to be brought together, and their rating."""
        return self._store.ties.apart_from(holder), self._store.results.rating(holder, wish.pool)

    def _known_of(self, holder: str) -> tuple[str | None, Sequence[tuple[str, datetime, Table]]]:
        """Return the name of an account, None for a guest's, and the tables at which its holder plays."""
        account = self._store.people.account(holder)
        running = self._store.people.running(holder, _MOST_OWN)
        tables = [
            (table_id, since, kept.table)
            for table_id, since in running
            if (kept := self._store.load(table_id)) is not None
        ]
        return (None if account is None else account.name), tables


class Visit:
    """What one line asks of the lobby."""

    def __init__(
        self,
        connection: Connection,
        lobby: Lobby,
        pairing: Pairing,
        seeker: Callable[[Connection, Seek], Awaitable[Seeker]],
    ) -> None:
        """Begin, and be told what there is. seeker: makes one of what somebody asks."""
        self.connection = connection
        self._lobby = lobby
        self._pairing = pairing
        self._seeker_of = seeker
        self._seeker: Seeker | None = None
        self._has_ended = False
        lobby.join(connection)

    async def last(self, lane: Lane) -> None:
        """Read and answer at the same time until the line ends."""
        async with asyncio.TaskGroup() as tasks:
            answering = tasks.create_task(self.answer_all(lane))
            try:
                await self.connection.read()
            finally:
                self.end()
            await answering

    def end(self) -> None:
        """Look for nobody any more, and hear nothing."""
        self._has_ended = True
        self._unseek()
        self._lobby.part(self.connection)

    async def answer_all(self, lane: Lane) -> None:
        """Answer messages one after the other until there are no more."""
        while (arrived := await self.connection.next()) is not None:
            async with lane:
                lane.weigh(await self._hear(arrived[0]))

    async def _hear(self, text: str | None) -> int:
        """Answer what came. Returns: for how many messages it counts."""
        if text == BEAT:
            self.connection.send(BEAT)
        elif text is None:
            self._fail(MessageError("a message is text, not binary", code="message/bad-type"), None)
        else:
            return await self._answer(text)
        return 1

    async def _answer(self, text: str) -> int:
        kind = ""
        try:
            message = parse_lobby_message(text)
            kind = message.type
            await self._do(message)
        except EkoesError as error:
            self._fail(error, key_of(text))
        else:
            self.connection.send_json({"type": "ack", "key": message.key})
        return weight_of(kind, len(text))

    async def _do(self, message: LobbyMessage) -> None:
        match message:
            case Hello(name=name):
                self._lobby.name(self.connection.session, name, is_account=False)
            case Seek():
                await self._seek(message)
            case Unseek():
                self._unseek()

    async def _seek(self, message: Seek) -> None:
        """Look for others; whoever looked for something before looks for this instead."""
        seeker = await self._seeker_of(self.connection, message)
        self._unseek()
        if self._has_ended:
            return
        self._pairing.seek(seeker)
        self._seeker = seeker

    def _unseek(self) -> None:
        if self._seeker is not None:
            self._pairing.leave(self._seeker)
            self._seeker = None

    def _fail(self, error: EkoesError, key: str | None) -> None:
        named: Json = {} if key is None else {"key": key}
        self.connection.send_json({"type": "error", **named, **error_json(error)})
