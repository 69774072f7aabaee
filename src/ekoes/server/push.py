"""Sends Web Push notifications in background tasks; a failure never affects a game."""

from __future__ import annotations

import asyncio
import socket
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import partial
from http import HTTPStatus
from ipaddress import ip_address
from pathlib import Path

import http_ece
import orjson
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from httpx import URL, AsyncClient, HTTPError, InvalidURL
from py_vapid import Vapid02, VapidException

from ekoes.errors import AccountError, LimitError, StorageError
from ekoes.games.api.contract import Json
from ekoes.server.ops.clock import Clock
from ekoes.server.ops.logs import LOG
from ekoes.server.ops.secrets import check_private, make_once
from ekoes.server.ops.tasks import end
from ekoes.server.workers.fair_queue import FairQueue, Whose
from ekoes.storage.cache import LRUCache
from ekoes.storage.schema import PushRow
from ekoes.storage.store import Store
from ekoes.tables.table import Table

_LONGEST = 1000


class BlockedAddressError(OSError):
    """A push service at an address that is not public."""


def check_endpoint(endpoint: str, *, anywhere: bool) -> None:
    """Raise AccountError unless a URL may be a push service. anywhere: allow local ones, for tests."""
    try:
        url = URL(endpoint)
    except (InvalidURL, UnicodeError):
        url = URL("")
    has_shape = url.scheme == "https" and url.port is None and not url.userinfo
    if len(endpoint) > _LONGEST or not url.host or not (anywhere or has_shape):
        message = "a push endpoint is an https URL of a push service"
        raise AccountError(message, code="account/bad-push", key="endpoint")


def resolved(url: URL, *, anywhere: bool) -> str:
    """Resolve the host of a URL once, so that the address that is checked is the one that is called. Blocks.

    Raises: BlockedAddressError if it is not public, OSError if it can't be resolved.
    """
    port = url.port or (443 if url.scheme == "https" else 80)
    found = socket.getaddrinfo(url.host, port, type=socket.SOCK_STREAM)
    addresses = [str(one[4][0]) for one in found]
    if not addresses or not (anywhere or all(map(_is_public, addresses))):
        raise BlockedAddressError(f"{url.host} is not a public address")
    return addresses[0]


def _is_public(address: str) -> bool:
    """Return whether an address is public, also if it is IPv4 inside IPv6."""
    one = ip_address(address)
    inner = getattr(one, "ipv4_mapped", None) or getattr(one, "sixtofour", None)
    return one.is_global and not one.is_multicast and (inner is None or inner.is_global)


_DAY = timedelta(days=1)
_HALF_A_DAY = timedelta(hours=12)
_SECRET_BYTES = 16


def check_keys(p256dh: str, auth: str) -> None:
    """Raise AccountError unless these are valid keys of a push subscription."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _bytes(p256dh))
        is_sound = len(_bytes(auth)) == _SECRET_BYTES
    except (ValueError, Base64Error, UnsupportedAlgorithm):
        is_sound = False
    if not is_sound:
        raise AccountError("invalid keys of a push subscription", code="account/bad-push", key="keys")


def encrypted(content: bytes, subscription: PushRow) -> bytes:
    """Encrypt a notification for the browser of a subscription."""
    body: bytes = http_ece.encrypt(
        content,
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=_bytes(subscription.p256dh),
        auth_secret=_bytes(subscription.auth),
        version="aes128gcm",
    )
    return body


class Signer:
    """Signs requests to push services with the key to which browsers have subscribed (VAPID)."""

    def __init__(self, key: Vapid02) -> None:
        self._key = key
        self._key.conf["no-strict"] = True  # host names of home networks may lack a dot

    @property
    def public(self) -> str:
        """The public key of this server."""
        point = self._key.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return urlsafe_b64encode(point).rstrip(b"=").decode()

    def headers(self, subscription: PushRow, topic: str, at: datetime) -> Mapping[str, str]:
        """Return the headers of a notification. topic: it replaces undelivered ones of the same topic."""
        url = URL(subscription.endpoint)
        port = "" if url.port is None else f":{url.port}"
        claims = {
            "aud": f"{url.scheme}://{url.host}{port}",
            "exp": int((at + _HALF_A_DAY).timestamp()),
            "sub": subscription.origin,
        }
        headers = {"TTL": str(int(_DAY.total_seconds())), "Topic": topic, "Urgency": "normal"}
        return {**self._key.sign(claims), "Content-Encoding": "aes128gcm", **headers}


def signer(path: Path) -> Signer:
    """Return a signer with the key of a file, which is created on first use.

    Raises: StorageError if it can't be read or created, or others may read it.
    """
    try:
        if not path.exists():
            fresh = Vapid02()
            fresh.generate_keys()
            make_once(path, fresh.private_pem())
        check_private(path)
        return Signer(Vapid02.from_pem(path.read_bytes()))
    except OSError as error:
        raise StorageError(f"can't use the key in {path}: {error.strerror}", code="storage/key") from error
    except (ValueError, VapidException) as error:
        message = f"the key in {path} is damaged; delete it to get a new one, which ends all subscriptions"
        raise StorageError(message, code="storage/key") from error


def _bytes(text: str) -> bytes:
    """Decode URL-safe base64 without padding."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


_PAUSES = (30.0, 120.0, 600.0)
"""Seconds before each retry."""
_AT_ONCE, _EACH = 32, 4
"""Requests to push services at once, and those of them for the users of one address."""
_WAIT = 60
_MOST = 1000
"""Notifications in flight, a quarter of them of one address; more are dropped."""
_SECONDS = 20.0
_GONE = {HTTPStatus.NOT_FOUND, HTTPStatus.GONE}
_LATER = {HTTPStatus.TOO_MANY_REQUESTS}


class PushSender:
    """Sends notifications to all browsers of a user, one at a time for each topic.

    address: returns that of a user, if it is known. anywhere: allow local push services, for tests.
    """

    def __init__(
        self,
        store: Store,
        signer: Signer,
        clock: Clock,
        address: Callable[[str], str | None],
        *,
        anywhere: bool,
    ) -> None:
        self.signer = signer
        self.anywhere = anywhere
        self._store = store
        self._clock = clock
        self._client: AsyncClient | None = None
        self._address = address
        self._queue = FairQueue(_AT_ONCE, _MOST, "notifications", _WAIT, _EACH)
        self._under_way: dict[tuple[str, str], asyncio.Task[None]] = {}

    async def stop(self) -> None:
        """Cancel what is in flight."""
        await end(*self._under_way.values())
        if self._client is not None:
            await self._client.aclose()
        self._queue.close()

    def send(self, user: str, table_id: str, content: Json) -> None:
        """Send a notification about a table, which replaces one in flight. Returns at once."""
        key = (user, table_id)
        if (former := self._under_way.pop(key, None)) is not None:
            former.cancel()
        task = asyncio.create_task(self._send(user, table_id, content), name="push notification")
        self._under_way[key] = task
        task.add_done_callback(lambda done: self._done(key, done))

    def _done(self, key: tuple[str, str], task: asyncio.Task[None]) -> None:
        if self._under_way.get(key) is task:
            del self._under_way[key]
        if not task.cancelled() and (error := task.exception()) is not None:
            LOG.error("push notification failed", exc_info=error)

    async def _send(self, user: str, table_id: str, content: Json) -> None:
        whose, text = (self._address(user) or user, user), orjson.dumps(content)
        try:
            with self._queue.places.place(whose[0]):
                found = await asyncio.to_thread(self._subscriptions, user)
                await asyncio.gather(*(self._deliver(one, table_id, text, whose) for one in found))
        except (StorageError, LimitError) as error:
            LOG.warning("push notification failed", error=str(error))

    def _subscriptions(self, user: str) -> list[PushRow]:
        """Return the subscriptions of a user whose sessions are still valid."""
        found = self._store.pushes.of(user)
        people = self._store.people
        return [one for one in found if people.user(one.credential) == user]

    async def _deliver(self, subscription: PushRow, topic: str, content: bytes, whose: Whose) -> None:
        for pause in (*_PAUSES, None):
            async with self._queue.turn(whose):
                is_done = await self._is_done(subscription, topic, content)
            if is_done:
                return
            if pause is not None:
                await self._clock.sleep(pause)
        LOG.info("push notification given up after retries")

    async def _is_done(self, subscription: PushRow, topic: str, content: bytes) -> bool:
        """Try once; return whether no retry is needed."""
        try:
            status = await self._call(subscription, topic, content)
        except BlockedAddressError as error:
            LOG.warning("push notification refused", error=str(error))
            return True
        except (HTTPError, OSError):
            return False
        if status in _GONE:
            await asyncio.to_thread(self._store.pushes.drop, subscription.user_id, subscription.endpoint)
        return status not in _LATER and status < HTTPStatus.INTERNAL_SERVER_ERROR

    async def _call(self, subscription: PushRow, topic: str, content: bytes) -> int:
        url = URL(subscription.endpoint)
        address = await self._queue.in_thread(partial(resolved, url, anywhere=self.anywhere))
        headers = dict(self.signer.headers(subscription, topic, self._clock.now()))
        headers["Host"] = url.netloc.decode()
        if self._client is None:
            self._client = AsyncClient(timeout=_SECONDS, trust_env=False, follow_redirects=False)
        answer = await self._client.post(
            url.copy_with(host=address),
            content=await self._queue.in_thread(encrypted, content, subscription),
            headers=headers,
            extensions={"sni_hostname": url.host},
        )
        return answer.status_code


_TABLES = 50_000
"""Tables whose awaited players are cached."""

Awaited = frozenset[tuple[str, str]]
"""Users and what they are awaited for: ``turn`` or ``rematch``."""


class Notices:
    """Notifies players for whom a table has begun to wait; the notification names only the table.

    send: takes user, topic and content. is_on_vacation: whether a user is on vacation.
    """

    def __init__(self, send: Callable[[str, str, Json], None], is_on_vacation: Callable[[str], bool]) -> None:
        self._send = send
        self._is_on_vacation = is_on_vacation
        self._awaited: LRUCache[Awaited] = LRUCache(_TABLES)

    def notice(self, table_id: str, table: Table) -> None:
        """Notify newly awaited players; a table seen for the first time notifies none."""
        if table.outcome is None and (table.clock is None or table.clock.days is None):
            return  # only correspondence and finished games notify
        now = awaited(table)
        before = self._awaited.get(table_id)
        self._awaited.put(table_id, now)
        for user, why in sorted(now - (now if before is None else before)):
            if not self._is_on_vacation(user):
                self._send(user, table_id, {"kind": why, "table": table_id, "game": table.game})


def awaited(table: Table) -> Awaited:
    """Return the awaited players: those to move at a correspondence table, or asked for a rematch."""
    if table.outcome is not None:
        return _asked_again(table)
    users = {seat.session for seat in table.seats if seat.session is not None}
    return frozenset((user, "turn") for user in users if table.status(user) == "yours")


def _asked_again(table: Table) -> Awaited:
    if not table.agreed or table.rematch is not None:
        return frozenset()
    asked = table.people - table.agreed - dict(table.absent).keys()
    users = (table.seats[seat].session for seat in asked)
    agreed = {table.seats[seat].session for seat in table.agreed}
    return frozenset((user, "rematch") for user in users if user is not None and user not in agreed)
