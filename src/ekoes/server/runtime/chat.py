"""The chat of a table: sends each line to the readers who may see its room and have not hidden its author."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from ekoes.errors import TalkError
from ekoes.games.api.contract import Json
from ekoes.protocol import encode
from ekoes.server.runtime.commands import ServerContext
from ekoes.server.runtime.viewers import Viewer
from ekoes.storage.schema import LineRow
from ekoes.tables.chat import Mute, Say, room_of, rooms_heard
from ekoes.tables.table import Table

_SHOWN = 200
"""Messages that a new reader receives."""


class Person(NamedTuple):
    """A user to whom another one refers by seat or message. line: None: by seat."""

    user: str
    name: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class _Reader:
    """A reader and the users they hide, at this table or everywhere. silenced: until when, by a moderator."""

    muted: frozenset[str]
    blocked: frozenset[str]
    silenced: datetime | None

    def hides(self, user: str) -> bool:
        return user in self.muted or user in self.blocked


def check_speech(silenced: datetime | None) -> None:
    """Raise TalkError for a user whom a moderator has silenced. silenced: until when, or None."""
    if silenced is not None:
        message = f"you may say nothing until {silenced:%Y-%m-%d %H:%M} UTC"
        raise TalkError(message, code="talk/silenced", until=silenced)


class Chat:
    """The lines of one table and its readers."""

    def __init__(self, table_id: str, context: ServerContext, table: Callable[[], Table]) -> None:
        """Create it without readers; messages are loaded for the first one. table: returns the table."""
        self._id = table_id
        self._context = context
        self._store = context.store
        self._table = table
        self.readers: dict[Viewer, _Reader] = {}
        self._rooms: dict[Viewer, object] = {}
        self._lines: deque[LineRow] | None = None
        self._lock = asyncio.Lock()

    # ------------------------------------------------------------ readers

    async def listen(self, viewer: Viewer, *, on: bool) -> None:
        """Send a viewer the chat and its updates; ``on`` false: stop."""
        self._check_is_on()
        if not on:
            self.leave(viewer)
            return
        await self._load()
        self.readers[viewer] = await self._reader(viewer.session)
        self._show(viewer)

    async def history(self, user: str) -> Json:
        """Return the chat as a user may see it. Raises TalkError where chat is off."""
        self._check_is_on()
        await self._load()
        return self._chat_json(user, await self._reader(user))

    def leave(self, viewer: Viewer) -> None:
        """Remove a reader."""
        self.readers.pop(viewer, None)
        self._rooms.pop(viewer, None)

    def update_rooms(self) -> None:
        """Send the chat again to readers whose rooms have changed with the table."""
        for viewer in self.readers:
            if self._rooms.get(viewer) != self._rooms_of(viewer.session):
                self._show(viewer)

    def forget(self, user: str) -> None:
        """Remove the name of a deleted user from their lines."""
        if self._lines is None or all(line.user_id != user for line in self._lines):
            return
        for line in self._lines:
            if line.user_id == user:
                line.name = ""
        for viewer in self.readers:
            self._show(viewer)

    # ------------------------------------------------------------ writing

    async def say(self, message: Say, user: str) -> None:
        """Store a line and send it to the readers. Raises TalkError if its author may not write."""
        self._check_is_on()
        check_speech(await self._silence(user))
        await self._context.tempo.line(self._id, user, plays=bool(self._table().seats_of(user)))
        await self._load()
        async with self._lock:
            line = await self._line(message, user)
            is_new = await asyncio.to_thread(self._store.talk.say, line)
            if is_new and self._lines is not None:
                self._lines.append(line)
                self._publish(line)

    async def mute(self, message: Mute, viewer: Viewer) -> None:
        """Mute a user for a reader, or unmute, and send the reader the chat again. Raises TalkError."""
        self._check_is_on()
        at, user = self._context.clock.now(), viewer.session
        if message.seat is None and message.line is None and not message.muted:
            await asyncio.to_thread(self._store.talk.unmute, self._id, user)
        else:
            other = (await self.person(user, message.seat, message.line)).user
            await asyncio.to_thread(self._store.talk.mute, self._id, user, other, at, muted=message.muted)
        await self.refresh(user)

    async def refresh(self, user: str) -> None:
        """Send the chat again to a user who has blocked or unblocked others."""
        if not self._readers_of(user):
            return
        settings = await self._reader(user)
        for viewer in self._readers_of(user):
            self.readers[viewer] = settings
            self._show(viewer)

    def _readers_of(self, user: str) -> list[Viewer]:
        return [viewer for viewer in self.readers if viewer.session == user]

    # ------------------------------------------------------------ users

    async def person(self, reader: str, seat: int | None, line: int | None) -> Person:
        """Return the user at a seat, or the author of a message that the reader may see.

        Raises: TalkError if there is none, or it is the reader.
        """
        await self._load()
        found = self._seated(seat) if line is None else self._speaker(reader, line)
        if found is None or found.user == reader:
            raise TalkError(
                "there is no other user", code="talk/nobody", key="seat" if line is None else "line"
            )
        return found

    async def heard(self, reader: str, most: int, until: int | None) -> list[Json]:
        """Return the last messages that a reader may see, also of hidden users. until: the last of them."""
        await self._load()
        rooms = rooms_heard(self._table(), reader)
        visible = [
            line for line in self._lines or () if line.room in rooms and line.number <= (until or line.number)
        ]
        return self._lines_json(visible[-most:], reader)

    def _seated(self, seat: int | None) -> Person | None:
        seats = self._table().seats
        if seat is None or seat >= len(seats) or (user := seats[seat].session) is None:
            return None
        return Person(user, seats[seat].name)

    def _speaker(self, reader: str, number: int) -> Person | None:
        rooms = rooms_heard(self._table(), reader)
        found = (line for line in self._lines or () if line.number == number and line.room in rooms)
        return next((Person(line.user_id, line.name, number) for line in found), None)

    # ------------------------------------------------------------ internals

    async def _load(self) -> None:
        async with self._lock:
            if self._lines is None:
                self._lines = deque(await asyncio.to_thread(self._stored), _SHOWN)

    def _stored(self) -> list[LineRow]:
        lines = self._store.talk.lines(self._id, _SHOWN)
        self._store.people.learn(line.user_id for line in lines)
        return lines

    async def _reader(self, user: str) -> _Reader:
        muted, blocked = await asyncio.to_thread(self._store.talk.hidden, self._id, user)
        return _Reader(muted, blocked, await self._silence(user))

    async def _silence(self, user: str) -> datetime | None:
        rights = await asyncio.to_thread(self._store.moderation.rights, user)
        return rights.silence(self._context.clock.now())

    def _check_is_on(self) -> None:
        if not self._table().chat:
            raise TalkError("chat is off at this table", code="talk/off")

    async def _line(self, message: Say, user: str) -> LineRow:
        """Return the row of a message, without its number."""
        table = self._table()
        seat = min(table.seats_of(user), default=None)
        name = table.seats[seat].name if seat is not None else await self._name(user)
        room, at = room_of(table, user), self._context.clock.now()
        return LineRow(self._id, room, user, message.key, seat, name, message.text, message.phrase, at)

    async def _name(self, user: str) -> str:
        account = await asyncio.to_thread(self._store.people.account, user)
        return "" if account is None else account.name

    def _rooms_of(self, user: str) -> object:
        """Return the room a user writes in, and those they read."""
        table = self._table()
        return room_of(table, user), rooms_heard(table, user)

    def _publish(self, line: LineRow) -> None:
        """Send a line to its readers; all but its author receive the same text."""
        table = self._table()
        texts = {
            own: encode({"type": "said", "line": self._line_json(line, own=own)}) for own in (True, False)
        }
        for viewer, reader in self.readers.items():
            if line.room in rooms_heard(table, viewer.session) and not reader.hides(line.user_id):
                viewer.send(texts[viewer.session == line.user_id])

    def _show(self, viewer: Viewer) -> None:
        self._rooms[viewer] = self._rooms_of(viewer.session)
        viewer.send(encode(self._chat_json(viewer.session, self.readers[viewer])))

    def _chat_json(self, user: str, reader: _Reader) -> Json:
        table = self._table()
        rooms = rooms_heard(table, user)
        lines = [line for line in self._lines or () if line.room in rooms and not reader.hides(line.user_id)]
        muted = [number for number, seat in enumerate(table.seats) if seat.session in reader.muted]
        return {
            "type": "chat",
            "room": room_of(table, user),
            "lines": self._lines_json(lines, user),
            "muted": muted,
            "hides": len(reader.muted),
            "silenced": None if reader.silenced is None else reader.silenced.isoformat(),
        }

    def _lines_json(self, lines: Iterable[LineRow], reader: str) -> list[Json]:
        return [self._line_json(line, own=line.user_id == reader) for line in lines]

    def _line_json(self, line: LineRow, *, own: bool) -> Json:
        value: Json = {
            "n": line.number,
            "room": line.room,
            "seat": line.seat,
            "name": line.name,
            "yours": own,
        }
        said = {"text": line.text} if line.phrase is None else {"phrase": line.phrase}
        marks = self._context.seat_guard.marks(line.user_id, line.name)
        return value | marks | said | {"at": line.at.isoformat()}
