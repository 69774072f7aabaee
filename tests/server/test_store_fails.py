"""What the store does not take is neither acknowledged nor shown."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

import pytest
from websockets.exceptions import ConnectionClosedError, InvalidStatus
from websockets.frames import Close

from tests.kit.client import Json, Socket, decide, lobby
from tests.kit.server import EKOES, Server, ekoes

REFUSES = "CREATE TRIGGER refuses BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'full'); END"
EARLY = "ALTER TABLE events RENAME COLUMN shown TO lost", "ALTER TABLE events RENAME COLUMN lost TO shown"
HOLDERS = "ALTER TABLE accounts RENAME TO lost", "ALTER TABLE lost RENAME TO accounts"
PLACES = "ALTER TABLE places RENAME TO lost", "ALTER TABLE lost RENAME TO places"
LOST = "ALTER TABLE events RENAME TO lost"


@pytest.fixture(scope="module")
def breakable(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose database each test breaks for a while."""
    with Server(tmp_path_factory.mktemp("breakable")) as server:
        yield server


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
        with own_server.broken(how, mended):
            error = attempt(socket)
            assert error["code"] == code
            assert "lost" not in error["message"]
        assert browser.get(f"/api/tables/{table}")["version"] == 1
        decide(socket)
        update = watcher.wait("update")
        assert (update["version"], [entry["n"] for entry in update["entries"]]) == (2, [2])
    assert code in own_server.log.read_text()


def test_resent_table_reports_a_storage_failure(breakable: Server) -> None:
    browser = breakable.browser()
    with browser.open(browser.create("here", "here")) as socket:
        for _ in range(12):  # the first of them are in the store alone
            decide(socket)
        with breakable.broken(*EARLY):
            (seat,) = socket.choices
            action = socket.choices[seat][0]["action"]
            refused = socket.ask("act", seat=int(seat), version=3, action=action, hold=False)
            assert refused["code"] == "table/stale"
            assert socket.wait("error")["code"] == "storage/failed"
        decide(socket)


def test_socket_opened_during_a_storage_failure_is_closed_with_1011(breakable: Server) -> None:
    browser, other = breakable.browser(), breakable.browser()
    table = browser.create("here", "here")
    with browser.open(table) as socket:
        for _ in range(12):
            decide(socket)
        with breakable.broken(*EARLY), pytest.raises(ConnectionClosedError) as closed, other.open(table):
            pass
    assert closed.value.rcvd == Close(1011, "storage/failed")


def test_lobby_socket_is_closed_during_a_storage_failure(breakable: Server) -> None:
    browser = breakable.browser()
    with breakable.broken(*PLACES), pytest.raises(ConnectionClosedError) as closed, lobby(browser, "Ada"):
        pass
    assert closed.value.rcvd == Close(1011, "storage/failed")


def test_unauthenticated_sockets_get_503_during_a_storage_failure(breakable: Server) -> None:
    browser = breakable.browser()
    table = browser.create("here", "here")
    breakable.stop()  # so that it does not know anybody
    breakable.start()
    with breakable.broken(*HOLDERS), pytest.raises(InvalidStatus) as refused, browser.open(table):
        pass
    assert refused.value.response.status_code == 503
    assert b"storage/failed" in refused.value.response.body
    assert "without completing handshake" not in breakable.log.read_text()


def test_failure_that_goes_on_is_one_line_in_the_log(own_server: Server) -> None:
    browser = own_server.browser()
    table = browser.create("here", "here")
    with browser.open(table) as socket, own_server.broken(REFUSES, "DROP TRIGGER refuses"):
        assert [attempt(socket)["code"] for _ in range(5)] == ["storage/conflict"] * 5
    assert own_server.log.read_text().count("storage failed") == 1


def test_start_on_a_full_disk_is_one_line_without_a_traceback(own_server: Server) -> None:
    own_server.stop()
    full = ["bash", "-c", 'ulimit -f 4; exec "$@"', "bash"]  # no file may grow beyond 4 KiB
    command = [EKOES, "play", "--no-browser", "--port", "0", "--data", str(own_server.data)]
    done = subprocess.run([*full, *command], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.splitlines() == ["ekoes: the database failed: disk I/O error"]


def test_second_server_on_a_data_folder_is_refused(breakable: Server) -> None:
    refused = ekoes("play", "--no-browser", "--port", "0", "--data", breakable.data, status=2)
    assert f"another server uses the data folder {breakable.data}" in refused
    assert breakable.browser().get("/api/meta")
