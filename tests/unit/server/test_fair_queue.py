"""The queue for what costs time: whose turn is next, how many wait, and who keeps a worker."""

from __future__ import annotations

import asyncio
from threading import Event

import pytest

from ekoes.errors import LimitError
from ekoes.server.ops.tasks import end
from ekoes.server.workers.fair_queue import FairQueue, Whose
from tests.kit.loops import run_apart
from tests.unit.server.hub_room import settled


class Line:
    """A queue, what was done in it, and an event that all turns wait for, so that the others queue up."""

    def __init__(self, at_once: int = 1, each: int | None = None) -> None:
        self.queue = FairQueue(at_once, 20, "things", 10, each)
        self.done: list[str] = []
        self.tasks: list[asyncio.Task[None]] = []
        self.goes_on = asyncio.Event()

    async def ask(self, name: str, *whose: str, is_urgent: bool = True) -> None:
        """Ask for a turn in the background of the test, and begin to wait."""
        task = asyncio.create_task(self._turn(name, whose, is_urgent))
        self.tasks.append(task)
        await settled()

    async def _turn(self, name: str, whose: Whose, is_urgent: bool) -> None:
        turn = await self.queue._begun(whose, is_urgent=is_urgent)
        self.done.append(name)
        await self.goes_on.wait()
        self.queue._end(turn)

    async def all(self) -> str:
        """Let them go on; return the order of the turns."""
        self.goes_on.set()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        return " ".join(self.done)


@run_apart
async def test_an_address_with_many_requests_gets_every_second_turn() -> None:
    line = Line()
    for number in range(1, 6):
        await line.ask(f"a{number}", "a")
    for number in range(1, 4):
        await line.ask(f"b{number}", "b")
    assert await line.all() == "a1 b1 a2 b2 a3 b3 a4 a5"


@run_apart
async def test_users_of_an_address_and_tables_of_a_user_take_turns() -> None:
    line = Line()
    await line.ask("first", "c", "cy", "t0")
    for number in range(1, 4):
        await line.ask(f"ada1.{number}", "a", "ada", "t1")
    await line.ask("ada2.1", "a", "ada", "t2")
    await line.ask("al", "a", "al", "t3")
    await line.ask("bo", "b", "bo", "t4")
    assert await line.all() == "first ada1.1 bo al ada2.1 ada1.2 ada1.3"


@run_apart
async def test_what_is_urgent_comes_first_and_what_waits_can_become_urgent() -> None:
    line = Line()
    for name in ("first", "x", "y", "z"):
        await line.ask(name, "", "", name, is_urgent=False)
    await line.ask("urgent", "a", "ada", "u")
    line.queue.hurry(("b", "bo", "z"))
    assert await line.all() == "first urgent z x y"


@run_apart
async def test_cancelled_requests_are_skipped() -> None:
    line = Line()
    for name in "abc":
        await line.ask(name, name)
    line.tasks[1].cancel()
    assert await line.all() == "a c"


@run_apart
async def test_a_turn_that_is_cancelled_as_it_begins_goes_to_the_next() -> None:
    queue = FairQueue(1, 20, "things", 10)
    first = await queue._begun(("a",))
    second, third = (asyncio.create_task(queue._begun((name,))) for name in "bc")
    await settled()
    queue._end(first)  # it is the second one's turn, who has not heard of it
    second.cancel()
    await third
    assert second.cancelled()


@run_apart
async def test_an_idle_worker_that_had_the_table_is_preferred() -> None:
    queue = FairQueue(3, 0, "things", 10)

    async def worker_of(table: str) -> int:
        turn = await queue._begun((None, table))
        await asyncio.sleep(0)  # the others work meanwhile
        queue._end(turn)
        return turn.worker.result()

    first = dict(zip("abc", await asyncio.gather(*map(worker_of, "abc")), strict=True))
    assert len(set(first.values())) == 3
    for table in "cabbacacb":
        assert await worker_of(table) == first[table]


@run_apart
async def test_an_address_has_some_of_the_workers_where_that_is_limited() -> None:
    line = Line(at_once=3, each=2)
    for name in ("a1", "a2", "a3", "b1"):
        await line.ask(name, name[0])
    assert line.done == ["a1", "a2", "b1"]
    assert await line.all() == "a1 a2 b1 a3"


@run_apart
async def test_full_queue_is_busy_and_an_address_has_a_quarter_of_it() -> None:
    queue, over = FairQueue(1, 7, "things", 10), Event()
    asked = [asyncio.create_task(queue.do(("a",), over.wait)) for _ in range(2)]
    await settled()
    with pytest.raises(LimitError) as refused:
        await queue.do(("a",), over.wait)
    assert (refused.value.code, refused.value.wait) == ("limit/busy", 10)
    asked += [asyncio.create_task(queue.do((None,), over.wait)) for _ in range(6)]
    await settled()
    with pytest.raises(LimitError):
        await queue.do(("b",), over.wait)
    over.set()
    assert await asyncio.gather(*asked) == [True] * 8
    assert await queue.do(("a",), max, 1, 2) == 2
    queue.close()


@run_apart
async def test_work_that_no_one_waits_for_keeps_its_worker_to_its_end() -> None:
    queue, begun, over = FairQueue(1, 7, "things", 10), Event(), Event()

    def work() -> None:
        begun.set()
        over.wait()

    asked = asyncio.create_task(queue.do(("a",), work))
    await asyncio.to_thread(begun.wait)
    await end(asked)
    other = asyncio.create_task(queue.do(("b",), max, 1, 2))
    await settled()
    assert not other.done()
    over.set()
    assert await other == 2
    queue.close()
