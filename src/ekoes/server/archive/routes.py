"""The archive over the wire: a search, its records as one file, and a game that is over."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from io import BytesIO
from typing import Annotated
from zipfile import ZIP_DEFLATED, ZipFile

from fastapi import APIRouter, Query, Request, Response

from ekoes.errors import EkoesError, TableError
from ekoes.games.contract import Json
from ekoes.match.clock_plan import clock_json
from ekoes.server.api import HubOf, TableId
from ekoes.server.archive.search import Looked, cursor, read_cursor
from ekoes.server.lobby.entries import chosen
from ekoes.server.people.profiles import played_json
from ekoes.storage.results import Played
from ekoes.storage.store import Store

__all__ = ["archive_routes"]

archive_routes = APIRouter(prefix="/api")

_PAGE = 50
_FILE = 200
"""Records of one file: more are had from the next one."""

Wish = Annotated[Looked, Query()]


@archive_routes.get("/archive")
async def search_games(request: Request, wish: Wish) -> Json:
    """List the latest games that are looked for, and what asks for those behind them."""
    games = await _found(request, wish, _PAGE)
    return _listed(games, _PAGE)


@archive_routes.get("/archive/records", response_class=Response)
async def save_games(request: Request, wish: Wish) -> Response:
    """Send the records of what is looked for as one file, the latest 200."""
    async with request.app.state.one_file:
        games = await _found(request, wish, _FILE)
        content = await asyncio.to_thread(_packed, _store(request), games)
    headers = {"content-disposition": 'attachment; filename="games.zip"'}
    return Response(content, media_type="application/zip", headers=headers)


@archive_routes.get("/games/{table_id}")
async def show_game(request: Request, hub: HubOf, table_id: TableId) -> Json:
    """Tell all about a game that is over: who played what, and how it ended for each."""
    store = _store(request)
    played = await asyncio.to_thread(store.results.of_table, table_id)
    if played is None:
        raise TableError("the game goes on, or there is none", code="table/not-over")
    async with hub.table(table_id) as live:
        table = live.seen_by(None)
    return {
        **played_json(played, None),
        "public": await asyncio.to_thread(store.archive.knows, table_id),
        "options": chosen(table.game, table.options),
        **({"clock": clock_json(table.clock)} if table.clock else {}),
    }


def _store(request: Request) -> Store:
    store: Store = request.app.state.store
    return store


async def _found(request: Request, wish: Looked, most: int) -> list[Played]:
    after = read_cursor(wish.after)
    return await asyncio.to_thread(_store(request).archive.search, wish.search(), after, most)


def _listed(games: Sequence[Played], most: int) -> Json:
    more = {"after": cursor(games[-1])} if len(games) == most else {}
    return {"games": [played_json(game, None) for game in games], **more}


def _packed(store: Store, games: Sequence[Played]) -> bytes:
    """Return a zip file of records with a list of them; what can't be written is in the list alone."""
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
