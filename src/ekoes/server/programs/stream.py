"""An answer that goes on: lines of JSON, as they come, and a sign of life now and then."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from ekoes.games.contract import Json
from ekoes.server.clock import Clock
from ekoes.server.connection import BEAT
from ekoes.server.messages import encode
from ekoes.server.tasks import end

__all__ = ["NDJSON", "PULSE", "Stream"]

NDJSON = "application/x-ndjson"
PULSE = 10.0
"""Seconds between two signs of life."""
_MOST_UNSENT = 1 << 20
"""Characters that wait for somebody who does not read them."""


class Stream:
    """A reader's end of such an answer, at a table or anywhere: what is sent comes out of ``lines``."""

    def __init__(self, session: str) -> None:
        """Begin with nothing to say. session: who reads."""
        self.session = session
        self._unsent = 0
        self._texts: asyncio.Queue[str | None] = asyncio.Queue()

    def send(self, text: str) -> None:
        """Send a line without waiting; who is too slow to read loses the stream, nobody else waits."""
        self._unsent += len(text)
        if self._unsent > _MOST_UNSENT:
            self.end()
        else:
            self._texts.put_nowait(text)

    def send_json(self, message: Json) -> None:
        """Send a message without waiting."""
        self.send(encode(message))

    def end(self, _code: int = 0, _reason: str = "") -> None:
        """Say no more."""
        self._texts.put_nowait(None)

    def leave(self) -> None:
        """Say no more: the server goes."""
        self.end()

    async def lines(self, clock: Clock) -> AsyncIterator[str]:
        """Tell what is sent, until it ends or nobody reads any more."""
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
