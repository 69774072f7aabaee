"""uvicorn protocols for HTTP and WebSocket: slow requests are dropped, and writing never blocks."""

from __future__ import annotations

import asyncio
import socket
from asyncio import AbstractEventLoop, CancelledError, TimerHandle, Transport
from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus
from typing import Any, ClassVar, Generic, TypeVar

from fastapi import FastAPI
from starlette.types import Receive, Scope, Send
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.extensions import Extension
from websockets.extensions.permessage_deflate import PerMessageDeflate, ServerPerMessageDeflateFactory
from websockets.frames import Frame, Opcode

from ekoes.protocol.incoming import RESTARTS
from ekoes.server.ops.logs import log_of

T = TypeVar("T")


class Mailbox(Generic[T]):
    """An unbounded queue with one reader: smaller and quicker than asyncio's."""

    __slots__ = ("_reader", "items")

    def __init__(self) -> None:
        self.items: list[T] = []
        self._reader: asyncio.Future[None] | None = None

    def put_nowait(self, item: T) -> None:
        """Append an item."""
        self.items.append(item)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def get(self) -> T:
        """Return the first item, waiting for one if needed."""
        while not self.items:
            self._reader = asyncio.get_running_loop().create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        return self.items.pop(0)


_TIMEOUT = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class Requests(HttpToolsProtocol):
    """An HTTP connection that is closed if a request is too slow.

    patience: seconds for a whole request, from its first byte or from the start of the connection.
    """

    patience: ClassVar[float] = 15.0

    def __init__(self, *arguments: Any, **more: Any) -> None:  # noqa: ANN401 - as uvicorn calls it
        super().__init__(*arguments, **more)
        self._timer: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Start the timer of the first request."""
        super().connection_made(transport)
        _send_at_once(transport)
        self._start_timer()

    def on_message_begin(self) -> None:
        """Start the timer of a request."""
        super().on_message_begin()
        self._start_timer()

    def on_message_complete(self) -> None:
        """Stop the timer."""
        self._stop_timer()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """Stop the timer."""
        self._stop_timer()
        super().handle_websocket_upgrade()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer."""
        self._stop_timer()
        super().connection_lost(exc)

    def _start_timer(self) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(self.patience, self._drop)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _drop(self) -> None:
        if not self.transport.is_closing():
            self.transport.write(_TIMEOUT)
            self.transport.close()


def _send_at_once(transport: Transport) -> None:
    """Disable Nagle's algorithm, which delays answers by up to 40 ms.

    asyncio's own loop, used without uvloop, does so only for listening sockets that it has opened itself.
    """
    line = transport.get_extra_info("socket")
    if line is not None and line.family in {socket.AF_INET, socket.AF_INET6}:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


_LOG = log_of("ekoes.server")
LARGE = 4096
"""Bytes from which a message is compressed."""
_MOST_UNSENT = 1 << 20
"""Most bytes buffered for a slow client."""
_LARGEST = 1 << 20
"""Most bytes of a message; a longer one closes the connection."""
_TOO_SLOW = 1013
_NO_TEXT = 1007


_OFFER = ServerPerMessageDeflateFactory(server_no_context_takeover=True, client_no_context_takeover=True)
"""Each message is compressed on its own: no compression state is stored between them."""


def uvicorn_config(app: FastAPI, log_level: str = "warning", patience: int | None = None) -> Config:
    """Return uvicorn's configuration with these protocols, without its own logging.

    patience: seconds for open requests at shutdown; None: no limit.
    """
    return Config(
        app,
        log_level=log_level,
        log_config=None,
        access_log=False,
        http=Requests,
        ws=WebSockets,
        ws_max_size=_LARGEST,
        timeout_graceful_shutdown=patience,
    )


class Broadcast:
    """A message for many connections, serialised once for all with the same compression."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._data = text.encode()
        self._frames: dict[int | None, bytes] = {}

    def frame(self, extensions: Sequence[Extension]) -> bytes:
        """Return the frame for a connection with these extensions."""
        windows = [one.local_max_window_bits for one in extensions if isinstance(one, PerMessageDeflate)]
        window = windows[0] if windows else None
        if window not in self._frames:
            used = extensions if len(self._data) >= LARGE else ()
            self._frames[window] = Frame(Opcode.TEXT, self._data).serialize(mask=False, extensions=used)
        return self._frames[window]


class WebSockets(WebSocketsSansIOProtocol):
    """A WebSocket. The application finds it as ``state.line``; it is a ``connection.Socket``."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: AbstractEventLoop | None = None,
    ) -> None:
        """Offer compression, and run the application through ``_run``."""
        super().__init__(config, server_state, {**app_state, "line": self}, _loop)
        self.conn.available_extensions = [_OFFER]
        self.queue = Mailbox()  # type: ignore[assignment] # smaller, and one task reads it
        self.app = self._run
        self._service: Awaitable[None] | None = None
        self._receive_text: Callable[[str | None], None] | None = None
        self._shut_down: Callable[[], None] = lambda: self.end(RESTARTS, "restart")
        self._early: list[str | None] = []
        self._has_unwritten = False

    def serve(self, service: Awaitable[None]) -> None:
        """Run a coroutine after the application has returned, which frees its stack and the request."""
        self._service = service

    async def _run(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application for the request, then the coroutine that it passed to ``serve``."""
        try:
            await self._answer_and_serve(scope, receive, send)
        except CancelledError:  # the shutdown timed out, for instance on the store; clients reconnect
            _LOG.warning("connection cut off at shutdown")
            self._turn_away()
            self.handshake_complete = True

    async def _answer_and_serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.config.loaded_app(scope, receive, send)
        # A refused handshake has been answered; uvicorn would log the opposite.
        self.handshake_complete |= self.initial_response is not None
        # An idle socket takes 10.4 KB; with uvicorn's fields of the request and response as they are 17.8 KB,
        # with the scope too 21.6 KB (500 sockets, RSS). So they are emptied although the class is private;
        # `websockets` keeps the request itself alive, hence its headers.
        scope.clear()
        self.request.headers.clear()
        self.request = self.response = None  # type: ignore[assignment]
        service, self._service = self._service, None
        if service is not None:
            await service

    @property
    def round_trip(self) -> float:
        """Seconds of the last ping and pong; 0: not measured yet."""
        return self.last_ping_rtt

    def start_keepalive(self) -> None:
        """Ping at once, which measures the latency, and then at intervals."""
        if self.ping_interval:
            self.send_keepalive_ping()

    def listen(
        self, receive: Callable[[str | None], None], shut_down: Callable[[], None] | None = None
    ) -> None:
        """Call back with each message as soon as it is read; None: it is binary.

        shut_down: called when the server stops; None: the connection is closed then.
        """
        self._receive_text = receive
        self._shut_down = shut_down or self._shut_down
        self.resume()
        early, self._early = self._early, []
        for text in early:
            receive(text)

    def leave(self) -> None:
        """Stop serving this connection, as the server stops."""
        self._shut_down()

    def shutdown(self) -> None:
        """Close the connection: the server stops."""
        self._turn_away()
        super().shutdown()

    def _turn_away(self) -> None:
        """Answer 503 to a request that was not accepted yet: the server stops."""
        if self.handshake_complete or self.initial_response is not None:
            return
        answer = self.conn.reject(HTTPStatus.SERVICE_UNAVAILABLE, "the server restarts")
        answer.headers["Retry-After"] = "1"
        self.conn.send_response(answer)
        self._flush()
        self.initial_response = answer.status_code, [], b""
        self.disconnected = True  # the application's own answer is dropped

    def pause(self) -> None:
        """Stop reading for now."""
        if not self.transport.is_closing():
            self.transport.pause_reading()

    def resume(self) -> None:
        """Resume reading."""
        if not self.transport.is_closing():
            self.transport.resume_reading()

    def send_text(self, text: str) -> None:
        """Send a message without waiting; a client that reads too slowly is disconnected."""
        data = text.encode()
        extensions = self.conn.extensions if len(data) >= LARGE else ()
        self._send(Frame(Opcode.TEXT, data).serialize(mask=False, extensions=extensions))

    def send_shared(self, message: Broadcast) -> None:
        """Send a message that others receive too, without waiting."""
        self._send(message.frame(self.conn.extensions))

    def _send(self, frame: bytes) -> None:
        """Write at the end of this event-loop iteration: an update and its acknowledgement together."""
        if self.disconnected or self.close_sent or self.transport.is_closing():
            return
        self.conn.writes.append(frame)
        if not self._has_unwritten:
            self._has_unwritten = True
            self.loop.call_soon(self._write)

    def _write(self) -> None:
        self._has_unwritten = False
        if self.transport.is_closing():
            return
        self.transport.write(b"".join(self.conn.data_to_send()))
        if self.transport.get_write_buffer_size() > _MOST_UNSENT:
            self.end(_TOO_SLOW, "too slow")

    def end(self, code: int, reason: str) -> None:
        """Close the connection with a code and a reason."""
        if self.disconnected or self.close_sent or self.transport.is_closing():
            return
        self.conn.send_close(code, reason)
        self._flush()
        self.close_sent = True
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.close_timer = self.loop.call_later(self.close_timeout, self.transport.abort)
        self.resume()

    async def ended(self) -> None:
        """Return when the connection is closed."""
        while (await self.queue.get())["type"] != "websocket.disconnect":
            pass

    def send_receive_event_to_app(self) -> None:
        """Pass a received message to the application."""
        data, self.frames = b"".join(self.frames), []
        if self.close_sent:
            return
        try:
            text = data.decode() if self.curr_msg_data_type == "text" else None
        except UnicodeDecodeError:
            self.end(_NO_TEXT, "not UTF-8")
        else:
            if self._receive_text is not None:
                self._receive_text(text)
            else:
                self._early.append(text)
                self.pause()

    def _flush(self) -> None:
        self.transport.write(b"".join(self.conn.data_to_send()))
