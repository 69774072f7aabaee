"""Worker processes behind a fair queue, one for each of its workers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from threading import Event

from ekoes.server.workers.fair_queue import FairQueue
from ekoes.server.workers.worker_process import Process


class ProcessPool:
    """Processes that start with the first work that they get, and end when they get none for some time."""

    def __init__(self, queue: FairQueue, begun: Callable[[], Process], idle: float) -> None:
        """Create a pool without processes.

        begun: starts one; ``process`` waits until it is ready. idle: seconds after which an unused one ends.
        """
        queue.on_end = self._watch
        self._queue = queue
        self.has_stopped = Event()
        self._begun = begun
        self._seconds_idle = idle
        self._processes: dict[int, Process] = {}
        """Number of a worker -> its process."""
        self._timers: dict[int, asyncio.TimerHandle] = {}

    @property
    def pids(self) -> list[int]:
        """The ids of the processes."""
        return [each.pid for each in list(self._processes.values()) if each.pid is not None]

    def close(self, *, waits: bool = False) -> None:
        """Kill the processes and end the threads. waits: until their work has ended."""
        self.has_stopped.set()
        for timer in self._timers.values():
            timer.cancel()
        for process in list(self._processes.values()):
            process.kill()
        self._queue.close(waits=waits)

    def _watch(self, worker: int) -> None:
        """End the process of a worker that gets no work from now on."""
        if (timer := self._timers.pop(worker, None)) is not None:
            timer.cancel()
        if worker in self._processes and not self.has_stopped.is_set():
            loop = asyncio.get_running_loop()
            self._timers[worker] = loop.call_later(self._seconds_idle, self._end_unused, worker)

    def _end_unused(self, worker: int) -> None:
        del self._timers[worker]
        if self._queue.is_idle(worker) and (process := self._processes.pop(worker, None)) is not None:
            self._queue.in_thread(process.end)

    # ------------------------------------------------------------ in the thread of a worker

    def process(self, worker: int) -> Process:
        """Return the process of a worker, a new one if it has none that lives.

        Raises: OSError, WorkerDiedError if none starts.
        """
        process = self._processes.get(worker)
        if process is None or not process.is_alive:
            process = self._processes[worker] = self._begun()
            if self.has_stopped.is_set():
                process.kill()
            process.get_ready()
        return process
