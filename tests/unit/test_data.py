"""`ekoes dump` and `ekoes.data`: public games without names, that replay."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import ekoes
from ekoes import data
from ekoes.arena.selfplay import SelfPlay
from ekoes.cli.main import main
from ekoes.errors import EkoesError, RecordError
from ekoes.records import GameRecord, write_record
from ekoes.storage.store import Store
from tests.unit.storage.test_archive import played
from tools.selfplay import main as play_bots


def test_public_games_are_written_without_names_and_replay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = Store(f"sqlite:///{tmp_path / 'ekoes.sqlite'}")
    played(store, 0, "Zdenka", "Gwendolyn", variants=["moon"])
    played(store, 1, "Otto", "Gwendolyn")
    played(store, 1, "Zdenka", "Otto", public=False)
    store.close()
    folder = tmp_path / "games"
    assert main(["dump", str(folder), "--data", str(tmp_path)]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == {"eko": 2, "ekko": 0}
    rows = data.read(folder / "eko.parquet").to_pylist()
    assert [(row["players"], row["reason"], [seat["won"] for seat in row["seats"]]) for row in rows] == [
        (2, "resignation", [True, False]),
        (2, "resignation", [False, True]),
    ]
    assert json.loads(rows[1]["options"])["variants"] == ["moon"]
    assert not any(name in str(rows) for name in ("Zdenka", "Gwendolyn", "Otto"))
    assert [record.start.players for record in data.records(folder / "eko.parquet")] == [2, 2]
    assert data.read(folder / "ekko.parquet").num_rows == 0
    assert "CC0" in (folder / "README.md").read_text("utf-8")


@pytest.mark.parametrize("content", [b"no Parquet", None])
def test_other_files_are_refused(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "file"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(RecordError, match="no file of games"):
        data.read(file)


def test_names_go_and_all_else_stays() -> None:
    game = ekoes.eko.Game(seed=1)
    game.push_bot("random")
    names = ('Ada "the [Seat1]"', "[Seat0] Bo")
    plain = data.without_names(game.record(names))
    assert plain == write_record(GameRecord("eko", game.positions[0], tuple(game.decisions), rules="1"))


def test_games_of_bots_are_the_same_again_and_replay(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        play_bots(tmp_path / folder, games=3, seed=5, workers=1)
    for name in ("eko", "ekko"):
        one, two = (data.read(tmp_path / folder / f"{name}.parquet").to_pylist() for folder in ("one", "two"))
        assert one == two
        for row, record in zip(one, data.records(tmp_path / "one" / f"{name}.parquet"), strict=True):
            assert len(record.decisions) == row["decisions"]
            if record.outcome is not None:
                assert [seat["won"] for seat in row["seats"]] == [
                    seat in record.outcome.winners for seat in range(row["players"])
                ]
    assert "| games | 3 | 3 |" in (tmp_path / "one" / "README.md").read_text("utf-8")


def test_games_of_chosen_levels_players_and_variants_are_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.parquet"
    chosen = ["--level", "random", "--level", "casual", "--players", "3", "--variants", "moon,wind"]
    assert main(["arena", "games", str(file), "--games", "3", "--workers", "1", *chosen]) == 0
    assert json.loads(capsys.readouterr().out) == {"file": str(file), "games": 3}
    rows = data.read(file).to_pylist()
    assert {row["players"] for row in rows} == {3}
    assert {row["options"] for row in rows} == {'{"players": 3, "variants": ["moon", "wind"]}'}
    assert {seat["bot"] for row in rows for seat in row["seats"]} <= {"random", "casual"}
    assert [len(record.decisions) for record in data.records(file)] == [row["decisions"] for row in rows]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"levels": ("nobody",)}, "eko has no level 'nobody', only random"),
        ({"players": 5}, "players"),
        ({"options": {"variants": ["sun"]}}, "variants"),
        ({"new": ekoes.ekko.Game, "options": {"variants": ["moon"]}}, "variants"),
    ],
)
def test_games_that_cannot_be_are_refused(wrong: dict[str, Any], told: str) -> None:
    wished: dict[str, Any] = {"new": ekoes.eko.Game, "levels": ("random",)} | wrong
    with pytest.raises(EkoesError, match=told):
        SelfPlay(**wished)


def test_statistics_tell_lengths_ends_and_who_won() -> None:
    schema = ["players", "options", "reason", "decisions", "seats"]
    games = [
        (2, '{"variants": ["moon"]}', "points", 30, [("skilled", True), (None, False)]),
        (2, '{"variants": ["moon", "sun"]}', "points", 50, [("skilled", False), (None, True)]),
        (3, '{"variants": []}', "turn-limit", 90, [("greedy", False), (None, False), ("greedy", False)]),
    ]
    seats = [[{"bot": bot, "won": won} for bot, won in game[-1]] for game in games]
    rows = [
        dict(zip(schema, (*game[:-1], seated), strict=True))
        for game, seated in zip(games, seats, strict=True)
    ]
    text = data.statistics(pa.Table.from_pylist(rows))
    half = "50.0 % (9.5 … 90.5)"
    assert f"| 2 | 2 | 40 | 32 to 48 | 0.0 % (0.0 … 65.8) | {half} | {half} |  |" in text
    assert "| points | 2 |\n| turn-limit | 1 |" in text
    assert f"| skilled | 2 | {half} | 50.0 % |" in text
    assert "| people | 3 | 33.3 % (6.1 … 79.2) | 44.4 % |" in text
    assert "| moon | 2 | 40 | 32 to 48 | 0.0 % (0.0 … 65.8) |" in text
    assert data.statistics(pa.Table.from_pylist(rows).slice(0, 0)) == "No games."
