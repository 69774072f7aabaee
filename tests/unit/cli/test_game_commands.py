"""The commands of every game, and those of Ekö as the interchange specification says them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from ekoes import __version__
from ekoes.cli.main import commands
from ekoes.games.api.registry import load
from ekoes.games.eko.game import EKO
from ekoes.records import Decision, GameRecord, write_record
from tests.unit.cli.conftest import Ekoes
from tests.unit.ekko_games import random_ekko
from tests.unit.games import ALL_VARIANTS, random_game

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


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_replay_reads_one_game_after_the_other_from_any_system(
    ekoes: Ekoes, tmp_path: Path, game: str, encoding: str, end: str
) -> None:
    games = [steps_of(game, 6, 9), steps_of(game, 7, 3)]
    records = [
        GameRecord(
            game, steps[0][0], tuple(Decision(seat, action) for _, seat, action in steps), names=("Zoë",) * 3
        )
        for steps in games
    ]
    file = tmp_path / "games.txt"
    file.write_bytes("".join(map(write_record, records)).replace("\n", end).encode(encoding))
    done = ekoes(game, "replay", file)
    assert done.lines == [steps[-1][0].play(*steps[-1][1:]).to_json() for steps in games]
    assert done.err == "9 decisions; the game goes on\n3 decisions; the game goes on\n"
    position = tmp_path / "position.json"
    position.write_bytes((json.dumps(games[0][0][0].to_json(), indent=1).replace("\n", end)).encode(encoding))
    actions = tmp_path / "actions.txt"
    lines = [json.dumps(records[0].start.game.action_to_json(action)) for _, _, action in games[0]]
    actions.write_bytes(end.join(lines).encode(encoding))
    assert ekoes(game, "apply", position, actions).lines == done.lines[:1]


def test_half_a_character_of_utf_16_is_named(ekoes: Ekoes, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_bytes(b"\xff\xfe[\x00G")
    assert ekoes("eko", "replay", file).err == f"ekoes: {file}: not UTF-16 text: byte 5 does not fit\n"


@pytest.mark.parametrize(
    ("steps", "after_end", "rule"),
    [
        (random_game(4, 10_000, variants=ALL_VARIANTS), "end", "E11.3"),
        (random_ekko(5, players=4, target=12), "draw", "K5.6"),
    ],
    ids=GAMES,
)
def test_apply_plays_json_and_notation_to_the_end(
    ekoes: Ekoes, tmp_path: Path, steps: Iterator[Any], after_end: str, rule: str
) -> None:
    whole = list(steps)
    first, last = whole[0][0], whole[-1][0].play(*whole[-1][1:])
    game, notation = first.game, load(first.game.parts.notation)
    start, actions = tmp_path / "start.json", tmp_path / "actions"
    start.write_text(json.dumps(first.to_json()))
    lines = [
        json.dumps(game.action_to_json(action)) if number % 2 else notation.format_action(action, position)
        for number, (position, _, action) in enumerate(whole)
    ]
    actions.write_text("\n".join(lines) + "\n\n")
    done = ekoes(game.name, "apply", start, actions)
    assert (done.status, done.err, done.lines) == (0, "", [last.to_json()])
    assert last.outcome() is not None
    assert done.lines[0]["winners"] == list(last.outcome().winners)
    legal = ekoes(game.name, "legal", "-", stdin=done.out)
    assert (legal.status, legal.out) == (0, "")
    over = ekoes(game.name, "apply", start, "-", stdin="\n".join([*lines, after_end]))
    assert (over.status, over.out) == (2, "")
    assert over.err == f"ekoes: line {len(lines) + 1}: {rule}: The game is over.\n"


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


def test_new_prints_a_position_at_its_first_decision(ekoes: Ekoes) -> None:
    done = ekoes("eko", "new", "--players", 3, "--seed", 5, "--variants", "portals,wind", "--setup", "draft")
    assert (done.status, done.err) == (0, "")
    options = {"players": 3, "variants": ["portals", "wind"], "setup": "draft"}
    assert done.lines == [EKO.new(options, 5).to_json()]


def test_new_takes_a_layout_of_ones_own(ekoes: Ekoes, tmp_path: Path) -> None:
    tiles = EKO.new({"players": 2}, 9).to_json()["tiles"]
    file = tmp_path / "layout.json"
    file.write_text(json.dumps(tiles))
    done = ekoes("eko", "new", "--players", 2, "--seed", 1, "--layout", file)
    assert done.lines[0]["tiles"] == tiles


def test_legal_prints_one_action_per_line(ekoes: Ekoes, position: Path) -> None:
    done = ekoes("eko", "legal", position)
    played = EKO.from_json(json.loads(position.read_text()))
    assert (done.status, done.err) == (0, "")
    assert done.lines == [EKO.action_to_json(action) for action in played.legal()]
    assert ekoes("eko", "legal", "-", stdin=position.read_bytes()) == done


def test_apply_names_line_and_rule_of_an_illegal_action(ekoes: Ekoes, position: Path) -> None:
    first = ekoes("eko", "legal", position).out.splitlines()[0]
    done = ekoes("eko", "apply", position, "-", stdin=f'{first}\n\n{{"type":"march"}}\n')
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("ekoes: line 3: E")
    assert done.err.count("\n") == 1


def test_perft_counts_and_divides(ekoes: Ekoes, position: Path) -> None:
    legal = ekoes("eko", "legal", position).lines
    assert ekoes("eko", "perft", position, "--depth", 0).lines == [{"depth": 0, "nodes": 1}]
    assert ekoes("eko", "perft", position, "--depth", 1).lines == [{"depth": 1, "nodes": len(legal)}]
    *divided, total = ekoes("eko", "perft", position, "--depth", 2, "--divide").lines
    assert [line["action"] for line in divided] == legal
    assert sum(line["nodes"] for line in divided) == total["nodes"]
    assert ekoes("eko", "perft", position, "--depth", 2).lines == [total]
    *_, (before, seat, action) = random_game(2, 10_000)
    over = json.dumps(before.play(seat, action).to_json())
    assert ekoes("eko", "perft", "-", "--depth", 3, stdin=over).lines == [{"depth": 3, "nodes": 1}]


def test_show_draws_the_board_and_svg_a_picture(ekoes: Ekoes, position: Path) -> None:
    played = EKO.from_json(json.loads(position.read_text()))
    shown = ekoes("eko", "show", position)
    assert shown.status == 0
    assert all(played.layout.names.write(space) in shown.out for space in played.stacks())
    picture = ekoes("eko", "svg", position, "--coordinates")
    assert picture.status == 0
    assert ET.fromstring(picture.out).tag.endswith("svg")  # noqa: S314 - our own picture


def test_replay_says_plainly_that_other_rules_judged_a_record(ekoes: Ekoes) -> None:
    text = '[Game "eko"]\n[Format "1"]\n[Rules "0"]\n[Players "2"]\n[Seed "1"]\n\nresult: open\n'
    done = ekoes("eko", "replay", "-", stdin=text)
    assert done.status != 0
    assert "line 3: tag Rules: judged by rules 0; this program knows rules 1 and can't verify it" in done.err
    assert len(done.err.splitlines()) == 1


def test_review_prints_sentences_or_json_and_refuses_other_games(ekoes: Ekoes, tmp_path: Path) -> None:
    game = tmp_path / "game.txt"
    lines = (Path(__file__).parents[2] / "golden/games/two-greedy.txt").read_text("utf-8").splitlines()
    game.write_text("\n".join([*lines[:24], "", "result: open", ""]), "utf-8")
    limits = ("--iterations", "5", "--workers", "1")
    text = ekoes("eko", "review", game, *limits)
    assert "accuracy" in text.out
    found = json.loads(ekoes("eko", "review", game, *limits, "--json").out)
    assert (found["version"], found["players"]) == (1, 2)
    assert len(found["chances"]) > len(found["decisions"]) > 0
    other = tmp_path / "cards.txt"
    other.write_text('[Game "ekko"]\n[Format "1"]\n[Players "2"]\n[Seed "7"]\n\nresult: open\n', "utf-8")
    assert "a record of ekko: `ekoes ekko review` reads it" in ekoes("eko", "review", other).err
