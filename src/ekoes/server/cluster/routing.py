"""Routing: proxies requests and sockets to the process that owns their table or the lobby."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from http import HTTPStatus
from time import monotonic
from typing import NamedTuple

import httpx
from itsdangerous import BadSignature, URLSafeSerializer
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.http11 import Response

from ekoes.errors import StorageError
from ekoes.protocol import RESTARTS, encode
from ekoes.server.cluster.cluster_node import ClusterNode
from ekoes.server.http.middleware import replayed
from ekoes.server.realtime.connection import PROXY_CONTROL, Socket

LOBBY = ":lobby"
"""The lease of the lobby leader, which also runs challenges, tournaments and streams of bots."""
_OWNER_TIMEOUT = 8.0
"""Seconds in which an owner has to be found."""
_RETRY = 0.05
HEADER = b"x-ekoes-origin"
"""States the signed origin of a proxied request."""
_TIMEOUT = httpx.Timeout(None, connect=1.0)
_LIMITS = httpx.Limits(max_connections=None, max_keepalive_connections=64)
_HOP_BY_HOP = {b"connection", b"keep-alive", b"transfer-encoding", b"upgrade", b"te", b"date", b"server"}
_NO_OWNER = {"code": "server/no-owner", "message": "the owner of this does not answer; please try again"}

_SOCKET_HEADERS = (b"cookie", b"origin", b"authorization", b"user-agent", b"accept-language")
_REFUSAL_HEADERS = ("content-type", "retry-after", "www-authenticate")
_OPEN_TIMEOUT = 2.0
_QUEUE_SIZE = 16


class OwnerAwayError(Exception):
    """The process that was asked is gone, or is not the owner and has done nothing."""


async def refuse(scope: Scope, send: Send, status: int) -> None:
    """Answer a request or refuse a socket because no owner can be reached."""
    prefix = "websocket.http.response" if scope["type"] == "websocket" else "http.response"
    headers = [(b"content-type", b"application/json"), (b"retry-after", b"1")]
    await send({"type": f"{prefix}.start", "status": status, "headers": headers})
    await send({"type": f"{prefix}.body", "body": encode(_NO_OWNER).encode()})


# ---------------------------------------------------------------- HTTP


class HttpProxy:
    """Forwards requests over connections that stay open."""

    def __init__(self) -> None:
        self._client = httpx.AsyncClient(timeout=_TIMEOUT, limits=_LIMITS, trust_env=False)

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
        """Forward a request to an address, and its response as it arrives.

        gone: is set when the process there is gone. Raises: OwnerAwayError.
        """
        asked = asyncio.create_task(self._send(_request(address, header, scope, body)))
        over = [asyncio.create_task(_disconnected(receive)), asyncio.create_task(gone.wait())]
        try:
            await asyncio.wait([asked, *over], return_when=asyncio.FIRST_COMPLETED)
            if not asked.done():
                return await refuse(scope, send, HTTPStatus.SERVICE_UNAVAILABLE)
            try:
                response = await asked
            except httpx.TransportError:  # the owner may have done what it was asked: no second attempt
                return await refuse(scope, send, HTTPStatus.SERVICE_UNAVAILABLE)
            over.append(asyncio.create_task(_respond(response, send)))
            await asyncio.wait(over, return_when=asyncio.FIRST_COMPLETED)
            await response.aclose()
        finally:
            for task in (asked, *over):
                task.cancel()
            await asyncio.gather(asked, *over, return_exceptions=True)
        return None

    async def _send(self, request: httpx.Request) -> httpx.Response:
        try:
            response = await self._client.send(request, stream=True)
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise OwnerAwayError from error
        if response.status_code == HTTPStatus.MISDIRECTED_REQUEST:
            await response.aclose()
            raise OwnerAwayError
        return response


def _request(address: str, header: str, scope: Scope, body: bytes) -> httpx.Request:
    query = scope["query_string"]
    target = scope["raw_path"] + (b"?" + query if query else b"")
    headers = [(name, text) for name, text in scope["headers"] if name not in {*_HOP_BY_HOP, HEADER}]
    headers.append((HEADER, header.encode()))
    url = httpx.URL(scheme="http", netloc=address.encode(), raw_path=target)
    return httpx.Request(scope["method"], url, headers=headers, content=body)


async def _respond(response: httpx.Response, send: Send) -> None:
    headers = [(name.lower(), text) for name, text in response.headers.raw]
    headers = [(name, text) for name, text in headers if name not in _HOP_BY_HOP]
    await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
    try:
        async for part in response.aiter_raw():
            await send({"type": "http.response.body", "body": part, "more_body": True})
    except httpx.TransportError:
        if b"content-length" in dict(headers):
            raise
    await send({"type": "http.response.body", "body": b""})


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


# ---------------------------------------------------------------- Socket


async def proxy_socket(address: str, header: str, scope: Scope, send: Send, gone: asyncio.Event) -> None:
    """Accept or refuse a socket as the process at an address does, and forward its frames.

    gone: is set when the process there is gone. Raises: OwnerAwayError.
    """
    try:
        upstream = await _connect(address, header, scope)
    except InvalidStatus as error:
        if error.response.status_code == HTTPStatus.MISDIRECTED_REQUEST:
            raise OwnerAwayError from error
        await _refuse_alike(error.response, send)
        return
    except (OSError, EOFError, InvalidHandshake) as error:  # a timeout is an OSError
        raise OwnerAwayError from error
    response = upstream.response
    cookies = [] if response is None else response.headers.get_all("set-cookie")
    await send({"type": "websocket.accept", "headers": [(b"set-cookie", one.encode()) for one in cookies]})
    socket: Socket = scope["state"]["socket"]
    socket.serve(_forward(socket, upstream, gone))


async def _refuse_alike(response: Response, send: Send) -> None:
    names = [name for name in _REFUSAL_HEADERS if name in response.headers]
    headers = [(name.encode(), response.headers[name].encode()) for name in names]
    start = {"type": "websocket.http.response.start", "status": response.status_code, "headers": headers}
    await send(start)
    await send({"type": "websocket.http.response.body", "body": response.body or b""})


async def _connect(address: str, header: str, scope: Scope) -> ClientConnection:
    known = dict(scope["headers"])
    headers = [(name.decode(), known[name].decode("latin-1")) for name in _SOCKET_HEADERS if name in known]
    headers.append((HEADER.decode(), header))
    target = scope["raw_path"].decode() + "?" + scope["query_string"].decode()
    return await connect(
        f"ws://{address}{target}",
        additional_headers=headers,
        user_agent_header=None,
        compression=None,
        max_size=None,
        open_timeout=_OPEN_TIMEOUT,
        ping_interval=None,
        proxy=None,
    )


async def _forward(socket: Socket, upstream: ClientConnection, gone: asyncio.Event) -> None:
    """Forward frames in both directions until either side closes, or the upstream process is gone."""
    tasks = [
        asyncio.create_task(_forward_up(socket, upstream)),
        asyncio.create_task(_forward_down(socket, upstream)),
        asyncio.create_task(socket.ended()),
        asyncio.create_task(gone.wait()),
    ]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        closed = upstream.protocol.close_rcvd  # None: the connection was lost
        socket.end(*(RESTARTS, "moved") if closed is None else (closed.code, closed.reason))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if gone.is_set():
            upstream.transport.abort()
        await upstream.close()


async def _forward_up(socket: Socket, upstream: ClientConnection) -> None:
    """Forward the client's messages, and its round trip time whenever that has changed."""
    queue: asyncio.Queue[str | None] = asyncio.Queue()

    def receive(text: str | None) -> None:
        queue.put_nowait(text)
        if queue.qsize() >= _QUEUE_SIZE:
            socket.pause()

    socket.listen(receive)
    sent = 0.0
    while True:
        text = await queue.get()
        if queue.empty():
            socket.resume()
        if socket.round_trip != sent:
            sent = socket.round_trip
            await upstream.send(f"{PROXY_CONTROL}{sent}")
        await upstream.send(b"" if text is None else text.lstrip(PROXY_CONTROL))


async def _forward_down(socket: Socket, upstream: ClientConnection) -> None:
    try:
        while True:
            socket.send_text(await upstream.recv(decode=True))
    except ConnectionClosed:
        return


class Origin(NamedTuple):
    """Where a proxied request comes from. node: to which it is proxied; scheme, host: as the client used."""

    node: str
    address: str | None
    scheme: str
    host: str


class OriginSigner:
    """Signs the origin of a request, so that a process trusts only other processes."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        """Sign with the last key, verify with any."""
        self._serializer = URLSafeSerializer(list(keys), salt="ekoes.origin")

    def sign(self, origin: Origin) -> str:
        """Return the value of the header."""
        text = self._serializer.dumps(origin)
        return text if isinstance(text, str) else text.decode()

    def verify(self, text: bytes) -> Origin | None:
        """Return the origin that a header states, None if no process has signed it."""
        try:
            return Origin(*self._serializer.loads(text))
        except (BadSignature, TypeError):
            return None


class Routing:
    """ASGI middleware: answers what this process owns, and proxies the rest to its owner.

    It expects the body of a request in one message.
    """

    def __init__(
        self, app: ASGIApp, node: ClusterNode, signer: OriginSigner, owner_of: Callable[[Scope], str | None]
    ) -> None:
        """Wrap an application. owner_of: returns the lease that a request needs, if any."""
        self._owner_of = owner_of
        self._app = app
        self._node = node
        self._signer = signer
        self._http = HttpProxy()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer or proxy a request."""
        name = self._owner_of(scope) if scope["type"] in {"http", "websocket"} else None
        if name is None:
            await self._app(scope, receive, send)
            return
        first = await receive()
        header = dict(scope["headers"]).get(HEADER)
        origin = None if header is None else self._signer.verify(header)
        try:
            if origin is None:
                await self._answer(name, scope, first, receive, send)
            elif origin.node == self._node.id and await self._owner(name) is None:
                await self._app(_as_sent(scope, origin), replayed(first, receive), send)
            else:  # proxied requests are never proxied again
                await refuse(scope, send, HTTPStatus.MISDIRECTED_REQUEST)
        except OwnerAwayError:
            await refuse(scope, send, HTTPStatus.SERVICE_UNAVAILABLE)

    async def _answer(self, name: str, scope: Scope, first: Message, receive: Receive, send: Send) -> None:
        """Answer or proxy a client's request. Raises OwnerAwayError if no owner is found in time."""
        until = monotonic() + _OWNER_TIMEOUT
        while True:
            owner = await self._owner(name)
            if owner is None:
                return await self._app(scope, replayed(first, receive), send)
            try:
                return await self._proxy(owner, scope, first, receive, send)
            except OwnerAwayError:
                self._node.forget_owner(name)
                if monotonic() > until:
                    raise
            await asyncio.sleep(_RETRY)

    async def _proxy(
        self, owner: tuple[str, str], scope: Scope, first: Message, receive: Receive, send: Send
    ) -> None:
        node, address = owner
        client, host = scope.get("client"), dict(scope["headers"]).get(b"host", b"").decode("latin-1")
        header = self._signer.sign(Origin(node, client[0] if client else None, scope["scheme"], host))
        gone = self._node.gone(node)
        if scope["type"] == "websocket":
            await proxy_socket(address, header, scope, send, gone)
        else:
            await self._http.serve(address, header, scope, first.get("body", b""), receive, send, gone)

    async def _owner(self, name: str) -> tuple[str, str] | None:
        try:
            return await self._node.owner(name)
        except StorageError as error:
            raise OwnerAwayError from error


def _as_sent(scope: Scope, origin: Origin) -> Scope:
    """Return the scope of a proxied request as if the client had sent it here; mark a proxied socket."""
    sent = {**scope, "headers": list(scope["headers"]), "scheme": origin.scheme}
    MutableHeaders(scope=sent)["host"] = origin.host
    sent["client"] = None if origin.address is None else (origin.address, 0)
    if sent["type"] == "websocket":
        sent["state"]["socket"].is_proxied = True
    return sent
