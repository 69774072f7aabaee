"""Rate limits, open sockets, and counts in memory and in Redis, there together with others."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from itertools import count

import httpx
import pytest
from fastapi import FastAPI, Request
from limits import parse
from starlette.requests import HTTPConnection

from ekoes.errors import EkoesError, LimitError, TalkError
from ekoes.server.cluster.redis import RedisLink, shared_counters
from ekoes.server.http.policy import Quotas
from ekoes.server.http.requests import address_of
from ekoes.server.ops.limits import (
    HERE,
    MAX_CONNECTIONS_PER_ADDRESS,
    MAX_CONNECTIONS_PER_CREDENTIAL,
    Bucket,
    Count,
    Counter,
    Tempo,
)
from ekoes.server.realtime.sockets import OpenSockets, uvicorn_config
from tests.kit.loops import run_apart
from tests.services.redis import RedisServer, redis_server


def test_burst_is_free_and_what_follows_keeps_the_rate() -> None:
    bucket = Bucket(rate=10, burst=3, now=100)
    assert [bucket.wait(100) for _ in range(3)] == [0, 0, 0]
    assert [bucket.wait(100) for _ in range(3)] == pytest.approx([0.1, 0.2, 0.3])


def test_pause_fills_the_bucket_up_to_the_burst() -> None:
    bucket = Bucket(rate=10, burst=2, now=100)
    for _ in range(5):
        bucket.wait(100)
    assert bucket.wait(100.3) == pytest.approx(0.1)
    assert [bucket.wait(1100.3) for _ in range(3)] == pytest.approx([0, 0, 0.1])


class Ended:
    """A socket that notes why it was closed."""

    def __init__(self) -> None:
        self.why: tuple[int, str] | None = None

    def leave(self) -> None:
        """Nothing has been read here."""

    def end(self, code: int, reason: str) -> None:
        self.why = code, reason


def test_sockets_per_session_are_limited() -> None:
    lines = OpenSockets()
    with ExitStack() as stack:
        for _ in range(MAX_CONNECTIONS_PER_CREDENTIAL):
            stack.enter_context(lines.open("me", Ended(), "house"))
        with pytest.raises(LimitError) as refused, lines.open("me", Ended(), "house"):
            pass
        assert (refused.value.code, refused.value.wait) == ("limit/lines", 60)
        stack.enter_context(lines.open("you", Ended(), "house"))
        stack.enter_context(lines.open("me", Ended(), None))
    assert lines.number == 0
    with lines.open("me", Ended(), "house"):
        assert lines.number == 1


def test_sockets_per_address_are_limited() -> None:
    lines = OpenSockets()
    with ExitStack() as stack:
        for number in range(MAX_CONNECTIONS_PER_ADDRESS):
            stack.enter_context(lines.open(f"guest {number}", Ended(), "house"))
        with pytest.raises(LimitError), lines.open("one more", Ended(), "house"):
            pass
        stack.enter_context(lines.open("one more", Ended(), "elsewhere"))


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:0:1:2:3:4:5", "2001:db8:0:1::/64"),
        ("2001:db8:0:1::", "2001:db8:0:1::/64"),
        ("2001:db8:0:2::5", "2001:db8:0:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("127.0.0.1", None),
        ("::1", None),
        ("::ffff:127.0.0.1", None),
        ("testclient", "testclient"),
        ("", None),
    ],
)
def test_address_of_a_limit_is_the_network_of_ipv6(host: str, address: str | None) -> None:
    assert address_of(HTTPConnection({"type": "http", "client": (host, 1)})) == address


@pytest.mark.parametrize(
    ("trusted", "forwarded", "address"),
    [
        ("*", ["203.0.113.7"], "203.0.113.7"),
        ("*", ["127.0.0.1, 198.51.100.1, 203.0.113.7"], "203.0.113.7"),
        ("*", ["198.51.100.1", "203.0.113.7"], "203.0.113.7"),
        ("*", [], "192.0.2.1"),
        ("192.0.2.1,192.0.2.2", ["198.51.100.1, 203.0.113.7, 192.0.2.2"], "203.0.113.7"),
        ("192.0.2.2", ["203.0.113.7"], "192.0.2.1"),
    ],
)
@run_apart
async def test_visitor_does_not_choose_the_address_behind_a_proxy_that_appends(
    trusted: str, forwarded: list[str], address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = FastAPI()
    app.get("/")(address_of_request)
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", trusted)
    config = uvicorn_config(app)
    config.load()
    headers = [("X-Forwarded-For", hop) for hop in forwarded]
    proxy = httpx.ASGITransport(config.loaded_app, client=("192.0.2.1", 1))
    async with httpx.AsyncClient(transport=proxy, base_url="http://ekoes.example") as client:
        assert (await client.get("/", headers=headers)).json() == address


async def address_of_request(request: Request) -> str | None:
    """Answer with the address that limits count by."""
    return address_of(request)


def test_sockets_from_one_network_share_the_limit_of_an_address() -> None:
    lines = OpenSockets()
    with ExitStack() as stack:
        for number in range(MAX_CONNECTIONS_PER_ADDRESS):
            client = HTTPConnection({"type": "http", "client": (f"2001:db8::{number:x}", 1)})
            stack.enter_context(lines.open(f"guest {number}", Ended(), address_of(client)))
        one_more = address_of(HTTPConnection({"type": "http", "client": ("2001:db8::ffff", 1)}))
        with pytest.raises(LimitError), lines.open("one more", Ended(), one_more):
            pass


@run_apart
async def test_socket_over_the_limit_is_closed_unserved() -> None:
    lines, line, served = OpenSockets(), Ended(), list[bool]()

    async def service() -> None:
        served.append(True)

    with ExitStack() as stack:
        for _ in range(MAX_CONNECTIONS_PER_CREDENTIAL):
            stack.enter_context(lines.open("me", Ended(), "house"))
        await lines.serve("me", line, service(), "house")
    assert line.why == (1013, "limit/lines")
    assert served == []


TIMEOUT = "ekoes.server.cluster.redis._COMMAND_TIMEOUT"
THREE = (parse("3 per hour"),)
KEY = b"k" * 32
AWAY, BACK = "Redis unreachable: running without it", "Redis reconnected"


@pytest.fixture(scope="module")
def server() -> Iterator[RedisServer]:
    with redis_server() as server:
        yield server


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Redis may take longer on a busy machine; what it counts is to be seen here."""
    monkeypatch.setattr(TIMEOUT, 60)


@pytest.fixture(params=["memory", "redis"])
def url(request: pytest.FixtureRequest, server: RedisServer) -> str:
    server.flush()
    return server.url if request.param == "redis" else ""


@dataclass(frozen=True)
class Process:
    link: RedisLink | None
    count: Count

    @property
    def is_away(self) -> bool:
        return self.link is not None and not self.link.is_connected


@asynccontextmanager
async def process(url: str, key: bytes = KEY) -> AsyncIterator[Process]:
    """Run a process. url: of its Redis, if it has one."""
    if not url:
        yield Process(None, HERE)
        return
    link = RedisLink(url)
    await link.start()
    try:
        yield Process(link, shared_counters(link, key))
    finally:
        await link.stop()


async def tries(counter: Counter, number: int, whose: str = "ada") -> list[bool]:
    """Return which of some tries may be."""
    return [await counter.wait(THREE, whose) is None for _ in range(number)]


@run_apart
async def test_limit_counts_each_key_apart(url: str) -> None:
    async with process(url) as own:
        counter = own.count("asked")
        assert await tries(counter, 5) == [True] * 3 + [False] * 2
        wait = await counter.wait(THREE, "ada")
        assert wait is not None
        assert 0 < wait <= 3600
        assert await tries(counter, 1, "bob") == [True]
        assert await tries(own.count("talk"), 1) == [True]


@run_apart
async def test_first_exceeded_limit_applies(url: str) -> None:
    async with process(url) as own:
        counter, limits = own.count("asked"), (parse("2 per hour"), *THREE)
        assert [await counter.wait(limits, "ada") is None for _ in range(3)] == [True, True, False]


@run_apart
async def test_servers_count_together(server: RedisServer) -> None:
    server.flush()
    async with process(server.url) as one, process(server.url) as other:
        assert await tries(one.count("asked"), 2) == [True] * 2
        assert await tries(other.count("asked"), 2) == [True, False]
        assert await tries(one.count("asked"), 1) == [False]


@run_apart
async def test_redis_stores_no_address(server: RedisServer) -> None:
    server.flush()
    async with process(server.url) as own, process(server.url, b"another key") as stranger:
        assert await tries(own.count("asked"), 4, "203.0.113.7") == [True] * 3 + [False]
        assert await tries(stranger.count("asked"), 1, "203.0.113.7") == [True]
    with server.client() as client:
        keys = client.keys()
        assert len(keys) > 1
        assert not any(b"203.0.113.7" in key for key in keys)


@run_apart
async def test_flushed_redis_counts_from_zero(server: RedisServer) -> None:
    async with process(server.url) as own:
        counter = own.count("asked")
        server.flush()
        assert await tries(counter, 4) == [True] * 3 + [False]
        server.flush()
        assert await tries(counter, 4) == [True] * 3 + [False]
        assert not own.is_away


@pytest.mark.parametrize("fault", [signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP])
@run_apart
async def test_servers_count_locally_while_redis_is_unreachable(
    server: RedisServer,
    fault: signal.Signals,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server.flush()
    async with process(server.url) as one, process(server.url) as other:
        assert await tries(one.count("asked"), 3) == [True] * 3
        monkeypatch.setattr(TIMEOUT, 0.5)
        server.hurt(fault)
        for each in (one, other):
            assert await tries(each.count("asked"), 5, "bob") == [True] * 3 + [False] * 2
            assert each.is_away
        server.heal()
        monkeypatch.setattr(TIMEOUT, 60)
        while one.is_away or other.is_away:  # noqa: ASYNC110 - they look by themselves
            await asyncio.sleep(0.02)
        assert await tries(one.count("asked"), 2, "eve") == [True] * 2
        assert await tries(other.count("asked"), 2, "eve") == [True, False]
    messages = [record.getMessage() for record in caplog.records]
    assert set(messages) == {AWAY, BACK}
    assert messages.count(AWAY) == messages.count(BACK) > 1


@run_apart
async def test_cancelled_command_ends_wherever_it_waits(server: RedisServer) -> None:
    for steps in count():
        link = RedisLink(server.url)
        command = asyncio.create_task(link.run(partial(link.client.set, "a", 1)))
        for _ in range(steps):
            await asyncio.sleep(0)
        if command.done():
            break
        command.cancel()
        await asyncio.wait([command])
        assert command.cancelled(), steps
        await link.stop()
    await link.stop()


@run_apart
async def test_connections_that_close_slowly_do_not_prevent_the_stop(server: RedisServer) -> None:
    link = RedisLink(server.url)
    await link.start()
    for connection in link.client.connection_pool._available_connections:
        connection.socket_connect_timeout = 0
    await link.stop()


@run_apart
async def test_server_starts_without_its_redis() -> None:
    async with process("redis://127.0.0.1:1/0") as own:
        assert own.is_away
        assert await tries(own.count("asked"), 4) == [True] * 3 + [False]


@run_apart
async def test_full_redis_counts_as_unreachable(server: RedisServer) -> None:
    server.flush()
    async with process(server.url) as own:
        with server.client() as client:
            client.config_set("maxmemory", "1")
            assert await tries(own.count("asked"), 4) == [True] * 3 + [False]
            assert own.is_away
            client.config_set("maxmemory", "0")


@pytest.mark.parametrize("address", ["redis", "http://here", "redis://here:port/0", "redis://here/0?db=x"])
def test_invalid_redis_address_is_refused_without_its_password(address: str) -> None:
    with pytest.raises(EkoesError, match=r"^--redis") as refused:
        RedisLink(address)
    assert "here" not in str(refused.value)


@run_apart
async def test_cleared_key_is_counted_anew(url: str) -> None:
    async with process(url) as one:
        counter = one.count("tries")
        for _ in range(2):
            assert [await counter.wait(THREE, who) for who in ("ada", "bo", "ada", "ada")] == [None] * 4
            assert await counter.wait(THREE, "ada") is not None
            await counter.clear(THREE, "ada")
            await counter.clear(THREE, "bo")


@run_apart
async def test_strangers_use_up_no_chat_of_the_players() -> None:
    tempo = Tempo()
    for number in range(100):
        await tempo.line("t", f"stranger {number}", plays=False)
    with pytest.raises(TalkError):
        await tempo.line("t", "stranger 100", plays=False)
    await tempo.line("t", "ada", plays=True)


@run_apart
async def test_a_player_makes_ten_proposals_a_minute() -> None:
    tempo = Tempo()
    for _ in range(10):
        await tempo.aside("t", "ada", plays=True, proposes=True)
    with pytest.raises(LimitError) as refused:
        await tempo.aside("t", "ada", plays=True, proposes=True)
    assert refused.value.code == "limit/orders"
    await tempo.aside("t", "ada", plays=True, proposes=False)
    await tempo.aside("t", "bo", plays=True, proposes=True)


@run_apart
async def test_answers_that_come_faster_than_people_think_are_not_rated() -> None:
    quotas = Quotas()
    rated = [await quotas.may_rate(f"puzzle {number}", "here", "ada") for number in range(12)]
    assert rated == [True] * 10 + [False] * 2


@run_apart
async def test_first_answer_of_an_address_alone_is_rated_and_none_of_a_guest() -> None:
    quotas = Quotas()
    answers = [("here", None), ("here", "ada"), ("there", "bo"), ("there", "eve"), (None, "eve")]
    rated = [await quotas.may_rate("puzzle", address, user) for address, user in answers]
    assert rated == [False, False, True, False, True]
