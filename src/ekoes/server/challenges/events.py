"""Streams of JSON lines over HTTP with keep-alives: a bot's challenges and tables."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

from ekoes.errors import AccountError
from ekoes.games.api.contract import Json
from ekoes.protocol.incoming import encode
from ekoes.server.ops.clock import Clock
from ekoes.server.ops.tasks import end
from ekoes.server.realtime.connection import BEAT
from ekoes.server.runtime.hub import Hub
from ekoes.storage.store import Store
from ekoes.tables.table import Table

NDJSON = "application/x-ndjson"
PULSE = 10.0
"""Seconds between two keep-alives."""
_MOST_UNSENT = 1 << 20
"""Characters that may wait for a slow reader."""


class Stream:
    """A streaming response: ``lines`` yields what was sent. session: the user who reads it."""

    def __init__(self, session: str) -> None:
        self.session = session
        self._unsent = 0
        self._texts: asyncio.Queue[str | None] = asyncio.Queue()

    def send(self, text: str) -> None:
        """Queue a line; a reader that is too slow loses the stream."""
        self._unsent += len(text)
        if self._unsent > _MOST_UNSENT:
            self.end()
        else:
            self._texts.put_nowait(text)

    def send_json(self, message: Json) -> None:
        """Queue a message."""
        self.send(encode(message))

    def end(self, _code: int = 0, _reason: str = "") -> None:
        """End the stream after what is queued."""
        self._texts.put_nowait(None)

    def leave(self) -> None:
        """End the stream: the server shuts down."""
        self.end()

    async def lines(self, clock: Clock) -> AsyncIterator[str]:
        """Yield the queued lines with keep-alives until the stream ends."""
        beating = asyncio.create_task(self._beat(clock), name="stream")
        try:
            while (text := await self._texts.get()) is not None:
                self._unsent -= len(text)
                yield f"{text}\n"
        finally:
            await end(beating)

    async def _beat(self, clock: Clock) -> None:
        while True:
            await clock.sleep(PULSE)
            self.send(BEAT)


MOST_STREAMS = 64
"""Streams of one user."""
_MOST_TABLES = 50
"""The newest running tables that a new stream receives."""


class Events:
    """Sends each user's streams an event when a game with their seat begins or ends."""

    def __init__(self, hub: Hub, store: Store) -> None:
        self._hub = hub
        self._store = store
        self._streams: defaultdict[str, set[Stream]] = defaultdict(set)
        self._open: set[Stream] = set()
        self._running: dict[Stream, set[str]] = {}
        hub.listeners.append(self._notice)

    def end(self) -> None:
        """End all streams: the server shuts down or loses its tables."""
        for stream in list(self._open):
            stream.end()

    @contextmanager
    def counted(self, stream: Stream) -> Iterator[None]:
        """Count a stream for as long as it is open. Raises AccountError if its user has too many."""
        own = sum(one.session == stream.session for one in self._open)
        if own >= MOST_STREAMS:
            message = f"At most {MOST_STREAMS} streams at a time"
            raise AccountError(message, code="account/too-many", wait=1)
        self._open.add(stream)
        try:
            yield
        finally:
            self._open.discard(stream)

    @contextmanager
    def heard(self, stream: Stream) -> Iterator[None]:
        """Send events to a stream for as long as it is open."""
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
        """Send a new stream the running games of its user."""
        for table_id, table in await asyncio.to_thread(self._known_of, stream.session):
            stands = self._hub.standing(table_id) or table
            self._send(stream, table_id, stands)

    def tell(self, holder: str, event: Json) -> None:
        """Send an event to all streams of a user."""
        for stream in self._streams.get(holder, ()):
            stream.send_json(event)

    def _known_of(self, holder: str) -> list[tuple[str, Table]]:
        running = self._store.people.running(holder, _MOST_TABLES)
        found = [(table_id, self._store.load(table_id)) for table_id, _ in running]
        return [(table_id, kept.table) for table_id, kept in found if kept is not None]

    def _notice(self, table_id: str, table: Table) -> None:
        for holder in {seat.session for seat in table.seats if seat.session in self._streams}:
            for stream in self._streams.get(holder or "", ()):
                self._send(stream, table_id, table)

    def _send(self, stream: Stream, table_id: str, table: Table) -> None:
        """Send that a game has begun or ended, once."""
        known = self._running[stream]
        goes_on = table.is_started and table.outcome is None and table.rematch is None
        if goes_on == (table_id in known):
            return
        (known.add if goes_on else known.discard)(table_id)
        seats = sorted(table.seats_of(stream.session))
        kind = "started" if goes_on else "over"
        stream.send_json({"type": kind, "table": table_id, "game": table.game, "seats": seats})
