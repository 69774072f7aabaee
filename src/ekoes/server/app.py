"""The application: settings in, ASGI application out."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import AsyncIterator
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from ekoes import __version__
from ekoes.errors import EkoesError, LimitError, StorageError
from ekoes.games.chance import Chance
from ekoes.server.ahead import ahead_routes
from ekoes.server.api import routes
from ekoes.server.archive.pictures import Pictures
from ekoes.server.archive.previews import picture_routes, preview_routes
from ekoes.server.archive.routes import archive_routes
from ekoes.server.clock import Clock
from ekoes.server.cluster.clocks import clock_among
from ekoes.server.cluster.duties import Duties
from ekoes.server.cluster.joined import Alone, Joined
from ekoes.server.cluster.member import Member
from ekoes.server.cluster.seal import Seal
from ekoes.server.cluster.ways import ways_of
from ekoes.server.deflated import Deflated
from ekoes.server.door import Door
from ekoes.server.guard import Guard
from ekoes.server.health import health_routes
from ekoes.server.hints import hint_routes
from ekoes.server.hub import Hub
from ekoes.server.journal import Journal, note_table
from ekoes.server.keys import signing_keys
from ekoes.server.lessons import lesson_routes
from ekoes.server.lobby.service import Meeting
from ekoes.server.messages import error_json, parse_failure
from ekoes.server.metrics import Metrics
from ekoes.server.openapi import FAILURES, describe, name_of
from ekoes.server.owner import ALONE
from ekoes.server.page import page_routes
from ekoes.server.people.passes import Passes
from ekoes.server.people.profiles import profile_routes
from ekoes.server.people.register import Register
from ekoes.server.people.routes import people_routes
from ekoes.server.people.seats import Seats
from ekoes.server.people.vacation import vacation_routes
from ekoes.server.programs.challenges import Challenges
from ekoes.server.programs.events import Events
from ekoes.server.programs.play import play_routes
from ekoes.server.programs.routes import token_routes
from ekoes.server.push.notices import Notices
from ekoes.server.push.post import Post
from ekoes.server.push.routes import push_routes
from ekoes.server.push.sealed import signer
from ekoes.server.quotas import Quotas, counted
from ekoes.server.sessions import Sessions
from ekoes.server.settings import Settings
from ekoes.server.sweeper import Sweeper
from ekoes.server.talk.circle import Circle
from ekoes.server.talk.moderation import Moderation
from ekoes.server.talk.routes import talk_routes
from ekoes.server.tasks import end
from ekoes.server.thinking.workers import Workers
from ekoes.server.together.common import Common
from ekoes.server.tokens import Desk, count_token
from ekoes.server.tournaments.routes import tournament_routes
from ekoes.server.tournaments.service import Tournaments
from ekoes.server.traces import Traces, traces_of_environment
from ekoes.server.uptime import clock_after
from ekoes.server.workbench import Workbench
from ekoes.storage.store import Store

__all__ = ["create_app"]

_ROUTERS = (
    routes,
    ahead_routes,
    health_routes,
    hint_routes,
    lesson_routes,
    people_routes,
    profile_routes,
    push_routes,
    talk_routes,
    tournament_routes,
    vacation_routes,
    token_routes,
    play_routes,
    archive_routes,
    picture_routes,
)
"""Of all of them the page comes last: it has an answer for every address."""

_STATUS = {
    "table/not-found": 404,
    "lesson/not-found": 404,
    "message/bad-json": 400,
    "message/too-large": 413,
    "message/foreign-origin": 403,
    "table/not-over": 409,
    "table/elsewhere": 503,
    "table/stale": 409,
    "table/delayed": 409,
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
    "account/apart": 403,
    "account/many-tokens": 409,
    "account/no-challenge": 404,
    "account/no-program": 403,
    "account/no-token": 401,
    "account/played": 409,
    "account/program-rated": 403,
    "account/scope": 403,
    "account/unknown-token": 404,
    "limit/busy": 503,
    "limit/lines": 429,
    "limit/requests": 429,
    "limit/tables": 429,
    "account/no-vacation": 409,
    "talk/blocked": 403,
    "talk/guest": 409,
    "talk/no-report": 404,
    "talk/nobody": 404,
    "talk/not-moderator": 403,
    "talk/own-report": 403,
    "talk/resolved": 409,
    "talk/too-fast": 429,
    "tournament/account": 401,
    "tournament/closed": 409,
    "tournament/full": 409,
    "tournament/not-found": 404,
    "tournament/not-yours": 403,
    "tournament/started": 409,
    "tournament/too-few": 409,
    "tournament/too-many": 429,
}

_TURN = 0.001
"""Seconds for which a thread may keep the interpreter while others wait for it."""
_UNREADABLE = 400
"""What FastAPI raises for a body that its parser gives up on."""


def create_app(
    settings: Settings,
    *,
    chance: Chance | None = None,
    clock: Clock | None = None,
    traces: Traces | None = None,
    thread: Executor | None = None,
) -> FastAPI:
    """Return the application, its database open and up to date.

    chance: what tables leave to it, else the system's. clock: else the wall's. traces: else those that the
    environment asks for. thread: where to wait for the disk, else one of its own.

    Raises: StorageError if the data folder, the key or the database can't be used; EkoesError where the
    address of the Redis is none.
    """
    _make_folder(settings.data)
    keys = signing_keys(settings.key_file)
    store = Store(settings.database_url, careful=not settings.cluster)
    time: Clock = clock or (clock_among(store) if settings.cluster else clock_after(store))
    door = Door(store, asks_addresses=not settings.one_house)
    workers = Workers(settings.bot_workers)
    traces = traces or traces_of_environment()
    common = Common(settings.redis, keys[-1])
    ways = ways_of(Seal(*keys), settings.cluster, common.link)
    member = Member(store.leases, settings.cluster, ways, time) if settings.cluster else None
    hub = Hub(
        store,
        time,
        chance,
        workers,
        thread,
        door=door,
        vacation_days=settings.vacation_days,
        owner=member or ALONE,
        traces=traces,
        count=common.count,
    )

    post = Post(store, signer(settings.push_key_file), time, anywhere=settings.push_anywhere)
    register = Register(store, Seats(hub, Passes(*keys), time), time, common.count)
    _measure(hub.metrics, register, workers, common)
    moderation = Moderation(store.wardens, store.people, register.lines, time)

    workbench = Workbench()
    sweeper = Sweeper(
        store.abandoned, time, settings.kept_days, lambda it: hub.standing(it) is not None, member or ALONE
    )

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        await common.start()
        await joined.start()
        await hub.start()
        await app.state.duties.take()
        _share_the_interpreter()
        sweeper.start()
        watching = asyncio.create_task(moderation.watch(), name="moderation")
        yield
        await sweeper.stop()
        await challenges.stop()
        await app.state.duties.drop()
        await app.state.meeting.stop()
        await end(watching)
        workbench.close()
        await hub.stop()
        await joined.stop()
        await common.stop()
        await post.stop()
        store.close()
        traces.close()

    app = FastAPI(
        title="Ekoes",
        version=__version__,
        lifespan=life,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        dependencies=[Depends(note_table), Depends(counted), Depends(count_token)],
        generate_unique_id_function=name_of,
        responses=FAILURES,
    )
    describe(app)
    events = Events(hub, store)
    challenges = Challenges(store, hub, door, events, time, post.send, common.count)
    meeting = Meeting(hub, store, time, door, challenges)
    tournaments = Tournaments(hub, store, time, door, meeting.tournament)
    parts = {
        "duties": Duties(member or ALONE, tournaments.start, tournaments.stop),
        "settings": settings,
        "quotas": Quotas(common.count),
        "news": None,
        "hub": hub,
        "meeting": meeting,
        "tournaments": tournaments,
        "sessions": Sessions(*keys),
        "store": store,
        "door": door,
        "people": store.people,
        "seats": register.seats,
        "register": register,
        "circle": Circle(store, hub, register.lines, time, common.count),
        "moderation": moderation,
        "clock": time,
        "pictures": Pictures(),
        "events": events,
        "challenges": challenges,
        "desk": Desk(store.programs, common.count),
        "workbench": workbench,
        "one_file": asyncio.Semaphore(1),
        "post": post,
        "common": common,
    }
    for name, part in parts.items():
        setattr(app.state, name, part)
    joined = Alone() if member is None else Joined(member, app.state)
    hub.listeners.append(Notices(post.send, hub.vacations.is_away).notice)
    _furnish(app, joined, settings)
    return app


def _make_folder(data: Path) -> None:
    try:
        data.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"can't use the folder {data}: {error.strerror}") from error


def _measure(metrics: Metrics, register: Register, workers: Workers, common: Common) -> None:
    """Have measured what the hub does not know of."""
    metrics.watch("lines", "Open web sockets.", lambda: register.lines.number)
    metrics.watch("bots_asked", "Tables that wait for a bot.", lambda: workers.waiting)
    metrics.watch("redis_away", "Whether a Redis is set and does not answer.", lambda: common.is_away)
    workers.measured = metrics.thought


def _furnish(app: FastAPI, joined: Alone, settings: Settings) -> None:
    """Put before the application what every request passes, and behind it what answers."""
    app.add_middleware(Deflated)
    joined.stand_before(app)
    app.add_middleware(Guard)
    app.add_middleware(Journal)
    _explain_failures(app)
    for router in (*_ROUTERS, preview_routes(settings.page), page_routes(settings.page)):
        app.include_router(router)


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
        return JSONResponse({"code": "server/internal", "message": "something went wrong here"}, 500)
