"""Answers travel deflated: quickly where each is made for one reader, well where they are files."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from functools import lru_cache

from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["Deflated", "answer"]

_SMALLEST = 1024
"""Bytes from which it is worth it."""
_QUICKLY, _WELL = 1, 6
"""A table's log is a fifth longer at level 1, in a quarter of the time: at 6 it took most of the answer's."""
_ALIKE = 16
"""Answers that are deflated once for all who get the same."""


class Deflated:
    """Middleware around the whole application."""

    def __init__(self, app: ASGIApp) -> None:
        """Deflate what an application answers."""
        self._app = app
        self._answers = GZipMiddleware(app, minimum_size=_SMALLEST, compresslevel=_QUICKLY)
        self._files = GZipMiddleware(app, minimum_size=_SMALLEST, compresslevel=_WELL)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and deflate its answer if the browser takes that; a stream can't wait."""
        if scope["type"] == "http" and scope["path"].endswith("/stream"):
            await self._app(scope, receive, send)
            return
        is_answer = scope["type"] == "http" and scope["path"].startswith("/api/")
        await (self._answers if is_answer else self._files)(scope, receive, send)


def answer(request: Request, text: str, headers: Mapping[str, str]) -> Response:
    """Return an answer of JSON; a long one is deflated once for all who get the same."""
    kind = "application/json"
    if len(text) < _SMALLEST or "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(text, media_type=kind, headers=headers)
    more = {"content-encoding": "gzip", "vary": "Accept-Encoding"}
    return Response(_quickly(text), media_type=kind, headers={**headers, **more})


@lru_cache(_ALIKE)
def _quickly(text: str) -> bytes:
    return gzip.compress(text.encode(), _QUICKLY, mtime=0)
