"""A child process that handles one request after the other, with a time limit and a memory limit."""

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
from threading import Lock, Thread
from time import sleep
from typing import Any, TypeVar

from ekoes.errors import EkoesError

T = TypeVar("T")

_LOADED = "ekoes.server.preload"
if sys.platform == "linux":
    _CONTEXT = multiprocessing.get_context("forkserver")
    _CONTEXT.set_forkserver_preload([_LOADED])
else:  # forking is unsafe on macOS, and Windows has no fork
    _CONTEXT = multiprocessing.get_context("spawn")
_FORKING = Lock()
"""Held while a process starts, and while the fork server ends."""
NICENESS = 5
"""Of worker processes: the server itself goes first."""
_LAST_MOMENT = 0.5
"""Seconds to wait for a killed process."""
_ITSELF = Path("/proc/self/statm")

IDLE = 600.0
"""Seconds after which an unused worker ends."""


class WorkerDiedError(EkoesError):
    """A worker process ended before it had answered."""

    default_code = "bot/worker-died"


class Process:
    """A worker process. Its methods block, but for ``kill``."""

    def __init__(
        self,
        name: str,
        begin: Callable[[], None],
        memory: int | None = None,
        between: Callable[[], bool] = bool,
    ) -> None:
        """Start it; ``get_ready`` waits for it. Raises OSError if the process can't be started.

        begin: called first. memory: bytes that it may allocate once it is ready, where the system supports
        that; beyond them MemoryError is raised. between: called repeatedly while no request waits, until it
        returns False; it must return quickly.
        """
        self._line, theirs = _CONTEXT.Pipe()
        self._process = _CONTEXT.Process(
            target=_work, args=(theirs, begin, memory, between), name=name, daemon=True
        )
        try:
            with _no_interrupt(), _FORKING:
                self._process.start()
        except (EOFError, ConnectionError) as error:
            sleep(_LAST_MOMENT)  # then a new fork server can start
            raise ChildProcessError("the process that forks others has ended") from error
        finally:
            theirs.close()

    @property
    def pid(self) -> int | None:
        """The id of the process."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self._process.is_alive()

    def get_ready(self) -> None:
        """Wait until it has loaded its code. Raises WorkerDiedError."""
        self._receive(None)

    def do(self, seconds: float, work: Callable[..., T], *arguments: object) -> T:
        """Run a function in the process and return its result; the process is killed after a time limit.

        Raises: WorkerDiedError; whatever the function raises.
        """
        text = pickle.dumps((work, arguments))
        try:
            self._line.send_bytes(text)
        except OSError as error:
            raise WorkerDiedError(f"worker {self.pid} is gone") from error
        has_failed, result = self._receive(seconds)
        if has_failed:
            raise result
        value: T = result
        return value

    def kill(self) -> None:
        """Kill the process; waiting callers get WorkerDiedError."""
        self._process.kill()
        self._process.join(_LAST_MOMENT)

    def end(self) -> None:
        """End an unused process, and the fork server after the last one."""
        self.kill()
        end_fork_server()

    def _receive(self, patience: float | None) -> tuple[bool, Any]:
        try:
            if not self._line.poll(patience):
                self.kill()
            found: tuple[bool, Any] = pickle.loads(self._line.recv_bytes())  # noqa: S301 - our own process wrote it
        except (EOFError, OSError) as error:
            self._process.join()
            raise WorkerDiedError(f"worker {self.pid} ended ({self._process.exitcode})") from error
        return found


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def end_fork_server() -> None:
    """End the fork server if it has no process left; it starts again with the next one."""
    if sys.platform != "linux":
        return
    from multiprocessing import forkserver  # noqa: PLC0415 - Windows has none

    with _FORKING:
        if not multiprocessing.active_children():  # it waits for those that it has forked
            vars(forkserver)["_forkserver"]._stop()  # noqa: SLF001 - it has no public way to end


@contextlib.contextmanager
def _no_interrupt() -> Iterator[None]:
    """Block SIGINT while a process starts: the server alone decides when it ends."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # it would unblock the signal when it starts
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# ---------------------------------------------------------------- in the process

_is_nice = False
"""Whether the priority is lower; forked processes inherit it."""


def be_nice() -> None:
    """Lower the priority of this process, once."""
    global _is_nice  # noqa: PLW0603 - a fact of the process
    if hasattr(os, "nice") and not _is_nice:
        os.nice(NICENESS)
        _is_nice = True


def _work(
    line: Connection,
    begin: Callable[[], None],
    memory: int | None,
    between: Callable[[], bool],
) -> None:
    """Serve requests until the server ends."""
    Thread(target=_end_with_server, daemon=True).start()
    begin()
    be_nice()
    if memory is not None:
        _limit_memory(memory)
    with contextlib.suppress(EOFError, OSError):
        line.send_bytes(pickle.dumps(None))
        while True:
            line.send_bytes(_done(line.recv_bytes()))
            while not line.poll() and between():
                pass


def _done(asked: bytes) -> bytes:
    """Call a function. Returns: whether it has failed, and its result or exception, pickled."""
    try:
        work, arguments = pickle.loads(asked)  # noqa: S301 - the server wrote it
        return pickle.dumps((False, work(*arguments)))
    except Exception as error:  # noqa: BLE001 - the caller gets it
        return pickle.dumps((True, error))


def _limit_memory(memory: int) -> None:
    """Limit further allocations, where the system supports it.

    Address space is not limited: each thread reserves much more than it uses.
    """
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource  # noqa: PLC0415 - Windows has none

        *_, data, _ = map(int, _ITSELF.read_text("ascii").split())
        most = data * resource.getpagesize() + memory
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _end_with_server() -> None:
    """Exit at once when the server has ended."""
    server = multiprocessing.parent_process()
    if server is not None:
        server.join()
        os._exit(0)
