"""Routes: the archive, pictures of tables, and documents with link previews."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Annotated
from zipfile import ZIP_DEFLATED, ZipFile

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import HTMLResponse

from ekoes import __version__
from ekoes.errors import EkoesError, TableError
from ekoes.games.api.contract import Json
from ekoes.server.archive.pictures import drawn, draws, headed, sitters
from ekoes.server.archive.search import ArchiveQuery, cursor, read_cursor
from ekoes.server.http.accounts import played_json
from ekoes.server.http.page import document
from ekoes.server.http.policy import policy
from ekoes.server.http.requests import TableId, give_session
from ekoes.server.http.services import Services, ServicesDep
from ekoes.server.runtime.viewers import chosen
from ekoes.storage.results import Played
from ekoes.storage.store import Store
from ekoes.tables.plan import clock_json
from ekoes.tables.table import Table

archive_routes = APIRouter(prefix="/api")

_PAGE = 50
_FILE = 200
"""Records in one file; a cursor asks for the next ones."""

Wish = Annotated[ArchiveQuery, Query()]


@archive_routes.get("/archive")
@policy("search")
async def search_games(services: ServicesDep, wish: Wish) -> Json:
    """List the latest games that match, with a cursor to the next ones."""
    games = await _found(services, wish, _PAGE)
    return _listed(games, _PAGE)


@archive_routes.get("/archive/records", response_class=Response)
@policy("pack")
async def save_games(services: ServicesDep, wish: Wish) -> Response:
    """Return the records of the latest 200 games that match, as a zip file."""
    async with services.packing:
        games = await _found(services, wish, _FILE)
        content = await asyncio.to_thread(_packed, services.store, games)
    headers = {"content-disposition": 'attachment; filename="games.zip"'}
    return Response(content, media_type="application/zip", headers=headers)


@archive_routes.get("/games/{table_id}")
@policy("search", owner="table")
async def show_game(services: ServicesDep, table_id: TableId) -> Json:
    """Return a finished game: players, options and result."""
    store = services.store
    played = await asyncio.to_thread(store.results.of_table, table_id)
    if played is None:
        raise TableError("The game is not over, or there is no such game", code="table/not-over")
    async with services.hub.table(table_id) as live:
        table = live.table
    return {
        **played_json(played, None),
        "public": await asyncio.to_thread(store.archive.knows, table_id),
        "options": chosen(table.game, table.options),
        **({"clock": clock_json(table.clock)} if table.clock else {}),
    }


async def _found(services: Services, wish: ArchiveQuery, most: int) -> list[Played]:
    after = read_cursor(wish.after)
    return await asyncio.to_thread(services.store.archive.search, wish.search(), after, most)


def _listed(games: Sequence[Played], most: int) -> Json:
    more = {"after": cursor(games[-1])} if len(games) == most else {}
    return {"games": [played_json(game, None) for game in games], **more}


def _packed(store: Store, games: Sequence[Played]) -> bytes:
    """Return a zip file with a list of games and their records, as far as they can be written."""
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as made:
        listed = json.dumps(_listed(games, _FILE), indent=2, ensure_ascii=False)
        made.writestr("games.json", f"{listed}\n")
        for game in games:
            try:
                made.writestr(f"{game.table_id}.txt", store.record(game.table_id))
            except EkoesError:
                continue
    return file.getvalue()


_A_WHILE, _A_DAY = "public, max-age=60", "public, max-age=86400"


@archive_routes.get("/tables/{table_id}/picture.png", response_class=Response)
@policy("draw", owner="table")
async def show_picture(request: Request, services: ServicesDep, table_id: TableId) -> Response:
    """Return a picture of a table as spectators see it, 1200 by 630 pixels."""
    async with services.hub.table(table_id) as live:
        table = live.table
    if not draws(table):
        return Response(status_code=404)
    key = _key(table_id, table)
    headers = {"etag": f'"{key}"', "cache-control": _A_DAY if table.outcome else _A_WHILE}
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(status_code=304, headers=headers)
    png = await services.pictures.png(key, lambda: drawn(table, services.clock))
    if png is None:
        return Response(status_code=503, headers={"retry-after": "10"})
    return Response(png, media_type="image/png", headers=headers)


def _key(table_id: str, table: Table) -> str:
    """Return the cache key of a picture: a digest of all it shows."""
    shown = (table_id, table.version, sitters(table), table.outcome is None, __version__)
    return sha256(repr(shown).encode()).hexdigest()[:32]


def preview_routes(folder: Path) -> APIRouter:
    """Return the routes of the page's document with link previews. folder: of the page."""
    routes = APIRouter(include_in_schema=False)
    file = folder.resolve() / "index.html"

    @routes.api_route("/t/{table_id}", methods=["GET", "HEAD"])
    @routes.api_route("/games/{table_id}", methods=["GET", "HEAD"])
    @policy("look", owner="table")
    async def page(request: Request, table_id: TableId, services: ServicesDep) -> Response:
        """Return the page's document, with a preview of the table if there is one."""
        try:
            async with services.hub.table(table_id) as live:
                table = live.table
        except EkoesError:
            return document(request, file)
        return await _headed(request, services, file, table_id, table)

    return routes


async def _headed(request: Request, services: Services, file: Path, table_id: str, table: Table) -> Response:
    listed = await asyncio.to_thread(services.store.archive.knows, table_id)
    here = str(request.base_url)
    try:
        text = await asyncio.to_thread(file.read_text, "utf-8")
    except OSError:  # the page has not been built
        return document(request, file)
    picture = f"{here}api/tables/{table_id}/picture.png?v={table.version}"
    address = f"{here.rstrip('/')}{request.url.path}"
    response = HTMLResponse(headed(text, table, address, picture, listed=listed))
    response.headers["cache-control"] = "no-cache"
    give_session(request, response)
    return response
