"""``ekoes batch``: requests and answers, one JSON per line, in order."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE
from ekoes.games.ekko.game import EKKO
from ekoes.games.eko.game import EKO
from tests.unit.cli.conftest import Ekoes


def test_answers_are_those_of_the_commands(ekoes: Ekoes, position: Path) -> None:
    value = json.loads(position.read_text())
    legal = ekoes("eko", "legal", position).lines
    requests = [
        {"id": 1, "cmd": "legal", "position": value},
        {"id": "two", "cmd": "apply", "position": value, "actions": legal[:1]},
        {"id": None, "cmd": "perft", "position": value, "depth": 2},
        {"cmd": "apply", "position": value, "actions": []},
    ]
    done = ekoes("batch", stdin="\n".join(map(json.dumps, requests)) + "\n")
    assert (done.status, done.err) == (0, "")
    after = ekoes("eko", "apply", position, "-", stdin=json.dumps(legal[0])).lines[0]
    assert done.lines == [
        {"id": 1, "result": legal},
        {"id": "two", "result": after},
        {"id": None, "result": ekoes("eko", "perft", position, "--depth", 2).lines[0]},
        {"id": None, "result": value},
    ]


@pytest.mark.parametrize(
    ("request_text", "identity", "reason"),
    [
        ("{", None, "not JSON"),
        ("[1]", None, "a request is a JSON object"),
        ('{"id":[1]}', None, "'id': must be a number or a string"),
        ('{"id":1}', 1, "'cmd': must be one of new, legal, apply, view, outcome, perft, ready"),
        ('{"id":1,"cmd":["legal"]}', 1, "'cmd'"),
        ('{"id":1,"cmd":"legal"}', 1, "'position': missing in a legal request"),
        ('{"id":1,"cmd":"legal","position":3}', 1, "'position': a position is a JSON object"),
        ('{"id":1,"cmd":"legal","position":{}}', 1, "'game'"),
        ('{"id":1,"cmd":"legal","position":{"game":"go"}}', 1, "no game is called 'go'"),
        ('{"id":1,"cmd":"legal","position":{},"depth":1}', 1, "'depth': unknown key in a legal request"),
        ('{"id":1,"cmd":"legal","id":2}', None, "'id': appears twice"),
        ('{"id":NaN}', None, "NaN"),
        ('{"id":1e999}', None, "a number is too large"),
        (b'{"id":"\xff"}', None, "not UTF-8"),
    ],
)
def test_a_bad_request_is_answered_and_the_next_one_too(
    ekoes: Ekoes, position: Path, request_text: str | bytes, identity: object, reason: str
) -> None:
    bad = request_text if isinstance(request_text, bytes) else request_text.encode()
    good = b'{"id":9,"cmd":"perft","depth":0,"position":' + position.read_bytes() + b"}"
    done = ekoes("batch", stdin=bad + b"\n" + good)
    assert (done.status, done.err) == (0, "")
    refused, answered = done.lines
    assert refused["id"] == identity
    assert set(refused) == {"id", "error"}
    assert reason in refused["error"]
    assert answered == {"id": 9, "result": {"depth": 0, "nodes": 1}}


def test_positions_of_ekko_are_answered_too(ekoes: Ekoes) -> None:
    value = ekoes("ekko", "new", "--players", 3, "--seed", 4, "--deal").lines[0]
    legal = ekoes("ekko", "legal", "-", stdin=json.dumps(value)).lines
    requests = [
        {"id": 1, "cmd": "legal", "position": value},
        {"id": 2, "cmd": "apply", "position": value, "actions": legal[-1:]},
        {"id": 3, "cmd": "apply", "position": value, "actions": [{"type": "close"}]},
        {"id": 4, "cmd": "perft", "position": value, "depth": 1},
    ]
    done = ekoes("batch", stdin="\n".join(map(json.dumps, requests)))
    after = EKKO.from_json(value)
    after = after.play(after.actors()[0], EKKO.parse_action(legal[-1]))
    assert (done.status, done.err) == (0, "")
    assert done.lines == [
        {"id": 1, "result": legal},
        {"id": 2, "result": after.to_json()},
        {"id": 3, "error": "action 1: K7.4: No one has played a last card."},
        {"id": 4, "error": "'cmd': perft counts only positions of eko"},
    ]


def test_a_game_is_begun_seen_and_judged(ekoes: Ekoes) -> None:
    dealt = ekoes("ekko", "new", "--players", 3, "--seed", 4, "--deal").lines[0]
    over = EKKO.new({"target": 1}, 1)
    chance = Chance(1)
    while over.outcome() is None:
        (seat,) = over.actors()
        legal = over.legal(seat)
        over = over.play(seat, over.chance_action(chance) if seat == CHANCE else legal[0])
    requests = [
        {"cmd": "ready", "game": "ekko"},
        {"cmd": "new", "game": "eko", "options": {"players": 3, "variants": ["wind"]}, "seed": 7},
        {"cmd": "new", "game": "ekko", "seed": 4},
        {"cmd": "view", "position": dealt, "seat": 1},
        {"cmd": "view", "position": dealt},
        {"cmd": "outcome", "position": dealt},
        {"cmd": "outcome", "position": over.to_json()},
    ]
    done = ekoes("batch", stdin="\n".join(map(json.dumps, requests)))
    outcome = over.outcome()
    assert outcome is not None
    assert [line["result"] for line in done.lines] == [
        True,
        EKO.new({"players": 3, "variants": ["wind"]}, 7).to_json(),
        EKKO.new({}, 4).to_json(),
        EKKO.from_json(dealt).view(1),
        EKKO.from_json(dealt).view(None),
        None,
        {"winners": list(outcome.winners), "reason": outcome.reason, "rule": outcome.rule},
    ]


@pytest.mark.parametrize(
    ("request_json", "reason"),
    [
        ({"cmd": "new", "game": "eko", "seed": "7"}, "'seed': must be a whole number"),
        ({"cmd": "new", "game": "eko", "seed": 7, "options": []}, "'options': must be a JSON object"),
        ({"cmd": "new", "game": "eko", "seed": 7, "options": {"players": 9}}, "'players'"),
        ({"cmd": "new", "game": "go", "seed": 7}, "no game is called 'go'"),
        ({"cmd": "ready", "game": 3}, "'game': missing, or no name of a game"),
        (
            {"cmd": "view", "position": EKO.new({}, 1).to_json(), "seat": 2},
            "'seat': must be a seat from 0 to 1",
        ),
        ({"cmd": "view", "position": EKO.new({}, 1).to_json(), "seat": 0.0}, "'seat'"),
    ],
)
def test_what_can_not_be_begun_or_seen_is_named(ekoes: Ekoes, request_json: Any, reason: str) -> None:
    assert reason in ekoes("batch", stdin=json.dumps(request_json)).lines[0]["error"]


@pytest.mark.parametrize("depth", [-1, 101, 2.0, True, "2", None, 10**30])
def test_a_depth_is_a_small_whole_number(ekoes: Ekoes, position: Path, depth: object) -> None:
    request = {"id": 1, "cmd": "perft", "depth": depth, "position": json.loads(position.read_text())}
    assert "'depth'" in ekoes("batch", stdin=json.dumps(request)).lines[0]["error"]


def test_an_illegal_action_is_named_by_number_and_rule(ekoes: Ekoes, position: Path) -> None:
    value = json.loads(position.read_text())
    for action, reason in (({"type": "march"}, "E12"), ({"type": "fly"}, "'type'"), (3, "'action'")):
        request = {"id": 1, "cmd": "apply", "position": value, "actions": [action]}
        error = ekoes("batch", stdin=json.dumps(request)).lines[0]["error"]
        assert error.startswith("action 1: ")
        assert reason in error


def test_each_answer_comes_before_the_next_request() -> None:
    request: dict[str, Any] = {"cmd": "legal", "position": EKO.new({"players": 2}, 1).to_json()}
    command = [sys.executable, "-m", "ekoes", "batch"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for identity in range(3):
            process.stdin.write(json.dumps(request | {"id": identity}) + "\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            assert answer["id"] == identity
            assert len(answer["result"]) == 16
        process.stdin.close()
        assert process.wait() == 0
