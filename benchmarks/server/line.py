"""A web socket as the load uses it: compiled, so that one core can keep a server busy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

__all__ = ["Line", "connect"]


class Line(WSListener):
    """One connection. hears: is given each text message."""

    def __init__(self, hears: Callable[[bytes], None]) -> None:
        """Begin unconnected."""
        super().__init__()
        self._hears = hears
        self._transport: Any = None
        self.received = 0
        self.messages = 0

    def on_ws_connected(self, transport: WSTransport) -> None:
        """Take the connection."""
        self._transport = transport

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Take a frame."""
        if frame.msg_type == WSMsgType.TEXT:
            message = frame.get_payload_as_bytes()
            self.received += len(message)
            self.messages += 1
            self._hears(message)
        elif frame.msg_type == WSMsgType.CLOSE:
            transport.disconnect()

    def send(self, message: bytes) -> None:
        """Send a text message."""
        self._transport.send(WSMsgType.TEXT, message)

    def close(self) -> None:
        """Hang up."""
        self._transport.disconnect()

    async def closed(self) -> None:
        """Hang up, and return when the line is down."""
        self.close()
        await self._transport.wait_disconnected()


async def connect(address: str, hears: Callable[[bytes], None], cookie: str = "") -> Line:
    """Open a line to an http:// address."""
    url = address.replace("http://", "ws://")
    headers = {"Cookie": cookie} if cookie else None
    line = Line(hears)
    await ws_connect(lambda: line, url, extra_headers=headers)
    return line
