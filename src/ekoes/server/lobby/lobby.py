"""The lobby: what everybody who is here knows alike, and what is each one's own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count

from ekoes.games.contract import Json
from ekoes.match.state import Table
from ekoes.server.clock import Clock
from ekoes.server.lobby.entries import goes_on, own_entry, public_entry
from ekoes.server.lobby.seekers import Wish
from ekoes.server.lobby.shelf import Shelf
from ekoes.server.lobby.telling import Telling, Visitor
from ekoes.server.tasks import Errands

__all__ = ["Lobby"]

_GRACE = 10.0
"""Seconds for which somebody counts as here whose last line has ended: pages are loaded anew."""


@dataclass(slots=True)
class Person:
    """Somebody who is here: at tables, in the lobby, or a moment ago.

    number: by which others know them. counted: as what, where they are not told by name. own: what they
    alone are told.
    """

    number: str
    lines: int = 0
    name: str = ""
    is_account: bool = False
    is_program: bool = False
    counted: str | None = None
    visitors: set[Visitor] = field(default_factory=set)
    own: Shelf = field(default_factory=Shelf)


@dataclass(frozen=True, slots=True)
class _Known:
    """A table of which the lobby tells.

    shown: as those see it who have no seat there. since: when it was made, in milliseconds.
    """

    table: Table
    shown: Table
    since: int


class Lobby:
    """Tells visitors what there is, at once when they come, and from then on what has changed.

    A table is told of while somebody is here who has a seat there; one by link to its people alone.
    """

    def __init__(self, clock: Clock, is_program: Callable[[str], bool] = lambda _: False) -> None:
        """Begin with nobody. is_program: tells who is a bot of somebody's."""
        self._clock = clock
        self._is_program = is_program
        self._people: dict[str, Person] = {}
        self._numbers = count(1)
        self._tables: dict[str, _Known] = {}
        self._tables_of: dict[str, set[str]] = {}
        self._telling = Telling(clock)
        self._counts: Counter[str] = Counter()
        self._leaving = Errands("lobby: somebody leaves")

    @property
    def people(self) -> int:
        """How many are here."""
        return len(self._people)

    async def stop(self) -> None:
        """Tell nobody anything any more."""
        await self._leaving.end()
        await self._telling.stop()

    # ------------------------------------------------------------ who is here

    @contextmanager
    def here(self, holder: str) -> Iterator[Person]:
        """Count somebody as here for as long as a line is open."""
        person = self._people.get(holder)
        if person is None:
            is_program = self._is_program(holder)
            person = self._people[holder] = Person(str(next(self._numbers)), is_program=is_program)
        person.lines += 1
        self._show(person)
        try:
            yield person
        finally:
            person.lines -= 1
            self._show(person)
            if not person.lines:
                self._leaving.run(self._leave(holder, person))

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
        for table_id in self._tables_of.get(visitor.session, ()):
            self._show_own(visitor.session, person, table_id)
        self._show(person)
        self._telling.join(visitor, person.own)

    def part(self, visitor: Visitor) -> None:
        """Tell one visitor less."""
        person = self._people[visitor.session]
        person.visitors.discard(visitor)
        self._telling.part(visitor)
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
        told |= {"program": True} if person.is_program else {}
        self._telling.put("people", person.number, told if is_named else None)
        kind = "guests" if person.visitors else "playing" if person.lines else None
        self._count(person, None if is_named else kind)

    def _count(self, person: Person, kind: str | None) -> None:
        """Count somebody who is not told by name."""
        for which, change in ((person.counted, -1), (kind, 1)):
            if which is not None:
                self._counts[which] += change
                self._telling.put("counts", which, self._counts[which] or None)
        person.counted = kind

    # ------------------------------------------------------------ what there is

    def notice(
        self, table_id: str, table: Table, shown: Table | None = None, since: datetime | None = None
    ) -> None:
        """Take in how a table stands.

        shown: as those see it who have no seat there; None: as it is. since: when it was made; None: now,
        unless that is known.
        """
        known = self._tables.get(table_id)
        holders = _holders(table)
        former = set() if known is None else _holders(known.table)
        if known is None and not any(holder in self._people for holder in holders):
            return
        if since is None and known is not None:
            at = known.since
        else:
            at = int((since or self._clock.now()).timestamp() * 1000)
        self._tables[table_id] = _Known(table, shown or table, at)
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
        self._telling.put("seeking", wish.name, wish.about | {"waiting": number} if number else None)

    def tournament(self, tournament_id: str, entry: Json | None) -> None:
        """Tell how a tournament stands; None: it is over."""
        self._telling.put("tournaments", tournament_id, entry)

    def _show_own(self, holder: str, person: Person, table_id: str) -> None:
        """Show somebody how a table of their own stands."""
        if not person.visitors:
            return
        known = self._tables[table_id]
        is_own = table_id in self._tables_of.get(holder, ()) and goes_on(known.table)
        entry = own_entry(known.table, holder, known.since, self._is_program) if is_own else None
        self._telling.put_own(person.own, table_id, entry)

    def _show_table(self, table_id: str) -> None:
        """Show a public table while somebody is here who has a seat there; what is over is forgotten."""
        known = self._tables[table_id]
        is_attended = any(seat.session in self._people for seat in known.table.seats)
        is_told = is_attended and known.table.public and goes_on(known.shown)
        entry = public_entry(known.shown, known.since, self._is_program) if is_told else None
        self._telling.put("tables", table_id, entry)
        if not is_attended or not goes_on(known.shown):
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


def _holders(table: Table) -> set[str]:
    """Return whose table it is: who has a seat there, and for whom a bot keeps one."""
    kept = {lent.holder for lent in table.consent.lent}
    return kept | {seat.session for seat in table.seats if seat.session is not None}
