"""Several workers and the line of questions before them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Event
from time import monotonic
from typing import TypeVar

from ekoes.games.contract import Answer
from ekoes.match.question import Question, makeshift
from ekoes.server.logs import log_of
from ekoes.server.process import cores
from ekoes.server.thinking.line import Line, Waiting
from ekoes.server.thinking.worker import Here, Process, Worker, WorkerDiedError

__all__ = ["Workers", "usual_number"]

_LOG = log_of("ekoes.server")
_THREADS = 2
_TRIES = 2
"""How often a question is asked of workers that die of it."""
_STARTS = 3
"""How often in a row a worker may die before it is ready, until bots think in threads instead."""

T = TypeVar("T")


def usual_number() -> int:
    """Return how many workers are usual: one for each core but one, which is the server's."""
    return max(1, cores() - 1)


class Workers:
    """Answers questions with worker processes, each looked after by a task and a thread of its own."""

    def __init__(self, number: int | None = None) -> None:
        """Begin at rest. number: of processes; None: the usual one; 0: threads of this process."""
        self._makes: Callable[[], Worker] = Here if number == 0 else Process
        self._number = _THREADS if number == 0 else number or usual_number()
        self._threads = ThreadPoolExecutor(self._number, thread_name_prefix="bot")
        self._line = Line()
        self._workers: set[Worker] = set()
        self._attendants: list[asyncio.Task[None]] = []
        self._has_stopped = Event()
        self.measured: Callable[[str, str, float], None] = lambda _game, _bot, _seconds: None
        """Is told, in the thread of a worker, for how long which bot of which game has thought."""

    @property
    def pids(self) -> list[int]:
        """The numbers of the worker processes."""
        return [each.pid for each in self._workers if isinstance(each, Process) and each.pid is not None]

    @property
    def waiting(self) -> int:
        """How many tables wait for an answer that nobody thinks about yet."""
        return len(self._line)

    def start(self) -> None:
        """Start the workers; until they are ready, questions wait."""
        self._attendants = [
            asyncio.create_task(self._attend(), name=f"worker {number}") for number in range(self._number)
        ]

    async def ask(self, question: Question, table_id: str, *, is_urgent: bool = True) -> Answer:
        """Return what a bot wants to do, or what stands in for it where it fails."""
        if not self._attendants:
            self.start()
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._line.put(table_id, Waiting(question, answer), is_urgent=is_urgent)
        return await answer

    async def stop(self) -> None:
        """End all workers, in the midst of a thought too."""
        self._has_stopped.set()
        for attendant in self._attendants:
            attendant.cancel()
        for worker in list(self._workers):
            worker.kill()
        await asyncio.gather(*self._attendants, return_exceptions=True)
        self._threads.shutdown(wait=self._makes is not Here, cancel_futures=True)

    async def _attend(self) -> None:
        """Look after one worker: hand it one question after the other."""
        worker = await self._in_thread(self._started)
        while True:
            waiting = await self._line.next()
            worker, answer = await self._in_thread(partial(self._answered, worker, waiting.question))
            if not waiting.answer.done():
                waiting.answer.set_result(answer)

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    # ------------------------------------------------------------ in the thread of a worker

    def _answered(self, worker: Worker, question: Question) -> tuple[Worker, Answer]:
        """Ask a question, of another worker where one dies. Returns: who can be asked next, the answer."""
        for _ in range(_TRIES):
            if not worker.is_alive:
                self._workers.discard(worker)
                worker = self._started()
            if self._has_stopped.is_set():
                break
            begun = monotonic()
            try:
                answer = worker.ask(question)
            except WorkerDiedError as error:
                self._warn("a bot's worker ended", game=question.game, bot=question.bot, error=str(error))
            except Exception as error:  # noqa: BLE001 - a bot may fail in any way
                _LOG.error("a bot failed", game=question.game, bot=question.bot, error=str(error))
                break
            else:
                self.measured(question.game, question.bot, monotonic() - begun)
                return worker, answer
        return worker, makeshift(question)

    def _started(self) -> Worker:
        """Start a worker and wait until it is ready; where none gets ready, the thread itself thinks."""
        for _ in range(_STARTS):
            if self._has_stopped.is_set():
                return Here()
            try:
                worker = self._makes()
                self._workers.add(worker)
                if self._has_stopped.is_set():
                    worker.kill()
                worker.get_ready()
            except Exception as error:  # noqa: BLE001 - whatever it is, bots think here then
                self._warn("no worker could be started", error=str(error))
            else:
                return worker
        self._warn("bots think in the server: no worker gets ready")
        return Here()

    def _warn(self, message: str, **about: str) -> None:
        """Write what went wrong into the log, unless it is that the server ends."""
        if not self._has_stopped.is_set():
            _LOG.warning(message, **about)
