from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.routing import APIRoute

from ekoes.protocol.outgoing import protocol_schema
from ekoes.server.app import ROUTERS, create_app
from ekoes.server.http.openapi import Failure
from ekoes.server.http.policy import LIMITS, owner_finder, policy_of, routes_of
from ekoes.server.http.services import services_of
from ekoes.server.runtime.messages import SCOPES
from ekoes.server.settings import Settings

Json = dict[str, Any]


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Json:
    app = create_app(Settings(data=tmp_path_factory.mktemp("openapi"), bot_workers=0))
    made: Json = app.openapi()
    services_of(app).store.close()
    return made


def operations(described: Json) -> list[tuple[str, Json]]:
    return [
        (f"{method.upper()} {path}", operation)
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
    ]


def test_each_route_has_a_name_of_its_own_and_says_what_it_does(described: Json) -> None:
    names = Counter(operation["operationId"] for _, operation in operations(described))
    assert {name for name, number in names.items() if number > 1} == set()
    assert [route for route, operation in operations(described) if not operation.get("description")] == []


def test_each_route_says_how_it_fails(described: Json) -> None:
    for route, operation in operations(described):
        content = operation["responses"]["4XX"]["content"]["application/json"]
        assert content["schema"] == {"$ref": "#/components/schemas/Failure"}, route
    assert set(described["components"]["schemas"]["Failure"]["properties"]) == set(Failure.model_fields)


def test_each_route_declares_its_policy() -> None:
    declared = [policy_of(route.endpoint) for route in routes_of(ROUTERS)]
    assert len(declared) > 80
    assert {one.limit for one in declared} == set(LIMITS)
    assert {one.scope for one in declared} == {None, "any", *SCOPES}


def test_each_route_with_a_table_in_its_path_is_owned_by_the_table() -> None:
    for route in routes_of(ROUTERS):
        has_table = "{table_id}" in route.path
        assert (policy_of(route.endpoint).owner == "table") == has_table, route.path


@pytest.mark.parametrize(
    ("method", "path", "owner"),
    [
        ("GET", "/api/tables/abc1", "abc1"),
        ("GET", "/api/games/abc1", "abc1"),
        ("GET", "/t/abc1", "abc1"),
        ("POST", "/api/tables", None),
        ("GET", "/api/tables/a.b", None),
        ("GET", "/api/challenges", "lobby"),
        ("POST", "/api/tournaments/abc/start", "lobby"),
        ("GET", "/api/bot/stream", "lobby"),
        ("GET", "/api/meta", None),
        ("GET", "/assets/index.js", None),
    ],
)
def test_owner_of_a_request_follows_from_its_route(method: str, path: str, owner: str | None) -> None:
    find = owner_finder(ROUTERS, "lobby")
    assert find({"type": "http", "method": method, "path": path, "headers": []}) == owner


def test_each_route_says_which_scope_opens_it(described: Json) -> None:
    scopes = {
        f"{method} {route.path}": policy_of(route.endpoint).scope
        for route in routes_of(ROUTERS)
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }
    schemes = set(described["components"]["securitySchemes"])
    for route, operation in operations(described):
        allowed = {name: scopes for one in operation["security"] for name, scopes in one.items()}
        assert set(allowed) <= schemes
        scope = scopes[route]
        expected = None if scope is None else [] if scope == "any" else [scope]
        assert allowed.get("token") == expected, route


def test_orders_are_described_one_by_one(described: Json) -> None:
    body = described["paths"]["/api/tables/{table_id}/orders"]["post"]["requestBody"]
    kinds = body["content"]["application/json"]["schema"]["discriminator"]["mapping"]
    assert {"act", "intent", "sit", "resign"} <= set(kinds)


def numbers(value: Any, schemas: Json) -> Iterator[Json]:
    """Yield how each number is described that may come in, wherever it is described."""
    if isinstance(value, list):
        for one in value:
            yield from numbers(one, schemas)
    elif isinstance(value, dict):
        if str(value.get("type")) in {"integer", "number"}:
            yield value
        name = str(value.get("$ref", "")).rpartition("/")[2]
        for one in (*value.values(), schemas.get(name)):
            yield from numbers(one, schemas)


def test_every_number_that_may_come_in_has_bounds(described: Json) -> None:
    """Beyond 64 bits no database takes it."""
    asked = [[each.get("parameters"), each.get("requestBody")] for _, each in operations(described)]
    said = protocol_schema()["$defs"]
    found = [*numbers(asked, described["components"]["schemas"])]
    found += numbers([said["to_table"], said["to_lobby"]], said)
    assert len(found) > 50
    assert [one for one in found if not {"maximum", "exclusiveMaximum"} & set(one)] == []
