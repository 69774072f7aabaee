"""Several servers on one database: any of them is a door, and each table has one owner."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from tests.kit.client import Browser, Json, Socket, close_frame, decide, lobby
from tests.kit.server import Pair, Server, free_port
from tests.services.redis import redis_server


def seated(pair: Pair) -> tuple[Browser, Browser, str]:
    """Return two browsers at two doors with a seat each, and their table, which the first one's owns."""
    ada, bob = pair.browser(0), pair.browser(1)
    table = ada.create("here", "open")
    with bob.open(table) as socket:
        assert socket.ask("sit", seat=1, name="Bob")["type"] == "ack"
    return ada, bob, table


def play_on(one: Socket, other: Socket, decisions: int) -> None:
    """Let two decide by turns, as it comes; in the end both have seen all of it."""
    for _ in range(decisions):
        decide(one if one.choices else other)
        newest = max(one.version, other.version)
        one.until(newest)
        other.until(newest)


def test_two_play_at_one_table_through_two_doors(pair: Pair) -> None:
    ada, bob, table = seated(pair)
    with ada.open(table) as hers, bob.open(table) as his:
        play_on(hers, his, 12)
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
        play_on(hers, his, 4)


def test_lobby_is_one_for_all_doors(pair: Pair) -> None:
    ada, bob = pair.browser(0), pair.browser(1)
    seats = [{"kind": "here"}, {"kind": "open"}]
    plan: Json = {"game": "eko", "public": True, "options": {"players": 2}, "seats": seats}
    with lobby(ada, "Ada") as hers, lobby(bob, "Bob") as his:
        for visit in (hers, his):
            while {"Ada", "Bob"} > {each["name"] for each in visit.known["people"].values()}:
                visit.receive()
        for browser in (ada, bob):
            table = browser.http.post("/api/tables", json=plan).json()["id"]
            for visit in (hers, his):
                while table not in visit.known["tables"]:
                    visit.receive()


def test_owner_is_killed_and_the_table_goes_on_at_the_other_door(pair: Pair) -> None:
    ada, bob, table = seated(pair)
    with ada.open(table) as hers, bob.open(table) as his:
        play_on(hers, his, 8)
        told = hers.log
        pair.servers[0].kill()
        assert close_frame(his).code == 1012
    with pair.browser(1, ada).open(table) as hers, bob.open(table) as his:
        assert hers.log == told
        play_on(hers, his, 8)
    pair.servers[0].start()
    with ada.open(table) as hers, bob.open(table) as his:
        play_on(hers, his, 4)
        assert his.log[: len(told)] == told


def test_server_that_goes_tells_those_who_came_in_by_another_door(pair: Pair) -> None:
    ada, bob, table = seated(pair)
    with ada.open(table) as hers, bob.open(table) as his:
        play_on(hers, his, 4)
        pair.servers[0].stop(signal.SIGTERM)
        for socket in (hers, his):
            assert close_frame(socket).code == 1012
    with pair.browser(1, ada).open(table) as hers, bob.open(table) as his:
        play_on(hers, his, 4)
    pair.servers[0].start()


def test_owner_that_slept_and_wakes_writes_nothing(pair: Pair) -> None:
    ada, bob, table = seated(pair)
    with ada.open(table) as hers, bob.open(table) as his:
        play_on(hers, his, 6)
        pair.freeze(0)
        mine = hers if hers.choices else his
        seat, (choice, *_) = next(iter((hers.choices or his.choices).items()))
        order: Json = {"kind": "act", "key": "late", "seat": int(seat), "hold": False}
        order["version"] = hers.version
        order["action"] = choice["action"]
        hers.send(**(order if mine is hers else {"kind": "draw", "key": "late", "offer": True}))
        with pytest.raises(ConnectionClosed):
            his.wait("never")
        with pair.browser(1, ada).open(table) as there, bob.open(table) as back:
            play_on(there, back, 6)
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
        play_on(hers, his, 6)
        pair.freeze(0)
        with pytest.raises(ConnectionClosed):
            his.wait("never")
    with pair.browser(1, ada).open(table) as there, bob.open(table) as back:
        play_on(there, back, 6)
        host, port = pair.servers[0].address.removeprefix("http://").split(":")
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
    with redis_server() as redis, Server(tmp_path, "--redis", redis.url, *options, port=ports[0]) as server:
        browser = server.browser()
        with browser.open(browser.create("here", "here")):
            told = httpx.get(f"http://127.0.0.1:{ports[1]}/metrics").text
    (owned,) = (line for line in told.splitlines() if line.startswith("ekoes_leases "))
    assert float(owned.split()[1]) >= 1
