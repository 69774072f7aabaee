"""A WebSocket connection to a table: reads messages one by one, answers each, and sends updates."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import Protocol

from ekoes.errors import AccountError, EkoesError, StorageError, TableError
from ekoes.games.api.contract import Json
from ekoes.protocol.incoming import (
    LARGEST_MESSAGE,
    PROTOCOL,
    RESTARTS,
    Analyse,
    MessageError,
    Show,
    Stop,
    Ways,
    Why,
    encode,
    key_of,
    parse_message,
)
from ekoes.server.ops.limits import Lane, weight_of
from ekoes.server.realtime.websocket import Broadcast, Mailbox
from ekoes.server.runtime.hub import Hub
from ekoes.server.runtime.messages import ALL, Scopes, check_allowed, error_json
from ekoes.server.runtime.table_actor import TableActor
from ekoes.tables.analysis import turn_table
from ekoes.tables.chat import Listen, Mute, Say
from ekoes.tables.orders import Order

BEAT = '{"type":"beat"}'
"""The keep-alive message, sent and answered: a network can fail without closing a connection."""
_MAX_PENDING = 16
"""The most messages in the queue before reading pauses."""
_NO_TOKEN, _NOT_ALLOWED = 4401, 4403
_NOT_FOUND = 4404
_OTHER_PROTOCOL = 4426
TOO_MANY = 1013
_WENT_WRONG = 1011

Question = Why | Ways | Analyse | Stop | Listen | Say | Mute | Show
Received = tuple[str | None, datetime]
"""A message, None if it is binary, and its time of arrival."""


class Socket(Protocol):
    """A WebSocket of any server."""

    @property
    def round_trip(self) -> float:
        """Seconds of the last ping and pong; 0: not measured yet."""

    def listen(self, receive: Callable[[str | None], None], shut_down: Callable[[], None]) -> None:
        """Call back with each message as soon as it is read; None: it is binary.

        shut_down: called when the server stops.
        """

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

    async def ended(self) -> None:
        """Return once it is closed."""


class Connection:
    """A WebSocket of a session, with the messages that wait for their answers."""

    def __init__(self, line: Socket, session: str, now: Callable[[], datetime], scopes: Scopes = ALL) -> None:
        """Wrap a WebSocket. now: dates each message on arrival. scopes: what its sender may do."""
        self.session = session
        self.scopes = scopes
        self.send = line.send_text
        self.send_shared = line.send_shared
        self._socket = line
        self._now = now
        self._received: Mailbox[Received | None] = Mailbox()
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
        if self._is_paused and not self._received.items:
            self._is_paused = False
            self._socket.resume()
        message = await self._received.get()
        if message is None and self._is_leaving:
            self._socket.end(RESTARTS, "restart")
        return message

    def send_json(self, message: Json) -> None:
        """Send a message without waiting."""
        self.send(encode(message))

    def _leave(self) -> None:
        """Stop reading; close once the messages read so far are answered."""
        self._socket.pause()
        self._is_paused, self._is_leaving = False, True
        self._received.put_nowait(None)

    def _receive(self, text: str | None) -> None:
        if text is not None and len(text) > LARGEST_MESSAGE:
            text = text[: LARGEST_MESSAGE + 1]  # enough to refuse it
        self._received.put_nowait((text, self._now()))
        if not self._is_paused and len(self._received.items) >= _MAX_PENDING:
            self._is_paused = True
            self._socket.pause()


async def serve_line(line: Socket, hub: Hub, table_id: str, session: str, scopes: Scopes = ALL) -> None:
    """Serve a connection until it ends. scopes: what its sender may do."""
    try:
        async with hub.table(table_id) as live, live.lanes.of(session) as lane:
            if lane is None:
                line.end(TOO_MANY, "too many sockets")
            else:
                with live.shown_on(line):
                    await _converse(live, Connection(line, session, live.now, scopes), lane)
    except EkoesError as error:
        dismiss(line, error_json(error), _NOT_FOUND if isinstance(error, TableError) else _WENT_WRONG)


def dismiss_other_protocol(line: Socket) -> None:
    """Refuse a client of another protocol version, with the advice to reload."""
    text = f"this page is of another version than the server (protocol {PROTOCOL}): please reload it"
    dismiss(line, error_json(MessageError(text, code="message/protocol")), _OTHER_PROTOCOL)


def dismiss_program(line: Socket, error: AccountError) -> None:
    """Refuse a program whose token does not allow this."""
    is_unknown = error.code == "account/no-token"
    dismiss(line, error_json(error), _NO_TOKEN if is_unknown else _NOT_ALLOWED)


def dismiss(line: Socket, error: Json, code: int) -> None:
    """Send an error and close."""
    line.send_text(encode({"type": "error", **error}))
    line.end(code, error["code"])


async def _converse(live: TableActor, connection: Connection, lane: Lane) -> None:
    """Read and answer at the same time until the connection ends."""
    await live.join(connection)
    try:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(_answer_all(live, connection, lane))
            await connection.read()
    finally:
        live.leave(connection)
        live.drop_analysis(connection.session, connection)


async def _answer_all(live: TableActor, connection: Connection, lane: Lane) -> None:
    """Answer messages one after the other, each when it is its turn, until there are no more."""
    while (message := await connection.next()) is not None:
        text, at = message
        async with lane:
            if text == BEAT:
                connection.send(BEAT)
            elif text is None:
                error = MessageError("a message is text, not binary", code="message/bad-type")
                connection.send_json({"type": "error", **error_json(error)})
            elif (weight := await _answer(text, at, live, connection)) != 1:
                lane.weigh(weight)


async def _answer(text: str, at: datetime, live: TableActor, connection: Connection) -> int:
    """Handle and answer a message. at: when it arrived. Returns: for how many messages it counts."""
    key: str | None = None
    kind = ""
    try:
        message = parse_message(text)
        key, kind = message.key, message.type
        check_allowed(connection.scopes, message, live.table)
        if isinstance(message, Order):
            version: int | None = await live.submit(message, connection.session, at, connection.lag)
        else:
            version = await _answer_question(message, live, connection)
    except EkoesError as error:
        named = {"key": key or key_of(text)}
        answer = {"type": "error", **({} if named["key"] is None else named), **error_json(error)}
        connection.send_json(answer)
        if error.code in {"table/stale", "storage/conflict"}:
            await _show_again(live, connection)
    else:
        if version is not None:
            connection.send_json({"type": "ack", "key": key, "version": version})
    return weight_of(kind, len(text))


async def _show_again(live: TableActor, connection: Connection) -> None:
    """Send the table again, or the store's error; the client can ask for it later."""
    try:
        await live.show_table(connection)
    except StorageError as error:
        connection.send_json({"type": "error", **error_json(error)})


async def _answer_question(message: Question, live: TableActor, connection: Connection) -> int | None:
    """Handle a message that is not an order. Returns: the version to acknowledge, None if it was answered."""
    match message:
        case Why(key=key):
            refusal = refusal_of(live, message)
            connection.send_json({"type": "why", "key": key, "refusal": refusal})
            return None
        case Ways(key=key, of=of):
            table = live.table
            ways = turn_table(table).ways(of)
            connection.send_json({"type": "ways", "key": key, "version": table.version, "ways": ways})
            return None
        case Analyse():
            await live.analyse(message, connection.session, connection, connection.send_json)
        case Stop():
            await live.stop_analysis(connection.session)
        case Listen(on=on):
            await live.chat.listen(connection, on=on)
        case Say():
            await live.chat.say(message, connection.session)
        case Mute():
            await live.chat.mute(message, connection)
        case Show():
            await live.show_table(connection)
    return live.table.version


def refusal_of(live: TableActor, message: Why) -> Json | None:
    """Explain why an action is not possible; None if it is legal. Raises TableError."""
    table = live.table
    if message.seat >= len(table.seats):
        raise TableError("there is no such seat", code="table/not-your-seat")
    return turn_table(table).why_not(message.seat, message.action)
