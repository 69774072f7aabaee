"""A server that is told to go: people are told, what is under way is kept, and no clock loses time."""

from __future__ import annotations

import json
import signal
import sqlite3
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta

from websockets.exceptions import ConnectionClosed

from ekoes.protocol.incoming import RESTARTS
from tests.kit.client import Json, Lobby, Socket, lobby
from tests.kit.server import Server

CLOCK = {"base": 300, "increment": 5, "up": "lose"}


def closing_code(line: Socket | Lobby, heard: list[Json]) -> int | None:
    """Take messages in until a line is closed, and return the code that says why."""
    try:
        while True:
            heard.append(line.receive())
    except ConnectionClosed as closed:
        return None if closed.rcvd is None else closed.rcvd.code


def runs_and_rests(server: Server) -> tuple[list[tuple[datetime, datetime]], list[int]]:
    """Return from when until when servers were there, and for how many milliseconds clocks stood."""
    with closing(sqlite3.connect(server.database)) as database:
        runs = database.execute("SELECT began, until FROM uptimes ORDER BY began").fetchall()
        orders = [json.loads(text) for (text,) in database.execute("SELECT body FROM events")]
    times = [
        (datetime.fromisoformat(began).replace(tzinfo=UTC), datetime.fromisoformat(until).replace(tzinfo=UTC))
        for began, until in runs
    ]
    return times, [order["milliseconds"] for order in orders if order["type"] == "stand_still"]


def test_what_was_read_is_answered_lines_are_told_and_clocks_lose_nothing(own_server: Server) -> None:
    players = [own_server.browser(), own_server.browser()]
    table = players[0].create("here", "here", clock=CLOCK)
    heard: list[Json] = []
    with ExitStack() as opened:
        lines = [opened.enter_context(each.open(table)) for each in players]
        hall = opened.enter_context(lobby(players[1]))
        socket = lines[0]
        ((seat, rows),) = [(seat, rows) for seat, rows in socket.choices.items() if rows]
        act = {"type": "act", "seat": int(seat), "action": rows[0]["action"], "version": socket.version}
        socket.websocket.send(json.dumps(act | {"key": "first"}))
        socket.wait("ack")
        for number in range(5):
            socket.websocket.send(json.dumps({"type": "table", "key": f"again-{number}"}))
        own_server.signal(signal.SIGTERM)
        everybody: list[Socket | Lobby] = [*lines, hall]
        assert [closing_code(line, heard) for line in everybody] == [RESTARTS] * 3
        told = datetime.now(UTC)
    own_server.stop()
    own_server.start()
    with players[0].open(table) as socket:
        socket.websocket.send(json.dumps(act | {"key": "first"}))
        assert socket.wait("ack", "error")["type"] == "ack"
        assert len(socket.log) == 1
    ((_, until), (began, _)), rests = runs_and_rests(own_server)
    assert until <= told
    assert rests == [(began - until) // timedelta(milliseconds=1)]


def test_who_says_nothing_more_does_not_hold_a_server_that_goes(own_server: Server) -> None:
    browser = own_server.browser()
    with browser.open(browser.create("here", "here")) as socket:
        socket.websocket.socket.setblocking(False)
        own_server.stop(signal.SIGTERM)
        assert own_server.log.read_text() == ""
