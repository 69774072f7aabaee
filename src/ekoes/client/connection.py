"""A WebSocket to a server: sends requests with keys, matches the answers, passes on other messages.

A server refuses (``RefusedError``), or the connection fails (``ConnectionFailedError``).
"""

from __future__ import annotations

import asyncio
import itertools
import json
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from ekoes.errors import EkoesError
from ekoes.games.api.contract import Json

LOST = "connection/lost"


class RefusedError(EkoesError):
    """The server refused a request; ``code`` says why.

    retry_after: seconds until the request may be repeated. scope: what the token would have to allow.
    """

    def __init__(self, message: str, *, code: str) -> None:
        super().__init__(message, code=code)
        self.retry_after: int | None = None
        self.scope: str | None = None


class ConnectionFailedError(EkoesError):
    """The server can't be reached (``LOST``), or has closed the connection for good (any other code)."""

    def __init__(self, message: str, *, code: str = LOST) -> None:
        super().__init__(message, code=code)


def refusal_from(answer: Json) -> RefusedError:
    """Return the error for a refusal sent by a server."""
    error = RefusedError(str(answer.get("message", "")), code=str(answer.get("code", "error")))
    error.rule, error.key = answer.get("rule"), answer.get("field")  # the message names them already
    error.retry_after, error.scope = answer.get("retry_after"), answer.get("scope")
    return error


class Connection:
    """One socket. Its keys are unique across all clients; ``handle`` gets what answers no request."""

    def __init__(self, socket: ClientConnection, handle: Callable[[Json], None]) -> None:
        self._socket = socket
        self._handle = handle
        self._name = secrets.token_hex(8)
        self._numbers = itertools.count(1)
        self._pending: dict[str, asyncio.Future[Json]] = {}

    async def ask(self, kind: str, **content: Any) -> Json:  # noqa: ANN401 - JSON
        """Send a message and return its answer. Raises RefusedError or ConnectionFailedError."""
        key = f"{self._name}-{next(self._numbers)}"
        answer = self._pending[key] = asyncio.get_running_loop().create_future()
        try:
            await self._socket.send(json.dumps({"type": kind, "key": key, **content}))
            reply: Json = await answer
        except ConnectionClosed as error:
            raise ConnectionFailedError(f"the connection is lost: {error}") from error
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
        """Receive messages until the connection ends. Raises ConnectionFailedError if it ended for good."""
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
            self._handle(message)
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
    address: str, headers: Mapping[str, str], handle: Callable[[Json], None]
) -> AsyncIterator[Connection]:
    """Open a connection. Raises ConnectionFailedError."""
    try:
        socket = await connect(address, additional_headers=dict(headers), max_size=None, proxy=None)
    except (OSError, InvalidHandshake, TimeoutError) as error:
        raise ConnectionFailedError(f"{address} can't be reached: {error}") from error
    try:
        yield Connection(socket, handle)
    finally:
        await socket.close()
