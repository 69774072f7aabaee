"""The load of the server's benchmark, a small one: two processes, and their database measured apart."""

from __future__ import annotations

import pytest

from benchmarks.processes import SQLITE, TWO
from benchmarks.server import Load, measure
from tests.apart import apart


@pytest.mark.long
def test_two_processes_on_postgresql_with_redis_take_what_is_decided_by_either_door() -> None:
    figures = apart(measure(Load("two", TWO, 4), seconds=1.0))
    assert figures.rate > 0
    assert figures.cpu > 0
    assert figures.database_cpu > 0
    assert figures.memory > 2 * 50 * 2**20


@pytest.mark.long
def test_tables_of_ekko_play() -> None:
    assert apart(measure(Load("EKKO", SQLITE, 2, "ekko"), seconds=1.0)).rate > 0
