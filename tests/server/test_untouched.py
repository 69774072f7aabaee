"""Looking at a table changes nothing: not a byte of the database, by whatever way and whoever looks."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.kit.client import Browser, decide
from tests.kit.server import Server


def dump(database: Path) -> list[str]:
    """Return all that is kept, but when servers were there."""
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
            assert socket.ask("why", seat=9, action={})["type"] == "error"
            assert socket.ask("rename", seat=9, name="nobody")["type"] == "error"


@pytest.mark.parametrize("game", ["eko", "ekko"])
def test_opening_looking_and_leaving_writes_nothing(own_server: Server, game: str) -> None:
    browser, stranger = own_server.browser(), own_server.browser()
    other = own_server.browser()
    table = eko_in_play(browser) if game == "eko" else ekko_in_play(browser, other)
    database = own_server.database
    before = dump(database)
    for _ in range(2):  # at the server that played it, and at one that takes it up
        as_it_was = content(database)
        for each, seats in ((stranger, 0), (browser, 2 if game == "eko" else 1)):
            look(each, table, seats)
        assert (dump(database), content(database)) == (before, as_it_was)
        own_server.stop()
        own_server.start()
    assert dump(database) == before
