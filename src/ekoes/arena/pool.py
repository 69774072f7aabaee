"""Pools of workers for the jobs of the arena: this process alone, or a ``ProcessPoolExecutor``.

A crashed worker costs time and nothing else: what it may have been doing is done again.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from functools import partial
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.util import Finalize
from threading import Thread
from typing import Any, Protocol, Self, TypeVar

from ekoes.errors import EkoesError

In = TypeVar("In")
Out = TypeVar("Out")
In_contra = TypeVar("In_contra", contravariant=True)
Out_co = TypeVar("Out_co", covariant=True)

_AHEAD = 2
"""Pieces submitted per worker, so that none waits for the next one."""
_DEATHS = 3
"""Workers that one piece may kill before the run ends."""


class PoolError(EkoesError):
    """The work can't go on."""


class Job(Protocol[In_contra, Out_co]):
    """What a worker does with each piece of work; picklable until it is entered."""

    def __enter__(self) -> Self:
        """Get ready, in the worker."""

    def __exit__(self, *_: object) -> None:
        """Release everything."""

    def __repr__(self) -> str:
        """Equal jobs have equal representations."""

    def __call__(self, piece: In_contra, /) -> Out_co:
        """Do one piece; equal pieces have equal results in any worker."""


class Pool(Protocol):
    """Runs a job on pieces of work and yields the results in any order."""

    def __call__(self, job: Job[In, Out], pieces: Iterable[In], /) -> Iterator[Out]:
        """Begin; closing the iterator ends the work."""


def local_pool(workers: int) -> Pool:
    """Return the pool of this machine: this process alone, or that many worker processes."""
    return run_here if workers == 1 else partial(run_in_processes, workers=workers)


def run_here(job: Job[In, Out], pieces: Iterable[In]) -> Iterator[Out]:
    """Yield the result of each piece, computed in this process."""
    with job as ready:
        for piece in pieces:
            yield ready(piece)


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
    executor = ProcessPoolExecutor(workers, context, initializer=_begin, initargs=(job, watched))
    pending: dict[Future[Out], In] = {}
    lost: list[In] = []
    try:
        while not lost:
            for piece in islice(pieces, ahead - len(pending)):
                pending[_submit(executor, piece)] = piece
            if not pending:
                break
            done, _ = wait(pending, return_when=FIRST_COMPLETED)
            if any(isinstance(future.exception(), BrokenProcessPool) for future in done):
                done, _ = wait(pending)
                lost = [
                    piece
                    for future, piece in pending.items()
                    if isinstance(future.exception(), BrokenProcessPool)
                ]
            for future in done:
                pending.pop(future)
                error = future.exception()
                if error is None:
                    yield future.result()
                elif not isinstance(error, BrokenProcessPool):
                    raise PoolError(f"{type(error).__name__}: {error}")
    finally:
        if pending:  # stopped early: the workers end at once
            alive.close()
        executor.shutdown(cancel_futures=True)
        alive.close()
        watched.close()
    return lost


def _submit(executor: ProcessPoolExecutor, piece: object) -> Future[Any]:
    try:
        return executor.submit(_do, piece)
    except BrokenProcessPool as error:
        failed: Future[Any] = Future()
        failed.set_exception(error)
        return failed


# ---------------------------------------------------------------- in the worker

_job: Job[Any, Any]
_open: ExitStack | None = None


def _begin(job: Job[Any, Any], watched: Connection) -> None:
    """Store the job, leave Ctrl-C to the parent, and end as soon as the parent closes its end of a pipe."""
    global _job  # noqa: PLW0603 - of this process
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _job = job

    def end_with_parent() -> None:
        watched.poll(None)
        os._exit(1)

    Thread(target=end_with_parent, daemon=True).start()


def _do(piece: object) -> object:
    """Do a piece; the job is entered before the first one."""
    global _job, _open  # noqa: PLW0603 - of this process
    if _open is None:
        stack = ExitStack()
        _job = stack.enter_context(_job)
        _open = stack
        Finalize(None, stack.close, exitpriority=0)
    return _job(piece)
