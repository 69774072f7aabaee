"""WebSockets, and connections to a table: read messages one by one, answer each, and send updates."""

from __future__ import annotations

import asyncio
from asyncio import AbstractEventLoop, CancelledError
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from functools import partial
from http import HTTPStatus
from typing import Any, Protocol

from starlette.types import Receive, Scope, Send
from uvicorn.config import Config
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.extensions import Extension
from websockets.extensions.permessage_deflate import PerMessageDeflate, ServerPerMessageDeflateFactory
from websockets.frames import Frame, Opcode

from ekoes.errors import AccountError, EkoesError, LimitError, StorageError, TableError
from ekoes.games.api.contract import Json
from ekoes.protocol import (
    LARGEST_MESSAGE,
    MESSAGES,
    PROTOCOL,
    RESTARTS,
    MessageError,
    Show,
    encode,
    key_of,
    read_message,
)
from ekoes.server.ops.limits import Bucket, Lane, weight_of
from ekoes.server.ops.logs import LOG
from ekoes.server.runtime.hub import Hub
from ekoes.server.runtime.permissions import ALL, Scopes, check_allowed
from ekoes.server.runtime.table_actor import TableActor
from ekoes.server.runtime.viewers import error_json
from ekoes.tables.chat import Listen, Mute, Say
from ekoes.tables.orders import Order

PROXY_CONTROL = "\0"
"""Begins a message of a process that forwards a client: the client's round trip time."""
LARGE = 4096
"""Bytes from which a message is compressed."""
_MOST_UNSENT = 1 << 20
"""Most bytes buffered for a slow client."""
MAX_SIZE = 1 << 20
"""Most bytes of a message; a longer one closes the connection."""
_OFFER = ServerPerMessageDeflateFactory(server_no_context_takeover=True, client_no_context_takeover=True)
"""Each message is compressed on its own: no compression state is stored between them."""
BEAT = '{"type":"beat"}'
"""The keep-alive message, sent and answered: a network can fail without closing a connection."""
HEARTBEAT_TIMEOUT = 150.0
"""Seconds without a message either way after which a page is gone; a hidden page beats once a minute."""
_PART = 1024
"""Bytes that are parsed at once: some hundred frames at most."""
_FRAMES_AT_ONCE = 200
"""The frames of a client after which others have their turn."""
_FRAME_RATE, _FRAME_BURST = 10, 200
"""Rate limit for frames that bring no message of their own (pings, pongs, continuations) of a connection."""
_MEASURES = 8
"""The latest round trips, of which the shortest counts: a single late pong is ignored."""
_MAX_PENDING = 16
"""The most messages in the queue before reading pauses."""
_NO_TOKEN, _NOT_ALLOWED = 4401, 4403
_NOT_FOUND = 4404
_OTHER_PROTOCOL = 4426
TOO_MANY = _TOO_SLOW = 1013
WENT_WRONG = 1011
_NO_TEXT = 1007
_TOO_MANY_FRAMES = 1008
Question = Listen | Say | Mute | Show
Received = tuple[str | None, datetime]
"""A message, None if it is binary, and its time of arrival."""


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


class Socket(WebSocketsSansIOProtocol):
    """A WebSocket. The application finds it as ``state.socket``.

    It derives from uvicorn's class for memory: of 3,000 idle sockets in the lobby each takes 34 KB of the
    server, behind a plain ASGI endpoint 56 KB, and 101 KB with uvicorn's compression; and an endpoint can
    neither measure a round trip nor serialise a message once for many. It calls and overrides public names.

    is_proxied: another process forwards its client, and states the client's round trip times. round_trip:
    seconds of the client's shortest recent ping and pong; 0: not measured yet. heard_at: the latest message
    of a client with a heartbeat; sent_at: the latest one to it.
    """

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: AbstractEventLoop | None = None,
    ) -> None:
        """Offer compression, and run the application through ``_run``."""
        super().__init__(config, server_state, {**app_state, "socket": self}, _loop)
        self.conn.available_extensions = [_OFFER]
        self.app = self._run
        self._service: Awaitable[None] | None = None
        self._receive_text: Callable[[str | None], None] | None = None
        self._shut_down: Callable[[], None] = lambda: self.end(RESTARTS, "restart")
        self._early: list[str | None] = []
        self._has_unwritten = False
        self._unparsed = bytearray()
        self._is_parsing = False
        self._is_paused = False
        self._frames = 0
        self._further_frames = Bucket(_FRAME_RATE, _FRAME_BURST, self.loop.time())
        self.is_proxied = False
        self.heard_at: float | None = None
        self.sent_at = 0.0
        self.round_trip = 0.0
        self._round_trips: tuple[float, ...] = ()

    def serve(self, service: Awaitable[None]) -> None:
        """Run a coroutine after the application has returned, which frees its stack and the request."""
        self._service = service

    async def _run(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application for the request, then the coroutine that it passed to ``serve``."""
        try:
            await self._answer_and_serve(scope, receive, send)
        except CancelledError:  # the shutdown timed out, for instance on the store; clients reconnect
            LOG.warning("connection cut off at shutdown")
            self._turn_away()
            self.handshake_complete = True

    async def _answer_and_serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.config.loaded_app(scope, receive, send)
        # A refused handshake has been answered; uvicorn would log the opposite.
        self.handshake_complete |= self.initial_response is not None
        scope.clear()  # it holds the request with what the middleware and the route have made of it
        service, self._service = self._service, None
        if service is not None:
            await service

    def start_keepalive(self) -> None:
        """Ping at once, which measures the latency, and then at intervals."""
        if self.ping_interval:
            self.send_keepalive_ping()

    def send_keepalive_ping(self) -> None:
        """Ping, or close the connection of a page whose heartbeat has stopped.

        The browser of a page that was frozen or has lost its network may still answer pings.
        """
        latest = None if self.heard_at is None else max(self.heard_at, self.sent_at)
        if latest is not None and self.loop.time() - latest > HEARTBEAT_TIMEOUT:
            self.end(_TOO_SLOW, "silent")
        else:
            super().send_keepalive_ping()

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

    def data_received(self, data: bytes) -> None:
        """Parse what has arrived; of many frames the rest in later iterations of the event loop."""
        self._unparsed += data
        if not self._is_parsing:
            self._parse()

    def _parse(self) -> None:
        self._is_parsing, until = True, self._frames + _FRAMES_AT_ONCE
        while self._unparsed and self._frames < until and not self._is_paused:
            part = bytes(self._unparsed[:_PART])
            del self._unparsed[:_PART]
            super().data_received(part)
            if self.transport.is_closing():
                self._unparsed.clear()
        self._is_parsing = False
        if not self._is_paused:
            self.resume()

    def handle_events(self) -> None:
        """Handle parsed frames, and close the connection if too many bring no message of their own."""
        self._frames += len(self.conn.events)
        super().handle_events()

    def handle_ping(self) -> None:
        """Send the pong."""
        super().handle_ping()
        self._count_frame()

    def handle_pong(self, event: Frame) -> None:
        """Measure the latency."""
        was_awaited = self.pending_ping_payload is not None
        super().handle_pong(event)
        if was_awaited and self.pending_ping_payload is None:
            self._round_trips = (*self._round_trips, self.last_ping_rtt)[-_MEASURES:]
            if not self.is_proxied:
                self.round_trip = min(self._round_trips)
        self._count_frame()

    def handle_cont(self, event: Frame) -> None:
        """Take the next part of a message."""
        super().handle_cont(event)
        self._count_frame()

    def _count_frame(self) -> None:
        if self._further_frames.wait(self.loop.time()):
            self._unparsed.clear()
            self.end(_TOO_MANY_FRAMES, "too many frames")

    def pause(self) -> None:
        """Stop reading for now."""
        self._is_paused = True
        if not self.transport.is_closing():
            self.transport.pause_reading()

    def resume(self) -> None:
        """Resume reading, once what has arrived is parsed."""
        self._is_paused = False
        if self._is_parsing or self.transport.is_closing():
            return
        if self._unparsed:
            self._is_parsing = True
            self.transport.pause_reading()
            self.loop.call_soon(self._parse)
        else:
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
        self.sent_at = self.loop.time()
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
            if text == BEAT or self.heard_at is not None:
                self.heard_at = self.loop.time()
            if self.is_proxied and text is not None and text.startswith(PROXY_CONTROL):
                self.round_trip = float(text[len(PROXY_CONTROL) :])
            elif self._receive_text is not None:
                self._receive_text(text)
            else:
                self._early.append(text)
                self.pause()

    def _flush(self) -> None:
        self.transport.write(b"".join(self.conn.data_to_send()))


class ClientSocket(Protocol):
    """Carries the messages of a client: a WebSocket, or requests and events where there can be none."""

    @property
    def round_trip(self) -> float:
        """Seconds of the client's shortest recent round trip; 0: not measured."""

    def listen(self, receive: Callable[[str | None], None], shut_down: Callable[[], None]) -> None:
        """Call back with each message; None: it is binary. shut_down: called when the server stops."""

    def pause(self) -> None:
        """Stop reading for now."""

    def resume(self) -> None:
        """Resume reading."""

    def send_text(self, text: str) -> None:
        """Send a message without waiting."""

    def send_shared(self, message: Broadcast) -> None:
        """Send a message that others receive too, without waiting."""

    def end(self, code: int, reason: str) -> None:
        """Close it with a code and a reason."""

    def leave(self) -> None:
        """Answer what has been read, then close: the server stops."""

    async def ended(self) -> None:
        """Return when it is closed."""


class Connection:
    """A session's connection to a table, the lobby or a room, with its messages that wait for answers."""

    lists_actions = False

    def __init__(
        self,
        socket: ClientSocket,
        session: str,
        now: Callable[[], datetime],
        scopes: Scopes = ALL,
        address: str | None = None,
    ) -> None:
        """Wrap a socket. now: dates each message on arrival. scopes, address: of the client."""
        self.session = session
        self.address = address
        self.scopes = scopes
        self.send = socket.send_text
        self.send_shared = socket.send_shared
        self._socket = socket
        self._now = now
        self._received: asyncio.Queue[Received | None] = asyncio.Queue()
        self._is_paused = False
        self._is_leaving = False

    @property
    def lag(self) -> int:
        """The measured latency in milliseconds, to the client and back."""
        return round(self._socket.round_trip * 1000)

    async def read(self) -> None:
        """Read messages until the connection ends."""
        self._socket.listen(self._receive, self._leave)
        await self._socket.ended()
        self._received.put_nowait(None)

    async def next(self) -> Received | None:
        """Return the next message; None: there are no more."""
        if not self._received.empty():
            await asyncio.sleep(0)  # get() yields to nobody while there is something
        elif self._is_paused:
            self._is_paused = False
            self._socket.resume()
        message = await self._received.get()
        if message is None and self._is_leaving:
            self._socket.end(RESTARTS, "restart")
        return message

    def send_json(self, message: Json) -> None:
        """Send a message without waiting."""
        self.send(encode(message))

    def send_error(self, error: EkoesError, key: str | None = None) -> None:
        """Send that a message was refused. key: of the message, if it has one."""
        named = {} if key is None else {"key": key}
        self.send_json({"type": "error", **named, **error_json(error)})

    def _leave(self) -> None:
        """Stop reading; close once the messages read so far are answered."""
        self._socket.pause()
        self._is_paused, self._is_leaving = False, True
        self._received.put_nowait(None)

    def _receive(self, text: str | None) -> None:
        if text is not None and len(text) > LARGEST_MESSAGE:
            text = text[: LARGEST_MESSAGE + 1]  # enough to refuse it
        self._received.put_nowait((text, self._now()))
        if not self._is_paused and self._received.qsize() >= _MAX_PENDING:
            self._is_paused = True
            self._socket.pause()


async def serve_connection(
    socket: ClientSocket,
    hub: Hub,
    table_id: str,
    session: str,
    scopes: Scopes = ALL,
    address: str | None = None,
) -> None:
    """Serve a connection until it ends. scopes: what its sender may do. address: of the client.

    Raises: LimitError if the session has too many.
    """
    try:
        async with hub.table(table_id) as live, live.lanes.of(session) as lane:
            with live.shown_on(socket, address, session):
                await _converse(live, Connection(socket, session, live.now, scopes, address), lane)
    except LimitError:
        raise
    except EkoesError as error:
        dismiss(socket, error_json(error), _NOT_FOUND if isinstance(error, TableError) else WENT_WRONG)


def dismiss_other_protocol(socket: ClientSocket) -> None:
    """Refuse a client of another protocol version, with the advice to reload."""
    text = f"this page is of another version than the server (protocol {PROTOCOL}): please reload it"
    dismiss(socket, error_json(MessageError(text, code="message/protocol")), _OTHER_PROTOCOL)


def dismiss_program(socket: ClientSocket, error: AccountError) -> None:
    """Refuse a program whose token does not allow this."""
    is_unknown = error.code == "account/no-token"
    dismiss(socket, error_json(error), _NO_TOKEN if is_unknown else _NOT_ALLOWED)


def dismiss(socket: ClientSocket, error: Json, code: int) -> None:
    """Send an error and close."""
    socket.send_text(encode({"type": "error", **error}))
    socket.end(code, error["code"])


async def _converse(live: TableActor, connection: Connection, lane: Lane) -> None:
    """Read and answer at the same time until the connection ends."""
    await live.join(connection)
    try:
        async with asyncio.TaskGroup() as tasks:
            answer = partial(_answer, live, connection)
            tasks.create_task(answer_all(connection, lane, answer))
            await connection.read()
    finally:
        live.leave(connection)


async def answer_all(
    connection: Connection, lane: Lane, answer: Callable[[str, datetime], Awaitable[int]]
) -> None:
    """Answer messages one after the other, each when it is its turn, until there are no more.

    answer: handles a message and its time of arrival, and returns for how many messages it counts.
    """
    while (message := await connection.next()) is not None:
        text, at = message
        async with lane:
            if text == BEAT:
                connection.send(BEAT)
            elif text is None:
                connection.send_error(MessageError("a message is text, not binary", code="message/bad-type"))
            elif (weight := await answer(text, at)) != 1:
                lane.weigh(weight)


async def _answer(live: TableActor, connection: Connection, text: str, at: datetime) -> int:
    """Handle and answer a message. at: when it arrived. Returns: for how many messages it counts."""
    key: str | None = None
    kind = ""
    try:
        message = read_message(text, MESSAGES)
        key, kind = message.key, message.type
        if connection.scopes is not ALL:
            check_allowed(connection.scopes, message, live.table)
        if isinstance(message, Order):
            version = await live.receive(message, connection.session, at, connection.lag)
        else:
            version = await _answer_question(message, live, connection)
    except EkoesError as error:
        connection.send_error(error, key or key_of(text))
        if error.code in {"table/stale", "storage/conflict"}:
            await _show_again(live, connection)
            kind = "table"  # which is what was sent
    else:
        connection.send_json({"type": "ack", "key": key, "version": version})
    return weight_of(kind, len(text))


async def _show_again(live: TableActor, connection: Connection) -> None:
    """Send the table again, or the store's error; the client can ask for it later."""
    try:
        await live.show_table(connection)
    except StorageError as error:
        connection.send_error(error)


async def _answer_question(message: Question, live: TableActor, connection: Connection) -> int:
    """Handle a message that is not an order. Returns: the version to acknowledge."""
    match message:
        case Listen(on=on):
            await live.chat.listen(connection, on=on)
        case Say():
            await live.chat.say(message, connection.session)
        case Mute():
            await live.chat.mute(message, connection)
        case Show():
            await live.show_table(connection)
    return live.table.version


async def keep_alive(connection: Connection, lane: Lane) -> None:
    """Answer keep-alives until a connection ends that only listens; other messages are refused."""
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(answer_all(connection, lane, partial(_refuse, connection)))
        await connection.read()


async def _refuse(connection: Connection, text: str, _at: datetime) -> int:
    error = MessageError("only keep-alives are accepted here", code="message/bad-type")
    connection.send_error(error, key_of(text))
    return 1
