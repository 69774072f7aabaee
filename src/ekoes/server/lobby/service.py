"""A line to the lobby: who comes, what they ask for, and that they look for nobody once they have gone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from datetime import datetime

from ekoes.errors import EkoesError
from ekoes.games.contract import Json
from ekoes.match.state import Table
from ekoes.server.clock import Clock
from ekoes.server.connection import BEAT, TOO_MANY, Connection, Line
from ekoes.server.hub import Hub
from ekoes.server.limits import Lane, Lanes
from ekoes.server.lobby.lobby import Lobby
from ekoes.server.lobby.messages import Hello, LobbyMessage, Seek, Unseek, parse_lobby_message
from ekoes.server.lobby.pairing import Pairing, Seeker, wish_of
from ekoes.server.messages import MessageError, error_json, key_of
from ekoes.storage.store import Store
from ekoes.storage.ties import Ties

__all__ = ["Meeting"]

_MOST_OWN = 50
"""Tables of one's own that the lobby tells of, the newest."""


class Meeting:
    """The lobby of a server and its pairing, with the lines that lead there."""

    def __init__(self, hub: Hub, store: Store, clock: Clock) -> None:
        """Begin with nobody, and be told of all tables of a hub."""
        self._hub = hub
        self._store = store
        self._clock = clock
        self._lanes = Lanes(clock)
        self._lobby = Lobby(clock)
        self._pairing = Pairing(clock, hub.create, self._lobby.seeking)
        hub.told = self._lobby.notice

    async def stop(self) -> None:
        """Bring nobody together any more."""
        await self._pairing.stop()
        await self._lobby.stop()

    async def at_table(self, holder: str, service: Awaitable[None]) -> None:
        """Count somebody as here for as long as a line to a table is served."""
        with self._lobby.here(holder):
            await service

    async def serve(self, line: Line, holder: str) -> None:
        """Serve a line to the lobby until it ends."""
        async with self._lanes.of(holder) as lane:
            if lane is None:
                line.end(TOO_MANY, "too many sockets")
                return
            with self._lobby.here(holder):
                await self._take_in(holder)
                visit = Visit(
                    Connection(line, holder, self._clock.now), self._lobby, self._pairing, self._store.ties
                )
                async with asyncio.TaskGroup() as tasks:
                    answering = tasks.create_task(visit.answer_all(lane))
                    try:
                        await visit.connection.read()
                    finally:
                        visit.end()
                    await answering

    async def _take_in(self, holder: str) -> None:
        """Learn how somebody is called and where they play."""
        account, tables = await asyncio.to_thread(self._known_of, holder)
        if account is not None:
            self._lobby.name(holder, account, is_account=True)
        for table_id, since, table in tables:
            self._lobby.notice(table_id, self._hub.standing(table_id) or table, since)

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

    def __init__(self, connection: Connection, lobby: Lobby, pairing: Pairing, ties: Ties) -> None:
        """Begin, and be told what there is. ties: tell who is not brought together."""
        self.connection = connection
        self._lobby = lobby
        self._pairing = pairing
        self._ties = ties
        self._seeker: Seeker | None = None
        self._has_ended = False
        lobby.join(connection)

    def end(self) -> None:
        """Look for nobody any more, and hear nothing."""
        self._has_ended = True
        self._unseek()
        self._lobby.part(self.connection)

    async def answer_all(self, lane: Lane) -> None:
        """Answer messages one after the other until there are no more."""
        while (arrived := await self.connection.next()) is not None:
            async with lane:
                await self._hear(arrived[0])

    async def _hear(self, text: str | None) -> None:
        if text == BEAT:
            self.connection.send(BEAT)
        elif text is None:
            self._fail(MessageError("a message is text, not binary", code="message/bad-type"), None)
        else:
            await self._answer(text)

    async def _answer(self, text: str) -> None:
        try:
            message = parse_lobby_message(text)
            await self._do(message)
        except EkoesError as error:
            self._fail(error, key_of(text))
        else:
            self.connection.send_json({"type": "ack", "key": message.key})

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
        wish = await asyncio.to_thread(wish_of, message.game, message.options)
        apart = await asyncio.to_thread(self._ties.apart_from, self.connection.session)
        self._unseek()
        if self._has_ended:
            return
        holder = self.connection.session
        name = self._lobby.name_of(holder, message.name)
        seeker = Seeker(holder, name, wish, message.bots, self.connection.send_json, apart)
        self._pairing.seek(seeker)
        self._seeker = seeker

    def _unseek(self) -> None:
        if self._seeker is not None:
            self._pairing.leave(self._seeker)
            self._seeker = None

    def _fail(self, error: EkoesError, key: str | None) -> None:
        named: Json = {} if key is None else {"key": key}
        self.connection.send_json({"type": "error", **named, **error_json(error)})
