"""Runs computations (first positions, lines of play, reviews) in worker processes, a few at a time."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar, TypeVarTuple

from ekoes.errors import LimitError
from ekoes.server.ops.logs import LOG
from ekoes.server.workers.fair_queue import FairQueue, Whose
from ekoes.server.workers.process_pool import ProcessPool
from ekoes.server.workers.warmup import load_rules
from ekoes.server.workers.worker_process import IDLE, Process, WorkerDiedError

Ts = TypeVarTuple("Ts")
T = TypeVar("T")

_AT_ONCE = 3
_WAITING = 16
_WAIT = 10
"""Seconds after which a place in a full queue may be free."""
_SECONDS = 20.0
MEMORY = 256 << 20
"""Most bytes of a computation: many times the need of a board with all variants."""


class Sandbox:
    """A pool of processes with limits of time and memory, in turns that are fair by address."""

    def __init__(
        self,
        at_once: int = _AT_ONCE,
        waiting: int = _WAITING,
        seconds: float = _SECONDS,
        memory: int = MEMORY,
        idle: float = IDLE,
    ) -> None:
        """Create a pool.

        seconds, memory (bytes): the limits of one computation. idle: seconds without any after which a
        process ends.
        """
        self._queue = FairQueue(at_once, waiting, "of these requests", _WAIT)
        # Compiling the rules for the first time may exceed a computation's limits, so it happens before.
        self._pool = ProcessPool(self._queue, lambda: Process("ekoes workbench", load_rules, memory), idle)
        self._seconds = seconds

    @property
    def pids(self) -> list[int]:
        """The ids of the processes."""
        return self._pool.pids

    async def do(self, work: Callable[[*Ts], T], *args: *Ts, address: str | None = None) -> T:
        """Run a function of a module with picklable arguments and return its result.

        address: of the client. Raises: LimitError if the queue or the share of the address is full, or the
        computation exceeds a limit; whatever the function raises.
        """
        with self._queue.places.place(address):
            return await self._queue.run((address,), partial(self._done, work, args))

    async def do_part(self, whose: Whose, work: Callable[[*Ts], T], *args: *Ts) -> T:
        """Run a part of a longer computation that has a place: like ``do``, but after all calls of that."""
        return await self._queue.run(whose, partial(self._done, work, args), is_urgent=False)

    def close(self) -> None:
        """Kill the processes."""
        self._pool.close()

    # ------------------------------------------------------------ in the thread of a worker

    def _done(self, work: Callable[..., T], args: tuple[object, ...], worker: int) -> T:
        try:
            process = self._pool.process(worker)
        except (OSError, WorkerDiedError) as error:
            LOG.warning("starting a sandbox process failed", error=str(error))
            raise self._queue.places.busy() from None
        try:
            return process.do(self._seconds, work, *args)
        except (WorkerDiedError, MemoryError) as error:
            LOG.warning("computation stopped", error=f"{type(error).__name__} {error}")
            message = "this needs more time or memory than one request may use"
            raise LimitError(message, code="limit/too-much") from None
