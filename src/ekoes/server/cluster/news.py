"""What the one meeting of all processes hears of the tables and people of each.

Told are names alone: how a table stands is read from the store by who hears of it, as those see it who may.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from datetime import timedelta
from time import monotonic

from ekoes.errors import EkoesError
from ekoes.match.state import Table
from ekoes.server.clock import Clock
from ekoes.server.cluster.faces import Faces
from ekoes.server.cluster.member import Member
from ekoes.server.cluster.roll import Portion, portions
from ekoes.server.cluster.routes import MEETING
from ekoes.server.logs import log_of
from ekoes.server.tasks import Errands
from ekoes.storage.store import Store

__all__ = ["News"]

_LOG = log_of("ekoes.server")
_TABLES, _PEOPLE = "tables", "people"
_PAUSE = 0.2
"""Seconds in which what has changed is told together."""
_TURNS = 2.0
"""Seconds in which it is told together where it is somebody else's turn."""
_ANEW = 5.0
"""Seconds after which it is told again who is here: somebody else may have the meeting by now."""

Notice = Callable[[str, Table, Table], None]
Here = Callable[[str], AbstractContextManager[object]]


class News:
    """Tells the meeting what happens here, and takes in what happens elsewhere, if the meeting is here."""

    def __init__(
        self, member: Member, store: Store, clock: Clock, listeners: Iterable[Notice], here: Here
    ) -> None:
        """Begin with nothing to tell. listeners: are told of tables; here: counts somebody as here."""
        self._member = member
        self._store = store
        self._clock = clock
        self._listeners = tuple(listeners)
        self._here = here
        self._faces = Faces(monotonic)
        self._changed: set[str] = set()
        self._turned: set[str] = set()
        self._people: Counter[str] = Counter()
        self._elsewhere: dict[str, dict[str, ExitStack]] = {}
        self._awake = asyncio.Event()
        self._errands = Errands("news")
        member.listen(_TABLES, self._hear_tables)
        member.listen(_PEOPLE, self._hear_people)

    def listen(self, topic: str, hear: Callable[[list[str]], None]) -> None:
        """Have somebody hear what is told the meeting besides."""
        self._member.listen(topic, lambda text: hear(json.loads(text)))

    def tell(self, topic: str, *what: str) -> None:
        """Tell the meeting something besides."""
        self._errands.run(self._say(topic, what))

    def start(self) -> None:
        """Tell from now on."""
        self._errands.run(self._tell())
        self._errands.run(self._tell_turns())

    async def stop(self) -> None:
        """Tell and take in nothing any more."""
        await self._errands.end()
        for people in self._elsewhere.values():
            _forget(people, people.keys())

    def notice(self, table_id: str, table: Table, shown: Table) -> None:
        """Tell that a table has changed, if that can be seen from the meeting."""
        change = self._faces.change(table_id, table, shown, lambda seat: seat.session in self._people)
        if change == "face":
            self._changed.add(table_id)
            self._awake.set()
        elif change == "turn":
            self._turned.add(table_id)

    @contextmanager
    def here(self, holder: str) -> Iterator[None]:
        """Count somebody as here for as long as something of theirs is open."""
        self._people[holder] += 1
        self._awake.set()
        try:
            yield
        finally:
            self._people[holder] -= 1
            self._people += Counter()  # forgets who is not here
            self._awake.set()

    # ------------------------------------------------------------ telling

    async def _tell(self) -> None:
        told: frozenset[str] = frozenset()
        while True:
            try:
                async with asyncio.timeout(_ANEW):
                    await self._awake.wait()
            except TimeoutError:
                told = frozenset()
            await asyncio.sleep(_PAUSE)
            self._awake.clear()
            changed, self._changed = self._changed, set()
            people = frozenset(self._people)
            if people != told:
                for portion in portions(people):
                    await self._say(_PEOPLE, {"member": self._member.id, **portion.to_json()})
            if changed:
                await self._say(_TABLES, sorted(changed))
            told = people

    async def _tell_turns(self) -> None:
        """Tell now and then where it is somebody else's turn: it matters to those alone who look on there."""
        while True:
            await asyncio.sleep(_TURNS)
            turned, self._turned = self._turned, set()
            if turned:
                await self._say(_TABLES, sorted(turned))

    async def _say(self, topic: str, what: object) -> None:
        try:
            await self._member.tell(MEETING, topic, json.dumps(what))
        except EkoesError as error:
            _LOG.warning("the meeting can't be told", error=str(error))

    # ------------------------------------------------------------ taking in

    def _hear_tables(self, text: str) -> None:
        self._errands.run(self._take_in(json.loads(text)))

    async def _take_in(self, tables: list[str]) -> None:
        for table_id in tables:
            try:
                found = await asyncio.to_thread(self._look, table_id)
            except EkoesError as error:
                _LOG.warning("table can't be looked at", table=table_id, error=str(error))
                continue
            if found is not None:
                for tell in self._listeners:
                    tell(table_id, *found)

    def _look(self, table_id: str) -> tuple[Table, Table] | None:
        """Return a table as it stands, and as those see it who have no seat."""
        kept = self._store.load(table_id)
        if kept is None:
            return None
        delay = timedelta(seconds=kept.table.delay or 0)
        late = self._store.since(table_id, self._clock.now() - delay) if delay else ()
        return kept.table, late[0][1] if late else kept.table

    def _hear_people(self, text: str) -> None:
        told = json.loads(text)
        member, portion = str(told["member"]), Portion.from_json(told)
        if member not in self._elsewhere:
            self._elsewhere[member] = {}
            self._errands.run(self._until_gone(member))
        people = self._elsewhere[member]
        for holder in portion.names - people.keys():
            people[holder] = ExitStack()
            people[holder].enter_context(self._here(holder))
        _forget(people, portion.gone(people))

    async def _until_gone(self, member: str) -> None:
        await self._member.gone(member).wait()
        people = self._elsewhere.pop(member)
        _forget(people, people.keys())


def _forget(people: dict[str, ExitStack], gone: Iterable[str]) -> None:
    for holder in list(gone):
        people.pop(holder).close()
