"""Words from process to process: by HTTP and by Redis alike."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator

import pytest

from ekoes.server.cluster.bus import Word
from ekoes.server.cluster.by_redis import CHANNELS
from ekoes.server.cluster.heard import Heard
from ekoes.server.cluster.seal import Seal
from tests.apart import apart
from tests.services.redis import RedisServer, redis_server
from tests.unit.server.bus_ends import SEAL, End, ends


@pytest.fixture(scope="module")
def redis() -> Iterator[RedisServer]:
    with redis_server() as server:
        yield server


@pytest.fixture(params=["http", "redis", "either"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_what_is_said_is_heard_once_and_by_whom_it_is_for(kind: str, redis: RedisServer) -> None:
    async def talk() -> None:
        async with ends(kind, redis.url, "abc") as (one, other, third):
            assert await one.say(other, "Grüße")
            assert await other.say(one, "")
            assert (one.heard, other.heard, third.heard) == (["b news "], ["a news Grüße"], [])

    apart(talk())


def test_many_words_at_once_are_all_heard(kind: str, redis: RedisServer) -> None:
    async def talk() -> None:
        async with ends(kind, redis.url) as (one, other):
            said = [f"{number}" * 300 for number in range(50)]
            assert all(await asyncio.gather(*(one.say(other, text) for text in said)))
            assert sorted(other.heard) == sorted(f"a news {text}" for text in said)

    apart(talk())


def test_who_says_something_knows_whether_it_was_done(kind: str, redis: RedisServer) -> None:
    async def talk() -> None:
        async with ends(kind, redis.url) as (one, other):
            other.does = False
            assert not await one.say(other, "do it")
            assert not await one.bus.say(one.word("somebody before", "do it"), other.address)
            other.does = True
            assert await one.say(other, "do it")

    apart(talk())


def test_who_is_not_there_hears_nothing(kind: str, redis: RedisServer) -> None:
    async def talk() -> None:
        async with ends(kind, redis.url) as (one, other):
            await other.bus.stop()
            assert not await one.say(other, "anybody?")
            assert not await one.bus.say(one.word("b", "anybody?"), "127.0.0.1:1")
            assert other.heard == []

    apart(talk())


def test_redis_that_is_away_holds_up_nobody_and_is_used_when_it_is_back(redis: RedisServer) -> None:
    async def talk() -> None:
        async with ends("either", redis.url) as (one, other):
            for how in (signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP):
                (redis.send if how == signal.SIGSTOP else redis.stop)(how)
                assert await one.say(other, f"{how} away")
                if how == signal.SIGSTOP:
                    redis.send(signal.SIGCONT)
                else:
                    redis.start()
                await carried(redis, one, other)
            redis.flush()
            await carried(redis, one, other)

    apart(talk())


async def carried(redis: RedisServer, one: End, other: End) -> None:
    """Return when a word was answered by Redis."""
    with redis.client() as client, client.pubsub() as spy:
        spy.psubscribe("*")
        while True:
            assert await one.say(other, "back?")
            while message := spy.get_message(timeout=0.01):
                word = SEAL.open(message["data"]) if message["type"] == "pmessage" else None
                if word is not None and word.topic == "heard":
                    return
            await asyncio.sleep(0.05)


def published(redis: RedisServer, to: End, text: bytes) -> int:
    """Write something into a process's channel, as anybody can who reaches Redis. Returns: who has it."""
    with redis.client() as client:
        return int(client.publish(CHANNELS + to.address, text))


def test_who_writes_into_redis_without_the_key_orders_nothing(redis: RedisServer) -> None:
    async def talk() -> None:
        async with ends("redis", redis.url) as (one, other):
            word = one.word(other.name, "give it up")
            closed = SEAL.close(word)
            altered = closed[:40] + bytes([closed[40] ^ 1]) + closed[41:]
            for text in (
                b"",
                b"[]",
                b"\xff" * 99,
                f"{[*word]}".encode(),
                Seal(b"z" * 32).close(word),
                altered,
            ):
                assert published(redis, other, text) == 1
            assert await one.say(other, "last")
            assert other.heard == ["a news last"]

    apart(talk())


def test_nobody_can_answer_in_the_name_of_another(redis: RedisServer) -> None:
    async def talk() -> None:
        async with ends("redis", redis.url) as (one, other):
            other.does = False
            waiting = asyncio.create_task(one.say(other, "do it"))
            forged = Word("a", "b", other.address, 0, "heard", "done")
            while not waiting.done():
                published(redis, one, Seal(b"z" * 32).close(forged))
                await asyncio.sleep(0.01)
            assert not await waiting

    apart(talk())


def test_redis_reads_nothing_of_what_is_said(redis: RedisServer) -> None:
    async def talk() -> None:
        with redis.client() as client, client.pubsub() as spy:
            spy.psubscribe("*")
            async with ends("redis", redis.url) as (one, other):
                assert await one.say(other, "table abcdefgh")
            seen = []
            while message := spy.get_message(timeout=0.2):
                seen.append(message["data"])
        words = [word for text in seen if isinstance(text, bytes) and (word := SEAL.open(text))]
        assert {word.topic for word in words} == {"news", "heard"}
        assert not any(b"abcdefgh" in text for text in seen if isinstance(text, bytes))

    apart(talk())


def test_words_are_known_again_though_they_overtake_each_other() -> None:
    heard = Heard()
    for number in (3, 0, 2, 5):
        assert not heard.has("a", number)
        heard.note("a", number)
    assert [heard.has("a", number) for number in range(7)] == [True, False, True, True, False, True, False]
    assert not heard.has("b", 3)


def test_words_that_come_too_late_are_taken_for_heard() -> None:
    heard = Heard()
    heard.note("a", 0)
    heard.note("a", 5000)
    assert [heard.has("a", number) for number in (0, 1, 5000 - 1024, 5000 - 1023, 5001)] == [
        *(True, True, True),
        *(False, False),
    ]
