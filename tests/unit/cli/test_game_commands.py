"""The commands of every game, and what else is the same for both."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ekoes import __version__
from ekoes.cli.main import commands
from ekoes.records import Decision, GameRecord, write_record
from tests.unit.cli.conftest import Ekoes
from tests.unit.ekko_games import random_ekko
from tests.unit.games import random_game

GAMES = ("eko", "ekko")


def steps_of(game: str, seed: int, count: int) -> list[Any]:
    """The first decisions of a random game: position, seat and action."""
    return list(random_game(seed, count) if game == "eko" else random_ekko(seed, count))


@pytest.mark.parametrize("arguments", [("eko",), ("ekko",), ("ekko", "--deal")])
def test_new_draws_a_seed_and_prints_it(ekoes: Ekoes, arguments: tuple[str, ...]) -> None:
    game, *more = arguments
    done = ekoes(game, "new", "--players", 2, *more)
    assert done.status == 0
    seed = int(done.err.removeprefix("seed "))
    assert ekoes(game, "new", "--players", 2, *more, "--seed", seed).out == done.out


@pytest.mark.parametrize("game", GAMES)
def test_playouts_depend_on_the_seed_and_not_on_the_threads(ekoes: Ekoes, tmp_path: Path, game: str) -> None:
    position = tmp_path / "position.json"
    position.write_text(ekoes(game, "new", "--players", 3, "--seed", 1).out)
    done = [
        ekoes(game, "playouts", position, "--count", 600, "--seed", seed, "--threads", threads).lines[0]
        for seed, threads in ((1, 1), (1, 3), (2, 1))
    ]
    assert list(done[0]) == ["games", "decisions", "seconds", "wins", "drawn"]
    for result in done:
        assert result.pop("seconds") > 0
        assert result["games"] == 600
        wins = sum(result["wins"]) + result["drawn"]
        assert wins == 600 if game == "ekko" else wins >= 600
    assert done[0] == done[1] != done[2]


@pytest.mark.parametrize(
    ("game", "before", "wrong", "said"),
    [("eko", ": ", "march", "'march': E12"), ("ekko", "1. seat 0: ", "close", "'close'")],
)
def test_replay_prints_where_a_record_leads(
    ekoes: Ekoes, tmp_path: Path, game: str, before: str, wrong: str, said: str
) -> None:
    steps = steps_of(game, 6, 9)
    record = GameRecord(game, steps[0][0], tuple(Decision(seat, action) for _, seat, action in steps))
    file = tmp_path / "game.txt"
    file.write_text(write_record(record), encoding="utf-8")
    last = steps[-1][0].play(*steps[-1][1:])
    assert ekoes(game, "replay", file).lines == [last.to_json()]
    assert ekoes(game, "replay", file, "--at", 4).lines == [steps[4][0].to_json()]
    every = ekoes(game, "replay", file, "--every")
    assert every.lines == [position.to_json() for position, _, _ in steps] + [last.to_json()]
    assert "9 decisions; the game goes on" in every.err
    (other,) = set(GAMES) - {game}
    refused = ekoes(other, "replay", file)
    assert (refused.status, refused.out) == (2, "")
    assert refused.err == f"ekoes: {file}: a record of {game}: `ekoes {game} replay` reads it\n"
    file.write_text(write_record(record).replace(before, f"{before}{wrong} ", 1))
    damaged = ekoes(game, "replay", file)
    assert (damaged.status, damaged.out) == (2, "")
    assert "line " in damaged.err
    assert said in damaged.err


@pytest.mark.parametrize("command", commands())
def test_each_command_has_help(ekoes: Ekoes, command: str) -> None:
    done = ekoes(*command.split(), "--help")
    assert done.status == 0
    assert f"ekoes {command}" in done.out


def test_there_is_no_perft_of_cards(ekoes: Ekoes) -> None:
    assert ekoes("ekko", "perft", "position.json", "--depth", 2).status == 2


def test_the_version_is_that_of_the_package(ekoes: Ekoes) -> None:
    assert ekoes("--version").out == f"ekoes {__version__}\n"


def test_the_help_lists_all_commands(ekoes: Ekoes) -> None:
    helps = {group: ekoes(*group.split()).out for group in ("", "admin", "arena", "eko", "ekko")}
    for name in commands():
        *group, word = name.split()
        assert word in helps[" ".join(group)]
