"""A line that is passed on, frame by frame, to who answers it: its end at the door, and that at the owner."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from http import HTTPStatus

from starlette.types import Scope, Send
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.http11 import Response

from ekoes.server.cluster.request import AwayError
from ekoes.server.cluster.seal import HEADER
from ekoes.server.wire import RESTARTS, WebSockets

__all__ = ["Relayed", "serve_line"]

_PASSED_ON = (b"cookie", b"origin", b"authorization", b"user-agent", b"accept-language")
_ABOUT = "\0"
"""Begins what one process tells the other, and no message that anybody reads."""
_TOLD = ("content-type", "retry-after", "www-authenticate")
"""Headers of a refusal that its reader needs."""
_OPENS_IN = 2.0
_UNSENT = 16


async def serve_line(address: str, header: str, scope: Scope, send: Send, gone: asyncio.Event) -> None:
    """Let a line in if whoever is at an address does, and pass it on.

    gone: is set when whoever is there is gone. Raises: AwayError.
    """
    try:
        onward = await _opened(address, header, scope)
    except InvalidStatus as error:
        if error.response.status_code == HTTPStatus.MISDIRECTED_REQUEST:
            raise AwayError from error
        await _refuse(error.response, send)
        return
    except (OSError, EOFError, InvalidHandshake) as error:  # a timeout is an OSError
        raise AwayError from error
    response = onward.response
    cookies = [] if response is None else response.headers.get_all("set-cookie")
    await send({"type": "websocket.accept", "headers": [(b"set-cookie", one.encode()) for one in cookies]})
    line: WebSockets = scope["state"]["line"]
    line.serve(_passed_on(line, onward, gone))


async def _refuse(answer: Response, send: Send) -> None:
    """Refuse a line as who was asked has refused it: with the same status, reason, and time to wait."""
    headers = [(name.encode(), answer.headers[name].encode()) for name in _TOLD if name in answer.headers]
    start = {"type": "websocket.http.response.start", "status": answer.status_code, "headers": headers}
    await send(start)
    await send({"type": "websocket.http.response.body", "body": answer.body or b""})


async def _opened(address: str, header: str, scope: Scope) -> ClientConnection:
    """Open a line to an address as a visitor has opened theirs."""
    known = dict(scope["headers"])
    headers = [(name.decode(), known[name].decode("latin-1")) for name in _PASSED_ON if name in known]
    headers.append((HEADER.decode(), header))
    target = scope["raw_path"].decode() + "?" + scope["query_string"].decode()
    return await connect(
        f"ws://{address}{target}",
        additional_headers=headers,
        user_agent_header=None,
        compression=None,
        max_size=None,
        open_timeout=_OPENS_IN,
        ping_interval=None,
        proxy=None,
    )


async def _passed_on(line: WebSockets, onward: ClientConnection, gone: asyncio.Event) -> None:
    """Pass on what comes from either end until one of them ends, or whoever answers is gone."""
    ends = [
        asyncio.create_task(_carry_in(line, onward)),
        asyncio.create_task(_carry_out(line, onward)),
        asyncio.create_task(line.ended()),
        asyncio.create_task(gone.wait()),
    ]
    try:
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        said = onward.protocol.close_rcvd  # None: it was cut off
        line.end(*(RESTARTS, "moved") if said is None else (said.code, said.reason))
    finally:
        for task in ends:
            task.cancel()
        await asyncio.gather(*ends, return_exceptions=True)
        if gone.is_set():
            onward.transport.abort()
        await onward.close()


async def _carry_in(line: WebSockets, onward: ClientConnection) -> None:
    """Pass on what a visitor says, and how far away they are whenever that has changed."""
    waiting: asyncio.Queue[str | None] = asyncio.Queue()

    def hear(text: str | None) -> None:
        waiting.put_nowait(text)
        if waiting.qsize() >= _UNSENT:
            line.pause()

    line.listen(hear)
    told = 0.0
    while True:
        text = await waiting.get()
        if waiting.empty():
            line.resume()
        if line.round_trip != told:
            told = line.round_trip
            await onward.send(f"{_ABOUT}{told}")
        await onward.send(b"" if text is None else text.lstrip(_ABOUT))


async def _carry_out(line: WebSockets, onward: ClientConnection) -> None:
    """Pass on what a visitor is told."""
    try:
        while True:
            line.send_text(await onward.recv(decode=True))
    except ConnectionClosed:
        return


class Relayed:
    """A line that comes from another process: tells how far away the visitor is, not that process."""

    def __init__(self, line: WebSockets) -> None:
        """Stand for a line of this process."""
        self.serve = line.serve
        self.pause = line.pause
        self.resume = line.resume
        self.send_text = line.send_text
        self.send_shared = line.send_shared
        self.end = line.end
        self.ended = line.ended
        self.leave = line.leave
        self.round_trip = 0.0
        self._line = line

    def listen(self, hear: Callable[[str | None], None], leave: Callable[[], None]) -> None:
        """Tell somebody each message as soon as its bytes are read; None: it is no text."""

        def sort_out(text: str | None) -> None:
            if text is not None and text.startswith(_ABOUT):
                self.round_trip = float(text[len(_ABOUT) :])
            else:
                hear(text)

        self._line.listen(sort_out, leave)
