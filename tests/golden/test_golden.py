"""Numbers, first positions, whole games and puzzles that never change, in files that any program can read.

perft/*.perft: a comment, the position on one line, then lines `depth leaves`.
positions/*.json: options and a seed, and the first position they give; of EKKO the first deal too.
games/*.txt: game records; by-coordinates: two of them as earlier releases wrote spaces.
ekko/puzzles/*.txt: a comment, a position on one line, and then in pairs of lines every legal action
and the position after it; of a live table what each player may do.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE
from ekoes.games.api.registry import game
from ekoes.games.ekko.book import as_live
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.position.action import Remark
from ekoes.games.eko.game import EKO, perft
from ekoes.games.kernels import COMPILED
from ekoes.records import read_record, replay, write_record
from tests import reference as eko_reference
from tests.reference import ekko as ekko_reference

FOLDER = Path(__file__).parent
TABLES = sorted(FOLDER.glob("perft/*.perft"))
PUZZLES = sorted(FOLDER.glob("ekko/puzzles/*.txt"))
MOST_LEAVES = 10_000_000 if COMPILED else 3_000
MOST_LEAVES_OF_THE_REFERENCE = 1_500


def name(path: Path) -> str:
    return path.stem


def golden(files: str) -> list[Path]:
    """The files of both games."""
    return sorted(FOLDER.glob(files)) + sorted(FOLDER.glob(f"ekko/{files}"))


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
    eko_reference.check(value)
    for depth, leaves in rows:
        if leaves <= MOST_LEAVES_OF_THE_REFERENCE:
            assert eko_reference.perft(value, depth) == leaves


@pytest.mark.parametrize("path", golden("positions/*.json"), ids=name)
def test_one_seed_one_position_for_ever(path: Path) -> None:
    golden = json.loads(path.read_text("utf-8"))
    position: Any = game(golden["position"]["game"]).new(golden["options"], golden["seed"])
    assert json.dumps(position.to_json()) == json.dumps(golden["position"])
    if position.game is EKO:
        eko_reference.check(position.to_json())
    else:
        deal = position.chance_action(Chance(golden["seed"]))
        assert json.dumps(position.play(CHANCE, deal).to_json()) == json.dumps(golden["dealt"])
        ekko_reference.check(golden["dealt"])


@pytest.mark.parametrize("path", sorted(FOLDER.glob("by-coordinates/*.txt")), ids=name)
def test_records_of_earlier_releases_are_the_same_games(path: Path) -> None:
    """They name spaces by coordinates, in the discs of the set-up too."""
    text = path.read_text("utf-8")
    assert re.search(r"seat \d: (place:)?-?\d+,-?\d+", text)
    assert write_record(read_record(text)) == (FOLDER / "games" / path.name).read_text("utf-8")


@pytest.mark.parametrize("path", golden("games/*.txt"), ids=name)
def test_whole_games(path: Path) -> None:
    """The record verifies itself as it is read; the reference plays the same game."""
    text = path.read_text("utf-8")
    record = read_record(text)
    assert write_record(record) == text
    positions = list(replay(record))
    value = record.start.to_json()
    reference: Any = eko_reference if record.game == "eko" else ekko_reference
    follow = reference.apply if record.table is None else reference.live_apply
    for decision, position in zip(record.decisions, positions[1:], strict=True):
        if not isinstance(decision.action, Remark):
            value = follow(value, game(record.game).action_to_json(decision.action))
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


@pytest.mark.parametrize("path", PUZZLES, ids=name)
def test_puzzles(path: Path) -> None:
    value, rows = puzzle(path)
    position = EKKO.from_json(value)
    if path.stem.startswith("live-"):
        position = as_live(position)
        wanted = [action for _, action in ekko_reference.live_legal(value)]
    else:
        wanted = [EKKO.action_to_json(action) for action in position.legal()]
    assert sorted(map(compact, wanted)) == sorted(compact(action) for action, _ in rows)
    for action, after in rows:
        parsed = EKKO.parse_action(action)
        assert compact(position.play(position.seat_of(parsed), parsed).to_json()) == after


@pytest.mark.parametrize("path", PUZZLES, ids=name)
def test_puzzles_of_the_reference(path: Path) -> None:
    value, rows = puzzle(path)
    ekko_reference.check(value)
    follow = ekko_reference.live_apply if path.stem.startswith("live-") else ekko_reference.apply
    for action, after in rows:
        assert compact(follow(value, action)) == after


def test_nothing_golden_is_lost() -> None:
    expected = {"perft": 21, "positions": 4, "games": 3, "by-coordinates": 2}
    assert {folder: len(list((FOLDER / folder).iterdir())) for folder in expected} == expected
    counts = {folder.name: len(list(folder.iterdir())) for folder in (FOLDER / "ekko").iterdir()}
    assert counts == {"positions": 3, "games": 4, "puzzles": 12}
