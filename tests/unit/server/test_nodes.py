"""Nodes of a cluster: their heartbeats and time, messages through Redis, and requests passed to an owner."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from itertools import count
from threading import Event, Thread
from time import monotonic
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from ekoes.server.cluster.cluster_node import HeartbeatMonitor, cluster_clock
from ekoes.server.cluster.redis import (
    CHANNEL_PREFIX,
    Message,
    MessageCipher,
    RedisBus,
    RedisLink,
    ReplayWindow,
)
from ekoes.server.cluster.routing import HttpProxy, proxy_socket
from ekoes.storage.store import Store
from tests.kit.loops import run_apart
from tests.services.redis import RedisServer, redis_server

MINUTE = timedelta(minutes=1)


def on_the_wall() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)


@contextmanager
def beating(store: Store, address: str, clock: Callable[[], datetime | None]) -> Iterator[None]:
    """Run a node with a clock."""
    leases, ends = store.leases, Event()
    member = leases.join(address, clock())

    def beat() -> None:
        while not ends.wait(0.05):
            leases.beat(member, clock())

    thread = Thread(target=beat)
    thread.start()
    try:
        yield
    finally:
        ends.set()
        thread.join()


@pytest.mark.parametrize("ahead", [MINUTE, -MINUTE])
def test_new_node_continues_the_time_of_the_others(
    store: Store, ahead: timedelta, caplog: pytest.LogCaptureFixture
) -> None:
    theirs = on_the_wall() + ahead
    with beating(store, "a:1", lambda: theirs):
        clock = cluster_clock(store, timeout=60)
        assert theirs <= clock.now() < theirs + timedelta(seconds=30)
    assert "differs from the other processes" in caplog.text


def test_late_heartbeat_slows_no_clock(store: Store) -> None:
    with beating(store, "a:1", lambda: datetime.now(UTC) - timedelta(milliseconds=100)):
        clock = cluster_clock(store, timeout=60)
    wall = datetime.now(UTC)
    assert clock.now() >= wall - timedelta(milliseconds=2)


def test_killed_node_has_no_time(store: Store) -> None:
    ahead = on_the_wall() + MINUTE
    store.leases.join("a:1", ahead)
    assert cluster_clock(store, timeout=0.2).now() < ahead


def test_single_node_does_not_wait(store: Store) -> None:
    began = on_the_wall()
    assert began <= cluster_clock(store, timeout=3600).now() < began + MINUTE


def test_node_without_a_clock_has_no_time(store: Store) -> None:
    began = on_the_wall()
    with beating(store, "a:1", lambda: None):
        assert began <= cluster_clock(store, timeout=0.5).now() < began + MINUTE


def test_node_without_heartbeats_is_gone() -> None:
    monitor = HeartbeatMonitor(timeout=2.0, longest_gap=1.0)
    found = [monitor.silent({"a": look, "b": 1}, look * 0.5) for look in range(5)]
    assert found == [[], [], [], [], ["b"]]


def test_monitor_that_did_not_look_starts_afresh() -> None:
    monitor = HeartbeatMonitor(timeout=2.0, longest_gap=1.0)
    assert monitor.silent({"b": 1}, 0.0) == []
    assert monitor.silent({"b": 1}, 30.0) == []
    assert monitor.silent({"b": 1}, 31.0) == []
    assert monitor.silent({"b": 1}, 32.0) == ["b"]


def test_heartbeat_starts_the_timeout_again() -> None:
    monitor = HeartbeatMonitor(timeout=2.0, longest_gap=2.0)
    assert [monitor.silent({"b": beats}, now) for beats, now in ((1, 0), (1, 1.5), (2, 3), (2, 4.5))] == [
        []
    ] * 4


CIPHER = MessageCipher([b"k" * 32])


class End:
    """A process. received: its messages, in order. does: whether it handles them."""

    def __init__(self, name: str, bus: RedisBus, address: str) -> None:
        self.name, self.bus, self.address = name, bus, address
        self.received: list[str] = []
        self.does = True
        self._numbers = count()

    def message(self, to: str, text: str) -> Message:
        """Return a new message."""
        return Message(to, self.name, self.address, next(self._numbers), "news", text)

    async def publish(self, to: End, text: str) -> bool:
        """Send a message to another process."""
        return await self.bus.publish(self.message(to.name, text), to.address)

    async def handle(self, message: Message) -> bool:
        """Note a message."""
        self.received.append(f"{message.sender} {message.topic} {message.text}")
        return self.does and message.recipient == self.name


@asynccontextmanager
async def ends(url: str, names: str = "ab") -> AsyncIterator[list[End]]:
    """Let processes be connected. url: of a Redis."""
    async with AsyncExitStack() as open_now:
        yield [
            await open_now.enter_async_context(_end(name, f"127.0.0.1:{port}", url))
            for port, name in enumerate(names, 1)
        ]


@asynccontextmanager
async def _end(name: str, address: str, url: str) -> AsyncIterator[End]:
    link = RedisLink(url)
    bus = RedisBus(link, address, CIPHER)
    end = End(name, bus, address)
    await link.start()
    await bus.start(end.handle)
    try:
        while not (await link.client.pubsub_numsub(CHANNEL_PREFIX + address))[0][1]:  # noqa: ASYNC110 - Redis can't be waited for
            await asyncio.sleep(0.01)
        yield end
    finally:
        await bus.stop()
        await link.stop()


@pytest.fixture(scope="module")
def redis() -> Iterator[RedisServer]:
    with redis_server() as server:
        yield server


@run_apart
async def test_message_is_received_once_by_its_recipient(redis: RedisServer) -> None:
    async with ends(redis.url, "abc") as (one, other, third):
        assert await one.publish(other, "Grüße")
        assert await other.publish(one, "")
        assert (one.received, other.received, third.received) == (["b news "], ["a news Grüße"], [])


@run_apart
async def test_many_messages_at_once_all_arrive(redis: RedisServer) -> None:
    async with ends(redis.url) as (one, other):
        said = [f"{number}" * 300 for number in range(50)]
        assert all(await asyncio.gather(*(one.publish(other, text) for text in said)))
        assert sorted(other.received) == sorted(f"a news {text}" for text in said)


@run_apart
async def test_sender_knows_whether_a_message_was_handled(redis: RedisServer) -> None:
    async with ends(redis.url) as (one, other):
        other.does = False
        assert not await one.publish(other, "do it")
        assert not await one.bus.publish(one.message("somebody before", "do it"), other.address)
        other.does = True
        assert await one.publish(other, "do it")


@run_apart
async def test_stopped_process_receives_nothing(redis: RedisServer) -> None:
    async with ends(redis.url) as (one, other):
        await other.bus.stop()
        assert not await one.publish(other, "anybody?")
        assert not await one.bus.publish(one.message("b", "anybody?"), "127.0.0.1:1")
        assert other.received == []


@run_apart
async def test_publish_fails_fast_while_redis_is_away_and_works_again_after(redis: RedisServer) -> None:
    async with ends(redis.url) as (one, other):
        for how in (signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP):
            redis.hurt(how)
            began = monotonic()
            assert not await one.publish(other, f"{how} away")
            assert monotonic() - began < 30, "it does not wait until Redis is back"
            redis.heal()
            await carried(redis, one, other)
        redis.flush()
        await carried(redis, one, other)


async def carried(redis: RedisServer, one: End, other: End) -> None:
    """Return when a word was answered by Redis."""
    with redis.client() as client, client.pubsub() as spy:
        spy.psubscribe("*")
        while True:
            await one.publish(other, "back?")
            while message := spy.get_message(timeout=0.01):
                word = CIPHER.decrypt(message["data"]) if message["type"] == "pmessage" else None
                if word is not None and word.topic == "ack":
                    return
            await asyncio.sleep(0.05)


def published(redis: RedisServer, to: End, text: bytes) -> int:
    """Publish to a process's channel, as anyone can who reaches Redis. Returns: the number of receivers."""
    with redis.client() as client:
        return int(client.publish(CHANNEL_PREFIX + to.address, text))


@run_apart
async def test_messages_without_the_key_are_ignored(redis: RedisServer) -> None:
    async with ends(redis.url) as (one, other):
        word = one.message(other.name, "give it up")
        closed = CIPHER.encrypt(word)
        altered = closed[:40] + bytes([closed[40] ^ 1]) + closed[41:]
        for text in (
            b"",
            b"[]",
            b"\xff" * 99,
            f"{[*word]}".encode(),
            MessageCipher([b"z" * 32]).encrypt(word),
            altered,
        ):
            assert published(redis, other, text) == 1
        assert await one.publish(other, "last")
        assert other.received == ["a news last"]


@run_apart
async def test_acknowledgement_cannot_be_forged(redis: RedisServer) -> None:
    async with ends(redis.url) as (one, other):
        other.does = False
        waiting = asyncio.create_task(one.publish(other, "do it"))
        forged = Message("a", "b", other.address, 0, "ack", "done")
        while not waiting.done():
            published(redis, one, MessageCipher([b"z" * 32]).encrypt(forged))
            await asyncio.sleep(0.01)
        assert not await waiting


@run_apart
async def test_redis_can_read_no_message(redis: RedisServer) -> None:
    with redis.client() as client, client.pubsub() as spy:
        spy.psubscribe("*")
        async with ends(redis.url) as (one, other):
            assert await one.publish(other, "table abcdefgh")
        topics = set[str]()
        while topics != {"news", "ack"}:
            text = (spy.get_message(timeout=60) or {})["data"]
            if isinstance(text, bytes) and (word := CIPHER.decrypt(text)):
                topics.add(word.topic)
                assert b"abcdefgh" not in text


def numbered(number: int, sender: str = "a") -> Message:
    return Message("b", sender, "", number, "news", "")


def test_window_knows_messages_that_overtake_each_other() -> None:
    window = ReplayWindow()
    for number in (3, 0, 2, 5):
        assert numbered(number) not in window
        window.add(numbered(number))
    seen = [number for number in range(7) if numbered(number) in window]
    assert seen == [0, 2, 3, 5]
    assert numbered(3, sender="b") not in window


def test_window_takes_late_messages_as_seen() -> None:
    window = ReplayWindow()
    window.add(numbered(0))
    window.add(numbered(5000))
    seen = [number for number in (0, 1, 5000 - 1024, 5000 - 1023, 5001) if numbered(number) in window]
    assert seen == [0, 1, 5000 - 1024]


BODY = b'{"code":"limit/lines"}'
SCOPE: dict[str, Any] = {"headers": [], "raw_path": b"/api/tables/t/socket", "query_string": b"protocol=3"}


def too_many(_line: ServerConnection, _request: Request) -> Response:
    headers = Headers({"Content-Type": "application/json", "Retry-After": "7", "Server": "owner"})
    return Response(HTTPStatus.TOO_MANY_REQUESTS, "Too Many Requests", headers, BODY)


@run_apart
async def test_refusal_comes_with_its_status_its_reason_and_the_time_to_wait() -> None:
    messages: list[Any] = []

    async def send(message: Any) -> None:
        messages.append(message)

    async def talk(line: ServerConnection) -> None:
        await line.wait_closed()

    async with serve(talk, "127.0.0.1", 0, process_request=too_many) as owner:
        host, port = owner.sockets[0].getsockname()[:2]
        await proxy_socket(f"{host}:{port}", "sealed", SCOPE, send, asyncio.Event())
    start, body = messages
    assert start["type"] == "websocket.http.response.start"
    assert start["status"] == HTTPStatus.TOO_MANY_REQUESTS
    assert dict(start["headers"]) == {b"content-type": b"application/json", b"retry-after": b"7"}
    assert body["body"] == BODY


@run_apart
async def test_request_whose_owner_ends_gets_503_and_is_not_repeated() -> None:
    requests, messages = 0, list[Any]()

    async def end(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal requests
        requests += 1
        await reader.readuntil(b"\r\n\r\n")
        writer.transport.abort()

    async def receive() -> Any:
        await asyncio.Event().wait()

    async def send(message: Any) -> None:
        messages.append(message)

    scope = {**SCOPE, "type": "http", "method": "POST"}
    async with await asyncio.start_server(end, "127.0.0.1", 0) as owner:
        host, port = owner.sockets[0].getsockname()[:2]
        await HttpProxy().serve(f"{host}:{port}", "signed", scope, b"{}", receive, send, asyncio.Event())
    start, body = messages
    assert requests == 1, "the order may be stored"
    assert start["status"] == HTTPStatus.SERVICE_UNAVAILABLE
    assert json.loads(body["body"])["code"] == "server/no-owner"
