"""The routes by which a browser asks for notices, and asks for them no more."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from pydantic import Field

from ekoes.games.contract import Json
from ekoes.match.orders import Strict
from ekoes.server.api import own_origin
from ekoes.server.bodies import StrictRoute
from ekoes.server.cookies import credential_of, give_session
from ekoes.server.push.addresses import check_endpoint
from ekoes.server.push.post import Post
from ekoes.server.push.sealed import check_keys
from ekoes.storage.pushes import Subscription
from ekoes.storage.store import Store

__all__ = ["push_routes"]

push_routes = APIRouter(prefix="/api/push", route_class=StrictRoute, dependencies=[Depends(own_origin)])

Endpoint = Annotated[str, Field(max_length=1000)]


class Keys(Strict):
    """With what notices for a browser are sealed."""

    p256dh: Annotated[str, Field(max_length=100)]
    auth: Annotated[str, Field(max_length=40)]


class Browser(Strict):
    """A subscription, as browsers write it."""

    endpoint: Endpoint
    keys: Keys


class Former(Strict):
    """A subscription that is no more."""

    endpoint: Endpoint


@push_routes.get("")
async def show_key(request: Request) -> Json:
    """Tell the key by which browsers know this server."""
    post: Post = request.app.state.post
    return {"key": post.signer.public}


@push_routes.post("", status_code=204)
async def subscribe(request: Request, response: Response, browser: Browser) -> None:
    """Send notices to this browser from now on."""
    post: Post = request.app.state.post
    check_endpoint(browser.endpoint, anywhere=post.anywhere)
    check_keys(browser.keys.p256dh, browser.keys.auth)
    holder = give_session(request, response)
    subscription = Subscription(
        holder,
        credential_of(request) or holder,
        browser.endpoint,
        browser.keys.p256dh,
        browser.keys.auth,
        f"https://{request.url.hostname}",
    )
    await asyncio.to_thread(_store(request).pushes.keep, subscription, request.app.state.clock.now())


@push_routes.delete("", status_code=204)
async def unsubscribe(request: Request, response: Response, former: Former) -> None:
    """Send no more notices to this browser."""
    holder = give_session(request, response)
    gone = Subscription(holder, "", former.endpoint, "", "", "")
    await asyncio.to_thread(_store(request).pushes.drop, gone.id, holder)


def _store(request: Request) -> Store:
    store: Store = request.app.state.store
    return store
