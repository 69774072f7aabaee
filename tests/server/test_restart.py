"""Restarts, shutdown, backups, and reads that write nothing."""

from __future__ import annotations

import json
import signal
import sqlite3
import threading
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from ekoes.protocol import RESTARTS
from tests.kit.client import Browser, Json, Lobby, Socket, decide, lobby, picture, play, post, sign_up
from tests.kit.examples import one_quick
from tests.kit.server import Server, ekoes, refused
from tests.kit.tournaments import join, make, start


@pytest.mark.parametrize(
    "end", [pytest.param(signal.SIGINT, marks=pytest.mark.long), signal.SIGTERM, signal.SIGKILL]
)
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
    answer: list[Json] = []
    for _ in range(3):
        with browser.open(table) as socket:
            assert socket.log == answer
            for _ in range(10):
                decide(socket)
            answer = socket.log
            own_server.kill()
        own_server.start()
    with browser.open(table) as socket:
        assert socket.log == answer
        assert len(answer) == 30


@pytest.mark.long
def test_challenges_and_their_answers_survive_a_kill(own_server: Server) -> None:
    people = [own_server.browser() for _ in range(3)]
    for browser, name in zip(people, ("Ada", "Bo", "Eve"), strict=True):
        sign_up(browser, name)
    ada, bo, eve = people
    seats = [{"kind": "here"}, {"kind": "account", "account": "Bo"}, {"kind": "account", "account": "Eve"}]
    plan = {"game": "eko", "options": {"players": 3, "clock": {"days": 3}}, "seats": seats}
    made = post(ada, "/api/challenges", 201, **plan)
    declined = post(ada, "/api/challenges", 201, **plan)
    assert post(bo, f"/api/challenges/{made['id']}/accept", 200)["table"] is None
    post(eve, f"/api/challenges/{declined['id']}/decline", 204)
    own_server.kill()
    own_server.start()
    (pending,) = ada.get("/api/challenges")["challenges"]
    assert pending["ends"] == made["ends"]
    assert [seat["accepted"] for seat in pending["seats"]] == [True, True, False]
    table = post(eve, f"/api/challenges/{made['id']}/accept", 200)["table"]
    with bo.open(table) as socket:
        assert [seat["name"] for seat in socket.table["seats"]] == ["Ada", "Bo", "Eve"]
    own_server.kill()
    own_server.start()
    assert ada.get("/api/challenges")["challenges"] == []


def test_server_starts_with_challenges_and_tournaments_of_games_that_it_does_not_know(
    own_server: Server,
) -> None:
    ada, bo = own_server.browser(), own_server.browser()
    for browser, name in ((ada, "Ada"), (bo, "Bo")):
        sign_up(browser, name)
    seats = [{"kind": "here"}, {"kind": "account", "account": "Bo"}, {"kind": "bot", "bot": "random"}]
    plan = {"game": "eko", "options": {"players": 3}, "seats": seats}
    ids = [post(ada, "/api/challenges", 201, **plan)["id"] for _ in range(3)]
    tournaments = [make(ada) for _ in range(3)]
    for tournament in tournaments[1:]:
        join(ada, tournament)
        join(bo, tournament)
        start(ada, tournament)
    table = ada.get(f"/api/tournaments/{tournaments[2]}")["rounds"]["1"][0]["table"]
    own_server.kill()
    with closing(sqlite3.connect(own_server.database)) as database, database:
        change = "UPDATE {} SET plan = replace(plan, ?, ?) WHERE id = ?"
        database.execute(change.format("challenges"), ('"random"', '"of-old"', ids[0]))
        database.execute(change.format("challenges"), ('"chat"', '"of_old"', ids[1]))
        for tournament in tournaments[:2]:
            database.execute(change.format("tournaments"), ('"grace"', '"of_old"', tournament))
        database.execute("UPDATE states SET digest = 'x' WHERE table_id = ?", (table,))
    own_server.start()
    assert [one["id"] for one in ada.get("/api/challenges")["challenges"]] == ids[2:]
    assert [one["id"] for one in ada.get("/api/tournaments")["tournaments"]] == tournaments[2:]
    with closing(sqlite3.connect(own_server.database)) as database:
        assert {*database.execute("SELECT id FROM challenges")} == {(one,) for one in ids}


@pytest.mark.long
def test_bots_continue_after_a_restart_without_viewers(own_server: Server) -> None:
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


CLOCK = {"base": 300, "increment": 5, "up": "lose"}


def closing_code(line: Socket | Lobby, received: list[Json]) -> int | None:
    """Receive messages until a socket is closed; return the close code."""
    try:
        while True:
            received.append(line.receive())
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


def test_shutdown_answers_pending_messages_closes_sockets_and_stops_clocks(own_server: Server) -> None:
    players = [own_server.browser(), own_server.browser()]
    table = players[0].create("here", "here", clock=CLOCK)
    received: list[Json] = []
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
        assert [closing_code(line, received) for line in everybody] == [RESTARTS] * 3
        answer = datetime.now(UTC)
    own_server.stop()
    own_server.start()
    with players[0].open(table) as socket:
        socket.websocket.send(json.dumps(act | {"key": "first"}))
        assert socket.wait("ack", "error")["type"] == "ack"
        assert len(socket.log) == 1
    ((_, until), (began, _)), rests = runs_and_rests(own_server)
    assert until <= answer
    assert rests == [(began - until) // timedelta(milliseconds=1)]


def test_unresponsive_client_does_not_delay_shutdown(own_server: Server) -> None:
    browser = own_server.browser()
    with browser.open(browser.create("here", "here")) as socket:
        socket.websocket.socket.setblocking(False)
        own_server.stop(signal.SIGTERM)
        assert own_server.log.read_text() == ""


@pytest.mark.long
def test_server_goes_on_from_a_backup_that_was_made_while_people_played(
    own_server: Server, tmp_path: Path
) -> None:
    ada, bo = own_server.browser(), own_server.browser()
    resting, busy = ada.create("here", "here"), bo.create("here", "here")
    with ada.open(resting) as socket:
        for _ in range(5):
            decide(socket)
        before = socket.table
    copy, done = tmp_path / "copy.zip", threading.Event()
    with bo.open(busy) as socket:

        def back_up() -> None:
            try:
                ekoes("backup", copy, "--data", own_server.data)
            finally:
                done.set()

        decide(socket)
        acknowledged = socket.version
        thread = threading.Thread(target=back_up)
        thread.start()
        while socket.choices and not done.is_set():
            decide(socket)
        thread.join()
        meanwhile = socket.version
    own_server.stop()
    other = tmp_path / "other"
    restored = json.loads(ekoes("restore", copy, "--data", other / "data"))
    assert restored == {"folder": str(other / "data"), "aside": None}
    assert "--replace" in refused("restore", copy, "--data", other / "data")
    own_server.data = other / "data"
    own_server.start()
    with ada.open(resting) as socket:
        assert picture(socket.table) == picture(before)
        assert [seat["yours"] for seat in socket.table["seats"]] == [True, True]
        decide(socket)
    with bo.open(busy) as socket:
        assert acknowledged <= socket.version <= meanwhile


def test_server_that_was_cut_off_looks_whether_its_database_is_whole(own_server: Server) -> None:
    browser = own_server.browser()
    table = browser.create("here", "here")
    with browser.open(table) as socket:
        decide(socket)
    own_server.stop()
    own_server.start()
    assert "integrity" not in own_server.log.read_text()
    with browser.open(table) as socket:
        decide(socket)
        own_server.kill()
    own_server.start()
    assert "the last server did not close the database; checking its integrity" in own_server.log.read_text()
    with browser.open(table) as socket:
        assert socket.version == 2
        own_server.kill()
    database = own_server.database
    with database.open("r+b") as file:
        file.seek(8192)
        file.write(b"\xff" * 4096)
    assert "ekoes restore" in refused("play", "--no-browser", "--port", "0", "--data", own_server.data)


def dump(database: Path) -> list[str]:
    """Return all that is stored except the uptimes."""
    with closing(sqlite3.connect(database)) as connection:
        return [line for line in connection.iterdump() if not line.startswith('INSERT INTO "uptimes"')]


def content(database: Path) -> bytes:
    """Return the file, all that was written being in it."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return database.read_bytes()


def eko_in_play(browser: Browser) -> str:
    """A table of Ekö after some decisions, held by one browser."""
    table = browser.create("here", "here")
    with browser.open(table) as socket:
        for _ in range(9):
            decide(socket)
    return table


def ekko_in_play(browser: Browser, other: Browser) -> str:
    """A table of EKKO in its race, whose clock runs."""
    table = browser.create_race("here", {"kind": "open"}, turn_clock=120)
    with browser.open(table) as one, other.open(table) as two:
        two.ask("sit", seat=1)
        for seat, socket in enumerate((one, two)):
            while socket.state["stage"] == "waiting":
                socket.receive()
            assert socket.intend(seat, "ready", round=1)["type"] == "ack"
        while one.state["stage"] != "race":
            one.receive()
    return table


def look(browser: Browser, table: str, seats: int) -> None:
    """Ask for all that can be asked for about a table, and look on for a while."""
    shown = browser.get(f"/api/tables/{table}")
    assert sum(seat["yours"] for seat in shown["seats"]) == seats
    browser.get(f"/api/tables/{table}/positions/1")
    browser.http.get(f"/api/tables/{table}/record")
    for _ in range(2):
        with browser.open(table) as socket:
            assert socket.version == shown["version"]
            assert socket.ask("rename", seat=9, name="nobody")["type"] == "error"


@pytest.mark.parametrize("game", one_quick("ekko", ["eko"]))
def test_opening_looking_and_leaving_writes_nothing(own_server: Server, game: str) -> None:
    browser, stranger = own_server.browser(), own_server.browser()
    other = own_server.browser()
    table = eko_in_play(browser) if game == "eko" else ekko_in_play(browser, other)
    database = own_server.database
    for has_played in (True, False):  # at the server that played it, and at one that takes it up
        before, as_it_was = dump(database), content(database)
        for each, seats in ((stranger, 0), (browser, 2 if game == "eko" else 1)):
            look(each, table, seats)
        added = [line for line in dump(database) if line not in before]
        assert len(added) <= has_played, "the state, if the table has left memory since it was played"
        assert all(line.startswith('INSERT INTO "states"') for line in added)
        assert has_played or content(database) == as_it_was
        own_server.stop()
        own_server.start()
    assert dump(database) == before
