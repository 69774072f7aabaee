"""Every route, and every line: what goes out with it, who may ask for it from elsewhere, and HTTPS."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.cookies import SimpleCookie

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from ekoes.server.http.middleware import SECURITY_HEADERS
from tests.kit.client import Browser
from tests.kit.server import Server, ekoes
from tests.server.test_roles import CALLS, Call

KEEPS_NOTHING = {("POST", "/api/{name}/preview"), ("POST", "/api/lessons/{game}/{name}")}
"""What may be asked from anywhere: it changes nothing, and tells nothing of who asks."""
CHANGES = [call for call in CALLS if call.method != "GET" and (call.method, call.path) not in KEEPS_NOTHING]
FOREIGN = {"Origin": "https://evil.example"}
BY_HTTPS = {"X-Forwarded-Proto": "https"}


@pytest.fixture(scope="module")
def web(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.address, timeout=60) as web:
        yield web


def address(call: Call) -> str:
    return (call.address or call.path).format(table_id="none", tournament_id="none", seat=0)


def test_no_other_page_may_change_anything(web: httpx.Client) -> None:
    answers = {
        f"{call.method} {call.path}": web.request(call.method, address(call), json=call.body, headers=FOREIGN)
        for call in CHANGES
    }
    refused = {call: (answer.status_code, answer.json()["code"]) for call, answer in answers.items()}
    assert refused == dict.fromkeys(answers, (403, "message/foreign-origin"))


@pytest.mark.parametrize("path", ["/api/lobby/socket", "/api/tables/none/socket"])
def test_no_other_page_gets_a_line(browser: Browser, path: str) -> None:
    upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
    key = {"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
    answer = browser.http.get(path, headers=upgrade | key | FOREIGN)
    assert answer.status_code == 403


def test_headers_that_guard_the_page_come_with_every_route(web: httpx.Client) -> None:
    for call in CALLS:
        with web.stream(call.method, address(call), json=call.body) as answer:
            assert answer.status_code < 500, call
            assert SECURITY_HEADERS.items() <= dict(answer.headers).items(), call
            assert "strict-transport-security" not in answer.headers, call


def test_no_style_and_no_script_stands_in_the_page() -> None:
    assert "unsafe" not in SECURITY_HEADERS["content-security-policy"]


def test_by_https_the_cookie_is_this_hosts_alone(server: Server) -> None:
    with httpx.Client(base_url=server.address, timeout=60, headers=BY_HTTPS) as web:
        answer = web.get("/api/meta")
        cookie = SimpleCookie(answer.headers["set-cookie"])["__Host-ekoes"]
        assert (cookie["secure"], cookie["httponly"], cookie["path"]) == (True, True, "/")
        assert not cookie["domain"]
        assert answer.headers["strict-transport-security"] == "max-age=31536000"
        again = web.get("/api/meta", headers={"Cookie": f"__Host-ekoes={cookie.value}"})
        assert "set-cookie" not in again.headers


def test_cookie_of_before_is_given_the_new_name(server: Server, browser: Browser) -> None:
    table = browser.create("here", "here")
    with httpx.Client(base_url=server.address, timeout=60, headers=BY_HTTPS) as web:
        answer = web.get(f"/api/tables/{table}", headers={"Cookie": browser.cookie})
        assert [seat["yours"] for seat in answer.json()["seats"]] == [True, True]
        given = answer.headers["set-cookie"].partition(";")[0]
        assert given.removeprefix("__Host-") == browser.cookie
        forged = web.get(f"/api/tables/{table}", headers={"Cookie": f"__Host-ekoes=x.y; {browser.cookie}"})
        assert [seat["yours"] for seat in forged.json()["seats"]] == [False, False]


def test_page_without_https_is_foreign_to_one_with_it(server: Server, browser: Browser) -> None:
    host = server.address.removeprefix("http://")
    plan = {"game": "eko", "options": {"players": 2}, "seats": [{"kind": "here"}] * 2}
    for scheme, status in (("https", 201), ("http", 403)):
        headers = {**BY_HTTPS, "Origin": f"{scheme}://{host}"}
        assert browser.http.post("/api/tables", json=plan, headers=headers).status_code == status


def key(server: Server, *words: str) -> int:
    return int(json.loads(ekoes("admin", "key", *words, "--data", server.data))["keys"])


def test_another_key_signs_and_nobody_loses_a_seat_who_comes_meanwhile(own_server: Server) -> None:
    comes = own_server.browser()
    table = comes.create("here", "here")
    assert (key(own_server), key(own_server, "--renew")) == (1, 2)
    own_server.stop()
    own_server.start()
    old = comes.cookie
    comes.get("/api/meta")
    assert comes.cookie != old
    assert [seat["yours"] for seat in comes.get(f"/api/tables/{table}")["seats"]] == [True, True]
    assert "set-cookie" not in comes.http.get("/api/meta").headers
    assert key(own_server, "--forget") == 1


def test_line_from_a_page_without_https_is_refused_where_there_is_https(browser: Browser) -> None:
    table = browser.create("here", "here")
    host = str(browser.http.base_url).removeprefix("http://")
    with (
        pytest.raises(InvalidStatus) as refused,
        browser.open(table, **BY_HTTPS, Origin=f"http://{host}"),
    ):
        pass
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize("file", ["secret.key", "push.pem"])
def test_server_does_not_start_with_a_key_that_others_may_read(own_server: Server, file: str) -> None:
    own_server.stop()
    key = own_server.data / file
    key.chmod(0o644)
    told = ekoes("play", "--no-browser", "--port", "0", "--data", own_server.data, status=2)
    assert f"chmod 600 {key}" in "".join(told.split("\n"))
