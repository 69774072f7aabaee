"""Tournaments as tests play them, with members and their sockets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from websockets.exceptions import ConnectionClosed

from ekoes.protocol import RESTARTS
from tests.kit.client import Browser, Json, Room, post

CLOCK = {"base": 300, "increment": 5, "up": "lose"}


def wish(form: str = "swiss", players: int = 2, **changes: Any) -> Json:
    options = {"players": players, "clock": CLOCK} | changes.pop("options", {})
    return {"name": "Spring", "game": "eko", "form": form, "rounds": 3, "options": options} | changes


def make(browser: Browser, **changes: Any) -> str:
    return str(post(browser, "/api/tournaments", 201, **wish(**changes))["id"])


def join(browser: Browser, tournament: str) -> int:
    """Join and return one's number."""
    return int(post(browser, f"/api/tournaments/{tournament}/entrants", 201)["own"]["entrant"])


def start(browser: Browser, tournament: str) -> None:
    post(browser, f"/api/tournaments/{tournament}/start")


def look(browser: Browser, tournament: str) -> Json:
    found: Json = browser.get(f"/api/tournaments/{tournament}")
    return found


def resign(browser: Browser, table: str) -> None:
    """Give up the own seat; again if the game begins or the table moves to another server meanwhile."""
    answer: Json | None = None
    while answer is None or answer.get("code") == "table/stale":
        try:
            with browser.open(table) as socket:
                (seat,) = [seat["seat"] for seat in socket.table["seats"] if seat["yours"]]
                key = f"resign-{table}-{socket.table['options'].get('deal')}"
                answer = socket.order("resign", seat=seat, key=key)
        except ConnectionClosed as closed:
            if closed.rcvd is None or closed.rcvd.code != RESTARTS:
                raise
    assert answer["type"] == "ack"


def play_round(people: dict[int, Browser], shown: Json, played: int) -> None:
    """Let all games of a round end: the entrant with the higher number gives up."""
    for game in shown["rounds"][str(played)]:
        if "table" in game and "points" not in game:
            resign(people[max(game["seats"])], game["table"])


def next_round(room: Room, organiser: Browser, tournament: str, number: int) -> Json:
    """Have the organiser end the break before a round, unless that has begun; return what is known then."""
    shown = room.until(lambda known: "next_at" in known["about"] or known["about"]["drawn"] >= number)
    if shown["about"]["drawn"] < number:
        organiser.http.post(f"/api/tournaments/{tournament}/start")  # too late if the break has just ended
    return room.until(drawn(number))


def drawn(number: int) -> Callable[[Json], bool]:
    """Tell whether so many rounds were drawn."""
    return lambda known: known["about"]["drawn"] >= number
