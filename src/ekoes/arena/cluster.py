"""Workers on a cluster of Ray; nodes that go down cost time, and nothing else."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import islice
from typing import Any, TypeVar

from ekoes.arena.crew import CrewError
from ekoes.arena.work import Hands, Work

__all__ = ["LOCAL", "cluster_at"]

In = TypeVar("In")
Out = TypeVar("Out")

LOCAL = "local"
"""Instead of an address: a cluster of this machine alone, for as long as the run lasts."""

_AHEAD = 2
"""Pieces under way for each core, so that none waits for the next one; the others wait at home."""
_HOST = re.compile(r".+:[0-9]{1,5}")
_SECONDS_TO_ANSWER = 5
_STORE = 128 * 1024 * 1024
"""Bytes that a local cluster keeps results in."""


@contextmanager
def cluster_at(address: str) -> Iterator[Hands]:
    """Join a cluster, or begin one, and yield who does the work there. Raises CrewError."""
    try:
        import ray
    except ImportError as error:
        raise CrewError("Ray is not installed: pip install 'ekoes[cluster]'") from error
    options: dict[str, Any] = {"include_dashboard": False, "object_store_memory": _STORE}
    at = options if address == LOCAL else {"address": address}
    try:
        if _HOST.fullmatch(address):
            _knock(address)
        ray.init(**at, log_to_driver=False, configure_logging=False)
    except (OSError, ValueError, RuntimeError) as error:
        raise CrewError(f"no cluster at {address!r:.80}: {error}") from error
    try:
        yield _done_by_cluster
    finally:
        ray.shutdown()


def _knock(address: str) -> None:
    """Find out whether anybody is there: Ray itself would wait for minutes. Raises OSError."""
    host, _, port = address.rpartition(":")
    socket.create_connection((host.strip("[]"), int(port)), _SECONDS_TO_ANSWER).close()


def _done_by_cluster(work: Work[In, Out], pieces: Iterable[In]) -> Iterator[Out]:
    """Yield the result of each piece, in the order in which they come home. Raises CrewError."""
    import ray

    begin: Any = ray.remote(num_cpus=1, max_retries=-1)(_do)
    shared, rest = ray.put(work), iter(pieces)
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
                raise CrewError(str(error.cause)) from error


def _cores() -> int:
    """Return how many cores the cluster has now; nodes come and go."""
    import ray

    resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
    return max(1, int(resources.get("CPU", 1)))


def _do(work: Work[In, Out], piece: In) -> Out:
    """Do a piece, on whatever node this is; the players of the last one are still there."""
    done: Out = _opened(work)(piece)
    return done


def _opened(work: Work[Any, Any]) -> Work[Any, Any]:
    """Return the work as it was opened in this process; of another one, what was open is closed."""
    key = repr(work)
    if key not in _OPEN:
        for _, stack in _OPEN.values():
            stack.close()
        _OPEN.clear()
        stack = ExitStack()
        _OPEN[key] = (stack.enter_context(work), stack)
    return _OPEN[key][0]


_OPEN: dict[str, tuple[Work[Any, Any], ExitStack]] = {}
"""What this process, a worker of the cluster, has open."""
