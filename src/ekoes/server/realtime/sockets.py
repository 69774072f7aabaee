"""The open sockets of each session with their limits, HTTP connections, and the server with its shutdown."""

from __future__ import annotations

import asyncio
import socket
from asyncio import TimerHandle, Transport
from collections import Counter, defaultdict
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Protocol

import uvicorn
from fastapi import FastAPI
from starlette.datastructures import MutableHeaders
from uvicorn.config import Config
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from ekoes.errors import LimitError, StorageError
from ekoes.server.ops.limits import MAX_CONNECTIONS_PER_ADDRESS, MAX_CONNECTIONS_PER_CREDENTIAL
from ekoes.server.ops.logs import LOG
from ekoes.server.realtime.connection import MAX_SIZE, TOO_MANY, WENT_WRONG, Socket
from ekoes.server.realtime.streams import EventSocket
from ekoes.server.runtime.hub import Hub
from ekoes.server.runtime.table_actor import Closable

_SIGNED_OUT = 4401
_WAIT = 60

_Service = Coroutine[object, object, None]


class _Connection(Closable, Protocol):
    """A WebSocket or a stream."""

    def leave(self) -> None:
        """Answer what has been read, then close: the server stops."""


class OpenSockets:
    """The open connections of each cookie or token."""

    def __init__(self) -> None:
        """Create an empty register. on_sign_out: called with a credential whose connections are closed."""
        self.on_sign_out: Callable[[str], None] = lambda _credential: None
        self._connections: defaultdict[str, set[_Connection]] = defaultdict(set)
        self._closed = asyncio.Event()
        self._is_leaving = False
        self._per_address: Counter[str] = Counter()

    @property
    def number(self) -> int:
        """The number of open connections."""
        return sum(map(len, list(self._connections.values())))

    async def serve(
        self, credential: str, connection: _Connection, service: _Service, address: str | None = None
    ) -> None:
        """Serve a registered connection. address: as for ``open``."""
        try:
            with self.open(credential, connection, address):
                await service
        except LimitError as error:
            service.close()
            connection.end(TOO_MANY, error.code)
        except StorageError as error:
            LOG.error("connection closed: storage failed", error=str(error))
            connection.end(WENT_WRONG, error.code)

    def find(self, credential: str, name: str) -> EventSocket | None:
        """Return the stream of events of a credential that has a name."""
        own = self._connections.get(credential, ())
        return next((one for one in own if isinstance(one, EventSocket) and one.name == name), None)

    @contextmanager
    def open(self, credential: str, connection: _Connection, address: str | None = None) -> Iterator[None]:
        """Register a connection for as long as it is open.

        address: of the client; None: this machine, which has no limit. Raises: LimitError if the credential
        or the address has too many connections.
        """
        if address is not None:
            self._check(credential, address)
            self._per_address[address] += 1
        self._connections[credential].add(connection)
        if self._is_leaving:
            connection.leave()
        try:
            yield
        finally:
            self._connections[credential].discard(connection)
            if not self._connections[credential]:
                del self._connections[credential]
            self._leave(address)
            self._closed.set()

    async def leave(self) -> None:
        """Close all connections, including new ones, and return when none is left."""
        self._is_leaving = True
        for connection in [one for own in self._connections.values() for one in own]:
            connection.leave()
        while self._connections:
            self._closed.clear()
            await self._closed.wait()

    def _check(self, credential: str, address: str) -> None:
        of_one, of_all = len(self._connections.get(credential, ())), self._per_address[address]
        if of_one >= MAX_CONNECTIONS_PER_CREDENTIAL or of_all >= MAX_CONNECTIONS_PER_ADDRESS:
            raise LimitError("too many connections are open from here", code="limit/lines", wait=_WAIT)

    def _leave(self, address: str | None) -> None:
        if address is not None:
            self._per_address[address] -= 1
            if not self._per_address[address]:
                del self._per_address[address]

    def credentials(self) -> list[str]:
        """Return the credentials with open connections."""
        return list(self._connections)

    def end_all(self, code: int, reason: str) -> None:
        """Close all connections."""
        for connections in list(self._connections.values()):
            for connection in list(connections):
                connection.end(code, reason)

    def end(self, credential: str) -> None:
        """Close all connections of a credential that was signed out, in all processes."""
        self.on_sign_out(credential)
        self.close(credential)

    def close(self, credential: str) -> None:
        """Close all connections of a credential in this process."""
        for connection in list(self._connections.get(credential, ())):
            connection.end(_SIGNED_OUT, "signed out")


_TIMEOUT = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class Requests(HttpToolsProtocol):
    """An HTTP connection that is closed if a request is too slow.

    patience: seconds for a whole request, from its first byte or from the start of the connection.
    """

    patience: ClassVar[float] = 15.0

    _timer: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Start the timer of the first request."""
        super().connection_made(transport)
        _send_at_once(transport)
        self._start_timer()

    def on_message_begin(self) -> None:
        """Start the timer of a request."""
        super().on_message_begin()
        self._start_timer()

    def on_message_complete(self) -> None:
        """Stop the timer."""
        self._stop_timer()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """Stop the timer."""
        self._stop_timer()
        super().handle_websocket_upgrade()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer."""
        self._stop_timer()
        super().connection_lost(exc)

    def _start_timer(self) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(self.patience, self._drop)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _drop(self) -> None:
        if not self.transport.is_closing():
            self.transport.write(_TIMEOUT)
            self.transport.close()


def _send_at_once(transport: Transport) -> None:
    """Disable Nagle's algorithm, which delays answers by up to 40 ms.

    asyncio's own loop, used without uvloop, does so only for listening sockets that it has opened itself.
    """
    opened = transport.get_extra_info("socket")
    if opened is not None and opened.family in {socket.AF_INET, socket.AF_INET6}:
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


class _ProxyHeaders(ProxyHeadersMiddleware):
    """Reads a client's scheme and address from the headers of trusted proxies.

    ``*`` trusts whoever connects, but only for one hop: further hops may be what the client has sent itself.
    """

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 - of uvicorn
        """Answer a request."""
        if self.trusted_hosts.always_trust and scope["type"] != "lifespan":
            headers = MutableHeaders(scope=scope)
            if hops := headers.getlist(_FORWARDED_FOR):
                headers[_FORWARDED_FOR] = hops[-1].rpartition(",")[2]
        await super().__call__(scope, receive, send)


_FORWARDED_FOR = "x-forwarded-for"


def uvicorn_config(app: FastAPI, patience: int | None = None) -> Config:
    """Return uvicorn's configuration with these protocols, without its own logging.

    patience: seconds for open requests at shutdown; None: no limit.
    """
    config = Config(
        app,
        log_level="warning",
        log_config=None,
        access_log=False,
        http=Requests,
        ws=Socket,
        ws_max_size=MAX_SIZE,
        timeout_graceful_shutdown=patience,
        proxy_headers=False,
    )
    config.app = _ProxyHeaders(app, config.forwarded_allow_ips)  # type: ignore[arg-type] # Starlette's types
    return config


PATIENCE = 10
"""Seconds for connections, and then for requests, to end at shutdown."""


class Server(uvicorn.Server):
    """Serves the application until SIGTERM or Ctrl-C.

    Then it accepts no new connections and stops the clocks. Messages that were read are handled and
    answered; connections are closed with ``RESTARTS``, so that clients reconnect; requests are answered.
    """

    def __init__(self, app: FastAPI, hub: Hub, connections: OpenSockets) -> None:
        super().__init__(uvicorn_config(app, patience=PATIENCE))
        self._hub = hub
        self._connections = connections

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Shut down."""
        LOG.info("server stopping", connections=self._connections.number)
        for server in self.servers:
            server.close()
        try:
            async with asyncio.timeout(PATIENCE):
                await self._hub.rest()
                await self._connections.leave()
        except TimeoutError:
            LOG.warning("connections cut off", connections=self._connections.number)
        await super().shutdown(sockets)
        LOG.info("server stopped")
