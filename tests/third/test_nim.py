"""A third game is played everywhere, with one entry point and no change elsewhere."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kit.client import Browser, Socket
from tests.kit.examples import one_quick
from tests.kit.server import Server

Ekoes = Callable[..., str]


def test_its_commands_are_there(ekoes: Ekoes) -> None:
    assert re.search(r"nim +Nim, the game of matches", ekoes("--help"))
    help_text = ekoes("nim", "--help")
    for word in ("new", "legal", "apply", "show", "replay"):
        assert re.search(rf"\b{word}\b", help_text)
    assert "playouts" not in help_text, "it has no kernels"


def test_positions_are_made_listed_played_and_shown(ekoes: Ekoes) -> None:
    first = ekoes("nim", "new", "--players", "2", "--seed", "1")
    dealt = json.loads(first) | {"heaps": [1, 3], "turn": 1}
    legal = [json.loads(line) for line in ekoes("nim", "legal", "-", stdin=json.dumps(dealt)).splitlines()]
    assert {"type": "take", "heap": 1, "count": 3} in legal
    assert len(legal) == 4
    assert ekoes("nim", "show", "-", stdin=json.dumps(dealt)) == "|\n|||\n"
    batch = {"id": 1, "cmd": "apply", "position": dealt, "actions": [legal[-1]]}
    assert json.loads(ekoes("batch", stdin=json.dumps(batch)))["result"]["heaps"] == [1, 0]


def test_notation_is_read(ekoes: Ekoes, tmp_path: Path) -> None:
    (tmp_path / "first.json").write_text(ekoes("nim", "new", "--seed", "1"))
    (tmp_path / "actions.txt").write_text("deal:2,2\n0:1\n1:2\n")
    after = json.loads(ekoes("nim", "apply", "first.json", "actions.txt"))
    assert (after["heaps"], after["turn"]) == ([1, 0], 3)


def decide(socket: Socket, seat: int) -> None:
    """Take the last choice; wait until it is this seat's turn again or the game is over."""
    choice = socket.choices[str(seat)][-1]
    assert socket.act(seat, choice)["type"] == "ack"


def play_on(socket: Socket, seat: int, until: int | None = None) -> None:
    while socket.state["outcome"] is None and (until is None or len(socket.log) < until):
        while socket.state["outcome"] is None and str(seat) not in socket.choices:
            socket.receive()
        if socket.state["outcome"] is None:
            decide(socket, seat)


def test_it_is_offered(third_server: Server) -> None:
    games = {game["name"]: game for game in third_server.browser().get("/api/meta")["games"]}
    assert games["nim"]["bots"] == ["random", "largest"]
    assert games["nim"]["players"] == [2, 3]


@pytest.mark.parametrize("restarts", one_quick(True, [False]))
def test_it_is_played_at_a_table_against_a_bot_stored_and_replayed(
    third_server: Server, ekoes: Ekoes, restarts: bool
) -> None:
    browser = third_server.browser()
    table = browser._create("nim", ("here", "largest"), {})
    with browser.open(table) as socket:
        socket.order("pace", milliseconds=0)
        play_on(socket, 0, until=2)
        while socket.state["outcome"] is None and "0" not in socket.choices:
            socket.receive()  # a bot's process that is killed as it starts leaves a traceback
        assert socket.log[0]["notation"].startswith("deal:")
        assert socket.log[0]["seat"] == -1
        shown = socket.table["log"]
    if restarts:
        third_server.kill()
        third_server.start()
        assert browser.get(f"/api/tables/{table}")["log"][: len(shown)] == shown
    with browser.open(table) as socket:
        play_on(socket, 0)
        outcome, log = socket.state["outcome"], socket.log
    assert (outcome["reason"], outcome["rule"]) == ("last-match", "N3.1")
    past = browser.get(f"/api/tables/{table}/positions/1")["state"]["position"]
    assert past["turn"] == 1
    record = browser.http.get(f"/api/tables/{table}/record").text
    position = json.loads(ekoes("nim", "replay", "-", stdin=record))
    assert (sum(position["heaps"]), position["turn"]) == (0, len(log))


def test_what_is_not_possible_says_why(third_server: Server) -> None:
    browser: Browser = third_server.browser()
    table = browser._create("nim", ("here", "here"), {})
    for answer in (browser.http.get, browser.http.post):
        refusal = answer(f"/api/tables/{table}/review")
        assert (refusal.status_code, refusal.json()["code"]) == (422, "table/wrong-order")
    with browser.open(table) as socket:
        while not socket.choices:
            socket.receive()
        refused = socket.order("act", seat=0, action={"type": "take", "heap": 0, "count": 99})
        assert (refused["rule"], refused["refusal"]) == ("N2.2", "no-such-matches")
        assert socket.order("resign", seat=0)["type"] == "ack"
        assert socket.state["outcome"]["rule"] == "N3.2"
