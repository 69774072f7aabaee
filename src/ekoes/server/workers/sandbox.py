"""Runs computations (previews, trial moves, reviews) in worker processes, a few at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from threading import Event
from typing import TypeVar, TypeVarTuple

from ekoes.errors import LimitError
from ekoes.server.ops.limits import Places
from ekoes.server.ops.logs import log_of
from ekoes.server.workers.warmup import load_rules
from ekoes.server.workers.worker_process import IDLE, NICENESS, Process, WorkerDiedError

Ts = TypeVarTuple("Ts")
T = TypeVar("T")

_LOG = log_of("ekoes.server")
_AT_ONCE = 3
"""Processes; what has a queue of its own never uses the last one, so that previews don't wait for it."""
_WAITING = 16
_WAIT = 10
"""Seconds after which a place in a full queue may be free."""
_SECONDS = 20.0
MEMORY = 256 << 20
"""Most bytes of a computation: many times the need of a board with all variants."""


class Sandbox:
    """A pool of processes with limits of time and memory, started on first use and ended when idle."""

    def __init__(
        self,
        at_once: int = _AT_ONCE,
        waiting: int = _WAITING,
        seconds: float = _SECONDS,
        memory: int = MEMORY,
        idle: float = IDLE,
        niceness: int = NICENESS,
    ) -> None:
        """Create a pool.

        seconds, memory (bytes): the limits of one computation. idle: seconds without any after which the
        processes end. niceness: of the processes, added to that of the server.
        """
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix="workbench")
        self._places = Places(at_once + waiting, "of these requests", _WAIT)
        self._background = asyncio.Semaphore(max(1, at_once - 1))
        self._seconds = seconds
        self._memory = memory
        self._seconds_idle = idle
        self._niceness = niceness
        self._timer: asyncio.TimerHandle | None = None
        self._idle: list[Process] = []
        self._processes: set[Process] = set()

    async def do(self, work: Callable[[*Ts], T], *args: *Ts, address: str | None = None) -> T:
        """Run a function of a module with picklable arguments and return its result.

        address: of the client. Raises: LimitError if the queue or the share of the address is full, or the
        computation exceeds a limit; whatever the function raises.
        """
        self._places.take(address)
        done = self._begun(work, args)
        done.add_done_callback(lambda _: self._places.leave(address))
        return await asyncio.shield(done)

    async def do_next(self, work: Callable[[*Ts], T], *args: *Ts) -> T:
        """Run a function like ``do``, but without a place: for what has waited in a queue of its own."""
        async with self._background:
            return await asyncio.shield(self._begun(work, args))

    async def stream(self, work: Callable[[*Ts], Iterator[T]], *args: *Ts) -> AsyncGenerator[T]:
        """Run a generator function like ``do_next`` and yield its values; closing the iterator ends it."""
        found, ended = asyncio.Queue[tuple[T] | None](), Event()
        loop = asyncio.get_running_loop()

        def put(value: T) -> None:
            loop.call_soon_threadsafe(found.put_nowait, (value,))

        done = self._begun_in_thread(self._streamed, put, ended, work, args)
        done.add_done_callback(lambda _: found.put_nowait(None))
        try:
            while value := await found.get():
                yield value[0]
            await done
        finally:
            ended.set()
            done.cancel()  # in case it still waits for a thread

    def close(self) -> None:
        """Kill the processes."""
        if self._timer is not None:
            self._timer.cancel()
        self._threads.shutdown(wait=False, cancel_futures=True)
        for process in list(self._processes):
            process.kill()

    def _begun(self, work: Callable[..., T], arguments: tuple[object, ...]) -> asyncio.Future[T]:
        """Have a function run in a process as soon as one is free."""
        return self._begun_in_thread(self._done, work, arguments)

    def _begun_in_thread(self, work: Callable[[*Ts], T], *args: *Ts) -> asyncio.Future[T]:
        loop = asyncio.get_running_loop()
        if self._timer is not None:
            self._timer.cancel()
        self._timer = loop.call_later(self._seconds_idle, self._threads.submit, self._end_idle)
        done = loop.run_in_executor(self._threads, work, *args)
        done.add_done_callback(_retrieve)
        return done

    # ------------------------------------------------------------ in the thread of a process

    def _done(self, work: Callable[..., T], arguments: tuple[object, ...]) -> T:
        with self._process() as process:
            result: T = process.do(self._seconds, work, *arguments)
        return result

    def _streamed(
        self,
        put: Callable[[T], None],
        ended: Event,
        work: Callable[..., Iterator[T]],
        arguments: tuple[object, ...],
    ) -> None:
        with self._process() as process, closing(process.stream(self._seconds, work, *arguments)) as values:
            for value in values:
                put(value)
                if ended.is_set():
                    break

    @contextmanager
    def _process(self) -> Iterator[Process]:
        """Lend an idle process, or a new one. Raises LimitError if it comes to a limit."""
        process = self._idle.pop() if self._idle else self._started()
        try:
            yield process
        except (WorkerDiedError, MemoryError) as error:
            _LOG.warning("computation stopped", error=f"{type(error).__name__} {error}")
            message = "this needs more time or memory than one request may use"
            raise LimitError(message, code="limit/too-much") from None
        finally:
            if process.is_alive:
                self._idle.append(process)
            else:
                self._processes.discard(process)

    def _end_idle(self) -> None:
        """End the processes that compute nothing."""
        while self._idle:
            process = self._idle.pop()
            self._processes.discard(process)
            process.end()

    def _started(self) -> Process:
        try:
            # Compiling the rules for the first time may exceed a computation's limits, so it happens before.
            process = Process("ekoes workbench", load_rules, self._memory, self._niceness)
            self._processes.add(process)
            process.get_ready()
        except (OSError, WorkerDiedError) as error:
            _LOG.warning("starting a sandbox process failed", error=str(error))
            raise self._places.busy() from None
        return process


def _retrieve(done: asyncio.Future[T]) -> None:
    if not done.cancelled():
        done.exception()  # the caller has it, or was cancelled
