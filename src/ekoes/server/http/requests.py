"""Dependencies of routes: the services, routers with strict bodies and own origins, the user, the table."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.routing import APIRoute
from starlette.applications import Starlette
from starlette.exceptions import WebSocketException
from starlette.requests import HTTPConnection
from starlette.responses import Response
from structlog.contextvars import bind_contextvars

from ekoes.errors import AccountError, LimitError, TableError
from ekoes.protocol import check_json
from ekoes.server.accounts import (
    COOKIE,
    DEVICE_COOKIE,
    SECURE_COOKIE,
    SECURE_DEVICE_COOKIE,
    Caller,
    KnownDevice,
    Register,
    Sessions,
    TokenStore,
)
from ekoes.server.challenges import Challenges, Events
from ekoes.server.clubs import Clubs
from ekoes.server.http.openapi import FAILURES, name_of
from ekoes.server.http.policy import Quotas, policy_of
from ekoes.server.league import League
from ekoes.server.lobby.lobby import Lobby, LobbyService
from ekoes.server.ops.clock import Clock
from ekoes.server.ops.limits import network_of
from ekoes.server.ops.secrets import ID_PATTERN
from ekoes.server.pictures import Pictures
from ekoes.server.push import PushSender
from ekoes.server.realtime.connection import TOO_MANY
from ekoes.server.runtime.analyses import FairnessReports, Reviews
from ekoes.server.runtime.hub import Hub
from ekoes.server.runtime.permissions import ALL, Scopes, SeatGuard, check_scope
from ekoes.server.runtime.table_actor import TableActor
from ekoes.server.settings import Settings
from ekoes.server.social import Moderation, RelationService
from ekoes.server.tournaments import Tournaments
from ekoes.server.watch import Watch
from ekoes.server.workers.fair_queue import FairQueue
from ekoes.server.workers.sandbox import Sandbox
from ekoes.storage.accounts import Account, Token
from ekoes.storage.store import Store
from ekoes.tables.table import Table

_LONGEST_ID = 40


# ---------------------------------------------------------------- services


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """The parts of a running server.

    packing: for files of many records, one at a time. arrivals: called with the table and the user whenever a
    user opens a socket to a table. redis_is_up: whether Redis answers; None: none is used.
    """

    settings: Settings
    clock: Clock
    store: Store
    hub: Hub
    seat_guard: SeatGuard
    sandbox: Sandbox
    reviews: Reviews
    fairness: FairnessReports
    sessions: Sessions
    quotas: Quotas
    register: Register
    tokens: TokenStore
    lobby: Lobby
    lobby_service: LobbyService
    tournaments: Tournaments
    league: League
    clubs: Clubs
    watch: Watch
    relations: RelationService
    moderation: Moderation
    challenges: Challenges
    events: Events
    push: PushSender
    pictures: Pictures
    packing: FairQueue
    arrivals: list[Callable[[str, str], None]]
    redis_is_up: Callable[[], bool | None]


def services_of(app: Starlette) -> Services:
    """Return the services of an application."""
    services: Services = app.state.services
    return services


async def _services(connection: HTTPConnection) -> Services:
    return services_of(connection.app)


ServicesDep = Annotated[Services, Depends(_services)]


# ---------------------------------------------------------------- before every route


async def admit(connection: HTTPConnection) -> None:
    """Name the table of a request in its log entries, count it by address and by token, and read its token.

    Raises: LimitError, WebSocketException before a handshake; AccountError for too many uses of a token.
    """
    if table_id := connection.path_params.get("table_id"):
        bind_contextvars(table=table_id[:_LONGEST_ID])
    services = services_of(connection.app)
    try:
        limit = policy_of(connection.scope["endpoint"]).limit
        await services.quotas.request(limit, address_of(connection))
    except LimitError as error:
        if connection.scope["type"] == "websocket":
            raise WebSocketException(TOO_MANY, error.code) from error
        raise
    if (text := _bearer(connection)) is not None:
        connection.state.token = await services.tokens.admit(text)


# ---------------------------------------------------------------- address, token, session


def address_of(connection: HTTPConnection) -> str | None:
    """Return the address of a client by which limits count, None for this machine."""
    network = network_of(connection.client.host if connection.client else "")
    try:
        return None if ip_address(network).is_loopback else network
    except ValueError:  # a network, a test's name, or a socket without an address
        return network or None


def token_of(connection: HTTPConnection) -> Token | None:
    """Return the token of a request, None if it has none. Raises AccountError if the route refuses it."""
    if _bearer(connection) is None:
        return None
    token: Token | None = connection.state.token
    if token is None:
        raise AccountError("unknown or expired API token", code="account/no-token")
    scope = policy_of(connection.scope["endpoint"]).scope
    if scope is None:
        raise AccountError("API tokens can't be used for this", code="account/no-program")
    if scope != "any":
        check_scope(token.scopes, scope)
    return token


def scopes_of(connection: HTTPConnection) -> Scopes:
    """Return the scopes of a request's token; a cookie has all."""
    token = token_of(connection)
    return ALL if token is None else token.scopes


def _bearer(connection: HTTPConnection) -> str | None:
    scheme, _, text = connection.headers.get("authorization", "").partition(" ")
    return text.strip() if scheme.lower() == "bearer" else None


def session_of(connection: HTTPConnection) -> str | None:
    """Return the user of a request, None if it has no valid cookie or token. Raises AccountError.

    Blocks: the database is asked once for each request, so that a sign-out counts at once everywhere. The
    address of an account is noted for rated games, whatever the request is.
    """
    if not hasattr(connection.state, "session"):
        connection.state.session = _identify(connection)
    session: str | None = connection.state.session
    return session


def _identify(connection: HTTPConnection) -> str | None:
    services, token, credential = services_of(connection.app), token_of(connection), credential_of(connection)
    if token is not None:
        services.store.programs.use(token, services.clock.now())
        user: str | None = token.user_id
    else:
        user = None if credential is None else services.store.people.user(credential)
        if user is not None:
            connection.state.user = "guest" if user == credential else "account"
    if user is not None:
        services.store.people.learn([user])
    if user is not None and user != credential and connection.client is not None:
        services.seat_guard.note(user, connection.client.host)
    return user


def credential_of(connection: HTTPConnection) -> str | None:
    """Return the content of the cookie (a guest, or a device that is signed in), or the token's credential.

    Raises: AccountError if the route refuses the token.
    """
    state = connection.state
    if not hasattr(state, "credential"):
        token = token_of(connection)
        if token is not None:
            state.user = "program"
            state.credential = token.credential
        else:
            state.credential = services_of(connection.app).sessions.read(_cookie(connection))
    credential: str | None = state.credential
    return credential


def give_session(connection: HTTPConnection, response: Response) -> str:
    """Return the user of a request; a browser without a session gets one with the response.

    Cookies with the old name or signed with an old key are renewed.
    """
    session, credential = session_of(connection), credential_of(connection)
    if session is None or credential is None:
        session = credential = services_of(connection.app).sessions.fresh()
    elif token_of(connection) is not None:
        return session
    header = cookie_header(connection, credential)
    name, _, rest = header.partition("=")
    if connection.cookies.get(name) != rest.partition(";")[0]:
        response.headers.append("set-cookie", header)
    return session


def cookie_header(connection: HTTPConnection, credential: str) -> str:
    """Return the ``Set-Cookie`` value for a credential."""
    return services_of(connection.app).sessions.header(credential, is_secure=_is_secure(connection))


def device_header(connection: HTTPConnection, user: str) -> str:
    """Return the ``Set-Cookie`` value by which a browser is known after an account has signed in."""
    sessions, before = services_of(connection.app).sessions, _device_of(connection)
    return sessions.device_header(before, user, is_secure=_is_secure(connection))


def _is_secure(connection: HTTPConnection) -> bool:
    return connection.url.scheme in {"https", "wss"}


def _cookie(connection: HTTPConnection) -> str | None:
    """Return the cookie; over HTTPS also one that was set before the secure name existed."""
    plain = connection.cookies.get(COOKIE)
    return connection.cookies.get(SECURE_COOKIE, plain) if _is_secure(connection) else plain


def _device_of(connection: HTTPConnection) -> KnownDevice | None:
    name = SECURE_DEVICE_COOKIE if _is_secure(connection) else DEVICE_COOKIE
    return services_of(connection.app).sessions.read_device(connection.cookies.get(name))


# ---------------------------------------------------------------- origin, body


def is_own_origin(connection: HTTPConnection) -> bool:
    """Return whether a request comes from our own page, an allowed origin, or no page at all.

    A request with a token was sent on purpose, wherever it comes from.
    """
    origin = connection.headers.get("origin")
    if origin is None or origin in services_of(connection.app).settings.origins:
        return True
    if token_of(connection) is not None:
        return True
    scheme, _, host = origin.partition("://")
    if _is_secure(connection) and scheme != "https":
        return False
    return bool(host) and host == connection.headers.get("host")


async def own_origin(connection: HTTPConnection) -> None:
    """Refuse HTTP requests of other sites' pages. Raises TableError."""
    if connection.scope["type"] == "http" and not is_own_origin(connection):
        raise TableError("requests from other sites are refused", code="message/foreign-origin")


class StrictRoute(APIRoute):
    """A route that refuses bodies which are not JSON or repeat a key."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler of a request."""
        handle = super().get_route_handler()

        async def handle_strictly(request: Request) -> Response:
            body = b"" if self.body_field is None else await request.body()
            if body:
                check_json(body.decode(errors="replace"))
            return await handle(request)

        return handle_strictly


COUNTED = (Depends(admit),)
"""The first dependency of every router: the application takes routes as they are, and adds none to them."""


def api_router(prefix: str = "", *tags: str) -> APIRouter:
    """Return a router below ``/api`` for requests of our own pages and of programs, with strict bodies."""
    return APIRouter(
        prefix=f"/api{prefix}",
        tags=list(tags),
        route_class=StrictRoute,
        dependencies=[*COUNTED, Depends(own_origin)],
        responses=FAILURES,
        generate_unique_id_function=name_of,
    )


# ---------------------------------------------------------------- dependencies of routes


def _caller(request: Request, response: Response) -> Caller:
    user = give_session(request, response)
    address = network_of(request.client.host) if request.client else ""
    about = request.headers.get("user-agent", "")
    return Caller(credential_of(request) or user, user, address, about, _device_of(request))


async def _address(connection: HTTPConnection) -> str | None:
    return address_of(connection)


async def _exit_stack() -> AsyncIterator[AsyncExitStack]:
    """Yield a stack that is closed after the last byte of a streaming response."""
    async with AsyncExitStack() as stack:
        yield stack


StackDep = Annotated[AsyncExitStack, Depends(_exit_stack)]
AddressDep = Annotated[str | None, Depends(_address)]
"""The address of a client by which limits count, None for this machine."""
UserDep = Annotated[str, Depends(give_session)]
"""The user of a request, who gets a session if there is none."""
ReaderDep = Annotated[str | None, Depends(session_of)]
"""The user of a request; None: it has no session."""
CallerDep = Annotated[Caller, Depends(_caller)]
"""The client of a request, which gets a session if it has none."""


def _account(services: ServicesDep, user: UserDep) -> Account:
    return services.register.account(user)


AccountDep = Annotated[Account, Depends(_account)]
"""The account of the user, for routes without a body: a dependency fails before a body is read."""
Actions = Annotated[
    Literal["full"],
    Query(description="``full``: add the legal actions of the reader's seats that are to decide"),
]
"""Whether a table has the legal actions under ``own.actions``: seat -> actions."""
TableId = Annotated[str, Path(pattern=ID_PATTERN)]
GameName = Annotated[str, Path(max_length=20)]


async def _live(services: ServicesDep, table_id: TableId) -> AsyncIterator[TableActor]:
    async with services.hub.table(table_id) as live:
        yield live


async def _table(services: ServicesDep, table_id: TableId) -> Table:
    async with services.hub.table(table_id) as live:
        return live.table


LiveDep = Annotated[TableActor, Depends(_live, scope="function")]
"""The actor of the table in the path, open until the route returns; TableError if there is none."""
TableDep = Annotated[Table, Depends(_table)]
"""The table in the path as it stands; TableError if there is none."""
