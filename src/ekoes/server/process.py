"""A process beside the server that does one piece of work after the other, within bounds.

It has compiled code at hand before it is ready, is nicer to others than the server, and ends with the
server, however that ends. It gets its work and nothing else: on Linux it is forked from a process that has
loaded the rules and knows nothing of the server, elsewhere it is started afresh.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any

from ekoes.errors import EkoesError

__all__ = ["Process", "WorkerDiedError", "be_nice", "begin_to_load", "cores"]

if sys.platform == "linux":
    _CONTEXT = multiprocessing.get_context("forkserver")
    _CONTEXT.set_forkserver_preload(["ekoes.server.loaded"])
else:  # macOS's own libraries do not bear a fork, and Windows has none
    _CONTEXT = multiprocessing.get_context("spawn")
_NICENESS = 5
_LAST_MOMENT = 0.5
"""Seconds within which a killed process is gone, at most."""
_ITSELF = Path("/proc/self/statm")


class WorkerDiedError(EkoesError):
    """A process ended before it had done its work."""

    default_code = "bot/worker-died"


class Process:
    """One such process. Its methods block, but for ``kill``."""

    def __init__(self, name: str, begin: Callable[[], None], memory: int | None = None) -> None:
        """Start it; ``get_ready`` waits for it. Raises OSError where no process can be started.

        begin: what it does first. memory: bytes that it may take beyond what it has when it is ready, where
        the system can see to it; whatever takes more raises MemoryError there.
        """
        self._line, theirs = _CONTEXT.Pipe()
        self._process = _CONTEXT.Process(target=_work, args=(theirs, begin, memory), name=name, daemon=True)
        try:
            with _no_interrupt():
                self._process.start()
        except (EOFError, ConnectionError) as error:
            sleep(_LAST_MOMENT)  # whoever tries again finds a new one
            raise ChildProcessError("the process that forks others has ended") from error
        finally:
            theirs.close()

    @property
    def pid(self) -> int | None:
        """The number of the process."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self._process.is_alive()

    def get_ready(self) -> None:
        """Wait until it has compiled code at hand. Raises WorkerDiedError."""
        self._receive(None)

    def do(self, seconds: float, work: Callable[..., object], *arguments: object) -> Any:  # noqa: ANN401
        """Return what comes of some work; where that takes longer the process is ended.

        Raises: WorkerDiedError; whatever the work raises.
        """
        text = pickle.dumps((work, arguments))
        try:
            self._line.send_bytes(text)
        except OSError as error:
            raise WorkerDiedError(f"worker {self.pid} does not listen") from error
        has_failed, came_of_it = self._receive(seconds)
        if has_failed:
            raise came_of_it
        return came_of_it

    def kill(self) -> None:
        """End the process; who waits for its answer is told at once."""
        self._process.kill()
        self._process.join(_LAST_MOMENT)

    def _receive(self, patience: float | None) -> Any:  # noqa: ANN401
        try:
            if not self._line.poll(patience):
                self.kill()
            return pickle.loads(self._line.recv_bytes())  # noqa: S301 - our own process wrote it
        except (EOFError, OSError) as error:
            self._process.join()
            raise WorkerDiedError(f"worker {self.pid} ended ({self._process.exitcode})") from error


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def begin_to_load() -> None:
    """Begin to load what all these processes need while the server starts, where a core is free for it.

    Else it is loaded when the first of them starts.
    """
    if sys.platform == "linux" and cores() > 1:
        from multiprocessing import forkserver  # noqa: PLC0415 - Windows has none

        with _no_interrupt():
            forkserver.ensure_running()


@contextlib.contextmanager
def _no_interrupt() -> Iterator[None]:
    """Start a process that Ctrl-C does not reach: the server alone decides when it ends."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # which would let the signal through again as it starts
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# ---------------------------------------------------------------- in the process

_nice = False


def be_nice() -> None:
    """Leave the processor to the server from now on; who was forked from one that does so does already."""
    global _nice  # noqa: PLW0603 - it tells of the process
    if hasattr(os, "nice") and not _nice:
        os.nice(_NICENESS)
        _nice = True


def _work(line: Connection, begin: Callable[[], None], memory: int | None) -> None:
    """Do what is asked as long as the server lives."""
    Thread(target=_end_with_server, daemon=True).start()
    begin()
    be_nice()
    if memory is not None:
        _bound(memory)
    with contextlib.suppress(EOFError, OSError):
        line.send_bytes(pickle.dumps(None))
        while True:
            line.send_bytes(_done(line.recv_bytes()))


def _done(asked: bytes) -> bytes:
    """Do some work. Returns: whether it has failed, and what came of it."""
    try:
        work, arguments = pickle.loads(asked)  # noqa: S301 - the server wrote it
        return pickle.dumps((False, work(*arguments)))
    except Exception as error:  # noqa: BLE001 - it may fail in any way; the process goes on
        return pickle.dumps((True, error))


def _bound(memory: int) -> None:
    """Take no more memory than this from now on, where the system can see to it."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource  # noqa: PLC0415 - Windows has none

        pages = int(_ITSELF.read_text("ascii").partition(" ")[0])
        most = pages * resource.getpagesize() + memory
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _end_with_server() -> None:
    """End in the midst of its work where the server is gone."""
    server = multiprocessing.parent_process()
    if server is not None:
        server.join()
        os._exit(0)
