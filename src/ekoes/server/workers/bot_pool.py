"""Answers bot requests: those that a table has open, and a pool of workers."""

from __future__ import annotations

import asyncio
import os
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from time import monotonic
from typing import Any

from ekoes.bots import Bot, BotRequest, answer_to, bot, makeshift, seated
from ekoes.errors import EkoesError
from ekoes.games.api.contract import Answer
from ekoes.server.ops.logs import LOG
from ekoes.server.workers.fair_queue import FairQueue, Whose
from ekoes.server.workers.process_pool import ProcessPool
from ekoes.server.workers.warmup import load_bot, load_bots
from ekoes.server.workers.worker_process import IDLE, Process, WorkerDiedError, cores

_THREADS = 2
_TRIES = 2
"""Attempts to answer a request whose workers die."""
_STARTS = 3
"""Failed starts in a row until bots run in threads instead."""
_WAIT = 10
_PATIENCE = 120.0
"""Seconds per decision after which a bot is stopped."""
_PONDER = 0.02
"""Seconds for which a bot searches while the others decide, before its worker looks for requests."""


@dataclass(slots=True, eq=False)
class PendingRequest:
    """A request to a bot. reply: None once no answer is expected.

    is_spent: whether the answer was used; if the request stays open, the bot wants nothing more.
    """

    asked: BotRequest
    asked_at: datetime
    reply: asyncio.Task[Answer] | None
    was_refused: bool = False
    is_spent: bool = False

    @property
    def answer(self) -> Answer | None:
        """The answer; None if there is none yet or none is expected."""
        if self.reply is None or not self.reply.done():
            return None
        answer = self.reply.result()
        return replace(answer, action=None) if self.is_spent else answer

    def cancel(self) -> None:
        """Stop waiting for the answer."""
        if self.reply is not None:
            self.reply.cancel()


class BotRequests:
    """The open bot requests of one table; a request that stays the same is sent once."""

    def __init__(self, ask: Callable[[BotRequest], Coroutine[Any, Any, Answer]]) -> None:
        """Create it without requests. ask: must not fail."""
        self._ask = ask
        self._open: dict[str, PendingRequest] = {}

    def update(self, requests: Sequence[BotRequest], now: datetime) -> None:
        """Send the new requests, and cancel those that are no longer current."""
        current = {request.key: request for request in requests}
        for key in [key for key in self._open if key not in current]:
            self._open.pop(key).cancel()
        for key, request in current.items():
            if key not in self._open:
                reply = asyncio.create_task(self._ask(request), name=f"bot request {key}")
                self._open[key] = PendingRequest(request, now, reply)

    def answered(self) -> Iterator[tuple[PendingRequest, Answer]]:
        """Yield the requests that have an answer."""
        for request in self._open.values():
            answer = request.answer
            if answer is not None:
                yield request, answer

    @property
    def are_open(self) -> bool:
        """Whether there are any."""
        return bool(self._open)

    def waiting(self) -> set[asyncio.Task[Answer]]:
        """Return the tasks of the pending answers."""
        return {
            each.reply for each in self._open.values() if each.reply is not None and not each.reply.done()
        }

    def refuse(self, request: PendingRequest, why: Exception) -> None:
        """Replace an answer that the table refused by a fallback; after a second refusal by nothing."""
        asked = request.asked
        # The text of an error may reveal hidden information, so only its code is logged.
        reason = why.code if isinstance(why, EkoesError) else type(why).__name__
        LOG.warning("bot answer refused", game=asked.game, bot=asked.bot, seat=asked.seat, why=reason)
        if request.was_refused:
            request.reply = None
        else:
            request.was_refused = True
            request.reply = asyncio.create_task(asyncio.to_thread(makeshift, asked))

    def cancel(self) -> None:
        """Cancel all requests."""
        for request in self._open.values():
            request.cancel()
        self._open.clear()


class BotFailedError(EkoesError):
    """A bot could not answer a request."""

    default_code = "bot/failed"


def _ask(process: Process | None, request: BotRequest, table_id: str, threads: int) -> Answer:
    """Return a bot's answer; a process that takes too long is killed.

    process: None: this thread. threads: how many the bot may think with.

    Raises: WorkerDiedError; BotFailedError, or in this thread whatever the bot raises.
    """
    if process is None:
        return _answer_seated(request, table_id, threads)
    answer = process.do(_PATIENCE, _answer, request, table_id, threads)
    if not isinstance(answer, Answer):
        raise BotFailedError(str(answer))
    return answer


def _answer(request: BotRequest, table_id: str, threads: int) -> Answer | str:
    """Return the answer to a request, or a description of the error."""
    load_bot(request.game, request.bot)
    try:
        return _answer_seated(request, table_id, threads)
    except Exception as error:  # noqa: BLE001 - a bot may fail in any way
        return f"{type(error).__name__}: {error}"


MOST_SEATED = 4
"""Seats whose bots a process caches with what they have found: perhaps a tree of 32 MiB each."""
_seated: OrderedDict[tuple[str, int, str, str], Bot] = OrderedDict()
"""Table, seat, game and bot -> the bot that plays there, if it has state of its own; the latest last."""


def _answer_seated(request: BotRequest, table_id: str, threads: int) -> Answer:
    """Return the answer of the bot that has played at this seat before, if this process still has it."""
    key, plain = (table_id, request.seat, request.game, request.bot), bot(request.game, request.bot)
    player = _seated.pop(key, None) or seated(plain)  # meanwhile no other thread has it
    answer = answer_to(request, player, threads)
    if player is not plain:
        _seated[key] = player
        while len(_seated) > MOST_SEATED:
            _seated.popitem(last=False)
    return answer


def _ponder() -> bool:
    """Let the latest bot at a seat search on for a moment, unless the machine is busy."""
    ponder = getattr(next(reversed(_seated.values()), None), "ponder", None)
    is_busy = hasattr(os, "getloadavg") and os.getloadavg()[0] > cores()
    try:
        return ponder is not None and not is_busy and ponder(_PONDER)
    except Exception:  # noqa: BLE001 - a bot may fail in any way
        return False


class BotPool:
    """Answers bot requests with worker processes, in turns that are fair by address, user and table.

    A process starts with the first request that it gets, and ends when it gets none for some time. While
    others are idle, a bot may use a thread for each of them too. A request prefers an idle worker that has
    answered the table lately, as its bots may be cached there.
    """

    def __init__(self, number: int | None = None, idle: float = IDLE) -> None:
        """Create a pool. number: of processes; None: one for each core but one; 0: threads of this process.

        idle: seconds after which an unused process ends.
        """
        self._has_processes = number != 0
        number = _THREADS if number == 0 else number or max(1, cores() - 1)
        self._queue = FairQueue(number, 0, "bots", _WAIT)
        self._pool = ProcessPool(self._queue, lambda: Process("ekoes bot", load_bots, between=_ponder), idle)
        self.measured: Callable[[str, str, float], None] = lambda _game, _bot, _seconds: None
        """Called in the thread of a worker with the game, the bot and its thinking time."""

    @property
    def pids(self) -> list[int]:
        """The process ids of the workers."""
        return self._pool.pids

    @property
    def waiting(self) -> int:
        """The number of tables in the queue."""
        return len({whose[-1] for whose in self._queue.waiting})

    async def ask(self, request: BotRequest, whose: Whose, *, is_urgent: bool = True) -> Answer:
        """Return the answer of a bot, or a fallback if it fails. whose: an address, a user and the table."""
        return await self._queue.run(whose, partial(self._answered, request, whose[-1]), is_urgent=is_urgent)

    def hurry(self, whose: Whose) -> None:
        """Make the waiting requests of a table urgent, on behalf of an address and a user."""
        self._queue.hurry(whose)

    async def stop(self) -> None:
        """Kill all workers."""
        self._pool.close(waits=self._has_processes)

    # ------------------------------------------------------------ in the thread of a worker

    def _answered(self, request: BotRequest, table_id: str | None, worker: int) -> Answer:
        """Answer a request, with another process if one dies."""
        threads = self._queue.at_once // max(1, self._queue.running)
        for _ in range(_TRIES):
            process = self._started(worker)
            if self._pool.has_stopped.is_set():
                break
            begun = monotonic()
            try:
                answer = _ask(process, request, str(table_id), threads)
            except WorkerDiedError as error:
                self._warn("bot worker died", game=request.game, bot=request.bot, error=str(error))
            except Exception as error:  # noqa: BLE001 - a bot may fail in any way
                LOG.error("bot failed", game=request.game, bot=request.bot, error=str(error))
                break
            else:
                self.measured(request.game, request.bot, monotonic() - begun)
                return answer
        return makeshift(request)

    def _started(self, worker: int) -> Process | None:
        """Return the process of a worker; None: bots run in this thread, as no process gets ready."""
        for _ in range(_STARTS if self._has_processes else 0):
            if self._pool.has_stopped.is_set():
                return None
            try:
                return self._pool.process(worker)
            except Exception as error:  # noqa: BLE001 - bots run in threads then
                self._warn("starting a bot worker failed", error=str(error))
        if self._has_processes:
            self._has_processes = False
            self._warn("bots run in the server: no worker gets ready")
        return None

    def _warn(self, message: str, **about: str) -> None:
        if not self._pool.has_stopped.is_set():
            LOG.warning(message, **about)
