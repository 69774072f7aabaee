"""Searches for those who look at a table: each with bounds, and not more of them than can be done."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ekoes.bots.analysis import begin_search
from ekoes.errors import LimitError
from ekoes.games.eko.game import EKO
from ekoes.server.runtime.analyses import MEMORY, Analyses, AnalysisRequest
from tests.apart import run_apart

MOST = 18
"""Two at work, and those that may wait."""


@run_apart
async def test_search_ends_with_its_time_and_who_comes_while_many_wait_is_told_to_come_back() -> None:
    position = EKO.new({"players": 2}, 1)
    told: list[tuple[str, str]] = []

    def wanted(session: str, seconds: float) -> AnalysisRequest:
        def tell(word: str, _info: Any) -> None:
            told.append((session, word))

        return AnalysisRequest(session, object(), begin_search(EKO, position, (), MEMORY), seconds, 1, tell)

    analyses = Analyses()
    for number in range(MOST):
        await analyses.begin(wanted(f"s{number}", 60))
    with pytest.raises(LimitError) as refused:
        await analyses.begin(wanted("one more", 60))
    assert refused.value.code == "limit/busy"
    await analyses.begin(wanted("s0", 60))  # in the place of their own one
    for number in range(MOST):
        await analyses.stop(f"s{number}")
    await analyses.begin(wanted("one more", 1))  # which nobody ends
    async with asyncio.timeout(50):
        while ("one more", "result") not in told:  # noqa: ASYNC110 - a thread works meanwhile
            await asyncio.sleep(0.05)
    await analyses.close()
    assert ("s1", "result") in told
