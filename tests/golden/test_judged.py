"""A judge that judges otherwise is another version of the rules: fixed games have fixed digests.

judged.txt: for each game its rules' version, the digest of every state of a fixed table (its orders are
in ``orders``), and of every position and legal action of the whole games beside this file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from hashlib import blake2b
from pathlib import Path

import pytest

from ekoes.games.api.contract import CHANCE
from ekoes.games.api.registry import game
from ekoes.games.eko.game import Eko
from ekoes.records import read_record, replay
from ekoes.storage.tables import State
from ekoes.tables.create import new_table
from ekoes.tables.orders import read_order
from ekoes.tables.settings import Seat
from ekoes.tables.submit import submit

FOLDER = Path(__file__).parent
GAMES = {"eko": FOLDER / "games", "ekko": FOLDER / "ekko" / "games"}
LINES = [line.split(" ") for line in (FOLDER / "judged.txt").read_text("utf-8").splitlines()]


def digest(parts: Iterator[str]) -> str:
    whole = blake2b(digest_size=16)
    for part in parts:
        whole.update(part.encode() + b"\n")
    return whole.hexdigest()


def at_table(name: str) -> Iterator[str]:
    """Yield the digest of each state of the fixed table, as it is stored."""
    made, *orders = map(json.loads, (FOLDER / "orders" / f"{name}.jsonl").read_text("utf-8").splitlines())
    seats = tuple(Seat(**seat) for seat in made.pop("seats"))
    table = new_table(name, made.pop("options"), made.pop("seed"), seats, **made)
    for given in orders:
        order, at = read_order(json.dumps(given["order"])), datetime.fromisoformat(given["at"])
        table = submit(table, order, given["session"], at)
        yield State.of(table).digest


def in_games(name: str) -> Iterator[str]:
    """Yield each position of the whole games, and what is legal there."""
    write = game(name).action_to_json
    for path in sorted(GAMES[name].iterdir()):
        for position in replay(read_record(path.read_text("utf-8"))):
            yield json.dumps(position.to_state(), sort_keys=True)
            legal = (position.legal(seat) for seat in position.actors() if seat != CHANCE)
            yield from sorted(json.dumps(write(action), sort_keys=True) for each in legal for action in each)


def check(name: str, version: str, shown: list[str], found: list[str]) -> None:
    """Compare the found digests with those noted for a version."""
    today = game(name).rules_version
    line = " ".join([name, today, *found])
    if version != today:
        pytest.fail(f"rules {today} of {name} are new: write {line!r} into judged.txt")
    assert shown == found, (
        f"{name} is judged otherwise, or its states are written otherwise, under the same version:"
        f" bump rules_version, then write its new line into judged.txt (now {line!r})"
    )


@pytest.mark.parametrize(
    ("name", "version", "shown"), [(name, version, shown) for name, version, *shown in LINES]
)
def test_another_judgement_is_another_version(name: str, version: str, shown: list[str]) -> None:
    found = [digest(at_table(name)), digest(in_games(name))]
    check(name, version, shown, found)


def test_every_own_game_is_checked_against_its_version() -> None:
    assert sorted(name for name, *_ in LINES) == sorted(GAMES)


def test_changed_rules_need_a_new_version(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AssertionError, match="bump rules_version"):
        check("eko", Eko.rules_version, ["a", "b"], ["a", "c"])
    monkeypatch.setattr(Eko, "rules_version", "2")
    with pytest.raises(pytest.fail.Exception, match=r"write 'eko 2 a c' into judged\.txt"):
        check("eko", "1", ["a", "b"], ["a", "c"])
