"""What goes over the line: large messages deflated, small ones as they are; other protocols hear so."""

from __future__ import annotations

import json

import pytest
from websockets.exceptions import ConnectionClosedError
from websockets.extensions.permessage_deflate import PerMessageDeflate
from websockets.frames import Frame, Opcode
from websockets.sync.client import ClientConnection, connect

from ekoes.server.realtime.connection import LARGE
from tests.kit.client import PATIENCE, Browser, decide


def test_the_whole_table_is_deflated_and_what_follows_is_not(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    came: list[tuple[bool, int]] = []
    decode = PerMessageDeflate.decode

    def listen(extension: PerMessageDeflate, frame: Frame, *, max_size: int | None = None) -> Frame:
        if frame.opcode is Opcode.TEXT:  # the server pings too
            came.append((frame.rsv1, len(frame.data)))
        return decode(extension, frame, max_size=max_size)

    monkeypatch.setattr(PerMessageDeflate, "decode", listen)
    with browser.open(browser.create("here", "here")) as socket:
        for _ in range(20):
            decide(socket)
    (is_deflated, size), *others = came
    assert is_deflated
    assert size < LARGE
    assert len(others) >= 40
    assert not any(deflated for deflated, _ in others)


@pytest.mark.parametrize("named", ["", "?protocol=1", "?protocol=3", "?protocol=two"])
def test_a_page_of_another_protocol_is_told_to_load_anew(browser: Browser, named: str) -> None:
    with line_to(browser, f"{browser.create('here', 'here')}/socket{named}") as line:
        told = json.loads(line.recv(timeout=PATIENCE))
        assert (told["type"], told["code"]) == ("error", "message/protocol")
        assert "reload" in told["message"]
        with pytest.raises(ConnectionClosedError) as closed:
            line.recv(timeout=PATIENCE)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4426


def line_to(browser: Browser, path: str) -> ClientConnection:
    address = str(browser.http.base_url).replace("http://", "ws://")
    return connect(f"{address}/api/tables/{path}", additional_headers={"Cookie": browser.cookie}, proxy=None)


def test_the_whole_table_comes_again_when_asked_for(browser: Browser) -> None:
    with browser.open(browser.create("here", "here")) as socket:
        decide(socket)
        before, socket.table = socket.table, {}
        assert socket.ask("table")["type"] == "ack"
        assert socket.table == before


def test_the_ways_of_a_stack_are_told(browser: Browser) -> None:
    with browser.open(browser.create("here", "here")) as socket:
        for _ in range(2):
            decide(socket)
        spaces = [space["space"] for space in socket.table["board"]["spaces"]]
        source = next(iter(socket.state["position"]["stacks"]))
        told = socket.ask("ways", of=spaces.index(source))
        assert (told["version"], told["ways"]["nodes"][0]) == (socket.version, [spaces.index(source), -1])
        for wrong in (-1, len(spaces), "0,0", True, None):
            error = socket.ask("ways", of=wrong)
            assert (error["code"], error["field"]) == ("message/bad-type", "of")


def test_a_game_of_races_knows_no_ways(browser: Browser) -> None:
    with browser.open(browser.create_race("here", "beginner")) as socket:
        assert socket.ask("ways", of=0)["code"] == "table/wrong-order"
