"""A table in play: the kept table, who looks on, and the one lock that all its orders pass."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import Protocol

from ekoes.errors import EkoesError, StorageError, TableError
from ekoes.games.contract import Json
from ekoes.match.kinds import TableKind, kind_of
from ekoes.match.orders import AnyOrder
from ekoes.match.seats import session_seats
from ekoes.match.state import Table, seats_of
from ekoes.match.submit import submit
from ekoes.server.clock import Clock
from ekoes.server.messages import encode
from ekoes.storage.store import Kept, Store

__all__ = ["LiveTable", "Viewer"]

_REFUSALS_KEPT = 256


class Viewer(Protocol):
    """A connection to a table."""

    session: str

    def send(self, text: str) -> None:
        """Send a message without waiting; messages arrive in this order."""


class LiveTable:
    """A table in play. ``lock`` must be held to change it; reading needs no lock."""

    def __init__(self, table_id: str, store: Store, clock: Clock) -> None:
        """Begin without the table; ``load`` fetches it."""
        self.id = table_id
        self.lock = asyncio.Lock()
        self.users = 0
        self.keeper: asyncio.Task[None] | None = None
        self.changed = asyncio.Event()
        self._store = store
        self._clock = clock
        self._kept: Kept | None = None
        self._early: list[str] = []
        self._viewers: set[Viewer] = set()
        self._refused: OrderedDict[tuple[str | None, str], EkoesError] = OrderedDict()

    @property
    def table(self) -> Table:
        """The table as it is kept. Raises TableError if there is none."""
        return self._loaded.table

    @property
    def kind(self) -> TableKind:
        """What this kind of table does."""
        return kind_of(self.table.game)

    @property
    def stirs(self) -> bool:
        """Whether there may be something to do here though nobody asks for it."""
        return self.kind.is_busy(self.table) or self.table.wants_rematch

    @property
    def _loaded(self) -> Kept:
        if self._kept is None:
            raise TableError("there is no such table", code="table/not-found")
        return self._kept

    # ------------------------------------------------------------ keeping

    async def load(self) -> None:
        """Fetch the table from the store if it isn't here yet, and let its clock begin anew.

        Raises: TableError if there is none.
        """
        async with self.lock:
            if self._kept is None:
                kept = await self._fetch()
                if kept is not None:
                    rested = self.kind.rested(kept.table, self._clock.now())
                    self._kept = replace(kept, table=rested)

    async def _fetch(self) -> Kept | None:
        """Fetch the table as it is kept, and the log up to there, as everybody may see it."""
        self._kept = kept = await asyncio.to_thread(self._store.load, self.id)
        self._early = await asyncio.to_thread(self._store.log, self.id)
        return kept

    async def take(self, order: AnyOrder, session: str | None, at: datetime) -> int:
        """Judge an order and keep it; the lock must be held. Returns: the version to acknowledge.

        What has been taken already is answered as it was. Raises: EkoesError; the same one again
        for the same key.
        """
        name = (session, order.key)
        before = self.table
        answered = await asyncio.to_thread(self._store.answer, self.id, *name)
        if answered is not None:
            return answered
        if name in self._refused:
            raise self._refused[name].with_traceback(None)
        try:
            after = submit(before, order, session, at)
        except EkoesError as error:
            self._refuse(name, error)
            raise
        try:
            self._kept = await asyncio.to_thread(
                self._store.append, self.id, self._loaded, order, session, at, after
            )
        except StorageError:
            await self._fetch()
            raise
        self.changed.set()
        return after.version

    def _refuse(self, name: tuple[str | None, str], error: EkoesError) -> None:
        """Remember a refusal, so that the same key is answered the same way."""
        self._refused[name] = error
        while len(self._refused) > _REFUSALS_KEPT:
            self._refused.popitem(last=False)

    # ------------------------------------------------------------ showing

    def join(self, viewer: Viewer) -> None:
        """Show the table to one more, and tell the others if that brings a seat online."""
        was_online = self._online
        self._viewers.add(viewer)
        self.show_table(viewer)
        self._tell_online(was_online, self._viewers - {viewer})

    def leave(self, viewer: Viewer) -> None:
        """Show the table to one less."""
        was_online = self._online
        self._viewers.discard(viewer)
        self._tell_online(was_online, self._viewers)

    def show_table(self, viewer: Viewer) -> None:
        """Send the whole table to one viewer."""
        viewer.send(self.table_text(viewer.session))

    def show_change(self, before: Table) -> None:
        """Send what has changed since an earlier table to every viewer."""
        table = self.table
        if table.version != before.version or _holders(table) != _holders(before):
            self._show_update(before)
        elif table.seats != before.seats:
            self._show_seats(self._viewers)
        elif table.pace != before.pace:
            _send_all(self._viewers, {"type": "pace", "milliseconds": table.pace})

    def table_text(self, session: str) -> str:
        """Return the ``table`` message for a session; the log goes into it as it is kept."""
        table = self.table
        late = map(encode, self.kind.entries_json(table, table.log_start))
        log = ",".join((*self._early[: table.log_start], *late))
        return f'{encode(self._table_json(session))[:-1]},"log":[{log}]}}'

    async def past_json(self, entries: int) -> Json:
        """Return the state after some entries of the log. Raises TableError."""
        table = then = self.table
        if entries <= table.log_start:
            then = await asyncio.to_thread(self._store.past, self.id, entries)
        return self.kind.past_state(table, entries, then)

    async def record(self) -> str:
        """Write the game as a record, where it may be seen by now."""
        return await asyncio.to_thread(self._store.record, self.id)

    def _table_json(self, session: str) -> Json:
        """Return the ``table`` message for a session, without the log."""
        table = self.table
        return {
            "type": "table",
            "id": self.id,
            "game": table.game,
            "version": table.version,
            "pace": table.pace,
            "seats": self._seats_json(session),
            "options": self.kind.options_json(table),
            "board": self.kind.board_json(table),
            "state": self._state_json(session, self.kind.shared_state(table, self._clock.now())),
        }

    def _state_json(self, session: str, shared: Json) -> Json:
        return shared | self.kind.own_state(self.table, session_seats(self.table.seats, session))

    @property
    def _online(self) -> frozenset[str]:
        return frozenset(viewer.session for viewer in self._viewers)

    def _seats_json(self, session: str) -> list[Json]:
        return seats_of(self.table, session, self._online)

    def _tell_online(self, was_online: frozenset[str], viewers: Iterable[Viewer]) -> None:
        """Tell viewers if a seat's holder came or went."""
        changed = self._online ^ was_online
        if any(seat.session in changed for seat in self.table.seats):
            self._show_seats(viewers)

    def _show_seats(self, viewers: Iterable[Viewer]) -> None:
        for session, alike in self._alike(viewers):
            _send_all(alike, {"type": "seats", "seats": self._seats_json(session)})

    def _show_update(self, before: Table) -> None:
        table = self.table
        keep = self.kind.kept_entries(table, before)
        shared = self.kind.shared_state(table, self._clock.now())
        entries = self.kind.entries_json(table, keep)
        for session, alike in self._alike(self._viewers):
            state = self._state_json(session, shared)
            update: Json = {"type": "update", "version": table.version}
            if table.seats != before.seats:
                update["seats"] = self._seats_json(session)
            _send_all(alike, update | {"state": state, "keep": keep, "entries": entries})

    def _alike(self, viewers: Iterable[Viewer]) -> Iterator[tuple[str, list[Viewer]]]:
        """Group viewers by the seats they hold: what one session of a group sees, all of them see."""
        groups: dict[frozenset[int], list[Viewer]] = {}
        for viewer in viewers:
            groups.setdefault(session_seats(self.table.seats, viewer.session), []).append(viewer)
        return ((alike[0].session, alike) for alike in groups.values())


def _send_all(viewers: Iterable[Viewer], message: Json) -> None:
    text = encode(message)
    for viewer in viewers:
        viewer.send(text)


def _holders(table: Table) -> list[str | None]:
    return [seat.session for seat in table.seats]
