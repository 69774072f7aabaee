"""Routes: subscribe a browser to notifications and unsubscribe it."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from pydantic import Field

from ekoes.games.api.contract import Json
from ekoes.server.http.policy import policy
from ekoes.server.http.requests import StrictRoute, credential_of, give_session, own_origin
from ekoes.server.http.services import ServicesDep
from ekoes.server.push.sender import check_endpoint, check_keys
from ekoes.storage.accounts import Subscription
from ekoes.tables.orders import Strict

push_routes = APIRouter(prefix="/api/push", route_class=StrictRoute, dependencies=[Depends(own_origin)])

Endpoint = Annotated[str, Field(max_length=1000)]


class Keys(Strict):
    """The keys with which notifications for a browser are encrypted."""

    p256dh: Annotated[str, Field(max_length=100)]
    auth: Annotated[str, Field(max_length=40)]


class Browser(Strict):
    """A subscription in the form of the Push API."""

    endpoint: Endpoint
    keys: Keys


class Former(Strict):
    """A subscription to end."""

    endpoint: Endpoint


@push_routes.get("")
@policy("look")
async def show_key(services: ServicesDep) -> Json:
    """Return the public key of this server for subscriptions."""
    return {"key": services.push.signer.public}


@push_routes.post("", status_code=204)
@policy("change")
async def subscribe(request: Request, response: Response, services: ServicesDep, browser: Browser) -> None:
    """Send notifications to this browser from now on."""
    check_endpoint(browser.endpoint, anywhere=services.push.anywhere)
    check_keys(browser.keys.p256dh, browser.keys.auth)
    user = give_session(request, response)
    subscription = Subscription(
        user,
        credential_of(request) or user,
        browser.endpoint,
        browser.keys.p256dh,
        browser.keys.auth,
        f"https://{request.url.hostname}",
    )
    await asyncio.to_thread(services.store.pushes.keep, subscription, services.clock.now())


@push_routes.delete("", status_code=204)
@policy("change")
async def unsubscribe(request: Request, response: Response, services: ServicesDep, former: Former) -> None:
    """Stop notifications to this browser."""
    user = give_session(request, response)
    gone = Subscription(user, "", former.endpoint, "", "", "")
    await asyncio.to_thread(services.store.pushes.drop, gone.id, user)
