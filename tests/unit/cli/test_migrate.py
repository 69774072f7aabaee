"""``ekoes migrate``: first what would be done, then that, then nothing more."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ekoes.cli.main import main
from ekoes.storage.migrations import BEGINS, VERSION
from ekoes.storage.store import Store


def asked(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, int, int, bool]:
    """Run it; return the versions, the number of steps, and whether they were taken."""
    assert main(["migrate", *arguments]) == 0
    told = json.loads(capsys.readouterr().out)
    return told["from"], told["to"], len(told["steps"]), told["done"]


def test_steps_are_told_and_then_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, data = tmp_path / "ekoes.sqlite", ("--data", str(tmp_path))
    Store(f"sqlite:///{file}").close()
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("ALTER TABLE members DROP COLUMN clock")
        database.execute("ALTER TABLE schema DROP COLUMN oldest")
        database.execute("UPDATE schema SET version = ?", (BEGINS,))
    lacking = VERSION - BEGINS
    assert asked(capsys, "--dry-run", *data) == (BEGINS, VERSION, lacking, False)
    assert asked(capsys, *data) == (BEGINS, VERSION, lacking, True)
    assert asked(capsys, *data) == (VERSION, VERSION, 0, True)


def test_folder_without_games_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["migrate", "--data", str(tmp_path)]) == 2
    assert f"no server keeps its games in {tmp_path}" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
