"""Tournaments as tests play them, with people who have accounts and sockets."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from ekoes.protocol.diff import changed
from ekoes.protocol.incoming import PROTOCOL, RESTARTS
from tests.server.browser import PATIENCE, Browser
from tests.server.conftest import Server
from tests.server.test_people import sign_up

Json = dict[str, Any]
CLOCK = {"base": 300, "increment": 5, "up": "lose"}
_NAMES = count(1)


def wish(form: str = "swiss", players: int = 2, **changes: Any) -> Json:
    options = {"players": players, "clock": CLOCK} | changes.pop("options", {})
    return {"name": "Spring", "game": "eko", "form": form, "rounds": 3, "options": options} | changes


def player(server: Server) -> Browser:
    browser = server.browser()
    sign_up(browser, f"Player {next(_NAMES)}")
    return browser


def make(browser: Browser, **changes: Any) -> str:
    answer = browser.http.post("/api/tournaments", json=wish(**changes))
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def join(browser: Browser, tournament: str) -> int:
    """Join and return one's number."""
    answer = browser.http.post(f"/api/tournaments/{tournament}/entrants")
    assert answer.status_code == 201, answer.text
    return int(answer.json()["own"]["entrant"])


def start(browser: Browser, tournament: str) -> None:
    answer = browser.http.post(f"/api/tournaments/{tournament}/start")
    assert answer.status_code == 204, answer.text


def look(browser: Browser, tournament: str) -> Json:
    found: Json = browser.get(f"/api/tournaments/{tournament}")
    return found


def resign(browser: Browser, table: str) -> None:
    """Give up whichever seat is one's own; whose table has moved comes back, as a page does."""
    answer = None
    while answer is None:
        try:
            with browser.open(table) as socket:
                (seat,) = [seat["seat"] for seat in socket.table["seats"] if seat["yours"]]
                answer = socket.order("resign", seat=seat, key=f"resign-{table}")
        except ConnectionClosed as closed:
            if closed.rcvd is None or closed.rcvd.code != RESTARTS:
                raise
    assert answer["type"] == "ack"


class Room:
    """A line to a tournament. told: what there is."""

    def __init__(self, line: ClientConnection) -> None:
        self.line = line
        self.told: Json = {}

    def receive(self) -> Json:
        message: Json = json.loads(self.line.recv(timeout=PATIENCE))
        if message["type"] == "tournament":
            self.told = message
        elif message["type"] == "news":
            self.told = changed(self.told, message["change"])
        return message

    def until(self, is_so: Callable[[Json], Any]) -> Json:
        """Take messages in until something is so; return what is told then."""
        while not is_so(self.told):
            self.receive()
        return self.told


@contextmanager
def looking_on(browser: Browser, tournament: str) -> Iterator[Room]:
    base = str(browser.http.base_url).replace("http://", "ws://").rstrip("/")
    address = f"{base}/api/tournaments/{tournament}/socket?protocol={PROTOCOL}"
    headers = {"Cookie": browser.cookie}
    with connect(
        address, additional_headers=headers, proxy=None, max_queue=None, open_timeout=PATIENCE
    ) as line:
        room = Room(line)
        room.receive()
        yield room


def drawn(number: int) -> Callable[[Json], bool]:
    """Tell whether so many rounds were drawn."""
    return lambda told: told["about"]["drawn"] >= number
