"""A server that ends, gently or not, loses nothing that it has acknowledged."""

from __future__ import annotations

import json
import signal

import pytest

from tests.kit.client import Json, Socket, decide, picture, play
from tests.kit.server import Server


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_turn_goes_on_in_its_middle(own_server: Server, end: signal.Signals) -> None:
    browser = own_server.browser()
    table = browser.create("here", {"kind": "open"})
    with browser.open(table) as socket:
        socket.ask("sit", seat=1, name="Grace")
        while not socket.choices:
            socket.receive()
        for effect in ("keep", "keep", "build"):
            play(socket, effect)
        before = socket.table
        own_server.stop(end)
    own_server.start()
    with browser.open(table) as socket:
        assert picture(socket.table) == picture(before)
        assert socket.table["seats"] == before["seats"]
        (seat,) = socket.state["asked"]
        assert socket.state["undo"] == [seat]
        assert socket.order("undo", seat=seat)["type"] == "ack"


def test_killed_server_remembers_held_turns_undos_offers_and_keys(own_server: Server) -> None:
    browser = own_server.browser()
    table = browser.create("here", "here", "here")
    with browser.open(table) as socket:
        for _ in range(3):
            play(socket, "keep")
        socket.order("draw", seat=2, offer=True)
        play(socket, "build")
        (seat,) = socket.state["undo"]
        socket.order("undo", seat=seat)
        play(socket, "regroup", hold=True)
        assert socket.state["held"] == seat
        before = socket.table
        message = {"key": "remembered", "version": socket.version, "seat": seat}
        socket.websocket.send(json.dumps({"type": "end_turn", **message}))
        acknowledged = socket.wait("ack")
        own_server.kill()
    own_server.start()
    with browser.open(table) as socket:
        assert socket.log == before["log"]
        assert socket.version == before["version"] + 1
        assert (socket.state["held"], socket.state["draw_offers"]) == (None, [2])
        socket.websocket.send(json.dumps({"type": "end_turn", **message}))
        assert socket.wait("ack", "error") == acknowledged


def test_killed_again_and_again_every_acknowledged_decision_stays(own_server: Server) -> None:
    browser = own_server.browser()
    table = browser.create("here", "here")
    told: list[Json] = []
    for _ in range(3):
        with browser.open(table) as socket:
            assert socket.log == told
            for _ in range(10):
                decide(socket)
            told = socket.log
            own_server.kill()
        own_server.start()
    with browser.open(table) as socket:
        assert socket.log == told
        assert len(told) == 30


def test_bots_go_on_after_a_restart_though_nobody_looks(own_server: Server) -> None:
    browser = own_server.browser()
    table = browser.create("random", "random", turn_limit=30)
    own_server.kill()
    own_server.start()
    with browser.open(table) as socket:
        wait_for_log(socket, 5)
        length = len(socket.log)
        own_server.kill()
    own_server.start()
    with browser.open(table) as socket:
        assert len(socket.log) >= length
        wait_for_log(socket, length + 3)


def wait_for_log(socket: Socket, length: int) -> None:
    while len(socket.log) < length:
        socket.receive()
