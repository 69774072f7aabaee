"""What the store does not take is neither acknowledged nor shown."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from tests.server.browser import Json, Socket
from tests.server.conftest import Server
from tests.server.test_tables import decide

REFUSES = "CREATE TRIGGER refuses BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'full'); END"
LOST = "ALTER TABLE events RENAME TO lost"


@contextmanager
def broken(server: Server, how: str, mended: str) -> Iterator[None]:
    """Break the database for a while, from outside."""
    with closing(sqlite3.connect(server.data / "ekoes.sqlite")) as database:
        database.executescript(how)
        yield
        database.executescript(mended)


def attempt(socket: Socket) -> Json:
    (seat,) = socket.choices
    return socket.order("act", seat=int(seat), action=socket.choices[seat][0]["action"], hold=False)


@pytest.mark.parametrize(
    ("how", "mended", "code"),
    [
        (REFUSES, "DROP TRIGGER refuses", "storage/conflict"),
        (LOST, "ALTER TABLE lost RENAME TO events", "storage/failed"),
    ],
)
def test_decision_that_is_not_stored_did_not_happen(
    own_server: Server, how: str, mended: str, code: str
) -> None:
    browser, watching = own_server.browser(), own_server.browser()
    table = browser.create("here", "here")
    with browser.open(table) as socket, watching.open(table) as watcher:
        decide(socket)
        watcher.until(1)
        with broken(own_server, how, mended):
            error = attempt(socket)
            assert error["code"] == code
            assert "lost" not in error["message"]
        assert browser.get(f"/api/tables/{table}")["version"] == 1
        decide(socket)
        update = watcher.wait("update")
        assert (update["version"], update["keep"], len(update["entries"])) == (2, 1, 1)
    assert code in own_server.log.read_text()
