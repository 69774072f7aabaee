"""The routes below ``/api``: what can be played, new tables, and each table's past and socket."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request, Response, WebSocket
from fastapi.responses import PlainTextResponse
from starlette.datastructures import State

from ekoes.errors import AccountError, TableError
from ekoes.games.contract import Json
from ekoes.games.registry import game
from ekoes.match.kinds import kind_of
from ekoes.match.new import table_from_plan
from ekoes.match.orders import MOST
from ekoes.match.plan import TableOptions, TablePlan
from ekoes.match.standing import standing
from ekoes.match.state import Table, with_seat
from ekoes.server.about import about_server
from ekoes.server.bodies import StrictRoute
from ekoes.server.chance import fresh_seed
from ekoes.server.connection import Line, dismiss_other_protocol, dismiss_program, serve_line
from ekoes.server.cookies import cookie_header, credential_of, give_session, is_own_origin, session_of
from ekoes.server.deflated import answer
from ekoes.server.door import Door, note_address
from ekoes.server.hub import Hub
from ekoes.server.journal import written_down
from ekoes.server.messages import PROTOCOL, encode
from ekoes.server.quotas import address_of, count_table
from ekoes.server.scopes import Scopes
from ekoes.server.tokens import check_by_hand, scopes_of, token_of
from ekoes.server.workbench import Workbench

__all__ = ["HubOf", "TableId", "open_line", "own_origin", "routes"]

routes = APIRouter(prefix="/api", route_class=StrictRoute)

TableId = Annotated[str, Path(pattern=r"^[0-9a-z]{1,32}$")]


async def _hub(request: Request) -> Hub:
    hub: Hub = request.app.state.hub
    return hub


async def own_origin(request: Request) -> None:
    """Refuse what another site's page asks for."""
    if not is_own_origin(request, request.app.state.settings):
        raise TableError("this page may not ask for that", code="message/foreign-origin")


HubOf = Annotated[Hub, Depends(_hub)]


@routes.get("/meta")
def meta(request: Request, response: Response) -> Json:
    """Say what can be played here, and within which limits."""
    give_session(request, response)
    return about_server() | {"address": request.app.state.settings.address}


@routes.post("/{name}/preview")
async def preview(request: Request, name: Annotated[str, Path(max_length=20)], options: TableOptions) -> Json:
    """Deal a first position to look at; nothing is kept."""
    game(name)
    seed = fresh_seed() if options.seed is None else options.seed
    workbench: Workbench = request.app.state.workbench
    return await workbench.do(kind_of(name).preview, name, options.of_game(), seed)


@routes.post("/tables", status_code=201, dependencies=[Depends(own_origin)])
async def create_table(request: Request, response: Response, hub: HubOf, plan: TablePlan) -> Json:
    """Make a table; the seats of kind ``here`` are this browser's."""
    session = give_session(request, response)
    await count_table(request, session)
    table = await asyncio.to_thread(table_from_plan, plan, session, fresh_seed=fresh_seed())
    if table.rated:
        check_by_hand(token_of(request))
        table = await _rated(request, table, session)
    table_id = await hub.create(table)
    return {"id": table_id, "url": f"/t/{table_id}"}


async def _rated(request: Request, table: Table, session: str) -> Table:
    """Return a new rated table at which its maker has the name of an account. Raises TableError."""
    door: Door = request.app.state.door
    name = (await door.account(session)).name
    note_address(request, session)
    own = [number for number, seat in enumerate(table.seats) if seat.session == session]
    return with_seat(table, own[0], name=name) if own else table


@routes.get("/tables/{table_id}")
async def show_table(request: Request, response: Response, hub: HubOf, table_id: TableId) -> Response:
    """Show a table as it stands."""
    async with hub.table(table_id) as live:
        text = await live.table_text(give_session(request, response))
    return answer(request, text, response.headers)


@routes.get("/tables/{table_id}/status")
async def show_status(request: Request, response: Response, hub: HubOf, table_id: TableId) -> Json:
    """Tell in a word how a table stands for this browser."""
    session = give_session(request, response)
    async with hub.table(table_id) as live:
        return {"status": standing(live.seen_by(session), session)}


@routes.get("/tables/{table_id}/positions/{decisions}")
async def show_position(
    request: Request, hub: HubOf, table_id: TableId, decisions: Annotated[int, Path(ge=0, le=MOST)]
) -> Response:
    """Show a table as it was after some decisions."""
    async with hub.table(table_id) as live:
        then = {"n": decisions, "state": await live.past_json(decisions, session_of(request))}
    return answer(request, encode(then), {})


@routes.get("/tables/{table_id}/record", response_class=PlainTextResponse)
async def show_record(request: Request, hub: HubOf, table_id: TableId) -> PlainTextResponse:
    """Write the game as a record, where it may be seen by now."""
    async with hub.table(table_id) as live:
        text = await live.record(session_of(request))
    headers = {"content-disposition": f'attachment; filename="{table_id}.txt"'}
    return PlainTextResponse(text, headers=headers)


@routes.websocket("/tables/{table_id}/socket")
async def open_socket(socket: WebSocket, table_id: str) -> None:
    """Play or watch."""

    def serve(line: Line, session: str) -> Coroutine[object, object, None]:
        return _serve_table(socket.app.state, line, table_id, session, scopes_of(socket))

    await open_line(socket, serve)


async def _serve_table(state: State, line: Line, table_id: str, session: str, scopes: Scopes) -> None:
    """Serve a line to a table; of the request that let it in nothing is kept."""
    service = serve_line(line, state.hub, table_id[:40], session, scopes)
    state.tournaments.rounds.note(table_id, session)
    if state.news is not None:
        state.news.tell("came", table_id, session)
    await state.meeting.at_table(session, service)


@routes.websocket("/lobby/socket")
async def open_lobby(socket: WebSocket) -> None:
    """Look who is here and what is played, and look for a game."""
    await open_line(socket, socket.app.state.meeting.serve)


async def open_line(socket: WebSocket, serve: Callable[[Line, str], Coroutine[object, object, None]]) -> None:
    """Let a page or a program in, and have its line served once that has been answered."""
    try:
        if not is_own_origin(socket, socket.app.state.settings):
            await socket.close(1008, "foreign origin")
            return
        session = session_of(socket)
    except AccountError as error:
        await socket.accept()
        dismiss_program(socket.state.line, error)
        return
    headers = []
    if session is None:
        session = socket.app.state.sessions.fresh()
        headers = [(b"set-cookie", cookie_header(socket, session).encode())]
    note_address(socket, session)
    await socket.accept(headers=headers)
    line = socket.state.line
    if socket.query_params.get("protocol") == str(PROTOCOL):
        credential = credential_of(socket) or session
        lines = socket.app.state.register.lines
        service = lines.serve(credential, line, serve(line, session), address_of(socket))
        line.serve(written_down(socket, service))
    else:
        dismiss_other_protocol(line)
