"""A table in play: the kept table, who looks on, and the one lock that all its orders pass."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Protocol

from ekoes.errors import EkoesError, StorageError, TableError
from ekoes.games.contract import Json
from ekoes.match.orders import Order, Sit, Stand
from ekoes.match.submit import submit
from ekoes.match.table import Table
from ekoes.match.views import entries_json, own_state, seats_json, seats_of, shared_state
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

    def __init__(self, table_id: str, store: Store) -> None:
        """Begin without the table; ``load`` fetches it."""
        self.id = table_id
        self.lock = asyncio.Lock()
        self.users = 0
        self.bots: asyncio.Task[None] | None = None
        self._store = store
        self._kept: Kept | None = None
        self._viewers: set[Viewer] = set()
        self._refused: OrderedDict[tuple[str | None, str], EkoesError] = OrderedDict()

    @property
    def table(self) -> Table:
        """The table as it is kept. Raises TableError if there is none."""
        return self._loaded.table

    @property
    def _loaded(self) -> Kept:
        if self._kept is None:
            raise TableError("there is no such table", code="table/not-found")
        return self._kept

    # ------------------------------------------------------------ keeping

    async def load(self) -> None:
        """Fetch the table from the store if it isn't here yet. Raises TableError if there is none."""
        async with self.lock:
            if self._kept is None:
                self._kept = await asyncio.to_thread(self._store.load, self.id)
        self._loaded  # noqa: B018 - raises if there is none

    async def take(self, order: Order, session: str | None, at: datetime) -> tuple[int, Table | None]:
        """Judge an order and keep it; the lock must be held.

        Returns: the version to acknowledge, and the table before it, None if the order had been
        taken already. Raises: EkoesError; the same one again for the same key.
        """
        name = (session, order.key)
        before = self.table
        if name in before.answers:
            return before.answers[name], None
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
            self._kept = await asyncio.to_thread(self._store.load, self.id)
            raise
        return after.version, before

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
        viewer.send(encode(self.table_json(viewer.session)))

    def show_change(self, before: Table, order: Order) -> None:
        """Send what an order changed to every viewer."""
        table = self.table
        if isinstance(order, (Sit, Stand)) or table.version != before.version:
            self._show_update(before)
        elif table.seats != before.seats:
            self._show_seats(self._viewers)
        elif table.pace != before.pace:
            _send_all(self._viewers, {"type": "pace", "milliseconds": table.pace})

    def table_json(self, session: str) -> Json:
        """Return the ``table`` message for a session."""
        table = self.table
        options = {**table.options, "seed": table.seed}
        if table.turn_limit is not None:
            options["turn_limit"] = table.turn_limit
        return {
            "type": "table",
            "id": self.id,
            "game": table.game,
            "version": table.version,
            "pace": table.pace,
            "seats": self._seats_json(session),
            "options": options,
            "board": table.lens.board(table.position),
            "state": shared_state(table) | own_state(table, seats_of(table, session)),
            "log": entries_json(table),
        }

    @property
    def _online(self) -> frozenset[str]:
        return frozenset(viewer.session for viewer in self._viewers)

    def _seats_json(self, session: str) -> list[Json]:
        return seats_json(self.table, session, self._online)

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
        keep = min(len(before.log), len(table.log))
        shared = shared_state(table)
        entries = entries_json(table, keep)
        for session, alike in self._alike(self._viewers):
            state = shared | own_state(table, seats_of(table, session))
            update: Json = {"type": "update", "version": table.version}
            if table.seats != before.seats:
                update["seats"] = self._seats_json(session)
            _send_all(alike, update | {"state": state, "keep": keep, "entries": entries})

    def _alike(self, viewers: Iterable[Viewer]) -> Iterator[tuple[str, list[Viewer]]]:
        """Group viewers by the seats they hold: what one session of a group sees, all of them see."""
        groups: dict[frozenset[int], list[Viewer]] = {}
        for viewer in viewers:
            groups.setdefault(seats_of(self.table, viewer.session), []).append(viewer)
        return ((alike[0].session, alike) for alike in groups.values())


def _send_all(viewers: Iterable[Viewer], message: Json) -> None:
    text = encode(message)
    for viewer in viewers:
        viewer.send(text)
