"""How routes describe what they return: the base of their models, and the models that several modules use.

The models stand beside the routes. OpenAPI's schemas are made of them; nothing is validated by them.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from ekoes.protocol import Failure, RatingInfo, TableMessage

Moment = Annotated[str, Field(description="in ISO 8601")]


def answers(model: Any, status: int = 200) -> dict[str, Any]:  # noqa: ANN401 - models and unions of them
    """Return the arguments of a route whose response is described, and sent as it is."""
    return {"response_model": None, "responses": {status: {"model": model}}}


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


class TriedInfo(Shape):
    """A table after trial decisions, seen by a user with all seats. ways: of the piece ``of``.

    refusal: why the last decision was not played; an earlier one that is illegal refuses the request.
    """

    refusal: Failure | None
    ways: Any = None
    table: TableMessage


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
