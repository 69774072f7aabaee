"""Workers on a Ray cluster; nodes that go down cost time and nothing else."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import islice
from typing import Any, TypeVar

from ekoes.arena.pool import Job, Pool, PoolError

In = TypeVar("In")
Out = TypeVar("Out")

LOCAL = "local"
"""Instead of an address: a cluster of this machine alone, for the time of the run."""

_AHEAD = 2
"""Submitted pieces per core, so that none waits for the next one."""
_HOST = re.compile(r".+:[0-9]{1,5}")
_SECONDS_TO_ANSWER = 5
_STORE = 128 * 1024 * 1024
"""Bytes of the object store of a local cluster."""


@contextmanager
def cluster_at(address: str) -> Iterator[Pool]:
    """Join a cluster, or start one, and yield its pool. Raises PoolError."""
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
    shared, rest = ray.put(job), iter(pieces)
    under_way = {begin.remote(shared, piece) for piece in islice(rest, _AHEAD * _cores())}
    while under_way:
        done, _ = ray.wait(list(under_way), num_returns=1)
        under_way -= set(done)
        more = _AHEAD * _cores() - len(under_way)
        under_way |= {begin.remote(shared, piece) for piece in islice(rest, max(more, 0))}
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


def _do(job: Job[In, Out], piece: In) -> Out:
    """Do a piece on some node, with the job that this process may have open already."""
    done: Out = _opened(job)(piece)
    return done


def _opened(job: Job[Any, Any]) -> Job[Any, Any]:
    """Return the job as it was opened in this process; of another one, what was open is closed."""
    key = repr(job)
    if key not in _OPEN:
        for _, stack in _OPEN.values():
            stack.close()
        _OPEN.clear()
        stack = ExitStack()
        _OPEN[key] = (stack.enter_context(job), stack)
    return _OPEN[key][0]


_OPEN: dict[str, tuple[Job[Any, Any], ExitStack]] = {}
"""What this process, a worker of the cluster, has open."""
