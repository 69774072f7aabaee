"""One web socket: reads messages one by one, answers each, and writes what happens at the table."""

from __future__ import annotations

import asyncio
import contextlib
from datetime import datetime

from fastapi import WebSocket
from starlette.websockets import WebSocketDisconnect

from ekoes.errors import EkoesError, TableError
from ekoes.games.contract import Json
from ekoes.server.hub import Hub
from ekoes.server.limits import Lane
from ekoes.server.live import LiveTable
from ekoes.server.messages import (
    PROTOCOL,
    Message,
    MessageError,
    Show,
    Ways,
    Why,
    encode,
    error_json,
    key_of,
    parse_message,
)

__all__ = ["Connection", "dismiss_other_protocol", "serve_socket"]

BEAT = '{"type":"beat"}'
"""A sign of life, asked for and given: networks can die without a word."""
_UNSENT = 500
_UNANSWERED = 16
"""Messages that have been read and wait for those before them; whoever sends more is not read meanwhile."""
_NOT_FOUND = 4404
_OTHER_PROTOCOL = 4426
_TOO_SLOW = _TOO_MANY = 1013
_WENT_WRONG = 1011

Arrived = tuple[str | None, datetime]
"""A message, None where it is no text, and when it was read."""


class Connection:
    """The sending side of a web socket, which never makes the table wait."""

    def __init__(self, socket: WebSocket, session: str) -> None:
        """Write to an accepted socket for a session."""
        self.session = session
        self._socket = socket
        self._unsent: asyncio.Queue[str] = asyncio.Queue(_UNSENT)
        self._is_slow = False

    def send(self, text: str) -> None:
        """Send a message without waiting; who is too slow to read loses the connection, nobody else waits."""
        try:
            self._unsent.put_nowait(text)
        except asyncio.QueueFull:
            self._is_slow = True

    def send_json(self, message: Json) -> None:
        """Send a message without waiting."""
        self.send(encode(message))

    async def write(self) -> None:
        """Write messages as they come, until the socket closes."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
            while not self._is_slow:
                await self._socket.send_text(await self._unsent.get())
            await self._socket.close(_TOO_SLOW, "too slow")


async def serve_socket(socket: WebSocket, hub: Hub, table_id: str, session: str) -> None:
    """Serve an accepted socket until it closes."""
    try:
        async with hub.table(table_id) as live, live.lanes.of(session) as lane:
            if lane is None:
                await socket.close(_TOO_MANY, "too many sockets")
                return
            await _converse(socket, live, Connection(socket, session), lane)
    except EkoesError as error:
        await _dismiss(
            socket, error_json(error), _NOT_FOUND if isinstance(error, TableError) else _WENT_WRONG
        )


async def dismiss_other_protocol(socket: WebSocket) -> None:
    """Tell a page that speaks another version of the protocol to reload itself."""
    text = f"this page is of another version than the server (protocol {PROTOCOL}): please reload it"
    await _dismiss(socket, error_json(MessageError(text, code="message/protocol")), _OTHER_PROTOCOL)


async def _dismiss(socket: WebSocket, error: Json, code: int) -> None:
    """Say why there is nothing here, and close."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
        await socket.send_text(encode({"type": "error", **error}))
        await socket.close(code, error["code"])


async def _converse(socket: WebSocket, live: LiveTable, connection: Connection, lane: Lane) -> None:
    """Read, answer and write at the same time until the socket closes."""
    arrived: asyncio.Queue[Arrived | None] = asyncio.Queue(_UNANSWERED)
    async with asyncio.TaskGroup() as tasks:
        writer = tasks.create_task(connection.write())
        await live.join(connection)
        answering = tasks.create_task(_hear_all(arrived, live, connection, lane))
        try:
            await _read(socket, live, arrived)
            await answering
        finally:
            live.leave(connection)
            writer.cancel()


async def _read(socket: WebSocket, live: LiveTable, arrived: asyncio.Queue[Arrived | None]) -> None:
    """Read messages until the socket closes, and note when each came: it may have to wait its turn."""
    while True:
        frame = await socket.receive()
        if frame["type"] == "websocket.disconnect":
            return await arrived.put(None)
        await arrived.put((frame.get("text"), live.now()))


async def _hear_all(
    arrived: asyncio.Queue[Arrived | None], live: LiveTable, connection: Connection, lane: Lane
) -> None:
    """Answer messages one after the other, each when it is its turn, until there are no more."""
    while (message := await arrived.get()) is not None:
        async with lane.turn():
            await _hear(*message, live, connection)


async def _hear(text: str | None, at: datetime, live: LiveTable, connection: Connection) -> None:
    """Answer what came, if it can be a message at all. at: when it arrived."""
    if text == BEAT:
        connection.send(BEAT)
    elif text is None:
        error = MessageError("a message is text, not binary", code="message/bad-type")
        connection.send_json({"type": "error", **error_json(error)})
    else:
        await _answer(text, at, live, connection)


async def _answer(text: str, at: datetime, live: LiveTable, connection: Connection) -> None:
    """Do what a message asks and answer it. at: when it arrived."""
    key: str | None = None
    try:
        message = parse_message(text)
        key = message.key
        version = await _done(message, at, live, connection)
    except EkoesError as error:
        named = {"key": key or key_of(text)}
        answer = {"type": "error", **({} if named["key"] is None else named), **error_json(error)}
        connection.send_json(answer)
        if error.code in {"table/stale", "storage/conflict"}:
            await live.show_table(connection)
    else:
        if version is not None:
            connection.send_json({"type": "ack", "key": key, "version": version})


async def _done(message: Message, at: datetime, live: LiveTable, connection: Connection) -> int | None:
    """Do what a message asks. Returns: the version to acknowledge, None where the answer has gone out."""
    match message:
        case Why(key=key):
            connection.send_json({"type": "why", "key": key, "refusal": _refusal(live, message)})
            return None
        case Ways(key=key, of=of):
            table = live.table
            ways = live.kind.ways(table, of)
            connection.send_json({"type": "ways", "key": key, "version": table.version, "ways": ways})
            return None
        case Show():
            await live.show_table(connection)
            return live.table.version
        case _:
            return await live.take(message, connection.session, at)


def _refusal(live: LiveTable, message: Why) -> Json | None:
    """Explain why an action is not possible; None if it is legal."""
    table = live.table
    if message.seat >= len(table.seats):
        raise TableError("there is no such seat", code="table/not-your-seat")
    return live.kind.why_not(table, message.seat, message.action)
