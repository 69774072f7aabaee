"""Middleware of all routes: access log, size limit, security headers, compression, errors as responses."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections.abc import Awaitable, Coroutine
from time import perf_counter
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from limits import parse
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bind_contextvars, clear_contextvars

from ekoes.errors import EkoesError, LimitError, StorageError
from ekoes.protocol import LARGEST_MESSAGE, MessageError, encode, parse_failure
from ekoes.server.http.openapi import request_keys
from ekoes.server.ops.limits import Counter, network_of
from ekoes.server.ops.logs import LOG
from ekoes.server.ops.telemetry import Metrics
from ekoes.server.runtime.viewers import error_json

REQUEST_ID = "x-request-id"
_GIVEN = re.compile(r"[0-9a-f-]{16,40}")
"""Request ids that are accepted from a reverse proxy."""
_QUIET = frozenset({"/{path:path}", "/assets/{name}", "/healthz", "/readyz"})
"""Frequent routes that are logged at level debug only."""
_FLOODS = (parse("1 per minute"),)
"""How often refused requests of one address are logged: a flood must not fill the disk."""
_REFUSED = {429, 503}
"""With ``Retry-After``: a rate limit, or a queue that is full."""
_GONE, _FAILED, _UNAVAILABLE = 499, 500, 503
"""499, as nginx logs it: the client was gone before a response began."""


class AccessLog:
    """Gives each request an id, logs it and measures its time."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics
        self._floods = Counter("floods")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get(REQUEST_ID, "")
        request_id = given if _GIVEN.fullmatch(given) else secrets.token_hex(8)
        clear_contextvars()
        bind_contextvars(request=request_id)
        began, status, refused = perf_counter(), _GONE, False

        async def send_with_id(message: Message) -> None:
            nonlocal status, refused
            if message["type"] == "http.response.start":
                status, headers = message["status"], MutableHeaders(scope=message)
                refused = status in _REFUSED and "retry-after" in headers
                headers[REQUEST_ID] = request_id
            await send(message)

        try:
            await self._app(scope, receive, send_with_id)
        except Exception:
            status = _FAILED
            raise
        finally:
            if scope["type"] == "http":
                seconds = perf_counter() - began
                self._metrics.requests.labels(scope["method"], _route(scope), f"{status // 100}xx").observe(
                    seconds
                )
                await self._log(scope, status, seconds, refused=refused)

    async def _log(self, scope: Scope, status: int, seconds: float, *, refused: bool) -> None:
        route = _route(scope)
        about = {"method": scope["method"], "route": route, "status": status, "user": _user(scope)}
        level, event = logging.DEBUG if route in _QUIET else logging.INFO, "request"
        if status >= _FAILED and not refused:
            # what made the server unavailable has been logged already
            level, event = logging.INFO if status == _UNAVAILABLE else logging.ERROR, "request failed"
        elif refused:
            level, event = logging.WARNING, "request refused by a rate limit"
            if scope["client"]:
                about["address"] = scope["client"][0]
                if await self._floods.wait(_FLOODS, network_of(about["address"])):
                    level = logging.DEBUG
        if LOG.isEnabledFor(level):
            LOG.log(level, event, **about, ms=round(seconds * 1000, 1))


def logged(connection: HTTPConnection, service: Awaitable[None]) -> Coroutine[Any, Any, None]:
    """Return the service of a socket with log entries for its opening and closing.

    Reads the connection at once, so that a socket retains nothing of the request that opened it.
    """
    return _logged({"route": _route(connection.scope), "user": _user(connection.scope)}, service)


async def _logged(about: dict[str, str], service: Awaitable[None]) -> None:
    began = perf_counter()
    LOG.info("socket opened", **about)
    try:
        await service
    finally:
        LOG.info("socket closed", **about, seconds=round(perf_counter() - began, 1))


def _route(scope: Scope) -> str:
    """Return the path pattern of the matched route, or ``none``."""
    return getattr(scope.get("route"), "path", "none")


def _user(scope: Scope) -> str:
    """Return the kind of user that the request belongs to, or ``nobody`` if not known."""
    return str(scope.get("state", {}).get("user", "nobody"))


SECURITY_HEADERS = {
    # The page loads everything from its own origin, and has no inline styles. It compiles the rules.
    "content-security-policy": (
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:; object-src 'none'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


_EMBEDDED_HEADERS = {
    name: value.replace("frame-ancestors 'none'", "frame-ancestors *")
    for name, value in SECURITY_HEADERS.items()
    if name != "x-frame-options"
}
"""Of a public game that other sites may show: nothing there can be pressed."""


class SecurityHeaders:
    """Refuses bodies that are too large, and adds security headers to every response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                is_embedded = scope.get("state", {}).get("is_embedded", False)
                headers.update(_EMBEDDED_HEADERS if is_embedded else SECURITY_HEADERS)
                if scope["scheme"] == "https":
                    headers["strict-transport-security"] = "max-age=31536000"
                if scope["path"].startswith("/api/"):
                    headers.setdefault("cache-control", "no-store")  # may hold what one seat alone may see
            await send(message)

        try:
            body = await _whole_body(receive)
        except ClientDisconnect:
            return
        if body is None:
            await _refuse(send_with_headers)
        else:
            whole = {"type": "http.request", "body": body, "more_body": False}
            await self._app(scope, replayed(whole, receive), send_with_headers)


async def _whole_body(receive: Receive) -> bytes | None:
    """Read a body, None if it is too large. Raises ClientDisconnect if its end never comes."""
    body = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        part: bytes = message.get("body", b"")
        body += part
        if len(body) > LARGEST_MESSAGE:
            return None
        if not message.get("more_body", False):
            return body


def replayed(first: Message, receive: Receive) -> Receive:
    """Return a ``receive`` that yields a message that was already received, and then the others."""
    rest = [first]

    async def receive_again() -> Message:
        return rest.pop() if rest else await receive()

    return receive_again


async def _refuse(send: Send) -> None:
    error = MessageError(
        f"the body of a request has at most {LARGEST_MESSAGE} bytes", code="message/too-large"
    )
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": encode(error_json(error)).encode()})


_SMALLEST = 1024
"""Bytes below which compression is not worth it."""
_FAST, _BEST = 1, 6
"""Level 1 makes a table's log a fifth longer in a quarter of the time; level 6 dominated the response."""


class Compression:
    """Compresses responses with gzip, but not streams."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._api = GZipMiddleware(app, minimum_size=_SMALLEST, compresslevel=_FAST)
        self._files = GZipMiddleware(app, minimum_size=_SMALLEST, compresslevel=_BEST)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] == "http" and scope["path"].endswith("/stream"):
            await self._app(scope, receive, send)
            return
        is_api = scope["type"] == "http" and scope["path"].startswith("/api/")
        await (self._api if is_api else self._files)(scope, receive, send)


_CODES = {
    400: ("message/bad-json",),
    401: ("account/none", "account/no-token", "table/rated-account", "tournament/account"),
    403: (
        *("account/apart", "account/closed", "account/no-program", "account/not-your-seat"),
        *("account/program-rated", "account/scope", "account/wrong", "account/wrong-code"),
        *("account/wrong-password", "message/foreign-origin"),
        *("table/rated-address", "table/rated-unknown", "talk/blocked"),
        *("club/banned", "club/invitation", "club/members-only", "club/not-yours"),
        *("study/not-yours", "talk/not-moderator", "talk/own-report", "tournament/not-yours"),
        "league/not-yours",
    ),
    404: (
        *("account/no-challenge", "account/no-device", "account/unknown", "account/unknown-token"),
        *("club/nobody", "club/not-found"),
        *(
            "league/not-found",
            "lesson/not-found",
            "puzzle/none-left",
            "puzzle/not-found",
            "study/no-chapter",
            "study/not-found",
            "table/not-found",
            "talk/no-report",
            "talk/nobody",
        ),
        "tournament/not-found",
    ),
    409: (
        *("account/many-tokens", "account/name-reserved", "account/name-taken", "account/no-vacation"),
        *("account/own-seat", "account/played", "account/signed-in", "table/no-part", "table/not-over"),
        "table/stale",
        *("club/full", "club/name-taken", "club/owner", "club/too-many"),
        *("study/changed", "study/last-chapter", "study/many-chapters", "study/too-many"),
        *("league/entered", "league/full", "league/too-many", "talk/guest", "talk/resolved"),
        *("tournament/closed", "tournament/full", "tournament/started", "tournament/too-few"),
    ),
    410: ("account/old-pass",),
    413: ("message/too-large",),
    429: (
        *("account/too-many", "limit/lines", "limit/orders", "limit/requests", "limit/tables"),
        *("talk/too-fast", "tournament/too-many"),
    ),
    503: ("limit/busy", "table/elsewhere"),
}
_STATUS = {code: status for status, codes in _CODES.items() for code in codes}
_UNREADABLE = 400
"""FastAPI's status for a body that can't be parsed at all."""


def add_error_handlers(app: FastAPI) -> None:
    """Answer every exception of an application with a code and a message."""

    @app.exception_handler(EkoesError)
    async def explain(_request: Request, error: EkoesError) -> JSONResponse:
        status = 503 if isinstance(error, StorageError) else _STATUS.get(error.code, 422)
        wait = error.wait if isinstance(error, LimitError) else None
        headers = {} if wait is None else {"retry-after": str(wait)}
        if error.code == "account/no-token":
            headers["www-authenticate"] = "Bearer"
        return JSONResponse(error_json(error), status, headers=headers)

    @app.exception_handler(RequestValidationError)
    async def explain_request(request: Request, error: RequestValidationError) -> JSONResponse:
        detail = error.errors()[0]
        failure = parse_failure(detail, await asyncio.to_thread(request_keys, request, detail))
        return JSONResponse(error_json(failure), _STATUS.get(failure.code, 422))

    @app.exception_handler(HTTPException)
    async def explain_status(_request: Request, error: HTTPException) -> JSONResponse:
        is_unreadable = error.status_code == _UNREADABLE
        code = "message/bad-json" if is_unreadable else f"http/{error.status_code}"
        content = {"code": code, "message": str(error.detail)}
        return JSONResponse(content, error.status_code, headers=error.headers)

    @app.exception_handler(Exception)
    async def explain_bug(_request: Request, _error: Exception) -> JSONResponse:
        return JSONResponse({"code": "server/internal", "message": "Internal server error"}, 500)
