"""In which order questions are answered."""

from __future__ import annotations

import asyncio

from ekoes.server.workers.bot_pool import BotQueue, Waiting
from ekoes.tables.bot_request import DECISION, BotRequest
from tests.unit.server.hub_room import in_loop


def question(key: str) -> BotRequest:
    return BotRequest(
        key=key, version=0, game="eko", bot="random", seat=0, asks=DECISION, sight=None, chance=0
    )


@in_loop
async def test_what_somebody_waits_for_comes_first_and_each_table_has_its_turn() -> None:
    line, loop = BotQueue(), asyncio.get_running_loop()
    asked = [("a", "1", False), ("b", "2", True), ("a", "3", False), ("b", "4", True), ("c", "5", True)]
    for table, key, is_urgent in asked:
        line.put(table, Waiting(question(key), loop.create_future()), is_urgent=is_urgent)
    assert len(line) == 3
    assert "".join([(await line.next()).question.key for _ in asked]) == "25413"


@in_loop
async def test_what_nobody_wants_any_more_is_passed_over() -> None:
    line, loop = BotQueue(), asyncio.get_running_loop()
    waits = [Waiting(question(key), loop.create_future()) for key in "123"]
    for waiting, is_urgent in zip(waits, (True, True, False), strict=True):
        line.put("t", waiting, is_urgent=is_urgent)
    for waiting in waits[:2]:
        waiting.answer.cancel()
    assert (await line.next()).question.key == "3"
