"""A judge that judges otherwise is another version of the rules: fixed games have fixed digests.

judged.txt: for each game its rules' version, the digest of every state of a fixed table (orders of
tests/unit/storage/schema_1.sql, judged and stored), and of every position and legal action of the
whole games beside this file.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from hashlib import blake2b
from pathlib import Path

import pytest

from ekoes.games.contract import CHANCE
from ekoes.games.eko.game import Eko
from ekoes.games.registry import game
from ekoes.record import read_record, replay
from ekoes.storage.store import Store

FOLDER = Path(__file__).parent
ORDERS = FOLDER.parent / "unit" / "storage" / "schema_1.sql"
GAMES = {"eko": FOLDER / "games", "ekko": FOLDER / "ekko" / "games"}
TABLES = {"eko": "board", "ekko": "cards"}
LINES = [line.split(" ") for line in (FOLDER / "judged.txt").read_text("utf-8").splitlines()]


def digest(parts: Iterator[str]) -> str:
    whole = blake2b(digest_size=16)
    for part in parts:
        whole.update(part.encode() + b"\n")
    return whole.hexdigest()


def at_table(name: str, path: Path) -> Iterator[str]:
    """Yield the digest of each state of the fixed table, as the store keeps it."""
    with closing(sqlite3.connect(path)) as database:
        database.executescript(ORDERS.read_text("utf-8"))
    store = Store(f"sqlite:///{path}")
    store.load(TABLES[name])
    store.close()
    with closing(sqlite3.connect(path)) as database:
        rows = database.execute(
            "SELECT digest FROM events WHERE table_id = ? ORDER BY number", [TABLES[name]]
        )
        yield from (row[0] for row in rows)


def in_games(name: str) -> Iterator[str]:
    """Yield each position of the whole games, and what is legal there."""
    write = game(name).action_to_json
    for path in sorted(GAMES[name].iterdir()):
        for position in replay(read_record(path.read_text("utf-8"))):
            yield json.dumps(position.to_state(), sort_keys=True)
            legal = (position.legal(seat) for seat in position.actors() if seat != CHANCE)
            yield from sorted(json.dumps(write(action), sort_keys=True) for each in legal for action in each)


def check(name: str, version: str, told: list[str], found: list[str]) -> None:
    """Compare what was found with what was told of a version."""
    today = game(name).rules_version
    line = " ".join([name, today, *found])
    if version != today:
        pytest.fail(f"rules {today} of {name} are new: write {line!r} into judged.txt")
    assert told == found, (
        f"{name} is judged otherwise, or its states are written otherwise, under the same version:"
        f" bump rules_version, then write its new line into judged.txt (now {line!r})"
    )


@pytest.mark.parametrize(
    ("name", "version", "told"), [(name, version, told) for name, version, *told in LINES]
)
def test_another_judgement_is_another_version(
    name: str, version: str, told: list[str], tmp_path: Path
) -> None:
    found = [digest(at_table(name, tmp_path / "test.sqlite")), digest(in_games(name))]
    check(name, version, told, found)


def test_every_game_of_this_house_is_held_to_its_version() -> None:
    assert sorted(name for name, *_ in LINES) == sorted(GAMES)


def test_judge_that_was_changed_is_told_to_bump_the_version(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AssertionError, match="bump rules_version"):
        check("eko", Eko.rules_version, ["a", "b"], ["a", "c"])
    monkeypatch.setattr(Eko, "rules_version", "2")
    with pytest.raises(pytest.fail.Exception, match=r"write 'eko 2 a c' into judged\.txt"):
        check("eko", "1", ["a", "b"], ["a", "c"])
