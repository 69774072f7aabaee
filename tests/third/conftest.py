from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.kit.server import FreshProcess, Server

HERE = Path(__file__).parent
EKOES = Path(sys.executable).with_name("ekoes")


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package of the third games lies on the path of every process that is started."""
    path = os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("PYTHONPATH", path)


@pytest.fixture
def ekoes(tmp_path: Path) -> Callable[..., str]:
    """Run a command that succeeds and return what it prints; a text is its standard input."""

    def run(*arguments: str, stdin: str = "") -> str:
        done = subprocess.run(
            [EKOES, *arguments], cwd=tmp_path, input=stdin, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture
def third_server(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path, process=FreshProcess) as server:
        yield server
