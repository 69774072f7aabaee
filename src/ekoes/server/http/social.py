"""Routes: blocks, follows, reports and moderation."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from fastapi import Path
from pydantic import AfterValidator, Field

from ekoes.games.api.contract import Json
from ekoes.server.http.answers import ModeratorInfo, Person, ReportMade, Reports, Ties, answers
from ekoes.server.http.policy import Policy
from ekoes.server.http.requests import ServicesDep, UserDep, account_of, api_router
from ekoes.server.social import Target
from ekoes.storage.social import Kind
from ekoes.tables.chat import Reason, read_line
from ekoes.tables.orders import MOST, Strict

social_routes = api_router()

LONGEST_WORDS = 1000
LONGEST_SILENCE = 24 * 365
"""Hours."""


def _words(text: str) -> str:
    """Return a text as one line; it may be empty."""
    return read_line(text) if text.strip() else ""


Words = Annotated[str, Field(max_length=LONGEST_WORDS), AfterValidator(_words)]


class Complaint(Target):
    """A report of a user."""

    reason: Reason
    words: Words = ""


class Verdict(Strict):
    """The resolution of a report. hours: how long the reported user may not chat."""

    words: Words
    hours: Annotated[int, Field(ge=1, le=LONGEST_SILENCE)] | None = None


Number = Annotated[int, Path(ge=1, le=MOST)]


@social_routes.get("/ties/{kind}", **answers(Ties))
@Policy("search", "account:read", owner="lobby")
def show_ties(services: ServicesDep, user: UserDep, kind: Kind) -> Json:
    """List the users that the account blocks or follows.

    ``kind``: ``block`` or ``follow``. ``{"people": [{"id", "name", "since", "here"?}]}``; ``here``: whether
    a followed user is online.
    """
    return {"people": services.relations.ties(kind, user)}


@social_routes.post("/ties/{kind}", status_code=201, **answers(Person, 201))
@Policy("change")
async def tie(services: ServicesDep, user: UserDep, kind: Kind, body: Target) -> Json:
    """Block or follow a user: an ``account``, or the one at a ``seat`` or of a chat ``line`` of a table.

    ``{"id", "name"}``
    """
    await asyncio.to_thread(account_of, services, user)
    return await services.relations.tie(kind, user, body)


@social_routes.delete("/ties/{kind}/{number}", status_code=204)
@Policy("change")
async def untie(services: ServicesDep, user: UserDep, kind: Kind, number: Number) -> None:
    """Unblock or unfollow a user."""
    await services.relations.untie(kind, user, number)


@social_routes.post("/reports", status_code=201, **answers(ReportMade, 201))
@Policy("change")
async def report(services: ServicesDep, user: UserDep, body: Complaint) -> Json:
    """Report a user; at a table with the latest 20 chat lines that this browser received.

    ``{"id"}``
    """
    return {"id": await services.relations.report(user, body, body.reason, body.words)}


@social_routes.get("/moderation", **answers(ModeratorInfo))
@Policy("look")
def show_moderation(services: ServicesDep, user: UserDep) -> Json:
    """Return whether the account of this browser is a moderator.

    ``{"moderator"}``
    """
    return {"moderator": services.moderation.is_moderator(user)}


@social_routes.get("/moderation/reports", **answers(Reports))
@Policy("search")
def show_reports(services: ServicesDep, user: UserDep, state: Literal["open", "all"] = "open") -> Json:
    """List the latest hundred reports, for moderators; ``state``: ``open`` or ``all``.

    ``{"reports": [{"id", "table", "name", "line", "reason", "words", "lines", "at", "resolved_at",
    "verdict"}]}``
    """
    return {"reports": [one.to_json() for one in services.moderation.reports(user, is_open=state == "open")]}


@social_routes.post("/moderation/reports/{number}", status_code=204)
@Policy("change")
def resolve(services: ServicesDep, user: UserDep, number: Number, body: Verdict) -> None:
    """Resolve a report, for moderators; with ``hours`` also mute the reported user."""
    services.moderation.resolve(user, number, body.words, body.hours)
