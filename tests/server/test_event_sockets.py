"""Sockets over HTTP, where a network lets no WebSocket through."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ekoes.protocol import PROTOCOL, encode
from ekoes.server.ops.clock import WallClock
from ekoes.server.realtime.streams import EventSocket
from tests.kit.client import Browser
from tests.kit.loops import run_apart
from tests.kit.server import Server

LINE = "ab" * 16
BETWEEN = {"ack", "chat", "seats", "table"}


class Events:
    """An open stream of events."""

    def __init__(self, browser: Browser, address: str, lines: Iterator[str]) -> None:
        self._browser, self._address, self._lines = browser, address, lines

    def send(self, **message: Any) -> None:
        answer = self._browser.http.post(self._address, content=encode(message))
        assert answer.status_code == 204, answer.text

    def wait(self, kind: str) -> Any:
        for line in self._lines:
            if line.startswith("data: {"):
                message = json.loads(line[6:])
                assert message["type"] in {kind, *BETWEEN}, message
                if message["type"] == kind:
                    return message
        raise AssertionError(f"no {kind}")

    def rest(self) -> list[str]:
        return [line for line in self._lines if line]


@contextmanager
def opened(browser: Browser, place: str, protocol: int = PROTOCOL) -> Iterator[Events]:
    address = f"/api/{place}/events/{LINE}"
    with browser.http.stream("GET", f"{address}?protocol={protocol}") as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        yield Events(browser, address, answer.iter_lines())


def test_events_and_requests_carry_what_a_socket_does(server: Server, browser: Browser) -> None:
    table = browser.create("here", "here")
    with opened(browser, f"tables/{table}") as line:
        assert line.wait("table")["id"] == table
        line.send(type="beat")
        line.wait("beat")
        line.send(type="chat", key="c", on=True)
        assert line.wait("chat")["lines"] == []
        line.send(type="say", key="s", text="hello")
        assert line.wait("said")["line"]["text"] == "hello"
        line.send(type="resign", key="r", version=0, seat=0)
        assert line.wait("update")["version"] == 1
        assert line.wait("ack")["key"] == "r"
        other = server.browser()
        assert other.http.post(f"/api/tables/{table}/events/{LINE}", content="{}").status_code == 404
    for place, first in (("lobby", "lobby"), ("tournaments/none", "error")):
        with opened(browser, place) as line:
            line.wait(first)


def test_a_line_of_events_ends_with_the_code_that_closes_a_socket(browser: Browser) -> None:
    with opened(browser, "tables/none") as line:
        assert line.rest()[-2:] == ["event: end", "data: 4404"]
    with opened(browser, f"tables/{browser.create('here', 'here')}", protocol=1) as line:
        assert line.rest()[-2:] == ["event: end", "data: 4426"]


class _Impatient(WallClock):
    """A clock whose every sleep is over at once."""

    async def sleep(self, seconds: float) -> None:
        return


@run_apart
async def test_a_line_of_events_ends_once_its_client_is_silent() -> None:
    assert [event async for event in EventSocket("a").lines(_Impatient())] == ["event: end\ndata: 4408\n\n"]
