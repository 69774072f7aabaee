"""The short form of ``python -m tools.faults``: what can befall servers while people play there."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

import pytest

from ekoes.games.api.chance import Chance
from tests.apart import apart
from tools.faults.fault import FAULTS, drawn, possible
from tools.faults.run import Plan, run
from tools.faults.services import DATABASES, small_disk

ONE = Plan(5, ("kill", "cut", "sever", "halve", "jump"), tables=3, seed=4)
TWO = Plan(
    5,
    ("kill", "crash", "apart", "empty", "uncount"),
    2,
    33710,
    processes=2,
    database="postgresql",
    redis=True,
)
"""Each of them once, and none for long."""


@pytest.mark.parametrize(
    "plan",
    [
        pytest.param(ONE, id="one on a file"),
        pytest.param(TWO, id="two on PostgreSQL, and Redis", marks=pytest.mark.long),
    ],
)
def test_everything_that_was_acknowledged_is_there_once_and_in_order(tmp_path: Path, plan: Plan) -> None:
    result = apart(run(tmp_path, plan, lambda _: None))
    assert result.wrong == []
    assert sum(len(struck.longest) for struck in result.struck.values()) == plan.number
    assert result.orders > 50
    assert result.messages > 50


def test_equal_seeds_draw_equal_faults() -> None:
    one, other = Chance(7), Chance(7)
    names = tuple(FAULTS)
    assert [drawn(one, names) for _ in range(50)] == [drawn(other, names) for _ in range(50)]


def test_each_fault_can_happen_somewhere() -> None:
    assert {name for one in DATABASES for name in possible(one, redis=True)} == set(FAULTS)
    assert "stop" not in possible("sqlite")
    assert "empty" not in possible("postgresql")


def test_disk_is_full_though_somebody_writes_meanwhile(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk") as disk:
        if not disk.is_own:
            pytest.skip("no file system may be mounted here")
        over = Event()
        writer = Thread(target=write_on, args=(disk.folder / "log", over))
        writer.start()
        try:
            for _ in range(4):
                disk.fill(())
                assert os.statvfs(disk.folder).f_bavail < 4
                disk.clear(())
        finally:
            over.set()
            writer.join()


def write_on(path: Path, over: Event) -> None:
    """Write a page after the other, some megabytes a second, as long as there is room."""
    with path.open("wb", buffering=0) as file:
        while not over.wait(0.0005):
            with suppress(OSError):
                file.write(b"-" * 4096)
