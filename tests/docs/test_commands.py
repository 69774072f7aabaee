"""docs/reference/commands.md: it is current, describes every command and option, and its examples run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from ekoes.cli.main import commands, main
from tests.docs.pages import fences, read, run_shell
from tools.commands import FILE, commands_text

COMMANDS = commands()
DOCUMENT = FILE.read_text("utf-8")
SECTIONS = dict(re.findall(r"^## ekoes (.+?)\n(.*?)(?=^## |\Z)", DOCUMENT, flags=re.MULTILINE | re.DOTALL))


def options(command: str) -> Iterator[str]:
    """The long names of a command's options."""
    app = typer.Typer(add_completion=False)
    app.command()(COMMANDS[command])
    for parameter in typer.main.get_command(app).params:
        yield from (
            option for option in (*parameter.opts, *parameter.secondary_opts) if option.startswith("--")
        )


def test_page_is_current() -> None:
    assert commands_text() == DOCUMENT, "run: python -m tools.commands"


def test_every_command_has_its_section_and_no_other_has() -> None:
    assert list(SECTIONS) == list(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_described(name: str) -> None:
    described = set(re.findall(r"`(--[a-z-]+)`", SECTIONS[name]))
    assert described == set(options(name)) - {"--help"}


@pytest.mark.long
def test_the_examples_run(tmp_path: Path) -> None:
    lines = re.findall(r"^\$ (.+)$", DOCUMENT, flags=re.MULTILINE)
    assert len(lines) >= len(COMMANDS) // 2
    for command in lines:
        run_shell(command, tmp_path)


def test_the_message_of_bad_input_is_the_one_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (position,) = fences(read("docs/reference/formats.md"), "json")
    file = tmp_path / "position.json"
    file.write_text(
        position.replace('"2,-2": {"owner": 0, "height": 3', '"2,-2": {"owner": 0, "height": 5'), "utf-8"
    )
    assert main(["eko", "legal", str(file)]) == 2
    assert capsys.readouterr().err.replace(str(file), file.name) in DOCUMENT
