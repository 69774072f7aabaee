"""Attacks on fair play and on what users share: what each gets from a server, and the most that it may get.

An attacker has as many browsers and accounts as they like; clients name their addresses as a reverse proxy
does.
"""

from __future__ import annotations

import itertools
import json
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from time import perf_counter, sleep
from typing import Any
from urllib.parse import urlsplit

import httpx
from websockets.frames import Frame, Opcode
from websockets.sync.client import ClientConnection

from tests.kit.client import PASSWORD, PLAN, Browser, Json, Socket, lobby, new_name, play_together
from tests.kit.programs import token_of
from tests.kit.tournaments import join, look, make, start

_NUMBERS = itertools.count(1)
_THOUGHT, _DELAY = 0.9, 2.0
"""Seconds that an attacker thinks in each turn, and that their pongs are late."""
_BASE = 60
_EASY = ("password", "12345678", "qwertyui", "iloveyou", "Password1", "aaaaaaaa", "football1", "ekoes123")
_TWINS = ("Веa", "ΒΕΑ", "Be\u0301a", "Bea\ufe0f", "Ｂｅａ", "B\u0435a")
_TIMES = ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "0001-01-01", "9999-12-31", "1e999")


@dataclass(frozen=True)
class Target:
    """A server, the folder of its data, and its log."""

    address: str
    data: Path
    log: Path

    def browser(self, host: str = "") -> Browser:
        """Return a new browser. host: its address, else one that no other has."""
        return Browser(self.address, host or _host())

    def member(self, host: str) -> tuple[Browser, str]:
        """Return a new browser with a new account, and its name."""
        browser, name = self.browser(host), new_name()
        _taken(browser, "/api/account", name=name, password=PASSWORD)
        return browser, name

    @contextmanager
    def duel(self, seed: int = 1) -> Iterator[tuple[Socket, Socket]]:
        """Open a table of two guests."""
        one, two = self.browser(), self.browser()
        table = one.create("here", "open", seed=seed)
        with one.open(table) as here, two.open(table) as there:
            _sit(here, there)
            yield here, there


Run = Callable[[Target], float]
ATTACKS: dict[str, tuple[float, Run]] = {}
"""What each attack gets -> the most that it may get, and the attack, which returns its figure."""


def _attack(what: str, most: float) -> Callable[[Run], Run]:
    """Declare an attack."""

    def declared(run: Run) -> Run:
        ATTACKS[what] = most, run
        return run

    return declared


def exceeded(target: Target, report: Callable[[str], object]) -> list[str]:
    """Attack a server in each way, report each figure, and return those that are too high."""
    found = []
    for what, (most, run) in ATTACKS.items():
        got = run(target)
        line = f"{what}: {got:g}, at most {most:g}: {'ok' if got <= most else 'TOO HIGH'}"
        report(line)
        if got > most:
            found.append(line)
    return found


def _host() -> str:
    number = next(_NUMBERS)
    return f"198.51.{number // 250}.{number % 250 + 1}"


def _network() -> Iterator[str]:
    """Yield the addresses of an IPv6 network (/64) that no other has."""
    network = next(_NUMBERS)
    return (f"2001:db8:{network:x}::{number:x}" for number in itertools.count(1))


def _taken(browser: Browser, path: str, **body: object) -> bool:
    """Send a request; return whether it was granted."""
    return browser.http.post(path, json=body).is_success


def _is_ack(answer: Json) -> bool:
    return bool(answer["type"] == "ack")


def _sit(here: Socket, there: Socket) -> None:
    """Let the second player sit down, and wait until both see that the game begins."""
    there.send("sit", key="sit", seat=1)
    for one in (here, there):
        while not one.state["asked"]:
            one.receive()


# ------------------------------------------------------------ at a table


@_attack("orders refused as stale after offers of a draw, of 20", 0)
def _stale_orders(target: Target) -> float:
    refused = 0
    with target.duel() as (ada, bo):
        for _ in range(20):
            while not ada.choices:
                play_together(ada, bo, 1)
            for offer in (True, False):
                bo.order("draw", seat=1, offer=offer)
            action = ada.choices["0"][0]["action"]
            refused += int(ada.order("act", seat=0, action=action).get("code") == "table/stale")
            newest = max(ada.version, bo.version)
            ada.until(newest)
            bo.until(newest)
    return refused


@_attack("offers of a draw in one turn, of 10", 1)
def _offers(target: Target) -> float:
    with target.duel() as (_, bo):
        answers = [bo.order("draw", seat=1, offer=not number % 2) for number in range(20)]
    return sum(_is_ack(answer) for answer in answers[::2])


class _LateConnection(ClientConnection):
    """A WebSocket whose pongs are late."""

    def __init__(self, *arguments: Any, **options: Any) -> None:  # noqa: ANN401 - those of the base
        super().__init__(*arguments, **options)
        self._send_frame, self._late = self.protocol.send_frame, set[bytes]()
        self.protocol.send_frame = self._send_late  # type: ignore[method-assign]

    def _send_late(self, frame: Frame) -> None:
        data = bytes(frame.data)
        if frame.opcode is not Opcode.PONG or data in self._late:
            self._send_frame(frame)
            return
        self._late.add(data)
        timer = Timer(_DELAY, self.pong, [data])
        timer.daemon = True
        timer.start()


@_attack("seconds of thought that late pongs save in 8 turns", 1 + 7 * 0.25)
def _time_by_late_pongs(target: Target) -> float:
    one, two = target.browser(), target.browser()
    table = one.create("here", "open", clock={"base": _BASE, "increment": 0, "up": "lose"})
    thought, turn = 0.0, None
    late = one.connect(f"tables/{table}", Socket, create_connection=_LateConnection)
    with late as ada, two.open(table) as bo:
        ada.wait("table")
        _sit(ada, bo)
        sleep(2 * _DELAY)  # the first pong
        for _ in range(8):
            while not ada.choices or not ada.state["running"] or ada.state["position"]["turn"] == turn:
                play_together(ada, bo, 1)
            turn = ada.state["position"]["turn"]
            sleep(_THOUGHT)
            thought += _THOUGHT
        play_together(ada, bo, 1)
        return float(round(thought - _BASE + ada.state["left"][0] / 1000, 1))


# ------------------------------------------------------------ ratings by oneself


def _gain(browser: Browser, name: str) -> float:
    ratings = browser.get(f"/api/profile?name={name}")["ratings"]
    return max((one["rating"] for one in ratings), default=1500) - 1500


def _rating(target: Target, hosts: Iterator[str], decisions: int = 12) -> float:
    """Return what an account gains by three games against another, which sits down by REST."""
    (ada, name), (bo, _) = target.member(next(hosts)), target.member(next(hosts))
    for _ in range(3):
        table = ada.create("here", "open", seed=None, rated=True)
        if _taken(bo, f"/api/tables/{table}/orders", type="sit", key="sit", seat=1):
            with ada.open(table) as here, bo.open(table) as there:
                play_together(here, there, decisions)
                there.order("resign", seat=1)
    return _gain(ada, name)


@_attack("rating from one address", 0)
def _rating_from_an_address(target: Target) -> float:
    return _rating(target, itertools.repeat(_host()))


@_attack("rating from one IPv6 network", 0)
def _rating_from_a_network(target: Target) -> float:
    return _rating(target, _network())


@_attack("rating without decisions", 0)
def _rating_without_decisions(target: Target) -> float:
    return _rating(target, iter(_host, ""), decisions=0)


@_attack("rating from one's own tournament", 0)
def _rating_from_a_tournament(target: Target) -> float:
    host = _host()
    (ada, name), (bo, _) = target.member(host), target.member(host)
    tournament = make(ada, options={"rated": True})
    for one in (ada, bo):
        join(one, tournament)
    start(ada, tournament)
    (game,) = look(ada, tournament)["rounds"]["1"]
    with ada.open(game["table"]) as here, bo.open(game["table"]) as there:
        for socket in (here, there):
            while not socket.state["asked"]:  # the board is drawn when the players' parts have been awaited
                socket.receive()
        play_together(here, there, 12)
        (seat,) = (one["seat"] for one in there.table["seats"] if one["yours"])
        there.order("resign", seat=seat)
    return _gain(ada, name)


@_attack("rated games sought by a token", 0)
def _rated_seek(target: Target) -> float:
    ada, _ = target.member(_host())
    headers = {"Authorization": f"Bearer {token_of(ada, 'lobby')['token']}"}
    with lobby(ada, headers=headers) as here:
        return _is_ack(here.ask("seek", game="eko", options={"players": 2, "rated": True}))


# ------------------------------------------------------------ networks and accounts


def _allowed(target: Target, hosts: Iterator[str], path: str, number: int, body: Json) -> float:
    """Send requests without cookies; return how many were not refused for their number."""
    browser, allowed = target.browser(), 0
    for host in itertools.islice(hosts, number):
        browser.http.cookies.clear()
        browser.http.headers["X-Forwarded-For"] = host
        plan = body | ({"name": new_name()} if "password" in body else {})
        allowed += browser.http.post(path, json=plan).status_code != 429
    return allowed


@_attack("tables of one IPv6 network, of 220", 200)
def _tables(target: Target) -> float:
    return _allowed(target, _network(), "/api/tables", 220, PLAN)


@_attack("requests for accounts of one IPv6 network, of 66", 30)
def _accounts(target: Target) -> float:
    return _allowed(target, _network(), "/api/account", 66, {"password": "short"})


@_attack("requests for accounts of one IPv4 address in both forms, of 66", 30)
def _accounts_of_both_forms(target: Target) -> float:
    host = _host()
    hosts = itertools.cycle([host, f"::ffff:{host}"])
    return _allowed(target, hosts, "/api/account", 66, {"password": "short"})


@_attack("passwords guessed from one IPv6 network, of 66", 60)
def _guesses(target: Target) -> float:
    return _allowed(target, _network(), "/api/account/sign-in", 66, {"password": PASSWORD})


@_attack("ways in that 12 wrong guesses shut to the owner, of 3", 0)
def _lock_out(target: Target) -> float:
    own, name, new = target.browser(), new_name(), "another tower"
    guess = {"name": name, "password": "a wrong guess"}
    codes = own.http.post("/api/account", json={"name": name, "password": PASSWORD}).json()["codes"]
    thief = target.browser()
    for _ in range(12):
        _taken(thief, "/api/account/sign-in", **guess)
    is_changed = _taken(own, "/api/account/password", old=PASSWORD, password=new)
    _taken(own, "/api/account/sign-out")
    is_back = _taken(own, "/api/account/sign-in", name=name, password=new if is_changed else PASSWORD)
    reset = {"name": name, "code": codes[0], "password": "a third tower"}
    return 3 - sum((is_changed, is_back, _taken(target.browser(), "/api/account/recover", **reset)))


@_attack(f"easy passwords taken, of {len(_EASY)}", 0)
def _passwords(target: Target) -> float:
    return sum(_taken(target.browser(), "/api/account", name=new_name(), password=one) for one in _EASY)


@_attack(f"names like an account's taken, of {2 * len(_TWINS)}", 0)
def _names(target: Target) -> float:
    _taken(target.browser(), "/api/account", name="Bea", password=PASSWORD)
    seats = [[{"kind": "here", "name": twin}, {"kind": "open"}] for twin in _TWINS]
    return sum(_taken(target.browser(), "/api/tables", **PLAN | {"seats": one}) for one in seats) + sum(
        _taken(target.browser(), "/api/account", name=twin, password=PASSWORD) for twin in _TWINS
    )


# ------------------------------------------------------------ what users share


def _refused(target: Target, ask: Callable[[Browser], httpx.Response]) -> float:
    """Send 80 requests from one address; return how many of five another is refused meanwhile."""
    host, other = _host(), target.browser()
    browsers = [target.browser(host) for _ in range(20)]
    with ThreadPoolExecutor(len(browsers)) as threads:
        for browser in browsers * 4:
            threads.submit(ask, browser)
        return sum(not ask(other).is_success for _ in range(5))


@_attack("first positions refused to another address meanwhile, of 5", 0)
def _first_positions(target: Target) -> float:
    return _refused(
        target, lambda browser: browser.http.post("/api/eko/analysis", json={"options": {"players": 4}})
    )


@_attack("pictures refused to another address meanwhile, of 5", 0)
def _pictures(target: Target) -> float:
    path = f"/api/tables/{target.browser().create('here', 'open')}/picture.png"
    return _refused(target, lambda browser: browser.http.get(path))


@_attack(f"failures of the archive at extreme times, of {len(_TIMES)}", 0)
def _archive(target: Target) -> float:
    browser = target.browser()
    asked = ({"after": f"{time}~abcdefgh2345"} for time in _TIMES)
    return sum(browser.http.get("/api/archive", params=query).is_server_error for query in asked)


@_attack("orders that decide nothing, of 400", 300)
def _orders_that_decide_nothing(target: Target) -> float:
    taken = 0
    with target.duel() as (_, bo):
        for number in range(200):
            taken += _is_ack(bo.ask("rename", seat=1, name=f"Bo {number}"))
            taken += _is_ack(bo.ask("pace", milliseconds=number))
    return taken


@_attack("KiB a second after stale orders", 200)
def _stale_tables(target: Target) -> float:
    received, began = 0, 0.0
    with target.duel() as (ada, bo):
        play_together(ada, bo, 12)
        for number in range(60):
            if number == 40:
                received, began = 0, perf_counter()
            ada.send("act", key=f"stale {number}", version=1, seat=0, action={"type": "swap"})
            answered = set[str]()
            while not {"error", "table"} <= answered:
                text = ada.websocket.recv()
                received += len(text)
                answered.add(json.loads(text)["type"])
    return round(received / 1024 / (perf_counter() - began))


@_attack("days that 30 short vacations take", 1)
def _vacations(target: Target) -> float:
    ada, _ = target.member(_host())
    for _ in range(30):
        _taken(ada, "/api/account/vacation")
        ada.http.delete("/api/account/vacation")
    shown = ada.get("/api/account/vacation")
    return float(shown["days"] - shown["left"])


@_attack("half requests logged as failures, of 10", 0)
def _half_requests(target: Target) -> float:
    place, before = urlsplit(target.address), target.log.read_text("utf-8").count("status=500")
    head = f"POST /api/tables HTTP/1.1\r\nHost: {place.netloc}\r\nContent-Type: application/json\r\n"
    for _ in range(10):
        with socket.create_connection((str(place.hostname), place.port or 80)) as half:
            half.sendall(f"{head}Content-Length: 100\r\n\r\n{{".encode())
            sleep(0.05)
    sleep(0.5)
    return target.log.read_text("utf-8").count("status=500") - before


@_attack("seats by a pass that was used, of 2", 0)
def _passes(target: Target) -> float:
    host, phone, thief = (target.browser() for _ in range(3))
    path = f"/api/tables/{host.create('here', 'here')}/seats/1/pass"
    used = host.http.post(path).json()
    _taken(phone, "/api/passes", **{"pass": used["pass"]})
    at_once = _taken(thief, "/api/passes", **{"pass": used["pass"]})
    _taken(host, "/api/passes", **{"pass": phone.http.post(path).json().get("pass", "")})
    return at_once + _taken(thief, "/api/passes", **{"pass": used["pass"]})


@_attack("link previews that name a host of the request, of 1", 0)
def _hosts(target: Target) -> float:
    browser = target.browser()
    page = browser.http.get(f"/t/{browser.create('here', 'open')}", headers={"Host": "evil.example"})
    return float("evil.example" in page.text)


@_attack("texts with U+0000 taken, of 3", 0)
def _nul_characters(target: Target) -> float:
    with target.duel() as (_, bo):
        answers = [bo.ask("rename", seat=1, name="B\0o"), bo.ask("say", text="a\0b")]
    seats = [{"kind": "here", "name": "B\0o"}, {"kind": "open"}]
    made = _taken(target.browser(), "/api/tables", **PLAN | {"seats": seats})
    return sum(map(_is_ack, answers)) + made


@_attack("files of the data that other users may read", 0)
def _files(target: Target) -> float:
    return sum(bool(path.stat().st_mode & 0o077) for path in (target.data, *target.data.iterdir()))
