"""The route by which somebody thinks ahead: their table is played on for them alone, and nothing is kept."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from pydantic import Field

from ekoes.errors import TableError
from ekoes.match.orders import LONGEST_WAY, Count, Foreseen, Strict
from ekoes.server.api import HubOf, TableId, own_origin
from ekoes.server.bodies import StrictRoute
from ekoes.server.cookies import give_session
from ekoes.server.tried import tried
from ekoes.server.workbench import Workbench

__all__ = ["ahead_routes"]

ahead_routes = APIRouter(prefix="/api", route_class=StrictRoute, dependencies=[Depends(own_origin)])


class Decisions(Strict):
    """What might be decided from now on, in order; the latest may be a mere try.

    version: of the table from which it goes on. of: a piece, as the game names it, whose ways are
    asked for besides.
    """

    version: Count
    decisions: Annotated[list[Foreseen], Field(max_length=LONGEST_WAY)]
    of: Count | str | None = None


@ahead_routes.post("/tables/{table_id}/ahead")
async def play_ahead(
    request: Request, response: Response, hub: HubOf, table_id: TableId, body: Decisions
) -> Response:
    """Play a table on, and show how it would stand."""
    session = give_session(request, response)
    async with hub.table(table_id) as live:
        table, now = live.seen_by(session), live.now()
    if body.version != table.version:
        message = f"the table is at version {table.version}, not {body.version}"
        raise TableError(message, code="table/stale")
    workbench: Workbench = request.app.state.workbench
    text = await workbench.do(tried, table_id, table, session, body.decisions, body.of, now)
    return Response(text, media_type="application/json")
