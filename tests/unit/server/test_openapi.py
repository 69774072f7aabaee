from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from ekoes.server.app import create_app
from ekoes.server.openapi import Failure
from ekoes.server.scopes import ROUTES
from ekoes.server.settings import Settings
from ekoes.server.told import protocol_schema

Json = dict[str, Any]


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Json:
    app = create_app(Settings(data=tmp_path_factory.mktemp("openapi"), bot_workers=0))
    made: Json = app.openapi()
    app.state.store.close()
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


def test_each_route_says_which_scope_opens_it(described: Json) -> None:
    schemes = set(described["components"]["securitySchemes"])
    for route, operation in operations(described):
        allowed = {name: scopes for one in operation["security"] for name, scopes in one.items()}
        assert set(allowed) <= schemes
        scope = ROUTES.get(route, "closed")
        expected = None if scope == "closed" else [] if scope is None else [scope]
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
