"""Who writes into the store: one hand for all tables, which commits together what waits together."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from time import perf_counter

from ekoes.errors import StorageError
from ekoes.server.logs import log_of
from ekoes.storage.store import Store
from ekoes.storage.write import Change

__all__ = ["Scribe"]

Waiting = tuple[Change, "asyncio.Future[None]"]

_LOG = log_of("ekoes.server")

_MOST = 256
"""Changes in one transaction."""
_MOST_PATIENT = 16
"""Of them, those that nobody waits for, where others are in the same transaction or come meanwhile."""
_TIDIED = 200
"""Changes after which the store is tidied: some two megabytes."""


class Scribe:
    """Writes changes in the order in which they come, all at once that wait; of each table one at a time.

    What nobody waits for comes after what somebody does, a little of it each time. Now and then the store
    is tidied beside that.
    """

    def __init__(
        self,
        store: Store,
        thread: Executor | None = None,
        told: Callable[[float, int, int], None] = lambda _seconds, _changes, _failed: None,
    ) -> None:
        """Begin with nothing to write. thread: where to wait for the disk; None: a thread of its own.

        told: hears how long each transaction took, how many changes it was for, and how many failed.
        """
        self._told = told
        self._begun = 0.0
        self._store = store
        self._thread = thread or ThreadPoolExecutor(1, thread_name_prefix="scribe")
        self._waiting: deque[Waiting] = deque()
        self._patient: deque[Waiting] = deque()
        self._batch: list[Waiting] = []
        self._is_busy = False
        self._untidied = 0
        self._tidying: asyncio.Future[None] | None = None

    @property
    def waiting(self) -> int:
        """How many changes wait to be written."""
        return len(self._waiting) + len(self._patient)

    def write(self, change: Change, *, is_patient: bool = False) -> asyncio.Future[None]:
        """Have a change written; it is on the disk when the future is done, or it holds a StorageError."""
        loop = asyncio.get_running_loop()
        written: asyncio.Future[None] = loop.create_future()
        (self._patient if is_patient else self._waiting).append((change, written))
        if not self._is_busy:
            self._is_busy = True
            loop.call_soon(self._begin)
        return written

    async def stop(self) -> None:
        """Return when everything is written."""
        while self._is_busy:
            await asyncio.wait([written for _, written in (*self._batch, *self._waiting, *self._patient)])
        if self._tidying is not None:
            await asyncio.wait([self._tidying])
        self._thread.shutdown()

    def _begin(self) -> None:
        """Take what waits, and let the thread write it."""
        batch = [*_first(self._waiting, _MOST), *_first(self._patient, _MOST_PATIENT)]
        self._batch, self._begun = batch, perf_counter()
        changes = [change for change, _ in batch]
        work = asyncio.get_running_loop().run_in_executor(self._thread, self._store.write, changes)
        work.add_done_callback(self._end)

    def _end(self, work: asyncio.Future[list[StorageError | None]]) -> None:
        """Go on with what has come meanwhile, and tell whoever waited."""
        batch, bug = self._batch, work.exception()
        failures = work.result() if bug is None else [bug] * len(batch)
        failed = sum(failure is not None for failure in failures)
        self._told(perf_counter() - self._begun, len(batch), failed)
        self._batch = []
        self._is_busy = bool(self._waiting or self._patient)
        if self._is_busy:
            self._begin()
        self._tidy(len(batch))
        for (_, written), failure in zip(batch, failures, strict=True):
            if written.done():
                continue  # whoever waited for it has gone
            if failure is None:
                written.set_result(None)
            else:
                written.set_exception(failure)

    def _tidy(self, written: int) -> None:
        """Let the store be tidied in another thread, once there is something to tidy. written: changes."""
        self._untidied += written
        if self._untidied >= _TIDIED and (self._tidying is None or self._tidying.done()):
            self._untidied = 0
            self._tidying = asyncio.get_running_loop().run_in_executor(None, self._try_to_tidy)

    def _try_to_tidy(self) -> None:
        try:
            self._store.tidy()
        except StorageError as error:
            _LOG.warning("the store stays untidy", error=str(error))


def _first(waiting: deque[Waiting], number: int) -> Iterator[Waiting]:
    """Take the first of what waits, a number of them at most."""
    return (waiting.popleft() for _ in range(min(number, len(waiting))))
