"""The composition root: `create_app` turns settings into an ASGI application."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI

from ekoes import __version__
from ekoes.errors import StorageError
from ekoes.games.api.chance import Chance
from ekoes.server.accounts import Passes, Register, Sessions, TokenStore
from ekoes.server.challenges import Challenges, Events
from ekoes.server.clubs import Clubs
from ekoes.server.cluster.cluster import Cluster
from ekoes.server.cluster.cluster_node import cluster_clock
from ekoes.server.cluster.routing import LOBBY
from ekoes.server.http.accounts import account_routes
from ekoes.server.http.analysis import analysis_routes
from ekoes.server.http.archive import archive_routes
from ekoes.server.http.bots import bot_routes, token_routes
from ekoes.server.http.clubs import club_routes
from ekoes.server.http.league import league_routes
from ekoes.server.http.middleware import AccessLog, Compression, SecurityHeaders, add_error_handlers
from ekoes.server.http.openapi import describe
from ekoes.server.http.page import asset_routes, page_routes
from ekoes.server.http.policy import Quotas, owner_finder
from ekoes.server.http.puzzles import puzzle_routes
from ekoes.server.http.requests import Services
from ekoes.server.http.studies import study_routes
from ekoes.server.http.tables import health_routes, table_routes
from ekoes.server.http.tournaments import tournament_routes
from ekoes.server.league import League
from ekoes.server.lobby.lobby import Lobby, LobbyService
from ekoes.server.ops.clock import Clock, clock_after
from ekoes.server.ops.secrets import signing_keys
from ekoes.server.ops.tasks import end
from ekoes.server.ops.telemetry import Traces, traces_of_environment
from ekoes.server.pictures import Pictures
from ekoes.server.push import Notices, PushSender, signer
from ekoes.server.runtime.analyses import FairnessReports, Reviews
from ekoes.server.runtime.hub import Hub, Sweeper
from ekoes.server.runtime.permissions import SeatGuard
from ekoes.server.settings import Settings
from ekoes.server.social import Moderation, RelationService
from ekoes.server.tournaments import Tournaments
from ekoes.server.watch import Watch
from ekoes.server.workers.bot_pool import BotPool
from ekoes.server.workers.fair_queue import FairQueue
from ekoes.server.workers.sandbox import Sandbox
from ekoes.storage.store import Store

_PACKING_WAITING, _PACKING_WAIT = 7, 10
_SWITCH_INTERVAL = 0.001
"""Seconds a thread may hold the interpreter: threads that read from the database must not delay the loop."""


ROUTERS = (
    asset_routes,
    table_routes,
    health_routes,
    analysis_routes,
    study_routes,
    puzzle_routes,
    account_routes,
    archive_routes,
    tournament_routes,
    league_routes,
    club_routes,
    token_routes,
    bot_routes,
    page_routes,
)
"""All routers. The page comes last, as it matches every path; what it asks for most comes first."""


def create_app(
    settings: Settings,
    *,
    chance: Chance | None = None,
    clock: Clock | None = None,
    traces: Traces | None = None,
    thread: Executor | None = None,
) -> FastAPI:
    """Return the application, with its database open and up to date; the parameters are for tests.

    chance: of tables, default: the system's. clock: default: the wall clock. traces: default: those that
    the environment configures. thread: for writing to the database, default: one of its own.

    Raises: StorageError if the data folder, the key or the database can't be used; EkoesError if the
    address of Redis is invalid, or missing where there are several processes.
    """
    _make_folder(settings.data)
    keys = signing_keys(settings.key_file)
    store = Store(settings.database_url, careful=not settings.cluster)
    store.try_out()
    clock = clock or (cluster_clock(store) if settings.cluster else clock_after(store))
    traces = traces or traces_of_environment()
    cluster = Cluster(settings, keys, store, clock)
    bots = BotPool(settings.bot_workers)
    guard = SeatGuard(store, asks_addresses=not settings.one_house)
    hub = Hub(
        store,
        clock,
        chance,
        bots,
        thread,
        seat_guard=guard,
        vacation_days=settings.vacation_days,
        owner=cluster.owner,
        traces=traces,
        count=cluster.count,
    )
    services = _services(settings, keys, store, clock, hub, guard, cluster, bots)
    _watch(services, bots, cluster)

    cluster.attach(services)
    hub.listeners.append(Notices(services.push.send, hub.vacations.is_on_vacation).notice)
    sweeper = Sweeper(
        store.abandoned, clock, settings.kept_days, lambda it: hub.open_table(it) is not None, cluster.owner
    )

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        await cluster.start()
        await hub.start()
        await cluster.lead()
        sys.setswitchinterval(_SWITCH_INTERVAL)
        sweeper.start()
        moderating = asyncio.create_task(services.moderation.watch(), name="moderation")
        yield
        await sweeper.stop()
        await cluster.stop_leading()
        await services.lobby_service.stop()
        await services.clubs.stop()
        await end(moderating)
        await services.reviews.stop()
        await services.fairness.stop()
        for costly in (services.sandbox, services.packing, services.pictures, services.register.hashing):
            costly.close()
        await hub.stop()
        await cluster.stop()
        await services.push.stop()
        store.close()
        traces.close()

    app = FastAPI(
        title="Ekoes",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
    )
    app.state.services = services
    describe(app, ROUTERS)
    # `include_router` would build each of them once more, while the first requests wait
    app.router.routes.extend(route for router in ROUTERS for route in router.routes)
    add_error_handlers(app)
    app.add_middleware(Compression)
    cluster.add_routing(app, owner_finder(ROUTERS, LOBBY))
    app.add_middleware(SecurityHeaders)
    app.add_middleware(AccessLog, metrics=hub.metrics)
    return app


def _make_folder(data: Path) -> None:
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"can't use the folder {data}: {error.strerror}") from error


def _services(
    settings: Settings,
    keys: list[bytes],
    store: Store,
    clock: Clock,
    hub: Hub,
    guard: SeatGuard,
    cluster: Cluster,
    bots: BotPool,
) -> Services:
    register = Register(store, hub, Passes(*keys), clock, cluster.count)
    push = PushSender(
        store, signer(settings.push_key_file), clock, guard.address, anywhere=settings.push_anywhere
    )
    events = Events(hub)
    challenges = Challenges(store, hub, guard, events, clock, push.send, cluster.count)
    lobby = Lobby(clock, guard.marks)
    lobby_service = LobbyService(lobby, hub, store, clock, guard, challenges.subscribed)
    tournaments = Tournaments(hub, store, clock, guard, lobby.tournament)
    watch = Watch(hub, store.results.rating, lobby.tables_of)
    sandbox = Sandbox()
    league = League(
        hub,
        store,
        clock,
        guard,
        sandbox,
        is_busy=lambda: bots.waiting > 0,
        listening=lambda: lobby.bots,
        hours=settings.league_hours,
        games=settings.league_games,
    )
    return Services(
        settings=settings,
        clock=clock,
        store=store,
        hub=hub,
        seat_guard=guard,
        sandbox=sandbox,
        reviews=Reviews(store.reviews, sandbox, clock),
        fairness=FairnessReports(sandbox),
        sessions=Sessions(*keys),
        quotas=Quotas(cluster.count),
        register=register,
        tokens=TokenStore(store.programs, cluster.count),
        lobby=lobby,
        lobby_service=lobby_service,
        tournaments=tournaments,
        league=league,
        clubs=Clubs(hub, store, clock, guard.marks, cluster.count),
        watch=watch,
        relations=RelationService(
            store,
            hub,
            lambda user: lobby.is_here(user) or challenges.is_read_by(user),
            clock,
            cluster.count,
        ),
        moderation=Moderation(store.moderation, store.people, register.connections, clock),
        challenges=challenges,
        events=events,
        push=push,
        pictures=Pictures(),
        packing=FairQueue(1, _PACKING_WAITING, "archives", _PACKING_WAIT),
        arrivals=[tournaments.note],
        redis_is_up=lambda: None if cluster.redis is None else cluster.redis.is_connected,
    )


def _watch(services: Services, bots: BotPool, cluster: Cluster) -> None:
    """Add metrics of parts that the hub does not know."""
    metrics, lines = services.hub.metrics, services.register.connections
    metrics.watch("lines", "Open WebSockets and streams.", lambda: lines.number)
    metrics.watch("bots_asked", "Tables that wait for a bot.", lambda: bots.waiting)
    metrics.watch("redis_away", "Whether a configured Redis does not answer.", lambda: cluster.is_redis_away)
    bots.measured = lambda game, bot, seconds: metrics.thoughts.labels(game, bot).observe(seconds)
