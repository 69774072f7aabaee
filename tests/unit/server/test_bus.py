"""Messages from process to process: through Redis."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from time import monotonic

import pytest

from ekoes.server.cluster.redis import CHANNEL_PREFIX, Message, MessageCipher, ReplayWindow
from tests.kit.loops import run_apart
from tests.services.redis import RedisServer, redis_server
from tests.unit.server.bus_ends import CIPHER, End, ends


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
