"""The lobby: what everybody who is here knows alike, and what is each one's own."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from typing import Protocol

from ekoes.games.contract import Json
from ekoes.match.state import Table
from ekoes.server.clock import Clock
from ekoes.server.lobby.entries import goes_on, own_entry, public_entry
from ekoes.server.lobby.pairing import Wish
from ekoes.server.lobby.shelf import Shelf
from ekoes.server.messages import encode
from ekoes.server.wire import Broadcast

__all__ = ["Lobby", "Visitor"]

_PAUSE = timedelta(milliseconds=400)
"""Between two tellings: what happens meanwhile is told together."""
_AT_ONCE = 64
"""Messages that are sent before others at this server have their turn."""
_GRACE = 10.0
"""Seconds for which somebody counts as here whose last line has ended: pages are loaded anew."""


class Visitor(Protocol):
    """A line to the lobby."""

    session: str

    def send_shared(self, message: Broadcast) -> None:
        """Send a message that others are sent too, without waiting."""


@dataclass(slots=True)
class Person:
    """Somebody who is here: at tables, in the lobby, or a moment ago.

    number: by which others know them. own: what they alone are told.
    """

    number: str
    lines: int = 0
    name: str = ""
    is_account: bool = False
    visitors: set[Visitor] = field(default_factory=set)
    own: Shelf = field(default_factory=Shelf)


@dataclass(frozen=True, slots=True)
class _Known:
    """A table of which the lobby tells. since: when it was made, in milliseconds."""

    table: Table
    since: int


class Lobby:
    """Tells visitors what there is, at once when they come, and from then on what has changed.

    A table is told of while somebody is here who has a seat there; one by link to its people alone.
    """

    def __init__(self, clock: Clock) -> None:
        """Begin with nobody."""
        self._clock = clock
        self._people: dict[str, Person] = {}
        self._numbers = count(1)
        self._tables: dict[str, _Known] = {}
        self._tables_of: dict[str, set[str]] = {}
        self._shelves = {name: Shelf() for name in ("tables", "people", "seeking", "counts")}
        self._counted: dict[str, str] = {}
        self._fresh: dict[Visitor, None] = {}
        self._changed: set[str] = set()
        self._has_news = False
        self._told_at: datetime | None = None
        self._telling: asyncio.Task[None] | None = None
        self._leaving: set[asyncio.Task[None]] = set()

    async def stop(self) -> None:
        """Tell nobody anything any more."""
        tasks = [*self._leaving, *([self._telling] if self._telling else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # ------------------------------------------------------------ who is here

    @contextmanager
    def here(self, holder: str) -> Iterator[Person]:
        """Count somebody as here for as long as a line is open."""
        person = self._people.get(holder)
        if person is None:
            person = self._people[holder] = Person(str(next(self._numbers)))
        person.lines += 1
        self._show(person)
        try:
            yield person
        finally:
            person.lines -= 1
            self._show(person)
            if not person.lines:
                leaving = asyncio.create_task(self._leave(holder, person), name="lobby: somebody leaves")
                self._leaving.add(leaving)
                leaving.add_done_callback(self._leaving.discard)

    async def _leave(self, holder: str, person: Person) -> None:
        """Forget somebody who does not come back for a while."""
        await self._clock.sleep(_GRACE)
        if person.lines or self._people.get(holder) is not person:
            return
        del self._people[holder]
        for table_id in list(self._tables_of.get(holder, ())):
            self._show_table(table_id)

    def join(self, visitor: Visitor) -> None:
        """Tell one more visitor what there is."""
        person = self._people[visitor.session]
        if not person.visitors:
            person.own = Shelf()
        person.visitors.add(visitor)
        self._fresh[visitor] = None
        for table_id in self._tables_of.get(visitor.session, ()):
            self._show_own(visitor.session, person, table_id)
        self._show(person)
        self._nudge()

    def part(self, visitor: Visitor) -> None:
        """Tell one visitor less."""
        person = self._people[visitor.session]
        person.visitors.discard(visitor)
        self._fresh.pop(visitor, None)
        self._show(person)

    def name(self, holder: str, name: str, *, is_account: bool) -> None:
        """Note how somebody is called; an account keeps its own name."""
        person = self._people[holder]
        if is_account or not person.is_account:
            person.name, person.is_account = name, is_account
        self._show(person)

    def name_of(self, holder: str, wished: str | None) -> str:
        """Return how somebody is called at a table; wished: what a guest would like."""
        person = self._people[holder]
        return person.name if person.is_account else wished or person.name

    def _show(self, person: Person) -> None:
        """Show somebody among the people here by name, or count them."""
        is_named = bool(person.visitors and person.name)
        told = {"name": person.name} | ({"account": True} if person.is_account else {})
        self._put("people", person.number, told if is_named else None)
        kind = "guests" if person.visitors else "playing" if person.lines else None
        self._count(person, None if is_named else kind)

    def _count(self, person: Person, kind: str | None) -> None:
        """Count somebody who is not told by name."""
        former = self._counted.get(person.number)
        if former == kind:
            return
        counts = self._shelves["counts"].now
        if former is not None:
            self._put("counts", former, counts[former] - 1 or None)
            del self._counted[person.number]
        if kind is not None:
            self._put("counts", kind, counts.get(kind, 0) + 1)
            self._counted[person.number] = kind

    # ------------------------------------------------------------ what there is

    def notice(self, table_id: str, table: Table, since: datetime | None = None) -> None:
        """Take in how a table stands. since: when it was made; None: now, unless that is known."""
        known = self._tables.get(table_id)
        holders = _holders(table)
        former = set() if known is None else _holders(known.table)
        if known is None and not any(holder in self._people for holder in holders):
            return
        if since is None and known is not None:
            at = known.since
        else:
            at = int((since or self._clock.now()).timestamp() * 1000)
        self._tables[table_id] = _Known(table, at)
        for holder in holders - former:
            self._tables_of.setdefault(holder, set()).add(table_id)
        for holder in former - holders:
            self._forget_seat(holder, table_id)
        for holder in former | holders:
            if (person := self._people.get(holder)) is not None:
                self._show_own(holder, person, table_id)
        self._show_table(table_id)

    def seeking(self, wish: Wish, number: int) -> None:
        """Tell how many look for a game of some kind."""
        self._put("seeking", wish.name, wish.about | {"waiting": number} if number else None)

    def _show_own(self, holder: str, person: Person, table_id: str) -> None:
        """Show somebody how a table of their own stands."""
        known = self._tables.get(table_id)
        if not person.visitors:
            return
        is_own = table_id in self._tables_of.get(holder, ()) and known is not None and goes_on(known.table)
        if person.own.put(
            table_id, own_entry(known.table, holder, known.since) if known and is_own else None
        ):
            self._changed.add(holder)
            self._nudge()

    def _show_table(self, table_id: str) -> None:
        """Show a public table while somebody is here who has a seat there; what is over is forgotten."""
        known = self._tables[table_id]
        is_attended = any(seat.session in self._people for seat in known.table.seats)
        is_told = is_attended and known.table.public and goes_on(known.table)
        self._put("tables", table_id, public_entry(known.table, known.since) if is_told else None)
        if not is_attended or not goes_on(known.table):
            self._forget(table_id, known)

    def _forget(self, table_id: str, known: _Known) -> None:
        del self._tables[table_id]
        for holder in _holders(known.table):
            self._forget_seat(holder, table_id)

    def _forget_seat(self, holder: str, table_id: str) -> None:
        tables = self._tables_of[holder]
        tables.discard(table_id)
        if not tables:
            del self._tables_of[holder]

    # ------------------------------------------------------------ telling

    def _put(self, shelf: str, name: str, value: Json | int | None) -> None:
        if self._shelves[shelf].put(name, value):
            self._nudge()

    def _nudge(self) -> None:
        """See to it that what has changed is told: soon, and no more often than now and then."""
        self._has_news = True
        if self._telling is None:
            self._telling = asyncio.create_task(self._tell_soon(), name="lobby")

    async def _tell_soon(self) -> None:
        if self._told_at is not None:
            await self._clock.sleep(max(0.0, (self._told_at + _PAUSE - self._clock.now()).total_seconds()))
        self._told_at, self._has_news = self._clock.now(), False
        for number, (visitor, message) in enumerate([*self._news(), *self._welcomes()], 1):
            visitor.send_shared(message)
            if number % _AT_ONCE == 0:
                await asyncio.sleep(0)
        self._telling = None
        if self._has_news:
            self._nudge()

    def _news(self) -> list[tuple[Visitor, Broadcast]]:
        """Return what has changed, for everybody who knows what there was."""
        change = {name: taken for name, shelf in self._shelves.items() if (taken := shelf.take())}
        news = _news(change) if change else None
        changed, self._changed = self._changed, set()
        told: list[tuple[Visitor, Broadcast]] = []
        for holder, person in self._people.items():
            own = person.own.take() if holder in changed else {}
            message = _news(change | {"own": own}) if own else news
            if message is not None:
                told += [(visitor, message) for visitor in person.visitors if visitor not in self._fresh]
        return told

    def _welcomes(self) -> list[tuple[Visitor, Broadcast]]:
        """Return what there is, for who has just come."""
        fresh, self._fresh = self._fresh, {}
        if not fresh:
            return []
        shared = encode({"type": "lobby"} | {name: shelf.now for name, shelf in self._shelves.items()})
        nothing = _welcome(shared, {})
        own = [(visitor, self._people[visitor.session].own.now) for visitor in fresh]
        return [(visitor, _welcome(shared, tables) if tables else nothing) for visitor, tables in own]


def _holders(table: Table) -> set[str]:
    return {seat.session for seat in table.seats if seat.session is not None}


def _news(change: Json) -> Broadcast:
    return Broadcast(encode({"type": "news", "change": change}))


def _welcome(shared: str, own: Json) -> Broadcast:
    """Return all there is; shared: what is for everybody, as JSON."""
    return Broadcast(f'{shared[:-1]},"own":{encode(own)}}}')
