"""The load of the server's set-ups, a small one: two processes and their database are measured apart."""

from __future__ import annotations

import os

from benchmarks.server import series
from benchmarks.server.setups import TWO
from tests.apart import apart


def test_two_processes_on_postgresql_with_redis_take_what_is_decided_by_either_door() -> None:
    cores = os.sched_getaffinity(0)
    figures = apart(series.eko_by(TWO, tables=4, seconds=1.0))
    assert figures.rate > 0
    assert figures.cpu > 0
    assert figures.database_cpu > 0
    assert figures.database_memory > 0
    assert figures.memory > 2 * 50 * 2**20
    assert os.sched_getaffinity(0) == cores
