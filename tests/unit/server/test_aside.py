"""Tables that nobody uses go on one after the other, and leave most of the time to people."""

from __future__ import annotations

import asyncio

import pytest

from ekoes.server.runtime.background import BackgroundThrottle
from tests.apart import apart, run_apart

LONG = 0.03
"""Seconds of a turn; a rest is thrice as long."""


async def take(
    aside: BackgroundThrottle, table: str, told: list[str], until: asyncio.Event | None = None
) -> None:
    async with aside.turn(table):
        told.append(f"{table} begins")
        await (asyncio.sleep(0) if until is None else until.wait())
        told.append(f"{table} ends")


@run_apart
async def test_turns_come_one_after_the_other_in_the_order_in_which_they_were_asked_for() -> None:
    aside, told = BackgroundThrottle(), list[str]()
    await asyncio.gather(*(take(aside, table, told) for table in "abc"))
    assert told == ["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]


def test_while_people_are_there_a_turn_is_followed_by_a_rest() -> None:
    async def between(*people: str) -> float:
        aside, loop = BackgroundThrottle(), asyncio.get_running_loop()
        for table in people:
            aside.enter(table)
        async with aside.turn("a"):
            await asyncio.sleep(LONG)
            ended = loop.time()
        async with aside.turn("b"):
            return loop.time() - ended

    assert apart(between("theirs")) >= 3 * LONG


@run_apart
async def test_who_comes_to_a_table_does_not_wait_for_the_turns_of_others() -> None:
    aside, told, over = BackgroundThrottle(), list[str](), asyncio.Event()
    first = asyncio.create_task(take(aside, "a", told, over))
    others = [asyncio.create_task(take(aside, table, told)) for table in "bc"]
    await asyncio.sleep(0)
    aside.enter("c")
    await others[1]
    aside.exit()
    over.set()
    await asyncio.gather(first, *others)
    assert told == ["a begins", "c begins", "c ends", "a ends", "b begins", "b ends"]


@pytest.mark.parametrize("is_told", [False, True], ids=["while it waits", "as it is told"])
@run_apart
async def test_a_turn_that_nobody_waits_for_any_more_goes_to_the_next(*, is_told: bool) -> None:
    aside, told = BackgroundThrottle(), list[str]()
    async with aside.turn("a"):
        gone, last = (asyncio.create_task(take(aside, table, told)) for table in "bc")
        await asyncio.sleep(0)
        if not is_told:
            gone.cancel()
    if is_told:  # the turn is passed on by then, and it has not heard of that
        asyncio.get_running_loop().call_later(0, gone.cancel)
    await asyncio.gather(gone, last, return_exceptions=True)
    assert told == ["c begins", "c ends"]


@run_apart
async def test_nobody_has_a_turn_while_all_are_hold() -> None:
    aside, told = BackgroundThrottle(), list[str]()
    async with aside.hold():
        waits = asyncio.create_task(take(aside, "a", told))
        await asyncio.sleep(LONG)
        told.append("held up")
    await waits
    assert told == ["held up", "a begins", "a ends"]
