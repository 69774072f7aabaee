"""docs/examples/train_ekko.py trains, and goes on where it stopped."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import ROOT

SMALL = ["--minutes", "0.05", "--games", "64", "--steps", "16", "--every", "1024", "--rounds", "4"]


@pytest.mark.long
def test_training_goes_on_where_it_stopped(tmp_path: Path) -> None:
    lengths = []
    for _ in range(2):
        command = [sys.executable, ROOT / "docs/examples/train_ekko.py", tmp_path, *SMALL]
        subprocess.run(command, check=True, timeout=600)
        with (tmp_path / "curve.csv").open() as file:
            points = [(int(decisions), float(share)) for decisions, share in csv.reader(file)]
        lengths.append(len(points))
    decisions = [point[0] for point in points]
    assert decisions == sorted(decisions)
    assert decisions[lengths[0]] >= decisions[lengths[0] - 1] > 0
    assert decisions[-1] > decisions[lengths[0]]
    assert all(0 <= share <= 1 for _, share in points)
    assert list(tmp_path.glob("ppo_*/events.*"))
