"""Routes: the files of the built page, and its document for every other path."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter
from fastapi.responses import FileResponse, PlainTextResponse, Response
from starlette.requests import Request

from ekoes.server.http.policy import policy
from ekoes.server.http.requests import give_session

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
