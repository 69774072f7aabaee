"""Long computations on request, in other processes: reviews of games, reports on the fairness of boards."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Any

import orjson

from ekoes.errors import EkoesError
from ekoes.games.api.contract import Json
from ekoes.games.api.parts import Boards
from ekoes.games.api.registry import part_of
from ekoes.protocol import encode
from ekoes.records.review import VERSION, Effort, Finding, examine_for_chances, outline, sum_up
from ekoes.server.ops.clock import Clock
from ekoes.server.ops.limits import Places
from ekoes.server.ops.logs import LOG
from ekoes.server.ops.tasks import Errands
from ekoes.server.workers.sandbox import Sandbox
from ekoes.storage.results import Played, StoredReviews

AT_ONCE = 2
"""Positions of a review, or parts of a report, that are computed at once, each in a process."""
_QUEUE = 16
"""Games that are reviewed, or boards that are judged, in turns."""
_REVIEW_WAIT, _REPORT_WAIT = 60, 20
"""Seconds after which a place in a full queue may be free."""
_COACHED = 20
"""How many of a player's latest games the coach looks at."""
_KEPT_KEYS = {"n", "turn", "seat", "loss", "judgement", "kind", "count"}
"""The keys of a reviewed decision that the coach gets: all but the better decision."""


Found = asyncio.Queue[Json | None]
"""The lines that a client receives; None after the last one."""


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


class _LongWork:
    """Computations of many parts, which take turns."""

    def __init__(self, sandbox: Sandbox, things: str, wait: int, failed: str) -> None:
        """Begin without work. things, wait: see ``Places``. failed: the event that is logged."""
        self._sandbox = sandbox
        self._failed = failed
        self._places = Places(_QUEUE, things, wait)
        self._tasks = Errands(things)

    async def stop(self) -> None:
        """End all."""
        await self._tasks.end()

    def _begin(
        self, work: Callable[[], Awaitable[None]], address: str | None, **about: str
    ) -> asyncio.Task[None]:
        """Do some work. about: for the log. Raises LimitError if there is too much."""

        async def do() -> None:
            try:
                await work()
            except* EkoesError as failed:
                LOG.warning(self._failed, **about, error=str(failed.exceptions[0]))

        self._places.take(address)
        task = self._tasks.run(do())
        task.add_done_callback(lambda _: self._places.leave(address))
        return task

    async def _each(self, parts: Iterable[int], compute: Callable[[int], Awaitable[None]]) -> None:
        """Compute parts in their order, some at once."""
        left = iter(parts)

        async def compute_left() -> None:
            for part in left:
                await compute(part)

        async with asyncio.TaskGroup() as group:
            for _ in range(AT_ONCE):
                group.create_task(compute_left())


class Reviews(_LongWork):
    """Makes the reviews of games, which take turns fairly by address and game.

    A review is lost with its process, or if it fails; then it can be asked for again. In a cluster the owner
    of the table makes it. If the owner changes meanwhile it may be made twice, with the same result, and the
    later one is stored.
    """

    def __init__(
        self, stored: StoredReviews, sandbox: Sandbox, clock: Clock, effort: Effort | None = None
    ) -> None:
        """Begin without work. effort: of each search."""
        super().__init__(sandbox, "reviews", _REVIEW_WAIT, "review failed")
        self._stored = stored
        self._clock = clock
        self._effort = effort or Effort()
        self._queue: dict[str, _Review] = {}

    async def state(self, table_id: str) -> Json:
        """Return how far the review of a game is, and the review if it is done."""
        if (review := self._queue.get(table_id)) is not None:
            place = 0 if review.findings else list(self._queue).index(table_id)
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

    async def latest(self, user: str, game: str) -> list[Json]:
        """Return the latest games of a user, the newest first, with what their reviews say of the user."""
        return await asyncio.to_thread(self._latest, user, game)

    def _latest(self, user: str, game: str) -> list[Json]:
        return [_for_coach(*one, user) for one in self._stored.latest(user, game, VERSION, _COACHED)]

    async def begin(self, table_id: str, text: str, address: str | None) -> None:
        """Queue a game for review, unless it is queued already. address: of the client.

        Raises: LimitError if the queue or the share of the address is full; EkoesError if today's rules
        refuse the record.
        """
        questions, chances = await self._sandbox.do(outline, text, address=address)
        if table_id in self._queue:
            return
        review = _Review(text, questions, chances)
        task = self._begin(partial(self._make, (address, table_id), review), address, table=table_id)
        self._queue[table_id] = review
        task.add_done_callback(lambda _: self._queue.pop(table_id))

    async def _make(self, whose: tuple[str | None, str], review: _Review) -> None:
        async def examine(n: int) -> None:
            found = await self._sandbox.do_part(whose, examine_for_chances, review.text, n, self._effort)
            review.add(n, *found)

        await self._each(review.questions, examine)
        found = await self._sandbox.do_part(whose, sum_up, review.text, review.findings)
        await asyncio.to_thread(self._stored.put, whose[1], VERSION, encode(found), self._clock.now())


def _for_coach(played: Played, body: str | None, user: str) -> Json:
    """Return a finished game for one of its players. body: of its review."""
    own = [one for one in played.results if one.user_id == user]
    game: Json = {
        "table": played.table_id,
        "ended_at": played.ended_at.isoformat(),
        "players": len(played.results),
        "won": any(one.won for one in own),
        "seats": [one.seat for one in own],
        "people": [one.seat for one in played.results if one.bot is None],
    }
    if body is None:
        return game | {"review": None}
    found = orjson.loads(body)
    decisions = [one for one in found["decisions"] if one["seat"] in game["seats"] and one["loss"] > 0]
    return game | {
        "review": {
            "turns": max((one["turn"] for one in found["decisions"]), default=0),
            "decisions": [{key: one[key] for key in one.keys() & _KEPT_KEYS} for one in decisions],
            "reactions": found.get("reactions", []),
            "totals": found.get("totals", []),
        }
    }


def boards_of(game: str) -> Boards[Any, Any]:
    """Return the boards of a game. Raises TableError if it has none."""
    boards: Boards[Any, Any] = part_of(game, "boards")
    return boards


class FairnessReports(_LongWork):
    """Makes reports on the fairness of boards, which take turns fairly by address and report."""

    def __init__(self, sandbox: Sandbox) -> None:
        super().__init__(sandbox, "reports", _REPORT_WAIT, "report of fairness failed")
        self._numbers = count()

    async def begin(
        self, game: str, layout: object, games: int, seed: int, address: str | None
    ) -> AsyncIterator[str]:
        """Queue a report. Returns its progress as JSON lines; closing the iterator ends it.

        address: of the client. Raises: LimitError if the queue or the share of the address is full;
        EkoesError if the board is not playable.
        """
        boards = boards_of(game)
        board = await self._sandbox.do(boards.read_board, layout, address=address)
        found = Found()
        total, tallies = boards.deals_for(board, games), list[Any]()
        whose = address, str(next(self._numbers))

        def send(played: int, report: Json | None = None) -> None:
            found.put_nowait({"played": played, "games": games, "report": report})

        async def play(n: int) -> None:
            tallies.append(await self._sandbox.do_part(whose, boards.play_deal, board, n, seed))
            send(sum(one.games for one in tallies))

        async def make() -> None:
            send(0)
            await self._each(range(total), play)
            report = await self._sandbox.do_part(whose, boards.report, board, tallies, seed)
            send(report["games"], report)

        task = self._begin(make, address)
        task.add_done_callback(lambda _: found.put_nowait(None))  # however it has ended
        return _lines(found, task.cancel)


async def _lines(found: Found, close: Callable[[], object]) -> AsyncIterator[str]:
    """Yield values as JSON lines until None; close: called at the end, or when the iterator is closed."""
    try:
        while (line := await found.get()) is not None:
            yield f"{encode(line)}\n"
    finally:
        close()
