"""What one visitor can do to everybody else at a server: ``python -m benchmarks.attacks``, some minutes.

A server of `ekoes play` serves a person who gives orders at a table of their own, one after the other.
Meanwhile somebody at another address makes tables of eight bots until that is refused; reads one long table
by 16 readers; makes tables that wait for people until that is refused; opens requests and never ends them.
Printed are how far each comes, and the person's orders: median and 99th percentile, first without an attack.
"""

from __future__ import annotations

import socket
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event

import httpx

from benchmarks.bots_beside_people import WARM_UP, Figures, give, server, shown, wait_for_bots
from tests.server.browser import Browser, Socket

BOTS, READERS, HALVES = 8, 16, 400
LONG = 150
"""Decisions of a long table."""
ORDERS = 200
SECONDS = 20.0
"""How long readers read."""
_HOUSES = (f"203.0.113.{number}" for number in count(1))
_REFUSED = 429

Attack = Callable[[str, Event], str]
"""Attacks the server at an address until it can do no more, or the event is set; tells how far it came."""


def main() -> int:
    """Attack and print."""
    print(f"| attack | how far it comes | {ORDERS} orders of somebody else: median, 99th percentile (ms) |")
    print("|---|---|---:|")
    with TemporaryDirectory() as folder, server(Path(folder)) as address:
        person = Browser(address)
        wait_for_bots(person)
        with person.open(person.create("here", "here")) as line:
            give(line, WARM_UP)
            _print("none", "", give(line, ORDERS))
            for name, attack in ATTACKS.items():
                _print(name, *_beside(line, address, attack))
    return 0


def _beside(line: Socket, address: str, attack: Attack) -> tuple[str, Figures]:
    """Return how far an attack came, and the orders of the person meanwhile."""
    over = Event()
    with ThreadPoolExecutor(1) as thread:
        attacking: Future[str] = thread.submit(attack, address, over)
        time.sleep(1)
        orders = give(line, ORDERS)
        over.set()
        return attacking.result(), orders


def _print(attack: str, came: str, orders: Figures) -> None:
    print(f"| {attack} | {came} | {shown(orders)} |", flush=True)


# ---------------------------------------------------------------- attacks


def _bots(address: str, over: Event) -> str:
    """Make tables of bots by one browser; they play on while the person plays."""
    seats = [{"kind": "bot", "bot": "regular"}] * BOTS
    plan = {"game": "ekko", "options": {"players": BOTS}, "seats": seats}
    with _house(address) as web:
        made, seconds = _until_refused(web, plan)
        over.wait()
    return f"{made} tables in {seconds:.1f} s, then refused"


def _waiting(address: str, over: Event) -> str:
    """Make tables that wait for people, each by a new browser of one address."""
    plan = {"game": "eko", "options": {"players": 2}, "seats": [{"kind": "here"}, {"kind": "open"}]}
    with _house(address) as web:
        made, seconds = _until_refused(web, plan, forgets=True)
        over.wait()
    return f"{made} tables in {seconds:.1f} s, then refused"


def _readers(address: str, over: Event) -> str:
    """Read one table again and again."""
    table = _long_table(address)
    until = time.monotonic() + SECONDS
    house = next(_HOUSES)
    with ThreadPoolExecutor(READERS) as threads:
        reading = [threads.submit(_reads, address, house, table, until, over) for _ in range(READERS)]
        answers = sum((each.result() for each in reading), Counter[int]())
    told = ", ".join(f"{number} times {status}" for status, number in sorted(answers.items()))
    return f"{told}, in {SECONDS:.0f} s at most"


def _halves(address: str, over: Event) -> str:
    """Begin requests and never end them."""
    host, port = address.removeprefix("http://").rstrip("/").split(":")
    began = time.monotonic()
    opened = [socket.create_connection((host, int(port)), timeout=60) for _ in range(HALVES)]
    for each in opened:
        each.sendall(b"GET /api/meta HTTP/1.1\r\nHost: here\r\nX: ")
    closed = [_closed_after(each, began) for each in opened]
    over.wait()
    return f"{HALVES} of them, the last one closed after {max(closed):.0f} s"


ATTACKS: dict[str, Attack] = {
    f"tables of {BOTS} bots, by one browser": _bots,
    f"{READERS} readers of one table of {LONG} decisions": _readers,
    "tables that wait, each by a new browser of one address": _waiting,
    f"{HALVES} requests that are never ended": _halves,
}


def _house(address: str) -> httpx.Client:
    """Return a browser that comes from an address of its own, by a proxy's word."""
    return httpx.Client(base_url=address, headers={"x-forwarded-for": next(_HOUSES)}, timeout=60)


def _until_refused(web: httpx.Client, plan: object, *, forgets: bool = False) -> tuple[int, float]:
    """Return how many tables could be made, and in how many seconds. forgets: as a new browser each time."""
    began = time.monotonic()
    for made in count():
        if web.post("/api/tables", json=plan).status_code == _REFUSED:
            return made, time.monotonic() - began
        if forgets:
            web.cookies.clear()
    raise AssertionError


def _long_table(address: str) -> str:
    """Let two bots play until their table is long; return it."""
    browser = Browser(address)
    table = browser.create("random", "random")
    with browser.open(table) as line:
        line.ask("pace", milliseconds=0)
        while len(line.log) < LONG:
            line.receive()
        line.ask("pause", paused=True)
    return table


def _reads(address: str, house: str, table: str, until: float, over: Event) -> Counter[int]:
    answers = Counter[int]()
    with httpx.Client(base_url=address, headers={"x-forwarded-for": house}, timeout=60) as web:
        while time.monotonic() < until and not over.is_set():
            answers[web.get(f"/api/tables/{table}").status_code] += 1
    return answers


def _closed_after(line: socket.socket, began: float) -> float:
    """Wait until the other end closes a line; return how long that took."""
    with line:
        while _received(line):
            pass
    return time.monotonic() - began


def _received(line: socket.socket) -> bytes:
    try:
        return line.recv(4096)
    except ConnectionResetError:
        return b""


if __name__ == "__main__":
    sys.exit(main())
