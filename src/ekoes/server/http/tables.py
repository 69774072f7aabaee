"""Routes: health, the server description, and tables (create, view, history, WebSocket)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from functools import cache
from importlib.resources import files
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request, Response, WebSocket
from fastapi.responses import PlainTextResponse

from ekoes import __version__
from ekoes.bots import LEVELS, bots, levels, stand_in
from ekoes.errors import AccountError
from ekoes.games.api.contract import Json
from ekoes.games.api.registry import game, games
from ekoes.games.api.table import fields_about
from ekoes.protocol.incoming import LARGEST_MESSAGE, PROTOCOL, encode
from ekoes.server.http.middleware import json_response, logged
from ekoes.server.http.policy import policy
from ekoes.server.http.requests import (
    StrictRoute,
    TableId,
    address_of,
    cookie_header,
    credential_of,
    give_session,
    is_own_origin,
    note_address,
    own_origin,
    scopes_of,
    session_of,
    token_of,
)
from ekoes.server.http.services import Services, ServicesDep, services_of
from ekoes.server.ops.secrets import fresh_seed
from ekoes.server.realtime.connection import Socket, dismiss_other_protocol, dismiss_program, serve_line
from ekoes.server.runtime.messages import Scopes
from ekoes.server.runtime.seat_guard import check_by_hand
from ekoes.tables.chat import LONGEST_LINE, PHRASES, REASONS
from ekoes.tables.create import table_class, table_from_plan
from ekoes.tables.orders import LONGEST_NAME, MAX_PLAYERS, MOST, Pace
from ekoes.tables.plan import TableOptions, TablePlan
from ekoes.tables.seats import COLOURS
from ekoes.tables.table import DEFAULT_PACE, Table


@cache
def about_server() -> Json:
    """Return the description of the server for pages and programs."""
    return {
        "version": __version__,
        "limits": _limits(),
        "talk": {"line": LONGEST_LINE, "phrases": list(PHRASES), "reasons": list(REASONS)},
        "languages": languages(),
        "levels": dict(LEVELS),
        "games": [_about_game(name) for name in games()],
    }


def languages() -> list[Json]:
    """Return the languages of the page: BCP 47 tag, own name, direction."""
    text = files("ekoes").joinpath("languages.json").read_text("utf-8")
    value: list[Json] = json.loads(text)
    return value


def _about_game(name: str) -> Json:
    return {
        "name": name,
        **table_class(name).about(name),
        "bots": list(bots(name)),
        "levels": list(levels(name)),
        "stand_in": stand_in(name),
    }


def _limits() -> Json:
    pace = fields_about(Pace)["milliseconds"] | {"default": DEFAULT_PACE}
    return {
        "name": LONGEST_NAME,
        "seats": MAX_PLAYERS,
        "colours": COLOURS,
        "pace": pace,
        "message": LARGEST_MESSAGE,
    }


table_routes = APIRouter(prefix="/api", route_class=StrictRoute)
health_routes = APIRouter()


@health_routes.get("/healthz")
@policy("look")
async def is_alive() -> Json:
    """Return at once as long as the event loop runs."""
    return {"alive": True}


@health_routes.get("/readyz")
@policy("look")
async def is_ready(services: ServicesDep) -> Json:
    """Return whether tables can be played and stored; 503 while the database refuses writes.

    If Redis is used, also whether it answers; the server works without it.
    """
    await asyncio.to_thread(services.store.try_out)
    redis = services.redis_is_up()
    return {"ready": True} | ({} if redis is None else {"redis": redis})


@table_routes.get("/meta")
@policy("look", "any")
def meta(request: Request, response: Response) -> Json:
    """Describe the games, bots and limits of this server."""
    give_session(request, response)
    return about_server() | {"address": services_of(request.app).settings.address}


@table_routes.post("/{name}/preview")
@policy("board")
async def preview(
    services: ServicesDep, name: Annotated[str, Path(max_length=20)], options: TableOptions
) -> Json:
    """Return a start position for some options; nothing is stored."""
    game(name)
    seed = fresh_seed() if options.seed is None else options.seed
    return await services.sandbox.do(table_class(name).preview, name, options.of_game(), seed)


@table_routes.post("/tables", status_code=201, dependencies=[Depends(own_origin)])
@policy("make", "table:play")
async def create_table(request: Request, response: Response, services: ServicesDep, plan: TablePlan) -> Json:
    """Create a table; seats of kind ``here`` belong to this browser."""
    session = give_session(request, response)
    await services.quotas.table(address_of(request), session)
    table = await asyncio.to_thread(table_from_plan, plan, session, fresh_seed=fresh_seed())
    if table.rated:
        check_by_hand(token_of(request))
        note_address(request, session)
        table = await _rated(services, table, session)
    table_id = await services.hub.create(table)
    return {"id": table_id, "url": f"/t/{table_id}"}


async def _rated(services: Services, table: Table, session: str) -> Table:
    """Return a new rated table at which its maker has the name of their account. Raises TableError."""
    name = (await services.seat_guard.account(session)).name
    own = [number for number, seat in enumerate(table.seats) if seat.session == session]
    return table.with_seat(own[0], name=name) if own else table


@table_routes.get("/tables/{table_id}")
@policy("reading", "table:read", owner="table")
async def show_table(
    request: Request, response: Response, services: ServicesDep, table_id: TableId
) -> Response:
    """Return a table as it stands."""
    async with services.hub.table(table_id) as live:
        text = await live.table_text(give_session(request, response))
    return json_response(request, text, response.headers)


@table_routes.get("/tables/{table_id}/status")
@policy("look", "table:read", owner="table")
async def show_status(request: Request, response: Response, services: ServicesDep, table_id: TableId) -> Json:
    """Return in one word how a table stands for this browser."""
    session = give_session(request, response)
    async with services.hub.table(table_id) as live:
        return {"status": live.table.status(session)}


@table_routes.get("/tables/{table_id}/positions/{decisions}")
@policy("reading", "table:read", owner="table")
async def show_position(
    request: Request,
    services: ServicesDep,
    table_id: TableId,
    decisions: Annotated[int, Path(ge=0, le=MOST)],
) -> Response:
    """Return a table as it stood after some decisions."""
    async with services.hub.table(table_id) as live:
        past = {"n": decisions, "state": await live.past_json(decisions)}
    return json_response(request, encode(past), {})


@table_routes.get("/tables/{table_id}/record", response_class=PlainTextResponse)
@policy("reading", "table:read", owner="table")
async def show_record(services: ServicesDep, table_id: TableId) -> PlainTextResponse:
    """Return the record of a game, once it may be seen."""
    async with services.hub.table(table_id) as live:
        text = await live.record()
    headers = {"content-disposition": f'attachment; filename="{table_id}.txt"'}
    return PlainTextResponse(text, headers=headers)


@table_routes.websocket("/tables/{table_id}/socket")
@policy("line", "table:read", owner="table")
async def open_table(socket: WebSocket, table_id: str) -> None:
    """Play at a table, or watch it."""

    def serve(line: Socket, session: str) -> Coroutine[object, object, None]:
        return _serve_table(services_of(socket.app), line, table_id, session, scopes_of(socket))

    await open_socket(socket, serve)


async def _serve_table(services: Services, line: Socket, table_id: str, session: str, scopes: Scopes) -> None:
    """Serve a socket to a table. It must retain nothing of the request that opened it."""
    service = serve_line(line, services.hub, table_id[:40], session, scopes)
    for arrived in services.arrivals:
        arrived(table_id, session)
    await services.lobby.at_table(session, service)


@table_routes.websocket("/lobby/socket")
@policy("line", "lobby", owner="lobby")
async def open_lobby(socket: WebSocket) -> None:
    """See open tables and who is online, and seek a game."""
    await open_socket(socket, services_of(socket.app).lobby.serve)


async def open_socket(
    socket: WebSocket, serve: Callable[[Socket, str], Coroutine[object, object, None]]
) -> None:
    """Accept a socket from a page or a program, and have it served after the handshake."""
    services = services_of(socket.app)
    try:
        if not is_own_origin(socket):
            await socket.close(1008, "foreign origin")
            return
        session = session_of(socket)
    except AccountError as error:
        await socket.accept()
        dismiss_program(socket.state.line, error)
        return
    headers = []
    if session is None:
        session = services.sessions.fresh()
        headers = [(b"set-cookie", cookie_header(socket, session).encode())]
    note_address(socket, session)
    await socket.accept(headers=headers)
    line = socket.state.line
    if socket.query_params.get("protocol") == str(PROTOCOL):
        credential = credential_of(socket) or session
        service = services.register.lines.serve(credential, line, serve(line, session), address_of(socket))
        line.serve(logged(socket, service))
    else:
        dismiss_other_protocol(line)
