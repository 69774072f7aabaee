"""Short runs of the fault harness, the fuzzer and the load benchmark."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any, get_args

import pytest

from benchmarks import processes
from benchmarks.server import Load, measure
from ekoes.games.api.chance import Chance
from ekoes.protocol import LobbyMessage, Message
from tests.kit.loops import apart
from tools.faults.fault import FAULTS, drawn, possible
from tools.faults.run import Plan, run
from tools.faults.services import DATABASES, small_disk
from tools.fuzz.__main__ import fuzzed
from tools.fuzz.messages import LOBBY, TABLE, spoiled

ONE = Plan(5, ("kill", "cut", "sever", "halve", "jump"), tables=3)
TWO = Plan(
    5,
    ("kill", "crash", "apart", "empty", "uncount"),
    2,
    21876,
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


def test_disk_fills_up_despite_concurrent_writes(tmp_path: Path) -> None:
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


def kinds(union: Any) -> set[str]:
    return {kind.model_fields["type"].default for kind in get_args(union)}


@pytest.mark.long
def test_fuzzed_messages_cause_no_failure_and_lose_no_table(tmp_path: Path) -> None:
    shown: list[str] = []
    assert fuzzed(tmp_path, shown.append, messages=1500, tables=2, examples=2, seed=1) == []
    assert any("1500 messages" in line for line in shown)


def test_there_is_a_sample_of_each_message() -> None:
    assert {sample["type"] for sample in TABLE} == kinds(Message)
    assert {sample["type"] for sample in LOBBY} == kinds(LobbyMessage)


def test_a_message_goes_wrong_in_many_ways() -> None:
    chance = Chance(1)
    sent = {spoiled(sample, chance) for _ in range(100) for sample in TABLE}
    assert len(sent) > 76 * len(TABLE), "of 100 tries with each sample"
    assert any(isinstance(one, bytes) for one in sent)
    texts = [one for one in sent if isinstance(one, str)]
    assert any(len(text) > 64 * 1024 for text in texts)
    assert any("NaN" in text for text in texts)
    assert any("ud800" in text for text in texts)
    assert sum(is_json(text) for text in texts) > len(texts) / 2


def is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


@pytest.mark.long
def test_two_processes_on_postgresql_with_redis_take_what_is_decided_by_either_door() -> None:
    figures = apart(measure(Load("two", processes.TWO, 4), seconds=1.0))
    assert figures.rate > 0
    assert figures.cpu > 0
    assert figures.database_cpu > 0
    assert figures.memory > 2 * 50 * 2**20


@pytest.mark.long
def test_tables_of_ekko_play() -> None:
    assert apart(measure(Load("EKKO", processes.SQLITE, 2, "ekko"), seconds=1.0)).rate > 0
