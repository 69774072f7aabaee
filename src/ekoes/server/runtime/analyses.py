"""Long computations on request, in other processes: analyses, reviews of games, reports of fair boards."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import orjson

from ekoes.errors import EkoesError
from ekoes.games.api.contract import Json
from ekoes.games.api.parts import Boards
from ekoes.games.api.registry import part_of
from ekoes.protocol import LONGEST_ANALYSIS, encode
from ekoes.records.review import VERSION, Effort, Finding, examine_for_chances, outline, sum_up
from ekoes.server.ops.clock import Clock
from ekoes.server.ops.limits import Places
from ekoes.server.ops.logs import log_of
from ekoes.server.ops.tasks import Errands, end
from ekoes.server.runtime.sandbox_work import evaluations
from ekoes.server.workers.sandbox import Sandbox
from ekoes.storage.results import StoredReviews
from ekoes.tables.analysis import check_open
from ekoes.tables.analysis_board import Board

_CONCURRENT = 2
"""Searches that run at once; others wait in a queue."""
_MAX_WAITING = 18
_NICENESS = 10
AT_ONCE = 2
"""Positions of a review, or parts of a report, that are computed at once, each in a process."""
_QUEUE = 16
"""Games to review, or boards to judge, that may wait, the one under way among them."""
_REVIEW_WAIT, _REPORT_WAIT = 60, 20
"""Seconds after which a place in a full queue may be free."""
_DEALS = 8
"""Deals of one computation of a report, about a second."""
_LOG = log_of("ekoes.server")


@dataclass(frozen=True, slots=True)
class AnalysisRequest:
    """A search for a connection of a session.

    work: a generator function, run with ``arguments`` in another process; it yields what is known. send:
    called with ``info`` and what is known, then with ``result`` and the last of it; what is known is None
    before the start, and ``info`` of a search that has to wait has the number of those that wait before it.
    address: of the client.
    """

    session: str
    connection: object
    work: Callable[..., Iterator[Json]]
    arguments: tuple[object, ...]
    send: Callable[[str, Json | None, int | None], None]
    address: str | None = None


@dataclass(eq=False, slots=True)
class _Running:
    """known: the last that the search has found. is_dropped: no one waits for its result."""

    request: AnalysisRequest
    task: asyncio.Task[None] = field(init=False)
    known: Json | None = None
    is_dropped: bool = False


class Analyses:
    """The searches of a server. A new search of a session ends its earlier one."""

    def __init__(self) -> None:
        self._sandbox = Sandbox(_CONCURRENT, niceness=_NICENESS)
        self._running: dict[str, _Running] = {}
        self._waiting: list[_Running] = []
        """Those that wait for a process, in order."""
        self._places = Places(_CONCURRENT + _MAX_WAITING, "analyses", LONGEST_ANALYSIS)

    async def begin(self, request: AnalysisRequest) -> None:
        """Start a search; an earlier one of the session has sent its result when this returns.

        Raises: LimitError if too many wait, at all or of one address.
        """
        while request.session in self._running:  # another connection may have started one meanwhile
            await self.stop(request.session)
        self._places.take(request.address)
        one = self._running[request.session] = _Running(request)
        one.task = asyncio.create_task(self._search(one), name="analysis")
        one.task.add_done_callback(partial(self._end, one))

    async def stop(self, session: str) -> None:
        """End the search of a session, if any; it has sent its result when this returns."""
        one = self._running.get(session)
        if one is not None:
            one.task.cancel()
            await asyncio.wait({one.task})

    def drop(self, session: str, connection: object) -> None:
        """End the search of a connection, without a result."""
        one = self._running.get(session)
        if one is not None and one.request.connection is connection:
            one.is_dropped = True
            one.task.cancel()

    async def close(self) -> None:
        """End all searches, without a result."""
        for one in self._running.values():
            one.is_dropped = True
        await end(*(one.task for one in self._running.values()))
        self._sandbox.close()

    async def _search(self, one: _Running) -> None:
        """Send what a search finds."""
        request = one.request
        self._waiting.append(one)
        self._show_places(len(self._waiting) - 1)
        try:
            async with aclosing(self._sandbox.stream(request.work, *request.arguments)) as found:
                async for known in found:
                    self._leave_queue(one)
                    one.known = known
                    request.send("info", known, None)
        finally:
            self._leave_queue(one)

    def _end(self, one: _Running, task: asyncio.Task[None]) -> None:
        request = one.request
        del self._running[request.session]
        self._places.leave(request.address)
        if not task.cancelled() and (error := task.exception()) is not None:
            _LOG.warning("analysis failed", error=f"{type(error).__name__} {error}")
        if not one.is_dropped:
            request.send("result", one.known, None)

    def _leave_queue(self, one: _Running) -> None:
        if one in self._waiting:
            place = self._waiting.index(one)
            del self._waiting[place]
            self._show_places(place)

    def _show_places(self, first: int) -> None:
        """Tell those that wait, from a place on, how many wait before them."""
        # while a process is free, they are about to start
        if len(self._running) - len(self._waiting) < _CONCURRENT:
            return
        for place, one in enumerate(self._waiting[first:], first):
            one.request.send("info", None, place)


NOTHING_KNOWN: Json = {"value": [], "iterations": 0, "depth": 0, "seconds": 0.0, "lines": []}
"""What is known of a position before the search has begun."""


class Evaluation:
    """The running evaluation of a position for one reader."""

    def __init__(self, analyses: Analyses, table: Board) -> None:
        self._analyses = analyses
        self._table = table
        self._found: asyncio.Queue[Json] = asyncio.Queue()
        self._session = ""

    async def begin(self, session: str, seconds: float, lines: int, address: str | None) -> None:
        """Start it; an earlier one of the session ends. Raises: TableError, LimitError."""
        self._session = session
        check_open(self._table.position)
        work = (self._table, seconds, lines, session)
        await self._analyses.begin(AnalysisRequest(session, self, evaluations, work, self._add, address))

    async def lines(self) -> AsyncIterator[str]:
        """Yield what is known as JSON lines, the last one ``final``; closing the iterator ends the search."""
        try:
            is_final = False
            while not is_final:
                found = await self._found.get()
                is_final = found["final"]
                yield f"{encode(found)}\n"
        finally:
            self._analyses.drop(self._session, self)

    def _add(self, field: str, known: Json | None, ahead: int | None) -> None:
        place = {} if ahead is None else {"ahead": ahead}
        self._found.put_nowait((known or NOTHING_KNOWN) | place | {"final": field == "result"})


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
        self._places = Places(_QUEUE, "reviews", _REVIEW_WAIT)
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


def boards_of(game: str) -> Boards:
    """Return the boards of a game. Raises TableError if it has none."""
    boards: Boards = part_of(game, "boards")
    return boards


class FairnessReports:
    """The reports that a server makes, first come, first served."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._places = Places(_QUEUE, "reports", _REPORT_WAIT)
        self._turn = asyncio.Lock()
        self._tasks = Errands("fairness")

    async def begin(
        self, game: str, layout: object, games: int, seed: int, address: str | None
    ) -> AsyncIterator[str]:
        """Queue a report. Returns its progress as JSON lines; closing the iterator ends it.

        address: of the client. Raises: LimitError if the queue or the share of the address is full;
        EkoesError if the board is not playable.
        """
        boards = boards_of(game)
        board = await self._sandbox.do(boards.read_board, layout, address=address)
        self._places.take(address)
        found: asyncio.Queue[Json | None] = asyncio.Queue()
        task = self._tasks.run(self._make(boards, board, games, seed, found.put_nowait))
        task.add_done_callback(lambda _: self._places.leave(address))
        task.add_done_callback(lambda _: found.put_nowait(None))  # however it has ended
        return _lines(found, task)

    async def stop(self) -> None:
        """End all reports."""
        await self._tasks.end()

    async def _make(
        self,
        boards: Boards,
        board: Any,  # noqa: ANN401 - the game's own
        games: int,
        seed: int,
        send: Callable[[Json], None],
    ) -> None:
        total = boards.deals_for(board, games)
        send({"played": 0, "games": games, "report": None})
        try:
            async with self._turn:
                left = iter(range(0, total, _DEALS))
                tallies: list[Any] = []

                async def play(left: Iterator[int]) -> None:
                    for begin in left:
                        deals = range(begin, min(begin + _DEALS, total))
                        tallies.append(await self._sandbox.do_next(boards.play_deals, board, deals, seed))
                        played = sum(one.games for one in tallies)
                        send({"played": played, "games": games, "report": None})

                async with asyncio.TaskGroup() as group:
                    for _ in range(AT_ONCE):
                        group.create_task(play(left))
                report = await self._sandbox.do_next(boards.report, board, tallies, seed)
                send({"played": report["games"], "games": games, "report": report})
        except* EkoesError as failed:
            _LOG.warning("report of fairness failed", error=str(failed.exceptions[0]))


async def _lines(found: asyncio.Queue[Json | None], task: asyncio.Task[None]) -> AsyncIterator[str]:
    try:
        while (line := await found.get()) is not None:
            yield f"{encode(line)}\n"
    finally:
        task.cancel()
