"""Routes: blocks, follows, reports and moderation."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Path
from pydantic import AfterValidator, Field, model_validator

from ekoes.games.api.contract import Json
from ekoes.server.http.policy import policy
from ekoes.server.http.requests import CallerDep, api_router
from ekoes.server.http.services import ServicesDep
from ekoes.server.social import Target
from ekoes.storage.social import Kind
from ekoes.tables.chat import Reason, read_line
from ekoes.tables.orders import MOST, SeatNumber, Strict

social_routes = api_router()

LONGEST_WORDS = 1000
LONGEST_SILENCE = 24 * 365
"""Hours."""


def _words(text: str) -> str:
    """Return a text as one line; it may be empty."""
    return read_line(text) if text.strip() else ""


Words = Annotated[str, Field(max_length=LONGEST_WORDS), AfterValidator(_words)]


class TargetBody(Strict):
    """A user at a table: the one in a seat, or the author of a chat line."""

    table: Annotated[str, Field(pattern=r"^[0-9a-z]{1,32}$")]
    seat: SeatNumber | None = None
    line: Annotated[int, Field(ge=1, le=MOST)] | None = None

    @model_validator(mode="after")
    def _one_of_them(self) -> TargetBody:
        if (self.seat is None) == (self.line is None):
            raise ValueError("must name a seat or a line")
        return self

    @property
    def target(self) -> Target:
        """The user as `RelationService` takes it."""
        return Target(self.table, self.seat, self.line)


class Complaint(TargetBody):
    """A report of a user."""

    reason: Reason
    words: Words = ""


class Verdict(Strict):
    """The resolution of a report. hours: how long the reported user may not chat."""

    words: Words
    hours: Annotated[int, Field(ge=1, le=LONGEST_SILENCE)] | None = None


Number = Annotated[int, Path(ge=1, le=MOST)]


@social_routes.get("/ties/{kind}")
@policy("search", "account:read")
async def show_ties(services: ServicesDep, caller: CallerDep, kind: Kind) -> Json:
    """List the users that the account blocks or follows."""
    return {"people": await services.relations.ties(kind, caller.holder)}


@social_routes.post("/ties/{kind}", status_code=201)
@policy("change")
async def tie(services: ServicesDep, caller: CallerDep, kind: Kind, body: TargetBody) -> Json:
    """Block or follow a user at a table."""
    return await services.relations.tie(kind, caller.holder, body.target)


@social_routes.delete("/ties/{kind}/{number}", status_code=204)
@policy("change")
async def untie(services: ServicesDep, caller: CallerDep, kind: Kind, number: Number) -> None:
    """Unblock or unfollow a user."""
    await services.relations.untie(kind, caller.holder, number)


@social_routes.post("/reports", status_code=201)
@policy("change")
async def report(services: ServicesDep, caller: CallerDep, body: Complaint) -> Json:
    """Report a user at a table, with the latest chat lines that this browser received."""
    return {"id": await services.relations.report(caller.holder, body.target, body.reason, body.words)}


@social_routes.get("/moderation")
@policy("look")
async def show_moderation(services: ServicesDep, caller: CallerDep) -> Json:
    """Return whether the account of this browser is a moderator."""
    return {"moderator": await services.moderation.is_moderator(caller.holder)}


@social_routes.get("/moderation/reports")
@policy("search")
async def show_reports(
    services: ServicesDep, caller: CallerDep, state: Literal["open", "all"] = "open"
) -> Json:
    """List the open reports, or all."""
    found = await services.moderation.reports(caller.holder, is_open=state == "open")
    return {"reports": [one.to_json() for one in found]}


@social_routes.post("/moderation/reports/{number}", status_code=204)
@policy("change")
async def resolve(services: ServicesDep, caller: CallerDep, number: Number, body: Verdict) -> None:
    """Resolve a report, and mute the reported user if wanted."""
    await services.moderation.resolve(caller.holder, number, body.words, body.hours)
