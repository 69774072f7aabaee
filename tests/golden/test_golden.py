"""Numbers, first positions and whole games that never change, in text files that any program can read.

perft/*.perft: a comment, the position on one line, then lines `depth leaves`.
positions/*.json: options and a seed, and the first position they give.
games/*.txt: game records; by-coordinates: two of them as earlier releases wrote spaces.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from ekoes.games.eko.game import EKO, perft
from ekoes.games.eko.position.action import action_to_json
from ekoes.games.kernels import COMPILED
from ekoes.records import read_record, replay, write_record
from tests import reference

FOLDER = Path(__file__).parent
TABLES = sorted(FOLDER.glob("perft/*.perft"))
MOST_LEAVES = 10_000_000 if COMPILED else 3_000
MOST_LEAVES_OF_THE_REFERENCE = 1_500


def name(path: Path) -> str:
    return path.stem


def table(path: Path) -> tuple[dict[str, Any], list[tuple[int, int]]]:
    """The position and the rows of a table."""
    _, position, *rows = path.read_text("utf-8").splitlines()
    numbers = [row.split() for row in rows]
    return json.loads(position), [(int(depth), int(leaves)) for depth, leaves in numbers]


@pytest.mark.parametrize("path", TABLES, ids=name)
def test_perft(path: Path) -> None:
    value, rows = table(path)
    position = EKO.from_json(value)
    for depth, leaves in rows:
        if leaves <= MOST_LEAVES:
            assert perft(position, depth) == leaves


@pytest.mark.parametrize("path", TABLES, ids=name)
def test_perft_of_the_reference(path: Path) -> None:
    value, rows = table(path)
    reference.check(value)
    for depth, leaves in rows:
        if leaves <= MOST_LEAVES_OF_THE_REFERENCE:
            assert reference.perft(value, depth) == leaves


@pytest.mark.parametrize("path", sorted(FOLDER.glob("positions/*.json")), ids=name)
def test_one_seed_one_position_for_ever(path: Path) -> None:
    golden = json.loads(path.read_text("utf-8"))
    position = EKO.new(golden["options"], golden["seed"]).to_json()
    assert json.dumps(position) == json.dumps(golden["position"])
    reference.check(position)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("by-coordinates/*.txt")), ids=name)
def test_records_of_earlier_releases_are_the_same_games(path: Path) -> None:
    """They name spaces by coordinates, in the discs of the set-up too."""
    text = path.read_text("utf-8")
    assert re.search(r"seat \d: (place:)?-?\d+,-?\d+", text)
    assert write_record(read_record(text)) == (FOLDER / "games" / path.name).read_text("utf-8")


@pytest.mark.parametrize("path", sorted(FOLDER.glob("games/*.txt")), ids=name)
def test_whole_games(path: Path) -> None:
    """The record verifies itself as it is read; the reference plays the same game."""
    text = path.read_text("utf-8")
    record = read_record(text)
    assert write_record(record) == text
    positions = list(replay(record))
    value = record.start.to_json()
    for decision, position in zip(record.decisions, positions[1:], strict=True):
        value = reference.apply(value, action_to_json(decision.action))
        assert json.dumps(position.to_json()) == json.dumps(value)
    assert record.outcome is not None
    assert list(record.outcome.winners) == value["winners"]


def test_nothing_golden_is_lost() -> None:
    expected = {"perft": 21, "positions": 4, "games": 3, "by-coordinates": 2}
    assert {folder: len(list((FOLDER / folder).iterdir())) for folder in expected} == expected
