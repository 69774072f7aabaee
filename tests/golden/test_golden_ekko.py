"""EKKO's first positions, whole games and puzzles that never change, in files that any program can read.

ekko/positions/*.json: options and a seed, and the first position and the first deal they give.
ekko/games/*.txt: game records; one of a live table.
ekko/puzzles/*.txt: a comment, a position on one line, and then in pairs of lines every legal action
and the position after it; of a live table what each player may do.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE
from ekoes.games.ekko.book import as_live
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.position.action import Remark
from ekoes.records import read_record, replay, write_record
from tests.reference import ekko as reference

FOLDER = Path(__file__).parent / "ekko"


def name(path: Path) -> str:
    return path.stem


@pytest.mark.parametrize("path", sorted(FOLDER.glob("positions/*.json")), ids=name)
def test_one_seed_one_position_for_ever(path: Path) -> None:
    golden = json.loads(path.read_text("utf-8"))
    position = EKKO.new(golden["options"], golden["seed"])
    assert json.dumps(position.to_json()) == json.dumps(golden["position"])
    deal = position.chance_action(Chance(golden["seed"]))
    assert json.dumps(position.play(CHANCE, deal).to_json()) == json.dumps(golden["dealt"])
    reference.check(golden["dealt"])


@pytest.mark.parametrize("path", sorted(FOLDER.glob("games/*.txt")), ids=name)
def test_whole_games(path: Path) -> None:
    """The record verifies itself as it is read; the reference plays the same game."""
    text = path.read_text("utf-8")
    record = read_record(text)
    assert write_record(record) == text
    positions = list(replay(record))
    value = record.start.to_json()
    follow = reference.apply if record.table is None else reference.live_apply
    for decision, position in zip(record.decisions, positions[1:], strict=True):
        if not isinstance(decision.action, Remark):
            value = follow(value, EKKO.action_to_json(decision.action))
        assert json.dumps(position.to_json()) == json.dumps(value)
    assert record.outcome is not None
    assert list(record.outcome.winners) == value["winners"]


def puzzle(path: Path) -> tuple[dict[str, Any], list[tuple[dict[str, Any], str]]]:
    """The position, and each action with the text of what follows."""
    _, position, *rows = path.read_text("utf-8").splitlines()
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return json.loads(position), [(json.loads(action), after) for action, after in pairs]


def compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


@pytest.mark.parametrize("path", sorted(FOLDER.glob("puzzles/*.txt")), ids=name)
def test_puzzles(path: Path) -> None:
    value, rows = puzzle(path)
    position = EKKO.from_json(value)
    if path.stem.startswith("live-"):
        position = as_live(position)
        wanted = [action for _, action in reference.live_legal(value)]
    else:
        wanted = [EKKO.action_to_json(action) for action in position.legal()]
    assert sorted(map(compact, wanted)) == sorted(compact(action) for action, _ in rows)
    for action, after in rows:
        parsed = EKKO.parse_action(action)
        assert compact(position.play(position.seat_of(parsed), parsed).to_json()) == after


@pytest.mark.parametrize("path", sorted(FOLDER.glob("puzzles/*.txt")), ids=name)
def test_puzzles_of_the_reference(path: Path) -> None:
    value, rows = puzzle(path)
    reference.check(value)
    follow = reference.live_apply if path.stem.startswith("live-") else reference.apply
    for action, after in rows:
        assert compact(follow(value, action)) == after


def test_nothing_golden_is_lost() -> None:
    counts = {folder.name: len(list(folder.iterdir())) for folder in FOLDER.iterdir()}
    assert counts == {"positions": 3, "games": 4, "puzzles": 12}
