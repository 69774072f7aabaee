"""The OpenAPI description: operations by function name, their failures, and the credentials they accept."""

from __future__ import annotations

from collections.abc import Iterable

from fastapi import APIRouter, FastAPI, Request
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from pydantic_core import ErrorDetails

from ekoes.games.api.contract import Json
from ekoes.games.api.reading import allowed_keys
from ekoes.protocol import Failure
from ekoes.server.http.policy import Policy, policy_of, routes_of

_SCHEMES: Json = {
    "cookie": {"type": "apiKey", "in": "cookie", "name": "ekoes", "description": "of a browser"},
    "token": {"type": "http", "scheme": "bearer", "description": "of a program; with the scopes named"},
}


FAILURES: dict[int | str, Json] = {"4XX": {"model": Failure, "description": "Nothing was done."}}

_FAILURE: Json = {"application/json": {"schema": {"$ref": "#/components/schemas/Failure"}}}


def name_of(route: APIRoute) -> str:
    """Return the operation id of a route: the name of its function."""
    return route.name


def describe(app: FastAPI, routers: Iterable[APIRouter]) -> None:
    """Make an application return this description as its OpenAPI schema."""
    policies = {
        (method.lower(), route.path): policy_of(route.endpoint)
        for route in routes_of(routers)
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }

    def description() -> Json:
        if app.openapi_schema is None:
            schema = get_openapi(title=app.title, version=app.version, routes=app.routes)
            schema.setdefault("components", {})["securitySchemes"] = _SCHEMES
            for path, operations in schema["paths"].items():
                for method, operation in operations.items():
                    responses = operation["responses"]
                    responses.pop("422", None)  # one of the failures
                    responses["4XX"]["content"] = _FAILURE
                    for content in responses.get("200", {}).get("content", {}).values():
                        if "oneOf" in content["schema"]:  # of each line; FastAPI adds that a stream is text
                            content["schema"].pop("type", None)
                    operation["security"] = _security(policies[method, path])
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = description  # type: ignore[method-assign]


def _security(policy: Policy) -> list[Json]:
    """Return the accepted credentials: a cookie, and a token if the policy has a scope."""
    if policy.scope is None:
        return [{"cookie": []}]
    return [{"cookie": []}, {"token": [] if policy.scope == "any" else [policy.scope]}]


def request_keys(description: Json, request: Request, detail: ErrorDetails) -> list[str]:
    """Return the keys that may stand in place of an unknown one in a query or body; none for other errors."""
    if detail["type"] != "extra_forbidden":
        return []
    operation = description["paths"][request.scope["route"].path][request.method.lower()]
    place, *path = detail["loc"]
    if place == "query":
        return [each["name"] for each in operation["parameters"] if each["in"] == "query"]
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    return allowed_keys({**detail, "loc": tuple(path)}, schema, description)
