"""One line to a browser: takes messages one by one, answers each, and tells what happens at the table."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import Protocol

from ekoes.errors import AccountError, EkoesError, StorageError, TableError
from ekoes.games.contract import Json
from ekoes.match.talk import Listen, Mute, Say
from ekoes.server.bounds import weight_of
from ekoes.server.hub import Hub
from ekoes.server.inbox import Inbox
from ekoes.server.limits import LARGEST_MESSAGE, Lane
from ekoes.server.live import LiveTable
from ekoes.server.messages import (
    PROTOCOL,
    Analyse,
    Message,
    MessageError,
    Show,
    Stop,
    Ways,
    Why,
    encode,
    error_json,
    key_of,
    parse_message,
)
from ekoes.server.scopes import ALL, Scopes, check_allowed
from ekoes.server.wire import RESTARTS, Broadcast

__all__ = [
    "BEAT",
    "TOO_MANY",
    "Connection",
    "Line",
    "dismiss",
    "dismiss_other_protocol",
    "dismiss_program",
    "refusal_of",
    "serve_line",
]

BEAT = '{"type":"beat"}'
"""A sign of life, asked for and given: networks can die without a word."""
_UNANSWERED = 16
"""Messages that have been read and wait for those before them; whoever sends more is not read meanwhile."""
_NO_TOKEN, _NOT_ALLOWED = 4401, 4403
_NOT_FOUND = 4404
_OTHER_PROTOCOL = 4426
TOO_MANY = 1013
_WENT_WRONG = 1011

Arrived = tuple[str | None, datetime]
"""A message, None where it is no text, and when it was read."""


class Line(Protocol):
    """A web socket, however it is served."""

    @property
    def round_trip(self) -> float:
        """Seconds that a message to the browser and back has needed; 0: nobody knows yet."""

    def listen(self, hear: Callable[[str | None], None], leave: Callable[[], None]) -> None:
        """Tell somebody each message as soon as its bytes are read; None: it is no text.

        leave: is called when the server goes.
        """

    def pause(self) -> None:
        """Read no more for now."""

    def resume(self) -> None:
        """Read on."""

    def send_text(self, text: str) -> None:
        """Send a message without waiting."""

    def send_shared(self, message: Broadcast) -> None:
        """Send a message that others are sent too, without waiting."""

    def end(self, code: int, reason: str) -> None:
        """Say why, and close the line."""

    async def ended(self) -> None:
        """Return when the line is closed, by whomever."""


class Connection:
    """A session's end of a line: what it sends, and what has been read and waits for its answer."""

    def __init__(self, line: Line, session: str, now: Callable[[], datetime], scopes: Scopes = ALL) -> None:
        """Begin to listen. now: tells when each message came, which may have to wait its turn.

        scopes: what whoever sends may do.
        """
        self.session = session
        self.scopes = scopes
        self.send = line.send_text
        self.send_shared = line.send_shared
        self._line = line
        self._now = now
        self._arrived: Inbox[Arrived | None] = Inbox()
        self._is_paused = False
        self._is_leaving = False

    @property
    def lag(self) -> int:
        """Milliseconds that a message to the browser and back has needed, as the server has measured it."""
        return round(self._line.round_trip * 1000)

    async def read(self) -> None:
        """Read messages until the line ends."""
        self._line.listen(self._hear, self._leave)
        await self._line.ended()
        self._arrived.put_nowait(None)

    async def next(self) -> Arrived | None:
        """Return the next message; None: there are no more."""
        if self._is_paused and self._arrived.empty():
            self._is_paused = False
            self._line.resume()
        arrived = await self._arrived.get()
        if arrived is None and self._is_leaving:
            self._line.end(RESTARTS, "restart")
        return arrived

    def send_json(self, message: Json) -> None:
        """Send a message without waiting."""
        self.send(encode(message))

    def _leave(self) -> None:
        """Read no more; once what has been read is answered, close the line."""
        self._line.pause()
        self._is_paused, self._is_leaving = False, True
        self._arrived.put_nowait(None)

    def _hear(self, text: str | None) -> None:
        kept = text if text is None else text[: LARGEST_MESSAGE + 1]  # more is not read anyway
        self._arrived.put_nowait((kept, self._now()))
        if not self._is_paused and self._arrived.qsize() >= _UNANSWERED:
            self._is_paused = True
            self._line.pause()


async def serve_line(line: Line, hub: Hub, table_id: str, session: str, scopes: Scopes = ALL) -> None:
    """Serve a line until it ends. scopes: what its messages may ask for."""
    try:
        async with hub.table(table_id) as live, live.lanes.of(session) as lane:
            if lane is None:
                line.end(TOO_MANY, "too many sockets")
            else:
                with live.shown_on(line):
                    await _converse(live, Connection(line, session, live.now, scopes), lane)
    except EkoesError as error:
        dismiss(line, error_json(error), _NOT_FOUND if isinstance(error, TableError) else _WENT_WRONG)


def dismiss_other_protocol(line: Line) -> None:
    """Tell a page that speaks another version of the protocol to reload itself."""
    text = f"this page is of another version than the server (protocol {PROTOCOL}): please reload it"
    dismiss(line, error_json(MessageError(text, code="message/protocol")), _OTHER_PROTOCOL)


def dismiss_program(line: Line, error: AccountError) -> None:
    """Tell a program what its token does not allow."""
    is_unknown = error.code == "account/no-token"
    dismiss(line, error_json(error), _NO_TOKEN if is_unknown else _NOT_ALLOWED)


def dismiss(line: Line, error: Json, code: int) -> None:
    """Say why there is nothing here, and close."""
    line.send_text(encode({"type": "error", **error}))
    line.end(code, error["code"])


async def _converse(live: LiveTable, connection: Connection, lane: Lane) -> None:
    """Read and answer at the same time until the line ends."""
    await live.join(connection)
    try:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(_hear_all(live, connection, lane))
            await connection.read()
    finally:
        live.leave(connection)
        live.drop_analysis(connection.session, connection)


async def _hear_all(live: LiveTable, connection: Connection, lane: Lane) -> None:
    """Answer messages one after the other, each when it is its turn, until there are no more."""
    while (message := await connection.next()) is not None:
        async with lane:
            lane.weigh(await _hear(*message, live, connection))


async def _hear(text: str | None, at: datetime, live: LiveTable, connection: Connection) -> int:
    """Answer what came, if it can be a message at all. at: when it arrived.

    Returns: for how many messages it counts.
    """
    if text == BEAT:
        connection.send(BEAT)
    elif text is None:
        error = MessageError("a message is text, not binary", code="message/bad-type")
        connection.send_json({"type": "error", **error_json(error)})
    else:
        return await _answer(text, at, live, connection)
    return 1


async def _answer(text: str, at: datetime, live: LiveTable, connection: Connection) -> int:
    """Do what a message asks and answer it. at: when it arrived. Returns: for how many it counts."""
    key: str | None = None
    kind = ""
    try:
        message = parse_message(text)
        key, kind = message.key, message.type
        check_allowed(connection.scopes, message, live.table)
        version = await _done(message, at, live, connection)
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


async def _show_again(live: LiveTable, connection: Connection) -> None:
    """Show the table as it stands, or tell that the store fails: then whoever wants it asks again."""
    try:
        await live.show_table(connection)
    except StorageError as error:
        connection.send_json({"type": "error", **error_json(error)})


async def _done(message: Message, at: datetime, live: LiveTable, connection: Connection) -> int | None:
    """Do what a message asks. Returns: the version to acknowledge, None where the answer has gone out."""
    match message:
        case Why(key=key):
            refusal = refusal_of(live, connection.session, message)
            connection.send_json({"type": "why", "key": key, "refusal": refusal})
            return None
        case Ways(key=key, of=of):
            table = live.seen_by(connection.session)
            ways = live.kind.ways(table, of)
            connection.send_json({"type": "ways", "key": key, "version": table.version, "ways": ways})
            return None
        case Analyse():
            await live.analyse(message, connection.session, connection, connection.send_json)
            return live.seen_by(connection.session).version
        case Stop():
            await live.stop_analysis(connection.session)
            return live.seen_by(connection.session).version
        case Listen(on=on):
            await live.chat.listen(connection, on=on)
            return live.seen_by(connection.session).version
        case Say():
            await live.chat.say(message, connection.session)
            return live.seen_by(connection.session).version
        case Mute():
            await live.chat.mute(message, connection)
            return live.seen_by(connection.session).version
        case Show():
            await live.show_table(connection)
            return live.seen_by(connection.session).version
        case _:
            return await live.take(message, connection.session, at, connection.lag)


def refusal_of(live: LiveTable, session: str, message: Why) -> Json | None:
    """Explain why an action is not possible; None if it is legal. Raises TableError."""
    table = live.seen_by(session)
    if message.seat >= len(table.seats):
        raise TableError("there is no such seat", code="table/not-your-seat")
    return live.kind.why_not(table, message.seat, message.action)
