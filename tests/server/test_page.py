"""The page and what every answer carries."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest

from ekoes.server.http.page import public_origin
from ekoes.server.settings import Settings
from tests.kit.client import PATIENCE, Browser, sign_up
from tests.kit.server import Server
from tests.kit.tournaments import make


@pytest.fixture
def web(server: Server) -> httpx.Client:
    limits = httpx.Limits(max_keepalive_connections=0)
    return httpx.Client(base_url=server.address, timeout=PATIENCE, limits=limits)


@pytest.mark.parametrize(
    ("own", "origins", "shown"),
    [
        ("http://elsewhere.example", (), None),
        ("http://elsewhere.example", ("https://games.example",), "https://games.example"),
        ("https://b.example", ("https://a.example", "https://b.example"), "https://b.example"),
        ("http://10.0.0.5:8765", (), "http://10.0.0.5:8765"),
    ],
)
def test_previews_name_a_configured_origin_alone(
    own: str, origins: tuple[str, ...], shown: str | None
) -> None:
    settings = Settings(data=Path(), origins=frozenset(origins), address="http://10.0.0.5:8765/")
    assert public_origin(own, settings) == shown


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/lobby",
        "/archive?game=eko",
        "/eko",
        "/ekko/new",
        "/eko/rules/",
        "/eko/learn/march",
        "/eko/puzzles",
        "/eko/analysis?n=1",
        "/eko/editor",
        "/ekko/analysis",
        "/ekko/train",
        "/ekko/league",
    ],
)
def test_every_address_of_a_person_is_the_page(web: httpx.Client, path: str) -> None:
    answer = web.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["cache-control"] == "no-cache"
    assert web.get("/").cookies.get("ekoes") is None, "a browser that has a session keeps it"


@pytest.mark.parametrize(
    "path",
    [
        *(
            "/rules",
            "/chess",
            "/chess/new",
            "/eko/learn/chess",
            "/eko/puzzles/none",
            "/ekko/puzzles",
            "/ekko/editor",
            "/eko/train",
            "/lobby/2",
            "/ratings/chess/2/live",
        ),
        *("/t/abcdefgh2345", "/t/abcdefgh2345/screen", "/games/abcdefgh2345"),
        *(
            "/people/Nobody%20at%20all",
            "/people/Nobody/watch",
            "/people",
            "/tournaments/abcdefgh2345",
            "/" + "a" * 300,
        ),
    ],
)
def test_address_of_nothing_is_the_page_with_status_404(web: httpx.Client, path: str) -> None:
    answer = web.get(path, headers={"accept": "text/html"})
    assert (answer.status_code, '<div id="app">' in answer.text) == (404, True)


def test_address_of_what_people_have_made_is_the_page(server: Server, web: httpx.Client) -> None:
    browser, name = server.member()
    table = browser.create("here", "open")
    tournament = make(browser)
    sign_up(server.browser(), "watch")
    for path in (
        f"/t/{table}",
        f"/t/{table}/hand",
        f"/t/{table}/review",
        f"/people/{name}",
        f"/people/{name}/watch",
        "/people/watch",
        f"/tournaments/{tournament}",
    ):
        assert web.get(path).status_code == 200


def test_address_longer_than_a_name_of_a_file(web: httpx.Client) -> None:
    assert web.get("/" + "a" * 300).status_code == 404
    assert web.get("/assets/" + "a" * 300 + ".js").status_code == 404


def test_page_and_its_parts_come_with_the_right_life_time(web: httpx.Client) -> None:
    assets = re.findall(r'"/(assets/[^"]+)"', web.get("/").text)
    assert assets
    for asset in assets:
        answer = web.get(f"/{asset}")
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert "set-cookie" not in answer.headers


def test_code_travels_compressed(web: httpx.Client) -> None:
    script = next(
        part for part in re.findall(r'"/(assets/[^"]+)"', web.get("/").text) if part.endswith(".js")
    )
    answer = web.get(f"/{script}", headers={"accept-encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"
    small = web.head(f"/{script}", headers={"accept-encoding": "gzip, br"}).headers
    assert (small["content-encoding"], small["vary"]) == ("br", "accept-encoding")
    assert small["content-type"] == answer.headers["content-type"]
    assert int(small["content-length"]) < len(answer.content)
    plain = web.get(f"/{script}", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    rules = re.search(r"assets/eko-[^\"]+\.wasm", plain.text)
    assert rules is not None
    module = web.head(f"/{rules[0]}", headers={"accept-encoding": "br"}).headers
    assert (module["content-type"], module["content-encoding"]) == ("application/wasm", "br")


def test_head_of_the_page(web: httpx.Client) -> None:
    answer = web.head("/")
    assert (answer.status_code, answer.text) == (200, "")


@pytest.mark.parametrize("path", ["/", "/api/meta", "/api/tables/none", "/nothing.js", "/api/nothing"])
def test_security_headers_are_everywhere(web: httpx.Client, path: str) -> None:
    headers = web.get(path).headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert "'unsafe-" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"


def test_api_responses_are_not_cached(web: httpx.Client) -> None:
    """It is for one browser alone: a store on the way must not show its hand to others (K6.4)."""
    for path in ("/api/meta", "/api/tables/none", "/api/tables/none/positions/0"):
        assert web.get(path).headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "path",
    [
        "/nothing.js",
        "/api/nothing",
        "/assets/nothing.css",
        "/..%2f..%2fapp.py",
        "/%2e%2e/app.py",
        "/assets/..%2f..%2fapp.py",
        "/%00.js",
    ],
)
def test_there_is_nothing_else(web: httpx.Client, path: str) -> None:
    answer = web.get(path)
    assert answer.status_code == 404
    assert "import" not in answer.text


def test_wrong_method_is_refused(web: httpx.Client) -> None:
    answer = web.delete("/api/tables")
    assert (answer.status_code, answer.json()["code"]) == (405, "http/405")


def test_cookie_is_for_the_server_alone_and_signed(browser: Browser, web: httpx.Client) -> None:
    given = web.get("/").headers["set-cookie"]
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(given.split("; "))
    again = web.get("/", headers={"cookie": "ekoes=made.up"})
    assert "set-cookie" in again.headers
    known = browser.http.get("/")
    assert "set-cookie" not in known.headers


def test_session_comes_with_the_socket_too(server: Server, browser: Browser) -> None:
    table = browser.create("here", "open")
    with browser.open(table, Cookie="") as socket:
        response = socket.websocket.response
        assert response is not None
        cookie = response.headers["set-cookie"].partition(";")[0]
        assert socket.ask("sit", seat=1)["type"] == "ack"
    with browser.open(table, Cookie=cookie) as socket:
        assert [seat["yours"] for seat in socket.table["seats"]] == [False, True]


def test_other_sites_may_frame_a_public_game_alone(web: httpx.Client, browser: Browser) -> None:
    public, private = (browser.create("here", "here", public=shown) for shown in (True, False))
    framed = {
        path: "frame-ancestors *" in (answer := web.get(path)).headers["content-security-policy"]
        and "x-frame-options" not in answer.headers
        for path in (f"/embed/{public}", f"/embed/{private}", "/embed/nowhere", f"/t/{public}", "/")
    }
    assert [path for path, is_framed in framed.items() if is_framed] == [f"/embed/{public}"]
    assert [web.get(path).status_code for path in framed] == [200, 404, 404, 200, 200]
