"""Pools of workers for the jobs of the arena: this process, a ``ProcessPoolExecutor`` or a Ray cluster.

A crashed worker, or a node that goes down, costs time and nothing else: its work is done again.
"""

from __future__ import annotations

import os
import re
import signal
import socket
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.util import Finalize
from secrets import token_hex
from threading import Thread
from typing import Any, Protocol, TypeVar

from ekoes.errors import EkoesError

In = TypeVar("In")
Out = TypeVar("Out")

_AHEAD = 2
"""Pieces submitted per worker, so that none waits for the next one."""
_DEATHS = 3
"""Workers that one piece may kill before the run ends."""


class PoolError(EkoesError):
    """The work can't go on."""


Job = Callable[[In], Out]
"""The work of a process on one piece; equal pieces have equal results in any worker.

Picklable. A job that is also a context manager is entered in the worker before its first piece, and exited at
the end; once entered it need not be picklable.
"""


class Pool(Protocol):
    """Runs a job on pieces of work and yields the results in any order."""

    def __call__(self, job: Job[In, Out], pieces: Iterable[In], /) -> Iterator[Out]:
        """Begin; closing the iterator ends the work."""


def local_pool(workers: int) -> Pool:
    """Return the pool of this machine: this process alone, or that many worker processes."""
    return run_here if workers == 1 else partial(run_in_processes, workers=workers)


def run_here(job: Job[In, Out], pieces: Iterable[In]) -> Iterator[Out]:
    """Yield the result of each piece, computed in this process."""
    with ExitStack() as stack:
        yield from map(_entered(job, stack), pieces)


def run_in_processes(job: Job[In, Out], pieces: Iterable[In], workers: int) -> Iterator[Out]:
    """Yield the result of each piece, in the order of completion. Raises PoolError."""
    rest = iter(pieces)
    while lost := (yield from _run(job, rest, workers, _AHEAD * workers)):
        deaths = 0
        while lost:  # one at a time, so that a death has one culprit
            suspects = iter(lost)
            again = yield from _run(job, suspects, 1, 1)
            deaths = deaths + 1 if again == lost[:1] else len(again)
            if deaths == _DEATHS:
                raise PoolError(f"{_DEATHS} workers died one after the other at {again[0]!r:.100}")
            lost = [*again, *suspects]


def _run(job: Job[In, Out], pieces: Iterator[In], workers: int, ahead: int) -> Generator[Out, None, list[In]]:
    """Yield results until the pieces are done or a worker dies. Returns the pieces lost with it."""
    context = get_context("spawn")
    watched, alive = context.Pipe(duplex=False)
    executor = ProcessPoolExecutor(workers, context, initializer=_begin, initargs=(watched,))
    key, pending, lost = token_hex(), dict[Future[Any], In](), list[In]()
    try:
        while True:
            for piece in islice(pieces, 0 if lost else ahead - len(pending)):
                pending[_submit(executor, key, job, piece)] = piece
            if not pending:
                return lost
            done, _ = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                piece = pending.pop(future)
                error = future.exception()
                if isinstance(error, BrokenProcessPool):
                    lost.append(piece)
                elif error is not None:
                    raise PoolError(f"{type(error).__name__}: {error}")
                else:
                    yield future.result()
    finally:
        if pending:  # stopped early: the workers end at once
            alive.close()
        executor.shutdown(cancel_futures=True)
        alive.close()
        watched.close()


def _submit(executor: ProcessPoolExecutor, key: str, job: Job[In, Out], piece: In) -> Future[Out]:
    try:
        return executor.submit(_do, key, job, piece)
    except BrokenProcessPool as error:
        failed: Future[Out] = Future()
        failed.set_exception(error)
        return failed


LOCAL = "local"
"""Instead of an address: a cluster of this machine alone, for the time of the run."""

_HOST = re.compile(r".+:[0-9]{1,5}")
_SECONDS_TO_ANSWER = 5
_STORE = 128 * 1024 * 1024
"""Bytes of the object store of a local cluster."""


@contextmanager
def cluster_at(address: str) -> Iterator[Pool]:
    """Join a Ray cluster, or start one, and yield its pool. Raises PoolError."""
    try:
        import ray
    except ImportError as error:
        raise PoolError("Ray is not installed: pip install 'ekoes[cluster]'") from error
    options: dict[str, Any] = {"include_dashboard": False, "object_store_memory": _STORE}
    at = options if address == LOCAL else {"address": address}
    try:
        if _HOST.fullmatch(address):
            _check_reachable(address)
        ray.init(**at, log_to_driver=False, configure_logging=False)
    except (OSError, ValueError, RuntimeError) as error:
        raise PoolError(f"no cluster at {address!r:.80}: {error}") from error
    try:
        yield _run_on_cluster
    finally:
        ray.shutdown()


def _check_reachable(address: str) -> None:
    """Check that a server listens, because Ray itself would wait for minutes. Raises OSError."""
    host, _, port = address.rpartition(":")
    socket.create_connection((host.strip("[]"), int(port)), _SECONDS_TO_ANSWER).close()


def _run_on_cluster(job: Job[In, Out], pieces: Iterable[In]) -> Iterator[Out]:
    """Yield the result of each piece, in the order of completion. Raises PoolError."""
    import ray

    begin: Any = ray.remote(num_cpus=1, max_retries=-1)(_do)
    key, shared, rest, under_way = token_hex(), ray.put(job), iter(pieces), set[Any]()
    while True:
        more = islice(rest, max(_AHEAD * _cores() - len(under_way), 0))
        under_way |= {begin.remote(key, shared, piece) for piece in more}
        if not under_way:
            return
        done, _ = ray.wait(list(under_way), num_returns=1)
        under_way -= set(done)
        for one in done:
            try:
                yield ray.get(one)
            except ray.exceptions.RayTaskError as error:
                raise PoolError(str(error.cause)) from error


def _cores() -> int:
    """Return the current number of cores; nodes come and go."""
    import ray

    resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
    return max(1, int(resources.get("CPU", 1)))


# ---------------------------------------------------------------- in the worker

_OPEN: dict[str, tuple[Job[Any, Any], ExitStack]] = {}
"""The job that this process has entered, by the key of its run."""


def _begin(watched: Connection) -> None:
    """Leave Ctrl-C to the parent, and end as soon as the parent closes its end of a pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def end_with_parent() -> None:
        watched.poll(None)
        os._exit(1)

    Thread(target=end_with_parent, daemon=True).start()
    Finalize(None, _close, exitpriority=0)


def _do(key: str, job: Job[In, Out], piece: In) -> Out:
    """Do a piece. A job is entered before its first piece; then the one before it is exited."""
    if key not in _OPEN:
        _close()
        stack = ExitStack()
        _OPEN[key] = (_entered(job, stack), stack)
    done: Out = _OPEN[key][0](piece)
    return done


def _entered(job: Job[In, Out], stack: ExitStack) -> Job[In, Out]:
    """Return what does the pieces of a job, ready. stack: releases it."""
    return stack.enter_context(job) if isinstance(job, AbstractContextManager) else job


def _close() -> None:
    while _OPEN:
        _, (_, stack) = _OPEN.popitem()
        stack.close()
