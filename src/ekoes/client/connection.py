"""A WebSocket to a server: sends requests with keys, matches the answers, passes on other messages."""

from __future__ import annotations

import asyncio
import itertools
import json
import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Protocol

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from ekoes.client.errors import ConnectionFailedError, refusal_from
from ekoes.games.api.contract import Json


class MessageHandler(Protocol):
    """Receives the messages that answer no request."""

    def handle(self, message: Json) -> None:
        """Handle a message."""


class Connection:
    """One socket. Its keys are unique across all clients."""

    def __init__(self, socket: ClientConnection, handler: MessageHandler) -> None:
        self._socket = socket
        self._handler = handler
        self._name = secrets.token_hex(8)
        self._numbers = itertools.count(1)
        self._pending: dict[str, asyncio.Future[Json]] = {}

    async def ask(self, kind: str, **content: Any) -> Json:  # noqa: ANN401 - JSON
        """Send a message and return its answer. Raises RefusedError, or LineError if the line is lost."""
        key = f"{self._name}-{next(self._numbers)}"
        answer = self._pending[key] = asyncio.get_running_loop().create_future()
        try:
            await self._socket.send(json.dumps({"type": kind, "key": key, **content}))
            reply: Json = await answer
        except ConnectionClosed as error:
            raise _lost(error) from error
        finally:
            self._pending.pop(key, None)
        if reply["type"] == "error":
            raise refusal_from(reply)
        return reply

    async def send(self, kind: str) -> None:
        """Send a message without waiting for an answer; do nothing if the connection is lost."""
        message = {"type": kind, "key": f"{self._name}-{next(self._numbers)}"}
        try:
            await self._socket.send(json.dumps(message))
        except ConnectionClosed:
            return

    async def listen(self) -> None:
        """Hear what comes until the line ends. Raises LineError where the server has closed it for good."""
        try:
            async for text in self._socket:
                self._dispatch(json.loads(text))
        except ConnectionClosed:
            pass
        finally:
            self._fail_pending()
        code = self._socket.close_code or 0
        if code in _FINAL:
            raise ConnectionFailedError(self._socket.close_reason or str(code), code=_FINAL[code])

    def _dispatch(self, message: Json) -> None:
        answer = self._pending.get(message.get("key", ""))
        if answer is None or answer.done():
            self._handler.handle(message)
        else:
            answer.set_result(message)

    def _fail_pending(self) -> None:
        for answer in self._pending.values():
            if not answer.done():
                answer.set_exception(ConnectionFailedError("the connection is lost"))


_FINAL = {
    4401: "account/no-token",
    4403: "account/scope",
    4404: "table/not-found",
    4426: "message/protocol",
}
"""Close codes after which reconnecting is pointless -> error code."""


@asynccontextmanager
async def open_connection(
    address: str, headers: Mapping[str, str], handler: MessageHandler
) -> AsyncIterator[Connection]:
    """Open a line. Raises LineError."""
    try:
        socket = await connect(address, additional_headers=dict(headers), max_size=None, proxy=None)
    except (OSError, InvalidHandshake, TimeoutError) as error:
        raise ConnectionFailedError(f"{address} can't be reached: {error}") from error
    try:
        yield Connection(socket, handler)
    finally:
        await socket.close()


def _lost(error: ConnectionClosed) -> ConnectionFailedError:
    return ConnectionFailedError(f"the connection is lost: {error}")
