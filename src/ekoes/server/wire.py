"""Web sockets as uvicorn serves them, but quicker: what is read is told at once, and writing never waits.

Between the bytes and who reads them stand no task and no queue, and small messages travel as they are:
deflating an update of some hundred bytes costs more than all else that is done to send it, and spares
next to nothing; the whole table shrinks to a sixth.
"""

from __future__ import annotations

from asyncio import AbstractEventLoop, CancelledError
from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from starlette.types import Receive, Scope, Send
from uvicorn.config import Config
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.extensions import Extension
from websockets.extensions.permessage_deflate import PerMessageDeflate, ServerPerMessageDeflateFactory
from websockets.frames import Frame, Opcode
from websockets.typing import ExtensionParameter

from ekoes.server.inbox import Inbox
from ekoes.server.logs import log_of
from ekoes.server.requests import Requests

__all__ = ["LARGE", "RESTARTS", "Broadcast", "WebSockets", "uvicorn_config"]

_LOG = log_of("ekoes.server")
LARGE = 4096
"""Bytes of a message from which it is deflated."""
_MOST_UNSENT = 1 << 20
"""Bytes that wait for somebody who does not read them."""
_LARGEST = 1 << 20
"""Bytes of a message that are read at all; whoever sends more loses the line."""
_TOO_SLOW = 1013
_NO_TEXT = 1007
RESTARTS = 1012
"""The server goes, or the table is elsewhere now: whoever comes back finds all as it was."""


class _LargeAlone(PerMessageDeflate):
    """Deflates large messages; each for itself, so that nothing is kept between them."""

    def encode(self, frame: Frame) -> Frame:
        """Deflate a frame if it is worth it."""
        return super().encode(frame) if len(frame.data) >= LARGE else frame


class _Offer(ServerPerMessageDeflateFactory):
    """Agrees with a browser on how messages are deflated."""

    def process_request_params(
        self, params: Sequence[ExtensionParameter], accepted_extensions: Sequence[Extension]
    ) -> tuple[list[ExtensionParameter], PerMessageDeflate]:
        """Return what is agreed on."""
        agreed, usual = super().process_request_params(params, accepted_extensions)
        return agreed, _LargeAlone(
            usual.remote_no_context_takeover,
            usual.local_no_context_takeover,
            usual.remote_max_window_bits,
            usual.local_max_window_bits,
            self.compress_settings,
        )


_OFFER = _Offer(server_no_context_takeover=True, client_no_context_takeover=True)


def uvicorn_config(app: FastAPI, log_level: str = "warning", patience: int | None = None) -> Config:
    """Return how uvicorn has to serve the application: its lines are web sockets of this kind.

    patience: seconds that what goes on may take when the server goes; None: as long as it likes.

    What there is to tell goes where the process writes its log; who asked for what is told by ``Journal``.
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
    """A message for many: its frame is made once for all whose lines take it alike."""

    def __init__(self, text: str) -> None:
        """Begin without a frame."""
        self.text = text
        self._frame = Frame(Opcode.TEXT, text.encode())
        self._bytes: dict[int | None, bytes] = {}

    def bytes_for(self, extensions: Sequence[Extension]) -> bytes:
        """Return the frame as it goes over a line with these extensions: ours alone, which keep nothing."""
        deflates = [one for one in extensions if isinstance(one, PerMessageDeflate)]
        window = deflates[0].local_max_window_bits if deflates else None
        if window not in self._bytes:
            self._bytes[window] = self._frame.serialize(mask=False, extensions=extensions)
        return self._bytes[window]


class WebSockets(WebSocketsSansIOProtocol):
    """One web socket; an application finds it as ``state.line``, and uses it as a ``connection.Line``."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: AbstractEventLoop | None = None,
    ) -> None:
        """Offer browsers our way of deflating."""
        super().__init__(config, server_state, {**app_state, "line": self}, _loop)
        self.conn.available_extensions = [_OFFER]
        self.queue = Inbox()  # type: ignore[assignment] # smaller, and one task reads it
        self.app = self._let_in
        self._service: Awaitable[None] | None = None
        self._hear: Callable[[str | None], None] | None = None
        self._leave: Callable[[], None] = lambda: self.end(RESTARTS, "restart")
        self._early: list[str | None] = []
        self._has_unwritten = False

    def serve(self, service: Awaitable[None]) -> None:
        """Go on with this once the application has returned: its frames and the request need not stay."""
        self._service = service

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the application answer the request, and then what it has left here serve the line."""
        try:
            await self._answer_and_serve(scope, receive, send)
        except CancelledError:  # the server goes, and waits no longer for the store, say: pages come back
            _LOG.warning("a line is cut off in the midst of what it asked for")
            self._turn_away()
            self.handshake_complete = True

    async def _answer_and_serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.config.loaded_app(scope, receive, send)
        # A line that was refused has had its answer; uvicorn would write down that there was none.
        self.handshake_complete |= self.initial_response is not None
        scope.clear()
        self.request.headers.clear()  # `websockets` holds on to the request itself
        self.request = self.response = None  # type: ignore[assignment] # nobody looks at them any more
        service, self._service = self._service, None
        if service is not None:
            await service

    @property
    def round_trip(self) -> float:
        """Seconds that a message to the browser and back has needed; 0: nobody knows yet."""
        return self.last_ping_rtt

    def start_keepalive(self) -> None:
        """Ask for a sign of life at once, which tells how far away the browser is, and then now and then."""
        if self.ping_interval:
            self.send_keepalive_ping()

    def listen(self, hear: Callable[[str | None], None], leave: Callable[[], None] | None = None) -> None:
        """Tell somebody each message as soon as its bytes are read; None: it is no text.

        leave: is called when the server goes; None: the line is closed then.
        """
        self._hear = hear
        self._leave = leave or self._leave
        self.resume()
        early, self._early = self._early, []
        for text in early:
            hear(text)

    def leave(self) -> None:
        """Let whoever listens come to an end: the server goes."""
        self._leave()

    def shutdown(self) -> None:
        """Close the line: the server goes."""
        self._turn_away()
        super().shutdown()

    def _turn_away(self) -> None:
        """Tell who is not let in yet that the server goes, and to come back."""
        if self.handshake_complete or self.initial_response is not None:
            return
        answer = self.conn.reject(HTTPStatus.SERVICE_UNAVAILABLE, "the server restarts")
        answer.headers["Retry-After"] = "1"
        self.conn.send_response(answer)
        self._flush()
        self.initial_response = answer.status_code, [], b""
        self.disconnected = True  # what the application would answer yet is for nobody

    def pause(self) -> None:
        """Read no more for now."""
        if not self.transport.is_closing():
            self.transport.pause_reading()

    def resume(self) -> None:
        """Read on."""
        if not self.transport.is_closing():
            self.transport.resume_reading()

    def send_text(self, text: str) -> None:
        """Send a message without waiting; who is too slow to read loses the line, nobody else waits."""
        if self._is_ending:
            return
        self.conn.send_text(text.encode())
        self._write_soon()

    def send_shared(self, message: Broadcast) -> None:
        """Send a message that others are sent too, without waiting."""
        if not self._is_ending:
            self.conn.writes.append(message.bytes_for(self.conn.extensions))
            self._write_soon()

    def _write_soon(self) -> None:
        """Write when this step of the loop is done: an update and its acknowledgement leave as one."""
        if not self._has_unwritten:
            self._has_unwritten = True
            self.loop.call_soon(self._write)

    def _write(self) -> None:
        self._has_unwritten = False
        if self.transport.is_closing():
            return
        self._flush()
        if self.transport.get_write_buffer_size() > _MOST_UNSENT:
            self.end(_TOO_SLOW, "too slow")

    def end(self, code: int, reason: str) -> None:
        """Say why, and close the line."""
        if self._is_ending:
            return
        self.conn.send_close(code, reason)
        self._flush()
        self.close_sent = True
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.close_timer = self.loop.call_later(self.close_timeout, self.transport.abort)
        self.resume()

    async def ended(self) -> None:
        """Return when the line is closed, by whomever."""
        while (await self.queue.get())["type"] != "websocket.disconnect":
            pass

    def send_receive_event_to_app(self) -> None:
        """Tell what was read."""
        data, self.frames = b"".join(self.frames), []
        if self.close_sent:
            return
        try:
            text = data.decode() if self.curr_msg_data_type == "text" else None
        except UnicodeDecodeError:
            self.end(_NO_TEXT, "not UTF-8")
        else:
            self._tell(text)

    def _tell(self, text: str | None) -> None:
        if self._hear is not None:
            self._hear(text)
        else:
            self._early.append(text)
            self.pause()

    @property
    def _is_ending(self) -> bool:
        return self.disconnected or self.close_sent or self.transport.is_closing()

    def _flush(self) -> None:
        self.transport.write(b"".join(self.conn.data_to_send()))
