"""The journal of requests and lines: each gets a number, and what was asked, by what kind of holder, is told.

The number goes out with the answer (``X-Request-ID``), so that somebody who meets an error can name it, and
stands with every line of the log that comes of the request, as does the table that it is for. What a route
was asked for is told by its pattern: addresses of pages can carry names.
"""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Awaitable
from time import perf_counter

from limits import parse
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bind_contextvars, clear_contextvars

from ekoes.server.logs import log_of
from ekoes.server.tempo import Counter

__all__ = ["REQUEST_ID", "Journal", "note_holder", "note_table", "written_down"]

REQUEST_ID = "x-request-id"
_LOG = log_of("ekoes.server")
_GIVEN = re.compile(r"[0-9a-f-]{16,40}")
"""Numbers that a web server before this one may have given."""
_QUIET = frozenset({"/{path:path}", "/healthz", "/readyz"})
"""What is asked for all the time and tells little: the page's files, signs of life."""
_LONGEST_ID = 40
_FLOODS = (parse("1 per minute"),)
"""So often a flood from one address is told: else whoever asks for too much would fill the disk as well."""
_TOO_MUCH, _FAILED = 429, 500


class Journal:
    """Middleware around all others, which writes down what each request came to."""

    def __init__(self, app: ASGIApp) -> None:
        """Write down what an application is asked for."""
        self._app = app
        self._floods = Counter("floods")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Number a request and pass it on."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        number = _number(Headers(scope=scope))
        clear_contextvars()
        bind_contextvars(request=number)
        began, status = perf_counter(), _FAILED

        async def send_numbered(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[REQUEST_ID] = number
            await send(message)

        try:
            await self._app(scope, receive, send_numbered)
        finally:
            if scope["type"] == "http":
                seconds = perf_counter() - began
                scope["app"].state.hub.metrics.request(scope["method"], _route(scope), status, seconds)
                await self._write_down(scope, status, seconds)

    async def _write_down(self, scope: Scope, status: int, seconds: float) -> None:
        """Tell what a request came to, if somebody wants to read so much."""
        route = _route(scope)
        level, what = _weight(route, status)
        about = {"method": scope["method"], "route": route, "status": status, "holder": _holder(scope)}
        if status == _TOO_MUCH and scope["client"]:
            about["address"] = scope["client"][0]
            if await self._floods.wait(_FLOODS, about["address"]):
                level = logging.DEBUG
        if _LOG.isEnabledFor(level):
            _LOG.log(level, what, **about, ms=round(seconds * 1000, 1))


async def note_table(connection: HTTPConnection) -> None:
    """Have the table that is asked for stand with every line of the log that comes of the request."""
    if table_id := connection.path_params.get("table_id"):
        bind_contextvars(table=table_id[:_LONGEST_ID])


def note_holder(connection: HTTPConnection, kind: str) -> None:
    """Note what kind of holder asks: ``guest``, ``account`` or ``program``."""
    connection.state.holder = kind


def written_down(connection: HTTPConnection, service: Awaitable[None]) -> Awaitable[None]:
    """Return the service of a line that also writes down that it was opened and closed.

    What is told of it is read at once: a line keeps nothing of the request that let it in.
    """
    about = {"route": _route(connection.scope), "holder": _holder(connection.scope)}
    return _written_down(about, service)


async def _written_down(about: dict[str, str], service: Awaitable[None]) -> None:
    began = perf_counter()
    _LOG.info("line opened", **about)
    try:
        await service
    finally:
        _LOG.info("line closed", **about, seconds=round(perf_counter() - began, 1))


def _number(headers: Headers) -> str:
    """Return the number of a request: the one that it brings, or a new one."""
    given = headers.get(REQUEST_ID, "")
    return given if _GIVEN.fullmatch(given) else secrets.token_hex(8)


def _weight(route: str, status: int) -> tuple[int, str]:
    """Return the level at which a request is told, and what happened."""
    if status >= _FAILED:
        return logging.ERROR, "request failed"
    if status == _TOO_MUCH:
        return logging.WARNING, "too much asked"
    return logging.DEBUG if route in _QUIET else logging.INFO, "request"


def _route(scope: Scope) -> str:
    """Return the pattern of the address that was asked for; ``none``: nothing is there."""
    return getattr(scope.get("route"), "path", "none")


def _holder(scope: Scope) -> str:
    """Return what kind of holder asked; ``nobody``: the route did not want to know."""
    return str(scope.get("state", {}).get("holder", "nobody"))
