"""Bot workers, sandboxes and background turns: work outside the event loop."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import subprocess
import sys
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from functools import wraps
from multiprocessing import get_context
from pathlib import Path
from threading import Barrier
from types import SimpleNamespace
from typing import Any, ParamSpec

import httpx
import pytest

from ekoes.bots import BotRequest, answer_to, bot
from ekoes.errors import LimitError, PositionError
from ekoes.games.api import registry
from ekoes.games.api.contract import Json
from ekoes.games.eko.game import EKO
from ekoes.server.app import create_app
from ekoes.server.http.requests import services_of
from ekoes.server.ops.clock import WallClock
from ekoes.server.ops.limits import BackgroundThrottle
from ekoes.server.runtime.hub import Hub
from ekoes.server.settings import Settings
from ekoes.server.workers import bot_pool, worker_process
from ekoes.server.workers.bot_pool import BotPool
from ekoes.server.workers.sandbox import MEMORY, Sandbox
from ekoes.server.workers.warmup import get_ready
from ekoes.server.workers.worker_process import cores
from ekoes.storage.store import Store
from ekoes.tables.analysis_board import LinePlan, board_start
from ekoes.tables.create import new_table
from ekoes.tables.settings import Seat, TableOptions
from ekoes.tables.turns import TurnTable
from tests.kit.examples import one_quick
from tests.kit.loops import run_apart
from tests.unit.server.hub_room import SwiftClock
from tests.unit.tables.racing import SECRET

P = ParamSpec("P")
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


def patient(test: Callable[P, Coroutine[object, object, None]]) -> Callable[P, None]:
    """Run an asynchronous test in a loop of its own, for a while at most."""

    @run_apart
    @wraps(test)
    async def whole(*args: P.args, **named: P.kwargs) -> None:
        await asyncio.wait_for(test(*args, **named), PATIENCE)

    return whole


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
    await asyncio.gather(*(workers.ask(question, (None, "first")) for _ in range(3)))
    return workers.pids


@patient
async def test_worker_answers_as_the_bot_would_here_and_is_nicer_than_the_server() -> None:
    question, workers = question_of(table_of("eko", "greedy", "greedy")), BotPool(1)
    assert await workers.ask(question, (None, "t")) == answer_to(question)
    (pid,) = workers.pids
    assert os.getpriority(os.PRIO_PROCESS, pid) > os.getpriority(os.PRIO_PROCESS, 0)
    await workers.stop()


@pytest.mark.long
@patient
async def test_question_is_asked_again_where_its_worker_is_killed(ponder: pytest.MonkeyPatch) -> None:
    question, workers = question_of(table_of("ponder", "ponderer", "ponderer")), BotPool(1)
    ponder.setenv("EKOES_PONDER", "1.5")
    (first,) = await ready(workers)
    asked = asyncio.create_task(workers.ask(question, (None, "t")))
    await asyncio.sleep(0.2)
    os.kill(first, signal.SIGKILL)
    answer = await asked
    (second,) = workers.pids
    assert second != first
    await workers.stop()
    assert answer.action in [EKO.action_to_json(action) for action in question.sight.legal()]


@patient
async def test_worker_that_is_killed_while_it_waits_is_replaced() -> None:
    question, workers = question_of(table_of("eko", "random", "random")), BotPool(1)
    for _ in range(3):
        assert await workers.ask(question, (None, "t")) == answer_to(question)
        os.kill(workers.pids[0], signal.SIGKILL)
    await workers.stop()


@pytest.fixture
def other_worker() -> Iterator[None]:
    """A process that stays: the fork server, which takes seconds to start, ends after the last one."""
    other = worker_process.Process("other", gc.enable)  # which changes nothing
    yield
    other.kill()


@patient
async def test_worker_starts_with_the_first_request_and_ends_when_it_is_idle(other_worker: None) -> None:
    question, workers = question_of(table_of("eko", "random", "random")), BotPool(1, idle=0.1)
    for _ in range(2):
        assert workers.pids == []
        assert await workers.ask(question, (None, "t")) == answer_to(question)
        assert len(workers.pids) == 1
        await until(lambda: not workers.pids)
    await workers.stop()


@pytest.mark.parametrize(
    ("bot", "messages"), one_quick(("failer", "ZeroDivisionError: a bot's bug"), [("crasher", "ended (3)")])
)
@patient
async def test_failing_bot_is_replaced(
    ponder: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, bot: str, messages: str
) -> None:
    question, workers = question_of(table_of("ponder", bot, bot)), BotPool(1)
    with caplog.at_level(logging.WARNING, "ekoes.server"):
        answer = await workers.ask(question, (None, "t"))
        await workers.stop()
    assert answer.action in [EKO.action_to_json(action) for action in question.sight.legal()]
    assert messages in str([vars(record) for record in caplog.records])


@patient
async def test_game_goes_on_though_its_workers_are_killed_in_the_midst_of_it(store: Store) -> None:
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
        assert live.table.length > 20
    await hub.stop()
    assert len(killed) == 2


@pytest.mark.parametrize("steps", range(6))
@patient
async def test_pool_stops_in_the_moment_of_a_request(steps: int) -> None:
    workers = BotPool(0)
    await asyncio.sleep(0.01)
    asked = asyncio.create_task(workers.ask(question_of(table_of("eko", "random", "random")), (None, "t")))
    for _ in range(steps):
        await asyncio.sleep(0)
    await workers.stop()
    asked.cancel()


@pytest.mark.parametrize("number", one_quick(1, [2]))
@patient
async def test_server_stops_while_all_bots_think(
    ponder: pytest.MonkeyPatch, store: Store, number: int
) -> None:
    workers = BotPool(number)
    hub = Hub(store, WallClock(), bots=workers)
    await hub.start()
    pids = await ready(workers)
    for _ in range(3):
        await hub.create(table_of("ponder", "ponderer", "ponderer"))
    await until(lambda: workers.waiting == 3 - number)
    begin = time.monotonic()
    await hub.stop()
    assert time.monotonic() - begin < 30, "it waits for no bot"
    assert pids
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@patient
async def test_what_bots_keep_is_of_one_seat_of_one_table_and_bounded(ponder: pytest.MonkeyPatch) -> None:
    game, workers = table_of("ponder", "counter", "counter"), BotPool(0)
    asked = question_of(game)
    legal = [EKO.action_to_json(action) for action in game.position.legal(0)[:2]]

    async def answers(*tables: str, **changes: Any) -> list[Json | None]:
        return [(await workers.ask(replace(asked, **changes), (None, table))).action for table in tables]

    assert await answers("a", "b", "a") == [legal[0], legal[0], legal[1]]
    assert await answers("a", bot="random") != []
    assert await answers("c", "d", "e", "f", "a") == [legal[0]] * 5, "four are kept"
    assert await answers("a") == [legal[1]]
    await workers.stop()


@pytest.mark.usefixtures("ponder")
@patient
async def test_a_bot_ponders_between_its_decisions_while_that_helps() -> None:
    game, workers = table_of("ponder", "muser", "muser"), BotPool(1)
    legal = [EKO.action_to_json(action) for action in game.position.legal(0)[:4]]

    async def answer() -> int:
        return legal.index((await workers.ask(question_of(game), (None, "t"))).action or {})

    found = [await answer()]
    while 3 not in found:
        await asyncio.sleep(0.05)
        found.append(await answer())
    assert (found[0], await answer()) == (0, 3)
    await workers.stop()


def test_no_bot_ponders_on_a_busy_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Counter[float]()
    player = SimpleNamespace(ponder=lambda seconds: asked.update([seconds]) is None)
    monkeypatch.setattr(bot_pool, "_seated", OrderedDict({("t", 0, "eko", "master"): player}))
    for load, ponders in ((cores() + 1, False), (cores() - 1, True)):
        monkeypatch.setattr(os, "getloadavg", lambda load=load: (load, 0, 0))
        assert bot_pool._ponder() is ponders
        assert bool(asked) is ponders


@patient
async def test_a_bot_may_use_the_threads_of_idle_workers(ponder: pytest.MonkeyPatch) -> None:
    game = table_of("ponder", "sharer", "sharer")
    legal = [EKO.action_to_json(action) for action in game.position.legal(0)[:4]]

    async def used(number: int, *tables: str) -> list[int]:
        workers = BotPool(number)
        answers = await asyncio.gather(*(workers.ask(question_of(game), (None, table)) for table in tables))
        await workers.stop()
        return sorted(legal.index(answer.action or {}) + 1 for answer in answers)

    assert await used(4, "a") == [4]
    ponder.setattr(bot("ponder", "sharer"), "together", Barrier(2), raising=False)
    assert await used(0, "a", "b") == [1, 2], "two threads of the server"


ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere each is started afresh")

FORKED = """
import os, signal
from multiprocessing.forkserver import _forkserver
from pathlib import Path
from ekoes.server.workers.worker_process import _CONTEXT, Process, end_fork_server

def parent(pid):
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])

def nothing():
    pass

if __name__ == "__main__":
    _CONTEXT.set_forkserver_preload(["ekoes.errors"])  # is soon there
    first, second = Process("first", nothing), Process("second", nothing)
    for one in (first, second):
        one.get_ready()
        print(parent(one.pid) == parent(first.pid) != os.getpid(), os.getpriority(os.PRIO_PROCESS, one.pid))
    print(first.do(10, os.getpid) == first.pid, second.do(10, os.getpid) == second.pid)
    os.kill(parent(first.pid), signal.SIGKILL)
    try:
        third = Process("third", nothing)
    except ChildProcessError:  # unless it has gone already
        third = Process("third", nothing)
    third.get_ready()
    print(third.do(10, os.getpid) == third.pid)
    for one in (first, second, third):
        end_fork_server()
        print(_forkserver._forkserver_pid is None)
        one.kill()
    end_fork_server()
    print(_forkserver._forkserver_pid is None)
    fourth = Process("fourth", nothing)
    fourth.get_ready()
    print(fourth.do(10, os.getpid) == fourth.pid)
"""


def output(*arguments: str | Path) -> str:
    """What Python prints, which has no error to tell of."""
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.stderr == ""
    return done.stdout


@ON_LINUX
def test_fork_server_is_replaced_when_it_dies_and_ends_after_the_last_worker(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(FORKED, "ascii")
    nice = os.getpriority(os.PRIO_PROCESS, 0) + 5
    ended = ["False"] * 3 + ["True"]
    assert output(program).splitlines() == [f"True {nice}"] * 2 + ["True True", "True", *ended, "True"]


@ON_LINUX
def test_preload_imports_no_server_and_starts_no_thread() -> None:
    look = "print(threading.active_count(), 'fastapi' in sys.modules)"
    assert output("-c", f"import sys, threading, ekoes.server.preload; {look}") == "1 False\n"


ENOUGH = 64 << 20
"""Bytes that are there where a test does not want them to be short."""


@run_apart
async def test_full_sandbox_queue_is_busy() -> None:
    bench = Sandbox(at_once=1, waiting=1)
    asked = [asyncio.create_task(bench.do(time.sleep, 0.1)) for _ in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(LimitError) as refused:
        await bench.do(time.sleep, 0.1)
    assert (refused.value.code, refused.value.wait) == ("limit/busy", 10)
    answers: list[object] = [*await asyncio.gather(*asked), await bench.do(max, 1, 2)]
    bench.close()
    assert answers == [None, None, 2]


@run_apart
async def test_sandbox_process_imports_no_web_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Reading one in takes longer than what is tried, and all of that is counted."""
    monkeypatch.setattr(
        worker_process, "_CONTEXT", get_context("spawn")
    )  # the tests' own fork server has one
    bench = Sandbox(at_once=1)
    plan = LinePlan(options=TableOptions(players=2))
    begun = await bench.do(board_start, "eko", plan, 1)
    loaded = await bench.do(
        eval, "sorted({'fastapi', 'sqlalchemy', 'numba'} & set(__import__('sys').modules))"
    )
    bench.close()
    assert [begun["n"], loaded] == [0, ["numba"]]


@pytest.mark.parametrize(
    ("work", "argument"),
    [(time.sleep, 3600), (bytearray, 2 * ENOUGH), (os._exit, 1)],
    ids=["without end", "more memory than there is", "the end of its process"],
)
@run_apart
async def test_work_over_a_limit_is_refused_and_the_next_succeeds(
    work: Callable[[Any], object], argument: int
) -> None:
    bench = Sandbox(at_once=1, seconds=2, memory=ENOUGH)
    with pytest.raises(LimitError) as refused:
        await bench.do(work, argument)
    assert (refused.value.code, refused.value.wait) == ("limit/too-much", None)
    answer = await bench.do(max, 1, 2)
    bench.close()
    assert answer == 2


@run_apart
async def test_sandbox_raises_the_error_of_its_work() -> None:
    bench = Sandbox()
    with pytest.raises(ValueError, match="invalid literal"):
        await bench.do(int, "x")
    with pytest.raises(PositionError) as refused:
        await bench.do(EKO.from_json, {"none": 1})
    assert refused.value.key == "game"
    bench.close()


@run_apart
async def test_idle_sandbox_process_ends_and_another_one_computes_later() -> None:
    bench = Sandbox(at_once=1, idle=0.1)
    first = await bench.do(os.getpid)
    while os.path.exists(f"/proc/{first}"):  # noqa: ASYNC110, ASYNC240, PTH110 - in another process
        await asyncio.sleep(0.01)
    assert await bench.do(os.getpid) != first
    bench.close()


@run_apart
async def test_first_position_over_a_limit_is_refused_and_the_next_succeeds(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path, bot_workers=0))
    wish = {"players": 4, "variants": ["portals", "labyrinth", "beacon", "moon", "pyramids"]}
    answers = []
    web = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://here")
    for bench in (Sandbox(seconds=0), Sandbox(memory=MEMORY)):
        app.state.services = replace(services_of(app), sandbox=bench)
        answers.append(await web.post("/api/eko/analysis", json={"options": wish}, timeout=None))
        bench.close()
    refused, made = answers
    assert (refused.status_code, refused.json()["code"]) == (422, "limit/too-much")
    assert made.status_code == 200, made.text
    assert made.json()


@run_apart
async def test_one_address_has_a_quarter_of_the_sandbox() -> None:
    bench = Sandbox(at_once=2, waiting=6)
    asked = [asyncio.create_task(bench.do(time.sleep, 0.01, address="192.0.2.1")) for _ in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(LimitError):
        await bench.do(max, 1, 2, address="192.0.2.1")
    assert await bench.do(max, 1, 2, address="192.0.2.2") == 2
    await asyncio.gather(*asked)
    assert await bench.do(max, 1, 2, address="192.0.2.1") == 2
    bench.close()


LONG = 0.03
"""Seconds of a turn; a rest is thrice as long."""


async def take(
    aside: BackgroundThrottle, table: str, messages: list[str], until: asyncio.Event | None = None
) -> None:
    async with aside.turn(table):
        messages.append(f"{table} begins")
        await (asyncio.sleep(0) if until is None else until.wait())
        messages.append(f"{table} ends")


@run_apart
async def test_background_turns_run_in_order() -> None:
    aside, messages = BackgroundThrottle(), list[str]()
    await asyncio.gather(*(take(aside, table, messages) for table in "abc"))
    assert messages == ["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]


@run_apart
async def test_background_turns_are_spaced_while_people_play() -> None:
    aside, loop = BackgroundThrottle(), asyncio.get_running_loop()
    aside.enter("theirs")
    async with aside.turn("a"):
        await asyncio.sleep(LONG)
        ended = loop.time()
    async with aside.turn("b"):
        assert loop.time() - ended >= 3 * LONG


@run_apart
async def test_table_with_a_viewer_skips_the_background_queue() -> None:
    aside, messages, over = BackgroundThrottle(), list[str](), asyncio.Event()
    first = asyncio.create_task(take(aside, "a", messages, over))
    others = [asyncio.create_task(take(aside, table, messages)) for table in "bc"]
    await asyncio.sleep(0)
    aside.enter("c")
    await others[1]
    aside.exit()
    over.set()
    await asyncio.gather(first, *others)
    assert messages == ["a begins", "c begins", "c ends", "a ends", "b begins", "b ends"]


@pytest.mark.parametrize("is_told", [False, True], ids=["while it waits", "as it is told"])
@run_apart
async def test_cancelled_background_turn_goes_to_the_next(*, is_told: bool) -> None:
    aside, messages = BackgroundThrottle(), list[str]()
    async with aside.turn("a"):
        gone, last = (asyncio.create_task(take(aside, table, messages)) for table in "bc")
        await asyncio.sleep(0)
        if not is_told:
            gone.cancel()
    if is_told:  # the turn is passed on by then, and it has not heard of that
        asyncio.get_running_loop().call_later(0, gone.cancel)
    await asyncio.gather(gone, last, return_exceptions=True)
    assert messages == ["c begins", "c ends"]


@run_apart
async def test_no_background_turn_during_a_hold() -> None:
    aside, messages = BackgroundThrottle(), list[str]()
    async with aside.hold():
        waits = asyncio.create_task(take(aside, "a", messages))
        await asyncio.sleep(LONG)
        messages.append("held up")
    await waits
    assert messages == ["held up", "a begins", "a ends"]


def test_no_search_for_garbage_in_a_server_looks_at_many_objects() -> None:
    """A search makes everybody wait: fifty milliseconds for a hundred thousand objects."""
    before, looked_at = gc.get_threshold(), list[int]()

    def look(phase: str, _about: dict[str, int]) -> None:
        if phase == "start":
            looked_at.append(len(gc.get_objects(0)))

    gc.set_threshold(100_000)  # as every command does
    gc.callbacks.append(look)
    try:
        get_ready()
        looked_at.clear()
        kept = [[number] for number in range(100_000)]
    finally:
        gc.callbacks.remove(look)
        gc.unfreeze()
        gc.set_threshold(*before)
    assert kept
    assert 0 < max(looked_at, default=0) < 5000
