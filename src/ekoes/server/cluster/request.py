"""A request that is passed on to who can answer it, and its answer on the way back, as it comes."""

from __future__ import annotations

import asyncio
from http import HTTPStatus

import httpx
from starlette.types import Receive, Scope, Send

from ekoes.server.cluster.seal import HEADER
from ekoes.server.messages import encode

__all__ = ["AwayError", "Requester", "refuse"]

_TIMES = httpx.Timeout(None, connect=1.0)
_BOUNDS = httpx.Limits(max_connections=None, max_keepalive_connections=64)
_OF_ONE_HOP = {b"connection", b"keep-alive", b"transfer-encoding", b"upgrade", b"te", b"date", b"server"}
_NOBODY = {"code": "server/no-owner", "message": "who has this does not answer; please try again"}


class AwayError(Exception):
    """Who was asked is not there, or does not own what was asked for; nothing was done."""


class Requester:
    """Passes requests on, over lines that stay open for the next ones."""

    def __init__(self) -> None:
        """Begin without a line."""
        self._client = httpx.AsyncClient(timeout=_TIMES, limits=_BOUNDS, trust_env=False)

    async def serve(
        self,
        address: str,
        header: str,
        scope: Scope,
        body: bytes,
        receive: Receive,
        send: Send,
        gone: asyncio.Event,
    ) -> None:
        """Have a request answered at an address. gone: is set when whoever is there is gone.

        Raises: AwayError if nothing was done.
        """
        asked = asyncio.create_task(self._ask(_request(address, header, scope, body)))
        over = [asyncio.create_task(_disconnected(receive)), asyncio.create_task(gone.wait())]
        try:
            await asyncio.wait([asked, *over], return_when=asyncio.FIRST_COMPLETED)
            if not asked.done():
                return await refuse(scope, send, HTTPStatus.SERVICE_UNAVAILABLE)
            answer = await asked
            told = asyncio.create_task(_tell(answer, send))
            over.append(told)
            await asyncio.wait(over, return_when=asyncio.FIRST_COMPLETED)
            await answer.aclose()
        finally:
            for task in (asked, *over):
                task.cancel()
            await asyncio.gather(asked, *over, return_exceptions=True)
        return None

    async def _ask(self, request: httpx.Request) -> httpx.Response:
        """Return an answer, of which nothing was read. Raises AwayError."""
        try:
            answer = await self._client.send(request, stream=True)
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise AwayError from error
        if answer.status_code == HTTPStatus.MISDIRECTED_REQUEST:
            await answer.aclose()
            raise AwayError
        return answer


def _request(address: str, header: str, scope: Scope, body: bytes) -> httpx.Request:
    """Return a request as it came, for another address."""
    query = scope["query_string"]
    target = scope["raw_path"] + (b"?" + query if query else b"")
    headers = [(name, text) for name, text in scope["headers"] if name not in {*_OF_ONE_HOP, HEADER}]
    headers.append((HEADER, header.encode()))
    url = httpx.URL(scheme="http", netloc=address.encode(), raw_path=target)
    return httpx.Request(scope["method"], url, headers=headers, content=body)


async def _tell(answer: httpx.Response, send: Send) -> None:
    """Pass an answer on, each part as it comes; where the rest can't come any more it ends."""
    headers = [(name.lower(), text) for name, text in answer.headers.raw]
    kept = [(name, text) for name, text in headers if name not in _OF_ONE_HOP]
    await send({"type": "http.response.start", "status": answer.status_code, "headers": kept})
    try:
        async for part in answer.aiter_raw():
            await send({"type": "http.response.body", "body": part, "more_body": True})
    except httpx.TransportError:
        if b"content-length" in dict(kept):
            raise
    await send({"type": "http.response.body", "body": b""})


async def _disconnected(receive: Receive) -> None:
    """Return when the visitor has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def refuse(scope: Scope, send: Send, status: int) -> None:
    """Answer with a status alone, and that nobody can answer where it is one of failures.

    A line is not let in.
    """
    if scope["type"] == "websocket":
        start, kind = "websocket.http.response.start", "websocket.http.response.body"
    else:
        start, kind = "http.response.start", "http.response.body"
    headers = [(b"content-type", b"application/json"), (b"retry-after", b"1")]
    await send({"type": start, "status": status, "headers": headers})
    body = b"" if status == HTTPStatus.NO_CONTENT else encode(_NOBODY).encode()
    await send({"type": kind, "body": body})
