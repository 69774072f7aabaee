"""What each route answers to whom: a route that is not in this table fails the test.

What may be said over sockets has tests of its own: orders, chat, analysis, the lobby.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.routing import APIRoute

from ekoes.server.app import routers_of
from ekoes.server.http.policy import policy_of, routes_of
from ekoes.server.settings import Settings
from tests.kit.client import Browser, sign_up
from tests.kit.programs import Program, token_of
from tests.kit.server import Server, ekoes
from tests.kit.tournaments import join, make

Json = dict[str, Any]

ROLES = ("nobody", "guest", "other", "owner", "spectator", "moderator", "bot token")
"""Without a cookie; with one alone; an account that sits at the table; the one that made it; a guest who
watches it; an account that is a moderator; a program with a token that allows all there is, of an account
that has no seat."""


@dataclass(frozen=True)
class Call:
    """A request, and its status for each role: for all the same, or by role where ``rest`` is not right."""

    method: str
    path: str
    rest: int
    body: Json | None = None
    otherwise: Mapping[str, int] | None = None
    address: str = ""

    def status(self, role: str) -> int:
        if role == "bot token" and (self.method, self.path) in REFUSE_TOKENS and self.looks:
            return 403
        return (self.otherwise or {}).get(role, self.rest)

    @property
    def looks(self) -> bool:
        """Whether it matters who asks: else a token is not looked at."""
        return (self.method, self.path) not in FOR_ALL


REFUSE_TOKENS = {
    (method, route.path)
    for route in routes_of(routers_of(Settings(data=Path())))
    if isinstance(route, APIRoute) and policy_of(route.endpoint).scope is None
    for method in route.methods or ()
}
FOR_ALL = {
    ("GET", "/healthz"),
    ("GET", "/readyz"),
    ("GET", "/api/tables/{table_id}/picture.png"),
    ("GET", "/api/archive"),
    ("GET", "/api/archive/records"),
    ("GET", "/api/games/{table_id}"),
    ("POST", "/api/{name}/preview"),
    ("GET", "/api/lessons/{game}"),
    ("GET", "/api/lessons/{game}/{name}"),
    ("POST", "/api/lessons/{game}/{name}"),
    ("GET", "/api/profile/curve/{game}/{players}/{tempo}"),
    ("GET", "/api/ratings"),
    ("GET", "/api/ratings/{game}/{players}/{tempo}"),
    ("GET", "/api/tournaments"),
    ("GET", "/api/tables/{table_id}/tournament"),
}
WRONG = "not the password"
ACCOUNTS = ("other", "owner", "moderator", "bot token")


def accounts(status: int) -> dict[str, int]:
    return dict.fromkeys(ACCOUNTS, status)


def everybody(method: str, path: str, status: int, address: str = "", body: Json | None = None) -> Call:
    return Call(method, path, status, body, address=address)


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
CALLS = (
    everybody("GET", "/api/meta", 200),
    everybody("GET", "/healthz", 200),
    everybody("GET", "/readyz", 200),
    everybody("POST", "/api/{name}/preview", 200, "/api/eko/preview", {"players": 2}),
    everybody("POST", "/api/tables", 201, body=PLAN),
    everybody("GET", TABLE, 200),
    everybody("GET", f"{TABLE}/status", 200),
    everybody("GET", f"{TABLE}/positions/{{decisions}}", 200, "/api/tables/{table_id}/positions/0"),
    everybody("GET", f"{TABLE}/record", 200),
    everybody("POST", f"{TABLE}/ahead", 422, body={"version": 0, "decisions": []}),
    everybody("GET", f"{TABLE}/result", 409),
    everybody("GET", f"{TABLE}/picture.png", 200),
    everybody("GET", f"{TABLE}/advice", 403),
    everybody("GET", f"{TABLE}/threats/{{place}}", 403, "/api/tables/{table_id}/threats/a1"),
    Call(
        "POST",
        f"{TABLE}/seats/{{seat}}/pass",
        403,
        otherwise={"owner": 200},
        address="/api/tables/{table_id}/seats/0/pass",
    ),
    everybody("POST", "/api/passes", 422, body={"pass": "none of ours"}),
    everybody("GET", "/api/lessons/{game}", 200, "/api/lessons/eko"),
    everybody("GET", "/api/lessons/{game}/{name}", 200, "/api/lessons/eko/attack"),
    everybody("POST", "/api/lessons/{game}/{name}", 422, "/api/lessons/eko/attack", {"bad": 1}),
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
    everybody("GET", "/api/profile/games", 200, "/api/profile/games?name=owner"),
    everybody(
        "GET",
        "/api/profile/curve/{game}/{players}/{tempo}",
        200,
        "/api/profile/curve/eko/2/live?name=owner",
    ),
    everybody("GET", "/api/archive", 200, "/api/archive?player=owner&game=eko&players=2&rated=false"),
    everybody("GET", "/api/archive/records", 200),
    everybody("GET", "/api/games/{table_id}", 409),
    everybody("GET", "/api/ratings", 200),
    everybody("GET", "/api/ratings/{game}/{players}/{tempo}", 200, "/api/ratings/eko/2/live"),
    everybody("GET", "/api/tournaments", 200),
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
    everybody("GET", f"{TABLE}/tournament", 200),
    everybody("GET", "/api/ties/{kind}", 200, "/api/ties/follow"),
    Call(
        "POST",
        "/api/ties/{kind}",
        401,
        {"table": "{table_id}", "seat": 1},
        {"owner": 201, "moderator": 201, "other": 404},
        "/api/ties/follow",
    ),
    everybody("DELETE", "/api/ties/{kind}/{number}", 404, "/api/ties/block/99"),
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
    everybody("GET", "/api/bot/stream", 200),
    everybody("GET", f"{TABLE}/stream", 200),
    everybody("POST", f"{TABLE}/orders", 422, body={"type": "sit", "key": "k", "seat": 0}),
    everybody("POST", f"{TABLE}/questions", 422, body={"type": "ways", "key": "k", "of": "?"}),
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


class House:
    """A server with a table, and a browser for each role."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.browsers: dict[str, httpx.Client] = {}
        people = {role: server.browser() for role in ROLES if role != "nobody"}
        for role in ACCOUNTS:
            sign_up(people[role], role)
        self.table = people["owner"].create("here", "open")
        self._sit(people["other"])
        people["moderator"].create("here", "here")
        self.tournament = make(people["owner"])
        for role in ACCOUNTS:
            join(people[role], self.tournament)
        people["spectator"].get(f"/api/tables/{self.table}")
        ekoes("admin", "moderator", "moderator", "--data", server.data)
        self.browsers = {role: browser.http for role, browser in people.items()}
        token = token_of(people["bot token"])["token"]
        self.browsers["bot token"] = Program(server.address, token).http

    def _sit(self, browser: Browser) -> None:
        with browser.open(self.table) as socket:
            assert socket.ask("sit", seat=1)["type"] == "ack"

    def status(self, call: Call, role: str) -> int:
        address = (call.address or call.path).replace("{table_id}", self.table)
        address = address.replace("{tournament_id}", self.tournament)
        body = call.body and {
            key: self.table if value == "{table_id}" else value for key, value in call.body.items()
        }
        if role == "nobody":
            with httpx.Client(base_url=self.server.address, timeout=60) as nobody:
                return _status(nobody, call.method, address, body)
        return _status(self.browsers[role], call.method, address, body)


def _status(client: httpx.Client, method: str, address: str, body: Json | None) -> int:
    """Ask, and let go of an answer that would go on."""
    with client.stream(method, address, json=body) as answer:
        return answer.status_code


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with Server(tmp_path_factory.mktemp("roles")) as server:
        yield House(server)


def test_each_route_is_in_the_table(house: House) -> None:
    paths = house.browsers["guest"].get("/api/openapi.json").json()["paths"]
    there = {(method.upper(), path) for path, methods in paths.items() for method in methods}
    assert there == {(call.method, call.path) for call in CALLS}


def test_routes_that_refuse_tokens_are_in_the_table(house: House) -> None:
    there = {f"{call.method} {call.path}" for call in CALLS}
    assert {f"{method} {path}" for method, path in REFUSE_TOKENS if path.startswith("/api/")} <= there


def test_routes_answer_each_role_as_the_table_says(house: House) -> None:
    # in the order of the table, as the last call signs out
    answered = {(call.method, call.path, role): house.status(call, role) for call in CALLS for role in ROLES}
    assert answered == {(call.method, call.path, role): call.status(role) for call in CALLS for role in ROLES}
