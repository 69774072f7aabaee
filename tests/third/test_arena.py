"""A third game is played in the arena too."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import pytest

Ekoes = Callable[..., str]

PLAN = """
game = "nim"
rounds = 10
[[players]]
name = "large"
bot = "largest"
[[players]]
name = "any"
bot = "random"
"""


@pytest.mark.long
def test_it_is_played_rated_recorded_and_sampled(tmp_path: Path, ekoes: Ekoes) -> None:
    (tmp_path / "plan.toml").write_text(PLAN)
    report = ekoes("arena", "run", "plan.toml", "--workers", "2")
    assert "Nim, the game of matches" in report
    assert "last-match (N3.1), one winner" in report
    with ZipFile(tmp_path / "plan" / "records.zip") as archive:
        record = archive.read("00000003.txt").decode()
    assert json.loads(ekoes("nim", "replay", "-", stdin=record))["heaps"] == [0, 0, 0]
    assert (
        json.loads(ekoes("arena", "sample", "plan.toml", "--out", "samples", "--workers", "1"))["games"] == 20
    )
