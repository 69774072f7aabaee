"""Routes of sockets: by WebSocket, and by events and requests where a network lets none through."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Annotated, Any, Literal, NamedTuple

from fastapi import APIRouter, HTTPException, Path, Query, Request, WebSocket
from fastapi.responses import StreamingResponse
from starlette.requests import HTTPConnection

from ekoes.errors import AccountError
from ekoes.protocol import PROTOCOL
from ekoes.server.http.middleware import logged
from ekoes.server.http.openapi import Shape, answers
from ekoes.server.http.policy import Policy
from ekoes.server.http.requests import (
    Services,
    ServicesDep,
    StackDep,
    address_of,
    cookie_header,
    credential_of,
    give_session,
    is_own_origin,
    scopes_of,
    services_of,
    session_of,
)
from ekoes.server.realtime.connection import ClientSocket, dismiss_other_protocol, dismiss_program
from ekoes.server.realtime.streams import EventSocket
from ekoes.server.runtime.permissions import Scopes

Served = Coroutine[object, object, None]


class OpenSocket(NamedTuple):
    """A socket to serve; it retains nothing of the request that opened it. path: the parameters there."""

    services: Services
    socket: ClientSocket
    session: str
    path: Mapping[str, str]
    scopes: Scopes
    address: str | None


Serve = Callable[[OpenSocket], Served]
ProtocolVersion = Annotated[int, Query(ge=0, le=1_000_000)]
StreamName = Annotated[str, Path(pattern=r"^[0-9a-f]{32}$")]


class EventInfo(Shape):
    """A server-sent event: a message of the socket as text, or ``end`` with the code that closes it."""

    event: Literal["message", "end"]
    data: str


class EventStream(StreamingResponse):
    """Streams server-sent events."""

    media_type = "text/event-stream"


def add_socket(router: APIRouter, path: str, name: str, policy: Policy, serve: Serve) -> None:
    """Add a socket ``path/socket``, and ``path/events`` that carry the same messages over HTTP."""

    @router.websocket(f"{path}/socket", name=f"open_{name}")
    @policy
    async def open_socket(websocket: WebSocket) -> None:
        await _open(websocket, serve)

    @router.get(
        f"{path}/events/{{line}}",
        name=f"open_{name}_events",
        response_class=EventStream,
        **answers(EventInfo),
    )
    @policy
    async def open_events(
        request: Request,
        services: ServicesDep,
        stack: StackDep,
        line: StreamName,
        protocol: ProtocolVersion = 0,
    ) -> EventStream:
        """Stream a socket's messages as server-sent events, where a network lets no WebSocket through.

        line: a name that the client chooses. The last event is ``end``, with the code that closes a socket.
        """
        await asyncio.to_thread(session_of, request)
        socket = EventSocket(line)
        response = EventStream(socket.lines(services.clock), headers={"x-accel-buffering": "no"})
        session = give_session(request, response)
        if protocol == PROTOCOL:
            serving = asyncio.create_task(_service(request, socket, session, serve), name="events")
            stack.push_async_callback(asyncio.wait, [serving])
        else:
            dismiss_other_protocol(socket)
        stack.callback(socket.end)
        return response

    @router.post(f"{path}/events/{{line}}", name=f"send_to_{name}", status_code=204)
    @Policy("order", policy.scope, owner=policy.owner)
    async def send(request: Request, services: ServicesDep, line: StreamName) -> None:
        """Send a message of a socket, as its text, to a stream of events; 404 if there is no such stream."""
        await asyncio.to_thread(session_of, request)
        found = services.register.connections.find(credential_of(request) or "", line)
        if found is None:
            raise HTTPException(404, "There is no such stream of events")
        await found.take((await request.body()).decode(errors="replace"))


async def _open(websocket: WebSocket, serve: Serve) -> None:
    """Accept a WebSocket from a page or a program, and have it served after the handshake."""
    services = services_of(websocket.app)
    try:
        if not is_own_origin(websocket):
            await websocket.close(1008, "foreign origin")
            return
        session = await asyncio.to_thread(session_of, websocket)
    except AccountError as error:
        await websocket.accept()
        dismiss_program(websocket.state.socket, error)
        return
    headers = []
    if session is None:
        session = services.sessions.fresh()
        headers = [(b"set-cookie", cookie_header(websocket, session).encode())]
    await websocket.accept(headers=headers)
    socket = websocket.state.socket
    if websocket.query_params.get("protocol") == str(PROTOCOL):
        socket.serve(_service(websocket, socket, session, serve))
    else:
        dismiss_other_protocol(socket)


def _service(
    connection: HTTPConnection, socket: ClientSocket, session: str, serve: Serve
) -> Coroutine[Any, Any, None]:
    """Return what serves an open socket until it is closed."""
    services, path, address = services_of(connection.app), connection.path_params, address_of(connection)
    service = serve(OpenSocket(services, socket, session, path, scopes_of(connection), address))
    credential = credential_of(connection) or session
    return logged(connection, services.register.connections.serve(credential, socket, service, address))
