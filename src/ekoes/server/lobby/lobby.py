"""The lobby: its content, and the WebSocket connections to it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count

from ekoes.errors import EkoesError
from ekoes.games.api.contract import Json
from ekoes.games.api.reading import unix_milliseconds
from ekoes.protocol import Hello, LobbyMessage, Seek, Unseek, key_of, read_message
from ekoes.server.lobby.pairing import MESSAGES, Pairing, Seeker, Sought, sought_of
from ekoes.server.ops.clock import Clock
from ekoes.server.ops.limits import Lane, Lanes, weight_of
from ekoes.server.ops.tasks import Errands
from ekoes.server.realtime.broadcast import DiffMap, Publisher, Subscribe, Visitor
from ekoes.server.realtime.connection import ClientSocket, Connection, answer_all
from ekoes.server.runtime.hub import Hub
from ekoes.server.runtime.permissions import ALL, Scopes, SeatGuard, check_no_token
from ekoes.server.runtime.viewers import Marks, looks_different, own_entry, public_entry
from ekoes.storage.store import Store
from ekoes.tables.table import Table

_GRACE = 10.0
"""Seconds a user stays online after their last socket has closed: pages are reloaded."""


@dataclass(slots=True)
class OnlineUser:
    """A user who is online: at tables, in the lobby, or a moment ago.

    number: a public id. streams: of a bot account, those on which it takes challenges. counted: the anonymous
    group that includes them, None if they are listed by name. own: entries that only they see.
    """

    user: str
    number: str
    sockets: int = 0
    streams: int = 0
    name: str = ""
    is_account: bool = False
    counted: str | None = None
    visitors: set[Visitor] = field(default_factory=set)
    own: DiffMap = field(default_factory=DiffMap)


@dataclass(frozen=True, slots=True)
class _Known:
    """A table in the lobby. since: when it was created, in milliseconds."""

    table: Table
    since: int


class Lobby:
    """Sends visitors the content of the lobby, and then each change.

    A table is listed while one of its players is online; a private one only to its players.
    """

    def __init__(self, clock: Clock, marks: Marks = lambda _user, _name: {}) -> None:
        self._clock = clock
        self._marks = marks
        self._people: dict[str, OnlineUser] = {}
        self._numbers = count(1)
        self._tables: dict[str, _Known] = {}
        self._tables_of: dict[str, set[str]] = {}
        self._broadcast = Publisher(clock)
        self._counts: Counter[str] = Counter()
        self._leaving = Errands("lobby: a user leaves")

    @property
    def people(self) -> int:
        """The number of users online."""
        return len(self._people)

    async def stop(self) -> None:
        """Stop all broadcasts."""
        await self._leaving.end()
        await self._broadcast.stop()

    def is_here(self, user: str) -> bool:
        """Return whether a user is online: in the lobby, or at a table of any process."""
        person = self._people.get(user)
        return person is not None and person.sockets > 0

    @contextmanager
    def here(self, user: str) -> Iterator[OnlineUser]:
        """Count a user as online, in this process only, for as long as a socket is open."""
        person = self._people.get(user)
        if person is None:
            person = self._people[user] = OnlineUser(user, str(next(self._numbers)))
        person.sockets += 1
        self._show(person)
        try:
            yield person
        finally:
            person.sockets -= 1
            self._show(person)
            if not person.sockets:
                self._leaving.run(self._leave(user, person))

    @contextmanager
    def listening(self, user: str, name: str) -> Iterator[None]:
        """List a bot account as one that takes challenges for as long as its event stream is open."""
        with self.here(user) as person:
            person.name, person.is_account = name, True
            person.streams += 1
            self._show(person)
            try:
                yield
            finally:
                person.streams -= 1

    @property
    def bots(self) -> list[str]:
        """The bot accounts that take challenges."""
        return [person.user for person in self._people.values() if person.streams]

    async def _leave(self, user: str, person: OnlineUser) -> None:
        """Remove a user who has not reconnected within the grace period."""
        await self._clock.sleep(_GRACE)
        if person.sockets or self._people.get(user) is not person:
            return
        del self._people[user]
        for table_id in list(self._tables_of.get(user, ())):
            self._show_table(table_id)

    def join(self, visitor: Visitor) -> None:
        """Add a visitor."""
        person = self._people[visitor.session]
        if not person.visitors:
            person.own = DiffMap()
        person.visitors.add(visitor)
        for table_id in self._tables_of.get(visitor.session, ()):
            self._show_own(visitor.session, person, table_id)
        self._show(person)
        self._broadcast.join(visitor, person.own)

    def part(self, visitor: Visitor) -> None:
        """Remove a visitor."""
        person = self._people[visitor.session]
        person.visitors.discard(visitor)
        self._broadcast.part(visitor)
        self._show(person)

    def name(self, user: str, name: str, *, is_account: bool) -> None:
        """Set the name of a user; that of an account can't be replaced by a guest name."""
        person = self._people[user]
        if is_account or not person.is_account:
            person.name, person.is_account = name, is_account
        self._show(person)

    def name_of(self, user: str, preferred: str | None) -> str:
        """Return the name of a user at a table. preferred: the name that a guest prefers."""
        person = self._people[user]
        return person.name if person.is_account else preferred or person.name

    def _show(self, person: OnlineUser) -> None:
        is_named = bool((person.visitors or person.streams) and person.name)
        entry = {"name": person.name} | ({"account": True} if person.is_account else {})
        entry |= self._marks(person.user, person.name) | ({"listens": True} if person.streams else {})
        self._broadcast.put("people", person.number, entry if is_named else None)
        kind = "guests" if person.visitors else "playing" if person.sockets else None
        self._count(person, None if is_named else kind)

    def _count(self, person: OnlineUser, kind: str | None) -> None:
        for which, change in ((person.counted, -1), (kind, 1)):
            if which is not None:
                self._counts[which] += change
                self._broadcast.put("counts", which, self._counts[which] or None)
        person.counted = kind

    def notice(self, table_id: str, table: Table, since: datetime | None = None) -> None:
        """Update a table. since: when it was created; None: now, unless it is known."""
        known = self._tables.get(table_id)
        if known is not None and not looks_different(known.table, table):
            self._tables[table_id] = _Known(table, known.since)
            for seat in table.seats:
                person = self._people.get(seat.session) if seat.session is not None else None
                if person is not None and person.visitors:
                    self._show_own(str(seat.session), person, table_id)
            return
        users = _users(table)
        former = set() if known is None else _users(known.table)
        if known is None and not any(user in self._people for user in users):
            return
        if since is None and known is not None:
            at = known.since
        else:
            at = unix_milliseconds(since or self._clock.now())
        self._tables[table_id] = _Known(table, at)
        for user in users - former:
            self._tables_of.setdefault(user, set()).add(table_id)
        for user in former - users:
            self._forget_seat(user, table_id)
        for user in former | users:
            if (person := self._people.get(user)) is not None:
                self._show_own(user, person, table_id)
        self._show_table(table_id)

    def tables_of(self, game: str) -> Iterator[tuple[str, Table]]:
        """Yield the tables of a game with their ids, the newest last."""
        return (
            (table_id, known.table) for table_id, known in self._tables.items() if known.table.game == game
        )

    def played_by(self, user: str) -> tuple[str, str] | None:
        """Return the newest public table at which a user plays, and its game; None: there is none."""
        theirs = (
            one
            for one in self._tables_of.get(user, ())
            if (table := self._tables[one].table).public and table.is_in_play
        )
        newest = max(theirs, key=lambda table_id: self._tables[table_id].since, default=None)
        return None if newest is None else (newest, self._tables[newest].table.game)

    def seeking(self, sought: Sought, number: int) -> None:
        """Update the number of users who seek a game."""
        self._broadcast.put("seeking", sought.name, sought.about | {"waiting": number} if number else None)

    def tournament(self, tournament_id: str, entry: Json | None) -> None:
        """Update a tournament; None: it is over."""
        self._broadcast.put("tournaments", tournament_id, entry)

    def _show_own(self, user: str, person: OnlineUser, table_id: str) -> None:
        if not person.visitors:
            return
        known = self._tables[table_id]
        is_own = table_id in self._tables_of.get(user, ()) and known.table.goes_on
        entry = own_entry(known.table, user, known.since, self._marks) if is_own else None
        self._broadcast.put_own(person.own, table_id, entry)

    def _show_table(self, table_id: str) -> None:
        """Update the public entry of a table, and drop tables that are over or have no player online."""
        known = self._tables[table_id]
        is_attended = any(seat.session in self._people for seat in known.table.seats)
        is_listed = is_attended and known.table.public and known.table.goes_on
        entry = public_entry(known.table, known.since, self._marks) if is_listed else None
        self._broadcast.put("tables", table_id, entry)
        if not is_attended or not known.table.goes_on:
            del self._tables[table_id]
            for user in _users(known.table):
                self._forget_seat(user, table_id)

    def _forget_seat(self, user: str, table_id: str) -> None:
        tables = self._tables_of[user]
        tables.discard(table_id)
        if not tables:
            del self._tables_of[user]


def _users(table: Table) -> set[str]:
    """Return the users with a seat at a table, including those with a substitute."""
    absent = {one.user for one in table.agreements.substitutes}
    return absent | {seat.session for seat in table.seats if seat.session is not None}


_MOST_OWN = 50
"""The newest own tables that a visitor receives."""


class LobbyService:
    """Serves WebSocket connections to the lobby, and counts who is online by all connections.

    challenges: subscribes a connection to the challenges of its user.
    """

    def __init__(
        self, lobby: Lobby, hub: Hub, store: Store, clock: Clock, guard: SeatGuard, challenges: Subscribe
    ) -> None:
        self.lobby = lobby
        self._challenges = challenges
        self._hub = hub
        self.guard = guard
        self._store = store
        self._clock = clock
        self._lanes = Lanes(clock)
        self.pairing = Pairing(clock, hub.create, lobby.seeking)
        hub.listeners.append(lobby.notice)
        self._visits = 0
        hub.metrics.watch("people", "Users with an open socket.", lambda: lobby.people)
        hub.metrics.watch("seekers", "Users who seek a game.", lambda: self.pairing.number)
        self.elsewhere: Callable[[str], AbstractContextManager[object]] = lambda _user: nullcontext()
        """Reports to the process that leads the lobby that a user is online here."""

    async def stop(self) -> None:
        """Stop pairing and broadcasts."""
        await self.pairing.stop()
        await self.lobby.stop()

    @contextmanager
    def here(self, user: str) -> Iterator[None]:
        """Count a user as online for as long as a connection is open."""
        with self.lobby.here(user), self.elsewhere(user):
            yield

    @contextmanager
    def listening(self, user: str) -> Iterator[None]:
        """List a bot account as one that takes challenges; does nothing for other accounts."""
        name = self._store.people.name(user) if self._store.people.is_program(user) else None
        with nullcontext() if name is None else self.lobby.listening(user, name):
            yield

    async def serve(self, socket: ClientSocket, user: str, scopes: Scopes = ALL) -> None:
        """Serve a socket to the lobby until it closes. scopes: what its sender may do."""
        async with self._lanes.of(user) as lane:
            with self.lobby.here(user), self._seeing_turns():
                await self._load_user(user)
                visit = _Visit(self, Connection(socket, user, self._clock.now, scopes))
                with self._challenges(user, visit.connection.send_json):
                    await visit.last(lane)

    @contextmanager
    def _seeing_turns(self) -> Iterator[None]:
        """Update the lobby at each turn, not only at other changes of tables, while it has visitors."""
        self._visits += 1
        if self._visits == 1:
            self._hub.turn_listeners.append(self.lobby.notice)
        try:
            yield
        finally:
            self._visits -= 1
            if not self._visits:
                self._hub.turn_listeners.remove(self.lobby.notice)

    async def _load_user(self, user: str) -> None:
        account = await asyncio.to_thread(self._store.people.account, user)
        if account is not None:
            self.lobby.name(user, account.name, is_account=True)
        for table_id, since, table in await self._hub.running_of(user, _MOST_OWN):
            self.lobby.notice(table_id, table, since)

    async def seeker(self, connection: Connection, message: Seek) -> Seeker:
        """Return the seeker of a message. Raises EkoesError if the sought game is refused."""
        user = connection.session
        sought = await asyncio.to_thread(sought_of, message.game, message.options)
        if sought.table.rated:
            check_no_token(connection.scopes)
            name, address = (await self.guard.account(user)).name, self.guard.address(user)
            self.guard.check_address(user, ())
        else:
            name, address = self.lobby.name_of(user, message.name), None
            await self.guard.check_names(user, [name])
        apart = await asyncio.to_thread(self._store.relations.apart_from, user)
        rating = await asyncio.to_thread(self._store.results.rating, user, sought.pool)
        now = self._clock.now()
        receive, gives_part = connection.send_json, message.gives_part
        return Seeker(
            user, name, sought, message.bots, receive, now, apart, rating, address, gives_part=gives_part
        )


class _Visit:
    """One connection to the lobby."""

    def __init__(self, service: LobbyService, connection: Connection) -> None:
        self.connection = connection
        self._service = service
        self._seeker: Seeker | None = None
        self._has_ended = False
        service.lobby.join(connection)

    async def last(self, lane: Lane) -> None:
        """Read and answer concurrently until the connection closes."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(answer_all(self.connection, lane, self._answer))
            try:
                await self.connection.read()
            finally:
                self.end()

    def end(self) -> None:
        """Stop seeking, and leave the lobby."""
        self._has_ended = True
        self._unseek()
        self._service.lobby.part(self.connection)

    async def _answer(self, text: str, _at: datetime) -> int:
        kind = ""
        try:
            message = read_message(text, MESSAGES)
            kind = message.type
            await self._do(message)
        except EkoesError as error:
            self.connection.send_error(error, key_of(text))
        else:
            self.connection.send_json({"type": "ack", "key": message.key})
        return weight_of(kind, len(text))

    async def _do(self, message: LobbyMessage) -> None:
        match message:
            case Hello(name=name):
                session = self.connection.session
                await self._service.guard.check_names(session, [self._service.lobby.name_of(session, name)])
                self._service.lobby.name(session, name, is_account=False)
            case Seek():
                await self._seek(message)
            case Unseek():
                self._unseek()

    async def _seek(self, message: Seek) -> None:
        """Seek a game, replacing the current search."""
        seeker = await self._service.seeker(self.connection, message)
        self._unseek()
        if self._has_ended:
            return
        self._service.pairing.seek(seeker)
        self._seeker = seeker

    def _unseek(self) -> None:
        if self._seeker is not None:
            self._service.pairing.leave(self._seeker)
            self._seeker = None
