"""Routes: clubs, their members, chat, tables and tournaments."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from fastapi import Path, Query, Request
from pydantic import AfterValidator, BeforeValidator, Field

from ekoes.games.api.contract import Json
from ekoes.server.clubs import about
from ekoes.server.http.accounts import visible
from ekoes.server.http.openapi import Created, Moment, Shape, answers
from ekoes.server.http.policy import Policy
from ekoes.server.http.requests import (
    AccountDep,
    AddressDep,
    ReaderDep,
    Services,
    ServicesDep,
    UserDep,
    api_router,
    token_of,
)
from ekoes.server.http.sockets import OpenSocket, add_socket
from ekoes.server.http.tables import NewTable, make_table
from ekoes.server.http.tournaments import TournamentListed
from ekoes.server.ops.secrets import ID_PATTERN
from ekoes.storage.accounts import Account
from ekoes.storage.clubs import PAGE, Club, Role
from ekoes.tables.chat import LONGEST_LINE, read_line
from ekoes.tables.orders import LONGEST_NAME, MAX_PLAYERS, Strict, compose
from ekoes.tournaments.state import TournamentPlan

club_routes = api_router()

_LAST_PAGE = 1000
_LONGEST_TEXT, _MOST_LINES = 2000, 40
ClubId = Annotated[str, Path(pattern=ID_PATTERN)]
Page = Annotated[int, Query(ge=0, le=_LAST_PAGE)]
ClubRole = Literal["owner", "organiser", "member"]


def _paragraphs(text: str) -> str:
    """Return a text of several lines, each as it is stored."""
    lines = [read_line(line) if line.strip() else "" for line in text.strip().splitlines()]
    if len(lines) > _MOST_LINES:
        raise ValueError(f"has more than {_MOST_LINES} lines")
    return "\n".join(lines)


class ClubPlan(Strict):
    """The settings of a club. open: anybody may join; else people with its link."""

    name: Annotated[str, BeforeValidator(compose), Field(max_length=LONGEST_NAME), AfterValidator(visible)]
    text: Annotated[str, Field(max_length=_LONGEST_TEXT), AfterValidator(_paragraphs)]
    open: bool


class ClubAbout(Shape):
    """A club. members: their number."""

    name: str
    text: str
    open: bool
    members: int


class ClubListed(ClubAbout):
    """A club in a list. role: of the reader, in their own clubs."""

    id: str
    role: ClubRole | None = None


class ClubList(Shape):
    """Clubs. own: those of the reader; more: whether there is another page."""

    clubs: list[ClubListed]
    own: list[ClubListed]
    more: bool


def _listed(club: Club) -> Json:
    return {"id": club.id} | about(club)


@club_routes.get("/clubs", **answers(ClubList))
@Policy("search", owner="lobby")
def list_clubs(
    services: ServicesDep,
    user: ReaderDep,
    search: Annotated[str, Query(max_length=LONGEST_NAME, pattern=r"^[^\x00]*$")] = "",
    page: Page = 0,
) -> Json:
    """List the clubs whose names contain some words, those with most members first, and one's own."""
    found = services.store.clubs.search(search, page)
    own = [] if user is None else services.store.clubs.of(user)
    return {
        "clubs": [_listed(club) for club in found[:PAGE]],
        "own": [_listed(one.club) | {"role": one.role} for one in own],
        "more": len(found) > PAGE,
    }


@club_routes.post("/clubs", **answers(Created, 201))
@Policy("make", owner="lobby")
async def make_club(services: ServicesDep, address: AddressDep, user: UserDep, plan: ClubPlan) -> Json:
    """Found a club; its owner is the account of the caller."""
    account = await _account(services, user)
    club = await services.clubs.make(account, address, plan.name, plan.text, is_open=plan.open)
    return {"id": club, "url": f"/clubs/{club}"}


async def _account(services: Services, user: str) -> Account:
    return await asyncio.to_thread(services.register.account, user)


class ClubOwn(Shape):
    """The reader's role in a club, and for members the secret of its link. moderates: they may delete it."""

    role: ClubRole | None = None
    invitation: str | None = None
    moderates: Literal[True] | None = None


class WeeklyTable(Strict):
    """A table that is created each week. days: per turn."""

    game: Annotated[str, Field(max_length=20)]
    players: Annotated[int, Field(ge=2, le=MAX_PLAYERS)]
    days: Annotated[int, Field(ge=1, le=14)]


class ClubInfo(ClubAbout):
    """A club. owner: their name. tournaments: its latest, for members, or if it is open."""

    id: str
    since: Moment
    owner: str
    own: ClubOwn
    tournaments: list[TournamentListed]
    weekly: WeeklyTable | None


@club_routes.get("/clubs/{club}", **answers(ClubInfo))
@Policy("search", owner="lobby")
def show_club(services: ServicesDep, user: ReaderDep, club: ClubId) -> Json:
    """Return a club as the reader may see it."""
    found = services.store.clubs.load(club)
    role = services.store.clubs.role(club, user)
    is_member = role not in {None, "banned"}
    own: Json = {"role": role, "invitation": found.invitation} if is_member else {}
    if user is not None and services.moderation.is_moderator(user):
        own |= {"moderates": True}
    return _listed(found) | {
        "since": found.since.isoformat(),
        "owner": services.store.clubs.people(club, 0)[0].name,
        "own": own,
        "tournaments": services.tournaments.latest(club) if is_member or found.is_open else [],
        "weekly": found.weekly,
    }


@club_routes.put("/clubs/{club}", status_code=204)
@Policy("change", owner="lobby")
async def change_club(services: ServicesDep, user: UserDep, club: ClubId, plan: ClubPlan) -> None:
    """Change name, text and who may join, as an organiser."""
    account = await _account(services, user)
    await services.clubs.change(club, account, plan.name, plan.text, is_open=plan.open)


@club_routes.delete("/clubs/{club}", status_code=204)
@Policy("change", owner="lobby")
async def remove_club(services: ServicesDep, account: AccountDep, club: ClubId) -> None:
    """Delete a club, as its owner or a moderator.

    So are its chat, its link and its tournaments that have not begun; its games stay.
    """
    await services.clubs.remove(club, account)


@club_routes.post("/clubs/{club}/invitation", **answers(ClubOwn))
@Policy("change", owner="lobby")
def renew_invitation(services: ServicesDep, account: AccountDep, club: ClubId) -> Json:
    """Replace the secret of the link, as an organiser; the old link no longer works."""
    invitation = services.clubs.renew(club, account)
    return {"role": services.store.clubs.role(club, account.user_id), "invitation": invitation}


# ---------------------------------------------------------------- members


class ClubMember(Shape):
    """A member of a club, or an account that is banned. since: of the membership or the ban."""

    name: str
    role: Role
    since: Moment


class ClubMembers(Shape):
    """Members. more: whether there is another page."""

    members: list[ClubMember]
    more: bool


@club_routes.get("/clubs/{club}/members", **answers(ClubMembers))
@Policy("search", owner="lobby")
def list_members(
    services: ServicesDep,
    user: ReaderDep,
    club: ClubId,
    page: Page = 0,
    banned: Literal["true"] | None = None,
) -> Json:
    """List the members of a club; if it is joined by its link, only members may.

    ``banned=true``: list who is banned, for organisers.
    """
    store = services.store.clubs
    if banned:
        store.check_organiser(club, user)
    elif not store.load(club).is_open:
        store.check_member(club, user)
    found = store.people(club, page, banned=banned is not None)
    people = [{"name": one.name, "role": one.role, "since": one.since.isoformat()} for one in found[:PAGE]]
    return {"members": people, "more": len(found) > PAGE}


class Joining(Strict):
    """The secret of the club's link, if it needs one."""

    invitation: Annotated[str, Field(max_length=40)] | None = None


@club_routes.post("/clubs/{club}/members", **answers(ClubInfo, 201))
@Policy("change", owner="lobby")
async def join_club(services: ServicesDep, user: UserDep, club: ClubId, body: Joining) -> Json:
    """Join a club; answers with the club."""
    await services.clubs.join(club, await _account(services, user), body.invitation)
    return await asyncio.to_thread(show_club, services, user, club)


@club_routes.delete("/clubs/{club}/members", status_code=204)
@Policy("change", owner="lobby")
async def leave_club(services: ServicesDep, account: AccountDep, club: ClubId) -> None:
    """Leave a club; its owner passes it on first."""
    await services.clubs.leave(club, account)


class Appointment(Strict):
    """The new role of an account; null: it is removed, or its ban ends."""

    account: Annotated[str, Field(max_length=160)]
    role: Role | None


@club_routes.post("/clubs/{club}/roles", status_code=204)
@Policy("change", owner="lobby")
async def appoint(services: ServicesDep, user: UserDep, club: ClubId, body: Appointment) -> None:
    """Give a member another role, ban or remove them, or end a ban.

    Organisers do this to members, the owner to all others. A new owner makes the former one an organiser.
    """
    await services.clubs.appoint(club, await _account(services, user), body.account, body.role)


# ---------------------------------------------------------------- what goes on


class ClubSaid(Strict):
    """A chat message."""

    text: Annotated[str, Field(max_length=LONGEST_LINE), AfterValidator(read_line)]


@club_routes.post("/clubs/{club}/lines", status_code=204)
@Policy("change", owner="lobby")
async def say_in_club(services: ServicesDep, user: UserDep, club: ClubId, body: ClubSaid) -> None:
    """Post a chat message to the members."""
    await services.clubs.say(club, await _account(services, user), body.text)


@club_routes.post("/clubs/{club}/tables", **answers(Created, 201))
@Policy("make", owner="lobby")
async def make_club_table(
    request: Request, services: ServicesDep, address: AddressDep, user: UserDep, club: ClubId, plan: NewTable
) -> Json:
    """Create a table, as a member, at which only members may sit down; only they see it in lists."""
    await asyncio.to_thread(services.store.clubs.check_member, club, user)
    plan = plan.model_copy(update={"public": False})
    table_id = await make_table(services, address, user, plan, token_of(request))
    await services.clubs.add_table(club, table_id)
    return {"id": table_id, "url": f"/t/{table_id}"}


@club_routes.put("/clubs/{club}/weekly", status_code=204)
@Policy("make", owner="lobby")
async def set_weekly_table(services: ServicesDep, user: UserDep, club: ClubId, body: WeeklyTable) -> None:
    """Have a correspondence table created each week, as an organiser.

    None is created while another correspondence table of the club has free seats.
    """
    await services.clubs.set_weekly(club, await _account(services, user), body.model_dump())


@club_routes.delete("/clubs/{club}/weekly", status_code=204)
@Policy("change", owner="lobby")
async def end_weekly_table(services: ServicesDep, account: AccountDep, club: ClubId) -> None:
    """End the weekly table, as an organiser."""
    await services.clubs.set_weekly(club, account, None)


@club_routes.post("/clubs/{club}/tournaments", **answers(Created, 201))
@Policy("make", owner="lobby")
async def make_club_tournament(
    services: ServicesDep, user: ReaderDep, club: ClubId, plan: TournamentPlan
) -> Json:
    """Create a tournament, as an organiser, that only members may join; it is listed only in the club."""
    tournament_id = await services.tournaments.make(user, plan, club)
    return {"id": tournament_id, "url": f"/tournaments/{tournament_id}"}


async def _serve_club(opened: OpenSocket) -> None:
    services, club = opened.services, opened.path["club"][:40]
    await services.clubs.make_weekly(club)
    with services.lobby_service.here(opened.session):
        await services.clubs.rooms.serve(opened.socket, opened.session, club)


add_socket(club_routes, "/clubs/{club}", "club", Policy("look", owner="lobby"), _serve_club)
