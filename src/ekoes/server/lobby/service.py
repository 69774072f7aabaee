"""A WebSocket connection to the lobby: its messages, and clean-up when it closes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import datetime

from ekoes.errors import EkoesError
from ekoes.games.api.contract import Json
from ekoes.protocol.incoming import Hello, LobbyMessage, MessageError, Seek, Unseek, key_of
from ekoes.server.lobby.lobby import Lobby
from ekoes.server.lobby.pairing import Pairing, Seeker, Wish, parse_lobby_message, wish_of
from ekoes.server.ops.clock import Clock
from ekoes.server.ops.limits import Lane, Lanes, weight_of
from ekoes.server.realtime.connection import BEAT, TOO_MANY, Connection, Socket
from ekoes.server.runtime.hub import Hub
from ekoes.server.runtime.messages import error_json
from ekoes.server.runtime.seat_guard import SeatGuard
from ekoes.storage.store import Store
from ekoes.tables.ratings import Rating
from ekoes.tables.table import Table

_MOST_OWN = 50
"""The newest own tables that a visitor receives."""


Subscribe = Callable[[str, Callable[[Json], None]], AbstractContextManager[None]]
"""Sends a user's challenges to a function for as long as the context is open."""


class LobbyService:
    """Serves WebSocket connections to the lobby, and tracks who is online.

    challenges: subscribes a connection to the challenges of its user.
    """

    def __init__(self, hub: Hub, store: Store, clock: Clock, guard: SeatGuard, challenges: Subscribe) -> None:
        self._challenges = challenges
        self._hub = hub
        self._guard = guard
        self._store = store
        self._clock = clock
        self._lanes = Lanes(clock)
        self._lobby = Lobby(clock, store.programs.has)
        self._pairing = Pairing(clock, hub.create, self._lobby.seeking)
        hub.listeners.append(self._lobby.notice)
        self.tournament = self._lobby.tournament
        self._visits = 0
        hub.metrics.watch("people", "Users with an open socket.", lambda: self._lobby.people)
        hub.metrics.watch("seekers", "Users who seek a game.", lambda: self._pairing.number)
        self.elsewhere: Callable[[str], AbstractContextManager[object]] = lambda _holder: nullcontext()
        """Reports to the process that leads the lobby that a user is online here."""

    async def stop(self) -> None:
        """Stop pairing and broadcasts."""
        await self._pairing.stop()
        await self._lobby.stop()

    def here_alone(self, holder: str) -> AbstractContextManager[object]:
        """Count a user as online, in this process only."""
        return self._lobby.here(holder)

    @contextmanager
    def here(self, holder: str) -> Iterator[None]:
        """Count a user as online for as long as a connection is open."""
        with self._lobby.here(holder), self.elsewhere(holder):
            yield

    async def at_table(self, holder: str, service: Awaitable[None]) -> None:
        """Count a user as online for as long as a socket to a table is served."""
        with self.here(holder):
            await service

    async def serve(self, line: Socket, holder: str) -> None:
        """Serve a socket to the lobby until it closes."""
        async with self._lanes.of(holder) as lane:
            if lane is None:
                line.end(TOO_MANY, "too many sockets")
                return
            with self._lobby.here(holder), self._seeing_turns():
                await self._load_user(holder)
                connection = Connection(line, holder, self._clock.now)
                visit = Visit(connection, self._lobby, self._pairing, self._seeker)
                with self._challenges(holder, connection.send_json):
                    await visit.last(lane)

    @contextmanager
    def _seeing_turns(self) -> Iterator[None]:
        """Update the lobby at each turn, not only at other changes of tables, while it has visitors."""
        self._visits += 1
        if self._visits == 1:
            self._hub.turn_listeners.append(self._lobby.notice)
        try:
            yield
        finally:
            self._visits -= 1
            if not self._visits:
                self._hub.turn_listeners.remove(self._lobby.notice)

    async def _load_user(self, holder: str) -> None:
        account, tables = await asyncio.to_thread(self._known_of, holder)
        if account is not None:
            self._lobby.name(holder, account, is_account=True)
        for table_id, since, table in tables:
            self._lobby.notice(table_id, self._hub.standing(table_id) or table, since)

    async def _seeker(self, connection: Connection, message: Seek) -> Seeker:
        """Return the seeker of a message. Raises EkoesError if the wish is refused."""
        holder = connection.session
        wish = await asyncio.to_thread(wish_of, message.game, message.options)
        if wish.table.rated:
            name, address = (await self._guard.account(holder)).name, self._guard.address(holder)
        else:
            name, address = self._lobby.name_of(holder, message.name), None
        apart, rating = await asyncio.to_thread(self._how_to_pair, holder, wish)
        tell = connection.send_json
        now = self._clock.now()
        return Seeker(holder, name, wish, message.bots, tell, now, apart, rating, address)

    def _how_to_pair(self, holder: str, wish: Wish) -> tuple[frozenset[str], Rating | None]:
        """Return the users that a seeker must not be paired with, and the seeker's rating."""
        return self._store.relations.apart_from(holder), self._store.results.rating(holder, wish.pool)

    def _known_of(self, holder: str) -> tuple[str | None, Sequence[tuple[str, datetime, Table]]]:
        """Return the account name of a user, None for a guest, and their running tables."""
        account = self._store.people.account(holder)
        running = self._store.people.running(holder, _MOST_OWN)
        tables = [
            (table_id, since, kept.table)
            for table_id, since in running
            if (kept := self._store.load(table_id)) is not None
        ]
        return (None if account is None else account.name), tables


class Visit:
    """One connection to the lobby. seeker: makes a seeker of a message."""

    def __init__(
        self,
        connection: Connection,
        lobby: Lobby,
        pairing: Pairing,
        seeker: Callable[[Connection, Seek], Awaitable[Seeker]],
    ) -> None:
        self.connection = connection
        self._lobby = lobby
        self._pairing = pairing
        self._seeker_of = seeker
        self._seeker: Seeker | None = None
        self._has_ended = False
        lobby.join(connection)

    async def last(self, lane: Lane) -> None:
        """Read and answer concurrently until the connection closes."""
        async with asyncio.TaskGroup() as tasks:
            answering = tasks.create_task(self.answer_all(lane))
            try:
                await self.connection.read()
            finally:
                self.end()
            await answering

    def end(self) -> None:
        """Stop seeking, and leave the lobby."""
        self._has_ended = True
        self._unseek()
        self._lobby.part(self.connection)

    async def answer_all(self, lane: Lane) -> None:
        """Answer messages one by one until there are no more."""
        while (arrived := await self.connection.next()) is not None:
            async with lane:
                lane.weigh(await self._hear(arrived[0]))

    async def _hear(self, text: str | None) -> int:
        """Answer a message and return its weight."""
        if text == BEAT:
            self.connection.send(BEAT)
        elif text is None:
            self._fail(MessageError("A message is text, not binary", code="message/bad-type"), None)
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
        """Seek a game, replacing the current search."""
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
