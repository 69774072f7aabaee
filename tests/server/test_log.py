"""The log of a server: what it contains and what it never does."""

from __future__ import annotations

import json
import logging
import socket
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from ekoes.server.http.middleware import REQUEST_ID, AccessLog, SecurityHeaders
from ekoes.server.ops.logs import RepeatFilter
from ekoes.server.ops.secrets import signing_keys
from ekoes.server.ops.telemetry import Metrics
from tests.kit.client import PASSWORD, Browser, Socket, allowed, decide, post, sign_up
from tests.kit.loops import apart
from tests.kit.programs import Program, token_of
from tests.kit.race import hand, play_on
from tests.kit.server import Server
from tests.unit.server.push_service import Browser as Device

WRONG, SAID, NAME, GUEST = "not my pass phrase", "I have the eagle twice", "Zdenka", "Gwendolyn"

Entry = dict[str, Any]


def entries(server: Server) -> list[Entry]:
    """Read the log of a server, a JSON object per line."""
    return [json.loads(line) for line in server.log.read_text("utf-8").splitlines()]


def named(found: list[Entry], event: str, **about: Any) -> list[Entry]:
    return [one for one in found if one["event"] == event and about.items() <= one.items()]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path, "--log", "json", "--log-level", "debug") as server:
        yield server


def seen_hands(browser: Browser) -> tuple[str, list[str]]:
    """Play EKKO for a while; return the table, and its hands as messages write them."""
    table = browser.create_race("here", "here", calm=True)
    hands = set()
    with browser.open(table) as line:
        speak(line)
        for length in (2, 4, 6):
            play_on(line, 0, 1, until=partial(has_come_to, line, length))
            hands |= {json.dumps(hand(line, seat), separators=(",", ":")) for seat in (0, 1)}
            hands |= {str(hand(line, seat)) for seat in (0, 1)}
    return table, sorted(cards for cards in hands if cards.count(",") > 1)


def has_come_to(line: Socket, length: int) -> bool:
    return len(line.log) >= length


def speak(line: Socket) -> None:
    assert line.ask("say", text=SAID)["type"] == "ack"


def test_client_that_leaves_in_the_middle_of_its_request_is_no_failure(
    caplog: pytest.LogCaptureFixture,
) -> None:
    messages = iter([{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}])

    async def receive() -> Any:
        return next(messages)

    async def never(*_: Any) -> None:
        raise AssertionError

    caplog.set_level(logging.DEBUG, "ekoes.server")
    scope: Any = {"type": "http", "method": "POST", "path": "/api/tables", "headers": [], "client": None}
    app = AccessLog(SecurityHeaders(never), Metrics())
    apart(app(scope, receive, never))
    (entry,) = caplog.records
    assert (entry.levelname, entry.getMessage(), vars(entry)["status"]) == ("INFO", "request", 499)


@pytest.mark.parametrize(
    ("headers", "logged"),
    [([(b"retry-after", b"10")], "request refused by a rate limit"), ([], "request failed")],
)
def test_full_queue_is_a_refusal_and_a_store_that_is_away_a_failure(
    headers: Any, logged: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def busy(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 503, "headers": headers})

    async def ignore(*_: Any) -> Any:
        pass

    caplog.set_level(logging.INFO, "ekoes.server")
    scope: Any = {"type": "http", "method": "GET", "path": "/api/pictures", "headers": [], "client": None}
    apart(AccessLog(busy, Metrics())(scope, ignore, ignore))
    assert [entry.getMessage() for entry in caplog.records] == [logged]


def test_log_has_every_request_and_no_secret(server: Server) -> None:
    browser, guest = server.browser(), server.browser()
    codes = sign_up(browser, NAME)
    token = token_of(browser)["token"]
    assert Program(server.address, token).http.get("/api/account").status_code == 200
    answer = guest.http.post("/api/account/sign-in", json={"name": NAME, "password": WRONG})
    assert answer.status_code == 403
    table, hands = seen_hands(browser)
    with guest.open(table) as line:
        assert line.ask("sit", seat=0, name=GUEST)["type"] == "error"
    passing = post(browser, f"/api/tables/{table}/seats/1/pass", 200)["pass"]
    cookies = [each.http.cookies["ekoes"] for each in (browser, guest)]
    guest.http.get(f"/api/games?player={NAME}")
    device = Device("https://push.example/a-place-that-is-theirs")
    post(browser, "/api/push", endpoint=device.endpoint, keys=device.keys)
    server.stop()
    files = [secret.hex() for secret in signing_keys(server.data / "secret.key")]
    files += [line for line in (server.data / "push.pem").read_text("ascii").splitlines() if "-" not in line]

    log = server.log.read_text("utf-8")
    secrets = [PASSWORD, WRONG, SAID, NAME, GUEST, token, passing, *codes, *cookies, *hands, *files]
    secrets += [device.endpoint, *device.keys.values()]
    assert min(len(hands), len(files)) > 2
    assert [each for each in secrets if each in log] == []
    assert "127.0.0.1" not in log

    found = entries(server)
    assert {"guest", "account", "program", "nobody"} == {one["user"] for one in found if "user" in one}
    assert len(named(found, "order", table=table, game="ekko")) >= 6
    (refused,) = named(found, "order refused", table=table, order="sit")
    opened = named(found, "socket opened", request=refused["request"])
    assert [one["table"] for one in opened] == [table]
    assert named(found, "socket closed", request=refused["request"], user="guest")


def test_request_id_is_returned_and_a_given_one_is_reused(server: Server) -> None:
    browser = server.browser()
    answers = [
        browser.http.get("/api/tables/none", headers=headers)
        for headers in ({}, {REQUEST_ID: "0123456789abcdef"}, {REQUEST_ID: "not a number; X"})
    ]
    numbers = [answer.headers[REQUEST_ID] for answer in answers]
    with browser.open(browser.create("here", "here")) as line:
        decide(line)
    server.stop()
    found = entries(server)
    assert numbers[1] == "0123456789abcdef"
    assert len(set(numbers)) == 3
    for number in numbers:
        (shown,) = named(found, "request", request=number)
        assert (shown["route"], shown["status"], shown["table"]) == ("/api/tables/{table_id}", 404, "none")
    assert len(named(found, "order", order="act", game="eko")) == 1


def test_every_log_entry_of_a_request_or_socket_has_its_id_and_table(server: Server) -> None:
    browser = server.browser()
    sign_up(browser, NAME)
    program = Program(server.address, token_of(browser)["token"])
    table = browser.create("open", "open")
    program.order(table, "sit", seat=0, name=NAME)
    program.order(table, "sit", 422, seat=0, name=NAME)
    browser.http.get(f"/api/tables/{table}/record")
    with browser.open(table) as line:
        line.ask("sit", seat=1, name=NAME)
        line.ask("sit", seat=0, name=NAME)
    server.stop()
    found = entries(server)
    asked = {one["request"] for one in found if one.get("table") == table and "request" in one}
    assert len(asked) == 4
    of_them = [one for one in found if one.get("request") in asked]
    assert {one["event"] for one in of_them} >= {"request", "order", "order refused", "socket opened"}
    assert [one for one in of_them if one.get("table") != table] == []
    orders = [*named(found, "order"), *named(found, "order refused")]
    assert len(orders) == 4
    assert {one.get("request") for one in orders} <= asked


def test_flood_from_an_address_is_logged_once_a_minute(tmp_path: Path) -> None:
    with (
        Server(tmp_path, "--log", "json") as server,
        httpx.Client(base_url=server.address, timeout=60) as web,
    ):
        for house in ("203.0.113.1", "203.0.113.2"):
            web.headers["x-forwarded-for"] = house
            assert allowed(lambda: web.get("/api/archive/records"), 20)
            for _ in range(20):
                web.get("/api/archive/records")
    floods = named(entries(server), "request refused by a rate limit", route="/api/archive/records")
    shown = [flood["address"] for flood in floods]
    assert set(shown) == {"203.0.113.1", "203.0.113.2"}
    assert len(shown) <= 4


def test_what_is_not_http_is_logged_once_a_minute(own_server: Server) -> None:
    port = int(own_server.address.rpartition(":")[2])
    for _ in range(50):
        with socket.create_connection(("127.0.0.1", port)) as visitor:
            visitor.sendall(b"not HTTP\r\n\r\n")
            while visitor.recv(1000):
                pass
    assert own_server.log.read_text("utf-8").count("Invalid HTTP request") == 1


def test_error_that_repeats_is_logged_once_a_minute_with_how_often() -> None:
    times = [0.0]
    filter_ = RepeatFilter(lambda: times[0])

    def logged(error: str | None, level: int = logging.ERROR) -> int | None:
        """Return how many were dropped before, None if this one is too."""
        record = logging.LogRecord("ekoes", level, "", 0, "storage failed", (), None)
        record.error = error
        return getattr(record, "repeated", 0) if filter_.filter(record) else None

    assert [logged("disk full"), logged("disk full"), logged("no such table"), logged(None)] == [
        0,
        None,
        0,
        0,
    ]
    times[0] = 59.0
    assert [logged("disk full"), logged("disk full", logging.INFO)] == [None, 0]
    times[0] = 60.0
    assert [logged("disk full"), logged("disk full")] == [2, None]
