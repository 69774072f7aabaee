"""HTTP as uvicorn serves it, but not for ever: a request that does not come to its end is dropped."""

from __future__ import annotations

import socket
from asyncio import TimerHandle, Transport
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

__all__ = ["Requests"]

_LATE = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class Requests(HttpToolsProtocol):
    """One connection. Whoever opens it and says nothing, or half of something, holds it for a while alone.

    patience: seconds in which a request has to be here, with its body, from its first byte or from the
    moment when the connection was made.
    """

    patience: ClassVar[float] = 15.0

    def __init__(self, *arguments: Any, **more: Any) -> None:  # noqa: ANN401 - as uvicorn calls it
        """Serve a connection as uvicorn does."""
        super().__init__(*arguments, **more)
        self._late: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        _send_at_once(transport)
        self._wait()

    def on_message_begin(self) -> None:
        """Wait for the rest of a request."""
        super().on_message_begin()
        self._wait()

    def on_message_complete(self) -> None:
        """Wait no more: the request is here."""
        self._wait_no_more()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """Wait no more: from now on this is a web socket."""
        self._wait_no_more()
        super().handle_websocket_upgrade()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._wait_no_more()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._wait_no_more()
        self._late = self.loop.call_later(self.patience, self._drop)

    def _wait_no_more(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _drop(self) -> None:
        if not self.transport.is_closing():
            self.transport.write(_LATE)
            self.transport.close()


def _send_at_once(transport: Transport) -> None:
    """Let no answer wait until the one before it is acknowledged, which takes others 40 ms.

    asyncio's own loop, which serves where there is no uvloop, sees to that only where it has opened the
    listening socket itself.
    """
    line = transport.get_extra_info("socket")
    if line is not None and line.family in {socket.AF_INET, socket.AF_INET6}:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
