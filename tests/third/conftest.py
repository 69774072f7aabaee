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


def install(patch: pytest.MonkeyPatch) -> None:
    """Put the package of the third games on the path of every process that is started."""
    path = os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH", "")]))
    patch.setenv("PYTHONPATH", path)


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch)


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


@pytest.fixture(scope="session")
def third_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for all tests that leave it running."""
    with pytest.MonkeyPatch.context() as patch:
        install(patch)
        with Server(tmp_path_factory.mktemp("third"), process=FreshProcess) as server:
            yield server
