"""The routes by which a program plays without a socket: streams, orders, talk, challenges."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends, Path, Request
from fastapi.responses import StreamingResponse
from pydantic import BaseModel

from ekoes.errors import AccountError
from ekoes.match.orders import Order
from ekoes.match.talk import Room, Say
from ekoes.server.api import HubOf, TableId, own_origin
from ekoes.server.bodies import StrictRoute
from ekoes.server.connection import refusal_of
from ekoes.server.door import note_address
from ekoes.server.messages import Ways, Why
from ekoes.server.people.register import Caller
from ekoes.server.people.routes import CallerOf
from ekoes.server.programs.challenges import ChallengePlan, Challenges
from ekoes.server.programs.events import Events
from ekoes.server.programs.stream import NDJSON, Stream
from ekoes.server.quotas import address_of
from ekoes.server.scopes import check_allowed, check_scope
from ekoes.server.tokens import scopes_of, token_of

__all__ = ["play_routes"]

play_routes = APIRouter(
    prefix="/api", route_class=StrictRoute, dependencies=[Depends(own_origin)], tags=["programs"]
)

_LINES: dict[int | str, dict[str, Any]] = {200: {"content": {NDJSON: {"schema": {"type": "string"}}}}}


class Taken(BaseModel):
    """An order that is stored. version: the table's after it."""

    version: int


class Answered(BaseModel):
    """The answer to a question: why something can't be done (null: it can), or the ways of a piece."""

    version: int
    refusal: dict[str, Any] | None = None
    ways: Any = None


class Talk(BaseModel):
    """What was said at a table, as far as the reader may and wants to hear it.

    room: where the reader is heard. muted: the seats of whom the reader hides; hides: of how many people.
    silenced: until when the reader may say nothing.
    """

    room: Room
    lines: list[dict[str, Any]]
    muted: list[int]
    hides: int
    silenced: str | None


class ChallengeSeatInfo(BaseModel):
    """A seat of a challenge. accepted: nobody is asked there any more."""

    name: str
    bot: str | None
    yours: bool
    accepted: bool


class ChallengeInfo(BaseModel):
    """A challenge that waits. yours: the reader has made it. ends: when it is forgotten."""

    id: str
    by: str
    yours: bool
    game: str
    options: dict[str, Any]
    clock: dict[str, Any] | None
    rated: bool
    seats: list[ChallengeSeatInfo]
    ends: str


class ChallengeList(BaseModel):
    """The challenges that concern the reader."""

    challenges: list[ChallengeInfo]


class Accepted(BaseModel):
    """What comes of a challenge. table: where it is played; null: others are still asked."""

    table: str | None


async def _challenges(request: Request) -> Challenges:
    challenges: Challenges = request.app.state.challenges
    return challenges


async def _events(request: Request) -> Events:
    events: Events = request.app.state.events
    return events


async def _opened() -> AsyncIterator[AsyncExitStack]:
    """Yield what is open for as long as an answer goes on."""
    async with AsyncExitStack() as opened:
        yield opened


ChallengesOf = Annotated[Challenges, Depends(_challenges)]
EventsOf = Annotated[Events, Depends(_events)]
OpenedOf = Annotated[AsyncExitStack, Depends(_opened)]
ChallengeId = Annotated[str, Path(pattern=r"^[0-9a-f]{1,32}$")]


@play_routes.get("/bot/stream", response_class=StreamingResponse, responses=_LINES)
async def open_event_stream(
    request: Request, events: EventsOf, challenges: ChallengesOf, caller: CallerOf, opened: OpenedOf
) -> StreamingResponse:
    """Tell, line by line, what concerns the reader: challenges, and games that begin and end."""
    stream = Stream(caller.holder)
    _enter(request, opened, stream, caller)
    opened.enter_context(events.heard(stream))
    await events.tell_running(stream)
    for challenge in challenges.of(caller.holder):
        stream.send_json({"type": "challenge", "challenge": challenge})
    return _told(request, stream)


@play_routes.get("/tables/{table_id}/stream", response_class=StreamingResponse, responses=_LINES)
async def open_table_stream(
    request: Request,
    hub: HubOf,
    caller: CallerOf,
    opened: OpenedOf,
    table_id: TableId,
    *,
    chat: bool = False,
) -> StreamingResponse:
    """Tell, line by line, what the socket of the table tells; chat: also what is said there."""
    stream = Stream(caller.holder)
    _enter(request, opened, stream, caller)
    live = await opened.enter_async_context(hub.table(table_id))
    opened.enter_context(live.shown_on(stream))
    await live.join(stream)
    opened.callback(live.leave, stream)
    if chat:
        check_scope(scopes_of(request), "chat")
        await live.chat.listen(stream, on=True)
    return _told(request, stream)


@play_routes.post("/tables/{table_id}/orders")
async def give_order(
    request: Request,
    hub: HubOf,
    caller: CallerOf,
    table_id: TableId,
    order: Annotated[Order, Body(discriminator="type")],
) -> Taken:
    """Give an order, as over the socket: a decision, a seat, an offer. It is stored when this is answered."""
    async with hub.table(table_id) as live, live.lanes.of(caller.holder) as lane:
        check_allowed(scopes_of(request), order, live.table)
        if lane is None:
            raise AccountError("too many lines to this table", code="account/too-many", wait=1)
        at = live.now()
        async with lane:
            return Taken(version=await live.take(order, caller.holder, at))


@play_routes.post("/tables/{table_id}/questions")
async def ask_table(
    hub: HubOf,
    caller: CallerOf,
    table_id: TableId,
    question: Annotated[Why | Ways, Body(discriminator="type")],
) -> Answered:
    """Ask why an action is not possible, or for the ways of a piece; changes nothing."""
    async with hub.table(table_id) as live:
        table = live.seen_by(caller.holder)
        if isinstance(question, Why):
            return Answered(version=table.version, refusal=refusal_of(live, caller.holder, question))
        return Answered(version=table.version, ways=live.kind.ways(table, question.of))


@play_routes.get("/tables/{table_id}/chat")
async def show_talk(hub: HubOf, caller: CallerOf, table_id: TableId) -> Talk:
    """Tell what was said at a table, as far as the reader may and wants to hear it."""
    async with hub.table(table_id) as live:
        return Talk.model_validate(await live.chat.told(caller.holder))


@play_routes.post("/tables/{table_id}/say", status_code=204)
async def say(hub: HubOf, caller: CallerOf, table_id: TableId, line: Say) -> None:
    """Say a line at a table."""
    async with hub.table(table_id) as live:
        await live.chat.say(line, caller.holder)


@play_routes.get("/challenges")
async def show_challenges(challenges: ChallengesOf, caller: CallerOf) -> ChallengeList:
    """List the challenges that concern the account."""
    return ChallengeList.model_validate({"challenges": challenges.of(caller.holder)})


@play_routes.post("/challenges", status_code=201)
async def challenge(
    request: Request, challenges: ChallengesOf, caller: CallerOf, plan: ChallengePlan
) -> ChallengeInfo:
    """Ask others by name for a game."""
    note_address(request, caller.holder)
    return ChallengeInfo.model_validate(await challenges.make(caller.holder, plan, token_of(request)))


@play_routes.post("/challenges/{challenge}/accept")
async def accept_challenge(
    request: Request, challenges: ChallengesOf, caller: CallerOf, challenge: ChallengeId
) -> Accepted:
    """Accept a challenge; its table is made when all have."""
    note_address(request, caller.holder)
    return Accepted(table=await challenges.accept(caller.holder, challenge, token_of(request)))


@play_routes.post("/challenges/{challenge}/decline", status_code=204)
async def decline_challenge(challenges: ChallengesOf, caller: CallerOf, challenge: ChallengeId) -> None:
    """Decline a challenge, for all who are asked."""
    challenges.decline(caller.holder, challenge)


@play_routes.delete("/challenges/{challenge}", status_code=204)
async def cancel_challenge(challenges: ChallengesOf, caller: CallerOf, challenge: ChallengeId) -> None:
    """Take a challenge back."""
    challenges.cancel(caller.holder, challenge)


def _enter(request: Request, opened: AsyncExitStack, stream: Stream, caller: Caller) -> None:
    """Know a stream for as long as it is open, and its reader as somebody who is here."""
    state = request.app.state
    opened.enter_context(state.events.counted(stream))
    opened.enter_context(state.register.lines.open(caller.credential, stream, address_of(request)))
    opened.enter_context(state.meeting.here(caller.holder))


def _told(request: Request, stream: Stream) -> StreamingResponse:
    return StreamingResponse(stream.lines(request.app.state.clock), media_type=NDJSON)
