"""The routes as an OpenAPI description: by their names, with how they fail and who may ask."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from pydantic import BaseModel, Field

from ekoes.games.contract import Json
from ekoes.server.scopes import ROUTES

__all__ = ["FAILURES", "Failure", "describe", "name_of"]

_SCHEMES: Json = {
    "cookie": {"type": "apiKey", "in": "cookie", "name": "ekoes", "description": "of a browser"},
    "token": {"type": "http", "scheme": "bearer", "description": "of a program; with the scopes named"},
}


class Failure(BaseModel):
    """Why something was not done; ``code`` stays the same, ``message`` is for people.

    rule: the number of the rule. refusal: which way it is broken. field: the key at fault. scope: what a
    token would have to allow. retry_after: seconds until it may be asked again. until: the moment from
    which one is heard again.
    """

    code: Annotated[str, Field(examples=["table/stale"])]
    message: str
    rule: str | None = None
    refusal: str | None = None
    field: str | None = None
    scope: str | None = None
    retry_after: int | None = None
    until: str | None = None


FAILURES: dict[int | str, Json] = {"4XX": {"model": Failure, "description": "Nothing was done."}}

_FAILURE: Json = {"application/json": {"schema": {"$ref": "#/components/schemas/Failure"}}}


def name_of(route: APIRoute) -> str:
    """Return the name of a route, which no other one has."""
    return route.name


def describe(app: FastAPI) -> None:
    """Let an application describe itself so."""

    def description() -> Json:
        if app.openapi_schema is None:
            made = get_openapi(title=app.title, version=app.version, routes=app.routes)
            made.setdefault("components", {})["securitySchemes"] = _SCHEMES
            for route, operation in _operations(made):
                operation["security"] = _security(route)
            app.openapi_schema = made
        return app.openapi_schema

    app.openapi = description  # type: ignore[method-assign]


def _operations(made: Json) -> Iterator[tuple[str, Json]]:
    for path, methods in made["paths"].items():
        for method, operation in methods.items():
            answers = operation["responses"]
            answers.pop("422", None)  # it is one of the failures
            answers["4XX"]["content"] = _FAILURE  # whatever is answered else
            yield f"{method.upper()} {path}", operation


def _security(route: str) -> list[Json]:
    """Return who may ask: anybody is at least a guest, a program where a scope opens it."""
    if route not in ROUTES:
        return [{"cookie": []}]
    scope = ROUTES[route]
    return [{"cookie": []}, {"token": [] if scope is None else [scope]}]
