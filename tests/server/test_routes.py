"""What each route answers to whom, and to other pages: a route that is not in the table fails the test.

What may be said over sockets has tests of its own: orders, chat, analysis, the lobby.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http.cookies import SimpleCookie
from typing import Any

import httpx
import pytest
from fastapi.routing import APIRoute
from jsonschema_rs import Draft202012Validator
from websockets.exceptions import InvalidStatus

from ekoes.server.app import ROUTERS
from ekoes.server.http.middleware import SECURITY_HEADERS
from ekoes.server.http.openapi import Lines
from ekoes.server.http.policy import policy_of, routes_of
from ekoes.tables.puzzles import puzzles_of
from tests.kit.client import TLS, Browser, Connection, Json, sign_up
from tests.kit.clubs import found_club
from tests.kit.programs import Program, token_of
from tests.kit.server import Server, ekoes
from tests.kit.tournaments import join, make

ROLES = ("nobody", "guest", "other", "owner", "spectator", "moderator", "bot token")
"""Without a cookie; with one alone; an account that sits at the table; the one that made it; a guest who
watches it; an account that is a moderator; a program with a token that allows all there is, of an account
that has no seat."""


@dataclass(frozen=True)
class Call:
    """A request, and its status for each role: for all the same, or by role where ``rest`` is not right.

    looks: whether the caller matters; else a token is not checked.
    """

    method: str
    path: str
    rest: int
    body: Json | None = None
    otherwise: Mapping[str, int] | None = None
    address: str = ""
    looks: bool = True

    def status(self, role: str) -> int:
        if role == "bot token" and (self.method, self.path) in REFUSE_TOKENS and self.looks:
            return 403
        return (self.otherwise or {}).get(role, self.rest)


PUZZLE = next(iter(puzzles_of("eko")))

REFUSE_TOKENS = {
    (method, route.path)
    for route in routes_of(ROUTERS)
    if isinstance(route, APIRoute) and policy_of(route.endpoint).scope is None
    for method in route.methods or ()
}
WRONG = "not the password"
ACCOUNTS = ("other", "owner", "moderator", "bot token")


def accounts(status: int) -> dict[str, int]:
    return dict.fromkeys(ACCOUNTS, status)


def everybody(method: str, path: str, status: int, address: str = "", body: Json | None = None) -> Call:
    return Call(method, path, status, body, address=address)


def anybody(method: str, path: str, status: int, address: str = "", body: Json | None = None) -> Call:
    """Return a call that does not look at its caller."""
    return Call(method, path, status, body, address=address, looks=False)


def members(method: str, path: str, status: int, address: str = "", body: Json | None = None) -> Call:
    """Return a call that needs an account."""
    return Call(method, path, 401, body, accounts(status), address)


PLAN = {"game": "eko", "options": {"players": 2}, "seats": [{"kind": "here"}, {"kind": "open"}]}
TOURNAMENT = {
    "name": "Spring",
    "game": "eko",
    "form": "swiss",
    "options": {"players": 2, "clock": {"base": 60, "increment": 5}},
}
TABLE = "/api/tables/{table_id}"
STUDY = "/api/studies/{study}"
CLUB = "/api/clubs/{club}"
WEEKLY = {"game": "eko", "players": 2, "days": 3}
CLUB_PLAN = {"name": "Routes", "text": "", "open": False}
CHAPTER = {"words": {"en": {"title": "None"}}, "position": {}}
CALLS = (
    everybody("GET", "/api/meta", 200),
    anybody("GET", "/healthz", 200),
    anybody("GET", "/readyz", 200),
    anybody("GET", "/api/{game}/watch", 200, "/api/eko/watch"),
    everybody("GET", "/api/{game}/coach", 200, "/api/eko/coach"),
    anybody("POST", "/api/{name}/analysis", 200, "/api/eko/analysis", {"options": {"players": 2}}),
    *(
        anybody("POST", f"/api/{{name}}/analysis/{file}", 422, f"/api/eko/analysis/{file}", {})
        for file in ("picture.svg", "picture.png", "line.gif")
    ),
    anybody("POST", "/api/{name}/openings", 422, "/api/eko/openings", {}),
    anybody("GET", "/api/{name}/layouts", 200, "/api/eko/layouts"),
    anybody("GET", "/api/{name}/layouts/{layout}/picture.svg", 404, "/api/eko/layouts/none/picture.svg"),
    anybody("POST", "/api/{name}/fairness", 422, "/api/eko/fairness", {"layout": []}),
    everybody("POST", "/api/tables", 201, body=PLAN),
    everybody("GET", TABLE, 200),
    everybody("GET", f"{TABLE}/status", 200),
    everybody("GET", f"{TABLE}/positions/{{decisions}}", 200, "/api/tables/{table_id}/positions/0"),
    everybody("GET", f"{TABLE}/record", 200),
    everybody("GET", f"{TABLE}/deal", 409),
    everybody("GET", f"{TABLE}/review", 409),
    everybody("POST", f"{TABLE}/review", 409),
    everybody("GET", f"{TABLE}/result", 409),
    anybody("GET", f"{TABLE}/picture.png", 200),
    anybody("GET", f"{TABLE}/game.gif", 409),
    anybody("GET", f"{TABLE}/picture.svg", 200),
    Call(
        "POST",
        f"{TABLE}/seats/{{seat}}/pass",
        403,
        otherwise={"owner": 409},
        address="/api/tables/{table_id}/seats/0/pass",
    ),
    everybody("POST", "/api/passes", 422, body={"pass": "none of ours"}),
    anybody("GET", "/api/lessons/{game}", 200, "/api/lessons/eko"),
    anybody("GET", "/api/lessons/{game}/{name}", 200, "/api/lessons/eko/attack"),
    everybody("GET", "/api/studies", 200),
    everybody("POST", "/api/studies", 422, body={"game": "eko"}),
    everybody("GET", STUDY, 404, "/api/studies/none"),
    everybody("PUT", STUDY, 404, "/api/studies/none", {"words": {"en": {"title": "None"}}, "order": []}),
    everybody("DELETE", STUDY, 404, "/api/studies/none"),
    everybody("POST", f"{STUDY}/chapters", 404, "/api/studies/none/chapters", CHAPTER),
    everybody("PUT", f"{STUDY}/chapters/{{name}}", 404, "/api/studies/none/chapters/c", CHAPTER),
    everybody("DELETE", f"{STUDY}/chapters/{{name}}", 404, "/api/studies/none/chapters/c"),
    anybody("GET", "/api/{game}/puzzles/daily", 200, "/api/eko/puzzles/daily"),
    anybody("GET", "/api/{game}/puzzles/rush", 200, "/api/eko/puzzles/rush"),
    everybody("POST", "/api/{game}/puzzles/next", 200, "/api/eko/puzzles/next", {}),
    members("GET", "/api/{game}/puzzles/progress", 200, "/api/eko/puzzles/progress"),
    members("POST", "/api/{game}/puzzles/solved", 200, "/api/eko/puzzles/solved", {"solved": []}),
    anybody("GET", "/api/{game}/puzzles/{name}", 200, f"/api/eko/puzzles/{PUZZLE}"),
    anybody("GET", "/api/{game}/puzzles/{name}/picture.svg", 200, f"/api/eko/puzzles/{PUZZLE}/picture.svg"),
    anybody("POST", "/api/{game}/puzzles/{name}", 422, f"/api/eko/puzzles/{PUZZLE}", {"bad": 1}),
    everybody("GET", "/api/push", 200),
    everybody(
        "POST", "/api/push", 422, body={"endpoint": "http://10.0.0.1/", "keys": {"p256dh": "", "auth": ""}}
    ),
    everybody("DELETE", "/api/push", 204, body={"endpoint": "https://push.example/none"}),
    everybody("GET", "/api/account", 200),
    Call("POST", "/api/account", 422, {"name": "x" * 99, "password": "short"}),
    Call("POST", "/api/account/sign-in", 403, {"name": "Nobody", "password": WRONG}, accounts(409)),
    Call(
        "POST",
        "/api/account/recover",
        403,
        {"name": "No one", "code": "none", "password": WRONG},
        accounts(409),
    ),
    members("GET", "/api/account/tables", 200),
    members("GET", "/api/account/devices", 200),
    members("DELETE", "/api/account/devices/{device}", 404, "/api/account/devices/d.none"),
    members("POST", "/api/account/password", 403, body={"old": WRONG, "password": "another good one"}),
    members("POST", "/api/account/codes", 403, body={"password": WRONG}),
    members("GET", "/api/account/vacation", 200),
    members("POST", "/api/account/vacation", 200),
    members("DELETE", "/api/account/vacation", 200),
    members("GET", "/api/account/export", 200),
    members("POST", "/api/account/delete", 403, body={"password": WRONG}),
    everybody("GET", "/api/profile", 200, "/api/profile?name=owner"),
    everybody("GET", "/api/profile/playing", 200, "/api/profile/playing?name=owner"),
    everybody("GET", "/api/profile/games", 200, "/api/profile/games?name=owner"),
    anybody(
        "GET",
        "/api/profile/curve/{game}/{players}/{tempo}",
        200,
        "/api/profile/curve/eko/2/live?name=owner",
    ),
    anybody("GET", "/api/archive", 200, "/api/archive?player=owner&game=eko&players=2&rated=false"),
    anybody("GET", "/api/archive/records", 200),
    anybody("GET", "/api/games/{table_id}", 409),
    anybody("GET", "/api/ratings", 200),
    anybody("GET", "/api/ratings/{game}/{players}/{tempo}", 200, "/api/ratings/eko/2/live"),
    anybody("GET", "/api/tournaments", 200),
    members("POST", "/api/tournaments", 201, body=TOURNAMENT),
    everybody("GET", "/api/tournaments/{tournament_id}", 200),
    members("POST", "/api/tournaments/{tournament_id}/entrants", 201),
    Call(
        "DELETE",
        "/api/tournaments/{tournament_id}/entrants/{number}",
        401,
        otherwise={"other": 403, "owner": 204, "moderator": 404},
        address="/api/tournaments/{tournament_id}/entrants/3",
    ),
    Call(
        "POST",
        "/api/tournaments/{tournament_id}/start",
        401,
        otherwise={"other": 403, "owner": 204, "moderator": 409},
    ),
    Call(
        "POST",
        "/api/tournaments/{tournament_id}/end",
        401,
        otherwise={"other": 403, "owner": 204, "moderator": 204},
    ),
    anybody("GET", f"{TABLE}/tournament", 200),
    everybody("GET", "/api/clubs", 200),
    members("POST", "/api/clubs", 409, body=CLUB_PLAN | {"name": "Ekoes"}),
    everybody("GET", CLUB, 200),
    Call("PUT", CLUB, 401, CLUB_PLAN, {"other": 403, "owner": 204, "moderator": 403}),
    Call("POST", f"{CLUB}/invitation", 401, otherwise={"other": 403, "owner": 200, "moderator": 403}),
    Call("GET", f"{CLUB}/members", 403, otherwise={"owner": 200}),
    Call("POST", f"{CLUB}/members", 401, {}, {"other": 403, "owner": 201, "moderator": 403}),
    Call("DELETE", f"{CLUB}/members", 401, otherwise={"other": 204, "owner": 409, "moderator": 204}),
    Call(
        "POST",
        f"{CLUB}/roles",
        401,
        {"account": "owner", "role": None},
        {"other": 403, "owner": 403, "moderator": 403},
    ),
    Call("POST", f"{CLUB}/lines", 401, {"text": "Hi"}, {"other": 403, "owner": 204, "moderator": 403}),
    Call("PUT", f"{CLUB}/weekly", 401, WEEKLY, {"other": 403, "owner": 204, "moderator": 403}),
    Call("DELETE", f"{CLUB}/weekly", 401, otherwise={"other": 403, "owner": 204, "moderator": 403}),
    Call("POST", f"{CLUB}/tables", 403, PLAN, {"owner": 201}),
    Call("POST", f"{CLUB}/tournaments", 401, TOURNAMENT, {"other": 403, "owner": 201, "moderator": 403}),
    members("DELETE", "/api/clubs/{club}", 404, "/api/clubs/none"),
    everybody("GET", "/api/relations/{kind}", 200, "/api/relations/follow"),
    Call(
        "POST",
        "/api/relations/{kind}",
        401,
        {"table": "{table_id}", "seat": 1},
        {"owner": 201, "moderator": 201, "other": 404},
        "/api/relations/follow",
    ),
    everybody("DELETE", "/api/relations/{kind}/{number}", 404, "/api/relations/block/99"),
    everybody("POST", "/api/reports", 422, body={"table": "t", "seat": 0, "line": 1, "reason": "spam"}),
    everybody("GET", "/api/moderation", 200),
    Call("GET", "/api/moderation/reports", 403, otherwise={"moderator": 200}),
    Call(
        "POST",
        "/api/moderation/reports/{number}",
        403,
        {"words": "seen"},
        {"moderator": 404},
        "/api/moderation/reports/99",
    ),
    members("GET", "/api/account/tokens", 200),
    members("POST", "/api/account/tokens", 201, body={"name": "A bot", "scopes": ["chat"]}),
    members("DELETE", "/api/account/tokens/{number}", 404, "/api/account/tokens/99"),
    members("POST", "/api/account/program", 409),
    anybody("GET", "/api/league/{game}", 200, "/api/league/eko"),
    members("POST", "/api/league/{game}/entries", 422, "/api/league/eko/entries", {"token": "none"}),
    members("DELETE", "/api/league/{game}/entries", 404, "/api/league/eko/entries?name=Nobody"),
    everybody("GET", "/api/bot/stream", 200),
    anybody("GET", "/api/bots", 200),
    everybody("GET", f"{TABLE}/stream", 200),
    *(
        call
        for place in (TABLE, "/api/lobby", "/api/challenges", "/api/tournaments/{tournament_id}", CLUB)
        for call in (
            everybody("GET", f"{place}/events/{{line}}", 200, f"{place}/events/{'a' * 32}"),
            everybody("POST", f"{place}/events/{{line}}", 404, f"{place}/events/{'a' * 32}"),
        )
    ),
    everybody("POST", f"{TABLE}/orders", 422, body={"type": "sit", "key": "k", "seat": 0}),
    everybody("GET", f"{TABLE}/chat", 200),
    everybody("POST", f"{TABLE}/say", 422, body={"key": "k", "text": ""}),
    everybody("GET", "/api/challenges", 200),
    everybody("POST", "/api/challenges", 422, body={"game": "eko", "options": {"players": 2}, "seats": []}),
    everybody("POST", "/api/challenges/{challenge}/accept", 404, "/api/challenges/ab/accept"),
    everybody("POST", "/api/challenges/{challenge}/decline", 404, "/api/challenges/ab/decline"),
    everybody("DELETE", "/api/challenges/{challenge}", 404, "/api/challenges/ab"),
    # last: whoever is signed out is nobody any more
    members("POST", "/api/account/sign-out", 204),
)


CHANGES = [call for call in CALLS if call.method != "GET"]
FOREIGN = pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://[::1"])
BY_HTTPS = {"X-Forwarded-Proto": "https"}


class House:
    """A server with a table, and a browser for each role."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.browsers: dict[str, httpx.Client] = {}
        people = {role: server.browser() for role in ROLES if role != "nobody"}
        for role in ACCOUNTS:
            sign_up(people[role], role.replace("moderator", "warden"))
        self.table = people["owner"].create("here", "open")
        self._sit(people["other"])
        people["moderator"].create("here", "here")
        self.tournament = make(people["owner"])
        self.club = found_club(people["owner"], open=False)
        for role in ACCOUNTS:
            join(people[role], self.tournament)
        people["spectator"].get(f"/api/tables/{self.table}")
        ekoes("admin", "moderator", "warden", "--data", server.data)
        self.browsers = {role: browser.http for role, browser in people.items()}
        token = token_of(people["bot token"])["token"]
        self.browsers["bot token"] = Program(server.address, token).http
        self.description: Json = people["guest"].get("/api/openapi.json")

    def _sit(self, browser: Browser) -> None:
        with browser.open(self.table) as socket:
            assert socket.ask("sit", seat=1)["type"] == "ack"

    def status(self, call: Call, role: str) -> int:
        address = (call.address or call.path).replace("{table_id}", self.table)
        address = address.replace("{tournament_id}", self.tournament).replace("{club}", self.club)
        body = call.body and {
            key: self.table if value == "{table_id}" else value for key, value in call.body.items()
        }
        if role == "nobody":
            with httpx.Client(base_url=self.server.address, timeout=60, verify=TLS) as nobody:
                return self._checked(call, *_answer(nobody, call.method, address, body))
        return self._checked(call, *_answer(self.browsers[role], call.method, address, body))

    def _checked(self, call: Call, status: int, content: Any) -> int:
        """Return a status; the content must be as the description says."""
        if content is not None:
            responses = self.description["paths"][call.path][call.method.lower()]["responses"]
            found = responses.get(str(status), responses["4XX"])["content"]["application/json"]["schema"]
            schema = found | {"components": self.description["components"]}
            errors = [error.message[:200] for error in Draft202012Validator(schema).iter_errors(content)]
            assert not errors, (call, errors, content)
        return status


def _answer(client: httpx.Client, method: str, address: str, body: Json | None) -> tuple[int, Any]:
    """Ask, and let go of an answer that would go on; return its status, and its content if that is JSON."""
    with client.stream(method, address, json=body) as answer:
        is_json = answer.headers.get("content-type") == "application/json"
        text = answer.read() if is_json else b""
        return answer.status_code, json.loads(text) if text else None


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with Server(tmp_path_factory.mktemp("roles")) as server:
        yield House(server)


def test_each_route_is_in_the_table(house: House) -> None:
    paths = house.description["paths"]
    there = {(method.upper(), path) for path, methods in paths.items() for method in methods}
    assert there == {(call.method, call.path) for call in CALLS}


def test_each_route_describes_what_it_returns(house: House) -> None:
    schemas, bare = house.description["components"]["schemas"], []
    for path, operations in house.description["paths"].items():
        for method, operation in operations.items():
            (status,) = operation["responses"].keys() - {"4XX"}
            for media, content in operation["responses"][status].get("content", {"": {}}).items():
                schema = content.get("schema", {})
                named = schemas.get(schema.get("$ref", "").rpartition("/")[2], schema)
                is_text = (
                    media not in {"application/json", Lines.media_type} and schema.get("type") == "string"
                )
                is_named = {"properties", "oneOf", "items"} & named.keys()
                if status != "204" and not is_text and not is_named:
                    bare.append(f"{method} {path} {media}")
    assert not bare


def test_routes_that_refuse_tokens_are_in_the_table(house: House) -> None:
    there = {f"{call.method} {call.path}" for call in CALLS}
    assert {f"{method} {path}" for method, path in REFUSE_TOKENS if path.startswith("/api/")} <= there


def test_route_answers_each_role_as_the_table_says(house: House) -> None:
    # in the order of the table, as the last call signs out
    answered = {(call.method, call.path, role): house.status(call, role) for call in CALLS for role in ROLES}
    assert answered == {(call.method, call.path, role): call.status(role) for call in CALLS for role in ROLES}


@pytest.fixture(scope="module")
def web(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.address, timeout=60) as web:
        yield web


def address(call: Call) -> str:
    return (call.address or call.path).format(table_id="none", tournament_id="none", club="none", seat=0)


@FOREIGN
def test_foreign_origin_may_change_nothing(web: httpx.Client, origin: str) -> None:
    foreign = {"Origin": origin}
    answers = {
        f"{call.method} {call.path}": web.request(call.method, address(call), json=call.body, headers=foreign)
        for call in CHANGES
    }
    refused = {call: (answer.status_code, answer.json()["code"]) for call, answer in answers.items()}
    assert refused == dict.fromkeys(answers, (403, "message/foreign-origin"))


@FOREIGN
def test_foreign_origin_gets_no_socket(browser: Browser, origin: str) -> None:
    for path in ("lobby", "challenges", f"tables/{browser.create('here', 'here')}"):
        with (
            pytest.raises(InvalidStatus) as refused,
            browser.connect(path, Connection, {"Origin": origin}),
        ):
            pass
        assert refused.value.response.status_code == 403


def test_headers_that_guard_the_page_come_with_every_route(web: httpx.Client) -> None:
    for call in CALLS:
        with web.stream(call.method, address(call), json=call.body) as answer:
            assert answer.status_code < 500, call
            assert SECURITY_HEADERS.items() <= dict(answer.headers).items(), call
            assert "strict-transport-security" not in answer.headers, call


def test_no_style_and_no_script_stands_in_the_page() -> None:
    assert "'unsafe-" not in SECURITY_HEADERS["content-security-policy"]


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


def test_key_rotation_keeps_seats_of_returning_users(own_server: Server) -> None:
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


def test_socket_from_an_http_page_is_refused_under_https(browser: Browser) -> None:
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
    shown = ekoes("play", "--no-browser", "--port", "0", "--data", own_server.data, status=2)
    assert f"chmod 600 {key}" in "".join(shown.split("\n"))
