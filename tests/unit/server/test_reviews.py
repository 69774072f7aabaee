"""Reviews of finished games, and reports of fairness: progress, queue, limits, and what is stored."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from ekoes.errors import LimitError
from ekoes.games.api.contract import Json
from ekoes.games.eko.fairness import named_layouts
from ekoes.records.review import Effort, reviewed_game
from ekoes.server.http.analysis import ReviewInfo
from ekoes.server.ops.tasks import end
from ekoes.server.runtime.analyses import AT_ONCE, FairnessReports, Reviews
from ekoes.server.workers.sandbox import Sandbox
from ekoes.storage.store import Store
from ekoes.tables.orders import Resign
from tests.kit.loops import run_apart
from tests.unit.server.hub_room import SwiftClock, settled
from tests.unit.storage.keeping import Keeper, eko_table

FEW = Effort(iterations=5)
LONG = Effort(seconds=60)
"""Half a second for each search, until its memory is full."""


def over(store: Store, table_id: str) -> str:
    """Keep a game that is given up after a few decisions; return its record."""
    keeper = Keeper(store, eko_table(), table_id)
    keeper.play(6)
    keeper.order(Resign, seat=0)
    return store.record(table_id)


@asynccontextmanager
async def reviewing(store: Store, effort: Effort) -> AsyncIterator[tuple[Reviews, Sandbox]]:
    sandbox = Sandbox(seconds=300)  # its processes have a low priority
    reviews = Reviews(store.reviews, sandbox, SwiftClock(), effort)
    yield reviews, sandbox
    await reviews.stop()
    sandbox.close()


async def states(reviews: Reviews, table_id: str) -> list[Json]:
    """Ask for the state until nothing more is done; return all different answers."""
    seen: list[Json] = []
    while not seen or seen[-1]["state"] in {"waiting", "running"}:
        await asyncio.sleep(0.001)
        if (state := await reviews.state(table_id)) not in seen:
            seen.append(state)
    return seen


@run_apart
async def test_review_grows_and_is_stored_as_the_command_makes_it(store: Store) -> None:
    record = over(store, "t")
    async with reviewing(store, FEW) as (reviews, _):
        assert await states(reviews, "t") == [
            {"state": "none", "place": None, "examined": 0, "questions": 0, "chances": [], "review": None}
        ]
        await asyncio.gather(*(reviews.begin("t", record, None) for _ in range(2)))
        *growing, done = await states(reviews, "t")
    for state in (*growing, done):
        ReviewInfo.model_validate(state)
    game = reviewed_game(record)
    findings = {n: game.examine(n, FEW) for n in game.questions}
    assert {(one["state"], one["place"], one["questions"]) for one in growing} == {
        ("running", None, len(findings))
    }
    examined = [one["examined"] for one in growing]
    assert examined == sorted(examined)
    assert 0 < examined[-1] <= len(findings)
    for one in growing:
        both = zip(one["chances"], game.chances(findings), strict=True)
        assert all(chance in (None, known) for chance, known in both)
        assert len(one["chances"]) - one["chances"].count(None) >= one["examined"]
    review = json.loads(json.dumps(game.sum_up(findings)))
    assert (done["state"], done["review"], done["chances"]) == ("done", review, review["chances"])
    async with reviewing(store, FEW) as (restarted, _):
        assert await restarted.state("t") == done


class Held(Sandbox):
    """A sandbox in which no part of anything comes to its turn."""

    async def do_part(self, *_: object) -> Any:
        await asyncio.Event().wait()


@run_apart
async def test_games_wait_in_order_and_an_address_has_a_quarter_of_the_queue(store: Store) -> None:
    record, sandbox = over(store, "t0"), Held()
    reviews = Reviews(store.reviews, sandbox, SwiftClock(), FEW)
    for number in range(4):
        await reviews.begin(f"t{number}", record, "192.0.2.1")
    with pytest.raises(LimitError) as refused:
        await reviews.begin("t4", record, "192.0.2.1")
    assert (refused.value.code, refused.value.wait) == ("limit/busy", 60)
    await reviews.begin("t4", record, "192.0.2.2")
    waiting = [await reviews.state(f"t{number}") for number in range(5)]
    assert [(one["state"], one["place"]) for one in waiting] == [
        ("running", None),
        *(("waiting", place) for place in range(1, 5)),
    ]
    await reviews.stop()
    sandbox.close()


@run_apart
async def test_previews_do_not_wait_for_searches() -> None:
    sandbox = Sandbox()
    searches = [asyncio.create_task(sandbox.do_part((None,), time.sleep, 3600)) for _ in range(AT_ONCE)]
    await asyncio.sleep(0)
    assert await sandbox.do(max, 1, 2) == 2
    assert not any(one.done() for one in searches)
    await end(*searches)
    sandbox.close()


@run_apart
async def test_review_whose_process_dies_is_asked_for_again(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    record = over(store, "t")
    async with reviewing(store, LONG) as (reviews, sandbox):
        await reviews.begin("t", record, None)
        while len(sandbox.pids) < 2:  # noqa: ASYNC110 - they are started by threads
            await asyncio.sleep(0.001)
        with caplog.at_level(logging.WARNING, "ekoes.server"):
            for pid in sandbox.pids:
                os.kill(pid, signal.SIGKILL)
            assert [one["state"] for one in await states(reviews, "t")][-1] == "none"
        assert "review failed" in caplog.text
        await reviews.begin("t", record, None)
        assert (await reviews.state("t"))["state"] == "running"


@run_apart
async def test_report_of_fairness_that_never_begins_ends_its_stream() -> None:
    sandbox = Sandbox()
    reports = FairnessReports(sandbox)
    lines = await reports.begin("eko", named_layouts()[0].tiles, 20, 5, None)
    reading = asyncio.ensure_future(anext(lines, None))
    await reports.stop()
    await settled()
    assert reading.done()
    assert reading.result() is None
    sandbox.close()
