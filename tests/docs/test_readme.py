"""The README's examples run as they stand there."""

from __future__ import annotations

from pathlib import Path

from tests.docs.pages import fences, read, run_python, run_shell

README = read("README.md")


def test_two_commands_are_targets_of_make() -> None:
    (block,) = fences(README, "sh")
    commands = [line.split("#")[0].split() for line in block.splitlines()]
    assert commands == [["make", "play"], ["make", "test"]]


def test_command_line_example_runs(tmp_path: Path) -> None:
    (block,) = fences(README, "console")
    commands = [line.removeprefix("$ ") for line in block.splitlines()]
    assert commands
    for command in commands:
        assert run_shell(command, tmp_path) or ">" in command, command


def test_python_example_plays_a_game_to_its_end() -> None:
    (block,) = fences(README, "python")
    assert run_python(block).startswith("Outcome(winners=")
