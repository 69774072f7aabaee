"""Messages between processes, through Redis: encrypted, acknowledged, and handled once."""

from __future__ import annotations

import asyncio
import json
from base64 import urlsafe_b64encode
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, NamedTuple

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from ekoes.server.cluster.redis import RedisAwayError, RedisLink
from ekoes.server.ops.tasks import Errands

CHANNEL_PREFIX: Final = "ekoes:"
"""A process subscribes to the channel of its address."""
_ACK_TIMEOUT = 1.0
_RECONNECT_DELAY = 0.5
_ACK = "ack"
"""The topic that acknowledges the message of its number; the text is empty if that was not handled."""
_REPLAY_WINDOW = 1024
"""How many later messages of a sender may overtake one; it is dropped if there are more."""


class Message(NamedTuple):
    """A message between processes. It holds ids only, and nothing that is hidden from a user.

    recipient, sender: ids of cluster nodes. reply_to: the sender's address. number: unique for the sender.
    """

    recipient: str
    sender: str
    reply_to: str
    number: int
    topic: str
    text: str


Handler = Callable[[Message], Awaitable[bool]]
"""Returns whether the message was meant for this process, and was handled."""


class MessageCipher:
    """Encrypts and authenticates messages with keys derived from the servers' secret keys."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        """Encrypt with the last key, decrypt with any."""
        self._fernet = MultiFernet([Fernet(_derived(key)) for key in reversed(keys)])

    def encrypt(self, message: Message) -> bytes:
        """Return a message that only a process with the key can read or write."""
        return self._fernet.encrypt(json.dumps(message).encode())

    def decrypt(self, data: bytes) -> Message | None:
        """Return the message, None if no process with the key has written it."""
        try:
            return Message(*json.loads(self._fernet.decrypt(data)))
        except (InvalidToken, TypeError):
            return None


def _derived(key: bytes) -> bytes:
    """Derive a key for messages only: the given one also signs cookies."""
    return urlsafe_b64encode(HKDF(SHA256(), 32, salt=None, info=b"ekoes.message").derive(key))


class ReplayWindow:
    """Remembers the numbers of messages, so that one that arrives twice is handled once.

    Source: RFC 4303, 3.4.3 (the anti-replay window of IPsec).
    """

    def __init__(self) -> None:
        self._windows: dict[str, tuple[int, int]] = {}
        """Sender -> the highest number, and a bit for each number below it that was seen."""

    def __contains__(self, message: Message) -> bool:
        """Return whether a message was seen, or is too old to know."""
        newest, bits = self._windows.get(message.sender, (-1, 0))
        age = newest - message.number
        return age >= _REPLAY_WINDOW or (age >= 0 and bool(bits >> age & 1))

    def add(self, message: Message) -> None:
        """Note a message that was not seen before."""
        newest, bits = self._windows.get(message.sender, (-1, 0))
        if message.number > newest:
            shifted = bits << min(message.number - newest, _REPLAY_WINDOW)
            self._windows[message.sender] = message.number, (shifted | 1) & ((1 << _REPLAY_WINDOW) - 1)
        else:
            self._windows[message.sender] = newest, bits | 1 << (newest - message.number)


class RedisBus:
    """Publishes messages and waits for acknowledgements: Redis may accept one that no process receives."""

    def __init__(self, link: RedisLink, address: str, cipher: MessageCipher) -> None:
        """Does not subscribe yet. address: of this process."""
        self._link = link
        self._address = address
        self._cipher = cipher
        self._unacknowledged: dict[tuple[str, int], asyncio.Future[bool]] = {}
        self._tasks = Errands("redis bus")

    async def start(self, handle: Handler) -> None:
        """Handle the messages to this process from now on."""
        self._tasks.run(self._subscribe(handle))

    async def stop(self) -> None:
        """End the subscription."""
        await self._tasks.end()

    async def publish(self, message: Message, address: str) -> bool:
        """Send a message to the process at an address. Returns: whether it was handled there."""
        acknowledged: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._unacknowledged[message.sender, message.number] = acknowledged
        try:
            if not await self._send(message, address):
                return False
            async with asyncio.timeout(_ACK_TIMEOUT):
                return await acknowledged
        except TimeoutError:
            return False
        finally:
            del self._unacknowledged[message.sender, message.number]

    async def _send(self, message: Message, address: str) -> bool:
        """Return whether any process has subscribed to an address."""
        data = self._cipher.encrypt(message)
        try:
            return bool(
                await self._link.run(lambda: self._link.client.publish(CHANNEL_PREFIX + address, data))
            )
        except RedisAwayError:
            return False

    async def _subscribe(self, handle: Handler) -> None:
        while True:
            try:
                async with self._link.client.pubsub() as channel:
                    await channel.subscribe(CHANNEL_PREFIX + self._address)
                    async for received in channel.listen():
                        if received["type"] == "message":
                            self._receive(received["data"], handle)
            except self._link.failures:
                await asyncio.sleep(_RECONNECT_DELAY)

    def _receive(self, data: bytes, handle: Handler) -> None:
        message = self._cipher.decrypt(data)
        if message is None:
            return
        if message.topic == _ACK:
            acknowledged = self._unacknowledged.get((message.recipient, message.number))
            if acknowledged is not None and not acknowledged.done():
                acknowledged.set_result(bool(message.text))
        else:
            self._tasks.run(self._handle(message, handle))

    async def _handle(self, message: Message, handle: Handler) -> None:
        text = "done" if await handle(message) else ""
        ack = Message(message.sender, message.recipient, self._address, message.number, _ACK, text)
        await self._send(ack, message.reply_to)
