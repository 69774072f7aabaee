"""The routes of tournaments."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request, Response, WebSocket

from ekoes.games.contract import Json
from ekoes.server.api import TableId, open_line, own_origin
from ekoes.server.bodies import StrictRoute
from ekoes.server.connection import Line
from ekoes.server.cookies import session_of
from ekoes.server.tournaments.service import Tournaments
from ekoes.tournament.plan import TournamentPlan

__all__ = ["tournament_routes"]

tournament_routes = APIRouter(prefix="/api", route_class=StrictRoute)

_OWN = [Depends(own_origin)]

TournamentId = Annotated[str, Path(pattern=r"^[0-9a-z]{1,32}$")]
Number = Annotated[int, Path(ge=1, le=10_000)]


async def _service(request: Request) -> Tournaments:
    found: Tournaments = request.app.state.tournaments
    return found


async def _caller(request: Request) -> str | None:
    return session_of(request)


Service = Annotated[Tournaments, Depends(_service)]
Caller = Annotated[str | None, Depends(_caller)]


@tournament_routes.get("/tournaments")
async def list_tournaments(service: Service) -> Json:
    """List the latest tournaments, those that are not over first."""
    return {"tournaments": await service.list()}


@tournament_routes.post("/tournaments", status_code=201, dependencies=_OWN)
async def make_tournament(service: Service, caller: Caller, plan: TournamentPlan) -> Json:
    """Make a tournament, which others may join."""
    tournament_id = await service.make(caller, plan)
    return {"id": tournament_id, "url": f"/tournaments/{tournament_id}"}


@tournament_routes.get("/tournaments/{tournament_id}")
async def show_tournament(service: Service, caller: Caller, tournament_id: TournamentId) -> Json:
    """Show who plays, who meets whom, and who stands where."""
    return await service.look(tournament_id, caller)


@tournament_routes.post("/tournaments/{tournament_id}/entrants", status_code=201, dependencies=_OWN)
async def join_tournament(service: Service, caller: Caller, tournament_id: TournamentId) -> Json:
    """Join a tournament."""
    await service.join(tournament_id, caller)
    return await service.look(tournament_id, caller)


@tournament_routes.delete(
    "/tournaments/{tournament_id}/entrants/{number}", status_code=204, dependencies=_OWN
)
async def leave_tournament(
    service: Service, caller: Caller, tournament_id: TournamentId, number: Number
) -> Response:
    """Leave a tournament, or take somebody out of one that one sees to."""
    await service.leave(tournament_id, caller, number)
    return Response(status_code=204)


@tournament_routes.post("/tournaments/{tournament_id}/start", status_code=204, dependencies=_OWN)
async def start_tournament(service: Service, caller: Caller, tournament_id: TournamentId) -> Response:
    """Draw the first round."""
    await service.begin(tournament_id, caller)
    return Response(status_code=204)


@tournament_routes.post("/tournaments/{tournament_id}/end", status_code=204, dependencies=_OWN)
async def end_tournament(service: Service, caller: Caller, tournament_id: TournamentId) -> Response:
    """End a tournament as it stands."""
    await service.end(tournament_id, caller)
    return Response(status_code=204)


@tournament_routes.get("/tables/{table_id}/tournament")
async def show_tournament_of_table(service: Service, table_id: TableId) -> Json:
    """Tell to which tournament a table belongs, if it does to one."""
    return {"tournament": await service.of_table(table_id)}


@tournament_routes.websocket("/tournaments/{tournament_id}/socket")
async def open_tournament(socket: WebSocket, tournament_id: str) -> None:
    """Look on as a tournament goes on."""
    state = socket.app.state

    async def serve(line: Line, session: str) -> None:
        service = state.tournaments.serve(line, session, tournament_id[:40])
        await state.meeting.at_table(session, service)

    await open_line(socket, serve)
