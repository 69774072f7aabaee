"""A web socket to a server: asks with keys, is answered by them, and hands on what comes besides."""

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

from ekoes.client.failures import LineError, refused
from ekoes.games.contract import Json

__all__ = ["PROTOCOL", "Hearer", "Line", "open_line"]

PROTOCOL = 2
"""The version that is spoken here."""


class Hearer(Protocol):
    """Who is told what comes."""

    def hear(self, message: Json) -> None:
        """Take a message that answers nothing."""


class Line:
    """One socket. Its keys are never used twice, by whatever program."""

    def __init__(self, socket: ClientConnection, hearer: Hearer) -> None:
        """Begin to ask. hearer: is told what answers nothing."""
        self._socket = socket
        self._hearer = hearer
        self._name = secrets.token_hex(8)
        self._numbers = itertools.count(1)
        self._asked: dict[str, asyncio.Future[Json]] = {}

    async def ask(self, kind: str, **content: Any) -> Json:  # noqa: ANN401 - JSON
        """Send a message and return its answer. Raises RefusedError, or LineError if the line is lost."""
        key = f"{self._name}-{next(self._numbers)}"
        answer = self._asked[key] = asyncio.get_running_loop().create_future()
        try:
            await self._socket.send(json.dumps({"type": kind, "key": key, **content}))
            told: Json = await answer
        except ConnectionClosed as error:
            raise _lost(error) from error
        finally:
            self._asked.pop(key, None)
        if told["type"] == "error":
            raise refused(told)
        return told

    async def send(self, kind: str) -> None:
        """Send a message that wants no answer of its own; nothing if the line is lost."""
        message = {"type": kind, "key": f"{self._name}-{next(self._numbers)}"}
        try:
            await self._socket.send(json.dumps(message))
        except ConnectionClosed:
            return

    async def listen(self) -> None:
        """Hear what comes until the line ends. Raises LineError where the server has closed it for good."""
        try:
            async for text in self._socket:
                self._hear(json.loads(text))
        except ConnectionClosed:
            pass
        finally:
            self._lose()
        code = self._socket.close_code or 0
        if code in _FOR_GOOD:
            raise LineError(self._socket.close_reason or str(code), code=_FOR_GOOD[code])

    def _hear(self, message: Json) -> None:
        answer = self._asked.get(message.get("key", ""))
        if answer is None or answer.done():
            self._hearer.hear(message)
        else:
            answer.set_result(message)

    def _lose(self) -> None:
        for answer in self._asked.values():
            if not answer.done():
                answer.set_exception(LineError("the line is lost"))


_FOR_GOOD = {
    4401: "account/no-token",
    4403: "account/scope",
    4404: "table/not-found",
    4426: "message/protocol",
}
"""How a server closes a line that it would close again."""


@asynccontextmanager
async def open_line(address: str, headers: Mapping[str, str], hearer: Hearer) -> AsyncIterator[Line]:
    """Open a line. Raises LineError."""
    try:
        socket = await connect(address, additional_headers=dict(headers), max_size=None, proxy=None)
    except (OSError, InvalidHandshake, TimeoutError) as error:
        raise LineError(f"{address} can't be reached: {error}") from error
    try:
        yield Line(socket, hearer)
    finally:
        await socket.close()


def _lost(error: ConnectionClosed) -> LineError:
    return LineError(f"the line is lost: {error}")
