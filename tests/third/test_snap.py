"""A fourth game, of hidden cards and races, with one entry point and no change elsewhere."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kit.client import Browser, Json, Socket
from tests.kit.server import Server

Ekoes = Callable[..., str]
SEATS = ("slow", "quick", "slow")


def test_bots_play_it_without_haste(ekoes: Ekoes, tmp_path: Path) -> None:
    players = ", ".join(f'{{name = "{name}", bot = "{bot}"}}' for name, bot in zip("abc", SEATS, strict=True))
    (tmp_path / "table.toml").write_text(f'game = "snap"\nseats = 3\nrounds = 2\nplayers = [{players}]')
    assert "6 games" in ekoes("arena", "run", "table.toml", "--workers", "1")


def next_step(socket: Socket, steps: int) -> Json:
    """Wait until so many steps have been taken; return what stands on the table."""
    while socket.state["position"]["steps"] < steps and socket.state["outcome"] is None:
        socket.receive()
    position: Json = socket.state["position"]
    return position


def is_pair(position: Json) -> bool:
    pile = position["pile"]
    return len(pile) > 1 and pile[-1] % 4 == pile[-2] % 4


def intend(socket: Socket, kind: str, on: int) -> Json:
    return socket.ask("intent", seat=0, action={"type": kind, "on": on})


@pytest.mark.long
def test_it_is_raced_at_a_table_stored_and_replayed(third_server: Server, ekoes: Ekoes) -> None:
    """A person against the slow bot: the faster player takes every pair, and the other is told to be late."""
    browser: Browser = third_server.browser()
    table = browser._create("snap", ("here", "slow"), {})
    took = False
    with browser.open(table) as socket:
        assert socket.ask("pace", milliseconds=200)["type"] == "ack"
        while not socket.log:
            socket.receive()
        assert socket.log[0]["notation"] == "deal:", "nobody sees how the cards lie"
        while socket.state["outcome"] is None:
            position = socket.state["position"]
            steps = position["steps"]
            if is_pair(position):
                assert intend(socket, "snap", steps)["type"] == "ack"
                took = True
            elif position["player"] == 0:
                assert intend(socket, "turn", steps)["type"] == "ack"
            next_step(socket, steps + 1)
            if steps == 3:
                third_server.kill()
                third_server.start()
                break
    shown = browser.get(f"/api/tables/{table}")
    assert shown["log"][: len(socket.log)] == socket.log
    with browser.open(table) as again:
        while again.state["outcome"] is None:
            position = again.state["position"]
            steps = position["steps"]
            if is_pair(position):
                intend(again, "snap", steps)
                took = True
            elif position["player"] == 0:
                intend(again, "turn", steps)
            next_step(again, steps + 1)
        if took:
            assert intend(again, "snap", 0)["code"] == "table/game-over"
        log = again.log
    record = browser.http.get(f"/api/tables/{table}/record")
    assert record.status_code == 200, record.text
    end = json.loads(ekoes("snap", "replay", "-", stdin=record.text))
    assert sum(map(len, end["stacks"])) == 0
    assert end["steps"] == len([entry for entry in log if entry["notation"] in {"turn", "snap"}])


def test_a_late_snap_is_logged_and_the_record_waits_for_the_end(third_server: Server) -> None:
    browser: Browser = third_server.browser()
    table = browser._create("snap", ("here", "slow"), {})
    with browser.open(table) as socket:
        while not socket.log:
            socket.receive()
        while socket.state["position"]["steps"] < 1:
            if socket.state["position"]["player"] == 0:
                intend(socket, "turn", 0)
            next_step(socket, 1)
        assert intend(socket, "snap", 0)["type"] == "ack"
        while not any(entry["notation"] == "late" for entry in socket.log):
            socket.receive()
        refused = browser.http.get(f"/api/tables/{table}/record")
        assert (refused.status_code, refused.json()["rule"]) == (409, "S1.2")
        assert socket.ask("resign", seat=0)["type"] == "ack"


def test_what_cannot_be_read_names_its_key(third_server: Server) -> None:
    browser: Browser = third_server.browser()
    with browser.open(browser._create("snap", ("here", "slow"), {})) as socket:
        while not socket.log:
            socket.receive()
        lacking = socket.ask("intent", seat=0, action={"type": "turn"})
        assert (lacking["code"], lacking["field"]) == ("message/missing-key", "action.on")
        unknown = socket.ask("intent", seat=0, action={"type": "fly", "on": 0})
        assert (unknown["code"], unknown["field"]) == ("message/unknown-type", "action.type")
