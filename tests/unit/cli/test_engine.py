"""``ekoes engine``: each row and rule of the engine protocol (docs/reference/engine.md)."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import pytest

from ekoes import __version__
from ekoes.bots import Thought, bot, bots, decide
from ekoes.cli.engine import read_asked
from ekoes.cli.games import play_each
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE, Json
from ekoes.games.ekko.game import EKKO
from ekoes.games.eko.game import EKO
from ekoes.games.eko.position.position import EkoPosition
from tests.unit.cli.conftest import Ekoes
from tests.unit.ekko_games import random_ekko

BOARD = EKO.new({"players": 2}, 1)
DEALT = next(position for position, seat, _ in random_ekko(1) if seat != CHANCE)
(SEAT,) = DEALT.actors()
ASK = {"cmd": "choose", "iterations": 1, "seed": 5}


@pytest.fixture(autouse=True)
def ready_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Within this process the bots load when they are first asked."""
    monkeypatch.setattr("ekoes.cli.engine._get_ready", lambda: None)


def ask(ekoes: Ekoes, *requests: Json) -> list[Any]:
    done = ekoes("engine", stdin="\n".join(map(json.dumps, requests)))
    assert (done.status, done.err) == (0, "")
    return done.lines


def chosen(ekoes: Ekoes, **keys: Any) -> Any:
    """The answer to a choose: its action, or its error."""
    (answer,) = ask(ekoes, ASK | {"id": 1} | keys)
    assert answer["id"] == 1
    if "error" in answer:
        return answer["error"]
    assert answer.keys() == {"id", "result"}
    assert answer["result"].keys() in ({"action"}, {"action", "value", "iterations"})
    return answer["result"]["action"]


def test_hello_returns_name_version_games_and_levels(ekoes: Ekoes) -> None:
    (answer,) = ask(ekoes, {"id": 1, "cmd": "hello"})
    assert answer["result"] == {
        "name": "Ekoes",
        "version": __version__,
        "protocol": 1,
        "games": ["eko", "ekko"],
        "levels": list(dict.fromkeys([*bots("eko"), *bots("ekko")])),
    }


@pytest.mark.parametrize("level", [*bots("eko"), None])
def test_a_bot_of_eko_chooses_as_it_does_here(ekoes: Ekoes, level: str | None) -> None:
    keys = {} if level is None else {"level": level}
    action = decide(bot("eko", level or "master"), BOARD, 0, Chance(5), Thought(iterations=1))
    assert chosen(ekoes, position=BOARD.to_json(), **keys) == EKO.action_to_json(action)


@pytest.mark.parametrize("level", [*bots("ekko"), None])
def test_a_bot_of_ekko_chooses_from_the_view(ekoes: Ekoes, level: str | None) -> None:
    keys = {} if level is None else {"level": level}
    action = EKKO.action_to_json(bot("ekko", level or "master").choose(DEALT, SEAT, Chance(5)))
    seen = [{"seat": 0, "action": {"type": "draw"}}]
    assert chosen(ekoes, view=DEALT.view(SEAT), seat=SEAT, seen=seen, **keys) == action
    assert chosen(ekoes, view=DEALT.view(SEAT), seat=SEAT, **keys) == action
    assert chosen(ekoes, position=DEALT.to_json(), **keys) == action


def test_a_view_of_an_open_game_is_its_position(ekoes: Ekoes) -> None:
    asked = chosen(ekoes, view=BOARD.to_json(), seat=0)
    assert asked == chosen(ekoes, position=BOARD.to_json())
    assert "player 1 is not to move" in chosen(ekoes, view=BOARD.to_json(), seat=1)


def test_actions_lead_to_the_position_that_is_meant(ekoes: Ekoes) -> None:
    first = BOARD.legal(0)[0]
    after = BOARD.play(0, first)
    keys = {"position": BOARD.to_json(), "actions": [EKO.action_to_json(first)]}
    assert chosen(ekoes, **keys) == chosen(ekoes, position=after.to_json())
    wrong = keys | {"actions": [*keys["actions"], {"type": "march"}]}
    assert chosen(ekoes, **wrong).startswith("action 2: ")


def test_one_seed_chooses_the_same_and_others_do_not(ekoes: Ekoes) -> None:
    keys = {"position": BOARD.to_json(), "level": "random"}
    assert chosen(ekoes, **keys) == chosen(ekoes, **keys)
    free = {key: value for key, value in ASK.items() if key != "seed"} | keys
    answers = [answer["result"]["action"] for answer in ask(ekoes, *[free] * 12)]
    assert len({json.dumps(answer) for answer in answers}) > 1


@pytest.mark.parametrize("budget", [{"time": 0.5}, {"time": 1}, {"iterations": 1}, {"depth": 3}])
def test_each_limit_is_enough(ekoes: Ekoes, budget: Json) -> None:
    request = {"id": 1, "cmd": "choose", "position": BOARD.to_json(), "threads": 2, "memory": 64}
    assert "result" in ask(ekoes, request | budget)[0]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"iterations": None}, "'iterations'"),
        ({"iterations": 0}, "'iterations'"),
        ({"iterations": 1.5}, "'iterations'"),
        ({"time": 0}, "'time'"),
        ({"time": "1"}, "'time'"),
        ({"time": True}, "'time'"),
        ({"depth": -1}, "'depth'"),
        ({"seed": 1.5}, "'seed'"),
        ({"threads": 0}, "'threads'"),
        ({"memory": 0}, "'memory'"),
        ({"level": 3}, "'level'"),
        ({"level": "grand"}, "'level': must be one of random, beginner, learner, greedy, casual, skilled,"),
        ({"nodes": 3}, "'nodes': unknown key in a choose request"),
        ({"seat": 1}, "'seat': player 1 is not to move"),
        ({"seat": True}, "'seat'"),
        ({"seat": "0"}, "'seat'"),
        ({"seen": []}, "'seen': can't be combined with a position"),
        ({"actions": {}}, "'actions': must be a list"),
        ({"position": 3}, "'position': a position is a JSON object"),
        ({"position": {"game": "go"}}, "no game is called 'go'"),
        ({"view": {}, "seat": 0}, "'position': a choice needs a position or a view"),
    ],
)
def test_what_is_amiss_in_a_choose_is_named(ekoes: Ekoes, changes: Json, reason: str) -> None:
    assert reason in chosen(ekoes, **{"position": BOARD.to_json()} | changes)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"seat": (SEAT + 1) % 3}, "'seat'"),
        ({"actions": []}, "'actions': can't be combined with a view"),
        ({"seen": {}}, "'seen': must be a list"),
        ({"seen": [{"seat": 0}]}, "'seen[0]'"),
        ({"view": []}, "'view': a view is a JSON object"),
        ({"view": DEALT.to_json()}, "'hands': unknown key"),
    ],
)
def test_what_is_amiss_in_a_view_is_named(ekoes: Ekoes, changes: Json, reason: str) -> None:
    assert reason in chosen(ekoes, **{"view": DEALT.view(SEAT), "seat": SEAT} | changes)


def test_a_view_needs_a_seat_and_a_choice_a_limit_and_a_seat_to_move(ekoes: Ekoes) -> None:
    assert "'seat': missing with a view" in chosen(ekoes, view=DEALT.view(SEAT))
    no_limit = {"cmd": "choose", "position": BOARD.to_json(), "seed": 1}
    assert "'time': a choice needs one of time, iterations, depth" in ask(ekoes, no_limit)[0]["error"]
    assert "no player is to move" in chosen(ekoes, position=EKKO.new({"players": 2}, 1).to_json())


def test_what_is_unknown_is_refused_by_name_and_the_program_lives_on(ekoes: Ekoes) -> None:
    answers = ask(
        ekoes,
        {"id": 1, "cmd": "analyse", "position": BOARD.to_json(), "time": 1, "lines": 0},
        {"id": 2, "cmd": "ponder"},
        {"id": 3, "cmd": "hello", "name": "you"},
        {"id": 4, "cmd": "quit", "now": True},
        {"id": 5, "cmd": "stop", "now": True},
        {"id": "six", "cmd": "hello"},
    )
    assert [answer["id"] for answer in answers] == [1, 2, 3, 4, 5, "six"]
    errors = [answer.get("error", "") for answer in answers]
    assert errors[0].startswith("'lines'")
    assert errors[1] == "'cmd': must be one of hello, choose, analyse, stop, quit"
    assert errors[2] == "'name': unknown key in a hello request"
    assert errors[3] == "'now': unknown key in a quit request"
    assert errors[4] == "'now': unknown key in a stop request"
    assert answers[5]["result"]["protocol"] == 1


def test_a_depth_ends_a_search_that_looks_so_many_turns_ahead(ekoes: Ekoes) -> None:
    keys = {"cmd": "analyse", "position": BOARD.to_json(), "every": 60}  # no reports on a busy machine
    answers = ask(ekoes, *(keys | {"id": depth, "depth": depth} for depth in (1, 2, 3)))
    turns = []
    for answer in answers:
        *_, last = play_each(BOARD, answer["result"]["lines"][0]["actions"])
        assert isinstance(last, EkoPosition)
        turns.append(last.turn_number - BOARD.turn_number)
    assert [ahead <= depth for depth, ahead in enumerate(turns, start=1)] == [True] * 3
    steps = [answer["result"]["iterations"] for answer in answers]
    assert steps == sorted(set(steps)), "each turn takes more steps"
    (least,) = ask(ekoes, keys | {"id": 1, "depth": 2**70, "iterations": 7})
    assert least["result"]["iterations"] == 7


def test_the_first_position_counts_for_the_repetition_rule() -> None:
    """E11.6, as at a table and in a record."""
    position = EKO.new({"players": 2}, 1)
    while position.turn_number < 1:
        (seat,) = position.actors()
        position = position.play(seat, position.legal(seat)[0])
    asked = read_asked({"position": position.to_json()})
    assert asked.seen == (position.digest(),)


def test_a_search_returns_its_value_and_its_iterations(ekoes: Ekoes) -> None:
    request = {"id": 1, "cmd": "choose", "position": BOARD.to_json(), "iterations": 3}
    (answer,) = ask(ekoes, request)
    assert answer["result"]["iterations"] == 3
    assert sum(answer["result"]["value"]) == pytest.approx(1)
    assert ask(ekoes, request | {"seed": 9}) == [answer]


def test_analysis_returns_variations_and_refuses_other_games_by_name(ekoes: Ekoes) -> None:
    request = {"id": 1, "cmd": "analyse", "position": BOARD.to_json(), "iterations": 5, "lines": 3}
    *infos, last = ask(ekoes, request)
    assert all(info.keys() == {"id", "info"} for info in infos)
    result = last["result"]
    assert result.keys() == {"value", "iterations", "depth", "lines"}
    assert len(result["lines"]) == 3
    assert EKO.parse_action(result["lines"][0]["actions"][0]) in BOARD.legal(0)
    (refused,) = ask(ekoes, request | {"position": DEALT.to_json()})
    assert "positions of ekko are not analysed" in refused["error"]


def of_first(answer: Any) -> int:
    """The visits of all first actions of an analysis."""
    return sum(line["iterations"] for line in answer["result"]["lines"])


def test_a_tree_is_kept_for_the_moves_since_unless_the_answer_shall_be_repeatable(ekoes: Ekoes) -> None:
    first = {"cmd": "analyse", "position": BOARD.to_json(), "iterations": 60, "lines": 99, "every": 60}
    answers = ask(ekoes, first | {"id": 1})
    best = answers[0]["result"]["lines"][0]
    then = first | {"actions": best["actions"][:1]}
    seeded = {"seed": 3, "id": 3}
    answers = ask(
        ekoes,
        first | {"id": 1},
        then | {"id": 2},
        then | seeded,
        then | {"id": 4},
        then | {"id": 5, "memory": 128},
        ASK | {"id": 6, "position": BOARD.to_json(), "time": 60, "iterations": 60},
    )
    assert [answer["result"]["iterations"] for answer in answers] == [60] * 6
    new = of_first(answers[0])
    assert new == 59
    assert of_first(answers[1]) == 60 + best["iterations"] - 1
    assert [of_first(answer) for answer in answers[2:5]] == [new] * 3, "a new tree begins"
    assert ask(ekoes, then | seeded) == [answers[2]]


def test_several_threads_answer_within_the_limits_and_a_seed_is_repeatable(ekoes: Ekoes) -> None:
    request = {"cmd": "choose", "position": BOARD.to_json(), "iterations": 60, "threads": 3}
    seeded = request | {"seed": 9}
    quick, one, again, alone = ask(
        ekoes, request | {"id": 1}, seeded | {"id": 2}, seeded | {"id": 2}, seeded | {"id": 2, "threads": 1}
    )
    assert quick["result"]["iterations"] == 60
    assert EKO.parse_action(quick["result"]["action"]) in BOARD.legal(0)
    assert one == again == alone


def test_nothing_after_a_quit_is_answered(ekoes: Ekoes) -> None:
    hello = {"id": 1, "cmd": "hello"}
    answers = ask(ekoes, hello, {"id": 2, "cmd": "quit"}, hello | {"id": 3})
    assert [answer["id"] for answer in answers] == [1]


def test_an_internal_error_is_answered_and_the_program_lives_on(
    ekoes: Ekoes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ekoes.cli.engine.read_asked", lambda *_: 1 / 0)
    mistaken, hello = ask(ekoes, ASK | {"id": 1, "position": BOARD.to_json()}, {"id": 2, "cmd": "hello"})
    assert mistaken["error"].startswith("internal error, please report it: ZeroDivisionError")
    assert "result" in hello


class Engine:
    """The program itself, asked line by line."""

    def __init__(self, process: subprocess.Popen[str], asks: IO[str], answers: IO[str]) -> None:
        self.process, self.asks, self.answers = process, asks, answers

    def send(self, *requests: Json) -> None:
        self.asks.write("".join(json.dumps(request) + "\n" for request in requests))
        self.asks.flush()

    def read(self) -> Any:
        return json.loads(self.answers.readline())


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    command = [sys.executable, "-m", "ekoes", "engine"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield Engine(process, process.stdin, process.stdout)
        process.stdin.close()
        assert process.wait() == 0, "so it ends at the end of its input"


def test_a_stop_is_read_while_others_wait_and_overtakes_them(engine: Engine) -> None:
    ask = ASK | {"position": BOARD.to_json()}
    engine.send(*(ask | {"id": number} for number in range(300)), {"id": "stop", "cmd": "stop"})
    ids = [engine.read()["id"] for _ in range(301)]
    assert [identity for identity in ids if identity != "stop"] == list(range(300))
    assert 0 < ids.index("stop") < 290


def test_stops_are_answered_after_what_is_at_work_and_in_order(engine: Engine) -> None:
    engine.send(ASK | {"id": 1, "position": BOARD.to_json()}, *({"id": n, "cmd": "stop"} for n in (2, 3)))
    answers = [engine.read() for _ in range(3)]
    assert [answer["id"] for answer in answers] == [1, 2, 3]
    assert answers[0]["result"]["action"]
    assert answers[1] == {"id": 2, "result": None}


SEARCHED = {"position": BOARD.to_json(), "level": "master", "time": 600}
ANALYSED = {"cmd": "analyse", "position": BOARD.to_json(), "time": 600, "every": 600}


@pytest.mark.parametrize(
    "what",
    [
        {"position": BOARD.to_json(), "iterations": 1},
        {"view": DEALT.view(SEAT), "seat": SEAT, "iterations": 1},
        SEARCHED,
        ANALYSED,
    ],
)
def test_a_stop_is_answered_within_50_milliseconds(engine: Engine, what: Json) -> None:
    def seconds() -> float:
        engine.send({"cmd": "choose", "id": 1, "seed": 5} | what)
        begun = time.perf_counter()
        engine.send({"id": 2, "cmd": "stop"})
        assert [engine.read()["id"], engine.read()["id"]] == [1, 2]
        return time.perf_counter() - begun

    # once is enough: what else the machine does is not our matter
    assert any(seconds() < 0.05 for _ in range(200))


def test_a_tree_that_is_too_small_for_its_iterations_takes_them_all(engine: Engine) -> None:
    engine.send(ASK | {"id": 1, "position": BOARD.to_json(), "iterations": 12_000, "memory": 1})
    assert engine.read()["result"]["iterations"] == 12_000


def test_each_answer_comes_before_the_next_request(engine: Engine) -> None:
    for number in range(3):
        engine.send({"id": number, "cmd": "hello"})
        assert engine.read()["id"] == number


LOADED = """
import json, sys
from numba.core.dispatcher import Dispatcher
from ekoes.cli import engine
engine._get_ready()
loaded, compile = [], Dispatcher.compile
Dispatcher.compile = lambda self, sig: (loaded.append(self.__name__), compile(self, sig))[1]
before = set(sys.modules)
for request in map(json.loads, sys.stdin):
    engine.COMMANDS["choose"].act(request)
print(json.dumps([loaded, sorted(set(sys.modules) - before)]))
"""


@pytest.mark.long
def test_nothing_is_loaded_once_it_is_ready() -> None:
    """What loads late would be taken from the first answer's time."""
    first = [EKO.action_to_json(BOARD.legal(0)[0])]
    asked: list[Json] = [
        {"position": BOARD.to_json()},
        {"position": BOARD.to_json(), "actions": first},
        {"view": DEALT.view(SEAT), "seat": SEAT},
        {"position": DEALT.to_json()},
    ]
    requests = "\n".join(json.dumps(request | {"iterations": 1}) for request in asked)
    command = [sys.executable, "-c", LOADED]
    done = subprocess.run(command, input=requests, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [[], []]


def test_quit_ends_it_with_status_0_though_its_input_stays_open() -> None:
    command = [sys.executable, "-m", "ekoes", "engine"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        process.stdin.write('{"id":1,"cmd":"quit"}\n')
        process.stdin.flush()
        assert process.wait(60) == 0
        assert process.stdout is not None
        assert process.stdout.read() == ""


@pytest.mark.long
def test_it_ends_quietly_if_its_output_is_closed(tmp_path: Path) -> None:
    hello = json.dumps({"id": 1, "cmd": "hello"}) + "\n"
    (tmp_path / "asked").write_text(hello * 3)
    command = f"{sys.executable} -m ekoes engine < {tmp_path / 'asked'} 2> {tmp_path / 'told'} | true"
    assert subprocess.run(["bash", "-o", "pipefail", "-c", command], check=False).returncode == 0
    assert (tmp_path / "told").read_text() == ""
