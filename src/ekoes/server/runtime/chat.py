"""The chat of a table: sends each line to the readers who may see its room and have not hidden its author."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from ekoes.errors import TalkError
from ekoes.games.api.contract import Json
from ekoes.protocol.incoming import encode
from ekoes.server.runtime.commands import ServerContext
from ekoes.server.runtime.viewers import Viewer
from ekoes.storage.social import Line
from ekoes.tables.chat import Mute, Say, room_of, rooms_heard
from ekoes.tables.table import Table

_SHOWN = 200
"""Messages that a new reader receives."""


class Person(NamedTuple):
    """A user to whom another one refers by seat or message. line: None: by seat."""

    holder: str
    name: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class _Reader:
    """A reader and the users they hide, at this table or everywhere. silenced: until when, by a moderator."""

    muted: frozenset[str]
    blocked: frozenset[str]
    silenced: datetime | None

    def hides(self, holder: str) -> bool:
        return holder in self.muted or holder in self.blocked


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
        self._lines: deque[Line] | None = None
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

    async def history(self, holder: str) -> Json:
        """Return the chat as a user may see it. Raises TalkError where chat is off."""
        self._check_is_on()
        await self._load()
        return self._chat_json(holder, await self._reader(holder))

    def leave(self, viewer: Viewer) -> None:
        """Remove a reader."""
        self.readers.pop(viewer, None)
        self._rooms.pop(viewer, None)

    def update_rooms(self) -> None:
        """Send the chat again to readers whose rooms have changed with the table."""
        for viewer in self.readers:
            if self._rooms.get(viewer) != self._rooms_of(viewer.session):
                self._show(viewer)

    def forget(self, holder: str) -> None:
        """Remove the name of a deleted user from their lines."""
        if self._lines is None or all(line.holder != holder for line in self._lines):
            return
        fresh = (replace(line, name="") if line.holder == holder else line for line in self._lines)
        self._lines = deque(fresh, _SHOWN)
        for viewer in self.readers:
            self._show(viewer)

    # ------------------------------------------------------------ writing

    async def say(self, wish: Say, holder: str) -> None:
        """Store a line and send it to the readers. Raises TalkError if its author may not write."""
        self._check_is_on()
        await self._check_may_write(holder)
        await self._load()
        async with self._lock:
            line = await self._line(wish, holder)
            stored = await asyncio.to_thread(self._store.talk.say, self._id, wish.key, line)
            if stored is not None and self._lines is not None:
                self._lines.append(stored)
                self._publish(stored)

    async def mute(self, wish: Mute, viewer: Viewer) -> None:
        """Mute a user for a reader, or unmute, and send the reader the chat again. Raises TalkError."""
        self._check_is_on()
        at, holder = self._context.clock.now(), viewer.session
        if wish.seat is None and wish.line is None and not wish.muted:
            await asyncio.to_thread(self._store.talk.unmute, self._id, holder)
        else:
            other = (await self.person(holder, wish.seat, wish.line)).holder
            await asyncio.to_thread(self._store.talk.mute, self._id, holder, other, at, muted=wish.muted)
        await self.refresh(holder)

    async def refresh(self, holder: str) -> None:
        """Send the chat again to a user who has blocked or unblocked others."""
        settings = await self._reader(holder)
        for viewer in [viewer for viewer in self.readers if viewer.session == holder]:
            self.readers[viewer] = settings
            self._show(viewer)

    # ------------------------------------------------------------ users

    async def person(self, reader: str, seat: int | None, line: int | None) -> Person:
        """Return the user at a seat, or the author of a message that the reader may see.

        Raises: TalkError if there is none, or it is the reader.
        """
        await self._load()
        found = self._seated(seat) if line is None else self._speaker(reader, line)
        if found is None or found.holder == reader:
            raise TalkError(
                "there is no other user", code="talk/nobody", key="seat" if line is None else "line"
            )
        return found

    async def heard(self, reader: str, most: int, until: int | None = None) -> list[Json]:
        """Return the last messages that a reader may see, also of hidden users. until: the last of them."""
        await self._load()
        rooms = rooms_heard(self._table(), reader)
        visible = [
            line for line in self._lines or () if line.room in rooms and line.number <= (until or line.number)
        ]
        return _lines_json(visible[-most:], reader)

    def _seated(self, seat: int | None) -> Person | None:
        seats = self._table().seats
        if seat is None or seat >= len(seats) or (holder := seats[seat].session) is None:
            return None
        return Person(holder, seats[seat].name)

    def _speaker(self, reader: str, number: int) -> Person | None:
        rooms = rooms_heard(self._table(), reader)
        found = (line for line in self._lines or () if line.number == number and line.room in rooms)
        return next((Person(line.holder, line.name, number) for line in found), None)

    # ------------------------------------------------------------ internals

    async def _load(self) -> None:
        async with self._lock:
            if self._lines is None:
                lines = await asyncio.to_thread(self._store.talk.lines, self._id, _SHOWN)
                self._lines = deque(lines, _SHOWN)

    async def _reader(self, holder: str) -> _Reader:
        muted, blocked = await asyncio.to_thread(self._store.talk.hidden, self._id, holder)
        return _Reader(muted, blocked, await self._silence(holder))

    async def _silence(self, holder: str) -> datetime | None:
        rights = await asyncio.to_thread(self._store.moderation.rights, holder)
        return rights.silence(self._context.clock.now())

    def _check_is_on(self) -> None:
        if not self._table().chat:
            raise TalkError("chat is off at this table", code="talk/off")

    async def _check_may_write(self, holder: str) -> None:
        if (until := await self._silence(holder)) is not None:
            message = f"you may say nothing until {until:%Y-%m-%d %H:%M} UTC"
            raise TalkError(message, code="talk/silenced", until=until)
        await self._context.tempo.line(self._id, holder)

    async def _line(self, wish: Say, holder: str) -> Line:
        """Return the stored form of a message."""
        table = self._table()
        seat = min(table.seats_of(holder), default=None)
        name = table.seats[seat].name if seat is not None else await self._name(holder)
        room, at = room_of(table, holder), self._context.clock.now()
        return Line(0, room, holder, seat, name, wish.text, wish.phrase, at)

    async def _name(self, holder: str) -> str:
        account = await asyncio.to_thread(self._store.people.account, holder)
        return "" if account is None else account.name

    def _rooms_of(self, holder: str) -> object:
        """Return the room a user writes in, and those they read."""
        table = self._table()
        return room_of(table, holder), rooms_heard(table, holder)

    def _publish(self, line: Line) -> None:
        """Send a line to its readers; all but its author receive the same text."""
        table = self._table()
        texts = {own: encode({"type": "said", "line": _line_json(line, own=own)}) for own in (True, False)}
        for viewer, reader in self.readers.items():
            if line.room in rooms_heard(table, viewer.session) and not reader.hides(line.holder):
                viewer.send(texts[viewer.session == line.holder])

    def _show(self, viewer: Viewer) -> None:
        self._rooms[viewer] = self._rooms_of(viewer.session)
        viewer.send(encode(self._chat_json(viewer.session, self.readers[viewer])))

    def _chat_json(self, holder: str, reader: _Reader) -> Json:
        table = self._table()
        rooms = rooms_heard(table, holder)
        lines = [line for line in self._lines or () if line.room in rooms and not reader.hides(line.holder)]
        muted = [number for number, seat in enumerate(table.seats) if seat.session in reader.muted]
        return {
            "type": "chat",
            "room": room_of(table, holder),
            "lines": _lines_json(lines, holder),
            "muted": muted,
            "hides": len(reader.muted),
            "silenced": None if reader.silenced is None else reader.silenced.isoformat(),
        }


def _lines_json(lines: Iterable[Line], reader: str) -> list[Json]:
    return [_line_json(line, own=line.holder == reader) for line in lines]


def _line_json(line: Line, *, own: bool) -> Json:
    value: Json = {"n": line.number, "room": line.room, "seat": line.seat, "name": line.name, "yours": own}
    said = {"text": line.text} if line.phrase is None else {"phrase": line.phrase}
    return value | said | {"at": line.at.isoformat()}
