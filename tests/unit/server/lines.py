"""Sockets whose other end is a test."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any, cast

from ekoes.server.realtime.connection import Broadcast, Socket

__all__ = ["ScriptedLine"]

Json = dict[str, Any]


class ScriptedLine:
    """A socket to which the test brings messages, one by one."""

    def __init__(self) -> None:
        """Begin with nothing said."""
        self.messages: list[Json] = []
        self.code: int | None = None
        self.round_trip = 0.0
        self._hear: Callable[[str | None], None] | None = None
        self.leave: Callable[[], None] = lambda: None
        self._early: list[str] = []
        self._is_over = asyncio.Event()

    @property
    def socket(self) -> Socket:
        """This, for the server."""
        return cast("Socket", self)

    def bring(self, **message: Any) -> None:
        """Say something to the server."""
        text = json.dumps(message)
        if self._hear is None:
            self._early.append(text)
        else:
            self._hear(text)

    def hang_up(self) -> None:
        """Close the browser's end."""
        self._is_over.set()

    def acknowledged(self) -> list[str]:
        """Return the keys that the server has acknowledged."""
        return [message["key"] for message in self.messages if message["type"] == "ack"]

    def listen(self, hear: Callable[[str | None], None], leave: Callable[[], None]) -> None:
        self._hear, self.leave = hear, leave
        for text in self._early:
            hear(text)

    def pause(self) -> None:
        """Nothing waits here."""

    def resume(self) -> None:
        """Nothing has waited here."""

    def send_text(self, text: str) -> None:
        self.messages.append(json.loads(text))

    def send_shared(self, message: Broadcast) -> None:
        self.send_text(message.text)

    def end(self, code: int, reason: str) -> None:
        self.code = code
        self._is_over.set()

    async def ended(self) -> None:
        await self._is_over.wait()
