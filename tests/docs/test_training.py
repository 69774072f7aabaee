"""docs/guide/research.md: an environment, a training run that goes on where it stopped, and an arena."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, fences, read, run_python, run_shell

GUIDE = read("docs/guide/research.md")
SMALL = "--games 64 --steps 16 --every 1024 --rounds 4 --threads 1"


def test_environment_of_the_guide_is_played() -> None:
    (program,) = fences(GUIDE, "python")
    assert run_python(program) in {"-1.0\n", "1.0\n"}


@pytest.mark.long
def test_training_goes_on_where_it_stopped_and_its_network_plays_in_the_arena(tmp_path: Path) -> None:
    _, train, arena = fences(GUIDE, "sh")
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    lengths = []
    for _ in range(2):
        run_shell(train.strip().replace("--minutes 20", f"--minutes 0.05 {SMALL}"), tmp_path)
        with (tmp_path / "runs/ekko/curve.csv").open() as file:
            points = [(int(decisions), float(share)) for decisions, share in csv.reader(file)]
        lengths.append(len(points))
    decisions = [point[0] for point in points]
    assert decisions == sorted(decisions)
    assert decisions[-1] > decisions[lengths[0]] >= decisions[lengths[0] - 1] > 0
    assert all(0 <= share <= 1 for _, share in points)
    assert list(tmp_path.glob("runs/ekko/ppo_*/events.*"))
    assert (tmp_path / "runs/ekko/curve.png").is_file()
    plan = (ROOT / "docs/examples/arena.toml").read_text("utf-8").replace("rounds = 100", "rounds = 2")
    (tmp_path / "plan.toml").write_text(plan, "utf-8")
    report = run_shell(arena.replace("docs/examples/arena.toml", "plan.toml"), tmp_path)
    assert "trained" in report
    assert "forfeit" not in report.lower()
