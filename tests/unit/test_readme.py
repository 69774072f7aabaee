"""The README's examples run as they stand there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL)


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = os.environ | {"PATH": path}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
    )


def test_two_commands_are_targets_of_make() -> None:
    (block,) = blocks("sh")
    commands = [line.split("#")[0].split() for line in block.splitlines()]
    assert commands == [["make", "play"], ["make", "test"]]


def test_command_line_example_runs(tmp_path: Path) -> None:
    (block,) = blocks("console")
    commands = [line.removeprefix("$ ") for line in block.splitlines()]
    assert commands
    for command in commands:
        done = run(["bash", "-c", command], tmp_path)
        assert done.returncode == 0, f"{command}: {done.stderr}"
        assert done.stdout or ">" in command, command


def test_python_example_plays_a_game_to_its_end(tmp_path: Path) -> None:
    (block,) = blocks("python")
    done = run([sys.executable, "-c", block], tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Outcome(winners=")
