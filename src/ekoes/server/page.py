"""The built page: its files, and its one document for every address a person may open."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter
from fastapi.responses import FileResponse, PlainTextResponse, Response
from starlette.requests import Request

from ekoes.server.cookies import give_session

__all__ = ["document", "page_routes"]

_FOR_EVER = "public, max-age=31536000, immutable"
_ASK_AGAIN = "no-cache"


def page_routes(folder: Path) -> APIRouter:
    """Return the routes that serve the page of a folder.

    Files of ``assets/`` carry a hash of their content in their name and may be kept for ever; of all
    others the browser asks whether they have changed.
    """
    routes = APIRouter(include_in_schema=False)
    root = folder.resolve()

    @routes.api_route("/{path:path}", methods=["GET", "HEAD"])
    def page(request: Request, path: str) -> Response:
        """Send a file of the page, or its document for ``/``, ``/t/{id}`` and the like."""
        file = _file(root, path)
        if file is not None:
            cache = _FOR_EVER if path.startswith("assets/") else _ASK_AGAIN
            return FileResponse(file, headers={"cache-control": cache})
        if not (path.startswith("api/") or "." in path.rpartition("/")[2]):
            return document(request, root / "index.html")
        if "text/html" in request.headers.get("accept", "") and not path.startswith("api/"):
            return document(request, root / "index.html", status=404)  # it says so, and leads home
        return PlainTextResponse("There is nothing here.\n", status_code=404)

    return routes


def _file(root: Path, path: str) -> Path | None:
    """Return the file of a path, if there is one and it lies below the root."""
    if not path.isprintable():
        return None
    try:
        file = (root / path).resolve()
        return file if file.is_relative_to(root) and file.is_file() else None
    except OSError:  # a name longer than any file's
        return None


def document(request: Request, file: Path, status: int = 200) -> Response:
    """Send the page's document; file: where it lies once the page has been built."""
    if not file.is_file():
        return PlainTextResponse("The page has not been built: run `make play`.\n", status_code=503)
    response = FileResponse(file, status, headers={"cache-control": _ASK_AGAIN})
    give_session(request, response)
    return response
