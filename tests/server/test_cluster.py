"""Several servers on one database: any of them is a door, and each table has one owner."""

from __future__ import annotations

import json
import signal
import socket
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Self

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from tests.server.browser import Browser, Json, Socket
from tests.server.conftest import Server
from tests.server.lobby import lobby
from tests.server.test_health import free_port
from tests.server.test_tables import decide
from tests.services.redis import redis_server


class Pair:
    """Two servers that share folder, database, key and Redis. redis: a URL, else one of their own."""

    def __init__(self, folder: Path, redis: str = "") -> None:
        self._opened = ExitStack()
        options = ("--redis", redis or self._opened.enter_context(redis_server()).url)
        self.servers = [self._server(folder, name, options) for name in "ab"]

    def _server(self, folder: Path, name: str, options: Sequence[str]) -> Server:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = str(free.getsockname()[1])
        server = Server(folder, "--cluster", f"127.0.0.1:{port}", "--bot-workers", "0", *options)
        server.log = folder / f"{name}.log"
        return server.start(port)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_failure: object) -> None:
        """Stop both; neither has stumbled over anything."""
        for server in self.servers:
            server.stop()
        self._opened.close()
        for server in self.servers:
            assert "Traceback" not in server.log.read_text()

    def stand_still(self, door: int) -> None:
        """Stop a server where it writes nothing: the other one waits while it holds SQLite."""
        server = self.servers[door]
        with closing(sqlite3.connect(server.data / "ekoes.sqlite", timeout=60)) as database:
            database.execute("BEGIN IMMEDIATE")
            server.signal(signal.SIGSTOP)

    def browser(self, door: int, like: Browser | None = None) -> Browser:
        """Return a browser that comes in at a door. like: with the cookies of another one."""
        browser = self.servers[door].browser()
        if like is not None:
            browser.http.cookies = like.http.cookies
        return browser


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    with Pair(tmp_path_factory.mktemp("pair")) as both:
        yield both


def seated(pair: Pair) -> tuple[Browser, Browser, str]:
    """Return two browsers at two doors with a seat each, and their table, which the first one's owns."""
    ada, bob = pair.browser(0), pair.browser(1)
    table = ada.create("here", "open")
    with bob.open(table) as socket:
        assert socket.ask("sit", seat=1, name="Bob")["type"] == "ack"
    return ada, bob, table


def play(one: Socket, other: Socket, decisions: int) -> None:
    """Let two decide by turns, as it comes; in the end both have seen all of it."""
    for _ in range(decisions):
        decide(one if one.choices else other)
        newest = max(one.version, other.version)
        one.until(newest)
        other.until(newest)


def test_two_play_at_one_table_through_two_doors(pair: Pair) -> None:
    ada, bob, table = seated(pair)
    with ada.open(table) as hers, bob.open(table) as his:
        play(hers, his, 12)
        assert his.log == hers.log
    assert bob.get(f"/api/tables/{table}")["log"] == ada.get(f"/api/tables/{table}")["log"]
    assert bob.http.get("/api/tables/none").status_code == 404


def test_what_concerns_a_table_elsewhere_brings_it_here(pair: Pair) -> None:
    ada, bob, table = seated(pair)
    with ada.open(table) as hers:
        passed = ada.http.post(f"/api/tables/{table}/seats/0/pass").json()["pass"]
        guest = pair.browser(1)
        assert guest.http.post("/api/passes", json={"pass": passed}).status_code == 200
        with pytest.raises(ConnectionClosed):
            hers.wait("never")
    with guest.open(table) as hers, bob.open(table) as his:
        play(hers, his, 4)


def test_lobby_is_one_for_all_doors(pair: Pair) -> None:
    ada, bob = pair.browser(0), pair.browser(1)
    seats = [{"kind": "here"}, {"kind": "open"}]
    plan: Json = {"game": "eko", "public": True, "options": {"players": 2}, "seats": seats}
    with lobby(ada, "Ada") as hers, lobby(bob, "Bob") as his:
        for visit in (hers, his):
            while {"Ada", "Bob"} > {each["name"] for each in visit.told["people"].values()}:
                visit.receive()
        for browser in (ada, bob):
            table = browser.http.post("/api/tables", json=plan).json()["id"]
            for visit in (hers, his):
                while table not in visit.told["tables"]:
                    visit.receive()


def test_owner_is_killed_and_the_table_goes_on_at_the_other_door(pair: Pair) -> None:
    ada, bob, table = seated(pair)
    with ada.open(table) as hers, bob.open(table) as his:
        play(hers, his, 8)
        told = hers.log
        pair.servers[0].kill()
        with pytest.raises(ConnectionClosed) as closed:
            his.wait("never")
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1012
    with pair.browser(1, ada).open(table) as hers, bob.open(table) as his:
        assert hers.log == told
        play(hers, his, 8)
    pair.servers[0].restart()
    with ada.open(table) as hers, bob.open(table) as his:
        play(hers, his, 4)
        assert his.log[: len(told)] == told


def test_server_that_goes_tells_those_who_came_in_by_another_door(pair: Pair) -> None:
    ada, bob, table = seated(pair)
    with ada.open(table) as hers, bob.open(table) as his:
        play(hers, his, 4)
        pair.servers[0].stop(signal.SIGTERM)
        for socket in (hers, his):
            with pytest.raises(ConnectionClosed) as closed:
                socket.wait("never")
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012
    with pair.browser(1, ada).open(table) as hers, bob.open(table) as his:
        play(hers, his, 4)
    pair.servers[0].restart()


def test_owner_that_slept_and_wakes_writes_nothing(pair: Pair) -> None:
    ada, bob, table = seated(pair)
    with ada.open(table) as hers, bob.open(table) as his:
        play(hers, his, 6)
        pair.stand_still(0)
        mine = hers if hers.choices else his
        seat, (choice, *_) = next(iter((hers.choices or his.choices).items()))
        order: Json = {"type": "act", "key": "late", "seat": int(seat), "hold": False}
        order["version"] = hers.version
        order["action"] = choice["action"]
        hers.line.send(json.dumps(order if mine is hers else {"type": "draw", "key": "late", "offer": True}))
        with pytest.raises(ConnectionClosed):
            his.wait("never")
        with pair.browser(1, ada).open(table) as there, bob.open(table) as back:
            play(there, back, 6)
            pair.servers[0].signal(signal.SIGCONT)
            answers = list(rest(hers))
            told = back.log
    assert "late" not in [answer.get("key") for answer in answers if answer["type"] == "ack"]
    with ada.open(table) as hers:
        assert hers.log == told


@pytest.mark.long
def test_owner_that_slept_and_wakes_shows_nothing_of_before(pair: Pair) -> None:
    ada, bob, table = seated(pair)
    with ada.open(table) as hers, bob.open(table) as his:
        play(hers, his, 6)
        pair.stand_still(0)
        with pytest.raises(ConnectionClosed):
            his.wait("never")
    with pair.browser(1, ada).open(table) as there, bob.open(table) as back:
        play(there, back, 6)
        host, port = pair.servers[0].address.removeprefix("http://").rstrip("/").split(":")
        line = HTTPConnection(host, int(port))
        line.request("GET", f"/api/tables/{table}", headers={"Cookie": ada.cookie})
        pair.servers[0].signal(signal.SIGCONT)  # the request is the first that it finds
        with closing(line):
            assert json.load(line.getresponse())["version"] == back.version


def rest(socket: Socket) -> Iterator[Json]:
    """Yield what a socket is still told until it is closed."""
    try:
        while True:
            yield socket.receive()
    except ConnectionClosed:
        return


def test_measures_tell_what_each_process_owns(tmp_path: Path) -> None:
    ports = [free_port(), free_port()]
    address = f"127.0.0.1:{ports[0]}"
    options = ("--cluster", address, "--bot-workers", "0", "--metrics", str(ports[1]))
    with redis_server() as redis:
        server = Server(tmp_path, "--redis", redis.url, *options).start(str(ports[0]))
        browser = server.browser()
        with browser.open(browser.create("here", "here")):
            told = httpx.get(f"http://127.0.0.1:{ports[1]}/metrics").text
        server.stop()
    (owned,) = (line for line in told.splitlines() if line.startswith("ekoes_leases "))
    assert float(owned.split()[1]) >= 1
