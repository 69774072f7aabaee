"""Routes: accounts, seat passes, vacations, notifications; blocks, follows, reports and moderation."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, Literal

from fastapi import Depends, Path, Request, Response
from pydantic import AfterValidator, BeforeValidator, Field

from ekoes.games.api.contract import Json
from ekoes.protocol import ChatLine
from ekoes.server.accounts import LONGEST_PASSWORD
from ekoes.server.http.openapi import AccountInfo, Created, Moment, Shape, answers, answers_file
from ekoes.server.http.policy import Policy
from ekoes.server.http.requests import (
    AccountDep,
    AddressDep,
    CallerDep,
    Services,
    ServicesDep,
    TableId,
    UserDep,
    api_router,
    cookie_header,
    device_header,
    services_of,
    token_of,
)
from ekoes.server.push import check_endpoint, check_keys
from ekoes.server.social import Target
from ekoes.storage.accounts import Account
from ekoes.storage.schema import PushRow
from ekoes.storage.social import Kind
from ekoes.tables.chat import Reason, read_line
from ekoes.tables.orders import MAX_PLAYERS, MOST, Strict, compose, read_name

account_routes = api_router()

_TABLES = 100
"""The most tables that a list returns."""

LONGEST_ACCOUNT_NAME = 24


def visible(text: str) -> str:
    """Check that a name is visible. Raises ValueError."""
    name = read_name(text)
    if len(name) < 2:
        raise ValueError("must have at least two characters")
    return name


AccountName = Annotated[
    str, BeforeValidator(compose), Field(max_length=LONGEST_ACCOUNT_NAME), AfterValidator(visible)
]
Password = Annotated[str, Field(max_length=LONGEST_PASSWORD)]
SeatPath = Annotated[int, Path(ge=0, lt=MAX_PLAYERS)]


def _set_cookie(request: Request, response: Response) -> Callable[[str], Awaitable[None]]:
    async def replace(credential: str) -> None:
        del response.headers["set-cookie"]
        response.headers.append("set-cookie", cookie_header(request, credential))
        user = await asyncio.to_thread(services_of(request.app).store.people.user, credential)
        if user is not None and user != credential:
            response.headers.append("set-cookie", device_header(request, user))

    return replace


SetCookieDep = Annotated[Callable[[str], Awaitable[None]], Depends(_set_cookie)]
"""Sets the cookie of the response, and marks the browser as known if an account has signed in."""


@account_routes.get("/account", **answers(AccountInfo))
@Policy("search", "account:read")
def show_account(services: ServicesDep, caller: CallerDep) -> Json:
    """Return the account of the caller, and record its use."""
    account = services.store.people.account(caller.user)
    if account is None:
        return {"name": None}
    services.store.people.seen(caller.credential, services.clock.now())
    return account_json(services, account)


def account_json(services: Services, account: Account) -> Json:
    """Return an account as JSON."""
    program = {"program": True} if services.store.people.is_program(account.user_id) else {}
    return {"name": account.name, "since": account.since.isoformat(), **program}


class Codes(Shape):
    """Recovery codes."""

    codes: list[str]


class NewAccount(Codes):
    """A new account. codes: the recovery codes, returned only now."""

    name: str


class SignUp(Strict):
    """A new account."""

    name: AccountName
    password: Password


@account_routes.post("/account", **answers(NewAccount, 201))
@Policy("enter")
async def sign_up(services: ServicesDep, caller: CallerDep, set_cookie: SetCookieDep, body: SignUp) -> Json:
    """Create an account for this guest."""
    credential, codes = await services.register.sign_up(caller, body.name, body.password)
    await set_cookie(credential)
    return {"name": body.name, "codes": codes}


class SignIn(Strict):
    """Name and password."""

    name: Annotated[str, Field(max_length=LONGEST_ACCOUNT_NAME)]
    password: Password


@account_routes.post("/account/sign-in", status_code=204)
@Policy("enter")
async def sign_in(services: ServicesDep, caller: CallerDep, set_cookie: SetCookieDep, body: SignIn) -> None:
    """Sign this browser in; the seats of the guest become the account's."""
    await set_cookie(await services.register.sign_in(caller, body.name, body.password))


class Recovery(SignIn):
    """A recovery code instead of the password; ``password`` is the new one."""

    code: Annotated[str, Field(max_length=40)]


@account_routes.post("/account/recover", status_code=204)
@Policy("enter")
async def recover(services: ServicesDep, caller: CallerDep, set_cookie: SetCookieDep, body: Recovery) -> None:
    """Sign this browser in with a recovery code and set a new password; all other devices are signed out."""
    await set_cookie(await services.register.recover(caller, body.name, body.code, body.password))


@account_routes.post("/account/sign-out", status_code=204)
@Policy("change")
async def sign_out(services: ServicesDep, caller: CallerDep, set_cookie: SetCookieDep) -> None:
    """Sign this browser out; it becomes a new guest."""
    await services.register.sign_out(caller, caller.credential)
    await set_cookie(services.sessions.fresh())


class OwnSeat(Shape):
    """A seat of a table in the list of an account."""

    name: str
    colour: int


class OwnTableInfo(Shape):
    """A table of an account. at: when it was made."""

    id: str
    game: str
    at: Moment
    seats: list[OwnSeat]


class OwnTables(Shape):
    """The newest tables of an account."""

    tables: list[OwnTableInfo]


@account_routes.get("/account/tables", **answers(OwnTables))
@Policy("search", "account:read")
def show_tables(services: ServicesDep, account: AccountDep) -> Json:
    """List the newest hundred tables at which the account has a seat."""
    tables = [
        {"id": table.id, "game": table.game, "at": table.made_at.isoformat(), "seats": table.seats}
        for table in services.store.people.tables(account.user_id, _TABLES)
    ]
    return {"tables": tables}


class DeviceInfo(Shape):
    """A device that is signed in. this: the one that asks."""

    id: str
    about: str
    since: Moment
    seen_at: Moment
    this: bool


class Devices(Shape):
    """The devices of an account."""

    devices: list[DeviceInfo]


@account_routes.get("/account/devices", **answers(Devices))
@Policy("search")
def show_devices(services: ServicesDep, account: AccountDep, caller: CallerDep) -> Json:
    """List the devices on which the account is signed in."""
    devices = [
        {
            "id": device.id,
            "about": device.about,
            "since": device.since.isoformat(),
            "seen_at": device.seen_at.isoformat(),
            "this": device.id == caller.credential,
        }
        for device in services.store.people.devices(account.user_id)
    ]
    return {"devices": devices}


@account_routes.delete("/account/devices/{device}", status_code=204)
@Policy("change")
async def end_device(
    services: ServicesDep, caller: CallerDep, device: Annotated[str, Path(max_length=64)]
) -> None:
    """Sign a device out; its sockets are closed with 4401."""
    await services.register.sign_out(caller, device)


class NewPassword(Strict):
    """A change of password."""

    old: Password
    password: Password


@account_routes.post("/account/password", status_code=204)
@Policy("enter")
async def change_password(services: ServicesDep, caller: CallerDep, body: NewPassword) -> None:
    """Change the password; all other devices are signed out."""
    await services.register.change_password(caller, body.old, body.password)


class Proof(Strict):
    """The password as proof of ownership."""

    password: Password


@account_routes.post("/account/codes", **answers(Codes))
@Policy("enter")
async def renew_codes(services: ServicesDep, caller: CallerDep, proof: Proof) -> Json:
    """Create new recovery codes, which replace the old ones."""
    return {"codes": await services.register.fresh_codes(caller, proof.password)}


@account_routes.get("/account/export", **answers_file("application/zip"))
@Policy("pack")
async def export(services: ServicesDep, address: AddressDep, account: AccountDep) -> Response:
    """Return all data of the account as a zip file: account, devices, tables, records."""
    headers = {"content-disposition": 'attachment; filename="ekoes.zip"'}
    return Response(
        await services.register.export(account, address), media_type="application/zip", headers=headers
    )


@account_routes.post("/account/delete", status_code=204)
@Policy("enter")
async def close(services: ServicesDep, caller: CallerDep, set_cookie: SetCookieDep, proof: Proof) -> None:
    """Delete the account: resign its running games and remove its name from all seats.

    This browser becomes a new guest.
    """
    await services.register.close(caller, proof.password)
    await set_cookie(services.sessions.fresh())


class SeatPassInfo(Shape):
    """A pass for a seat, and how long it lasts."""

    pass_: Annotated[str, Field(alias="pass")]
    seconds: int


@account_routes.post("/tables/{table_id}/seats/{seat}/pass", **answers(SeatPassInfo))
@Policy("change", owner="table")
async def give_pass(services: ServicesDep, caller: CallerDep, table_id: TableId, seat: SeatPath) -> Json:
    """Return a pass with which another device takes over this seat, once and for a limited time."""
    text, seconds = await services.register.give_pass(caller.user, table_id, seat)
    return {"pass": text, "seconds": seconds}


class PassUsed(Created):
    """The seat that was taken over."""

    seat: int


class SeatPass(Strict):
    """A seat pass."""

    model_config = Strict.model_config | {"populate_by_name": True}
    text: Annotated[str, Field(max_length=400, alias="pass")]


@account_routes.post("/passes", **answers(PassUsed))
@Policy("change")
async def use_pass(services: ServicesDep, caller: CallerDep, body: SeatPass) -> Json:
    """Take over the seat of a pass."""
    given = await services.register.use_pass(caller.user, body.text)
    return {"id": given.table_id, "seat": given.seat, "url": f"/t/{given.table_id}"}


class VacationInfo(Shape):
    """Vacation days each year, and those left. until: the end of the current vacation."""

    days: int
    left: int
    until: Moment | None


@account_routes.get("/account/vacation", **answers(VacationInfo))
@Policy("search")
async def show_vacation(services: ServicesDep, account: AccountDep) -> Json:
    """Return the vacation days of the account per year, those left, and when a current vacation ends."""
    return await services.hub.vacations.about(account.user_id)


@account_routes.post("/account/vacation", **answers(VacationInfo))
@Policy("change")
async def begin_vacation(services: ServicesDep, account: AccountDep) -> Json:
    """Start a vacation, which stops the correspondence clocks of this account."""
    await services.hub.vacations.begin(account.user_id)
    return await services.hub.vacations.about(account.user_id)


@account_routes.delete("/account/vacation", **answers(VacationInfo))
@Policy("change")
async def end_vacation(services: ServicesDep, account: AccountDep) -> Json:
    """End the vacation."""
    await services.hub.vacations.end(account.user_id)
    return await services.hub.vacations.about(account.user_id)


# ---------------------------------------------------------------- notifications to browsers

Endpoint = Annotated[str, Field(max_length=1000)]


class PushKey(Shape):
    """The server's key for Web Push."""

    key: str


@account_routes.get("/push", dependencies=[Depends(token_of)], **answers(PushKey))  # which refuses tokens
@Policy("look")
async def show_key(services: ServicesDep) -> Json:
    """Return the public key of this server for Web Push subscriptions, in base64url."""
    return {"key": services.push.signer.public}


class Keys(Strict):
    """The keys with which notifications for a browser are encrypted."""

    p256dh: Annotated[str, Field(max_length=100)]
    auth: Annotated[str, Field(max_length=40)]


class Browser(Strict):
    """A subscription in the form of the Push API."""

    endpoint: Endpoint
    keys: Keys


@account_routes.post("/push", status_code=204)
@Policy("change")
def subscribe(request: Request, services: ServicesDep, caller: CallerDep, browser: Browser) -> None:
    """Send notifications to this browser from now on; replaces a subscription with the same endpoint.

    Each notification is ``{"kind": "turn" or "rematch", "table", "game"}``. 422 ``account/bad-push`` for an
    unusable subscription.
    """
    check_endpoint(browser.endpoint, anywhere=services.push.anywhere)
    check_keys(browser.keys.p256dh, browser.keys.auth)
    subscription = PushRow(
        caller.user,
        caller.credential,
        browser.endpoint,
        browser.keys.p256dh,
        browser.keys.auth,
        f"https://{request.url.hostname}",
        services.clock.now(),
    )
    services.store.pushes.store(subscription)


class Former(Strict):
    """A subscription that ends."""

    endpoint: Endpoint


@account_routes.delete("/push", status_code=204)
@Policy("change")
def unsubscribe(services: ServicesDep, user: UserDep, former: Former) -> None:
    """Stop notifications to this browser."""
    services.store.pushes.drop(user, former.endpoint)


# ---------------------------------------------------------------- relations and moderation

LONGEST_WORDS = 1000
LONGEST_SILENCE = 24 * 365
"""Hours."""


def _words(text: str) -> str:
    """Return a text as one line; it may be empty."""
    return read_line(text) if text.strip() else ""


Words = Annotated[str, Field(max_length=LONGEST_WORDS), AfterValidator(_words)]
Number = Annotated[int, Path(ge=1, le=MOST)]


class Person(Shape):
    """A user who is blocked or followed."""

    id: int
    name: str


class Relation(Person):
    """A user in the list. here: whether a followed one is online."""

    since: Moment
    here: bool | None = None


class Relations(Shape):
    """The users that an account blocks or follows."""

    people: list[Relation]


@account_routes.get("/relations/{kind}", **answers(Relations))
@Policy("search", "account:read", owner="lobby")
def show_relations(services: ServicesDep, user: UserDep, kind: Kind) -> Json:
    """List the users that the account blocks or follows; ``kind``: ``block`` or ``follow``."""
    return {"people": services.relations.listed(kind, user)}


@account_routes.post("/relations/{kind}", **answers(Person, 201))
@Policy("change")
async def relate(services: ServicesDep, user: UserDep, kind: Kind, body: Target) -> Json:
    """Block or follow a user: an ``account``, or the one at a ``seat`` or of a chat ``line`` of a table."""
    await asyncio.to_thread(services.register.account, user)
    return await services.relations.add(kind, user, body)


@account_routes.delete("/relations/{kind}/{number}", status_code=204)
@Policy("change")
async def unrelate(services: ServicesDep, user: UserDep, kind: Kind, number: Number) -> None:
    """Unblock or unfollow a user."""
    await services.relations.remove(kind, user, number)


class ReportMade(Shape):
    """The number of a report."""

    id: int


class Complaint(Target):
    """A report of a user."""

    reason: Reason
    words: Words = ""


@account_routes.post("/reports", **answers(ReportMade, 201))
@Policy("change")
async def report(services: ServicesDep, address: AddressDep, user: UserDep, body: Complaint) -> Json:
    """Report a user; at a table with the latest 20 chat lines that this browser received.

    While a report of the user at that table is open, it stays the only one.
    """
    await services.quotas.report(address)
    return {"id": await services.relations.report(user, body, body.reason, body.words)}


class ModeratorInfo(Shape):
    """Whether the account is a moderator."""

    moderator: bool


@account_routes.get("/moderation", **answers(ModeratorInfo))
@Policy("look")
def show_moderation(services: ServicesDep, user: UserDep) -> Json:
    """Return whether the account of this browser is a moderator."""
    return {"moderator": services.moderation.is_moderator(user)}


class ReportInfo(Shape):
    """A report for moderators. table: null for one from a profile."""

    id: int
    table: str | None
    name: str
    line: int | None
    reason: str
    words: str
    lines: list[ChatLine]
    at: Moment
    resolved_at: Moment | None
    verdict: str | None


class Reports(Shape):
    """The latest reports."""

    reports: list[ReportInfo]


@account_routes.get("/moderation/reports", **answers(Reports))
@Policy("search")
def show_reports(services: ServicesDep, user: UserDep, state: Literal["open", "all"] = "open") -> Json:
    """List the latest hundred reports, for moderators; ``state``: ``open`` or ``all``."""
    return {"reports": [one.to_json() for one in services.moderation.reports(user, is_open=state == "open")]}


class Verdict(Strict):
    """The resolution of a report. hours: how long the reported user may not chat."""

    words: Words
    hours: Annotated[int, Field(ge=1, le=LONGEST_SILENCE)] | None = None


@account_routes.post("/moderation/reports/{number}", status_code=204)
@Policy("change")
def resolve(services: ServicesDep, user: UserDep, number: Number, body: Verdict) -> None:
    """Resolve a report, for moderators; with ``hours`` also mute the reported user."""
    services.moderation.resolve(user, number, body.words, body.hours)
