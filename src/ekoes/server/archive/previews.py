"""The addresses of tables and games as a browser opens them, and as others show links to them."""

from __future__ import annotations

import asyncio
from hashlib import sha256
from pathlib import Path

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from ekoes import __version__
from ekoes.errors import EkoesError
from ekoes.match.state import Table
from ekoes.server.api import HubOf, TableId
from ekoes.server.archive.heads import headed
from ekoes.server.archive.pictures import Pictures, drawn, draws, sitters
from ekoes.server.cookies import give_session
from ekoes.server.page import document
from ekoes.storage.store import Store

__all__ = ["picture_routes", "preview_routes"]

picture_routes = APIRouter(prefix="/api")

_A_WHILE, _A_DAY = "public, max-age=60", "public, max-age=86400"


@picture_routes.get("/tables/{table_id}/picture.png", response_class=Response)
async def show_picture(request: Request, hub: HubOf, table_id: TableId) -> Response:
    """Show how a table stands for those who watch, as a picture of 1200 by 630."""
    async with hub.table(table_id) as live:
        table = live.seen_by(None)
    if not draws(table):
        return Response(status_code=404)
    key = _key(table_id, table)
    headers = {"etag": f'"{key}"', "cache-control": _A_DAY if table.outcome else _A_WHILE}
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(status_code=304, headers=headers)
    pictures: Pictures = request.app.state.pictures
    png = await pictures.png(key, lambda: drawn(table, request.app.state.clock))
    if png is None:
        return Response(status_code=503, headers={"retry-after": "10"})
    return Response(png, media_type="image/png", headers=headers)


def _key(table_id: str, table: Table) -> str:
    """Return what names a picture: whatever it shows."""
    shown = (table_id, table.version, sitters(table), table.outcome is None, __version__)
    return sha256(repr(shown).encode()).hexdigest()[:32]


def preview_routes(folder: Path) -> APIRouter:
    """Return the routes of the page's document for tables and games. folder: of the page."""
    routes = APIRouter(include_in_schema=False)
    file = folder.resolve() / "index.html"

    @routes.api_route("/t/{table_id}", methods=["GET", "HEAD"])
    @routes.api_route("/games/{table_id}", methods=["GET", "HEAD"])
    async def page(request: Request, table_id: TableId, hub: HubOf) -> Response:
        """Send the page's document; it says of which table it is, if there is one."""
        try:
            async with hub.table(table_id) as live:
                table = live.seen_by(None)
        except EkoesError:
            return document(request, file)
        return await _headed(request, file, table_id, table)

    return routes


async def _headed(request: Request, file: Path, table_id: str, table: Table) -> Response:
    store: Store = request.app.state.store
    listed = await asyncio.to_thread(store.archive.knows, table_id)
    here = str(request.base_url)
    try:
        text = await asyncio.to_thread(file.read_text, "utf-8")
    except OSError:  # it has not been built
        return document(request, file)
    picture = f"{here}api/tables/{table_id}/picture.png?v={table.version}"
    address = f"{here.rstrip('/')}{request.url.path}"
    response = HTMLResponse(headed(text, table, address, picture, listed=listed))
    response.headers["cache-control"] = "no-cache"
    give_session(request, response)
    return response
