"""Requests that do not come to their end: a real server, real sockets, and an application of a few lines."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

import httpx
import pytest
import uvicorn
from websockets.sync.client import connect

from ekoes.server.http.middleware import SecurityHeaders
from ekoes.server.realtime.connection import Socket
from ekoes.server.realtime.sockets import Requests

HEAD = b"POST / HTTP/1.1\r\nhost: here\r\ncontent-length: 4\r\n"
WHOLE = HEAD + b"\r\n1234"


class Hasty(Requests):
    """Waits for a moment."""

    patience = 0.3


@contextmanager
def served(application: Any, **wishes: Any) -> Iterator[int]:
    """Serve an application in a thread; yield the port. wishes: how uvicorn is to do it."""
    server = uvicorn.Server(uvicorn.Config(application, lifespan="off", log_level="error", **wishes))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


@pytest.fixture
def heard() -> list[bytes]:
    """What the application was asked."""
    return []


@pytest.fixture
def port(heard: list[bytes]) -> Iterator[int]:
    """A server that answers whatever it is asked."""

    async def application(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.accept"})
            scope["state"]["line"].listen(scope["state"]["line"].send_text)
            await scope["state"]["line"].ended()
            return
        heard.append((await receive())["body"])
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body", "body": b""})

    with served(SecurityHeaders(application), http=Hasty, ws=Socket) as port:
        yield port


def answers(line: socket.socket) -> list[bytes]:
    """Read to the end; return the status lines."""
    line.settimeout(30)
    text = b""
    while part := line.recv(4096):
        text += part
    return [row for row in text.split(b"\r\n") if row.startswith(b"HTTP/1.1")]


LATE = b"HTTP/1.1 408 Request Timeout"


@pytest.mark.parametrize("said", [b"", b"GET / HT", HEAD, HEAD + b"\r\n12"])
def test_half_a_request_is_dropped(port: int, heard: list[bytes], said: bytes) -> None:
    with socket.create_connection(("127.0.0.1", port)) as line:
        line.sendall(said)
        assert answers(line) == [LATE]
    assert heard == []


def test_half_a_request_behind_a_whole_one_is_dropped(port: int, heard: list[bytes]) -> None:
    with socket.create_connection(("127.0.0.1", port)) as line:
        line.sendall(WHOLE + HEAD)
        assert answers(line) == [b"HTTP/1.1 200 OK", LATE]
    assert heard == [b"1234"]


def test_web_socket_is_no_request_that_is_late(port: int) -> None:
    with connect(f"ws://127.0.0.1:{port}", proxy=None) as line:
        with socket.create_connection(("127.0.0.1", port)) as other:
            assert answers(other) == [LATE]
        line.send("still here")
        assert line.recv(timeout=30) == "still here"


@pytest.mark.parametrize("loop", ["auto", "asyncio"])
def test_an_answer_does_not_wait_for_the_one_before_it(loop: Any) -> None:
    """Whatever loop serves: asyncio's leaves it off where others have opened the listening socket."""
    found: list[int] = []

    class Looking(Requests):
        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            line = transport.get_extra_info("socket")
            found.append(line.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

    async def application(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body", "body": b""})

    with served(application, loop=loop, http=Looking) as port:
        assert httpx.get(f"http://127.0.0.1:{port}/").status_code == 200
    assert found != []
    assert 0 not in found
