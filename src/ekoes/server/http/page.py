"""Routes: the files of the built page and of the documentation; the page's document with link previews."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from functools import cache
from html import escape
from mimetypes import guess_type
from pathlib import Path

from fastapi import APIRouter
from fastapi.responses import FileResponse, HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.requests import Request

from ekoes.errors import EkoesError
from ekoes.games.api.registry import game, games
from ekoes.games.api.table import HEIGHT, WIDTH
from ekoes.server.http.policy import Policy
from ekoes.server.http.requests import COUNTED, Services, ServicesDep, TableId, give_session
from ekoes.server.pictures import draws, sitters
from ekoes.server.settings import Settings
from ekoes.storage.schema import ClubRow, StudyRow, TournamentRow
from ekoes.tables.lessons import lessons_of
from ekoes.tables.puzzles import puzzles_of
from ekoes.tables.table import Table

_IMMUTABLE = "public, max-age=31536000, immutable"
_REVALIDATE = "no-cache"


asset_routes = APIRouter(dependencies=COUNTED, include_in_schema=False)
page_routes = APIRouter(dependencies=COUNTED, include_in_schema=False)


@asset_routes.api_route("/assets/{name}", methods=["GET", "HEAD"])
@Policy("look")
async def show_asset(request: Request, name: str, services: ServicesDep) -> Response:
    """Return a file of the page whose name contains a hash, so browsers may cache it for ever."""
    try:
        file, headers = _coded(services.settings.page / "assets" / name, request)
        content = _content(file)
    except (OSError, ValueError):  # there is none, or there can't be one of that name
        return PlainTextResponse("Not found\n", status_code=404)
    return Response(content, headers={"cache-control": _IMMUTABLE, **headers}, media_type=guess_type(name)[0])


@cache
def _content(file: Path) -> bytes:
    """Read a file once: each new visitor asks for three hundred. Raises OSError or ValueError."""
    return file.read_bytes()


@page_routes.api_route("/t/device-{game}", methods=["GET", "HEAD"])
@Policy("look")
def show_game_of_device(request: Request, services: ServicesDep, game: str) -> Response:  # noqa: ARG001
    """Return the page's document for a game that is stored in the browser alone (web/src/net/device.ts)."""
    return _document(request, services)


@page_routes.api_route("/t/{table_id}", methods=["GET", "HEAD"])
@page_routes.api_route("/t/{table_id}/review", methods=["GET", "HEAD"])
@page_routes.api_route("/t/{table_id}/screen", methods=["GET", "HEAD"])
@page_routes.api_route("/t/{table_id}/hand", methods=["GET", "HEAD"])
@page_routes.api_route("/games/{table_id}", methods=["GET", "HEAD"])
@Policy("look", owner="table")
async def show_document(request: Request, table_id: TableId, services: ServicesDep) -> Response:
    """Return the page's document with a preview of the table; with status 404 if there is none."""
    try:
        async with services.hub.table(table_id) as live:
            table = live.table
    except EkoesError:
        return await asyncio.to_thread(_document, request, services, 404)
    return await asyncio.to_thread(_preview, request, services, table_id, table)


@page_routes.api_route("/embed/{table_id}", methods=["GET", "HEAD"])
@Policy("look", owner="table")
async def show_embedded(request: Request, table_id: TableId, services: ServicesDep) -> Response:
    """Return the page's document for a frame elsewhere; with status 404 if there is no public table."""
    try:
        async with services.hub.table(table_id) as live:
            is_public = live.table.public
    except EkoesError:
        is_public = False
    request.state.is_embedded = is_public
    return await asyncio.to_thread(_document, request, services, 200 if is_public else 404)


@page_routes.api_route("/docs", methods=["GET", "HEAD"])
@page_routes.api_route("/docs/{path:path}", methods=["GET", "HEAD"])
@Policy("look")
def show_documents(request: Request, services: ServicesDep, path: str = "") -> Response:
    """Return a file of the documentation; with status 404 and the page's document if there is none."""
    if not path:
        return RedirectResponse("/docs/index.html")
    file = _file(services.settings.documents.resolve(), path)
    return _document(request, services, 404) if file is None else _sent(file, request)


@page_routes.api_route("/{path:path}", methods=["GET", "HEAD"])
@Policy("look")
def show_file(request: Request, path: str, services: ServicesDep) -> Response:
    """Return a file of the page, or its document; with status 404 where the page says "not found"."""
    file = _file(services.settings.page.resolve(), path)
    if file is not None:
        return _sent(file, request)
    parts = path.rstrip("/").split("/")
    if _is_page(services, parts):
        document = _document(request, services)
        if parts[1:2] == ["study"]:
            document.headers["x-robots-tag"] = "noindex"  # studies are for people with the link
        return document
    if "text/html" in request.headers.get("accept", "") and not path.startswith("api/"):
        return _document(request, services, 404)
    return PlainTextResponse("Not found\n", status_code=404)


def _is_page(services: Services, parts: list[str]) -> bool:
    """Return whether the page shows something at an address. parts: of its path."""
    match parts:
        case [""] | [
            "account" | "archive" | "clubs" | "lobby" | "moderation" | "ratings" | "seat" | "tournaments"
        ]:
            return True
        case ["people", first, *rest, "watch"] | ["people", first, *rest]:
            return services.store.people.named("/".join([first, *rest])) is not None
        case ["clubs", club]:
            return services.store.knows(ClubRow, club)
        case ["tournaments", tournament]:
            return services.store.knows(TournamentRow, tournament)
        case ["ratings", name, _, _]:
            return name in games()
        case [name, "study", study] | [name, "study", study, _] | [name, "study", study, _, "read"]:
            return name in games() and services.store.knows(StudyRow, study)
        case [name, *rest]:
            return name in games() and _is_page_of(name, rest)
    return False


def _is_page_of(name: str, parts: list[str]) -> bool:
    """Return whether the page of a game shows something at an address. parts: of its path after the name."""
    match parts:
        case [] | ["new" | "learn" | "rules" | "study" | "watch" | "league"]:
            return True
        case ["puzzles"]:
            return len(puzzles_of(name)) > 0
        case ["puzzles", puzzle]:
            return puzzle in puzzles_of(name)
        case ["analysis"]:
            has = game(name).parts
            return (has.analysis or has.sequence) is not None
        case ["editor"]:
            return game(name).parts.has_editor
        case ["coach"]:
            return game(name).parts.review is not None
        case ["train"]:
            return game(name).parts.has_exercises
        case ["learn", lesson]:
            return lesson in lessons_of(name)
    return False


def _sent(file: Path, request: Request) -> Response:
    """Return a file, which browsers ask for again each time."""
    sent, headers = _coded(file, request)
    return FileResponse(
        sent, headers={"cache-control": _REVALIDATE, **headers}, media_type=guess_type(file.name)[0]
    )


def _coded(file: Path, request: Request) -> tuple[Path, dict[str, str]]:
    """Return a file as the browser takes it, compressed by the build or not, and the headers to say so."""
    brotli = file.with_name(f"{file.name}.br")
    if not brotli.is_file():
        return file, {}
    if not re.search(r"\bbr\b", request.headers.get("accept-encoding", "")):
        return file, {"vary": "accept-encoding"}
    return brotli, {"vary": "accept-encoding", "content-encoding": "br"}


def _file(root: Path, path: str) -> Path | None:
    """Return the file of a path if it lies below the root, else None."""
    if not path.isprintable():
        return None
    try:
        file = (root / path).resolve()
        return file if file.is_relative_to(root) and file.is_file() else None
    except OSError:  # the name is too long
        return None


def _document(request: Request, services: Services, status: int = 200) -> Response:
    try:
        content = (services.settings.page / "index.html").read_bytes()
    except OSError:
        return PlainTextResponse("The page has not been built: run `make play`.\n", status_code=503)
    response = HTMLResponse(content, status, headers={"cache-control": _REVALIDATE})
    give_session(request, response)
    return response


def _preview(request: Request, services: Services, table_id: str, table: Table) -> Response:
    listed = services.store.archive.knows(table_id)
    origin = public_origin(str(request.base_url).rstrip("/"), services.settings)
    try:
        text = (services.settings.page / "index.html").read_text("utf-8")
    except OSError:  # the page has not been built
        return _document(request, services)
    picture = f"{origin or ''}/api/tables/{table_id}/picture.png?v={table.version}"
    address = None if origin is None else f"{origin}{request.url.path}"
    response = HTMLResponse(headed(text, table, address, picture, listed=listed))
    response.headers["cache-control"] = _REVALIDATE
    give_session(request, response)
    return response


def public_origin(own: str, settings: Settings) -> str | None:
    """Return the origin for links in previews: a configured one, as a client may send any ``Host``.

    own: of the request. Returns: None if no origin is configured.
    """
    is_known = own in settings.origins or f"{own}/" == settings.address
    return own if is_known else min(settings.origins, default=None)


_TITLE = "<title>Ekoes</title>"
_WINNER = "\N{BLACK CHESS QUEEN}"


def headed(document: str, table: Table, address: str | None, picture: str, *, listed: bool) -> str:
    """Return the page's document with the link preview of a table.

    address: the URL of the document, None if it is unknown. picture: of the picture. listed: whether search
    engines may index it.
    """
    title, about = _title(table), _about(table)
    named = {"og:type": "website", "og:site_name": "Ekoes", "og:title": title, "og:description": about}
    named |= {} if address is None else {"og:url": address}
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
