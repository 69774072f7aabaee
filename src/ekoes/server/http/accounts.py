"""Routes: accounts, seat passes, vacations and profiles."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from pydantic import AfterValidator, Field

from ekoes.errors import AccountError, TableError
from ekoes.games.api.contract import Json
from ekoes.server.accounts import LONGEST_PASSWORD, Caller
from ekoes.server.http.policy import policy
from ekoes.server.http.requests import (
    StrictRoute,
    TableId,
    cookie_header,
    credential_of,
    give_session,
    own_origin,
    session_of,
)
from ekoes.server.http.services import Services, ServicesDep
from ekoes.storage.accounts import Account
from ekoes.storage.results import Played, Result, Results, Standing
from ekoes.tables.orders import MAX_PLAYERS, Strict, read_name
from ekoes.tables.ratings import NEW

account_routes = APIRouter(prefix="/api", route_class=StrictRoute, dependencies=[Depends(own_origin)])

LONGEST_ACCOUNT_NAME = 24


def _seen(text: str) -> str:
    """Check that a name is visible. Raises ValueError."""
    name = read_name(text)
    if len(name) < 2:
        raise ValueError("must have two characters at least")
    return name


AccountName = Annotated[str, Field(max_length=LONGEST_ACCOUNT_NAME), AfterValidator(_seen)]
Password = Annotated[str, Field(max_length=LONGEST_PASSWORD)]
SeatPath = Annotated[int, Path(ge=0, lt=MAX_PLAYERS)]


class SignUp(Strict):
    """A new account."""

    name: AccountName
    password: Password


class SignIn(Strict):
    """Name and password."""

    name: Annotated[str, Field(max_length=LONGEST_ACCOUNT_NAME)]
    password: Password


class Recovery(SignIn):
    """A recovery code instead of the password; ``password`` is the new one."""

    code: Annotated[str, Field(max_length=40)]


class NewPassword(Strict):
    """A change of password."""

    old: Password
    password: Password


class Proof(Strict):
    """The password as proof of ownership."""

    password: Password


class SeatPass(Strict):
    """A seat pass."""

    model_config = Strict.model_config | {"populate_by_name": True}
    text: Annotated[str, Field(max_length=400, alias="pass")]


def _caller(request: Request, response: Response) -> Caller:
    """Return the client, which gets a session if it has none."""
    holder = give_session(request, response)
    address = request.client.host if request.client else ""
    about = request.headers.get("user-agent", "")
    return Caller(credential_of(request) or holder, holder, address, about)


CallerDep = Annotated[Caller, Depends(_caller)]


@account_routes.get("/account")
@policy("search", "account:read")
async def show_account(services: ServicesDep, caller: CallerDep) -> Json:
    """Return the account of this browser; a guest has no name."""
    account = await services.register.find(caller)
    if account is None:
        return {"name": None}
    about = {"name": account.name, "since": account.since.isoformat()}
    return about | ({"program": True} if services.register.is_program(account) else {})


@account_routes.post("/account", status_code=201)
@policy("enter")
async def sign_up(
    request: Request, response: Response, services: ServicesDep, caller: CallerDep, body: SignUp
) -> Json:
    """Create an account for this guest."""
    credential, codes = await services.register.sign_up(caller, body.name, body.password)
    _set_cookie(request, response, credential)
    return {"name": body.name, "codes": codes}


@account_routes.post("/account/sign-in", status_code=204)
@policy("enter")
async def sign_in(
    request: Request, response: Response, services: ServicesDep, caller: CallerDep, body: SignIn
) -> None:
    """Sign this browser in."""
    _set_cookie(request, response, await services.register.sign_in(caller, body.name, body.password))


@account_routes.post("/account/recover", status_code=204)
@policy("enter")
async def recover(
    request: Request, response: Response, services: ServicesDep, caller: CallerDep, body: Recovery
) -> None:
    """Sign this browser in with a recovery code and set a new password."""
    _set_cookie(
        request, response, await services.register.recover(caller, body.name, body.code, body.password)
    )


@account_routes.post("/account/sign-out", status_code=204)
@policy("change")
async def sign_out(request: Request, response: Response, services: ServicesDep, caller: CallerDep) -> None:
    """Sign this browser out; it is a new guest."""
    await services.register.sign_out(caller, caller.credential)
    _set_cookie(request, response, services.sessions.fresh())


@account_routes.get("/account/tables")
@policy("search", "account:read")
async def show_tables(services: ServicesDep, caller: CallerDep) -> Json:
    """List the newest tables at which the account has a seat."""
    tables = [
        {"id": table.id, "game": table.game, "at": table.made_at.isoformat(), "seats": table.seats}
        for table in await services.register.tables(caller)
    ]
    return {"tables": tables}


@account_routes.get("/account/devices")
@policy("search")
async def show_devices(services: ServicesDep, caller: CallerDep) -> Json:
    """List where the account is signed in."""
    devices = [
        {
            "id": device.id,
            "about": device.about,
            "since": device.since.isoformat(),
            "seen_at": device.seen_at.isoformat(),
            "this": device.id == caller.credential,
        }
        for device in await services.register.devices(caller)
    ]
    return {"devices": devices}


@account_routes.delete("/account/devices/{device}", status_code=204)
@policy("change")
async def end_device(
    services: ServicesDep, caller: CallerDep, device: Annotated[str, Path(max_length=64)]
) -> None:
    """Sign a device out."""
    await services.register.sign_out(caller, device)


@account_routes.post("/account/password", status_code=204)
@policy("enter")
async def change_password(services: ServicesDep, caller: CallerDep, body: NewPassword) -> None:
    """Change the password; all other devices are signed out."""
    await services.register.change_password(caller, body.old, body.password)


@account_routes.post("/account/codes")
@policy("enter")
async def renew_codes(services: ServicesDep, caller: CallerDep, proof: Proof) -> Json:
    """Create new recovery codes, which replace the old ones."""
    return {"codes": await services.register.fresh_codes(caller, proof.password)}


@account_routes.get("/account/export", response_class=Response)
@policy("pack")
async def export(services: ServicesDep, caller: CallerDep) -> Response:
    """Return all data of the account as a zip file."""
    headers = {"content-disposition": 'attachment; filename="ekoes.zip"'}
    return Response(await services.register.export(caller), media_type="application/zip", headers=headers)


@account_routes.post("/account/delete", status_code=204)
@policy("enter")
async def close(
    request: Request, response: Response, services: ServicesDep, caller: CallerDep, proof: Proof
) -> None:
    """Delete the account; this browser is a new guest."""
    await services.register.close(caller, proof.password)
    _set_cookie(request, response, services.sessions.fresh())


@account_routes.post("/tables/{table_id}/seats/{seat}/pass")
@policy("change", owner="table")
async def give_pass(services: ServicesDep, caller: CallerDep, table_id: TableId, seat: SeatPath) -> Json:
    """Return a pass with which another device takes over this seat."""
    text, seconds = await services.register.seats.give_pass(caller.holder, table_id, seat)
    return {"pass": text, "seconds": seconds}


@account_routes.post("/passes")
@policy("change")
async def use_pass(services: ServicesDep, caller: CallerDep, body: SeatPass) -> Json:
    """Take over the seat of a pass."""
    given = await services.register.seats.use_pass(caller.holder, body.text)
    return {"id": given.table_id, "seat": given.seat, "url": f"/t/{given.table_id}"}


def _set_cookie(request: Request, response: Response, credential: str) -> None:
    del response.headers["set-cookie"]
    response.headers.append("set-cookie", cookie_header(request, credential))


vacation_routes = APIRouter(
    prefix="/api/account/vacation", route_class=StrictRoute, dependencies=[Depends(own_origin)]
)


@vacation_routes.get("")
@policy("search")
async def show_vacation(services: ServicesDep, caller: CallerDep) -> Json:
    """Return the vacation days of the account, and whether it is on vacation."""
    account = await services.register.account(caller)
    return await services.hub.vacations.about(account.holder)


@vacation_routes.post("")
@policy("change")
async def begin_vacation(services: ServicesDep, caller: CallerDep) -> Json:
    """Start a vacation, which stops the correspondence clocks of this account."""
    account = await services.register.account(caller)
    await services.hub.vacations.begin(account.holder)
    return await services.hub.vacations.about(account.holder)


@vacation_routes.delete("")
@policy("change")
async def end_vacation(services: ServicesDep, caller: CallerDep) -> Json:
    """End the vacation."""
    account = await services.register.account(caller)
    await services.hub.vacations.end(account.holder)
    return await services.hub.vacations.about(account.holder)


profile_routes = APIRouter(prefix="/api", route_class=StrictRoute)

_GAMES = 50
_LEADERS = 100

Name = Annotated[str, Query(max_length=160)]
"""A query parameter, as a name may contain a slash."""
Word = Annotated[str, Path(pattern=r"^[a-z0-9_-]{1,20}$")]
Players = Annotated[int, Path(ge=1, le=MAX_PLAYERS)]


@profile_routes.get("/profile")
@policy("search", "account:read")
async def show_profile(request: Request, services: ServicesDep, name: Name) -> Json:
    """Return an account with its ratings and its score against the reader."""
    account = await _named(services, name)
    reader, results = session_of(request), services.store.results
    standings = await asyncio.to_thread(results.standings, account.holder)
    return {
        "name": account.name,
        "since": account.since.isoformat(),
        "you": reader == account.holder,
        "ratings": [_standing_json(standing) for standing in standings],
        "between": await _between(results, reader, account.holder),
        **({"program": True} if services.register.is_program(account) else {}),
    }


@profile_routes.get("/profile/games")
@policy("search", "account:read")
async def show_games(
    request: Request, services: ServicesDep, name: Name, before: Annotated[datetime | None, Query()] = None
) -> Json:
    """List the latest games of an account that the reader may see: rated ones and those with the reader."""
    account = await _named(services, name)
    reader = session_of(request)
    games = await asyncio.to_thread(services.store.results.games, account.holder, reader, before, _GAMES)
    return {"games": [played_json(game, account.holder) for game in games], "more": len(games) == _GAMES}


@profile_routes.get("/profile/curve/{game}/{players}/{tempo}")
@policy("search")
async def show_curve(services: ServicesDep, name: Name, game: Word, players: Players, tempo: Word) -> Json:
    """Return the rating of an account after each game of a pool."""
    account = await _named(services, name)
    pool = f"{game}/{players}/{tempo}"
    points = await asyncio.to_thread(services.store.results.curve, account.holder, pool)
    after = [{"at": at.isoformat(), **rating.to_json()} for at, rating in points]
    return {"start": NEW.to_json(), "points": after}


@profile_routes.get("/ratings")
@policy("search")
async def show_pools(services: ServicesDep) -> Json:
    """List the rating pools with their numbers of players."""
    pools = await asyncio.to_thread(services.store.results.pools)
    return {"pools": [{**_pool_json(pool), "people": people} for pool, people in pools]}


@profile_routes.get("/ratings/{game}/{players}/{tempo}")
@policy("search")
async def show_leaders(services: ServicesDep, game: Word, players: Players, tempo: Word) -> Json:
    """List the best players of a pool whose rating is certain."""
    leaders = await asyncio.to_thread(services.store.results.leaders, f"{game}/{players}/{tempo}", _LEADERS)
    return {"leaders": [{"name": it.name, **_standing_json(it)} for it in leaders]}


@profile_routes.get("/tables/{table_id}/result")
@policy("search", "table:read", owner="table")
async def show_result(services: ServicesDep, table_id: TableId) -> Json:
    """Return the result of a game for each seat, with ratings before and after."""
    played = await asyncio.to_thread(services.store.results.of_table, table_id)
    if played is None:
        raise TableError("The game is not over", code="table/not-over")
    return played_json(played, None)


async def _named(services: Services, name: str) -> Account:
    account = await asyncio.to_thread(services.store.people.named, name)
    if account is None:
        raise AccountError("No account has this name", code="account/unknown", key="name")
    return account


async def _between(results: Results, reader: str | None, holder: str) -> Json | None:
    """Return the score of the reader against an account, None without one or for their own profile."""
    if reader is None or reader == holder:
        return None
    between = await asyncio.to_thread(results.between, reader, holder)
    return {"won": between.won, "lost": between.lost, "even": between.even}


def _pool_json(pool: str) -> Json:
    game, players, tempo = pool.split("/")
    return {"game": game, "players": int(players), "tempo": tempo}


def _standing_json(standing: Standing) -> Json:
    counts = {"games": standing.games, "won": standing.won}
    return {**_pool_json(standing.pool), **standing.rating.to_json(), **counts}


def played_json(played: Played, user: str | None) -> Json:
    """Return a game as JSON. user: whose seats are marked."""
    return {
        "table": played.table_id,
        **_pool_json(played.pool),
        "rated": played.rated,
        "reason": played.reason,
        "length": played.length,
        "at": played.ended_at.isoformat(),
        "seats": [_result_json(result, user) for result in played.results],
    }


def _result_json(result: Result, user: str | None) -> Json:
    ratings = {}
    if result.rating is not None:
        before, after = result.rating
        ratings = {"before": before.to_json(), "after": after.to_json()}
    return {
        "seat": result.seat,
        "name": result.name,
        "account": result.account,
        "bot": result.bot,
        "rank": result.rank,
        "won": result.won,
        "theirs": user is not None and result.holder == user,
        **ratings,
    }
