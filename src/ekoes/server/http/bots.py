"""Routes for bots: tokens, event streams, orders, chat and challenges."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from datetime import datetime
from typing import Annotated

from fastapi import Body, Path, Request
from pydantic import BaseModel, Field

from ekoes.errors import AccountError
from ekoes.games.api.contract import Json
from ekoes.protocol import ChallengeInfo, ChatMessage, FromEvents, FromTable
from ekoes.server.accounts import Caller, digest_of, fresh_token
from ekoes.server.challenges import ChallengePlan
from ekoes.server.http.archive import standing_json
from ekoes.server.http.openapi import Lines, StandingInfo, answers
from ekoes.server.http.policy import Policy
from ekoes.server.http.requests import (
    AccountDep,
    Actions,
    AddressDep,
    CallerDep,
    LiveDep,
    Services,
    ServicesDep,
    StackDep,
    TableId,
    UserDep,
    api_router,
    scopes_of,
    token_of,
)
from ekoes.server.http.sockets import OpenSocket, Served, add_socket
from ekoes.server.realtime.streams import Stream
from ekoes.server.runtime.permissions import SCOPES, Scope, check_allowed, check_scope
from ekoes.storage.accounts import Token
from ekoes.tables.chat import Say
from ekoes.tables.orders import MOST, Order, Strict, VisibleName

token_routes = api_router("/account", "account")


class TokenInfo(BaseModel):
    """A token in the list. used_at: its last use, to the day."""

    id: int
    name: str
    scopes: list[str]
    since: datetime
    used_at: datetime | None


class Tokens(BaseModel):
    """The tokens of an account, and all scopes that exist."""

    tokens: list[TokenInfo]
    scopes: list[Scope]


@token_routes.get("/tokens")
@Policy("search")
def show_tokens(services: ServicesDep, account: AccountDep) -> Tokens:
    """List the tokens of the account, and all scopes."""
    found = services.store.programs.of(account.user_id)
    return Tokens(tokens=[TokenInfo(**_facts(token)) for token in found], scopes=list(SCOPES))


class TokenPlan(Strict):
    """A new token with its scopes."""

    name: VisibleName
    scopes: Annotated[list[Scope], Field(min_length=1, max_length=len(SCOPES))]


class NewToken(TokenInfo):
    """A new token. token: its text, which is returned only now."""

    token: str


@token_routes.post("/tokens", status_code=201)
@Policy("change")
def make_token(services: ServicesDep, user: UserDep, body: TokenPlan) -> NewToken:
    """Create a token, at most 20 per account."""
    account = services.register.account(user)
    text, now = fresh_token(), services.clock.now()
    made = services.store.programs.make(
        account.user_id, body.name, frozenset(body.scopes), digest_of(text), now
    )
    return NewToken(**_facts(made), token=text)


@token_routes.delete("/tokens/{number}", status_code=204)
@Policy("change")
async def end_token(
    services: ServicesDep, account: AccountDep, number: Annotated[int, Path(ge=1, le=MOST)]
) -> None:
    """Revoke a token; its sockets are closed with 4401 and its streams end. A new password revokes all."""
    ended = await asyncio.to_thread(services.store.programs.end, account.user_id, number)
    if not ended:
        raise AccountError("no such token", code="account/unknown-token", key="id")
    for credential in ended:
        services.register.connections.end(credential)


class Mark(BaseModel):
    """Whether an account is a bot account."""

    program: bool


@token_routes.post("/program")
@Policy("change")
async def mark_as_program(services: ServicesDep, account: AccountDep) -> Mark:
    """Turn the account into a bot account for good; possible only before its first game."""
    await services.register.make_program(account)
    return Mark(program=True)


def _facts(token: Token) -> dict[str, object]:
    facts = {"id": token.number, "name": token.name, "scopes": sorted(token.scopes)}
    return facts | {"since": token.since, "used_at": token.used_at}


bot_routes = api_router("", "programs")


ChallengeId = Annotated[str, Path(pattern=r"^[0-9a-f]{1,32}$")]


@bot_routes.get("/bot/stream", response_class=Lines, **answers(FromEvents))
@Policy("connect", "challenge", owner="lobby")
async def open_event_stream(
    services: ServicesDep, address: AddressDep, caller: CallerDep, stack: StackDep
) -> Lines:
    """Stream events for the account as JSON lines: challenges, and games that begin and end."""
    stream = Stream(caller.user)
    _enter(services, address, stack, stream, caller)
    stack.enter_context(services.events.subscribed(stream))
    stack.enter_context(services.lobby_service.listening(caller.user))
    await services.events.send_running(stream)
    for challenge in services.challenges.of(caller.user):
        stream.send_json({"type": "challenge", "challenge": challenge})
    return Lines(stream.lines(services.clock))


class ListeningBot(BaseModel):
    """A bot account that takes challenges, with its ratings, the most played first."""

    name: str
    ratings: list[StandingInfo]


class ListeningBots(BaseModel):
    """The bot accounts that take challenges now."""

    bots: list[ListeningBot]


@bot_routes.get("/bots")
@Policy("search", owner="lobby")
def list_bots(services: ServicesDep) -> ListeningBots:
    """List the bot accounts that take challenges now: those with an open event stream."""
    store = services.store
    found = [(store.people.name(user), store.results.standings(user)) for user in services.lobby.bots]
    return ListeningBots.model_validate(
        {"bots": [{"name": name, "ratings": list(map(standing_json, its))} for name, its in found if name]}
    )


@bot_routes.get("/tables/{table_id}/stream", response_class=Lines, **answers(FromTable))
@Policy("connect", "table:read", owner="table")
async def open_table_stream(
    request: Request,
    services: ServicesDep,
    address: AddressDep,
    caller: CallerDep,
    stack: StackDep,
    table_id: TableId,
    *,
    chat: bool = False,
    actions: Actions | None = None,
) -> Lines:
    """Stream the messages of a table's socket as JSON lines; ``chat=true`` adds the chat.

    ``actions=full`` adds ``own.actions`` to ``table`` and ``update``.
    """
    stream = Stream(caller.user, lists_actions=actions == "full")
    _enter(services, address, stack, stream, caller)
    live = await stack.enter_async_context(services.hub.table(table_id))
    stack.enter_context(live.shown_on(stream, address, caller.user))
    await live.join(stream)
    stack.callback(live.leave, stream)
    if chat:
        check_scope(scopes_of(request), "chat")
        await live.chat.listen(stream, on=True)
    return Lines(stream.lines(services.clock))


class Taken(BaseModel):
    """An accepted order. version: of the table after it."""

    version: int


@bot_routes.post("/tables/{table_id}/orders")
@Policy("order", "table:play", owner="table")
async def give_order(
    request: Request,
    caller: CallerDep,
    live: LiveDep,
    order: Annotated[Order, Body(discriminator="type")],
) -> Taken:
    """Submit an order of the socket; the response comes after it is stored.

    409 ``table/stale`` if the table has changed.
    """
    async with live.lanes.of(caller.user) as lane:
        check_allowed(scopes_of(request), order, live.table)
        at = live.now()
        async with lane:
            return Taken(version=await live.receive(order, caller.user, at))


@bot_routes.get("/tables/{table_id}/chat", **answers(ChatMessage))
@Policy("reading", "chat", owner="table")
async def show_talk(user: UserDep, live: LiveDep) -> Json:
    """Return the chat of a table as the reader may see it: a ``chat`` message."""
    return await live.chat.history(user)


@bot_routes.post("/tables/{table_id}/say", status_code=204)
@Policy("order", "chat", owner="table")
async def say(user: UserDep, live: LiveDep, line: Say) -> None:
    """Post a chat line at a table."""
    await live.chat.say(line, user)


def _serve_challenges(opened: OpenSocket) -> Served:
    services = opened.services
    return services.challenges.serve(opened.socket, opened.session, services.tournaments.subscribed)


add_socket(
    bot_routes, "/challenges", "challenges", Policy("connect", "challenge", owner="lobby"), _serve_challenges
)


class ChallengeList(BaseModel):
    """The challenges from and to the reader."""

    challenges: list[ChallengeInfo]


@bot_routes.get("/challenges")
@Policy("look", "challenge", owner="lobby")
async def show_challenges(services: ServicesDep, user: UserDep) -> ChallengeList:
    """List the open challenges from and to the account."""
    return ChallengeList.model_validate({"challenges": services.challenges.of(user)})


@bot_routes.post("/challenges", status_code=201)
@Policy("make", "challenge", owner="lobby")
async def challenge(
    request: Request, services: ServicesDep, user: UserDep, plan: ChallengePlan
) -> ChallengeInfo:
    """Challenge other accounts to a game, for ten minutes; by correspondence, for seven days.

    ``seats`` are in order of play, counted from 0, and get colours in this order: ``{"kind": "here"}``, the
    challenger's, without which they only watch; ``{"kind": "account", "account": name}``, at least one;
    ``{"kind": "bot", "bot": name}``.
    """
    account = await asyncio.to_thread(services.register.account, user)
    return ChallengeInfo.model_validate(await services.challenges.make(account, plan, token_of(request)))


class Accepted(BaseModel):
    """The result of accepting. table: the new table; null: others have not answered yet."""

    table: str | None


@bot_routes.post("/challenges/{challenge}/accept")
@Policy("change", "challenge", owner="lobby")
async def accept_challenge(
    request: Request, services: ServicesDep, user: UserDep, challenge: ChallengeId
) -> Accepted:
    """Accept a challenge; the table is created when everyone has accepted."""
    return Accepted(table=await services.challenges.accept(user, challenge, token_of(request)))


@bot_routes.post("/challenges/{challenge}/decline", status_code=204)
@Policy("change", "challenge", owner="lobby")
async def decline_challenge(services: ServicesDep, user: UserDep, challenge: ChallengeId) -> None:
    """Decline a challenge, also after accepting it; this ends it for everyone."""
    await services.challenges.decline(user, challenge)


@bot_routes.delete("/challenges/{challenge}", status_code=204)
@Policy("change", "challenge", owner="lobby")
async def cancel_challenge(services: ServicesDep, user: UserDep, challenge: ChallengeId) -> None:
    """Cancel one's own challenge."""
    await services.challenges.cancel(user, challenge)


def _enter(
    services: Services, address: str | None, stack: AsyncExitStack, stream: Stream, caller: Caller
) -> None:
    """Count a stream and its reader's presence for as long as it is open."""
    stack.enter_context(services.events.counted(stream))
    stack.enter_context(services.register.connections.open(caller.credential, stream, address))
    stack.enter_context(services.lobby_service.here(caller.user))
