"""Each puzzle of the package has exactly one solution; mining finds puzzles and resumes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from ekoes.cli.main import main
from ekoes.games.eko.position.action import parse_action
from ekoes.games.eko.position.position import EkoPosition
from ekoes.games.eko.puzzles import THEMES, Puzzle, find_puzzle, listed, play_game, puzzle, read_puzzles
from ekoes.games.kernels import COMPILED
from ekoes.records import GameRecord
from ekoes.records.text import write_record
from tests.unit.bots.test_bots import ends

NAMES = list(listed())
SAMPLE = NAMES[:: len(NAMES) // 30] if COMPILED else []


def after_solution(of: Puzzle) -> Iterator[EkoPosition]:
    """Yield the position after each decision of a solution."""
    now = of.position
    for text in of.solution:
        now = now.play(of.seat, parse_action(text, now))
        yield now


def check(name: str) -> None:
    """Prove a puzzle again, from its position alone, and solve it."""
    shipped = puzzle(name)
    assert find_puzzle(shipped.position) == shipped
    *verdicts, last = [shipped.judge(now) for now in after_solution(shipped)]
    assert (set(verdicts) - {"open"}, last) == (set(), "right")


@pytest.mark.parametrize("name", SAMPLE)
def test_puzzle_has_one_solution(name: str) -> None:
    check(name)


@pytest.mark.long
@pytest.mark.skipif(not COMPILED, reason="takes hours in plain Python")
def test_every_puzzle_has_one_solution() -> None:
    for name in NAMES:
        check(name)


def test_package_has_puzzles_of_every_theme_and_number_of_players() -> None:
    assert len(NAMES) >= 500
    kinds = Counter(about.theme for about in listed().values())
    assert set(kinds) == set(THEMES)
    assert min(kinds.values()) >= 80
    assert {about.difficulty for about in listed().values()} == {1, 2, 3, 4, 5}
    positions = [puzzle(name).position for name in NAMES]
    assert len(set(positions)) == len(NAMES)
    assert {position.players for position in positions} == {2, 3, 4}


def reaches(theme: str, of: EkoPosition, end: EkoPosition, seat: int) -> bool:
    """Return whether the end of a turn is what a theme asks for, by the rules alone."""
    if theme == "win":
        return seat in end.winners
    if theme == "capture":
        return len(end.captives(seat)) > len(of.captives(seat))
    if end.outcome() is not None:
        return seat in end.winners
    other = end.player
    if theme == "stop":
        return not any(other in then.winners for then in ends(end, other))
    return not any(seat in then.captives(other) for then in ends(end, other))


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.skipif(not COMPILED, reason="takes minutes in plain Python")
def test_slow_search_by_the_rules_alone_finds_the_same_solution(theme: str) -> None:
    of_theme = (puzzle(name) for name, about in listed().items() if about.theme == theme)
    of = min(of_theme, key=lambda one: len(one.position.codes))
    solutions = [
        action
        for action in of.position.legal()
        if any(
            reaches(theme, of.position, end, of.seat)
            for end in ends(of.position.play(of.seat, action), of.seat)
        )
    ]
    assert solutions == [parse_action(of.solution[0], of.position)]


def test_position_with_several_solutions_is_no_puzzle() -> None:
    start = next(play_game(1))
    assert find_puzzle(start) is None, "nothing is asked in the set-up"


@pytest.mark.skipif(not COMPILED, reason="takes minutes in plain Python")
def test_mining_resumes_and_finds_the_same_puzzles(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def mine(file: str, games: int) -> dict[str, int]:
        out = str(tmp_path / file)
        words = [
            "eko",
            "puzzles",
            "mine",
            "--out",
            out,
            "--games",
            str(games),
            "--seed",
            "7",
            "--workers",
            "1",
        ]
        assert main(words) == 0
        found: dict[str, int] = json.loads(capsys.readouterr().out)
        return found

    assert mine("parts", 2)["games"] == 2
    found = mine("parts", 4)
    assert found == mine("whole", 4)
    assert found["puzzles"] > 0
    whole, parts = ((tmp_path / name).read_bytes() for name in ("whole", "parts"))
    assert whole == parts
    assert read_puzzles(whole)[0] == {"version": 1, "seed": 7, "games": 4, "records": []}


@pytest.mark.skipif(not COMPILED, reason="takes minutes in plain Python")
def test_records_are_looked_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record, out = tmp_path / "game.txt", tmp_path / "puzzles.gz"
    record.write_text(write_record(GameRecord("eko", puzzle(NAMES[0]).position)), "utf-8")
    words = ["eko", "puzzles", "mine", str(record), "--out", str(out), "--games", "0", "--workers", "1"]
    for _ in range(2):
        assert main(words) == 0
        assert json.loads(capsys.readouterr().out)["puzzles"] == 1
    header, found = read_puzzles(out.read_bytes())
    assert found == [puzzle(NAMES[0])]
    assert len(header["records"]) == 1


def test_file_of_another_seed_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "puzzles.gz"
    words = ["eko", "puzzles", "mine", "--out", str(out), "--games", "0", "--workers", "1", "--seed"]
    assert main([*words, "1"]) == 0
    assert main([*words, "2"]) == 2
    assert "was begun with the seed 1" in capsys.readouterr().err
    out.write_bytes(b"no puzzles")
    assert main([*words, "1"]) == 2
    assert "is no file of puzzles" in capsys.readouterr().err
