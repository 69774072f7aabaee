"""The routes of hints: answers about a table for whoever plays there against bots alone."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from ekoes.games.contract import Json
from ekoes.match import hints
from ekoes.server.api import HubOf, TableId
from ekoes.server.cookies import give_session

__all__ = ["hint_routes"]

hint_routes = APIRouter(prefix="/api/tables")


@hint_routes.get("/{table_id}/advice")
async def show_advice(request: Request, response: Response, hub: HubOf, table_id: TableId) -> Json:
    """Tell one good decision for the seat of this browser that is asked, and what speaks for it."""
    session = give_session(request, response)
    async with hub.table(table_id) as live:
        table = live.seen_by(session)
    return await asyncio.to_thread(hints.advice, table, session)


@hint_routes.get("/{table_id}/threats/{place}")
async def show_threats(
    request: Request,
    response: Response,
    hub: HubOf,
    table_id: TableId,
    place: Annotated[str, Path(max_length=20)],
) -> Json:
    """Tell where what stands at a place could go and what it could take, were it its turn."""
    session = give_session(request, response)
    async with hub.table(table_id) as live:
        table = live.seen_by(session)
    return await asyncio.to_thread(hints.threats, table, session, place)
