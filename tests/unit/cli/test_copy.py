"""``ekoes copy``: what was copied is told; what can't be is told in a line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ekoes.cli.main import main
from ekoes.storage.store import Store
from tests.unit.storage.keeping import Keeper, eko_table


def test_games_of_a_folder_are_copied_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, target = Store(f"sqlite:///{tmp_path / 'ekoes.sqlite'}"), f"sqlite:///{tmp_path / 'other'}"
    Keeper(store, eko_table()).play(3)
    store.close()
    asked = ["copy", "--data", str(tmp_path), "--to", target]
    assert main(asked) == 0
    assert json.loads(capsys.readouterr().out)["tables"] == 1
    again = Store(target)
    assert len(again.log("t")) == 3
    again.close()
    assert main(asked) == 2
    assert "not empty" in capsys.readouterr().err
