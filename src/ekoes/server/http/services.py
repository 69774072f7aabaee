"""`Services`: the parts of a running server, as routes receive them."""

from __future__ import annotations

from asyncio import Semaphore
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends
from starlette.applications import Starlette
from starlette.requests import HTTPConnection

from ekoes.server.accounts import Register, Sessions, TokenStore
from ekoes.server.challenges import Challenges, Events
from ekoes.server.http.policy import Quotas
from ekoes.server.lobby.lobby import LobbyService
from ekoes.server.ops.clock import Clock
from ekoes.server.pictures.pictures import Pictures
from ekoes.server.push import PushSender
from ekoes.server.runtime.fairness import FairnessReports
from ekoes.server.runtime.hub import Hub
from ekoes.server.runtime.reviews import Reviews
from ekoes.server.runtime.seat_guard import SeatGuard
from ekoes.server.settings import Settings
from ekoes.server.social import Moderation, RelationService
from ekoes.server.tournaments import Tournaments
from ekoes.server.workers.sandbox import Sandbox
from ekoes.storage.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """The parts of a running server.

    packing: a lock, as archive files are packed one at a time. arrivals: called with the table and the
    user whenever a user opens a socket to a table. redis_is_up: whether Redis answers; None: none is used.
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
    lobby: LobbyService
    tournaments: Tournaments
    relations: RelationService
    moderation: Moderation
    challenges: Challenges
    events: Events
    push: PushSender
    pictures: Pictures
    packing: Semaphore
    arrivals: list[Callable[[str, str], None]]
    redis_is_up: Callable[[], bool | None]


def services_of(app: Starlette) -> Services:
    """Return the services of an application."""
    services: Services = app.state.services
    return services


async def _services(connection: HTTPConnection) -> Services:
    return services_of(connection.app)


ServicesDep = Annotated[Services, Depends(_services)]
