"""What is said at a table: told to those who listen, as far as they may and want to hear it.

Who does not listen is told nothing. Each reader hears the rooms that are theirs at the moment, and nobody
whom they have muted here or blocked.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from ekoes.errors import TalkError
from ekoes.games.contract import Json
from ekoes.match.seats import session_seats
from ekoes.match.state import Table
from ekoes.match.talk import Mute, Say, room_of, rooms_heard
from ekoes.server.audience import Viewer
from ekoes.server.house import House
from ekoes.server.messages import encode
from ekoes.storage.talk import Line

__all__ = ["Chat", "Person"]

_SHOWN = 200
"""The last lines of a table, which whoever comes is shown."""


class Person(NamedTuple):
    """Somebody at a table, as somebody else there means them. line: the one that they are known by."""

    holder: str
    name: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class _Ear:
    """A reader. muted: whom they hide here; blocked: whom anywhere; silenced: until when they say nothing."""

    muted: frozenset[str]
    blocked: frozenset[str]
    silenced: datetime | None

    def hides(self, holder: str) -> bool:
        return holder in self.muted or holder in self.blocked


class Chat:
    """The lines of one table, and who hears them."""

    def __init__(self, table_id: str, house: House, table: Callable[[], Table]) -> None:
        """Begin with nobody who listens; lines are fetched when somebody does.

        table: returns who sits there now, and how far the game is for those who watch.
        """
        self._id = table_id
        self._house = house
        self._store = house.store
        self._table = table
        self._ears: dict[Viewer, _Ear] = {}
        self._places: dict[Viewer, object] = {}
        self._lines: deque[Line] | None = None
        self._lock = asyncio.Lock()

    # ------------------------------------------------------------ hearing

    async def listen(self, viewer: Viewer, *, on: bool) -> None:
        """Tell somebody what was said here, and from now on what is; on false: no more."""
        self._check_is_on()
        if not on:
            self.leave(viewer)
            return
        await self._load()
        self._ears[viewer] = await self._ear(viewer.session)
        self._show(viewer)

    async def told(self, holder: str) -> Json:
        """Return all that somebody may and wants to hear now. Raises TalkError where nobody talks."""
        self._check_is_on()
        await self._load()
        return self._heard(holder, await self._ear(holder))

    def leave(self, viewer: Viewer) -> None:
        """Tell somebody nothing any more."""
        self._ears.pop(viewer, None)
        self._places.pop(viewer, None)

    def follow(self) -> None:
        """Show all again to those for whom the course of the table opens or closes a room."""
        for viewer in self._ears:
            if self._places.get(viewer) != self._place(viewer.session):
                self._show(viewer)

    def forget(self, holder: str) -> None:
        """Show lines without the name of somebody who is gone."""
        if self._lines is None or all(line.holder != holder for line in self._lines):
            return
        fresh = (replace(line, name="") if line.holder == holder else line for line in self._lines)
        self._lines = deque(fresh, _SHOWN)
        for viewer in self._ears:
            self._show(viewer)

    # ------------------------------------------------------------ speaking

    async def say(self, wish: Say, holder: str) -> None:
        """Keep what somebody says, then tell it. Raises TalkError if they may not."""
        self._check_is_on()
        await self._check_is_heard(holder)
        await self._load()
        async with self._lock:
            line = await self._line(wish, holder)
            said = await asyncio.to_thread(self._store.talk.say, self._id, wish.key, line)
            if said is not None and self._lines is not None:
                self._lines.append(said)
                self._tell(said)

    async def mute(self, wish: Mute, viewer: Viewer) -> None:
        """Hide somebody from one who listens, or no more, and show them all again. Raises TalkError."""
        self._check_is_on()
        at, holder = self._house.clock.now(), viewer.session
        if wish.seat is None and wish.line is None and not wish.muted:
            await asyncio.to_thread(self._store.talk.unmute, self._id, holder)
        else:
            other = (await self.person(holder, wish.seat, wish.line)).holder
            await asyncio.to_thread(self._store.talk.mute, self._id, holder, other, at, muted=wish.muted)
        await self.refresh(holder)

    async def refresh(self, holder: str) -> None:
        """Show all again to somebody, who hears others than before."""
        ear = await self._ear(holder)
        for viewer in [viewer for viewer in self._ears if viewer.session == holder]:
            self._ears[viewer] = ear
            self._show(viewer)

    # ------------------------------------------------------------ who is who

    async def person(self, reader: str, seat: int | None, line: int | None) -> Person:
        """Return whom a reader means: who has a seat, or who said a line that they may hear.

        Raises: TalkError if that is nobody, or the reader.
        """
        await self._load()
        found = self._seated(seat) if line is None else self._speaker(reader, line)
        if found is None or found.holder == reader:
            raise TalkError(
                "there is nobody else", code="talk/nobody", key="seat" if line is None else "line"
            )
        return found

    async def heard(self, reader: str, most: int, until: int | None = None) -> list[Json]:
        """Return the last lines that a reader may hear, also of whom they hide. until: the last of them."""
        await self._load()
        rooms = rooms_heard(self._table(), reader)
        mine = [
            line for line in self._lines or () if line.room in rooms and line.number <= (until or line.number)
        ]
        return _lines_json(mine[-most:], reader)

    def _seated(self, seat: int | None) -> Person | None:
        seats = self._table().seats
        if seat is None or seat >= len(seats) or (holder := seats[seat].session) is None:
            return None
        return Person(holder, seats[seat].name)

    def _speaker(self, reader: str, number: int) -> Person | None:
        rooms = rooms_heard(self._table(), reader)
        found = (line for line in self._lines or () if line.number == number and line.room in rooms)
        return next((Person(line.holder, line.name, number) for line in found), None)

    # ------------------------------------------------------------ inside

    async def _load(self) -> None:
        async with self._lock:
            if self._lines is None:
                lines = await asyncio.to_thread(self._store.talk.lines, self._id, _SHOWN)
                self._lines = deque(lines, _SHOWN)

    async def _ear(self, holder: str) -> _Ear:
        muted, blocked = await asyncio.to_thread(self._store.talk.hidden, self._id, holder)
        return _Ear(muted, blocked, await self._silence(holder))

    async def _silence(self, holder: str) -> datetime | None:
        rights = await asyncio.to_thread(self._store.wardens.rights, holder)
        return rights.silence(self._house.clock.now())

    def _check_is_on(self) -> None:
        if not self._table().chat:
            raise TalkError("nobody talks at this table", code="talk/off")

    async def _check_is_heard(self, holder: str) -> None:
        if (until := await self._silence(holder)) is not None:
            message = f"you may say nothing until {until:%Y-%m-%d %H:%M} UTC"
            raise TalkError(message, code="talk/silenced", until=until)
        await self._house.tempo.line(self._id, holder)

    async def _line(self, wish: Say, holder: str) -> Line:
        """Return what somebody says, as it is said here and now."""
        table = self._table()
        seat = min(session_seats(table.seats, holder), default=None)
        name = table.seats[seat].name if seat is not None else await self._name(holder)
        room, at = room_of(table, holder), self._house.clock.now()
        return Line(0, room, holder, seat, name, wish.text, wish.phrase, at)

    async def _name(self, holder: str) -> str:
        account = await asyncio.to_thread(self._store.people.account, holder)
        return "" if account is None else account.name

    def _place(self, holder: str) -> object:
        """Return what decides whom somebody hears, and who hears them."""
        table = self._table()
        return room_of(table, holder), rooms_heard(table, holder)

    def _tell(self, line: Line) -> None:
        """Tell a line to those who may and want to hear it: to all but who said it the same text."""
        table = self._table()
        texts = {own: encode({"type": "said", "line": _line_json(line, own=own)}) for own in (True, False)}
        for viewer, ear in self._ears.items():
            if line.room in rooms_heard(table, viewer.session) and not ear.hides(line.holder):
                viewer.send(texts[viewer.session == line.holder])

    def _show(self, viewer: Viewer) -> None:
        self._places[viewer] = self._place(viewer.session)
        viewer.send(encode(self._heard(viewer.session, self._ears[viewer])))

    def _heard(self, holder: str, ear: _Ear) -> Json:
        """Return all that somebody may and wants to hear, where they are heard, and whom they hide."""
        table = self._table()
        rooms = rooms_heard(table, holder)
        lines = [line for line in self._lines or () if line.room in rooms and not ear.hides(line.holder)]
        muted = [number for number, seat in enumerate(table.seats) if seat.session in ear.muted]
        return {
            "type": "chat",
            "room": room_of(table, holder),
            "lines": _lines_json(lines, holder),
            "muted": muted,
            "hides": len(ear.muted),
            "silenced": None if ear.silenced is None else ear.silenced.isoformat(),
        }


def _lines_json(lines: Iterable[Line], reader: str) -> list[Json]:
    return [_line_json(line, own=line.holder == reader) for line in lines]


def _line_json(line: Line, *, own: bool) -> Json:
    value: Json = {"n": line.number, "room": line.room, "seat": line.seat, "name": line.name, "yours": own}
    said = {"text": line.text} if line.phrase is None else {"phrase": line.phrase}
    return value | said | {"at": line.at.isoformat()}
