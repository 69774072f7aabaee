"""Whether a server is alive and can do its work, for those who watch over it and who send people to it."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request

from ekoes.games.contract import Json
from ekoes.storage.store import Store

__all__ = ["health_routes"]

health_routes = APIRouter()


@health_routes.get("/healthz")
async def is_alive() -> Json:
    """Answer as long as the loop goes round."""
    return {"alive": True}


@health_routes.get("/readyz")
async def is_ready(request: Request) -> Json:
    """Answer once tables can be played at and kept. 503 while the store keeps nothing.

    Where there is a Redis, whether that is there: people are let in without it.
    """
    store: Store = request.app.state.store
    await asyncio.to_thread(store.try_out)
    link = request.app.state.common.link
    return {"ready": True} | ({} if link is None else {"redis": link.is_there})
