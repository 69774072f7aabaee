"""The short form of ``python -m tools.kills``: a server that is killed while people play at it."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ekoes.games.chance import Chance
from tools.kills.killing import Result, killed


def test_everything_that_was_acknowledged_is_there_once_and_in_order(tmp_path: Path) -> None:
    def play() -> Result:
        return asyncio.run(killed(tmp_path, 8, 4, Chance(1), lambda _: None))

    with ThreadPoolExecutor(1) as pool:
        result = pool.submit(play).result()
    assert result.faults == []
    assert result.acknowledged > 50
