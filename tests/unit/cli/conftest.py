"""Running commands within the test's own process, which saves a start for each."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ekoes.cli.main import main
from ekoes.games.eko.game import EKO


@dataclass(frozen=True)
class Done:
    """What a command did."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


Ekoes = Callable[..., Done]


@pytest.fixture
def ekoes(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ekoes:
    """Run ``ekoes`` with arguments and, if given, standard input."""

    def run(*arguments: object, stdin: str | bytes = b"") -> Done:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        status = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Done(status, out, err)

    return run


@pytest.fixture
def position(tmp_path: Path) -> Path:
    """A file with the first action of a game for two."""
    played = EKO.new({"players": 2}, 1)
    while played.turn_number == 0:
        played = played.play(played.actors()[0], played.legal()[-1])
    file = tmp_path / "position.json"
    file.write_text(json.dumps(played.to_json()))
    return file
