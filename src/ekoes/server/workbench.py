"""Where the server computes what somebody only wants to look at: few at a time, in processes with bounds.

Boards with all variants take half a second each. Whoever asks for one while many wait is told to come back;
what takes more time or memory than anything of the kind is ended, and others do not notice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from ekoes.errors import LimitError
from ekoes.server.logs import log_of
from ekoes.server.process import Process, WorkerDiedError
from ekoes.server.readied import load_rules

__all__ = ["MEMORY", "Workbench"]

P = ParamSpec("P")
T = TypeVar("T")

_LOG = log_of("ekoes.server")
_AT_ONCE = 2
_WAITING = 16
_SECONDS = 20.0
MEMORY = 256 << 20
"""Bytes that each may take: many times what a board with all variants does."""


class Workbench:
    """Two places, each with a process that is started when it is first needed."""

    def __init__(
        self,
        at_once: int = _AT_ONCE,
        waiting: int = _WAITING,
        seconds: float = _SECONDS,
        memory: int = MEMORY,
    ) -> None:
        """Begin with nothing to do. seconds, memory (bytes): what some work may take."""
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix="workbench")
        self._most = at_once + waiting
        self._seconds = seconds
        self._memory = memory
        self._taken = 0
        self._idle: list[Process] = []
        self._processes: set[Process] = set()

    async def do(self, work: Callable[P, T], *args: P.args, **_named: P.kwargs) -> T:
        """Return what comes of some work: a function of a module, and what can be sent to a process.

        Raises: LimitError where too much is to be done, or it takes too much; whatever the work raises.
        """
        if self._taken >= self._most:
            raise _busy()
        self._taken += 1
        done = asyncio.get_running_loop().run_in_executor(self._threads, self._done, work, args)
        done.add_done_callback(self._leave)
        result: T = await asyncio.shield(done)
        return result

    def close(self) -> None:
        """Begin nothing more, and end what goes on."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        for process in list(self._processes):
            process.kill()

    def _leave(self, done: asyncio.Future[T]) -> None:
        self._taken -= 1
        if not done.cancelled():
            done.exception()  # whoever asked was told, or has gone

    # ------------------------------------------------------------ in the thread of a place

    def _done(self, work: Callable[..., T], arguments: tuple[object, ...]) -> T:
        """Have a process do some work; one that dies of it is not asked again."""
        process = self._idle.pop() if self._idle else self._started()
        try:
            result: T = process.do(self._seconds, work, *arguments)
        except (WorkerDiedError, MemoryError) as error:
            _LOG.warning("too much to compute", error=f"{type(error).__name__} {error}")
            message = "this takes more time or memory than there is for one of its kind"
            raise LimitError(message, code="limit/too-much") from None
        finally:
            if process.is_alive:
                self._idle.append(process)
            else:
                self._processes.discard(process)
        return result

    def _started(self) -> Process:
        try:
            # Compiling the rules, where nobody has done that before, takes more than any work may.
            process = Process("ekoes workbench", load_rules, self._memory)
            self._processes.add(process)
            process.get_ready()
        except (OSError, WorkerDiedError) as error:
            _LOG.warning("no worker could be started", error=str(error))
            raise _busy() from None
        return process


def _busy() -> LimitError:
    message = "the server has too much of this to do; try again in a moment"
    return LimitError(message, code="limit/busy", wait=10)
