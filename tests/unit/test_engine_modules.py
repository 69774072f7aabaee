"""The modules that the page runs are those of the kernels as they are."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ekoes.games.kernels import kernels_hash
from tools import calm_games, engine_games, engine_modules

WRITTEN = (
    *(f"{module}.wasm" for module in engine_modules.KERNELS),
    *("records.ts", "boardRecords.ts", "searchRecords.ts"),
)


def test_changed_kernels_need_new_modules() -> None:
    text = (engine_modules.FOLDER / "records.ts").read_text("utf-8")
    assert f"HASH = '{kernels_hash()}'" in text, "run `python -m tools.engine_modules`"


def test_modules_name_no_file_of_the_machine_that_made_them() -> None:
    for game in engine_modules.KERNELS:
        assert b".py" not in (engine_modules.FOLDER / f"{game}.wasm").read_bytes()


@pytest.mark.long
def test_modules_are_those_that_the_kernels_give(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tools.engine_modules", str(tmp_path)]
    subprocess.run(command, check=True, cwd=Path(engine_modules.__file__).parents[1])
    for name in WRITTEN:
        assert (tmp_path / name).read_bytes() == (engine_modules.FOLDER / name).read_bytes()


def test_games_that_the_page_replays_are_those_that_python_plays() -> None:
    assert engine_games.FILE.read_text("utf-8") == engine_games.games()


def test_records_that_the_page_reads_are_read_so_by_python() -> None:
    assert engine_games.RECORDS_FILE.read_text("utf-8") == engine_games.records()
    assert engine_games.EKKO_RECORDS.read_text("utf-8") == engine_games.ekko_records()


def test_verdicts_that_the_page_repeats_are_those_of_python() -> None:
    assert engine_games.VERDICTS.read_text("utf-8") == engine_games.verdicts()


def test_boards_that_the_page_judges_are_judged_so_by_python() -> None:
    assert engine_games.DRAFTS.read_text("utf-8") == engine_games.drafts_text()


def test_searches_that_the_page_repeats_are_those_of_python() -> None:
    assert engine_games.SEARCHES.read_text("utf-8") == engine_games.searches()


def test_calm_tables_and_bots_that_the_page_repeats_are_those_of_python() -> None:
    assert calm_games.TABLES.read_text("utf-8") == calm_games.tables()
    assert calm_games.DECISIONS.read_text("utf-8") == calm_games.decisions()
