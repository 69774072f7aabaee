"""A server is copied while people play, and goes on elsewhere from the copy; a damaged one does not start."""

from __future__ import annotations

import json
import threading
from pathlib import Path

from tests.kit.client import decide, picture
from tests.kit.server import Server, ekoes, refused


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
