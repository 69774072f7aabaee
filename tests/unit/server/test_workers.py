"""Worker processes in which bots think: they are asked fairly, die without harm, and end with the server."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
import time
from collections.abc import Coroutine, Iterator
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

import pytest

from ekoes.games.api import registry
from ekoes.games.api.contract import Answer
from ekoes.games.eko.game import EKO
from ekoes.server.ops.clock import WallClock
from ekoes.server.runtime.hub import Hub
from ekoes.server.workers import worker_process
from ekoes.server.workers.bot_pool import BotPool, BotQueue, Waiting
from ekoes.storage.store import Store
from ekoes.tables.bot_request import BotRequest, answer_to
from ekoes.tables.create import new_table
from ekoes.tables.seats import Seat
from ekoes.tables.turns.table import TurnTable
from tests.apart import apart
from tests.unit.server.hub_room import SwiftClock
from tests.unit.tables.racing import SECRET

T = TypeVar("T")
PONDER = str(Path(__file__).parents[2] / "ponder")
PATIENCE = 120


@pytest.fixture
def ponder(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """The game of tests/ponder, here and in the workers; its bots think for ever unless told otherwise."""
    monkeypatch.syspath_prepend(PONDER)
    monkeypatch.setenv("EKOES_PONDER", "1e9")
    monkeypatch.setattr(
        worker_process, "_CONTEXT", get_context("spawn")
    )  # a fork server knows no later environment
    registry._others.cache_clear()
    yield monkeypatch
    registry._others.cache_clear()
    sys.modules.pop("ponder", None)


def run(work: Coroutine[object, object, T]) -> T:
    async def patient() -> T:
        return await asyncio.wait_for(work, PATIENCE)

    return apart(patient())


def table_of(game: str, *bots: str, turn_limit: int = 1) -> TurnTable:
    seats = tuple(Seat("bot", "", number, bot=name) for number, name in enumerate(bots))
    table = new_table(game, {"players": len(bots)}, 1, seats, turn_limit=turn_limit)
    assert isinstance(table, TurnTable)
    return table


def question_of(table: TurnTable) -> BotRequest:
    return next(iter(table.bot_requests(SECRET)))


async def until(is_so: Any) -> None:
    while not is_so():  # noqa: ASYNC110 - what it waits for happens in other processes
        await asyncio.sleep(0.01)


async def ready(workers: BotPool) -> list[int]:
    """Wait for all workers; they are ready when each has answered."""
    question = question_of(table_of("eko", "random", "random"))
    await asyncio.gather(*(workers.ask(question, "first") for _ in range(3)))
    return workers.pids


def test_worker_answers_as_the_bot_would_here_and_is_nicer_than_the_server() -> None:
    question = question_of(table_of("eko", "greedy", "greedy"))

    async def ask() -> tuple[Answer, list[int]]:
        workers = BotPool(1)
        answer = await workers.ask(question, "t")
        (pid,) = workers.pids
        niceness = [os.getpriority(os.PRIO_PROCESS, each) for each in (0, pid)]
        await workers.stop()
        return answer, niceness

    answer, (ours, theirs) = run(ask())
    assert answer == answer_to(question)
    assert theirs > ours


def test_question_is_asked_again_where_its_worker_is_killed(ponder: pytest.MonkeyPatch) -> None:
    question = question_of(table_of("ponder", "ponderer", "ponderer"))
    ponder.setenv("EKOES_PONDER", "1.5")

    async def ask() -> tuple[Answer, int, int]:
        workers = BotPool(1)
        (first,) = await ready(workers)
        asked = asyncio.create_task(workers.ask(question, "t"))
        await asyncio.sleep(0.2)
        os.kill(first, signal.SIGKILL)
        answer = await asked
        (second,) = workers.pids
        await workers.stop()
        return answer, first, second

    answer, first, second = run(ask())
    assert first != second
    assert answer.action in [EKO.action_to_json(action) for action in question.sight.legal()]


def test_worker_that_is_killed_while_it_waits_is_replaced() -> None:
    question = question_of(table_of("eko", "random", "random"))

    async def ask() -> list[Answer]:
        workers = BotPool(1)
        answers = []
        for _ in range(3):
            answers.append(await workers.ask(question, "t"))
            os.kill(workers.pids[0], signal.SIGKILL)
        await workers.stop()
        return answers

    assert run(ask()) == [answer_to(question)] * 3


def test_worker_starts_with_the_first_request_and_ends_when_it_is_idle() -> None:
    question = question_of(table_of("eko", "random", "random"))

    async def ask() -> tuple[list[int], list[Answer]]:
        workers, numbers, answers = BotPool(1, idle=0.1), [], []
        workers.start()
        for _ in range(2):
            numbers.append(len(workers.pids))
            answers.append(await workers.ask(question, "t"))
            numbers.append(len(workers.pids))
            await until(lambda: not workers.pids)
        await workers.stop()
        return numbers, answers

    assert run(ask()) == ([0, 1, 0, 1], [answer_to(question)] * 2)


@pytest.mark.parametrize(
    ("bot", "told"), [("crasher", "ended (3)"), ("failer", "ZeroDivisionError: a bot's bug")]
)
def test_something_stands_in_for_a_bot_that_fails(
    ponder: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, bot: str, told: str
) -> None:
    question = question_of(table_of("ponder", bot, bot))

    async def ask() -> Answer:
        workers = BotPool(1)
        answer = await workers.ask(question, "t")
        await workers.stop()
        return answer

    with caplog.at_level(logging.WARNING, "ekoes.server"):
        answer = run(ask())
    assert answer.action in [EKO.action_to_json(action) for action in question.sight.legal()]
    assert told in str([vars(record) for record in caplog.records])


def test_game_goes_on_though_its_workers_are_killed_in_the_midst_of_it(store: Store) -> None:
    async def serve() -> tuple[TurnTable, set[int]]:
        workers, killed = BotPool(1), set[int]()
        hub = Hub(store, SwiftClock(), bots=workers)
        await hub.start()
        table_id = await hub.create(table_of("eko", "random", "random", turn_limit=40))
        async with hub.table(table_id) as live:
            for length in (1, 10):
                await until(lambda length=length: live.table.length >= length)
                assert live.table.outcome is None
                killed.add(workers.pids[0])
                os.kill(workers.pids[0], signal.SIGKILL)
            await until(lambda: live.table.outcome is not None)
            table = live.table
        await hub.stop()
        assert isinstance(table, TurnTable)
        return table, killed

    table, killed = run(serve())
    assert len(killed) == 2
    assert table.length > 20


@pytest.mark.parametrize("number", [1, 2])
def test_server_stops_within_a_second_while_all_bots_think(
    ponder: pytest.MonkeyPatch, store: Store, number: int
) -> None:
    async def serve() -> tuple[float, list[int]]:
        workers = BotPool(number)
        hub = Hub(store, WallClock(), bots=workers)
        await hub.start()
        pids = await ready(workers)
        for _ in range(3):
            await hub.create(table_of("ponder", "ponderer", "ponderer"))
        await until(lambda: len(workers._queue) == 3 - number)
        begin = time.monotonic()
        await hub.stop()
        return time.monotonic() - begin, pids

    seconds, pids = run(serve())
    assert seconds < 1
    assert pids
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_line_serves_one_table_after_the_other() -> None:
    question = question_of(table_of("eko", "random", "random"))

    async def served() -> list[str]:
        line, names = BotQueue(), {}
        loop = asyncio.get_running_loop()
        for name in ("a1", "a2", "a3", "b1", "c1", "c2"):
            waiting = Waiting(question, loop.create_future())
            names[waiting] = name
            line.put(name[0], waiting)
            if name == "a2":
                waiting.answer.cancel()
        return [names[await line.next()] for _ in range(5)]

    assert run(served()) == ["a1", "b1", "c1", "a3", "c2"]
