"""The routes by which somebody lets programs act for them: tokens, and the mark of a bot."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request
from pydantic import AfterValidator, BaseModel, Field

from ekoes.errors import AccountError
from ekoes.match.names import LONGEST_NAME, read_name
from ekoes.match.orders import MOST, Strict
from ekoes.server.api import own_origin
from ekoes.server.bodies import StrictRoute
from ekoes.server.people.routes import CallerOf, RegisterOf
from ekoes.server.scopes import SCOPES, Scope
from ekoes.server.tokens import digest_of, fresh_token
from ekoes.storage.programs import Programs, Token
from ekoes.storage.store import Store

__all__ = ["token_routes"]

token_routes = APIRouter(
    prefix="/api/account", route_class=StrictRoute, dependencies=[Depends(own_origin)], tags=["account"]
)


def _seen(text: str) -> str:
    """Return a name with something in it that can be seen."""
    name = read_name(text)
    if not name:
        raise ValueError("must have something in it that can be seen")
    return name


class TokenWish(Strict):
    """A token as somebody asks for it. scopes: what it allows."""

    name: Annotated[str, Field(max_length=LONGEST_NAME), AfterValidator(_seen)]
    scopes: Annotated[list[Scope], Field(min_length=1, max_length=len(SCOPES))]


class TokenInfo(BaseModel):
    """A token as it is listed. used_at: when it was last used, give or take a day."""

    id: int
    name: str
    scopes: list[str]
    since: datetime
    used_at: datetime | None


class NewToken(TokenInfo):
    """A token as it is told once."""

    token: str


class Tokens(BaseModel):
    """The tokens of an account, and what can be allowed."""

    tokens: list[TokenInfo]
    scopes: list[Scope]


class Mark(BaseModel):
    """Whether an account is a bot's."""

    program: bool


async def _programs(request: Request) -> Programs:
    store: Store = request.app.state.store
    return store.programs


ProgramsOf = Annotated[Programs, Depends(_programs)]


@token_routes.get("/tokens")
async def show_tokens(register: RegisterOf, programs: ProgramsOf, caller: CallerOf) -> Tokens:
    """List the account's tokens."""
    account = await register.account(caller)
    found = await asyncio.to_thread(programs.of, account.holder)
    return Tokens(tokens=[TokenInfo(**_facts(token)) for token in found], scopes=list(SCOPES))


@token_routes.post("/tokens", status_code=201)
async def make_token(
    request: Request, register: RegisterOf, programs: ProgramsOf, caller: CallerOf, wish: TokenWish
) -> NewToken:
    """Make a token; its text is told this once."""
    account = await register.account(caller)
    text, now = fresh_token(), request.app.state.clock.now()
    made = await asyncio.to_thread(
        programs.make, account.holder, wish.name, frozenset(wish.scopes), digest_of(text), now
    )
    return NewToken(**_facts(made), token=text)


@token_routes.delete("/tokens/{number}", status_code=204)
async def end_token(
    register: RegisterOf, programs: ProgramsOf, caller: CallerOf, number: Annotated[int, Path(ge=1, le=MOST)]
) -> None:
    """End a token, and all lines that were opened with it."""
    account = await register.account(caller)
    ended = await asyncio.to_thread(programs.end, account.holder, number)
    if not ended:
        raise AccountError("there is no such token", code="account/unknown-token", key="id")
    for credential in ended:
        register.lines.end(credential)


@token_routes.post("/program")
async def mark_as_program(
    request: Request, register: RegisterOf, programs: ProgramsOf, caller: CallerOf
) -> Mark:
    """Make the account a bot's, for good: only before anybody has played with it."""
    account = await register.account(caller)
    await asyncio.to_thread(programs.mark, account.holder, request.app.state.clock.now())
    return Mark(program=True)


def _facts(token: Token) -> dict[str, object]:
    facts = {"id": token.number, "name": token.name, "scopes": sorted(token.scopes)}
    return facts | {"since": token.since, "used_at": token.used_at}
