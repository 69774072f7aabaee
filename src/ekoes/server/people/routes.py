"""The routes of accounts, and of seats that move to another device."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request, Response
from pydantic import AfterValidator, Field

from ekoes.games.contract import Json
from ekoes.match.names import read_name
from ekoes.match.orders import MAX_PLAYERS, Strict
from ekoes.server.api import TableId, own_origin
from ekoes.server.bodies import StrictRoute
from ekoes.server.cookies import cookie_header, credential_of, fresh_credential, give_session
from ekoes.server.people.register import Caller, Register
from ekoes.server.people.seats import Seats
from ekoes.server.people.secrets import LONGEST_PASSWORD

__all__ = ["CallerOf", "RegisterOf", "people_routes"]

people_routes = APIRouter(prefix="/api", route_class=StrictRoute, dependencies=[Depends(own_origin)])

LONGEST_ACCOUNT_NAME = 24


def _seen(text: str) -> str:
    """Return a name with something in it that can be seen."""
    name = read_name(text)
    if len(name) < 2:
        raise ValueError("must have two characters at least")
    return name


AccountName = Annotated[str, Field(max_length=LONGEST_ACCOUNT_NAME), AfterValidator(_seen)]
Password = Annotated[str, Field(max_length=LONGEST_PASSWORD)]
SeatPath = Annotated[int, Path(ge=0, lt=MAX_PLAYERS)]


class SignUp(Strict):
    """An account as somebody asks for it."""

    name: AccountName
    password: Password


class SignIn(Strict):
    """Who wants to be let in."""

    name: Annotated[str, Field(max_length=LONGEST_ACCOUNT_NAME)]
    password: Password


class Recovery(SignIn):
    """Who wants to be let in without the password; that one is the new one."""

    code: Annotated[str, Field(max_length=40)]


class NewPassword(Strict):
    """A change of password."""

    old: Password
    password: Password


class Proof(Strict):
    """What only the owner of an account should ask."""

    password: Password


class SeatPass(Strict):
    """A pass that somebody was given."""

    model_config = Strict.model_config | {"populate_by_name": True}
    text: Annotated[str, Field(max_length=400, alias="pass")]


def _register(request: Request) -> Register:
    register: Register = request.app.state.register
    return register


def _seats(request: Request) -> Seats:
    seats: Seats = request.app.state.seats
    return seats


def _caller(request: Request, response: Response) -> Caller:
    """Return who asks, with a session of its own from now on."""
    holder = give_session(request, response)
    address = request.client.host if request.client else ""
    about = request.headers.get("user-agent", "")
    return Caller(credential_of(request) or holder, holder, address, about)


RegisterOf = Annotated[Register, Depends(_register)]
SeatsOf = Annotated[Seats, Depends(_seats)]
CallerOf = Annotated[Caller, Depends(_caller)]


@people_routes.get("/account")
async def show_account(register: RegisterOf, caller: CallerOf) -> Json:
    """Tell who this browser is: a guest has no name."""
    account = await register.find(caller)
    if account is None:
        return {"name": None}
    told = {"name": account.name, "since": account.since.isoformat()}
    return told | ({"program": True} if register.is_program(account) else {})


@people_routes.post("/account", status_code=201)
async def sign_up(
    request: Request, response: Response, register: RegisterOf, caller: CallerOf, wish: SignUp
) -> Json:
    """Make this guest an account."""
    credential, codes = await register.sign_up(caller, wish.name, wish.password)
    _bring(request, response, credential)
    return {"name": wish.name, "codes": codes}


@people_routes.post("/account/sign-in", status_code=204)
async def sign_in(
    request: Request, response: Response, register: RegisterOf, caller: CallerOf, wish: SignIn
) -> None:
    """Sign this browser in."""
    _bring(request, response, await register.sign_in(caller, wish.name, wish.password))


@people_routes.post("/account/recover", status_code=204)
async def recover(
    request: Request, response: Response, register: RegisterOf, caller: CallerOf, wish: Recovery
) -> None:
    """Sign this browser in by a recovery code, with a new password."""
    _bring(request, response, await register.recover(caller, wish.name, wish.code, wish.password))


@people_routes.post("/account/sign-out", status_code=204)
async def sign_out(request: Request, response: Response, register: RegisterOf, caller: CallerOf) -> None:
    """Sign this browser out; it is a new guest."""
    await register.sign_out(caller, caller.credential)
    _bring(request, response, fresh_credential(request))


@people_routes.get("/account/tables")
async def show_tables(register: RegisterOf, caller: CallerOf) -> Json:
    """List the newest tables at which the account has a seat."""
    tables = [
        {"id": table.id, "game": table.game, "at": table.made_at.isoformat(), "seats": table.seats}
        for table in await register.tables(caller)
    ]
    return {"tables": tables}


@people_routes.get("/account/devices")
async def show_devices(register: RegisterOf, caller: CallerOf) -> Json:
    """List where the account is signed in."""
    devices = [
        {
            "id": device.id,
            "about": device.about,
            "since": device.since.isoformat(),
            "seen_at": device.seen_at.isoformat(),
            "this": device.id == caller.credential,
        }
        for device in await register.devices(caller)
    ]
    return {"devices": devices}


@people_routes.delete("/account/devices/{device}", status_code=204)
async def end_device(
    register: RegisterOf, caller: CallerOf, device: Annotated[str, Path(max_length=64)]
) -> None:
    """Sign a device out."""
    await register.sign_out(caller, device)


@people_routes.post("/account/password", status_code=204)
async def change_password(register: RegisterOf, caller: CallerOf, wish: NewPassword) -> None:
    """Change the password; all other devices are signed out."""
    await register.change_password(caller, wish.old, wish.password)


@people_routes.post("/account/codes")
async def renew_codes(register: RegisterOf, caller: CallerOf, proof: Proof) -> Json:
    """Make new recovery codes; the old ones are worth nothing any more."""
    return {"codes": await register.fresh_codes(caller, proof.password)}


@people_routes.get("/account/export", response_class=Response)
async def export(register: RegisterOf, caller: CallerOf) -> Response:
    """Send all that is kept of the account, as a zip file."""
    headers = {"content-disposition": 'attachment; filename="ekoes.zip"'}
    return Response(await register.export(caller), media_type="application/zip", headers=headers)


@people_routes.post("/account/delete", status_code=204)
async def close(
    request: Request, response: Response, register: RegisterOf, caller: CallerOf, proof: Proof
) -> None:
    """Delete the account; this browser is a new guest."""
    await register.close(caller, proof.password)
    _bring(request, response, fresh_credential(request))


@people_routes.post("/tables/{table_id}/seats/{seat}/pass")
async def give_pass(seats: SeatsOf, caller: CallerOf, table_id: TableId, seat: SeatPath) -> Json:
    """Give a pass by which another device takes this seat."""
    text, seconds = await seats.give_pass(caller.holder, table_id, seat)
    return {"pass": text, "seconds": seconds}


@people_routes.post("/passes")
async def use_pass(seats: SeatsOf, caller: CallerOf, wish: SeatPass) -> Json:
    """Take the seat of a pass."""
    given = await seats.use_pass(caller.holder, wish.text)
    return {"id": given.table_id, "seat": given.seat, "url": f"/t/{given.table_id}"}


def _bring(request: Request, response: Response, credential: str) -> None:
    """Let the answer bring the browser another cookie."""
    del response.headers["set-cookie"]
    response.headers.append("set-cookie", cookie_header(request, credential))
