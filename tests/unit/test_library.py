"""`ekoes.eko.Game` and `ekoes.ekko.Game`: decisions that are played, taken back, written and read."""

from __future__ import annotations

import copy
import doctest
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from types import ModuleType
from typing import Any

import pytest

import ekoes
from ekoes import library
from ekoes.errors import (
    EkoesError,
    IllegalActionError,
    LayoutError,
    NotationError,
    PositionError,
    RecordError,
)
from ekoes.games.api.contract import CHANCE, Outcome
from tests.rules.eko.board import HEXAGON, draw, move


def test_decision_is_played_in_notation_as_json_or_as_it_is_listed() -> None:
    games = [ekoes.eko.Game(seed=7) for _ in range(3)]
    action = games[0].legal()[0]
    text = games[0].text(action)
    json = games[0].position.game.action_to_json(action)
    assert [game.push(decision) for game, decision in zip(games, (action, text, json), strict=True)] == [
        action
    ] * 3
    assert games[0].position == games[1].position == games[2].position
    assert [one.seat for one in games[0].decisions] == [games[0].positions[0].actors()[0]]


def test_pop_takes_back_what_push_played() -> None:
    game = ekoes.eko.Game(seed=7)
    before = game.position
    with pytest.raises(IndexError):
        game.pop()
    action = game.push_bot("greedy")
    assert game.position != before
    assert game.pop() == action
    assert (game.position, game.decisions) == (before, ())


@pytest.mark.parametrize(
    ("decision", "error", "rule"),
    [
        ("march", IllegalActionError, "E12.1"),
        ({"type": "fly"}, NotationError, "E12"),
        ("z9", NotationError, None),
    ],
)
def test_decision_that_is_illegal_or_unreadable_changes_nothing(
    decision: object, error: type[EkoesError], rule: str | None
) -> None:
    game = ekoes.eko.Game(seed=7)
    with pytest.raises(error) as refused:
        game.push(decision)  # type: ignore[arg-type]
    assert refused.value.rule == rule
    assert game.decisions == ()
    refusal = game.why_not("march")
    assert refusal is not None
    assert refusal.rule == "E12.1"
    assert game.why_not(game.legal()[0]) is None


def test_a_position_that_begins_a_turn_for_the_third_time_ends_a_game() -> None:
    there_and_back = (("0,2", "1,2"), ("-1,-1", "-1,0"), ("1,2", "0,2"), ("-1,0", "-1,-1"))
    game = ekoes.eko.Game.from_json(draw("1E@0,2", "1E@-1,-1", tiles=HEXAGON).to_json())
    seen = []
    for start, end in there_and_back * 2:
        seen.append(game.repetition)
        game.push(move(start, end))
    assert seen == [1, 1, 1, 1, 2, 2, 2, 2]
    assert (game.turn, game.legal(), game.repetition) == (None, (), 3)
    assert game.outcome() == Outcome((), "repetition", "E11.6")
    refusal = game.why_not(game.peek())
    assert refusal is not None
    assert (refusal.code, refusal.rule) == ("game-over", "E11.6")
    with pytest.raises(IllegalActionError, match=r"E11\.6: The game is over"):
        game.push_bot("greedy")
    again = ekoes.eko.Game.from_record(game.record())
    assert again.outcome() == game.outcome()
    game.pop()
    assert game.outcome() is None


def test_a_turn_limit_ends_a_game_and_stands_in_its_record() -> None:
    game = ekoes.eko.Game(turn_limit=2, seed=7)
    while game.outcome() is None:
        game.push_bot("random")
    assert game.outcome() == Outcome((), "turn-limit", "E11.5")
    assert game.position.turn_number == 3
    again = ekoes.eko.Game.from_record(game.record())
    assert again.outcome() == game.outcome()
    for wrong in (0, -3, 2.0, True, "4"):
        with pytest.raises(PositionError, match="'turn_limit': must be a whole number from 1 on"):
            ekoes.eko.Game(turn_limit=wrong)  # type: ignore[arg-type]


def test_own_bot_plays_and_gets_what_its_seat_sees() -> None:
    class Highest:
        def choose(self, sight: Any, seat: int, _chance: object) -> ekoes.ekko.Action:
            assert (sight.seat, seat) == (game.turn, game.turn)
            return max(game.legal(), key=str)

    game = ekoes.ekko.Game(seed=1)
    game.push_chance()
    wanted = max(game.legal(), key=str)
    assert game.push_bot(Highest()) == wanted
    with pytest.raises(NotationError, match="'bot': is a name or an object with choose"):
        game.push_bot(3)  # type: ignore[arg-type]


def test_several_records_of_one_text_are_read_one_by_one() -> None:
    games = []
    for seed in range(3):
        game = ekoes.eko.Game(seed=seed)
        for _ in range(4 + seed):
            game.push_bot("random")
        games.append(game)
    text = "\n".join(game.record() for game in games)
    assert [one.decisions for one in ekoes.eko.Game.from_records(text)] == [one.decisions for one in games]
    mixed = ekoes.ekko.Game.from_records(ekoes.ekko.Game(seed=1).record() + text)
    assert next(mixed).decisions == ()
    with pytest.raises(RecordError, match="a record of eko, not of a game of ekko"):
        next(mixed)


def test_search_says_what_each_player_may_hope_for() -> None:
    game = ekoes.eko.Game(seed=7)
    found = game.analyse(iterations=60, lines=2)
    assert sum(found.value) == pytest.approx(1, abs=1e-3)
    assert (len(found.value), len(found.lines), found.iterations) == (2, 2, 60)
    assert game.is_legal(found.lines[0].actions[0])
    assert game.decisions == ()
    with pytest.raises(ValueError, match="needs a limit"):
        game.analyse()
    wrong: list[dict[str, Any]] = [
        *(
            {name: value}
            for name in ("iterations", "lines", "threads", "memory")
            for value in (0, 1.5, "2", True)
        ),
        *({"seconds": value} for value in (0, -1, "1", float("nan"))),
    ]
    for each in wrong:
        with pytest.raises(ValueError, match=f"^{next(iter(each))}: must be a"):
            game.analyse(**{"iterations": 1} | each)
    for limit in wrong[0], wrong[-1]:
        with pytest.raises(ValueError, match="must be a"):
            game.push_bot("greedy", **limit)
    with pytest.raises(NotationError, match="positions of ekko are not analysed"):
        ekoes.ekko.Game().analyse(iterations=1)


@pytest.mark.parametrize(
    ("result", "outcome"),
    [
        ("1 by resignation", Outcome((1,), "resignation", "E11.5")),
        ("nobody by agreement", Outcome((), "agreement", "E11.5")),
    ],
)
def test_a_record_of_a_game_that_its_players_ended_has_their_result(result: str, outcome: Outcome) -> None:
    game = ekoes.eko.Game(seed=7)
    game.push_bot("random")
    game.push_bot("random")
    text = game.record().replace("result: open", f"result: {result} (E11.5)")
    read = ekoes.eko.Game.from_record(text)
    assert (read.outcome(), read.turn, read.legal()) == (outcome, None, ())
    assert ekoes.eko.Game.from_record(read.record()).outcome() == outcome
    read.pop()
    assert (read.outcome(), len(read.decisions)) == (None, 1)


def test_a_game_that_is_over_refuses_with_its_rule() -> None:
    game = ekoes.ekko.Game(players=2, target=1, seed=1)
    while game.outcome() is None:
        if game.turn == CHANCE:
            game.push_chance()
        else:
            game.push_bot("random")
    refusal = game.why_not("draw")
    assert refusal is not None
    assert (refusal.code, refusal.rule) == ("game-over", "K5.6")


def test_k6_4_there_is_no_view_of_chance() -> None:
    game = ekoes.ekko.Game(players=2, seed=1)
    game.push_chance()
    with pytest.raises(ValueError, match="no seat -1"):
        game.view(CHANCE)


def test_game_of_bots_is_the_same_again_and_its_record_reads_back() -> None:
    games = [ekoes.ekko.Game(3, target=5, seed=3) for _ in range(2)]
    for game in games:
        while game.outcome() is None:
            if game.turn == -1:
                assert not game.legal()
                game.push_chance()
            else:
                game.push_bot("casual")
    assert games[0].decisions == games[1].decisions
    assert (games[0].turn, list(games[0].legal())) == (None, [])
    with pytest.raises(IllegalActionError, match="over"):
        games[0].push_chance()
    again = ekoes.ekko.Game.from_record(games[0].record(["Ada", "Bo", "Cy"]))
    assert (again.positions, again.outcome()) == (games[0].positions, games[0].outcome())
    with pytest.raises(RecordError, match="of ekko, not of a game of eko"):
        ekoes.eko.Game.from_record(games[0].record())


def test_chance_decides_only_where_it_is_asked() -> None:
    cards = ekoes.ekko.Game(seed=1)
    with pytest.raises(IllegalActionError, match="push_chance"):
        cards.push_bot("casual")
    cards.push_chance()
    assert len(cards.hand(0)) == len(cards.view(0)["hand"])
    assert "hand" not in cards.view(None)
    with pytest.raises(EkoesError):
        cards.push_chance()


def test_game_goes_on_from_a_position_and_draws_it() -> None:
    game = ekoes.eko.Game(3, variants=["wind", "moon"], seed=2)
    game.push_bot("random")
    other = ekoes.eko.Game.from_json(game.position.to_json())
    assert other.position == game.position
    assert game.svg().startswith("<svg")
    assert [game.points(seat) for seat in range(3)] == [0, 0, 0]
    with pytest.raises(PositionError, match="variants"):
        ekoes.eko.Game(variants=["sun"])
    with pytest.raises(PositionError, match="'seed': must be a whole number"):
        ekoes.eko.Game(seed="x")  # type: ignore[arg-type]


def test_import_loads_no_game() -> None:
    loaded = "import sys, ekoes; print([name for name in sys.modules if name.startswith('ekoes.')])"
    done = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    with pytest.raises(AttributeError, match="chess"):
        ekoes.chess  # noqa: B018


@pytest.mark.parametrize(
    "made", [ekoes.eko.Game.copy, copy.copy, copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))]
)
def test_a_copy_goes_its_own_way(made: Callable[[Any], Any]) -> None:
    game = ekoes.ekko.Game(seed=1)
    game.push_chance()
    other = made(game)
    assert other == game
    action = other.push_bot("random")
    assert other != game
    assert (other.peek(), len(game.decisions), len(other.decisions)) == (action, 1, 2)
    assert game.push_bot("random") == action


def test_peek_and_is_legal_change_nothing() -> None:
    game = ekoes.eko.Game(seed=7)
    with pytest.raises(IndexError):
        game.peek()
    action = game.legal()[0]
    assert game.is_legal(action)
    assert not game.is_legal("march")
    game.push(action)
    assert game.peek() == action


def test_a_game_prints_its_board() -> None:
    board = str(ekoes.eko.Game(seed=7)).splitlines()
    assert board[0] == "Turn 0: seat 0, phase swap"
    assert any("0:1E" in line for line in board)
    cards = ekoes.ekko.Game(3, seed=1)
    cards.push_chance()
    lines = str(cards).splitlines()
    assert lines[0].endswith(f"zone: {cards.position.zone[-1]}")
    assert all(str(card) in lines[1] for card in cards.hand(0))
    assert [line[0] for line in lines[1:]].count(">") == 1


@pytest.mark.parametrize("module", [ekoes.eko, ekoes.ekko, library], ids=lambda module: module.__name__)
def test_examples_in_docstrings_run(module: ModuleType) -> None:
    done = doctest.testmod(module)
    assert done.attempted > 3
    assert done.failed == 0


USER = """
import ekoes
from ekoes.games.api.parts import Chooser
from ekoes.games.api.chance import Chance

class Careless:
    def choose(self, position: ekoes.eko.EkoPosition, seat: int, chance: Chance) -> ekoes.eko.Action:
        return chance.choice(position.legal(seat))

mine: Chooser = Careless()
game = ekoes.eko.Game(players=2, variants=["portals"], seed=7)
action: ekoes.eko.Action = game.push_bot(mine)
game.push(game.legal()[0])
other: ekoes.eko.Game = ekoes.eko.Game.from_record(game.copy().record(["Ada", "Bo"]))
total: int = other.points(0) + other.position.total(1)
hand: tuple[int, ...] = ekoes.ekko.Game().hand(0)
"""


@pytest.mark.long
def test_types_are_complete_in_a_program_of_a_user(tmp_path: Path) -> None:
    (tmp_path / "user.py").write_text(USER)
    (tmp_path / "wrong.py").write_text(USER + 'game.points("0")\n')
    checked = {}
    for name in ("user.py", "wrong.py"):
        command = [sys.executable, "-m", "mypy", "--strict", name]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        checked[name] = done.stdout
    assert checked["user.py"].startswith("Success")
    assert checked["wrong.py"].count("error:") == 1
    assert "[arg-type]" in checked["wrong.py"]


def test_what_is_no_decision_seat_or_list_is_told() -> None:
    game, cards = ekoes.eko.Game(seed=7), ekoes.ekko.Game(seed=1)
    with pytest.raises(NotationError, match="one of legal"):
        game.push(3)  # type: ignore[arg-type]
    for ask in (game.points, cards.hand):
        for seat in (-1, 2):
            with pytest.raises(ValueError, match=f"there is no seat {seat}: seats are 0 to 1"):
                ask(seat)
    with pytest.raises(NotationError, match="not JSON: line 1, column 2"):
        ekoes.eko.Game.from_json("{")
    with pytest.raises(LayoutError, match="E2"):
        ekoes.eko.Game(layout=[])  # type: ignore[arg-type]
    with pytest.raises(PositionError, match="list of names"):
        ekoes.eko.Game(variants="portals")
    assert dir(ekoes) == ["__version__", "ekko", "eko"]


@pytest.mark.parametrize("is_terminal", [True, False])
def test_who_waits_at_a_terminal_for_the_rules_is_told_once(is_terminal: bool, tmp_path: Path) -> None:
    program = dedent("""
        from ekoes.games.kernels.jit import entry

        def one() -> int:
            return 1

        print(entry(one)() + entry(one)())
    """)
    (tmp_path / "one.py").write_text(program, "utf-8")
    terminal, its_end = os.openpty()
    done = subprocess.run(
        [sys.executable, tmp_path / "one.py"],
        env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=its_end if is_terminal else subprocess.PIPE,
        check=True,
    )
    os.close(its_end)
    told = os.read(terminal, 1000) if is_terminal else done.stderr
    os.close(terminal)
    assert done.stdout == b"2\n"
    assert told.count(b"Compiling the rules") == is_terminal
    assert told.count(b"\n") == is_terminal
