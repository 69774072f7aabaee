"""Processes that exchange messages through the Redis bus."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import count

from ekoes.server.cluster.redis import CHANNEL_PREFIX, Message, MessageCipher, RedisBus, RedisLink

__all__ = ["CIPHER", "End", "ends"]

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
