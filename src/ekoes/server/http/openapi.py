"""How routes are described: the base of the models of what they return, and the OpenAPI description.

The models stand beside the routes; those that several modules use are here. Schemas are made of them, and
nothing is validated by them.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import chain
from typing import Annotated, Any, Literal

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.openapi.utils import get_openapi
from fastapi.responses import StreamingResponse
from fastapi.routing import APIRoute
from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import ErrorDetails

from ekoes.games.api.contract import Json
from ekoes.games.api.reading import allowed_keys
from ekoes.protocol import Failure, RatingInfo
from ekoes.server.http.policy import Policy, policy_of, routes_of

Moment = Annotated[str, Field(description="in ISO 8601")]


def answers(model: object, status: int = 200) -> dict[str, Any]:
    """Return the arguments of a route whose response is described, and sent as it is.

    The type is ``Any``: nothing is validated then, and pydantic's core writes the JSON, not a walk in Python.
    """
    return {"response_model": Any, "status_code": status, "responses": {status: {"model": model}}}


def answers_file(media_type: str) -> dict[str, Any]:
    """Return the arguments of a route that sends a file."""
    schema = {"type": "string", "format": "binary"}
    content = {"content": {media_type: {"schema": schema}}}
    return {"response_model": None, "response_class": Response, "responses": {200: content}}


class Lines(StreamingResponse):
    """Streams JSON, one object per line."""

    media_type = "application/x-ndjson"


class Shape(BaseModel):
    """The base of the models of what routes return."""

    model_config = ConfigDict(extra="forbid", defer_build=True)


class OpenShape(Shape):
    """The base of models that games add keys of their own to."""

    model_config = ConfigDict(extra="allow")


class Created(Shape):
    """A new table or tournament. url: of its page."""

    id: str
    url: str


class Watched(Shape):
    """A game that can be watched; null: there is none now."""

    table: str | None
    game: str | None


class AccountInfo(Shape):
    """An account. Of a guest there is only ``name``, null."""

    name: str | None
    since: Moment | None = None
    program: Literal[True] | None = None


class Pool(Shape):
    """Games that are rated together."""

    game: str
    players: int
    tempo: str


class StandingInfo(Pool, RatingInfo):
    """A rating in a pool, with the games counted and won."""

    games: int
    won: int


# ---------------------------------------------------------------- the description of an application

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
    """Make an application describe these routers, which takes most of a second when it is first asked."""
    policies = {
        (method.lower(), route.path): policy_of(route.endpoint)
        for route in routes_of(routers)
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }

    @cache
    def description() -> Json:
        schema = get_openapi(title=app.title, version=app.version, routes=app.routes)
        schema.setdefault("components", {})["securitySchemes"] = _SCHEMES
        for path, operations in schema["paths"].items():
            for method, operation in operations.items():
                responses = operation["responses"]
                responses.pop("422", None)  # one of the failures
                responses["4XX"]["content"] = _FAILURE
                for content in chain(*(each.get("content", {}).values() for each in responses.values())):
                    # FastAPI adds the title of any value, and that a stream, of lines or events, is text
                    if content["schema"].keys() & {"oneOf", "$ref"}:
                        content["schema"].pop("title", None)
                        content["schema"].pop("type", None)
                operation["security"] = _security(policies[method, path])
        return schema

    app.openapi = description  # type: ignore[method-assign]


def _security(policy: Policy) -> list[Json]:
    """Return the accepted credentials: a cookie, and a token if the policy has a scope."""
    if policy.scope is None:
        return [{"cookie": []}]
    return [{"cookie": []}, {"token": [] if policy.scope == "any" else [policy.scope]}]


def request_keys(request: Request, detail: ErrorDetails) -> list[str]:
    """Return the keys that may stand in place of an unknown one in a query or body; none for other errors."""
    if detail["type"] != "extra_forbidden":
        return []
    description = request.app.openapi()
    operation = description["paths"][request.scope["route"].path][request.method.lower()]
    place, *path = detail["loc"]
    if place == "query":
        return [each["name"] for each in operation["parameters"] if each["in"] == "query"]
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    return allowed_keys(path, schema, description)
