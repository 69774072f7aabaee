"""Routes: the files of the built page, and its document for every other path, with link previews."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from html import escape
from pathlib import Path

from fastapi import APIRouter
from fastapi.responses import FileResponse, HTMLResponse, PlainTextResponse, Response
from starlette.requests import Request

from ekoes.errors import EkoesError
from ekoes.games.api.registry import game
from ekoes.games.api.table import HEIGHT, WIDTH
from ekoes.server.http.policy import policy
from ekoes.server.http.requests import TableId, give_session
from ekoes.server.http.services import Services, ServicesDep
from ekoes.server.pictures.pictures import draws, sitters
from ekoes.tables.table import Table

_IMMUTABLE = "public, max-age=31536000, immutable"
_REVALIDATE = "no-cache"


def page_routes(folder: Path) -> APIRouter:
    """Return the routes that serve the page of a folder.

    Names of files in ``assets/`` contain a hash, so browsers may cache them for ever; the others are
    revalidated.
    """
    routes = APIRouter(include_in_schema=False)
    root = folder.resolve()

    @routes.api_route("/{path:path}", methods=["GET", "HEAD"])
    @policy("look")
    def page(request: Request, path: str) -> Response:
        """Return a file of the page, or its document for ``/``, ``/t/{id}`` and the like."""
        file = _file(root, path)
        if file is not None:
            cache = _IMMUTABLE if path.startswith("assets/") else _REVALIDATE
            return FileResponse(file, headers={"cache-control": cache})
        if not (path.startswith("api/") or "." in path.rpartition("/")[2]):
            return document(request, root / "index.html")
        if "text/html" in request.headers.get("accept", "") and not path.startswith("api/"):
            return document(request, root / "index.html", status=404)  # shows "not found" with a link home
        return PlainTextResponse("Not found\n", status_code=404)

    return routes


def _file(root: Path, path: str) -> Path | None:
    """Return the file of a path if it lies below the root, else None."""
    if not path.isprintable():
        return None
    try:
        file = (root / path).resolve()
        return file if file.is_relative_to(root) and file.is_file() else None
    except OSError:  # the name is too long
        return None


def document(request: Request, file: Path, status: int = 200) -> Response:
    """Return the page's document. file: its path once the page has been built."""
    if not file.is_file():
        return PlainTextResponse("The page has not been built: run `make play`.\n", status_code=503)
    response = FileResponse(file, status, headers={"cache-control": _REVALIDATE})
    give_session(request, response)
    return response


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


_TITLE = "<title>Ekoes</title>"
_WINNER = "\N{BLACK CHESS QUEEN}"


def headed(document: str, table: Table, address: str, picture: str, *, listed: bool) -> str:
    """Return the page's document with the link preview of a table.

    address: the URL of the document. picture: of the picture. listed: whether search engines may index it.
    """
    title, about = _title(table), _about(table)
    named = {"og:type": "website", "og:site_name": "Ekoes", "og:url": address, "og:title": title}
    named |= {"og:description": about}
    shown = {"twitter:card": "summary", "twitter:title": title, "twitter:description": about}
    if draws(table):
        named |= {"og:image": picture, "og:image:type": "image/png"}
        named |= {"og:image:width": str(WIDTH), "og:image:height": str(HEIGHT), "og:image:alt": about}
        shown |= {"twitter:card": "summary_large_image", "twitter:image": picture}
    tags = [_tags("property", named), _tags("name", shown)]
    if not listed:
        tags.append(_tags("name", {"robots": "noindex"}))
    return document.replace(_TITLE, f"<title>{escape(title)} · Ekoes</title>{''.join(tags)}", 1)


def _tags(key: str, values: Mapping[str, str]) -> str:
    return "".join(f'<meta {key}="{name}" content="{escape(value)}" />' for name, value in values.items())


def _title(table: Table) -> str:
    return f"{game(table.game).title.partition(',')[0]} · {' – '.join(it.name for it in sitters(table))}"


def _about(table: Table) -> str:
    people = [f"{_WINNER} {it.name}" if it.won else it.name for it in sitters(table)]
    return f"{game(table.game).title}: {', '.join(people)}"
