"""Sockets and requests at a real server with an application of a few lines; and mailboxes."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

import httpx
import pytest
import uvicorn
from websockets.exceptions import ConnectionClosed, ConnectionClosedError, InvalidStatus
from websockets.frames import Frame, Opcode
from websockets.sync.client import ClientConnection, connect

from ekoes.server.http.middleware import SecurityHeaders
from ekoes.server.realtime.connection import BEAT, HEARTBEAT_TIMEOUT, LARGE, Socket
from ekoes.server.realtime.sockets import Requests

Use = Callable[[Socket], Awaitable[None]]


QUIET: dict[str, Any] = {"ws": Socket, "log_config": None}


@contextmanager
def connected(use: Use, patience: int | None = None) -> Iterator[ClientConnection]:
    """Connect to a server whose application handles each socket with a function.

    patience: seconds that it has when the server goes.
    """

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        await use(scope["state"]["socket"])

    with (
        serving(application, **QUIET, timeout_graceful_shutdown=patience) as (_, port),
        connect(f"ws://127.0.0.1:{port}", proxy=None) as client,
    ):
        yield client


@contextmanager
def serving(application: Any, **wishes: Any) -> Iterator[tuple[uvicorn.Server, int]]:
    """Let a server serve an application in a thread. Yields: it, and its port. wishes: how it serves."""
    server = uvicorn.Server(uvicorn.Config(application, lifespan="off", log_level="error", **wishes))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield server, listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


def closed_with(client: ClientConnection) -> tuple[int, int]:
    """Read to the end; return how many messages came, and the code."""
    came: list[str | bytes] = []
    with pytest.raises(ConnectionClosedError) as closed:
        came.extend(client)
    assert closed.value.rcvd is not None
    return len(came), closed.value.rcvd.code


def test_client_that_does_not_read_is_disconnected() -> None:
    sent, over = 0, Event()

    async def flood(line: Socket) -> None:
        nonlocal sent
        ended = asyncio.create_task(line.ended())
        while not ended.done():
            line.send_text("x" * (LARGE - 1))
            sent += 1
            await asyncio.sleep(0)
        over.set()

    with connected(flood) as client:
        over.wait()
        count, code = closed_with(client)
    assert code == 1013
    assert 0 < count <= sent


@pytest.mark.parametrize("beats", [True, False])
def test_page_whose_heartbeat_stops_is_disconnected_although_its_browser_answers_pings(beats: bool) -> None:
    came = Event()

    async def take(line: Socket) -> None:
        line.listen(lambda _: came.set())
        await asyncio.to_thread(came.wait)
        for seconds in (HEARTBEAT_TIMEOUT - 1, 2):
            if line.heard_at is not None:
                line.heard_at -= seconds
            line.sent_at -= seconds
            line.send_keepalive_ping()
        if not line.close_sent:
            line.end(1000, "still there")
        await line.ended()

    with connected(take) as client:
        client.send(BEAT if beats else "an order")
        with pytest.raises(ConnectionClosed) as closed:
            client.recv()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.reason == ("silent" if beats else "still there")


def test_early_messages_are_received_in_order() -> None:
    received: list[str | None] = []
    said = Event()

    async def listen_late(line: Socket) -> None:
        await asyncio.to_thread(said.wait)
        line.listen(received.append)
        await line.ended()

    with connected(listen_late) as client:
        for number in range(500):
            client.send(str(number))
            if number == 100:
                said.set()
        client.send(b"no text")
    assert received == [*map(str, range(500)), None]


def test_paused_socket_is_not_read() -> None:
    reads_on: list[bool] = []
    over = Event()

    async def listen_late(line: Socket) -> None:
        while line.transport.is_reading():  # noqa: ASYNC110 - nothing else tells that something came
            await asyncio.sleep(0)
        line.listen(lambda _: line.pause())
        reads_on.append(line.transport.is_reading())
        over.set()
        line.resume()
        await line.ended()

    with connected(listen_late) as client:
        client.send("early")
        over.wait()
    assert reads_on == [False]


def test_socket_is_served_after_the_application_returned() -> None:
    received: list[str | None] = []

    async def hand_over(line: Socket) -> None:
        async def served() -> None:
            assert dict(line.scope) == {}  # nothing of the application's request stays
            line.send_text("served")
            line.listen(received.append)
            await line.ended()

        line.serve(served())

    with connected(hand_over) as client:
        assert client.recv() == "served"
        client.send("so it is")
    assert received == ["so it is"]


def empty_frame(head: int) -> bytes:
    """Return a client's frame without content. head: its first byte, with the opcode."""
    return bytes([head, 0x80]) + bytes(4)


@pytest.mark.parametrize("head", [0x89, 0x8A, 0x00], ids=["ping", "pong", "continuation"])
def test_flood_of_frames_without_messages_closes_the_socket(head: int) -> None:
    async def end_at_a_message(line: Socket) -> None:
        line.listen(lambda _: line.end(4000, "all was read"))
        await line.ended()

    with connected(end_at_a_message) as client:
        first = b"" if head else empty_frame(0x01)
        last = empty_frame(0x81 if head else 0x80)
        client.socket.sendall(first + empty_frame(head) * 300 + last)
        assert closed_with(client)[1] == 1008


def test_frames_that_arrive_at_once_let_others_have_their_turn() -> None:
    most, sent = 0, 5000

    async def count(line: Socket) -> None:
        nonlocal most
        received: list[str | None] = []
        line.listen(received.append)
        while len(received) < sent:
            before = len(received)
            await asyncio.sleep(0)
            most = max(most, len(received) - before)
        line.end(4000, "all was read")

    with connected(count) as client:
        client.socket.sendall(empty_frame(0x81) * sent)
        assert closed_with(client) == (0, 4000)
    assert 0 < most < 400


def test_shortest_of_the_latest_round_trips_counts() -> None:
    seen: list[float] = []

    async def measure(line: Socket) -> None:
        for seconds in (900, 100, *[900] * 7, 900):
            line.send_keepalive_ping()
            line.ping_sent_at -= seconds
            pong = line.pending_ping_payload
            line.handle_pong(Frame(Opcode.PONG, b"another"))
            line.handle_pong(Frame(Opcode.PONG, pong or b""))
            seen.append(round(line.round_trip, -2))
        line.end(4000, "measured")

    with connected(measure) as client:
        assert closed_with(client)[1] == 4000
    assert seen == [900, *[100] * 8, 900]


def test_invalid_utf8_closes_the_socket() -> None:
    received: list[str | None] = []

    async def listen(line: Socket) -> None:
        line.listen(received.append)
        await line.ended()

    with connected(listen) as client:
        client.send(b"\xff", text=True)
        assert closed_with(client) == (0, 1007)
    assert received == []


def test_socket_cut_off_at_shutdown_is_logged_without_traceback(caplog: pytest.LogCaptureFixture) -> None:
    async def wait_for_what_never_comes(line: Socket) -> None:
        line.serve(asyncio.Event().wait())  # type: ignore[arg-type] # nobody asks for what it returns

    with connected(wait_for_what_never_comes, patience=1):
        pass
    assert "connection cut off" in caplog.text
    assert "Traceback" not in caplog.text


def test_socket_cut_off_before_acceptance_gets_503(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def application(scope: Any, receive: Any, send: Any) -> None:
        await asyncio.Event().wait()

    with (
        serving(application, **QUIET, timeout_graceful_shutdown=1) as (server, port),
        ThreadPoolExecutor(1) as thread,
    ):
        come = thread.submit(connect, f"ws://127.0.0.1:{port}", proxy=None)
        while not server.server_state.tasks:
            time.sleep(0.01)
        server.should_exit = True
        with pytest.raises(InvalidStatus, match="503") as refused:
            come.result()
    assert refused.value.response.headers["Retry-After"] == "1"
    assert "Traceback" not in caplog.text


HEAD = b"POST / HTTP/1.1\r\nhost: here\r\ncontent-length: 4\r\n"
WHOLE = HEAD + b"\r\n1234"


class Hasty(Requests):
    """Waits for a moment."""

    patience = 0.3


@pytest.fixture
def received() -> list[bytes]:
    """What the application was asked."""
    return []


@pytest.fixture
def port(received: list[bytes]) -> Iterator[int]:
    """A server that answers whatever it is asked."""

    async def application(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.accept"})
            scope["state"]["socket"].listen(scope["state"]["socket"].send_text)
            await scope["state"]["socket"].ended()
            return
        received.append((await receive())["body"])
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body", "body": b""})

    with serving(SecurityHeaders(application), http=Hasty, ws=Socket) as (_, port):
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
def test_half_a_request_is_dropped(port: int, received: list[bytes], said: bytes) -> None:
    with socket.create_connection(("127.0.0.1", port)) as line:
        line.sendall(said)
        assert answers(line) == [LATE]
    assert received == []


def test_half_a_request_behind_a_whole_one_is_dropped(port: int, received: list[bytes]) -> None:
    with socket.create_connection(("127.0.0.1", port)) as line:
        line.sendall(WHOLE + HEAD)
        assert answers(line) == [b"HTTP/1.1 200 OK", LATE]
    assert received == [b"1234"]


def test_websocket_does_not_time_out_as_a_request(port: int) -> None:
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

    with serving(application, loop=loop, http=Looking) as (_, port):
        assert httpx.get(f"http://127.0.0.1:{port}/").status_code == 200
    assert found != []
    assert 0 not in found
