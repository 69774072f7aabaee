"""External engines as players: the requests they get, and that nothing they do goes beyond their game."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

import ekoes
from ekoes.arena.players import ForfeitError, Limit, Past, Player, Program
from ekoes.arena.pool import local_pool
from ekoes.arena.run import play_some
from ekoes.cli.bots import warm_once
from ekoes.games.api.contract import Json
from ekoes.games.ekko.game import EKKO
from ekoes.games.eko.game import EKO
from tests.unit.arena.plans import plan
from tests.unit.ekko_games import random_ekko

BOARD = EKO.new({"players": 2}, 1)
(PLAYER,) = BOARD.actors()
ACTION = BOARD.legal(PLAYER)[0]
ROUND = list(random_ekko(2, 12))
AMPLE = Limit(seconds=20, seed=7)
SHORT = Limit(seconds=0.01)
"""With what the protocol gives beyond it, half a second."""


def command(mode: str, file: object = None, action: Any = None) -> list[str]:
    value = EKO.action_to_json(ACTION) if action is None else action
    script = str(Path(__file__).with_name("stranger.py"))
    return [sys.executable, "-I", "-S", script, mode, json.dumps(value), str(file or "")]


def stranger(mode: str, file: object = None, action: Any = None, **terms: Any) -> Program:
    return Program(command(mode, file, action), **{"memory": 64} | terms)


def forfeit(program: Program, limit: Limit = AMPLE) -> ForfeitError:
    """The error by which the program loses its game, in the position of all these tests."""
    with pytest.raises(ForfeitError) as caught:
        program.choose(BOARD, PLAYER, limit)
    return caught.value


def test_a_program_chooses() -> None:
    with stranger("plain") as program:
        assert program.hello["name"] == "Stranger"
        player: Player = program
        for _ in range(3):
            choice = player.choose(BOARD, PLAYER, AMPLE)
            assert choice.action == ACTION
            assert 0 < choice.seconds < 20


HOSTILE = {
    "silent": (SHORT, "time", "no answer within 0.51 s"),
    "slow": (SHORT, "time", "no answer within 0.51 s"),
    "not reading": (SHORT, "time", "no answer within 0.51 s"),
    "dying": (AMPLE, "dead", "it ended with status 1: Oops: it is over"),
    "killed": (AMPLE, "dead", "it was ended by signal 9"),
    "closing": (AMPLE, "dead", "it closed its output"),
    "greedy": (AMPLE, "memory", "it ended with status 1: MemoryError"),
    "never ending line": (AMPLE, "flood", "more than 1024 KiB for one answer"),
    "blank lines": (AMPLE, "flood", "more than 1024 KiB for one answer"),
    "huge answer": (AMPLE, "flood", "more than 1024 KiB for one answer"),
}


@pytest.mark.parametrize("mode", HOSTILE)
def test_a_hostile_program_loses_its_game_and_is_gone(mode: str) -> None:
    limit, reason, message = HOSTILE[mode]
    with stranger(mode) as program:
        began = monotonic()
        lost = forfeit(program, limit)
        assert (lost.reason, str(lost)) == (reason, message)
        assert program._process is None
        if limit is SHORT:
            assert monotonic() - began < 30, "its 30 seconds are not waited for"


RAW = {
    "not JSON": (b"I move\n", "garbled", "its answer is no JSON: b'I move'"),
    "not UTF-8": (b"\xff\xfe\n", "garbled", "its answer is no JSON: b'\\xff\\xfe'"),
    "deep": (b"[" * 100_000 + b"\n", "garbled", "its answer is no JSON: b'[["),
    "no object": (b"[2]\n", "garbled", "its answer is no JSON object"),
    "no id": (b'{"result":{}}\n', "garbled", "does not belong to the request"),
    "other id": (b'{"id":1,"result":{}}\n', "garbled", "does not belong to the request"),
    "an id that is true": (b'{"id":true,"result":{}}\n', "garbled", "does not belong to the request"),
    "no result": (b'{"id":2}\n', "garbled", "does not belong to the request"),
    "an info": (b'{"id":2,"info":{}}\n', "garbled", "does not belong to the request"),
    "a refusal": (b'{"id":2,"error":"not now"}\n', "garbled", "it refuses the request: not now"),
    "no action": (b'{"id":2,"result":{}}\n', "illegal", "an action is a JSON object"),
    "action unknown": (b'{"id":2,"result":{"action":{"type":"fly"}}}\n', "illegal", "'type'"),
    "action not now": (b'{"id":2,"result":{"action":{"type":"march"}}}\n', "illegal", "E"),
    "no such space": (b'{"id":2,"result":{"action":{"type":"swap","space":"99,99"}}}\n', "illegal", ""),
}


@pytest.mark.parametrize("raw", RAW)
def test_an_answer_that_is_none_loses_the_game(raw: str, tmp_path: Path) -> None:
    said, reason, message = RAW[raw]
    (tmp_path / "said").write_bytes(said)
    with stranger("raw", tmp_path / "said") as program:
        lost = forfeit(program)
        assert lost.reason == reason
        assert message in str(lost)
        assert "\n" not in str(lost)


def test_what_only_happens_at_live_tables_is_illegal() -> None:
    position, seat, _ = ROUND[1]
    card = next(
        card
        for card in position.hands[seat]
        if all(getattr(action, "card", None) != card for action in position.legal(seat))
    )
    with stranger("plain", action={"type": "misplay", "card": card}) as program:
        with pytest.raises(ForfeitError) as caught:
            program.choose(position, seat, AMPLE)
        assert caught.value.reason == "illegal"


def test_the_next_game_starts_the_program_anew(tmp_path: Path) -> None:
    with stranger("dying once", tmp_path / "died") as program:
        assert forfeit(program).reason == "dead"
        assert program.choose(BOARD, PLAYER, AMPLE).action == ACTION


def test_an_unrequested_answer_loses_the_game() -> None:
    with stranger("answering twice") as program:
        assert program.choose(BOARD, PLAYER, AMPLE).action == ACTION
        assert forfeit(program).reason == "garbled"


def test_output_on_standard_error_costs_nothing() -> None:
    with stranger("talkative") as program:
        assert program.choose(BOARD, PLAYER, AMPLE).action == ACTION


@pytest.mark.parametrize("mode", ["forking", "forking and dying", "forking apart"])
def test_nothing_that_it_started_is_left(mode: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, stranger(mode, server.getsockname()[1]) as program:
        if mode == "forking and dying":
            assert forfeit(program).reason == "dead"
        else:
            program.choose(BOARD, PLAYER, AMPLE)
        held = accepted(server)
        program.__exit__()
    with held:
        assert held.recv(1) == b"", "the connection ends with the last process that holds it"


@pytest.mark.parametrize("mode", ["forking", "forking apart"])
def test_nothing_that_it_started_survives_its_referee(mode: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        words = [sys.executable, "-c", REFEREE, *command(mode, server.getsockname()[1])]
        referee = subprocess.Popen(words, stdin=subprocess.PIPE)
        held = accepted(server)
        referee.kill()
        referee.communicate()
    with held:
        assert held.recv(1) == b""


REFEREE = """
import sys
from ekoes.arena.players import Limit, Program
with Program(sys.argv[1:], memory=64) as program:
    program.ask("eko", {}, Limit(seconds=20))
    sys.stdin.read()
"""


def accepted(server: socket.socket) -> socket.socket:
    server.settimeout(20)
    held, _ = server.accept()
    held.settimeout(20)
    return held


def test_a_program_that_asks_for_it_gets_ready_before_its_clock_runs(tmp_path: Path) -> None:
    with stranger("loading", tmp_path / "noted") as program:
        for _ in range(2):
            assert program.choose(BOARD, PLAYER, SHORT).action == ACTION
        program.close()
        program.ready("eko")
        program.ready("eko")
        program.ready("ekko")
        assert program.choose(BOARD, PLAYER, SHORT).action == ACTION
    noted = map(json.loads, (tmp_path / "noted").read_text().splitlines())
    assert [one["game"] for one in noted] == ["eko", "eko", "ekko"]


def test_a_program_that_stays_when_it_should_quit_is_killed() -> None:
    with stranger("staying") as program:
        process = program._process
    assert process is not None
    assert process._process.returncode == -9


def test_a_program_receives_quit(tmp_path: Path) -> None:
    with stranger("noting", tmp_path / "noted") as program:
        process = program._process
    assert process is not None
    assert process._process.returncode == 0
    assert (tmp_path / "noted").read_text() == '"quit"\n'


@pytest.mark.parametrize(
    ("mode", "hello", "reason"),
    [
        ("dumb", {}, "time"),
        ("strange hello", {"name": "Old", "protocol": 2, "games": ["eko"]}, "garbled"),
        ("strange hello", {"name": "Old", "protocol": 1}, "garbled"),
        ("strange hello", [], "garbled"),
    ],
)
def test_a_program_has_to_say_hello(mode: str, hello: Any, reason: str) -> None:
    program = stranger(mode, action=hello, start=0.3 if mode == "dumb" else 20)
    with pytest.raises(ForfeitError) as caught:
        program.__enter__()
    assert caught.value.reason == reason
    assert program._process is None


SOURCES = str(Path(ekoes.__file__).parents[1])
ENGINE = ["env", f"PYTHONPATH={SOURCES}", sys.executable, "-m", "ekoes", "engine"]


def test_our_engine_searches_long_within_its_default_memory() -> None:
    """Its tree is full after 6,000 iterations; a program that takes more than its memory ends."""
    warm_once()
    with Program(ENGINE) as program:
        assert program._process is not None
        for iterations, threads in ((8_000, 1), (8_000, 2), (1, 1)):
            limits = {"iterations": iterations, "threads": threads, "memory": 256}
            request = {"cmd": "choose", "position": BOARD.to_json()} | limits
            assert program._ask(program._process, request, 60)["iterations"] == iterations


@pytest.mark.long
def test_our_engine_plays_whole_games_at_its_defaults() -> None:
    warm_once()
    players = [{"name": "engine", "program": ENGINE}, {"name": "greedy", "bot": "greedy"}]
    numbers, short = range(2), plan(players=players, rounds=1, turn_limit=60, seconds=0.1)
    for result in chain.from_iterable(play_some(short, numbers, local_pool(1))):
        assert result.forfeit is None
        assert len(result.asked) > 20


def test_a_program_plays_what_it_says_it_plays() -> None:
    with stranger("strange hello", action={"protocol": 1, "games": ["ekko"]}) as program:
        assert str(forfeit(program)) == "it does not play eko"


def test_a_program_that_is_not_there_is_dead() -> None:
    with pytest.raises(ForfeitError) as caught:
        Program(["/no/such/program"]).__enter__()
    assert caught.value.reason == "dead"
    assert str(caught.value) == "it ended with status 127: /no/such/program: No such file or directory"


def test_it_gets_little_of_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("EKOES_SECRET", "hush")
    with stranger("environment", tmp_path / "found", environment={"OWN": "1"}) as program:
        program.choose(BOARD, PLAYER, AMPLE)
    found = json.loads((tmp_path / "found").read_text())
    known = {"PATH", "HOME", "TMPDIR", "XDG_CACHE_HOME", "EKOES_CACHE_DIR", "LANG", "OWN"}
    known |= {f"{library}_NUM_THREADS" for library in ("OMP", "OPENBLAS", "MKL")}
    assert {name for name in found if not name.startswith("__")} <= known | {"LC_CTYPE", "PWD", "SHLVL", "_"}
    assert (found["OWN"], found["OMP_NUM_THREADS"], found["PATH"]) == ("1", "1", os.environ["PATH"])


def noted(tmp_path: Path, position: Any, seat: int, limit: Limit = AMPLE, **more: Any) -> Json:
    """The request that a program gets for a position."""
    file = tmp_path / "noted"
    file.unlink(missing_ok=True)
    past = more.pop("past", None)
    game = position.game
    action = game.action_to_json(position.legal(seat)[0])
    with stranger("noting", file, action=action, **more) as program:
        program.choose(position, seat, limit, past)
    request: Json = json.loads(file.read_text().splitlines()[0])
    assert request.pop("cmd") == "choose"
    assert request.pop("id") == 2
    return request


def test_of_an_open_game_it_receives_the_position_and_the_actions_so_far(tmp_path: Path) -> None:
    request = noted(tmp_path, BOARD, PLAYER)
    limits = {"seed": 7, "threads": 1, "memory": 64, "time": 20}
    assert request == {"position": BOARD.to_json(), "seat": PLAYER} | limits
    after = BOARD.play(PLAYER, ACTION)
    (seat,) = after.actors()
    request = noted(tmp_path, after, seat, past=Past(BOARD, [(PLAYER, ACTION)]))
    assert request["position"] == BOARD.to_json()
    assert request["actions"] == [EKO.action_to_json(ACTION)]


def test_k6_4_a_program_gets_no_hidden_card(tmp_path: Path) -> None:
    position, seat, _ = ROUND[-1]
    past = Past(ROUND[0][0], [(actor, action) for _, actor, action in ROUND[:-1]])
    request = noted(tmp_path, position, seat, past=past)
    assert request.keys() == {"view", "seat", "seen", "seed", "threads", "memory", "time"}
    assert request["view"] == position.view(seat)
    assert request["seat"] == seat
    assert request["seen"]
    value = position.to_json(draws=True)
    other = (seat + 1) % 3
    value["hands"][other][0], value["pile"][-1] = value["pile"][-1], value["hands"][other][0]
    value["hands"][other].sort()
    elsewhere = EKKO.from_state(position.to_state() | {"position": value})
    assert elsewhere.actors() == (seat,)
    assert elsewhere.hands != position.hands
    assert noted(tmp_path, elsewhere, seat, past=past) == request
    assert noted(tmp_path, position, seat)["seen"] == []


@pytest.mark.parametrize(
    ("limit", "terms", "sent"),
    [
        (Limit(seconds=0.75), {}, {"time": 0.75}),
        (Limit(iterations=10), {}, {"iterations": 10}),
        (Limit(seconds=9, iterations=10), {}, {"time": 9, "iterations": 10}),
        (Limit(), {"patience": 15.0}, {"time": 15.0}),
        (Limit(seconds=9), {"level": "greedy"}, {"time": 9, "level": "greedy"}),
    ],
)
def test_each_limit_is_sent(tmp_path: Path, limit: Limit, terms: Json, sent: Json) -> None:
    request = noted(tmp_path, BOARD, PLAYER, limit, **terms)
    optional = {key: request[key] for key in ("time", "iterations", "depth", "level") if key in request}
    assert optional == sent
    assert request["seed"] == 0


def test_patience_ends_where_no_time_is_set() -> None:
    with stranger("silent", patience=0.01) as program:
        assert str(forfeit(program, Limit(iterations=5))) == "no answer within 0.51 s"
