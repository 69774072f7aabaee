"""The application: settings in, ASGI application out."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from ekoes import __version__
from ekoes.errors import AccountError, EkoesError, StorageError, TalkError
from ekoes.games.chance import Chance
from ekoes.server.api import routes
from ekoes.server.clock import Clock, WallClock
from ekoes.server.deflated import Deflated
from ekoes.server.door import Door
from ekoes.server.guard import Guard
from ekoes.server.hints import hint_routes
from ekoes.server.hub import Hub
from ekoes.server.lessons import lesson_routes
from ekoes.server.lobby.service import Meeting
from ekoes.server.messages import error_json, parse_failure
from ekoes.server.page import page_routes
from ekoes.server.people.passes import Passes
from ekoes.server.people.profiles import profile_routes
from ekoes.server.people.register import Register
from ekoes.server.people.routes import people_routes
from ekoes.server.people.seats import Seats
from ekoes.server.sessions import Sessions, signing_key
from ekoes.server.settings import Settings
from ekoes.server.talk.circle import Circle
from ekoes.server.talk.moderation import Moderation
from ekoes.server.talk.routes import talk_routes
from ekoes.server.thinking.workers import Workers
from ekoes.storage.store import Store

__all__ = ["create_app"]

_STATUS = {
    "table/not-found": 404,
    "lesson/not-found": 404,
    "message/bad-json": 400,
    "message/too-large": 413,
    "message/foreign-origin": 403,
    "table/not-over": 409,
    "table/people": 403,
    "account/name-taken": 409,
    "account/signed-in": 409,
    "account/none": 401,
    "account/wrong": 403,
    "account/not-your-seat": 403,
    "account/no-device": 404,
    "account/unknown": 404,
    "table/rated-account": 401,
    "table/rated-address": 403,
    "account/old-pass": 410,
    "account/too-many": 429,
    "account/closed": 403,
    "talk/blocked": 403,
    "talk/guest": 409,
    "talk/no-report": 404,
    "talk/nobody": 404,
    "talk/not-moderator": 403,
    "talk/own-report": 403,
    "talk/resolved": 409,
    "talk/too-fast": 429,
}

_TURN = 0.001
"""Seconds for which a thread may keep the interpreter while others wait for it."""
_UNREADABLE = 400
"""What FastAPI raises for a body that its parser gives up on."""


def create_app(settings: Settings, *, chance: Chance | None = None, clock: Clock | None = None) -> FastAPI:
    """Return the application, its database open and up to date.

    chance: what tables leave to it, else the system's. clock: else the wall's.

    Raises: StorageError if the data folder, the key or the database can't be used.
    """
    try:
        settings.data.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"can't use the folder {settings.data}: {error.strerror}") from error
    key = signing_key(settings.key_file)
    store = Store(settings.database_url)
    time: Clock = clock or WallClock()
    door = Door(store.people, asks_addresses=not settings.one_house)
    hub = Hub(store, time, chance, Workers(settings.bot_workers), door=door)

    register = Register(store, Seats(hub, Passes(key), time), time)
    moderation = Moderation(store.wardens, store.people, register.lines, time)

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        await hub.start()
        _share_the_interpreter()
        watching = asyncio.create_task(moderation.watch(), name="moderation")
        yield
        await app.state.meeting.stop()
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
        await hub.stop()
        store.close()

    app = FastAPI(
        title="Ekoes",
        version=__version__,
        lifespan=life,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.state.settings = settings
    app.state.hub = hub
    app.state.meeting = Meeting(hub, store, time)
    app.state.sessions = Sessions(key)
    app.state.store = store
    app.state.door = door
    app.state.people = store.people
    app.state.seats = register.seats
    app.state.register = register
    app.state.circle = Circle(store, hub, register.lines, time)
    app.state.moderation = moderation
    app.add_middleware(Deflated)
    app.add_middleware(Guard)
    _explain_failures(app)
    app.include_router(routes)
    app.include_router(hint_routes)
    app.include_router(lesson_routes)
    app.include_router(people_routes)
    app.include_router(profile_routes)
    app.include_router(talk_routes)
    app.include_router(page_routes(settings.page))
    return app


def _share_the_interpreter() -> None:
    """Let nothing keep the loop from its work for long.

    What was imported stays: a search for garbage among it takes 70 ms, and finds none. A thread that
    reads the store's answers gives way after a millisecond, and waits no longer for its turn.
    """
    gc.collect()
    gc.freeze()
    sys.setswitchinterval(_TURN)


def _explain_failures(app: FastAPI) -> None:
    """Answer every failure with a code and a sentence, never with a traceback."""

    @app.exception_handler(EkoesError)
    async def explain(_request: Request, error: EkoesError) -> JSONResponse:
        status = 503 if isinstance(error, StorageError) else _STATUS.get(error.code, 422)
        wait = error.wait if isinstance(error, AccountError | TalkError) else None
        headers = None if wait is None else {"retry-after": str(wait)}
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
        return JSONResponse({"code": "server/internal", "message": "something went wrong here"}, 500)
