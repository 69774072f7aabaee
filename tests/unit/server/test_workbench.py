"""What somebody only wants to look at is computed beside all else, with bounds of time and memory."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import httpx
import pytest

from ekoes.errors import LimitError, PositionError
from ekoes.games.eko.game import EKO
from ekoes.server.app import create_app
from ekoes.server.http.services import services_of
from ekoes.server.runtime.viewers import tried
from ekoes.server.settings import Settings
from ekoes.server.workers import worker_process
from ekoes.server.workers.sandbox import MEMORY, Sandbox
from ekoes.tables.create import new_table
from ekoes.tables.plan import ClockPlan
from ekoes.tables.seats import Seat
from tests.apart import run_apart

ENOUGH = 64 << 20
"""Bytes that are there where a test does not want them to be short."""


@run_apart
async def test_who_comes_while_much_is_to_be_done_is_told_to_come_back() -> None:
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
async def test_what_is_tried_brings_no_web_server_into_the_process_that_computes_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Reading one in takes longer than what is tried, and all of that is counted."""
    monkeypatch.setattr(
        worker_process, "_CONTEXT", get_context("spawn")
    )  # the tests' own fork server has one
    bench = Sandbox(at_once=1)
    seats = (Seat("here", "Ada", 0, session="ada"), Seat("here", "Bo", 1, session="ada"))
    table = new_table("eko", {"players": 2}, 1, seats, clock=ClockPlan(days=3, up="lose"))
    text = await bench.do(tried, "table", table, "ada", (), None, datetime.now(UTC))
    loaded = await bench.do(
        eval, "sorted({'fastapi', 'sqlalchemy', 'numba'} & set(__import__('sys').modules))"
    )
    bench.close()
    assert [json.loads(text)["refusal"], loaded] == [None, ["numba"]]


@pytest.mark.parametrize(
    ("work", "argument"),
    [(time.sleep, 3600), (bytearray, 2 * ENOUGH), (os._exit, 1)],
    ids=["without end", "more memory than there is", "the end of its process"],
)
@run_apart
async def test_what_takes_too_much_is_refused_and_the_next_one_is_done(
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
async def test_what_fails_is_told_to_who_asked() -> None:
    bench = Sandbox()
    with pytest.raises(ValueError, match="invalid literal"):
        await bench.do(int, "x")
    with pytest.raises(PositionError) as refused:
        await bench.do(EKO.from_json, {"none": 1})
    assert refused.value.key == "game"
    bench.close()


@run_apart
async def test_idle_process_ends_and_another_one_computes_later() -> None:
    bench = Sandbox(at_once=1, idle=0.1)
    first = await bench.do(os.getpid)
    while os.path.exists(f"/proc/{first}"):  # noqa: ASYNC110, ASYNC240, PTH110 - in another process
        await asyncio.sleep(0.01)
    assert await bench.do(os.getpid) != first
    bench.close()


@run_apart
async def test_request_that_takes_too_much_is_answered_and_the_next_one_has_its_board(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path, bot_workers=0))
    wish = {"players": 4, "variants": ["portals", "labyrinth", "beacon", "moon", "pyramids"]}
    answers = []
    web = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://here")
    for bench in (Sandbox(seconds=0), Sandbox(memory=MEMORY)):
        app.state.services = replace(services_of(app), sandbox=bench)
        answers.append(await web.post("/api/eko/preview", json=wish, timeout=None))
        bench.close()
    refused, made = answers
    assert (refused.status_code, refused.json()["code"]) == (422, "limit/too-much")
    assert made.status_code == 200, made.text
    assert made.json()
