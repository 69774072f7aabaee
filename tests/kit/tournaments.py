"""Tournaments as tests play them, with members and their sockets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from websockets.exceptions import ConnectionClosed

from ekoes.protocol import RESTARTS
from tests.kit.client import Browser, Json

CLOCK = {"base": 300, "increment": 5, "up": "lose"}


def wish(form: str = "swiss", players: int = 2, **changes: Any) -> Json:
    options = {"players": players, "clock": CLOCK} | changes.pop("options", {})
    return {"name": "Spring", "game": "eko", "form": form, "rounds": 3, "options": options} | changes


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
    """Give up the own seat; reconnect like a page if the table moves to another server meanwhile."""
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


def drawn(number: int) -> Callable[[Json], bool]:
    """Tell whether so many rounds were drawn."""
    return lambda known: known["about"]["drawn"] >= number
