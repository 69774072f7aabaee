"""Routes: subscribe a browser to notifications and unsubscribe it."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request
from pydantic import Field

from ekoes.games.api.contract import Json
from ekoes.server.http.answers import PushKey, answers
from ekoes.server.http.policy import Policy
from ekoes.server.http.requests import CallerDep, UserDep, api_router, token_of
from ekoes.server.http.services import ServicesDep
from ekoes.server.push import check_endpoint, check_keys
from ekoes.storage.accounts import Subscription
from ekoes.tables.orders import Strict

push_routes = api_router("/push")

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


@push_routes.get("", dependencies=[Depends(token_of)], **answers(PushKey))  # which refuses tokens
@Policy("look")
async def show_key(services: ServicesDep) -> Json:
    """Return the public key of this server for Web Push subscriptions, in base64url.

    ``{"key"}``
    """
    return {"key": services.push.signer.public}


@push_routes.post("", status_code=204)
@Policy("change")
def subscribe(request: Request, services: ServicesDep, caller: CallerDep, browser: Browser) -> None:
    """Send notifications to this browser from now on; replaces a subscription with the same endpoint.

    Each is ``{"kind": "turn" or "rematch", "table", "game"}``. 422 ``account/bad-push`` for an unusable
    subscription.
    """
    check_endpoint(browser.endpoint, anywhere=services.push.anywhere)
    check_keys(browser.keys.p256dh, browser.keys.auth)
    subscription = Subscription(
        caller.user,
        caller.credential,
        browser.endpoint,
        browser.keys.p256dh,
        browser.keys.auth,
        f"https://{request.url.hostname}",
    )
    services.store.pushes.keep(subscription, services.clock.now())


@push_routes.delete("", status_code=204)
@Policy("change")
def unsubscribe(services: ServicesDep, user: UserDep, former: Former) -> None:
    """Stop notifications to this browser."""
    gone = Subscription(user, "", former.endpoint, "", "", "")
    services.store.pushes.drop(gone.id, user)
