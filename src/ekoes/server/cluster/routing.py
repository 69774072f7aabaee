"""Routing: requests and sockets for what another process owns are proxied to it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from http import HTTPStatus
from time import monotonic
from typing import NamedTuple

from itsdangerous import BadSignature, URLSafeSerializer
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ekoes.errors import StorageError
from ekoes.server.cluster.cluster_node import ClusterNode
from ekoes.server.cluster.proxy import (
    HEADER,
    HttpProxy,
    OwnerAwayError,
    ProxiedWebSocket,
    proxy_socket,
    refuse,
)

LOBBY = ":lobby"
"""The lease of the lobby leader, which also runs challenges, tournaments and streams of bots."""
_TIMEOUT = 8.0
"""Seconds in which an owner has to be found."""
_RETRY = 0.05


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
                await self._app(_as_sent(scope, origin), _replayed(first, receive), send)
            else:  # proxied requests are never proxied again
                await refuse(scope, send, HTTPStatus.MISDIRECTED_REQUEST)
        except OwnerAwayError:
            await refuse(scope, send, HTTPStatus.SERVICE_UNAVAILABLE)

    async def _answer(self, name: str, scope: Scope, first: Message, receive: Receive, send: Send) -> None:
        """Answer or proxy a client's request. Raises OwnerAwayError if no owner is found in time."""
        until = monotonic() + _TIMEOUT
        while True:
            owner = await self._owner(name)
            if owner is None:
                return await self._app(scope, _replayed(first, receive), send)
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
    """Return the scope of a proxied request as if the client had sent it to this process."""
    sent = {**scope, "headers": list(scope["headers"]), "scheme": origin.scheme}
    MutableHeaders(scope=sent)["host"] = origin.host
    sent["client"] = None if origin.address is None else (origin.address, 0)
    if sent["type"] == "websocket":
        sent["state"] = {**scope["state"], "line": ProxiedWebSocket(scope["state"]["line"])}
    return sent


def _replayed(first: Message, receive: Receive) -> Receive:
    """Return a ``receive`` that yields a message again that was already received."""
    rest = [first]

    async def receive_again() -> Message:
        return rest.pop() if rest else await receive()

    return receive_again
