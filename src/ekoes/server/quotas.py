"""How much somebody may ask for: bounds that nobody meets who plays, and that keep one from taking all.

They count by address, because a visitor without cookies is a new one each time, and tables also by whoever
makes them. Nobody is counted who comes from this machine itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import ip_address

from limits import RateLimitItem, parse
from starlette.exceptions import WebSocketException
from starlette.requests import HTTPConnection

from ekoes.errors import LimitError
from ekoes.server.bounds import LIMITS, REQUESTS, ROUTES, Kind
from ekoes.server.connection import TOO_MANY
from ekoes.server.tempo import HERE, Count

__all__ = ["Quotas", "address_of", "count_table", "counted"]

_TABLES_OF_ONE = (parse("30 per 10 minutes"), parse("300 per day"))
_TABLES_OF_ALL = (parse("200 per 10 minutes"), parse("3000 per day"))


class Quotas:
    """Counts what is asked for. All of it raises LimitError that tells how long to wait."""

    def __init__(self, count: Count = HERE) -> None:
        """Begin with nothing asked."""
        self._counter = count("asked")

    async def request(self, kind: Kind, address: str | None) -> None:
        """Count a request: whatever it asks, and as one of its kind."""
        await self._count(REQUESTS, "request", address, "too many requests", "limit/requests")
        await self._count(LIMITS[kind], kind, address, "too many requests of this kind", "limit/requests")

    async def table(self, address: str | None, holder: str) -> None:
        """Count a new table."""
        if address is not None:
            await self._count(_TABLES_OF_ONE, "table", holder, "too many new tables", "limit/tables")
        await self._count(_TABLES_OF_ALL, "table", address, "too many new tables from here", "limit/tables")

    async def _count(
        self, limits: Sequence[RateLimitItem], what: str, whose: str | None, message: str, code: str
    ) -> None:
        if whose is not None and (wait := await self._counter.wait(limits, f"{what} {whose}")):
            raise LimitError(f"{message}; try again in {wait} seconds", code=code, wait=wait)


async def counted(connection: HTTPConnection) -> None:
    """Count whatever is asked. Raises: LimitError; WebSocketException, as a line has no other answer."""
    try:
        await _quotas(connection).request(_kind(connection), address_of(connection))
    except LimitError as error:
        if connection.scope["type"] == "websocket":
            raise WebSocketException(TOO_MANY, error.code) from error
        raise


async def count_table(connection: HTTPConnection, holder: str) -> None:
    """Count a new table of somebody. Raises LimitError."""
    await _quotas(connection).table(address_of(connection), holder)


def address_of(connection: HTTPConnection) -> str | None:
    """Return from where somebody comes, None if it is this machine itself."""
    host = connection.client.host if connection.client else ""
    try:
        return None if ip_address(host).is_loopback else host
    except ValueError:  # a test's name, or a socket without an address
        return host or None


def _kind(connection: HTTPConnection) -> Kind:
    """Return of which kind a request is; the page and its files are merely looked at."""
    route = f"{connection.scope.get('method', 'SOCKET')} {connection.scope['route'].path}"
    return ROUTES.get(route, "look")


def _quotas(connection: HTTPConnection) -> Quotas:
    quotas: Quotas = connection.app.state.quotas
    return quotas
