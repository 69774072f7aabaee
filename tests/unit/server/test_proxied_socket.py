"""Proxied sockets are refused as their owner refuses them; a request whose owner ends is refused, once."""

from __future__ import annotations

import asyncio
import json
from http import HTTPStatus
from typing import Any

from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from ekoes.server.cluster.routing import HttpProxy, proxy_socket
from tests.kit.loops import apart

BODY = b'{"code":"limit/lines"}'
SCOPE: dict[str, Any] = {"headers": [], "raw_path": b"/api/tables/t/socket", "query_string": b"protocol=2"}


def too_many(_line: ServerConnection, _request: Request) -> Response:
    headers = Headers({"Content-Type": "application/json", "Retry-After": "7", "Server": "owner"})
    return Response(HTTPStatus.TOO_MANY_REQUESTS, "Too Many Requests", headers, BODY)


async def told_at_the_door() -> list[Any]:
    messages: list[Any] = []

    async def send(message: Any) -> None:
        messages.append(message)

    async def talk(line: ServerConnection) -> None:
        await line.wait_closed()

    async with serve(talk, "127.0.0.1", 0, process_request=too_many) as owner:
        host, port = owner.sockets[0].getsockname()[:2]
        await proxy_socket(f"{host}:{port}", "sealed", SCOPE, send, asyncio.Event())
    return messages


def test_refusal_comes_with_its_status_its_reason_and_the_time_to_wait() -> None:
    start, body = apart(told_at_the_door())
    assert start["type"] == "websocket.http.response.start"
    assert start["status"] == HTTPStatus.TOO_MANY_REQUESTS
    assert dict(start["headers"]) == {b"content-type": b"application/json", b"retry-after": b"7"}
    assert body["body"] == BODY


async def sent_by_an_owner_that_ends() -> tuple[int, list[Any]]:
    requests, messages = 0, []

    async def end(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal requests
        requests += 1
        await reader.readuntil(b"\r\n\r\n")
        writer.transport.abort()

    async def receive() -> Any:
        await asyncio.Event().wait()

    async def send(message: Any) -> None:
        messages.append(message)

    scope = {**SCOPE, "type": "http", "method": "POST"}
    async with await asyncio.start_server(end, "127.0.0.1", 0) as owner:
        host, port = owner.sockets[0].getsockname()[:2]
        await HttpProxy().serve(f"{host}:{port}", "signed", scope, b"{}", receive, send, asyncio.Event())
    return requests, messages


def test_request_whose_owner_ends_gets_503_and_is_not_repeated() -> None:
    requests, (start, body) = apart(sent_by_an_owner_that_ends())
    assert requests == 1, "the order may be stored"
    assert start["status"] == HTTPStatus.SERVICE_UNAVAILABLE
    assert json.loads(body["body"])["code"] == "server/no-owner"
