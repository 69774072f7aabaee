"""Commits the waiting writes of all tables in one transaction."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from time import perf_counter

from ekoes.errors import StorageError
from ekoes.server.ops.logs import log_of
from ekoes.storage.store import Store
from ekoes.storage.tables import Change

PendingWrite = tuple[Change, "asyncio.Future[None]"]

_LOG = log_of("ekoes.server")

_BATCH = 256
"""Changes per transaction, at most."""
_BACKGROUND_BATCH = 16
"""Of these, changes of background work: others wait for the same transaction."""
_VACUUM_AFTER = 200
"""Changes after which ``Store.tidy`` runs: some two megabytes."""


class GroupCommitter:
    """Writes changes in the order of their arrival, all that wait in one transaction.

    Background writes come last, a few in each transaction. ``Store.tidy`` runs at intervals in a thread.
    """

    def __init__(
        self,
        store: Store,
        thread: Executor | None = None,
        measure: Callable[[float, int, int], None] = lambda _seconds, _changes, _failed: None,
    ) -> None:
        """Create a committer. thread: runs the transactions; None: a thread of its own.

        measure: called after each transaction with its seconds, its changes and how many of them failed.
        """
        self._store = store
        self._measure = measure
        self._thread = thread or ThreadPoolExecutor(1, thread_name_prefix="commit")
        self._waiting: deque[PendingWrite] = deque()
        self._background: deque[PendingWrite] = deque()
        self._batch: list[PendingWrite] = []
        self._started_at = 0.0
        self._is_busy = False
        self._untidied = 0
        self._tidying: asyncio.Future[None] | None = None

    @property
    def waiting(self) -> int:
        """The number of changes that wait to be written."""
        return len(self._waiting) + len(self._background)

    def write(self, change: Change, *, is_background: bool = False) -> asyncio.Future[None]:
        """Queue a change. The future is done when it is on disk, or fails with a StorageError."""
        loop = asyncio.get_running_loop()
        written: asyncio.Future[None] = loop.create_future()
        (self._background if is_background else self._waiting).append((change, written))
        if not self._is_busy:
            self._is_busy = True
            loop.call_soon(self._begin)
        return written

    async def stop(self) -> None:
        """Return when everything is written."""
        while self._is_busy:
            await asyncio.wait([written for _, written in (*self._batch, *self._waiting, *self._background)])
        if self._tidying is not None:
            await asyncio.wait([self._tidying])
        self._thread.shutdown()

    def _begin(self) -> None:
        """Start a transaction with the waiting changes."""
        batch = self._batch
        while self._waiting and len(batch) < _BATCH:
            batch.append(self._waiting.popleft())
        most = len(batch) + _BACKGROUND_BATCH
        while self._background and len(batch) < most:
            batch.append(self._background.popleft())
        self._started_at = perf_counter()
        changes = [change for change, _ in batch]
        work = asyncio.get_running_loop().run_in_executor(self._thread, self._store.write, changes)
        work.add_done_callback(self._end)

    def _end(self, work: asyncio.Future[list[StorageError | None]]) -> None:
        """Start the next transaction, then resolve the futures of this one."""
        batch, bug = self._batch, work.exception()
        failures: list[BaseException | None] = [bug] * len(batch)
        if bug is None:
            failures = [*work.result()]
        self._measure(perf_counter() - self._started_at, len(batch), len(batch) - failures.count(None))
        self._batch = []
        self._is_busy = bool(self._waiting or self._background)
        if self._is_busy:
            self._begin()
        self._untidied += len(batch)
        if self._untidied >= _VACUUM_AFTER and (self._tidying is None or self._tidying.done()):
            self._untidied = 0
            self._tidying = asyncio.get_running_loop().run_in_executor(None, self._tidy)
        for (_, written), failure in zip(batch, failures, strict=True):
            if written.done():
                continue  # its caller was cancelled
            if failure is None:
                written.set_result(None)
            else:
                written.set_exception(failure)

    def _tidy(self) -> None:
        try:
            self._store.tidy()
        except StorageError as error:
            _LOG.warning("tidying the store failed", error=str(error))
