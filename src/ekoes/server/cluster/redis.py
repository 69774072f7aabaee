"""Redis: the connection, shared rate limits, and messages between processes.

Messages are encrypted, acknowledged, and handled once.
"""

from __future__ import annotations

import asyncio
import json
from base64 import urlsafe_b64encode
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from hashlib import blake2b
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from limits import RateLimitItem
from limits.aio.storage import RedisStorage
from limits.aio.strategies import SlidingWindowCounterRateLimiter

from ekoes.errors import EkoesError
from ekoes.server.ops.limits import Count, Counter, seconds_until
from ekoes.server.ops.logs import LOG
from ekoes.server.ops.tasks import Errands, end

if TYPE_CHECKING:
    from redis.asyncio import Redis


T = TypeVar("T")

_COMMAND_TIMEOUT = 0.5
_PROBE_INTERVAL = 1.0
_CONCURRENCY = 8
"""Commands at the same time, each on a connection of its own: more would only wait in Redis."""
_SCHEMES = ("redis://", "rediss://")
_PROBE_KEY = "ekoes:probe"
CHANNEL_PREFIX: Final = "ekoes:"
"""A process subscribes to the channel of its address."""
_ACK_TIMEOUT = 1.0
_RECONNECT_DELAY = 0.5
_ACK = "ack"
"""The topic that acknowledges the message of its number; the text is empty if that was not handled."""
_REPLAY_WINDOW = 1024
"""How many later messages of a sender may overtake one; it is dropped if there are more."""


class RedisAwayError(Exception):
    """Redis does not answer, or can't do what was asked."""


class RedisLink:
    """A connection that gives up quickly. While Redis is down only a probe queries it, once a second.

    client: for callers that may wait for Redis. is_connected: whether it answered the last command.
    failures: the exceptions of a client whose Redis is down; a timeout is an ``OSError``.
    """

    def __init__(self, url: str) -> None:
        """Create it unconnected. url: such as ``redis://:password@10.0.0.7:6379/0``. Raises EkoesError."""
        self.client = _client(url)
        self.failures: tuple[type[Exception], ...] = (import_module("redis").RedisError, OSError)
        self.url = url
        self.is_connected = True
        self._slots = asyncio.Semaphore(_CONCURRENCY)
        self._probing: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to probe."""
        await self._probe()
        self._probing = asyncio.create_task(self._keep_probing(), name="redis")

    async def stop(self) -> None:
        """Close all connections."""
        await end(self._probing)
        with suppress(*self.failures):
            await self.client.aclose()

    async def run(self, command: Callable[[], Awaitable[T]]) -> T:
        """Return the result of a command. Raises RedisAwayError."""
        async with self._slots:
            if not self.is_connected:
                raise RedisAwayError
            return await self._try(command)

    async def _try(self, command: Callable[[], Awaitable[T]]) -> T:
        try:
            async with asyncio.timeout(_COMMAND_TIMEOUT):
                return await command()
        except self.failures as error:
            if self.is_connected:
                self.is_connected = False
                reason = str(error) or type(error).__name__
                LOG.warning("Redis unreachable: running without it", reason=reason)
            raise RedisAwayError from error

    async def _keep_probing(self) -> None:
        while True:
            await asyncio.sleep(_PROBE_INTERVAL)
            await self._probe()

    async def _probe(self) -> None:
        """Write a value: a full Redis or a replica answers, but can't be used."""
        try:
            await self._try(lambda: self.client.set(_PROBE_KEY, 1, ex=60))
        except RedisAwayError:
            return
        if not self.is_connected:
            self.is_connected = True
            LOG.warning("Redis reconnected")


def _client(url: str) -> Redis:
    """Return a client that neither waits nor retries by itself. Raises EkoesError."""
    if not url.startswith(_SCHEMES):
        raise EkoesError("--redis needs an address such as redis://127.0.0.1:6379/0", code="redis/address")
    try:
        library = import_module("redis.asyncio")
        no_backoff = import_module("redis.backoff").NoBackoff()
    except ImportError as error:
        message = "--redis needs a library that is not installed: pip install 'ekoes[redis]'"
        raise EkoesError(message, code="redis/address") from error
    try:
        client: Redis = library.Redis.from_url(
            url,
            retry=library.retry.Retry(no_backoff, 0),
            socket_connect_timeout=_COMMAND_TIMEOUT,
            # no timeout: with one it sends by asyncio.wait_for, which loses cancellations before Python 3.12
            socket_timeout=None,
        )
    except ValueError as error:  # the address may hold a password and is not repeated
        raise EkoesError("--redis is not the address of a Redis server", code="redis/address") from error
    return client


def shared_counters(link: RedisLink, key: bytes) -> Count:
    """Return a function that creates counters in Redis, which processes share by name.

    key: a secret of all processes; no user can be recognised in Redis without it.
    """
    pool: dict[str, Any] = {"connection_pool": link.client.connection_pool}
    storage = RedisStorage(f"async+{link.url}", implementation="redispy", key_prefix="ekoes", **pool)
    limiter = SlidingWindowCounterRateLimiter(storage)
    return lambda name: _SharedCounter(name, link, limiter, key)


class _SharedCounter(Counter):
    """While Redis is down it counts only this process's requests, from zero."""

    def __init__(
        self, name: str, link: RedisLink, limiter: SlidingWindowCounterRateLimiter, key: bytes
    ) -> None:
        super().__init__(name)
        self._link = link
        self._shared = limiter
        self._key = key

    async def wait(self, limits: Sequence[RateLimitItem], whose: str, cost: int = 1) -> int | None:
        try:
            return await self._link.run(lambda: self._wait_shared(limits, self._digest(whose), cost))
        except RedisAwayError:
            return await super().wait(limits, whose, cost)

    async def clear(self, limits: Sequence[RateLimitItem], whose: str) -> None:
        await super().clear(limits, whose)
        with suppress(RedisAwayError):
            await self._link.run(lambda: self._clear_shared(limits, self._digest(whose)))

    async def _wait_shared(self, limits: Sequence[RateLimitItem], whose: str, cost: int) -> int | None:
        for limit in limits:
            if not await self._shared.hit(limit, whose, cost=cost):
                return seconds_until((await self._shared.get_window_stats(limit, whose)).reset_time)
        return None

    async def _clear_shared(self, limits: Sequence[RateLimitItem], whose: str) -> None:
        for limit in limits:
            await self._shared.clear(limit, whose)

    def _digest(self, whose: str) -> str:
        return blake2b(f"{self.name} {whose}".encode(), key=self._key[:64], digest_size=16).hexdigest()


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
        """Create it without a subscription. address: of this process."""
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
