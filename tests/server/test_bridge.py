"""``ekoes bridge`` as a supervisor: engines and servers that fail while it plays."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from signal import SIGKILL
from subprocess import Popen
from time import monotonic
from typing import Any

import httpx
import pytest

from tests.kit.programs import Program
from tests.kit.server import EKOES, Server
from tests.server.test_client import running, token

ENGINE = Path(__file__).with_name("engine.py")
SOAK = 30 * 60
"""Seconds of the long test."""
GAMES: dict[str, dict[str, Any]] = {
    "eko": {"variants": [], "turn_limit": 6},
    "ekko": {"target": 1, "reaction": 1},
}


def bridge(server: Server, secret: str, file: Path, mode: str, *more: str) -> tuple[str, ...]:
    engine = f"{sys.executable} {ENGINE} {file} {mode}"
    place = ("--server", server.address, "--token", secret, "--time", "5")
    return EKOES, "bridge", engine, *place, *more


def begun(host: Program, name: str, game: str) -> str | None:
    """Challenge the account to a game beside a bot. Returns: the table, None if the challenge is declined."""
    seats = [{"kind": "account", "account": name}, {"kind": "bot", "bot": "random"}]
    with host.read("/api/bot/stream") as events:
        host.post("/api/challenges", 201, game=game, options={"players": 2, **GAMES[game]}, seats=seats)
        table: str | None = events.wait("challenge-gone")["table"]
        return table


def end_of(host: Program, table: str | None) -> str:
    """Wait for the end of a game. Returns: its reason."""
    with host.read(f"/api/tables/{table}/stream") as reading:
        reading.wait("table")
        while reading.state["outcome"] is None:
            reading.wait("update")
        return str(reading.state["outcome"]["reason"])


def output(program: Popen[str], until: str) -> str:
    """Read what a program prints up to a line with a text."""
    assert program.stdout
    lines = ""
    for line in program.stdout:
        lines += line
        if until in line:
            return lines
    raise AssertionError(lines)


@pytest.mark.parametrize("mode", ["illegal", pytest.param("dying", marks=pytest.mark.long)])
def test_a_seat_resigns_where_its_engine_can_not_go_on_and_the_bridge_plays_on(
    server: Server, tmp_path: Path, mode: str
) -> None:
    host = Program(server.address, token(server, f"Host{mode}"))
    name = f"Bridge{mode}"
    with running(
        *bridge(server, token(server, name), tmp_path / "process", mode, "--game", "eko")
    ) as program:
        assert begun(host, name, "ekko") is None, "it plays only one game"
        for _ in range(2):
            assert end_of(host, begun(host, name, "eko")) == "resignation"
            lines = output(program, "is over: lost")
            assert lines.count("the engine fails: ") == 3
            assert "resigns" in lines


def strike_engine(_server: Server, file: Path) -> None:
    with suppress(ProcessLookupError):
        os.kill(int(file.read_text()), SIGKILL)


def strike_server(server: Server, _file: Path) -> None:
    server.kill()
    server.start()


def played(
    server: Server, host: Program, file: Path, strikes: list[Callable[[Server, Path], None]], chance: Random
) -> None:
    """Play a game of each kind at the same time, with blows amid one of them. None ends by them."""
    tables = [begun(host, "Bridge", game) for game in GAMES]
    for strike in strikes:
        with (
            suppress(httpx.TransportError),
            host.read(f"/api/tables/{chance.choice(tables)}/stream") as reading,
        ):
            reading.wait("table")
            for _ in range(chance.randrange(6)):
                if reading.state["outcome"] is None:
                    reading.wait("update")
            strike(server, file)
    for table in tables:
        assert end_of(host, table) not in {"resignation", "time"}


@pytest.mark.long
@pytest.mark.parametrize("seconds", [0, SOAK])
def test_games_go_on_while_engine_and_server_are_killed(
    own_server: Server, tmp_path: Path, seconds: int
) -> None:
    host = Program(own_server.address, token(own_server, "Host"))
    file, chance, ends = tmp_path / "process", Random(seconds), monotonic() + seconds
    strikes: list[Any] = [strike_engine, strike_server]
    command = bridge(own_server, token(own_server, "Bridge"), file, "legal")
    with (tmp_path / "log").open("w") as log, running(*command, pipe=log) as program:
        played(own_server, host, file, strikes, chance)
        while monotonic() < ends:
            played(own_server, host, file, chance.choices(strikes, k=chance.randrange(4)), chance)
        assert program.poll() is None
