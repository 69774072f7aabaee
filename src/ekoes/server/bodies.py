"""The bodies of requests, read as strictly as messages on a socket."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute

from ekoes.server.messages import check_json

__all__ = ["StrictRoute"]


class StrictRoute(APIRoute):
    """A route that refuses a body which is no JSON, or names a key twice."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return what answers a request."""
        answer = super().get_route_handler()

        async def answer_strictly(request: Request) -> Response:
            body = b"" if self.body_field is None else await request.body()
            if body:
                check_json(body.decode(errors="replace"))
            return await answer(request)

        return answer_strictly
