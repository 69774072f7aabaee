"""The post: takes notices to browsers, beside everything else. Nobody waits for it, and it fails alone."""

from __future__ import annotations

import asyncio
from http import HTTPStatus

import orjson
from httpx import URL, AsyncClient, HTTPError

from ekoes.errors import StorageError
from ekoes.games.contract import Json
from ekoes.server.clock import Clock
from ekoes.server.logs import log_of
from ekoes.server.push.addresses import NowhereError, resolved
from ekoes.server.push.sealed import Signer, sealed
from ekoes.server.tasks import end
from ekoes.storage.pushes import Subscription
from ekoes.storage.store import Store

__all__ = ["Post"]

_LOG = log_of("ekoes.server")
_PAUSES = (30.0, 120.0, 600.0)
"""Seconds after which a notice is tried again that a push service did not take."""
_AT_ONCE = 8
_MOST = 1000
"""Notices on their way; what comes on top of that is not sent."""
_SECONDS = 20.0
_GONE = {HTTPStatus.NOT_FOUND, HTTPStatus.GONE}
_LATER = {HTTPStatus.TOO_MANY_REQUESTS}


class Post:
    """Sends notices to all browsers of a holder; of each table one at a time."""

    def __init__(self, store: Store, signer: Signer, clock: Clock, *, anywhere: bool) -> None:
        """Begin with nothing to send. anywhere: also to machines near by, for tests."""
        self.signer = signer
        self.anywhere = anywhere
        self._store = store
        self._clock = clock
        self._client: AsyncClient | None = None
        self._gate = asyncio.Semaphore(_AT_ONCE)
        self._under_way: dict[tuple[str, str], asyncio.Task[None]] = {}

    async def stop(self) -> None:
        """Send nothing any more."""
        await end(*self._under_way.values())
        if self._client is not None:
            await self._client.aclose()

    def send(self, holder: str, table_id: str, content: Json) -> None:
        """Send a notice about a table in place of one that is still on its way. Returns at once."""
        key = (holder, table_id)
        if (former := self._under_way.pop(key, None)) is not None:
            former.cancel()
        if len(self._under_way) >= _MOST:
            _LOG.warning("too many notices are on their way: one is not sent")
            return
        task = asyncio.create_task(self._send(holder, table_id, content), name="a notice")
        self._under_way[key] = task
        task.add_done_callback(lambda done: self._done(key, done))

    def _done(self, key: tuple[str, str], task: asyncio.Task[None]) -> None:
        if self._under_way.get(key) is task:
            del self._under_way[key]
        if not task.cancelled() and (error := task.exception()) is not None:
            _LOG.error("a notice can't be sent", exc_info=error)

    async def _send(self, holder: str, table_id: str, content: Json) -> None:
        """Take a notice to each browser of a holder."""
        try:
            found = await asyncio.to_thread(self._subscriptions, holder)
        except StorageError as error:
            _LOG.warning("a notice can't be sent", error=str(error))
            return
        text = orjson.dumps(content)
        await asyncio.gather(*(self._deliver(one, table_id, text) for one in found))

    def _subscriptions(self, holder: str) -> list[Subscription]:
        """Return the browsers of a holder that come with a cookie which is still good."""
        found = self._store.pushes.of(holder)
        people = self._store.people
        return [one for one in found if people.holder(one.credential) == holder]

    async def _deliver(self, subscription: Subscription, topic: str, content: bytes) -> None:
        """Take a notice to one browser; try again now and then, and give up at last."""
        for pause in (*_PAUSES, None):
            async with self._gate:
                is_done = await self._is_done(subscription, topic, content)
            if is_done:
                return
            if pause is not None:
                await self._clock.sleep(pause)
        _LOG.info("a push service has not taken a notice, which is given up")

    async def _is_done(self, subscription: Subscription, topic: str, content: bytes) -> bool:
        """Try once; tell whether there is no more to be done."""
        try:
            status = await self._call(subscription, topic, content)
        except NowhereError as error:
            _LOG.warning("a notice is not sent", error=str(error))
            return True
        except (HTTPError, OSError):
            return False
        if status in _GONE:
            await asyncio.to_thread(self._store.pushes.drop, subscription.id)
        return status not in _LATER and status < HTTPStatus.INTERNAL_SERVER_ERROR

    async def _call(self, subscription: Subscription, topic: str, content: bytes) -> int:
        """Take a notice to a push service, at the address that was looked at. Returns: its answer's code."""
        url = URL(subscription.endpoint)
        address = await resolved(url, anywhere=self.anywhere)
        headers = dict(self.signer.headers(subscription, topic, self._clock.now()))
        headers["Host"] = url.netloc.decode()
        if self._client is None:
            self._client = AsyncClient(timeout=_SECONDS, trust_env=False, follow_redirects=False)
        answer = await self._client.post(
            url.copy_with(host=address),
            content=await asyncio.to_thread(sealed, content, subscription),
            headers=headers,
            extensions={"sni_hostname": url.host},
        )
        return answer.status_code
