"""Every command given what it can't use: one line that says why, exit status 2, never a traceback."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.unit.cli.conftest import Done, Ekoes


def assert_refused(done: Done, *parts: str) -> None:
    assert done.status == 2
    assert done.out == ""
    assert done.err.startswith("ekoes: ")
    assert len(done.err.splitlines()) == 1
    assert len(done.err) < 700
    assert "internal error" not in done.err
    for part in parts:
        assert part in done.err


BAD_JSON = [
    ("", "not JSON: line 1, column 1"),
    ("{", "not JSON: line 1, column 2"),
    ('{"game":\n "eko",,}', "line 2, column 8"),
    ("[]", ""),
    ("null", ""),
    ('"eko"', ""),
    ("{}", ""),
    ("NaN", "NaN is no number"),
    ('{"version": Infinity}', "Infinity is no number"),
    ("1" * 5000, "a number is too long"),
    ("[" * 100_000, "nested too deeply"),
    ('{"game": "eko", "game": "eko"}', "'game': appears twice in one object"),
    ('{"game": "chess", "version": 1}', "game"),
    ('{"game": "eko", "version": 2}', "version"),
    (b"\xff{}", "not UTF-8 text: byte 1"),
    (b'{"game": "\xc3\x28"}', "not UTF-8 text: byte 11"),
    ('{"game": "\\ud800"}', "game"),
]


@pytest.mark.parametrize(("text", "reason"), BAD_JSON)
@pytest.mark.parametrize(
    "command",
    [("eko", "legal", "-"), ("eko", "perft", "-", "--depth", "2"),
     ("eko", "playouts", "-", "--count", "1", "--seed", "1"),
     ("eko", "apply", "-", "/dev/null"), ("eko", "show", "-"), ("eko", "svg", "-"),
     ("ekko", "legal", "-"), ("ekko", "playouts", "-", "--count", "1", "--seed", "1"),
     ("ekko", "apply", "-", "/dev/null")],
    ids=lambda command: " ".join(command[:2]),
)  # fmt: skip
def test_what_is_no_position_is_refused(
    ekoes: Ekoes, command: tuple[str, ...], text: str | bytes, reason: str
) -> None:
    stdin = text.replace('"eko", "v', f'"{command[0]}", "v') if isinstance(text, str) else text
    assert_refused(ekoes(*command, stdin=stdin), "standard input: ", reason)


@pytest.mark.parametrize(
    ("engine", "reason"), [("", "is empty"), ("python 'engine.py", "no closing quotation")]
)
def test_a_command_of_an_engine_that_is_none_is_refused(ekoes: Ekoes, engine: str, reason: str) -> None:
    assert_refused(ekoes("bridge", engine, "--token", "x"), "the command of the engine", reason)


def _changed(position: Path, **changes: Any) -> str:
    return json.dumps(json.loads(position.read_text()) | changes)


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"extra": 1}, "extra"),
        ({"players": 5}, "players"),
        ({"players": 2.0}, "players"),
        ({"version": 1.0}, "version"),
        ({"": 1}, "'': unknown key"),
        ({"players": 10**400}, "players"),
        ({"tiles": []}, "tiles"),
        ({"stacks": {"0;0": {}}}, "stacks"),
        ({"turn": None}, "turn"),
    ],
)
def test_an_impossible_position_is_refused_by_key(
    ekoes: Ekoes, position: Path, changes: dict[str, Any], key: str
) -> None:
    assert_refused(ekoes("eko", "legal", "-", stdin=_changed(position, **changes)), key)


DEALT = {
    "game": "ekko", "version": 1, "players": 2, "target": 25, "pile": [12, 55, 3], "zone": [38, 67],
    "hands": [[1, 20], [8]], "aside": [[], [17]], "scores": [0, 4],
    "turn": {"round": 1, "dealer": 1, "player": 0, "last": 1, "phase": "play"},
}  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"extra": 1}, "'extra': unknown key"),
        ({"players": 9}, "K1.1, 'players'"),
        ({"target": 0}, "'target'"),
        ({"target": 10**400}, "'target'"),
        ({"pile": [12, 12]}, "K1.1, 'pile'"),
        ({"pile": [99]}, "K1.1, 'pile'"),
        ({"zone": []}, "K1.3, 'zone'"),
        ({"hands": [[1, 20]]}, "K1.1, 'hands'"),
        ({"hands": [[20, 1], [8]]}, "'hands[0]': must be ascending"),
        ({"hands": [[1, 20], []]}, "K5.1, 'hands'"),
        ({"aside": [[], [17.0]]}, "'aside[1]'"),
        ({"scores": [0, 25]}, "K5.6, 'scores'"),
        ({"scores": [True, 4]}, "'scores[0]'"),
        ({"winners": [0]}, "K5.6, 'winners'"),
        ({"turn": {"phase": "play"}}, "'turn.round': missing"),
        ({"turn": {"round": 1, "dealer": 1, "phase": "deal"}}, "K6.0"),
        ({"turn": DEALT["turn"] | {"phase": "mirror"}}, "K6.1, 'turn.asked'"),  # type: ignore[operator]
        ({"turn": DEALT["turn"] | {"leaving": 1}}, "K5.1, 'turn.leaving'"),  # type: ignore[operator]
        ({"turn": DEALT["turn"] | {"blocked": [[3], []]}}, "K4.1, 'turn.blocked[0]'"),  # type: ignore[operator]
    ],
)
def test_an_impossible_position_of_ekko_is_refused_by_rule_and_key(
    ekoes: Ekoes, changes: dict[str, Any], reason: str
) -> None:
    assert_refused(ekoes("ekko", "legal", "-", stdin=json.dumps(DEALT | changes)), reason)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "line 1: not JSON"),
        ("[]", "line 1: 'action': an action is a JSON object"),
        ('{"type":"fly"}', "'type'"),
        ('{"type":"play"}', "'card': missing"),
        ('{"type":"play","card":99}', "K1.1, 'card'"),
        ('{"type":"play","card":true}', "'card'"),
        ('{"type":"play","card":67,"on":38}', "'on': unknown key in a play action"),
        ('{"type":"mirror","card":76,"effect":"steal"}', "K3.2, 'effect'"),
        ('{"type":"mirror","card":76,"effect":"discard"}', "K3.2, 'aside'"),
        ('{"type":"mirror","card":76,"effect":"draw","aside":1}', "K3.2, 'aside'"),
        ('{"type":"deal","order":[1,2,3]}', "K6.0, 'order'"),
        ('{"type":"deal","order":"all"}', "K6.0, 'order'"),
        ("\n99", "line 2: character 1: expected a card, 1 to 98"),
        ("fly", "line 1: character 1"),
        ("8" * 2000, "at most 1000 characters"),
    ],
)
def test_what_is_no_action_of_ekko_is_refused(ekoes: Ekoes, tmp_path: Path, line: str, reason: str) -> None:
    file = tmp_path / "dealt.json"
    file.write_text(json.dumps(DEALT))
    assert_refused(ekoes("ekko", "apply", file, "-", stdin=line), reason)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "line 1: not JSON"),
        ("[]", "line 1: 'action': an action is a JSON object"),
        ('{"type":"fly"}', "'type'"),
        ('{"type":"move","from":"0,0","to":"0,1","speed":3}', "'speed': unknown key"),
        ('{"type":"reinforce","space":"0,0","count":1e30}', "'count'"),
        ('{"type":"reinforce","space":"0,0","count":1e400}', "line 1: JSON not supported: a number"),
        ('{"type":"move","from":"0,0","to":"9999,9999"}', "line 1: E"),
        ("c5>0", "line 1: character 4"),
        ("fly", "line 1: character 1"),
        ("é" * 2000, "at most 1000 characters"),
    ],
)
def test_what_is_no_action_is_refused(ekoes: Ekoes, position: Path, line: str, reason: str) -> None:
    assert_refused(ekoes("eko", "apply", position, "-", stdin=line), reason)


@pytest.mark.parametrize(
    "arguments",
    [
        ("fly",),
        ("eko", "fly"),
        ("eko", "legal"),
        ("eko", "legal", "a", "b"),
        ("eko", "legal", "--fly", "-"),
        ("eko", "legal", "/no/such/file"),
        ("eko", "legal", "/"),
        ("eko", "legal", "a\x00b"),
        ("eko", "apply", "-", "-"),
        ("eko", "perft", "-"),
        ("eko", "perft", "-", "--depth", "-1"),
        ("eko", "perft", "-", "--depth", "1e9"),
        ("eko", "playouts", "-", "--count", "0", "--seed", "1"),
        ("eko", "playouts", "-", "--count", "99999999999999999999", "--seed", "1"),
        ("eko", "new"),
        ("eko", "new", "--players", "1", "--seed", "1"),
        ("eko", "new", "--players", "two", "--seed", "1"),
        ("eko", "new", "--players", "2", "--seed", "1", "--variants", "portals,rain"),
        ("eko", "new", "--players", "2", "--seed", "1", "--setup", "quick"),
        ("eko", "new", "--players", "2", "--seed", "1", "--layout", "/no/such/file"),
        ("eko", "new", "--players", "2", "--seed", "1", "--tileset", "-"),
        ("eko", "replay", "/no/such/file"),
        ("eko", "replay", "-"),
        ("ekko", "fly"),
        ("ekko", "perft", "-", "--depth", "1"),
        ("ekko", "svg", "-"),
        ("ekko", "legal"),
        ("ekko", "legal", "/no/such/file"),
        ("ekko", "apply", "-", "-"),
        ("ekko", "playouts", "-", "--count", "0", "--seed", "1"),
        ("ekko", "playouts", "-", "--count", "1"),
        ("ekko", "new"),
        ("ekko", "new", "--players", "1", "--seed", "1"),
        ("ekko", "new", "--players", "9", "--seed", "1"),
        ("ekko", "new", "--players", "3", "--seed", "x"),
        ("ekko", "new", "--players", "3", "--seed", "1", "--target", "0"),
        ("ekko", "new", "--players", "3", "--seed", "1", "--target", "99999999999999999999"),
        ("ekko", "replay", "/no/such/file"),
        ("ekko", "replay", "-"),
        ("ekko", "races", "-"),
        ("ekko", "races"),
        ("batch", "file"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_arguments_that_make_no_sense_are_refused(ekoes: Ekoes, arguments: tuple[str, ...]) -> None:
    assert_refused(ekoes(*arguments))


@pytest.mark.parametrize("option", ["--layout", "--tileset"])
def test_null_is_no_layout_and_no_tile_set(ekoes: Ekoes, option: str) -> None:
    done = ekoes("eko", "new", "--players", 2, "--seed", 1, option, "-", stdin="null")
    assert_refused(done, f"standard input: null is no {option[2:]}")


def test_what_can_be_printed_can_be_read(ekoes: Ekoes, position: Path, tmp_path: Path) -> None:
    """E12.9, K1.2: no turn and no round is counted beyond the last that is read."""
    last = json.loads(position.read_text())
    last["turn"] = {"number": 999_999_999, "player": 0, "phase": "action"}
    file = tmp_path / "last.json"
    file.write_text(json.dumps(last))
    actions = ekoes("eko", "legal", file).out.splitlines()
    refused = [done for line in actions[:9] if (done := ekoes("eko", "apply", file, "-", stdin=line)).status]
    for done in refused:
        assert_refused(done, "E12.9: turns are counted to 999999999")
    assert refused
    last["turn"]["number"] += 1
    assert_refused(ekoes("eko", "legal", "-", stdin=json.dumps(last)), "E12.9, 'turn.number'")


@pytest.mark.parametrize("content", ["[[]]", '[["A",0,0,9]]', '{"A": 1}', "3", '[["A",0,0,0],["A",0,0,0]]'])
def test_a_layout_that_is_none_is_refused(ekoes: Ekoes, content: str) -> None:
    assert_refused(ekoes("eko", "new", "--players", 2, "--seed", 1, "--layout", "-", stdin=content))


def test_a_file_is_named_with_its_fault(ekoes: Ekoes, tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    file.write_bytes(b"{]")
    assert_refused(ekoes("eko", "legal", file), f"{file}: not JSON: line 1, column 2")
    assert_refused(ekoes("eko", "legal", tmp_path), str(tmp_path), "directory")
    settings = tmp_path / "tiles.toml"
    settings.write_text("a = [")
    assert_refused(
        ekoes("eko", "new", "--players", 2, "--seed", 1, "--tileset", settings), f"{settings}: not TOML: "
    )


def test_an_endless_file_is_refused(ekoes: Ekoes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ekoes.cli.console.LARGEST_INPUT", 1024 * 1024)
    assert_refused(ekoes("eko", "legal", "/dev/zero"), "/dev/zero: larger than 1 MiB")


def test_a_process_ends_with_status_and_line() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ekoes", "eko", "legal", "-"],
        input=b"[" * 1_000_000, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr == b"ekoes: standard input: JSON not supported: nested too deeply\n"


def test_a_reader_that_goes_away_is_no_error(position: Path) -> None:
    command = f"{sys.executable} -m ekoes eko legal {position} | head -n 0; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("closed", "reason"), [("<&-", "there is no standard input"), (">&-", "no standard output")]
)
def test_closed_streams_are_named(position: Path, closed: str, reason: str) -> None:
    file = "-" if closed == "<&-" else position
    command = f"{sys.executable} -m ekoes eko legal {file} {closed}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=False, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("ekoes: ")
    assert reason in done.stderr
    assert done.stderr.count("\n") == 1
