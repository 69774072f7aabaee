"""Streaming responses: messages as lines, and sockets where a network lets no WebSocket through."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

from ekoes.games.api.contract import Json
from ekoes.protocol import encode
from ekoes.server.ops.clock import Clock
from ekoes.server.ops.tasks import end
from ekoes.server.realtime.connection import BEAT, Broadcast

PULSE = 10.0
"""Seconds between two keep-alives."""
_MOST_UNSENT = 1 << 20
"""Characters that may wait for a slow reader."""
SILENCE = 45.0
"""Seconds without a message after which a client is gone; it sends one at least every 20 seconds."""
_SILENT = 4408


class Stream:
    """A streaming response: ``lines`` yields what was sent. session: the user who reads it.

    lists_actions: of a table, it has the legal actions too.
    """

    def __init__(self, session: str, *, lists_actions: bool = False) -> None:
        self.session = session
        self.lists_actions = lists_actions
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


class EventSocket(Stream):
    """A socket over HTTP: server-sent events are its messages down, and ``take`` has those that come up.

    name: by which a client addresses it.
    """

    round_trip = 0.0

    def __init__(self, name: str) -> None:
        super().__init__("")
        self.name = name
        self._receive: Callable[[str | None], None] | None = None
        self._shut_down: Callable[[], None] = self.end
        self._may_take = asyncio.Event()
        self._has_ended = asyncio.Event()
        self._is_heard = True

    def send_text(self, text: str) -> None:
        """Send a message without waiting; a client that reads too slowly is disconnected."""
        if not self._has_ended.is_set():
            self.send(f"data: {text}\n")

    def send_shared(self, message: Broadcast) -> None:
        """Send a message that others receive too, without waiting."""
        self.send_text(message.text)

    def end(self, code: int = _SILENT, _reason: str = "") -> None:
        """Close it with a code, which is the last event."""
        if not self._has_ended.is_set():
            self._has_ended.set()
            self._texts.put_nowait(f"event: end\ndata: {code}\n")
            super().end()
            self._may_take.set()

    def leave(self) -> None:
        """Stop serving, as the server stops."""
        self._shut_down()

    def listen(self, receive: Callable[[str | None], None], shut_down: Callable[[], None]) -> None:
        """Call back with each message. shut_down: called when the server stops."""
        self._receive, self._shut_down = receive, shut_down
        self.resume()

    def pause(self) -> None:
        """Take no message for now."""
        self._may_take.clear()

    def resume(self) -> None:
        """Take messages again."""
        self._may_take.set()

    async def take(self, text: str) -> None:
        """Receive a message, which waits while there are too many."""
        self._is_heard = True
        await self._may_take.wait()
        if self._receive is not None:
            self._receive(text)

    async def ended(self) -> None:
        """Return when it is closed."""
        await self._has_ended.wait()

    async def _beat(self, clock: Clock) -> None:
        """Close it once its client is silent: nothing else shows that a network has dropped a stream."""
        while self._is_heard:
            self._is_heard = False
            await clock.sleep(SILENCE)
        self.end()
