"""Routes: tournaments."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from fastapi import Path

from ekoes.games.api.contract import Json
from ekoes.server.http.openapi import Created, Shape, answers
from ekoes.server.http.policy import Policy
from ekoes.server.http.requests import ReaderDep, ServicesDep, TableId, api_router
from ekoes.server.http.sockets import OpenSocket, add_socket
from ekoes.server.ops.secrets import ID_PATTERN
from ekoes.tables.settings import ClockPlan
from ekoes.tournaments.state import Form, Status, TournamentPlan

tournament_routes = api_router()

TournamentId = Annotated[str, Path(pattern=ID_PATTERN)]
Number = Annotated[int, Path(ge=1, le=10_000)]


class TournamentAbout(Shape):
    """The plan and status of a tournament. drawn: the rounds so far. late: entrants may still join.

    starts_at: when it starts by itself, in milliseconds.
    """

    name: str
    game: str
    form: Form
    players: int
    options: Json
    status: Status
    late: bool
    grace: int
    rounds: int | None = None
    minutes: int | None = None
    rated: Literal[True] | None = None
    clock: ClockPlan | None = None
    drawn: int
    starts_at: int | None = None


class TournamentListed(TournamentAbout):
    """A tournament in the list. since: when it was made, in milliseconds."""

    id: str
    entrants: int
    since: int


class TournamentList(Shape):
    """The latest tournaments."""

    tournaments: list[TournamentListed]


@tournament_routes.get("/tournaments", **answers(TournamentList))
@Policy("search", owner="lobby")
def list_tournaments(services: ServicesDep) -> Json:
    """List the latest hundred tournaments, unfinished ones first."""
    return {"tournaments": services.tournaments.latest()}


@tournament_routes.post("/tournaments", **answers(Created, 201))
@Policy("make", owner="lobby")
async def make_tournament(services: ServicesDep, user: ReaderDep, plan: TournamentPlan) -> Json:
    """Create a tournament that others may join; needs an account."""
    tournament_id = await services.tournaments.make(user, plan)
    return {"id": tournament_id, "url": f"/tournaments/{tournament_id}"}


class ClubName(Shape):
    """A club's id and name."""

    id: str
    name: str


class TournamentFacts(TournamentAbout):
    """A tournament as its page shows it. breaks: the tie-breaks in order.

    ends_at: when an arena's time is up.
    next_at: when the next round starts, in the break before it. tables: the players at each table of the
    first round if no one else joins, where more than two sit at a table. club: whose members alone may join;
    of a deleted one the name is empty.
    """

    rounds: int
    host: str
    breaks: list[str]
    drawn_at: int | None = None
    next_at: int | None = None
    ends_at: int | None = None
    tables: list[int] | None = None
    club: ClubName | None = None


class EntrantInfo(Shape):
    """An entrant."""

    name: str
    left: Literal[True] | None = None


class TournamentGame(Shape):
    """A game of a round. seats: entrants. points: once it is over. absent: who did not come.

    again: the two were paired before.
    """

    seats: list[int]
    table: str | None = None
    points: list[float] | None = None
    absent: list[int] | None = None
    again: Literal[True] | None = None


class TournamentStanding(Shape):
    """The standing of an entrant. breaks: the values of the tie-breaks.

    In an arena, scores: the points of the latest games; fire: the next game counts double.
    """

    rank: int
    points: float
    breaks: list[float]
    scores: list[float] | None = None
    fire: Literal[True] | None = None


class TournamentOwn(Shape):
    """The role of the reader in a tournament, and the table of their next game."""

    entrant: int | None = None
    host: Literal[True] | None = None
    table: str | None = None


class TournamentInfo(Shape):
    """A tournament. entrants, standings: by number; rounds: by number, from 1, of an arena the latest."""

    id: str
    own: TournamentOwn
    about: TournamentFacts
    entrants: dict[str, EntrantInfo]
    rounds: dict[str, list[TournamentGame]]
    standings: dict[str, TournamentStanding]


@tournament_routes.get("/tournaments/{tournament_id}", **answers(TournamentInfo))
@Policy("search", owner="lobby")
def show_tournament(services: ServicesDep, user: ReaderDep, tournament_id: TournamentId) -> Json:
    """Return a tournament: the keys of its socket's first message, and ``id``."""
    sections, own = services.tournaments.look(tournament_id, () if user is None else (user,))
    return {"id": tournament_id, "own": own.get(user or "", {})} | sections


@tournament_routes.post("/tournaments/{tournament_id}/entrants", **answers(TournamentInfo, 201))
@Policy("change", owner="lobby")
async def join_tournament(services: ServicesDep, user: ReaderDep, tournament_id: TournamentId) -> Json:
    """Join a tournament with an account; answers with the tournament."""
    await services.tournaments.join(tournament_id, user)
    return await asyncio.to_thread(show_tournament, services, user, tournament_id)


@tournament_routes.delete("/tournaments/{tournament_id}/entrants/{number}", status_code=204)
@Policy("change", owner="lobby")
async def leave_tournament(
    services: ServicesDep, user: ReaderDep, tournament_id: TournamentId, number: Number
) -> None:
    """Leave a tournament, or remove an entrant as its organiser; a running game is resigned.

    In an arena the game is played to its end, and an entrant who joins again is paired again.
    """
    await services.tournaments.leave(tournament_id, user, number)


@tournament_routes.post("/tournaments/{tournament_id}/start", status_code=204)
@Policy("change", owner="lobby")
async def start_tournament(services: ServicesDep, user: ReaderDep, tournament_id: TournamentId) -> None:
    """Start a tournament, or the next round in a break, as its organiser or a moderator."""
    await services.tournaments.begin(tournament_id, user)


@tournament_routes.post("/tournaments/{tournament_id}/end", status_code=204)
@Policy("change", owner="lobby")
async def end_tournament(services: ServicesDep, user: ReaderDep, tournament_id: TournamentId) -> None:
    """End a tournament with its current standings, as its organiser or a moderator."""
    await services.tournaments.end(tournament_id, user)


class TournamentName(Shape):
    """A tournament's id and name, and the round of a table in it; null in an arena."""

    id: str
    name: str
    round: int | None


class TournamentOfTable(Shape):
    """The tournament of a table, or null."""

    tournament: TournamentName | None


@tournament_routes.get("/tables/{table_id}/tournament", **answers(TournamentOfTable))
@Policy("search", owner="table")
def show_tournament_of_table(services: ServicesDep, table_id: TableId) -> Json:
    """Return the tournament of a table."""
    return {"tournament": services.tournaments.of_table(table_id)}


async def _serve_tournament(opened: OpenSocket) -> None:
    services, tournament_id = opened.services, opened.path["tournament_id"][:40]
    with services.lobby_service.here(opened.session):
        await services.tournaments.rooms.serve(opened.socket, opened.session, tournament_id)


_LOOK = Policy("look", owner="lobby")
add_socket(tournament_routes, "/tournaments/{tournament_id}", "tournament", _LOOK, _serve_tournament)
