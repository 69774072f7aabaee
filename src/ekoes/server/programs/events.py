"""What a program hears of itself: challenges, and the tables at which it plays."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

from ekoes.errors import AccountError
from ekoes.games.contract import Json
from ekoes.match.seats import session_seats
from ekoes.match.state import Table
from ekoes.server.hub import Hub
from ekoes.server.programs.stream import Stream
from ekoes.storage.store import Store

__all__ = ["MOST_STREAMS", "Events"]

MOST_STREAMS = 64
"""Of one holder."""
_MOST_TABLES = 50
"""Tables that go on when a stream begins, the newest."""


class Events:
    """Tells each holder's streams what concerns them: a game has begun where they sit, or is over."""

    def __init__(self, hub: Hub, store: Store) -> None:
        """Begin with nobody, and be told of all tables of a hub."""
        self._hub = hub
        self._store = store
        self._streams: defaultdict[str, set[Stream]] = defaultdict(set)
        self._open: set[Stream] = set()
        self._running: dict[Stream, set[str]] = {}
        hub.listeners.append(self._notice)

    def end(self) -> None:
        """End all streams, of whatever kind: the server goes."""
        for stream in list(self._open):
            stream.end()

    @contextmanager
    def counted(self, stream: Stream) -> Iterator[None]:
        """Know a stream for as long as it is open. Raises AccountError if its reader has too many."""
        own = sum(one.session == stream.session for one in self._open)
        if own >= MOST_STREAMS:
            message = f"at most {MOST_STREAMS} streams at a time"
            raise AccountError(message, code="account/too-many", wait=1)
        self._open.add(stream)
        try:
            yield
        finally:
            self._open.discard(stream)

    @contextmanager
    def heard(self, stream: Stream) -> Iterator[None]:
        """Tell a stream what happens for as long as it is open."""
        self._streams[stream.session].add(stream)
        self._running[stream] = set()
        try:
            yield
        finally:
            self._streams[stream.session].discard(stream)
            del self._running[stream]
            if not self._streams[stream.session]:
                del self._streams[stream.session]

    async def tell_running(self, stream: Stream) -> None:
        """Tell a stream that begins of the games that go on."""
        for table_id, table in await asyncio.to_thread(self._known_of, stream.session):
            stands, _ = self._hub.standing(table_id) or (table, table)
            self._tell(stream, table_id, stands)

    def tell(self, holder: str, event: Json) -> None:
        """Tell somebody's streams something."""
        for stream in self._streams.get(holder, ()):
            stream.send_json(event)

    def _known_of(self, holder: str) -> list[tuple[str, Table]]:
        running = self._store.people.running(holder, _MOST_TABLES)
        found = [(table_id, self._store.load(table_id)) for table_id, _ in running]
        return [(table_id, kept.table) for table_id, kept in found if kept is not None]

    def _notice(self, table_id: str, table: Table, _shown: Table) -> None:
        for holder in {seat.session for seat in table.seats if seat.session in self._streams}:
            for stream in self._streams.get(holder or "", ()):
                self._tell(stream, table_id, table)

    def _tell(self, stream: Stream, table_id: str, table: Table) -> None:
        """Tell that a game has begun, or is over, once."""
        known = self._running[stream]
        goes_on = table.is_started and table.outcome is None and table.rematch is None
        if goes_on == (table_id in known):
            return
        (known.add if goes_on else known.discard)(table_id)
        seats = sorted(session_seats(table.seats, stream.session))
        kind = "started" if goes_on else "over"
        stream.send_json({"type": kind, "table": table_id, "game": table.game, "seats": seats})
