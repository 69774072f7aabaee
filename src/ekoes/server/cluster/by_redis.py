"""Words by Redis: each process has one line to it, and listens at a channel with its own address."""

from __future__ import annotations

import asyncio
from typing import Final

from ekoes.server.cluster.bus import Hear, Word
from ekoes.server.cluster.seal import Seal
from ekoes.server.tasks import Errands
from ekoes.server.together.link import Link, RedisAwayError

__all__ = ["CHANNELS", "RedisBus"]

CHANNELS: Final = "ekoes:"
"""Begins the name of each channel; an address follows."""
_PATIENCE = 1.0
"""Seconds in which whoever hears a word has to say so."""
_LISTEN_AGAIN = 0.5
_HEARD = "heard"
"""The topic of a word that answers the one of its number. Its text is empty where nothing was done."""


class RedisBus:
    """Publishes a word, and waits until it is answered: what Redis takes may still be heard by nobody."""

    def __init__(self, link: Link, address: str, seal: Seal) -> None:
        """Begin without listening. address: of this process. seal: closes and opens words."""
        self._link = link
        self._address = address
        self._seal = seal
        self._waiting: dict[tuple[str, int], asyncio.Future[bool]] = {}
        self._errands = Errands("hearing by Redis")

    async def start(self, hear: Hear) -> None:
        """Have somebody hear what comes for this process, from now on."""
        self._errands.run(self._listen(hear))

    async def say(self, word: Word, address: str) -> bool:
        """Carry a word to an address. Returns: whether it was heard there, and done."""
        answered: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting[word.by, word.number] = answered
        try:
            if not await self._publish(word, address):
                return False
            async with asyncio.timeout(_PATIENCE):
                return await answered
        except TimeoutError:
            return False
        finally:
            del self._waiting[word.by, word.number]

    async def stop(self) -> None:
        """Carry nothing any more."""
        await self._errands.end()

    async def _publish(self, word: Word, address: str) -> bool:
        """Return whether somebody listens at an address."""
        text = self._seal.close(word)
        try:
            return bool(await self._link.ask(lambda: self._link.redis.publish(CHANNELS + address, text)))
        except RedisAwayError:
            return False

    async def _listen(self, hear: Hear) -> None:
        """Listen, and begin again where the line breaks. Whether Redis is there is told by the link."""
        while True:
            try:
                async with self._link.redis.pubsub() as channel:
                    await channel.subscribe(CHANNELS + self._address)
                    async for message in channel.listen():
                        if message["type"] == "message":
                            self._take(message["data"], hear)
            except self._link.failures:
                await asyncio.sleep(_LISTEN_AGAIN)

    def _take(self, text: bytes, hear: Hear) -> None:
        word = self._seal.open(text)
        if word is None:
            return
        if word.topic == _HEARD:
            answered = self._waiting.get((word.to, word.number))
            if answered is not None and not answered.done():
                answered.set_result(bool(word.text))
        else:
            self._errands.run(self._answer(word, hear))

    async def _answer(self, word: Word, hear: Hear) -> None:
        is_done = await hear(word)
        answer = Word(word.by, word.to, self._address, word.number, _HEARD, "done" if is_done else "")
        await self._publish(answer, word.back)
