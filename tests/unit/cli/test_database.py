"""``ekoes copy`` and ``ekoes migrate``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ekoes.cli.main import main
from ekoes.server.settings import Settings
from ekoes.storage import migrations
from ekoes.storage.migrations import VERSION
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


def asked(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, int]:
    """Run it; return the versions before and after."""
    assert main(["migrate", *arguments]) == 0
    told = json.loads(capsys.readouterr().out)
    return told["from"], told["to"]


def test_steps_are_taken_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Store(f"sqlite:///{tmp_path / 'ekoes.sqlite'}").close()
    (tmp_path / "v_next.py").write_text(
        f'"""A step."""\nrevision, down_revision = "{VERSION + 1}", "{VERSION}"\ndef upgrade(): pass\n'
    )
    monkeypatch.setattr(migrations, "_FOLDERS", [*migrations._FOLDERS, tmp_path])
    monkeypatch.setattr(migrations, "VERSION", VERSION + 1)
    data = ("--data", str(tmp_path))
    assert asked(capsys, *data) == (VERSION, VERSION + 1)
    assert asked(capsys, *data) == (VERSION + 1, VERSION + 1)


@pytest.mark.parametrize("name", ["club?A", "x%25y", "file:x?mode=memory&uri=true", "a#b & c;d"])
def test_any_name_of_a_data_folder_names_that_folder_alone(name: str, tmp_path: Path) -> None:
    folder, saved = tmp_path / name, tmp_path / "saved.zip"
    folder.mkdir()
    store = Store(Settings(data=folder).database_url)
    Keeper(store, eko_table()).play(1)
    store.close()
    assert main(["backup", str(saved), "--data", str(folder)]) == 0
    assert {path.name for path in tmp_path.iterdir()} == {name, "saved.zip"}
    assert (folder / "ekoes.sqlite").is_file()


def test_folder_without_games_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["migrate", "--data", str(tmp_path)]) == 2
    assert f"no server stores its games in {tmp_path}" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
