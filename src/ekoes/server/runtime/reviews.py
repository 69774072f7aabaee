"""Makes reviews of finished games on request: one game at a time, in processes of the sandbox, stored."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import orjson

from ekoes.errors import EkoesError
from ekoes.games.api.contract import Json
from ekoes.protocol import encode
from ekoes.records.review import VERSION, Effort, Finding, examine_for_chances, outline, sum_up
from ekoes.server.ops.clock import Clock
from ekoes.server.ops.limits import Places
from ekoes.server.ops.logs import log_of
from ekoes.server.ops.tasks import Errands
from ekoes.server.workers.sandbox import Sandbox
from ekoes.storage.results import StoredReviews

_LOG = log_of("ekoes.server")
AT_ONCE = 2
"""Positions examined at once, each in a process."""
_QUEUE = 16
"""Games, the one under review among them."""
_WAIT = 60
"""Seconds after which a place in a full queue may be free."""


@dataclass(slots=True)
class _Review:
    """A review in the making. text: the record; chances: as far as they are known."""

    text: str
    questions: list[int]
    chances: list[Any]
    findings: dict[int, Finding] = field(default_factory=dict)

    def add(self, n: int, finding: Finding, chances: list[Any]) -> None:
        """Add a finding, with the chances that are known by it."""
        self.findings[n] = finding
        both = zip(self.chances, chances, strict=True)
        self.chances = [old if new is None else new for old, new in both]


class Reviews:
    """The reviews that a server makes, first come, first served.

    A review is lost with its process, or if it fails; then it can be asked for again. In a cluster the owner
    of the table makes it. If the owner changes meanwhile it may be made twice, with the same result, and the
    later one is stored.
    """

    def __init__(
        self, stored: StoredReviews, sandbox: Sandbox, clock: Clock, effort: Effort | None = None
    ) -> None:
        """Start none. effort: of each search."""
        self._stored = stored
        self._sandbox = sandbox
        self._clock = clock
        self._effort = effort or Effort()
        self._queue: dict[str, _Review] = {}
        self._places = Places(_QUEUE, "reviews", _WAIT)
        self._turn = asyncio.Lock()
        self._tasks = Errands("review")

    async def state(self, table_id: str) -> Json:
        """Return how far the review of a game is, and the review if it is done."""
        if (review := self._queue.get(table_id)) is not None:
            place = list(self._queue).index(table_id)
            return {
                "state": "waiting" if place else "running",
                "place": place or None,
                "examined": len(review.findings),
                "questions": len(review.questions),
                "chances": review.chances,
                "review": None,
            }
        body = await asyncio.to_thread(self._stored.of, table_id, VERSION)
        found: Json | None = None if body is None else orjson.loads(body)
        decisions = 0 if found is None else len(found["decisions"])
        return {
            "state": "none" if found is None else "done",
            "place": None,
            "examined": decisions,
            "questions": decisions,
            "chances": [] if found is None else found["chances"],
            "review": found,
        }

    async def begin(self, table_id: str, text: str, address: str | None) -> None:
        """Queue a game for review, unless it is queued already. address: of the client.

        Raises: LimitError if the queue or the share of the address is full; EkoesError if today's rules
        refuse the record.
        """
        questions, chances = await self._sandbox.do(outline, text, address=address)
        if table_id in self._queue:
            return
        self._places.take(address)
        review = self._queue[table_id] = _Review(text, questions, chances)
        task = self._tasks.run(self._make(table_id, review))
        task.add_done_callback(lambda _: self._leave(table_id, address))

    async def stop(self) -> None:
        """End all reviews."""
        await self._tasks.end()

    def _leave(self, table_id: str, address: str | None) -> None:
        del self._queue[table_id]
        self._places.leave(address)

    async def _make(self, table_id: str, review: _Review) -> None:
        try:
            async with self._turn:
                left = iter(review.questions)
                async with asyncio.TaskGroup() as group:
                    for _ in range(AT_ONCE):
                        group.create_task(self._examine(review, left))
                found = await self._sandbox.do_next(sum_up, review.text, review.findings)
                now = self._clock.now()
                await asyncio.to_thread(self._stored.put, table_id, VERSION, encode(found), now)
        except* EkoesError as failed:
            _LOG.warning("review failed", table=table_id, error=str(failed.exceptions[0]))

    async def _examine(self, review: _Review, left: Iterator[int]) -> None:
        """Examine the positions that are left, one after the other."""
        for n in left:
            review.add(n, *await self._sandbox.do_next(examine_for_chances, review.text, n, self._effort))
