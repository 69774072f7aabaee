"""Turns exceptions into responses: a code and a message, never a traceback."""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from ekoes.errors import EkoesError, LimitError, StorageError
from ekoes.protocol.incoming import parse_failure
from ekoes.server.runtime.messages import error_json

_CODES = {
    400: ("message/bad-json",),
    401: ("account/none", "account/no-token", "table/rated-account", "tournament/account"),
    403: (
        *("account/apart", "account/closed", "account/no-program", "account/not-your-seat"),
        *("account/program-rated", "account/scope", "account/wrong", "message/foreign-origin"),
        *("table/people", "table/rated-address", "talk/blocked", "talk/not-moderator", "talk/own-report"),
        "tournament/not-yours",
    ),
    404: (
        *("account/no-challenge", "account/no-device", "account/unknown", "account/unknown-token"),
        *("lesson/not-found", "table/not-found", "talk/no-report", "talk/nobody", "tournament/not-found"),
    ),
    409: (
        *("account/many-tokens", "account/name-taken", "account/no-vacation", "account/played"),
        *("account/signed-in", "table/not-over", "table/stale", "talk/guest", "talk/resolved"),
        *("tournament/closed", "tournament/full", "tournament/started", "tournament/too-few"),
    ),
    410: ("account/old-pass",),
    413: ("message/too-large",),
    429: (
        *("account/too-many", "limit/lines", "limit/requests", "limit/tables", "talk/too-fast"),
        "tournament/too-many",
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
    async def explain_request(_request: Request, error: RequestValidationError) -> JSONResponse:
        failure = parse_failure(error.errors()[0])
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
