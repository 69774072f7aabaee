"""The routes of people beside the game: blocks, follows, reports, and the moderators' own."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Path, Request
from pydantic import AfterValidator, Field, model_validator

from ekoes.games.contract import Json
from ekoes.match.orders import MOST, SeatNumber, Strict
from ekoes.match.talk import Reason, read_line
from ekoes.server.api import own_origin
from ekoes.server.bodies import StrictRoute
from ekoes.server.people.routes import CallerOf
from ekoes.server.talk.circle import Circle, Meant
from ekoes.server.talk.moderation import Moderation
from ekoes.storage.ties import Kind

__all__ = ["talk_routes"]

talk_routes = APIRouter(prefix="/api", route_class=StrictRoute, dependencies=[Depends(own_origin)])

LONGEST_WORDS = 1000
LONGEST_SILENCE = 24 * 365
"""Hours."""


def _words(text: str) -> str:
    """Return words in one line, or nothing."""
    return read_line(text) if text.strip() else ""


Words = Annotated[str, Field(max_length=LONGEST_WORDS), AfterValidator(_words)]


class Somebody(Strict):
    """Somebody at a table: who has a seat, or who said a line."""

    table: Annotated[str, Field(pattern=r"^[0-9a-z]{1,32}$")]
    seat: SeatNumber | None = None
    line: Annotated[int, Field(ge=1, le=MOST)] | None = None

    @model_validator(mode="after")
    def _one_of_them(self) -> Somebody:
        if (self.seat is None) == (self.line is None):
            raise ValueError("must name a seat or a line")
        return self

    @property
    def meant(self) -> Meant:
        """As the circle takes it."""
        return Meant(self.table, self.seat, self.line)


class Complaint(Somebody):
    """What somebody says of somebody else."""

    reason: Reason
    words: Words = ""


class Verdict(Strict):
    """What comes of a report. hours: for so long who was reported may say nothing."""

    words: Words
    hours: Annotated[int, Field(ge=1, le=LONGEST_SILENCE)] | None = None


def _circle(request: Request) -> Circle:
    circle: Circle = request.app.state.circle
    return circle


def _moderation(request: Request) -> Moderation:
    moderation: Moderation = request.app.state.moderation
    return moderation


CircleOf = Annotated[Circle, Depends(_circle)]
ModerationOf = Annotated[Moderation, Depends(_moderation)]
Number = Annotated[int, Path(ge=1, le=MOST)]


@talk_routes.get("/ties/{kind}")
async def show_ties(circle: CircleOf, caller: CallerOf, kind: Kind) -> Json:
    """List whom the account blocks or follows."""
    return {"people": await circle.ties(kind, caller.holder)}


@talk_routes.post("/ties/{kind}", status_code=201)
async def tie(circle: CircleOf, caller: CallerOf, kind: Kind, wish: Somebody) -> Json:
    """Block or follow somebody at a table."""
    return await circle.tie(kind, caller.holder, wish.meant)


@talk_routes.delete("/ties/{kind}/{number}", status_code=204)
async def untie(circle: CircleOf, caller: CallerOf, kind: Kind, number: Number) -> None:
    """Block or follow somebody no more."""
    await circle.untie(kind, caller.holder, number)


@talk_routes.post("/reports", status_code=201)
async def report(circle: CircleOf, caller: CallerOf, wish: Complaint) -> Json:
    """Report somebody at a table, with the last lines that this browser heard."""
    return {"id": await circle.report(caller.holder, wish.meant, wish.reason, wish.words)}


@talk_routes.get("/moderation")
async def show_moderation(moderation: ModerationOf, caller: CallerOf) -> Json:
    """Tell whether this browser's account is a moderator's."""
    return {"moderator": await moderation.is_moderator(caller.holder)}


@talk_routes.get("/moderation/reports")
async def show_reports(
    moderation: ModerationOf, caller: CallerOf, state: Literal["open", "all"] = "open"
) -> Json:
    """List the reports that nobody has resolved, or all."""
    found = await moderation.reports(caller.holder, is_open=state == "open")
    return {"reports": [one.to_json() for one in found]}


@talk_routes.post("/moderation/reports/{number}", status_code=204)
async def resolve(moderation: ModerationOf, caller: CallerOf, number: Number, wish: Verdict) -> None:
    """Resolve a report, and silence who was reported if need be."""
    await moderation.resolve(caller.holder, number, wish.words, wish.hours)
